//! The table.

use glam::{Vec2, Vec3};

use crate::sample::mesh::Mesh;
use crate::sample::palette::{Palette, TIMBER_TILE};
use crate::sample::shape::{Block, block, tube};
use crate::sample::stage::{NodeId, Stage};

/// Height of the table's top in metres.
pub const TOP: f32 = 0.75;
const WIDTH: f32 = 1.15;
const DEPTH: f32 = 0.72;

/// A table with a bevelled top on splayed, tapered legs; returns the node that things on it hang from, at floor
/// height under its middle.
pub fn build(stage: &mut Stage, palette: &Palette, room: NodeId, place: Vec3, yaw: f32) -> NodeId {
    const THICK: f32 = 0.032;
    let table = stage.group("Table", Some(room), place, yaw);
    let timber = |mesh: Mesh| mesh.uv_mapped(Vec2::splat(1.0 / TIMBER_TILE), Vec2::ZERO);
    let top = Block { size: Vec3::new(WIDTH, THICK, DEPTH), radius: 0.011, bands: 2, cell: 0.05 };
    let top = top.build().at(0.0, TOP - THICK * 0.5, 0.0);
    stage.object("Table top", table, Vec3::ZERO, [(timber(top), palette.walnut)]);

    let mut frame = Mesh::default();
    for (sx, sz) in [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)] {
        let head = Vec3::new(sx * (WIDTH * 0.5 - 0.1), TOP - THICK, sz * (DEPTH * 0.5 - 0.09));
        let foot = Vec3::new(sx * (WIDTH * 0.5 - 0.045), 0.0, sz * (DEPTH * 0.5 - 0.045));
        let path: Vec<Vec3> = (0..=8).map(|i| head.lerp(foot, i as f32 / 8.0)).collect();
        let leg = tube(&path, |t| 0.029 - 0.013 * t, 16);
        // Round the leg once is 0.16 m of timber; its grain runs down the length.
        frame.append(&leg.uv_mapped(Vec2::new(0.16, 1.0), Vec2::new(0.3 * sx, 0.2 * sz)).uv_turned());
    }
    let y = TOP - THICK - 0.035;
    for side in [1.0, -1.0] {
        frame.append(&block(WIDTH - 0.22, 0.07, 0.02, 0.003).at(0.0, y, side * (DEPTH * 0.5 - 0.09)));
        frame.append(&block(0.02, 0.07, DEPTH - 0.2, 0.003).at(side * (WIDTH * 0.5 - 0.1), y, 0.0));
    }
    stage.object("Table frame", table, Vec3::ZERO, [(timber(frame), palette.walnut)]);
    table
}
