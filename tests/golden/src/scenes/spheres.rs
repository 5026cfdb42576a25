//! Spheres that show the BRDF and nothing else.
use super::{Builder, shapes};
use glam::{Vec3, Vec4};
use pellucid_scene::{Material, Scene};

/// A plain lit material.
fn plain(base: Vec3, metallic: f32, roughness: f32) -> Material {
    Material { base_color: base.extend(1.0), metallic, roughness, ..Material::default() }
}

/// One unit sphere at the origin, so fine that its facets lie within 0.00002 of it.
#[must_use]
pub fn sphere(base: Vec3, metallic: f32, roughness: f32) -> Scene {
    let mut builder = Builder::default();
    builder.put(shapes::sphere(1.0, 256), plain(base, metallic, roughness), Vec3::ZERO);
    builder.finish()
}

/// Two rows of five spheres, roughness 0 to 1 to the right: metal above, dielectric below, and one that
/// glows between them.
#[must_use]
pub fn sphere_grid() -> Scene {
    let mut builder = Builder::default();
    for k in 0..5_u8 {
        let x = f32::from(k) * 1.1 - 2.2;
        let roughness = f32::from(k) / 4.0;
        let ball = || shapes::sphere(0.5, 48);
        builder.put(ball(), plain(Vec3::new(1.0, 0.77, 0.34), 1.0, roughness), Vec3::new(x, 0.9, 0.0));
        builder.put(ball(), plain(Vec3::new(0.1, 0.35, 0.4), 0.0, roughness), Vec3::new(x, -0.9, 0.0));
    }
    let glowing = Material {
        base_color: Vec4::new(0.0, 0.0, 0.0, 1.0),
        metallic: 0.0,
        emissive: Vec3::new(4.0, 1.5, 0.4),
        ..Material::default()
    };
    builder.put(shapes::sphere(0.2, 32), glowing, Vec3::ZERO);
    builder.finish()
}
