//! What alpha means.
use super::{Builder, paint, shapes};
use glam::{Mat4, Vec3, Vec4};
use pellucid_scene::{AlphaMode, Material, Sampler, Scene};

/// Left: a holed card by mask; middle: three overlapping panes by blend, written front to back so that
/// they must be sorted; right: the holed card again, opaque, whose alpha must not matter. Behind them: an
/// upright that panes must not hide. Two turned cards below show their backs, one of them double-sided.
#[must_use]
pub fn alpha_modes() -> Scene {
    let mut builder = Builder::default();
    let rough = Material { metallic: 0.0, roughness: 0.8, ..Material::default() };

    // Alpha falls from the middle outwards, so the cutoff decides how large the disc is.
    let disc = paint(64, 64, |x, y| {
        let (dx, dy) = (x as f32 - 31.5, y as f32 - 31.5);
        let alpha = 255.0 - 7.0 * (dx * dx + dy * dy).sqrt();
        [230, 120, 40, alpha.clamp(0.0, 255.0) as u8]
    });
    let texture = builder.texture(disc, Sampler::default());
    for (x, alpha_mode) in [(-1.3, AlphaMode::Mask { cutoff: 0.5 }), (1.3, AlphaMode::Opaque)] {
        let card = Material { base_color_texture: Some(texture), alpha_mode, ..rough.clone() };
        builder.put(shapes::square(1.1, 1.0), card, Vec3::new(x, 0.5, 0.0));
    }

    let panes = [Vec3::new(0.9, 0.05, 0.05), Vec3::new(0.05, 0.8, 0.1), Vec3::new(0.05, 0.1, 0.9)];
    for (k, color) in (0_u8..).zip(panes) {
        let pane = Material {
            base_color: color.extend(0.5),
            alpha_mode: AlphaMode::Blend,
            roughness: 0.1,
            ..rough.clone()
        };
        let shift = f32::from(k) * 0.22 - 0.22;
        builder.put(shapes::square(0.7, 1.0), pane, Vec3::new(shift, 0.5 - shift, 0.5 - f32::from(k) * 0.3));
    }
    let post = Material { base_color: Vec4::new(0.8, 0.8, 0.7, 1.0), ..rough.clone() };
    let material = builder.material(post);
    let mesh = builder.mesh(shapes::cube(1.0), material);
    builder.place(
        mesh,
        Mat4::from_translation(Vec3::new(0.0, 0.3, -0.8)) * Mat4::from_scale(Vec3::new(0.15, 2.2, 0.15)),
    );

    for (x, double_sided) in [(-0.7, true), (0.7, false)] {
        let card = Material { base_color: Vec4::new(0.2, 0.6, 0.6, 1.0), double_sided, ..rough.clone() };
        let material = builder.material(card);
        let mesh = builder.mesh(shapes::square(0.8, 1.0), material);
        builder.place(mesh, Mat4::from_translation(Vec3::new(x, -0.8, 0.0)) * Mat4::from_rotation_y(2.6));
    }
    builder.finish()
}
