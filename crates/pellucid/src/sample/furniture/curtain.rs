//! The curtains: one cloth drawn by two skins, which a draught from the window moves.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use super::HALF_WIDTH;
use super::shell::WINDOW;
use crate::sample::mesh::Mesh;
use crate::sample::motion::{MINUTE, sway};
use crate::sample::palette::{CLOTH_TILE, Palette};
use crate::sample::shape::{lathe, rod, spline};
use crate::sample::stage::{ModelId, Node, NodeId, Skin, SkinId, Stage};

/// Height of the rod above the floor.
const ROD: f32 = 2.3;
/// Length of the cloth.
const DROP: f32 = 2.22;
/// Joints from the rod downwards.
const JOINTS: usize = 4;
/// Between one joint and the next.
const LINK: f32 = 0.52;
/// Rod to wall.
const STANDOFF: f32 = 0.075;

pub fn build(stage: &mut Stage, palette: &Palette, room: NodeId) {
    let (sides, _) = WINDOW;
    let x = -HALF_WIDTH + STANDOFF;
    let (near, far) = (sides.y + 0.25, sides.x - 0.25);
    let p = Vec2::new;
    let mut pole = rod(Vec3::new(x, ROD, far - 0.05), Vec3::new(x, ROD, near + 0.05), 0.0095, 16);
    let knob = [p(0.0095, 0.0), p(0.013, 0.005), p(0.02, 0.02), p(0.013, 0.036), p(0.0, 0.041)];
    let knob = lathe(&spline(&knob, 4), 20);
    let quarter = std::f32::consts::FRAC_PI_2;
    for (z, turn) in [(near + 0.05, quarter), (far - 0.05, -quarter)] {
        let place = Mat4::from_translation(Vec3::new(x, ROD, z)) * Mat4::from_rotation_x(turn);
        pole.append(&knob.clone().transformed(place));
    }
    for z in [far + 0.3, near - 0.3] {
        pole.append(&rod(Vec3::new(-HALF_WIDTH, ROD, z), Vec3::new(x, ROD, z), 0.006, 10));
    }
    stage.object("Curtain rod", room, Vec3::ZERO, [(pole, palette.brass)]);

    let model = stage.model("Curtain", [(cloth(), palette.linen)]);
    for (name, z, phase) in [("Left curtain", near, 0.0), ("Right curtain", far, 2.1)] {
        hang(stage, room, model, name, Vec3::new(x, ROD - 0.012, z), phase);
    }
}

/// Gathered cloth about half a metre wide, hanging from the origin, its face towards +X.
fn cloth() -> Mesh {
    const ACROSS: u32 = 60;
    const DOWN: u32 = 14;
    const WIDTH: f32 = 0.46;
    const FOLDS: f32 = 6.0;
    let mut mesh = Mesh::default();
    for row in 0..=DOWN {
        let up = row as f32 / DOWN as f32;
        let depth = DROP * (1.0 - up);
        for column in 0..=ACROSS {
            let s = column as f32 / ACROSS as f32;
            let phase = std::f32::consts::TAU * FOLDS * s;
            // Tight pleats at the rod open and wander on their way down.
            let open = 0.014 + 0.026 * (depth / DROP).powf(0.6);
            let wander = 0.6 * (1.7 * depth + 5.0 * s).sin();
            let x = open * (phase + wander).sin()
                + 0.012 * (depth / DROP) * (2.0 * s * std::f32::consts::TAU + depth).cos();
            let z = WIDTH * (0.5 - s) * (0.93 + 0.1 * (depth / DROP));
            // The cloth is twice as wide as it hangs.
            let uv = Vec2::new(2.0 * WIDTH * s, depth) / CLOTH_TILE;
            mesh.vertex(Vec3::new(x, -depth, z), Vec3::X, uv);
            let (joints, weights) = bones(depth);
            mesh.joints.push(joints);
            mesh.weights.push(weights);
        }
    }
    // Columns run along -Z and rows upwards: the front is +X. Row 0 is the hem.
    mesh.lattice(0, ACROSS + 1, DOWN + 1);
    mesh.smooth_normals();
    mesh
}

/// The two joints that hold a place `depth` metres below the rod.
fn bones(depth: f32) -> ([u8; 4], Vec4) {
    let along = (depth / LINK).min((JOINTS - 1) as f32);
    let first = (along.floor() as usize).min(JOINTS - 2);
    let t = along - first as f32;
    let second_weight = t * t * (3.0 - 2.0 * t);
    ([first as u8, first as u8 + 1, 0, 0], Vec4::new(1.0 - second_weight, second_weight, 0.0, 0.0))
}

/// Hangs one curtain on its own chain of joints and lets it sway.
fn hang(stage: &mut Stage, room: NodeId, model: ModelId, name: &str, place: Vec3, phase: f32) {
    let rig = stage.group(&format!("{name} rig"), Some(room), place, 0.0);
    let mut parent = rig;
    let mut joints = Vec::new();
    let mut inverse_binds = Vec::new();
    for joint in 0..JOINTS {
        let down = if joint == 0 { 0.0 } else { LINK };
        parent = stage.group(&format!("{name} joint {}", joint + 1), Some(parent), Vec3::Y * -down, 0.0);
        joints.push(parent);
        inverse_binds.push(Mat4::from_translation(Vec3::Y * (LINK * joint as f32)));
        // Whole numbers of waves a minute, each joint behind the one above it.
        let rate = std::f32::consts::TAU / MINUTE;
        let lag = 0.5 * joint as f32 + phase;
        sway(stage, parent, 60, move |t| {
            let breeze = 0.6 * (9.0 * rate * t - lag).sin() + 0.4 * (13.0 * rate * t - 1.3 * lag).sin();
            let drift = (7.0 * rate * t - lag).sin();
            // The draught blows inwards, so the cloth leans into the room more than back.
            Quat::from_rotation_z(0.008 + 0.02 * breeze) * Quat::from_rotation_x(0.014 * drift)
        });
    }
    stage.skins.push(Skin { name: name.to_owned(), joints, inverse_binds });
    stage.node(Node {
        name: name.to_owned(),
        model: Some(model),
        skin: Some(SkinId(stage.skins.len() - 1)),
        ..Node::default()
    });
}
