//! Triangle meshes while they are being built: what the shapes make and the furniture joins together.

use std::collections::HashMap;

use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};

/// A growing triangle list. Fronts are counter-clockwise and normals point to the front.
///
/// `colors`, `joints` and `weights` are either empty or as long as `positions`.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
    /// First texture coordinates: metres of surface unless a maker says otherwise.
    pub uvs: Vec<Vec2>,
    /// Linear vertex colours, or empty.
    pub colors: Vec<Vec4>,
    /// Four joints of a skin for each vertex, or empty.
    pub joints: Vec<[u8; 4]>,
    /// Their weights (sum 1), or empty.
    pub weights: Vec<Vec4>,
    /// Openness to indirect light, 0 to 1; filled by [`super::bake`].
    pub openness: Vec<f32>,
    /// Three a triangle.
    pub indices: Vec<u32>,
}

impl Mesh {
    /// Adds a vertex and returns its index.
    pub fn vertex(&mut self, position: Vec3, normal: Vec3, uv: Vec2) -> u32 {
        let index = self.positions.len() as u32;
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
        index
    }

    /// Adds a triangle, unless it has no area (as at the pole of a lathe).
    pub fn triangle(&mut self, a: u32, b: u32, c: u32) {
        let [pa, pb, pc] = [a, b, c].map(|i| self.positions[i as usize]);
        if (pb - pa).cross(pc - pa).length_squared() > 1e-16 {
            self.indices.extend([a, b, c]);
        }
    }

    /// Adds the two triangles of a quad whose corners go round counter-clockwise.
    pub fn quad(&mut self, a: u32, b: u32, c: u32, d: u32) {
        self.triangle(a, b, c);
        self.triangle(a, c, d);
    }

    /// Joins `columns` by `rows` vertices that start at `first` into quads. A step along a row (+1) crossed
    /// with a step to the next row (+`columns`) is the front.
    pub fn lattice(&mut self, first: u32, columns: u32, rows: u32) {
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let a = first + row * columns + column;
                self.quad(a, a + 1, a + columns + 1, a + columns);
            }
        }
    }

    /// Adds another mesh. Both have vertex colours, or neither, or the one without gets white.
    pub fn append(&mut self, other: &Mesh) {
        let base = self.positions.len();
        if !other.colors.is_empty() && self.colors.is_empty() {
            self.colors = vec![Vec4::ONE; base];
        }
        self.positions.extend(&other.positions);
        self.normals.extend(&other.normals);
        self.uvs.extend(&other.uvs);
        self.colors.extend(&other.colors);
        if !self.colors.is_empty() {
            self.colors.resize(self.positions.len(), Vec4::ONE);
        }
        self.indices.extend(other.indices.iter().map(|i| i + base as u32));
    }

    /// Joins meshes into one.
    pub fn join(parts: impl IntoIterator<Item = Mesh>) -> Mesh {
        let mut whole = Mesh::default();
        for part in parts {
            whole.append(&part);
        }
        whole
    }

    /// The mesh under an affine map that does not mirror.
    pub fn transformed(mut self, map: Mat4) -> Mesh {
        let normal_map = Mat3::from_mat4(map).inverse().transpose();
        for position in &mut self.positions {
            *position = map.transform_point3(*position);
        }
        for normal in &mut self.normals {
            *normal = (normal_map * *normal).normalize_or(Vec3::Y);
        }
        self
    }

    /// The mesh moved.
    pub fn at(self, x: f32, y: f32, z: f32) -> Mesh {
        self.transformed(Mat4::from_translation(Vec3::new(x, y, z)))
    }

    /// The mesh with its first texture coordinates scaled, then moved.
    pub fn uv_mapped(mut self, scale: Vec2, offset: Vec2) -> Mesh {
        for uv in &mut self.uvs {
            *uv = *uv * scale + offset;
        }
        self
    }

    /// The mesh with u and v exchanged, so that a grain that ran along u runs along v.
    pub fn uv_turned(mut self) -> Mesh {
        for uv in &mut self.uvs {
            *uv = Vec2::new(uv.y, uv.x);
        }
        self
    }

    /// The mesh with one colour for all of its vertices.
    pub fn tinted(mut self, color: Vec3) -> Mesh {
        self.colors = vec![color.extend(1.0); self.positions.len()];
        self
    }

    /// Moves every vertex by a function of its place and recomputes smooth normals.
    pub fn bent(mut self, f: impl Fn(Vec3) -> Vec3) -> Mesh {
        for position in &mut self.positions {
            *position = f(*position);
        }
        self.smooth_normals();
        self
    }

    /// Recomputes normals as the area-weighted mean over all vertices in the same place, so that the seams
    /// between texture charts do not show.
    pub fn smooth_normals(&mut self) {
        let mut sums: HashMap<[i32; 3], Vec3> = HashMap::new();
        for corner in self.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| self.positions[corner[k] as usize]);
            let normal = (b - a).cross(c - a);
            for p in [a, b, c] {
                *sums.entry(place_key(p)).or_default() += normal;
            }
        }
        for (normal, position) in self.normals.iter_mut().zip(&self.positions) {
            if let Some(sum) = sums.get(&place_key(*position)) {
                *normal = sum.normalize_or(*normal);
            }
        }
    }
}

/// A place to the hundredth of a millimetre, as a key.
pub fn place_key(p: Vec3) -> [i32; 3] {
    (p * 1e5).round().as_ivec3().to_array()
}
