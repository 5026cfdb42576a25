//! Many equal meshes.
use super::{Builder, shapes};
use glam::{Mat4, Quat, Vec3, Vec4};
use pellucid_scene::{Material, Scene};

/// 1 024 cubes of four materials around the eye, turned, scaled unevenly and (every fifth) mirrored: most
/// are outside the view, those inside must be drawn with the right material and winding.
#[must_use]
pub fn crowd() -> Scene {
    let mut builder = Builder::default();
    let colors = [(0.8, 0.2, 0.15), (0.2, 0.6, 0.25), (0.2, 0.3, 0.8), (0.85, 0.8, 0.7)];
    let meshes = colors.map(|(r, g, b)| {
        let material = builder.material(Material {
            base_color: Vec4::new(r, g, b, 1.0),
            metallic: 0.0,
            roughness: 0.5,
            ..Material::default()
        });
        builder.mesh(shapes::cube(0.6), material)
    });
    for k in 0..1024_u16 {
        let (i, j) = (k % 32, k / 32);
        let at = Vec3::new(f32::from(i) - 15.5, ((k * 7) % 5) as f32 * 0.3 - 0.6, f32::from(j) - 15.5);
        let mirrored = if k % 5 == 0 { -1.0 } else { 1.0 };
        let scale = Vec3::new(mirrored, 0.5 + f32::from(k % 7) * 0.2, 1.0);
        let turn = Quat::from_rotation_y(f32::from(k) * 0.37) * Quat::from_rotation_x(f32::from(k) * 0.11);
        builder.place(meshes[usize::from(k % 4)], Mat4::from_scale_rotation_translation(scale, turn, at));
    }
    builder.finish()
}
