//! Shapes: closed, wound outwards, of the size asked for; and all of the room's triangles.

use glam::{Vec2, Vec3};

use super::document::Document;
use super::room;
use crate::sample::mesh::Mesh;
use crate::sample::noise;
use crate::sample::shape::{Block, block, lathe, pillow, rod, spline};

/// The volume that a closed mesh encloses, by the divergence theorem: negative when it is wound inwards.
fn volume(mesh: &Mesh) -> f32 {
    let corners = mesh.indices.chunks_exact(3).map(|t| [0, 1, 2].map(|k| mesh.positions[t[k] as usize]));
    corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

fn near(actual: f32, expected: f32, relative: f32) {
    assert!((actual - expected).abs() <= relative * expected.abs(), "{actual} is not near {expected}");
}

#[test]
fn a_sharp_block_has_its_volume() {
    near(volume(&block(0.5, 2.0, 0.25, 0.0)), 0.25, 1e-5);
}

#[test]
fn a_rounded_block_lacks_its_edges() {
    let (size, r) = (Vec3::new(1.0, 0.8, 0.6), 0.1);
    let rounded = Block { size, radius: r, bands: 8, cell: 0.3 }.build();
    // The block, less what a quarter round takes off twelve edges and an eighth of a ball off eight corners.
    let inner = size - 2.0 * r;
    let pi = std::f32::consts::PI;
    let expected = inner.x * inner.y * inner.z
        + 2.0 * r * (inner.x * inner.y + inner.y * inner.z + inner.z * inner.x)
        + pi * r * r * (inner.x + inner.y + inner.z)
        + 4.0 / 3.0 * pi * r * r * r;
    near(volume(&rounded), expected, 0.002);
}

#[test]
fn a_turned_ball_has_its_volume() {
    let profile: Vec<Vec2> = (0..=48)
        .map(|i| {
            let angle = std::f32::consts::PI * i as f32 / 48.0;
            Vec2::new(0.3 * angle.sin(), -0.3 * angle.cos())
        })
        .collect();
    near(volume(&lathe(&profile, 96)), 4.0 / 3.0 * std::f32::consts::PI * 0.027, 0.005);
}

#[test]
fn a_rod_has_its_volume_in_any_direction() {
    for to in [Vec3::Y, Vec3::NEG_Y, Vec3::new(0.6, -0.3, 0.2), Vec3::NEG_X] {
        near(volume(&rod(Vec3::ZERO, to, 0.05, 64)), std::f32::consts::PI * 0.0025 * to.length(), 0.005);
    }
}

#[test]
fn a_plumper_pillow_holds_more() {
    let (flat, plump) = (volume(&pillow(0.4, 0.1, 0.4, 0.5)), volume(&pillow(0.4, 0.1, 0.4, 1.0)));
    assert!(flat > 0.0);
    near(plump, 2.0 * flat, 0.001);
}

#[test]
fn a_spline_goes_through_its_points() {
    let points = [Vec2::new(0.0, 0.0), Vec2::new(0.4, 0.1), Vec2::new(0.2, 0.5), Vec2::new(0.3, 0.9)];
    let curve = spline(&points, 5);
    assert_eq!(curve.len(), 16);
    for (i, point) in points.iter().enumerate() {
        assert!(curve[i * 5].distance(*point) < 1e-6);
    }
}

#[test]
fn noise_tiles_and_varies() {
    let mut spread = 0.0f32;
    for i in 0..64 {
        let uv = Vec2::new(noise::random(i, 0, 1), noise::random(i, 1, 1));
        let here = noise::fractal(uv, [7, 5], 3, 9);
        assert!((0.0..=1.0).contains(&here));
        assert!((here - noise::fractal(uv + Vec2::new(1.0, 0.0), [7, 5], 3, 9)).abs() < 1e-3);
        assert!((here - noise::fractal(uv + Vec2::new(0.0, 1.0), [7, 5], 3, 9)).abs() < 1e-3);
        assert!((noise::cellular(uv, 6, 4) - noise::cellular(uv + Vec2::ONE, 6, 4)).abs() < 1e-3);
        spread = spread.max((here - 0.5).abs());
    }
    assert!(spread > 0.1, "the noise is flat");
}

#[test]
fn indices_are_in_range_and_every_triangle_has_an_area() {
    for primitive in Document::read(room()).primitives() {
        assert_eq!(primitive.positions.len(), primitive.normals.len());
        for corner in primitive.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| primitive.positions[corner[k] as usize]);
            assert!((b - a).cross(c - a).length() > 0.0, "{}", primitive.name);
        }
    }
}

#[test]
fn normals_have_unit_length() {
    for primitive in Document::read(room()).primitives() {
        for normal in &primitive.normals {
            assert!((normal.length() - 1.0).abs() < 1e-4, "{}: {normal}", primitive.name);
        }
    }
}

#[test]
fn triangles_are_wound_the_way_their_normals_point() {
    for primitive in Document::read(room()).primitives() {
        for corner in primitive.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| primitive.positions[corner[k] as usize]);
            let face = (b - a).cross(c - a).normalize();
            let normal: Vec3 = corner.iter().map(|i| primitive.normals[*i as usize]).sum();
            assert!(face.dot(normal.normalize()) > 0.0, "{}: {a} {b} {c}", primitive.name);
        }
    }
}
