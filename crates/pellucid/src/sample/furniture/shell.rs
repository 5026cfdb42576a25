//! Floor, walls, ceiling, skirting, window and rug.
//!
//! Walls face inwards only: from outside, a viewer looks through them into the room as into a doll's house.

use glam::{Mat4, Vec2, Vec3};

use super::{BACK, FRONT, HALF_WIDTH, HEIGHT};
use crate::sample::mesh::Mesh;
use crate::sample::palette::{FLOOR_TILE, PLASTER_TILE, Palette};
use crate::sample::shape::{Block, Patch, block, wall_with_opening};
use crate::sample::stage::{NodeId, Stage};

/// The window's opening in the left wall: z of its two sides, y of sill and head.
pub const WINDOW: (Vec2, Vec2) = (Vec2::new(-0.95, 0.45), Vec2::new(0.86, 2.16));
/// Depth of the reveal.
const REVEAL: f32 = 0.2;

pub fn build(stage: &mut Stage, palette: &Palette, room: NodeId) {
    let width = 2.0 * HALF_WIDTH;
    let depth = FRONT - BACK;
    let floor = Patch {
        corner: Vec3::new(-HALF_WIDTH, 0.0, FRONT),
        right: Vec3::X * width,
        up: Vec3::NEG_Z * depth,
        cell: 0.085,
    };
    let floor = floor.build().uv_mapped(Vec2::splat(1.0 / FLOOR_TILE), Vec2::ZERO);
    stage.object("Floor", room, Vec3::ZERO, [(floor, palette.floor)]);

    let plaster = |mesh: Mesh| mesh.uv_mapped(Vec2::splat(1.0 / PLASTER_TILE), Vec2::ZERO);
    let back = Patch {
        corner: Vec3::new(-HALF_WIDTH, 0.0, BACK),
        right: Vec3::X * width,
        up: Vec3::Y * HEIGHT,
        cell: 0.1,
    };
    stage.object("Back wall", room, Vec3::ZERO, [(plaster(back.build()), palette.accent)]);
    let left = Patch {
        corner: Vec3::new(-HALF_WIDTH, 0.0, FRONT),
        right: Vec3::NEG_Z * depth,
        up: Vec3::Y * HEIGHT,
        cell: 0.1,
    };
    let (sides, heights) = WINDOW;
    let left =
        wall_with_opening(left, Vec2::new(FRONT - sides.y, heights.x), Vec2::new(FRONT - sides.x, heights.y));
    stage.object("Left wall", room, Vec3::ZERO, [(plaster(left), palette.plaster)]);
    let right = Patch {
        corner: Vec3::new(HALF_WIDTH, 0.0, BACK),
        right: Vec3::Z * depth,
        up: Vec3::Y * HEIGHT,
        cell: 0.12,
    };
    stage.object("Right wall", room, Vec3::ZERO, [(plaster(right.build()), palette.plaster)]);
    let ceiling = Patch {
        corner: Vec3::new(-HALF_WIDTH, HEIGHT, BACK),
        right: Vec3::X * width,
        up: Vec3::Z * depth,
        cell: 0.16,
    };
    stage.object("Ceiling", room, Vec3::ZERO, [(ceiling.build(), palette.ceiling)]);
    stage.object("Skirting", room, Vec3::ZERO, [(skirting(), palette.paint)]);
    window(stage, palette, room);
    rug(stage, palette, room);
}

/// A board with a rounded top along each wall.
fn skirting() -> Mesh {
    const TALL: f32 = 0.11;
    const THICK: f32 = 0.018;
    let board = |length: f32, along_x: bool| {
        let size = if along_x { Vec3::new(length, TALL, THICK) } else { Vec3::new(THICK, TALL, length) };
        Block { size, radius: 0.008, bands: 1, cell: 0.3 }.build()
    };
    let (width, depth) = (2.0 * HALF_WIDTH, FRONT - BACK);
    // Sunk a little into the floor, which needs no rounded edge below.
    let y = TALL * 0.5 - 0.008;
    let middle = (FRONT + BACK) * 0.5;
    Mesh::join([
        board(width, true).at(0.0, y, BACK + THICK * 0.5),
        board(depth, false).at(-HALF_WIDTH + THICK * 0.5, y, middle),
        board(depth, false).at(HALF_WIDTH - THICK * 0.5, y, middle),
    ])
}

/// Reveal, sill and a casement with one mullion and one transom; nothing closes the opening but the view.
fn window(stage: &mut Stage, palette: &Palette, room: NodeId) {
    let (sides, heights) = WINDOW;
    let (wide, tall) = (sides.y - sides.x, heights.y - heights.x);
    let (out, wall) = (Vec3::NEG_X * REVEAL, -HALF_WIDTH);
    let corner = |z: f32, y: f32| Vec3::new(wall, y, z);
    let face = |corner, right, up| Patch { corner, right, up, cell: 0.1 }.build();
    let reveal = Mesh::join([
        face(corner(sides.y, heights.x), out, Vec3::Y * tall),
        face(corner(sides.x, heights.x) + out, -out, Vec3::Y * tall),
        face(corner(sides.x, heights.y) + out, -out, Vec3::Z * wide),
        face(corner(sides.y, heights.x) + out, -out, Vec3::NEG_Z * wide),
    ]);
    stage.object("Window reveal", room, Vec3::ZERO, [(reveal, palette.paint)]);
    let sill =
        Block { size: Vec3::new(REVEAL + 0.04, 0.032, wide + 0.02), radius: 0.012, bands: 2, cell: 0.15 }
            .build()
            .at(wall - REVEAL * 0.5 + 0.02, heights.x + 0.002, (sides.x + sides.y) * 0.5);
    stage.object("Window sill", room, Vec3::ZERO, [(sill, palette.paint)]);

    let x = wall - REVEAL + 0.04;
    let z = (sides.x + sides.y) * 0.5;
    let upright =
        |z: f32, thick: f32| block(0.05, tall, thick, 0.006).at(x, (heights.x + heights.y) * 0.5, z);
    let level = |y: f32, thick: f32| block(0.05, thick, wide, 0.006).at(x, y, z);
    let transom = heights.x + tall * 0.66;
    let casement = Mesh::join([
        upright(sides.x + 0.03, 0.06),
        upright(sides.y - 0.03, 0.06),
        upright(z, 0.045),
        level(heights.x + 0.03, 0.06),
        level(heights.y - 0.03, 0.06),
        level(transom, 0.04),
    ]);
    stage.object("Casement", room, Vec3::ZERO, [(casement, palette.paint)]);
    let handle = Mesh::join([
        block(0.012, 0.05, 0.022, 0.004).at(x + 0.031, 1.3, z),
        block(0.014, 0.1, 0.014, 0.006).at(x + 0.048, 1.27, z),
    ]);
    stage.object("Window handle", room, Vec3::ZERO, [(handle, palette.brass)]);
}

/// A thin sheet with cut edges, its pattern once over the top.
fn rug(stage: &mut Stage, palette: &Palette, room: NodeId) {
    const SIZE: Vec2 = Vec2::new(2.4, 1.7);
    const THICK: f32 = 0.012;
    let corner = Vec3::new(-SIZE.x * 0.5, THICK, SIZE.y * 0.5);
    let (right, up) = (Vec3::X * SIZE.x, Vec3::NEG_Z * SIZE.y);
    let mut rug = Patch { corner, right, up, cell: 0.075 }.build();
    for (from, along) in
        [(corner, right), (corner + right, up), (corner + right + up, -right), (corner + up, -up)]
    {
        rug.append(
            &Patch { corner: from - Vec3::Y * THICK, right: along, up: Vec3::Y * THICK, cell: 0.3 }.build(),
        );
    }
    for (uv, position) in rug.uvs.iter_mut().zip(&rug.positions) {
        *uv = Vec2::new(0.5 - position.z / SIZE.y, 0.5 - position.x / SIZE.x);
    }
    let rug = rug.transformed(Mat4::from_rotation_y(-0.06));
    stage.object("Rug", room, Vec3::new(-0.05, 0.0, 0.02), [(rug, palette.rug)]);
}
