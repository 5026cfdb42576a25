//! The pot plant: its leaves are copies of one cut-out sheet.

use glam::{Mat3, Quat, Vec2, Vec3};

use crate::sample::mesh::Mesh;
use crate::sample::noise::random;
use crate::sample::palette::Palette;
use crate::sample::shape::{arc, lathe, spline, tube};
use crate::sample::stage::{Node, NodeId, Stage};

const LEAVES: i32 = 15;

pub fn build(stage: &mut Stage, palette: &Palette, room: NodeId, place: Vec3) {
    let plant = stage.group("Plant", Some(room), place, 0.0);
    let p = Vec2::new;
    let mut pot = lathe(&[p(0.0, 0.0), p(0.115, 0.0)], 32);
    pot.append(&lathe(&spline(&[p(0.115, 0.0), p(0.124, 0.008), p(0.14, 0.12), p(0.158, 0.25)], 3), 32));
    pot.append(&lathe(
        &spline(&[p(0.158, 0.25), p(0.173, 0.254), p(0.176, 0.285), p(0.172, 0.312), p(0.164, 0.316)], 2),
        32,
    ));
    pot.append(&lathe(&spline(&[p(0.164, 0.316), p(0.154, 0.31), p(0.15, 0.28), p(0.148, 0.24)], 2), 32));
    stage.object("Pot", plant, Vec3::ZERO, [(pot, palette.clay)]);
    let soil = lathe(&[p(0.15, 0.262), p(0.1, 0.272), p(0.05, 0.279), p(0.0, 0.281)], 32);
    stage.object("Soil", plant, Vec3::ZERO, [(soil, palette.soil)]);

    let leaf = stage.model("Leaf", [(blade(), palette.leaf)]);
    let mut stems = Mesh::default();
    for i in 0..LEAVES {
        // Leaves turn by the golden angle and climb, the younger ones steeper and smaller.
        let age = i as f32 / (LEAVES - 1) as f32;
        let turn = 2.399_963 * i as f32 + 0.9 + 0.4 * random(i, 0, 61);
        let out = Vec3::new(turn.sin(), 0.0, turn.cos());
        // The wall behind leaves no room for long stems on that side.
        let room_behind = 1.0 - 0.65 * (-out.z).max(0.0);
        let reach = (0.36 - 0.22 * age + 0.05 * random(i, 1, 61)) * room_behind;
        let height = 0.56 + 0.66 * age + 0.08 * random(i, 2, 61);
        let foot = Vec3::Y * 0.27 + out * 0.03;
        let tip = out * reach + Vec3::Y * height;
        let path = arc(foot, Vec3::Y * (height * 0.98) + out * (0.22 * reach), tip, 8);
        stems.append(&tube(&path, |t| 0.0062 - 0.0026 * t, 6));
        // The sheet's own -Y is its face and +Z runs to its tip: hang it outwards, the tip falling.
        let fall = 0.75 - 0.55 * age + 0.25 * random(i, 3, 61) + 0.3 * (1.0 - room_behind);
        let along = (out * fall.cos() - Vec3::Y * fall.sin()).normalize();
        let side = Vec3::Y.cross(along).normalize();
        let face = along.cross(side);
        stage.node(Node {
            name: format!("Leaf {}", i + 1),
            parent: Some(plant),
            translation: tip - along * 0.012,
            rotation: Quat::from_mat3(&Mat3::from_cols(side, face, along))
                * Quat::from_rotation_z(0.5 * (random(i, 4, 61) - 0.5)),
            scale: 0.34 - 0.12 * age + 0.05 * random(i, 5, 61),
            model: Some(leaf),
            ..Node::default()
        });
    }
    stage.object("Stems", plant, Vec3::ZERO, [(stems, palette.stem)]);
}

/// A sheet one metre long from its stalk at the origin along +Z, its face up, folded a little along the
/// midrib and drooping at the tip.
fn blade() -> Mesh {
    const ACROSS: u32 = 6;
    const ALONG: u32 = 8;
    let mut mesh = Mesh::default();
    for row in 0..=ALONG {
        for column in 0..=ACROSS {
            let uv = Vec2::new(column as f32 / ACROSS as f32, row as f32 / ALONG as f32);
            let (x, z) = (0.82 * (uv.x - 0.5), 1.0 - uv.y);
            let fold = 0.32 * x.abs() - 0.5 * x * x;
            let droop = -0.3 * z * z + 0.12 * z;
            mesh.vertex(Vec3::new(x, fold + droop, z), Vec3::Y, uv);
        }
    }
    // Rows run from the tip back to the stalk: +X crossed with -Z is up.
    mesh.lattice(0, ACROSS + 1, ALONG + 1);
    mesh.smooth_normals();
    mesh
}
