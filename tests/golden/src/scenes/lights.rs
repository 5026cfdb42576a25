//! Punctual lights.
use super::{Builder, shapes};
use glam::{Mat4, Vec3, Vec4};
use pellucid_scene::{Light, LightKind, Material, Scene};
use std::f32::consts::FRAC_PI_2;

/// A floor and three balls under a directional light, a point light with a range and a spot, each of its own
/// colour.
#[must_use]
pub fn lights() -> Scene {
    let mut builder = Builder::default();
    let grey = |roughness| Material {
        base_color: Vec4::new(0.6, 0.6, 0.6, 1.0),
        metallic: 0.0,
        roughness,
        ..Material::default()
    };
    let floor = builder.material(grey(0.7));
    let mesh = builder.mesh(shapes::square(6.0, 1.0), floor);
    builder.place(mesh, Mat4::from_rotation_x(-FRAC_PI_2));
    for (x, roughness) in [(-1.2, 0.15), (0.0, 0.4), (1.2, 0.9)] {
        builder.put(shapes::sphere(0.45, 40), grey(roughness), Vec3::new(x, 0.45, 0.0));
    }

    let light = |kind, intensity, range| Light { name: String::new(), intensity, range, kind };
    let down = Mat4::from_rotation_x(-FRAC_PI_2);
    builder.light(
        light(LightKind::Directional, Vec3::new(0.5, 0.5, 0.8), None),
        Mat4::from_rotation_y(0.9) * Mat4::from_rotation_x(-0.7),
    );
    builder.light(
        light(LightKind::Point, Vec3::new(3.0, 1.0, 0.3), Some(3.0)),
        Mat4::from_translation(Vec3::new(-1.0, 1.4, 1.0)),
    );
    builder.light(
        light(LightKind::Spot { inner: 0.2, outer: 0.45 }, Vec3::new(1.0, 8.0, 3.0), None),
        Mat4::from_translation(Vec3::new(1.4, 2.2, 0.5)) * down,
    );
    builder.finish()
}
