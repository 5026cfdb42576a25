//! Boxes with rounded edges, and the cushions made of them.

use glam::{Vec2, Vec3};

use crate::sample::mesh::Mesh;

/// A box with rounded edges and corners, centred on the origin.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Whole size in metres.
    pub size: Vec3,
    /// Radius of the rounding, at most half of the smallest side.
    pub radius: f32,
    /// Bands of quads on each half of a rounded edge: 1 for a bevel, 3 and more for something soft.
    pub bands: u32,
    /// Largest side of a quad on the flat part, in metres.
    pub cell: f32,
}

/// A bevelled box, divided often enough to carry baked occlusion along its length.
pub fn block(x: f32, y: f32, z: f32, radius: f32) -> Mesh {
    Block { size: Vec3::new(x, y, z), radius, bands: 1, cell: 0.25 }.build()
}

impl Block {
    /// Builds it. Texture coordinates are metres, seen from the front of each of the six sides, and u runs
    /// along the longer edge of the side, so that wood grain follows the plank.
    pub fn build(self) -> Mesh {
        let half = self.size * 0.5;
        let radius = self.radius.min(half.min_element());
        let inner = half - Vec3::splat(radius);
        let mut mesh = Mesh::default();
        // Each side's right, up and outward axes.
        let sides = [
            (Vec3::X, Vec3::Y, Vec3::Z),
            (Vec3::NEG_X, Vec3::Y, Vec3::NEG_Z),
            (Vec3::NEG_Z, Vec3::Y, Vec3::X),
            (Vec3::Z, Vec3::Y, Vec3::NEG_X),
            (Vec3::X, Vec3::NEG_Z, Vec3::Y),
            (Vec3::X, Vec3::Z, Vec3::NEG_Y),
        ];
        for (right, up, out) in sides {
            let [along, across] = [right, up].map(|axis| axis.abs().dot(half));
            let columns = self.stations(along, radius);
            let rows = self.stations(across, radius);
            let first = mesh.positions.len() as u32;
            for v in &rows {
                for u in &columns {
                    let on_cube = right * *u + up * *v + out * out.abs().dot(half);
                    let core = on_cube.clamp(-inner, inner);
                    let normal = (on_cube - core).normalize_or(out);
                    let uv = Vec2::new(*u + along, across - *v);
                    let uv = if across > along { Vec2::new(uv.y, uv.x) } else { uv };
                    mesh.vertex(core + normal * radius, normal, uv);
                }
            }
            mesh.lattice(first, columns.len() as u32, rows.len() as u32);
        }
        mesh
    }

    /// Where the grid lines of a side lie, from `-half` to `half`.
    fn stations(&self, half: f32, radius: f32) -> Vec<f32> {
        let flat = half - radius;
        let mut lines = Vec::new();
        if radius > 0.0 {
            // Equal angles round the edge; a side reaches to the diagonal, at 45 degrees.
            for band in (1..=self.bands).rev() {
                let angle = std::f32::consts::FRAC_PI_4 * band as f32 / self.bands as f32;
                lines.push(-flat - radius * angle.tan());
            }
        }
        let cells = if flat > 1e-5 { (2.0 * flat / self.cell).ceil().clamp(1.0, 64.0) as u32 } else { 0 };
        for cell in 0..=cells {
            lines.push(if cells == 0 { 0.0 } else { -flat + 2.0 * flat * cell as f32 / cells as f32 });
        }
        if radius > 0.0 {
            for band in 1..=self.bands {
                let angle = std::f32::consts::FRAC_PI_4 * band as f32 / self.bands as f32;
                lines.push(flat + radius * angle.tan());
            }
        }
        lines
    }
}

/// A cushion: two bulging sheets sewn together round the edge, lying flat (thickness along Y), centred on the
/// origin. `plump` scales the bulge.
pub fn pillow(width: f32, thickness: f32, depth: f32, plump: f32) -> Mesh {
    const N: u32 = 12;
    let mut mesh = Mesh::default();
    for side in [1.0f32, -1.0] {
        let first = mesh.positions.len() as u32;
        for row in 0..=N {
            for column in 0..=N {
                // Denser towards the seam, where the surface turns.
                let [s, t] = [column, row]
                    .map(|k| (std::f32::consts::FRAC_PI_2 * (2.0 * k as f32 / N as f32 - 1.0)).sin());
                let fullness = ((1.0 - s.powi(4)) * (1.0 - t.powi(4))).max(0.0).powf(0.42);
                // Stuffing pulls the middle of each edge in and leaves the corners as ears.
                let pull =
                    |along: f32, across: f32| along * (1.0 - 0.09 * (1.0 - across * across) * along * along);
                let position = Vec3::new(
                    0.5 * width * pull(s, t),
                    side * 0.5 * thickness * plump * fullness,
                    -side * 0.5 * depth * pull(t, s),
                );
                let uv = Vec2::new(0.5 * width * (s + 1.0), 0.5 * depth * (t + 1.0));
                mesh.vertex(position, Vec3::Y * side, uv);
            }
        }
        for row in 0..N {
            for column in 0..N {
                let [a, b, c, d] = [0, 1, N + 2, N + 1].map(|step| first + row * (N + 1) + column + step);
                // Cut through the pillow's corners, not across them: an ear's tip would lie flat in the seam.
                if (row < N / 2) == (column < N / 2) { mesh.quad(a, b, c, d) } else { mesh.quad(b, c, d, a) }
            }
        }
    }
    mesh.smooth_normals();
    mesh
}
