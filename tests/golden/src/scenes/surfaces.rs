//! Textures, normal maps and vertex colours.
use super::{Builder, paint, shapes};
use glam::{Mat4, Vec2, Vec3, Vec4};
use pellucid_scene::{Image, Material, Sampler, Scene, TextureRef, Wrap};

/// A picture whose corners, rows and columns are told apart by colour.
fn chart() -> Image {
    paint(16, 16, |x, y| {
        if (x / 2 + y / 2) % 2 == 0 {
            [(x * 16) as u8, (y * 16) as u8, 60, 255]
        } else {
            [235, 235, 220, 255]
        }
    })
}

/// Squares that repeat a chart two and a half times, by each wrap mode and each filter, one that uses the
/// second texture coordinates, and a floor that needs mips.
#[must_use]
pub fn patchwork() -> Scene {
    let mut builder = Builder::default();
    let unlit = Material { unlit: true, ..Material::default() };
    let nearest = Sampler { mag_linear: false, min_linear: false, mip_linear: None, ..Sampler::default() };
    let wraps = [Wrap::Repeat, Wrap::Clamp, Wrap::Mirror];
    for (row, sampler) in (0_u8..).zip([Sampler::default(), nearest]) {
        for (column, wrap_u) in (0_u8..).zip(wraps) {
            // Another mode along v, so that both are seen to be told apart.
            let wrap_v = wraps[usize::from(2 - column)];
            let texture = builder.texture(chart(), Sampler { wrap_u, wrap_v, ..sampler });
            let material = Material { base_color_texture: Some(texture), ..unlit.clone() };
            let at = Vec3::new(f32::from(column) * 1.1 - 1.1, 1.6 - f32::from(row) * 1.1, 0.0);
            builder.put(shapes::square(1.0, 2.5), material, at);
        }
    }

    let chart_texture = builder.texture(chart(), Sampler::default());
    let second =
        Material { base_color_texture: Some(TextureRef { uv_set: 1, ..chart_texture }), ..unlit.clone() };
    let mut square = shapes::square(1.0, 1.0);
    // Turned by a quarter and halved, so the first coordinates can't pass for the second.
    square.uv1 = square.uv0.iter().map(|uv| Vec2::new(1.0 - uv.y, uv.x) * 0.5).collect();
    builder.put(square, second, Vec3::new(2.2, 1.05, 0.0));

    let floor = builder.material(Material { base_color_texture: Some(chart_texture), ..unlit });
    let mesh = builder.mesh(shapes::square(12.0, 40.0), floor);
    let flat = Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    builder.place(mesh, Mat4::from_translation(Vec3::new(0.0, -0.4, -3.0)) * flat);
    builder.finish()
}

/// Four lit squares: a field of domes by a normal map, the same half as strong, the same mirrored by a
/// negative scale, and one whose roughness, metalness and occlusion come from a texture.
#[must_use]
pub fn bumps() -> Scene {
    let mut builder = Builder::default();
    let domes = paint(64, 64, |x, y| {
        let (dx, dy) = ((x % 32) as f32 - 15.5, (y % 32) as f32 - 15.5);
        let normal = Vec3::new(dx / 14.0, -dy / 14.0, 0.0);
        let inside = normal.length_squared() < 1.0;
        let normal = if inside {
            Vec3::new(normal.x, normal.y, (1.0 - normal.length_squared()).sqrt())
        } else {
            Vec3::Z
        };
        let [r, g, b] = (normal * 127.5 + 127.5).round().to_array().map(|c| c as u8);
        [r, g, b, 255]
    });
    let parts = paint(64, 64, |x, y| {
        let occlusion = if (24..40).contains(&x) || (24..40).contains(&y) { 60 } else { 255 };
        [occlusion, (x * 4) as u8, if y < 32 { 255 } else { 0 }, 255]
    });
    let domes = builder.texture(domes, Sampler::default());
    let parts = builder.texture(parts, Sampler::default());
    let base = Material {
        base_color: Vec4::new(0.75, 0.6, 0.45, 1.0),
        metallic: 0.0,
        roughness: 0.4,
        ..Material::default()
    };
    let bumpy = Material { normal_texture: Some(domes), ..base.clone() };

    builder.put(shapes::square(1.0, 1.0), bumpy.clone(), Vec3::new(-0.55, 0.55, 0.0));
    builder.put(
        shapes::square(1.0, 1.0),
        Material { normal_scale: 0.5, ..bumpy.clone() },
        Vec3::new(0.55, 0.55, 0.0),
    );
    let material = builder.material(bumpy);
    let mesh = builder.mesh(shapes::square(1.0, 1.0), material);
    builder.place(
        mesh,
        Mat4::from_translation(Vec3::new(-0.55, -0.55, 0.0)) * Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
    );
    let mixed = Material {
        metallic: 1.0,
        roughness: 1.0,
        metallic_roughness_texture: Some(parts),
        occlusion_texture: Some(parts),
        ..base
    };
    builder.put(shapes::square(1.0, 1.0), mixed, Vec3::new(0.55, -0.55, 0.0));
    builder.finish()
}

/// A lit and an unlit sphere with linear vertex colours.
#[must_use]
pub fn vertex_colors() -> Scene {
    let mut builder = Builder::default();
    let colored = || {
        let mut ball = shapes::sphere(0.5, 24);
        ball.colors = ball.normals.iter().map(|n| (*n * 0.5 + 0.5).extend(1.0)).collect();
        ball
    };
    let lit = Material { metallic: 0.0, roughness: 0.6, ..Material::default() };
    builder.put(colored(), lit.clone(), Vec3::new(-0.6, 0.0, 0.0));
    let tinted = Material { base_color: Vec4::new(1.0, 0.5, 0.5, 1.0), unlit: true, ..lit };
    builder.put(colored(), tinted, Vec3::new(0.6, 0.0, 0.0));
    builder.finish()
}
