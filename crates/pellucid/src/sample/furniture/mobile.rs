//! The mobile under the ceiling: a long arm turns, and two short arms turn against it (linear keys).

use glam::{Mat4, Vec2, Vec3};

use crate::sample::mesh::Mesh;
use crate::sample::motion::spin;
use crate::sample::palette::Palette;
use crate::sample::shape::{arc, lathe, rod, spline, tube};
use crate::sample::stage::{NodeId, Stage};

/// Hangs it from `hook`.
pub fn build(stage: &mut Stage, palette: &Palette, room: NodeId, hook: Vec3) {
    let mobile = stage.group("Mobile", Some(room), hook, 0.35);
    let p = Vec2::new;
    let rose = lathe(&spline(&[p(0.006, -0.03), p(0.012, -0.022), p(0.03, -0.012), p(0.042, 0.0)], 4), 32);
    stage.object("Ceiling rose", mobile, Vec3::ZERO, [(rose, palette.brass)]);

    let arm = stage.group("Long arm", Some(mobile), Vec3::Y * -0.34, 0.0);
    let thread = rod(Vec3::ZERO, Vec3::Y * 0.32, 0.0012, 6);
    stage.object("Long arm wire", arm, Vec3::ZERO, [(bar(0.3), palette.brass), (thread, palette.iron)]);
    spin(stage, arm, Vec3::Y, 1);
    let colours = [
        Vec3::new(0.42, 0.11, 0.045),
        Vec3::new(0.06, 0.22, 0.22),
        Vec3::new(0.62, 0.34, 0.06),
        Vec3::new(0.75, 0.66, 0.5),
    ];
    for (i, (side, reach, drop)) in [(-1.0, 0.17, 0.12), (1.0, 0.14, 0.2)].into_iter().enumerate() {
        let name = ["First short arm", "Second short arm"][i];
        let short = stage.group(name, Some(arm), Vec3::new(side * 0.3, -0.03 - drop, 0.0), 0.8 * side);
        let mut wire = bar(reach);
        wire.append(&rod(Vec3::ZERO, Vec3::Y * drop, 0.001, 6));
        stage.object(&format!("{name} wire"), short, Vec3::ZERO, [(wire, palette.brass)]);
        spin(stage, short, Vec3::Y, if i == 0 { -2 } else { -3 });
        for (k, end) in [-1.0f32, 1.0].into_iter().enumerate() {
            let drop = 0.07 + 0.05 * k as f32 + 0.02 * i as f32;
            let pendant = leaf(0.052 + 0.012 * ((i + k) % 2) as f32).tinted(colours[i * 2 + k]);
            let thread = rod(Vec3::Y * -drop, Vec3::Y * -0.012, 0.001, 6);
            let name = format!("Pendant {}", i * 2 + k + 1);
            let parts = [(pendant.at(0.0, -drop, 0.0), palette.matt), (thread, palette.iron)];
            stage.object(&name, short, Vec3::X * (end * reach), parts);
        }
    }
}

/// A wire bowed upwards in the middle, `reach` metres to either side of the origin.
fn bar(reach: f32) -> Mesh {
    let path = arc(Vec3::new(-reach, -0.014, 0.0), Vec3::Y * 0.014, Vec3::new(reach, -0.014, 0.0), 12);
    tube(&path, |_| 0.0024, 10)
}

/// A drop-shaped paper pendant that hangs from the origin, `size` metres wide, turned a little.
fn leaf(size: f32) -> Mesh {
    let p = Vec2::new;
    let profile = [p(0.0, -1.9), p(0.3, -1.72), p(0.62, -1.2), p(0.55, -0.7), p(0.2, -0.25), p(0.0, 0.0)];
    lathe(&spline(&profile, 4), 24).transformed(Mat4::from_scale(Vec3::new(size, size, size * 0.3)))
}
