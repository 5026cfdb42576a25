//! Round tubes along a path: legs, stems, wires.

use glam::{Quat, Vec2, Vec3};

use crate::sample::mesh::Mesh;

/// A tube along `path`, whose radius at each point is `radius(t)`, t from 0 to 1 along the points. Its two ends are
/// closed by flat caps. u goes once round, v is the length in metres.
pub fn tube(path: &[Vec3], radius: impl Fn(f32) -> f32, sides: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let last = path.len() - 1;
    let tangent = |i: usize| (path[(i + 1).min(last)] - path[i.saturating_sub(1)]).normalize_or(Vec3::Y);
    // A frame carried along without twisting: each step turns it by the least rotation.
    let mut across = tangent(0).any_orthonormal_vector();
    let mut length = 0.0;
    for (i, point) in path.iter().enumerate() {
        if i > 0 {
            length += point.distance(path[i - 1]);
            across = Quat::from_rotation_arc(tangent(i - 1), tangent(i)) * across;
        }
        let beside = tangent(i).cross(across);
        let r = radius(i as f32 / last as f32);
        for side in 0..=sides {
            let angle = std::f32::consts::TAU * (side % sides) as f32 / sides as f32;
            let normal = across * angle.cos() + beside * angle.sin();
            mesh.vertex(*point + normal * r, normal, Vec2::new(side as f32 / sides as f32, -length));
        }
    }
    mesh.lattice(0, sides + 1, path.len() as u32);
    for (end, outward) in [(0, -tangent(0)), (last, tangent(last))] {
        let ring = (end as u32) * (sides + 1);
        let middle = mesh.vertex(path[end], outward, Vec2::ZERO);
        for side in 0..=sides {
            let rim = mesh.positions[(ring + side) as usize];
            mesh.vertex(rim, outward, Vec2::new((rim - path[end]).dot(across), 0.0));
        }
        for side in 1..=sides {
            let (a, b) = (middle + side, middle + side + 1);
            if end == 0 { mesh.triangle(middle, b, a) } else { mesh.triangle(middle, a, b) }
        }
    }
    mesh
}

/// A straight tube.
pub fn rod(from: Vec3, to: Vec3, radius: f32, sides: u32) -> Mesh {
    // A point every quarter of a metre, and three at least, so that occlusion at the ends stays there.
    let pieces = (from.distance(to) / 0.25).ceil().max(2.0) as u32;
    let path: Vec<Vec3> = (0..=pieces).map(|i| from.lerp(to, i as f32 / pieces as f32)).collect();
    tube(&path, |_| radius, sides)
}

/// Points on a quadratic Bézier curve, for bent wires and stems.
pub fn arc(from: Vec3, control: Vec3, to: Vec3, pieces: u32) -> Vec<Vec3> {
    (0..=pieces)
        .map(|i| {
            let t = i as f32 / pieces as f32;
            from.lerp(control, t).lerp(control.lerp(to, t), t)
        })
        .collect()
}
