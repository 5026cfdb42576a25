//! Shapes.
use glam::{Vec2, Vec3, Vec4};
use pellucid_scene::{Aabb, Primitive};
use std::f32::consts::{PI, TAU};

/// A primitive without material from its vertices.
fn primitive(positions: Vec<Vec3>, normals: Vec<Vec3>, uv0: Vec<Vec2>, indices: Vec<u32>) -> Primitive {
    let min = positions.iter().copied().fold(Vec3::splat(f32::INFINITY), Vec3::min);
    let max = positions.iter().copied().fold(Vec3::splat(f32::NEG_INFINITY), Vec3::max);
    Primitive {
        bounds: Aabb { min, max },
        positions,
        normals,
        tangents: Vec::new(),
        uv0,
        uv1: Vec::new(),
        colors: Vec::new(),
        joints: Vec::new(),
        weights: Vec::new(),
        indices,
        material: None,
        targets: Vec::new(),
    }
}

/// A sphere around the origin with `rings` rings of `2 * rings` segments.
#[must_use]
pub fn sphere(radius: f32, rings: u32) -> Primitive {
    let segments = 2 * rings;
    let (mut normals, mut uv0, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for j in 0..=rings {
        let latitude = j as f32 / rings as f32 * PI;
        for i in 0..=segments {
            let longitude = i as f32 / segments as f32 * TAU;
            normals.push(Vec3::new(
                latitude.sin() * longitude.cos(),
                latitude.cos(),
                latitude.sin() * longitude.sin(),
            ));
            uv0.push(Vec2::new(i as f32 / segments as f32, j as f32 / rings as f32));
        }
    }
    let row = segments + 1;
    for (j, i) in (0..rings).flat_map(|j| (0..segments).map(move |i| (j, i))) {
        let (a, b) = (j * row + i, (j + 1) * row + i);
        // A triangle whose two upper (or lower) corners are the pole has no area.
        if j > 0 {
            indices.extend([a, a + 1, b + 1]);
        }
        if j + 1 < rings {
            indices.extend([a, b + 1, b]);
        }
    }
    primitive(normals.iter().map(|&n| n * radius).collect(), normals, uv0, indices)
}

/// A square in the XY plane, `side` metres, facing +Z, textured from its top left corner, with tangents
/// along +X.
#[must_use]
pub fn square(side: f32, repeat: f32) -> Primitive {
    let corners = [(-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5)];
    let positions = corners.iter().map(|&(x, y)| Vec3::new(x, y, 0.0) * side).collect();
    let uv0 = corners.iter().map(|&(x, y)| Vec2::new(x + 0.5, 0.5 - y) * repeat).collect();
    let mut square = primitive(positions, vec![Vec3::Z; 4], uv0, vec![0, 1, 2, 0, 2, 3]);
    square.tangents = vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 4];
    square
}

/// A cube around the origin with flat faces, each textured whole.
#[must_use]
pub fn cube(side: f32) -> Primitive {
    let (mut positions, mut normals, mut uv0, mut indices) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (normal, right) in [
        (Vec3::X, Vec3::NEG_Z),
        (Vec3::NEG_X, Vec3::Z),
        (Vec3::Y, Vec3::X),
        (Vec3::NEG_Y, Vec3::X),
        (Vec3::Z, Vec3::X),
        (Vec3::NEG_Z, Vec3::NEG_X),
    ] {
        let up = normal.cross(right);
        let base = positions.len() as u32;
        for (x, y) in [(-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5)] {
            positions.push((normal * 0.5 + right * x + up * y) * side);
            normals.push(normal);
            uv0.push(Vec2::new(x + 0.5, 0.5 - y));
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|k| base + k));
    }
    primitive(positions, normals, uv0, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fronts_face_along_the_normals() {
        for shape in [sphere(2.0, 16), square(1.0, 1.0), cube(1.0)] {
            assert!(!shape.indices.is_empty());
            for t in shape.indices.chunks_exact(3) {
                let [a, b, c] = [t[0], t[1], t[2]].map(|k| shape.positions[k as usize]);
                let face = (b - a).cross(c - a);
                assert!(face.dot(shape.normals[t[0] as usize]) > 0.0, "{t:?} {a} {b} {c}");
            }
        }
    }
}
