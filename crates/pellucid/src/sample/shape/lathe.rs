//! Bodies of revolution about Y, and the curves they are turned from.

use glam::{Vec2, Vec3};

use crate::sample::mesh::Mesh;

/// Turns a profile of (radius, height) points about Y. A profile that climbs outside the body, or runs from
/// the axis outwards on top of it, must be given so that the body lies on the left of its direction of travel
/// seen with the axis on the left; that is, the outside of an upright wall is drawn upwards. Normals are
/// smooth along the profile: a hard edge is the end of one profile and the start of the next. u goes once
/// round, v is the length along the profile in metres.
pub fn lathe(profile: &[Vec2], segments: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let mut length = 0.0;
    for (row, point) in profile.iter().enumerate() {
        let before = profile[row.saturating_sub(1)];
        let after = profile[(row + 1).min(profile.len() - 1)];
        if row > 0 {
            length += point.distance(before);
        }
        let tangent = (after - before).normalize_or(Vec2::Y);
        let outward = Vec2::new(tangent.y, -tangent.x);
        // A radius that is only rounding error would leave slivers at the pole.
        let point_radius = if point.x < 1e-6 { 0.0 } else { point.x };
        for segment in 0..=segments {
            let turn = segment as f32 / segments as f32;
            // The seam's two columns must coincide exactly, so the last angle is the first.
            let angle = std::f32::consts::TAU * (segment % segments) as f32 / segments as f32;
            let (sin, cos) = angle.sin_cos();
            let around = |radius: f32, height: f32| Vec3::new(radius * sin, height, radius * cos);
            mesh.vertex(
                around(point_radius, point.y),
                around(outward.x, outward.y),
                Vec2::new(turn, -length),
            );
        }
    }
    mesh.lattice(0, segments + 1, profile.len() as u32);
    mesh
}

/// A smooth curve through points (centripetal Catmull-Rom would be overkill for profiles this tame; this is
/// the uniform one), with `steps` pieces between each pair.
pub fn spline(points: &[Vec2], steps: u32) -> Vec<Vec2> {
    let last = points.len() - 1;
    let mut curve = Vec::new();
    for i in 0..last {
        let (p1, p2) = (points[i], points[i + 1]);
        let p0 = if i == 0 { p1 * 2.0 - p2 } else { points[i - 1] };
        let p3 = if i + 1 == last { p2 * 2.0 - p1 } else { points[i + 2] };
        for step in 0..steps {
            let t = step as f32 / steps as f32;
            let bend = (p0 * 2.0 - p1 * 5.0 + p2 * 4.0 - p3) * (t * t)
                + (p1 * 3.0 - p0 - p2 * 3.0 + p3) * (t * t * t);
            let mut point = (p1 * 2.0 + (p2 - p0) * t + bend) * 0.5;
            // A curve that ends on the axis must not overshoot it.
            point.x = point.x.max(0.0);
            curve.push(point);
        }
    }
    curve.push(points[last]);
    curve
}
