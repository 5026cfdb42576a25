//! The framed picture.

use glam::{Vec2, Vec3};

use crate::sample::mesh::Mesh;
use crate::sample::palette::{Palette, TIMBER_TILE};
use crate::sample::shape::{Patch, block};
use crate::sample::stage::{NodeId, Stage};

/// Hangs the picture with its middle at `place`, facing +Z.
pub fn picture(stage: &mut Stage, palette: &Palette, room: NodeId, place: Vec3) {
    const IMAGE: Vec2 = Vec2::new(0.48, 0.6);
    const MARGIN: f32 = 0.075;
    const BAR: f32 = 0.028;
    let group = stage.group("Picture", Some(room), place, 0.0);
    let flat = |size: Vec2, z: f32, cell: f32| {
        Patch {
            corner: Vec3::new(-size.x * 0.5, -size.y * 0.5, z),
            right: Vec3::X * size.x,
            up: Vec3::Y * size.y,
            cell,
        }
        .build()
    };
    let image =
        flat(IMAGE, 0.0155, 0.2).uv_mapped(Vec2::new(1.0 / IMAGE.x, 1.0 / IMAGE.y), Vec2::new(0.0, 1.0));
    stage.object("Picture image", group, Vec3::ZERO, [(image, palette.picture)]);
    let sheet = IMAGE + 2.0 * MARGIN;
    let mount = flat(sheet, 0.015, 0.05).tinted(Vec3::new(0.82, 0.79, 0.72));
    stage.object("Picture mount", group, Vec3::ZERO, [(mount, palette.matt)]);
    let level = |y: f32| block(sheet.x + 2.0 * BAR, BAR, 0.03, 0.004).at(0.0, y, 0.016);
    let upright = |x: f32| block(BAR, sheet.y, 0.03, 0.004).at(x, 0.0, 0.016);
    let (x, y) = ((sheet.x + BAR) * 0.5, (sheet.y + BAR) * 0.5);
    let frame = Mesh::join([level(y), level(-y), upright(x), upright(-x)]);
    let frame = frame.uv_mapped(Vec2::splat(1.0 / TIMBER_TILE), Vec2::ZERO);
    stage.object("Picture frame", group, Vec3::ZERO, [(frame, palette.walnut)]);
}
