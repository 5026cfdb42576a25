//! The armchair with its cushion, and the chair at the table.

use glam::{Mat4, Quat, Vec2, Vec3};

use crate::sample::mesh::Mesh;
use crate::sample::motion::breathe;
use crate::sample::palette::{CLOTH_TILE, Palette, TIMBER_TILE};
use crate::sample::shape::{Block, arc, block, pillow, rod, tube};
use crate::sample::stage::{Node, NodeId, Part, Stage};

fn cloth(mesh: Mesh) -> Mesh {
    mesh.uv_mapped(Vec2::splat(1.0 / CLOTH_TILE), Vec2::ZERO)
}

fn timber(mesh: Mesh) -> Mesh {
    mesh.uv_mapped(Vec2::splat(1.0 / TIMBER_TILE), Vec2::ZERO)
}

/// An upholstered block whose large faces bulge by `rise` along `axis`.
fn upholstered(size: Vec3, radius: f32, axis: Vec3, rise: f32) -> Mesh {
    let half = size * 0.5;
    Block { size, radius, bands: 3, cell: 0.12 }.build().bent(|p| {
        let s = p / half;
        let flat = Vec3::ONE - axis.abs();
        let swell: f32 = [0, 1, 2].iter().map(|k| 1.0 - flat[*k] * s[*k] * s[*k]).product();
        p + axis * (rise * s.dot(axis) * swell.max(0.0))
    })
}

/// A club armchair on tapered legs, a breathing cushion leaning in it. It faces +Z before the turn.
pub fn armchair(stage: &mut Stage, palette: &Palette, room: NodeId, place: Vec3, yaw: f32) {
    let chair = stage.group("Armchair", Some(room), place, yaw);
    let arm = |side: f32| {
        upholstered(Vec3::new(0.15, 0.4, 0.74), 0.062, Vec3::X, 0.012)
            .transformed(Mat4::from_rotation_z(-0.06 * side))
            .at(side * 0.375, 0.4, 0.0)
    };
    let tilt = Mat4::from_rotation_x(-0.2);
    let back = upholstered(Vec3::new(0.84, 0.62, 0.17), 0.075, Vec3::Z, 0.02)
        .bent(|p| p - Vec3::Z * (0.12 * p.x * p.x))
        .transformed(Mat4::from_translation(Vec3::new(0.0, 0.58, -0.335)) * tilt);
    let base = upholstered(Vec3::new(0.66, 0.16, 0.68), 0.035, Vec3::Y, 0.0).at(0.0, 0.28, 0.0);
    let body = Mesh::join([arm(1.0), arm(-1.0), back, base]);
    stage.object("Armchair body", chair, Vec3::ZERO, [(cloth(body), palette.teal)]);

    let seat = upholstered(Vec3::new(0.6, 0.15, 0.62), 0.06, Vec3::Y, 0.035).at(0.0, 0.41, 0.055);
    let lumbar = upholstered(Vec3::new(0.58, 0.4, 0.14), 0.06, Vec3::Z, 0.035)
        .transformed(Mat4::from_translation(Vec3::new(0.0, 0.63, -0.225)) * tilt);
    let cushions = Mesh::join([seat, lumbar]);
    stage.object("Armchair cushions", chair, Vec3::ZERO, [(cloth(cushions), palette.teal)]);

    let mut legs = Mesh::default();
    let mut tips = Mesh::default();
    for (x, z) in [(0.31, 0.28), (0.31, -0.28), (-0.31, -0.28), (-0.31, 0.28)] {
        let (head, foot) = (Vec3::new(x, 0.22, z), Vec3::new(x * 1.16, 0.0, z * 1.16));
        let ankle = head.lerp(foot, 0.78);
        legs.append(
            &tube(&[head, ankle], |t| 0.024 - 0.009 * t, 14).uv_mapped(Vec2::splat(0.15), Vec2::ZERO),
        );
        tips.append(&tube(&[ankle, foot], |t| 0.0155 - 0.0035 * t, 14));
    }
    stage.object("Armchair legs", chair, Vec3::ZERO, [(timber(legs), palette.walnut), (tips, palette.brass)]);

    let shape = |plump: f32| cloth(pillow(0.44, 0.2, 0.44, plump));
    let model = stage.model("Cushion", [(shape(0.8), palette.mustard)]);
    let Part { target, .. } = &mut stage.models[model.0].parts[0];
    *target = Some(shape(1.12));
    let cushion = stage.node(Node {
        name: "Cushion".to_owned(),
        parent: Some(chair),
        translation: Vec3::new(-0.06, 0.655, -0.1),
        rotation: Quat::from_rotation_y(0.16) * Quat::from_rotation_x(1.2) * Quat::from_rotation_y(0.1),
        model: Some(model),
        ..Node::default()
    });
    breathe(stage, cushion, 12);
}

/// A spindle-back chair. It faces +Z before the turn.
pub fn chair(stage: &mut Stage, palette: &Palette, room: NodeId, place: Vec3, yaw: f32) {
    const SEAT: f32 = 0.45;
    let chair = stage.group("Chair", Some(room), place, yaw);
    let seat =
        Block { size: Vec3::new(0.43, 0.03, 0.42), radius: 0.013, bands: 2, cell: 0.07 }.build().bent(|p| {
            // Hollowed, and narrower behind.
            let hollow = (1.0 - (p.x / 0.2).powi(2)).max(0.0) * (1.0 - ((p.z + 0.02) / 0.2).powi(2)).max(0.0);
            let waist = 1.0 - 0.12 * (0.21 - p.z) / 0.42;
            Vec3::new(p.x * waist, p.y - if p.y > 0.0 { 0.011 * hollow } else { 0.0 }, p.z)
        });
    let mut frame = seat.at(0.0, SEAT - 0.015, 0.0);
    for (x, z) in [(0.15, 0.15), (0.14, -0.14), (-0.14, -0.14), (-0.15, 0.15)] {
        let (head, foot) = (Vec3::new(x, SEAT - 0.02, z), Vec3::new(x * 1.42, 0.0, z * 1.42));
        let path: Vec<Vec3> = (0..=6).map(|i| head.lerp(foot, i as f32 / 6.0)).collect();
        let leg = tube(&path, |t| 0.012 + 0.007 * (std::f32::consts::PI * (0.2 + 0.75 * t)).sin(), 11);
        frame.append(&leg.uv_mapped(Vec2::new(0.1, 1.0), Vec2::new(x, z)).uv_turned());
    }
    // The back: a bow over six spindles, leaning backwards.
    let lean = |x: f32, up: f32| Vec3::new(x, SEAT + up, -0.17 - 0.22 * up + 0.35 * x * x);
    let bow: Vec<Vec3> = (0..=28)
        .map(|i| {
            let angle = std::f32::consts::PI * i as f32 / 28.0;
            lean(
                -0.195 * angle.cos() * (0.82 + 0.22 * angle.sin()),
                0.4 * angle.sin().max(0.0).powf(0.62) - 0.01,
            )
        })
        .collect();
    frame.append(&tube(&bow, |_| 0.0115, 9).uv_mapped(Vec2::new(0.08, 1.0), Vec2::ZERO).uv_turned());
    for i in 0..6 {
        let x = (i as f32 - 2.5) * 0.056;
        let height = 0.4 * (1.0 - (x / 0.215).powi(2)).sqrt().powf(0.62) - 0.015;
        let path = arc(lean(x * 0.86, -0.01), lean(x * 0.95, height * 0.5), lean(x, height), 4);
        frame.append(
            &tube(&path, |t| 0.0065 - 0.0015 * t, 7).uv_mapped(Vec2::new(0.05, 1.0), Vec2::ZERO).uv_turned(),
        );
    }
    let stretcher = |from: Vec3, to: Vec3| {
        rod(from, to, 0.0085, 8).uv_mapped(Vec2::new(0.06, 1.0), Vec2::ZERO).uv_turned()
    };
    frame.append(&stretcher(Vec3::new(0.187, 0.2, 0.187), Vec3::new(0.174, 0.2, -0.174)));
    frame.append(&stretcher(Vec3::new(-0.187, 0.2, 0.187), Vec3::new(-0.174, 0.2, -0.174)));
    frame.append(&stretcher(Vec3::new(-0.18, 0.2, 0.0), Vec3::new(0.18, 0.2, 0.0)));
    stage.object("Chair frame", chair, Vec3::ZERO, [(timber(frame), palette.oak)]);

    let pad = pillow(0.38, 0.06, 0.37, 1.0);
    let ties =
        Mesh::join([-1.0, 1.0].map(|side| block(0.012, 0.012, 0.05, 0.004).at(side * 0.14, 0.0, -0.18)));
    let pad = Mesh::join([pad, ties]);
    stage.object("Chair pad", chair, Vec3::new(0.0, SEAT + 0.016, 0.005), [(cloth(pad), palette.mustard)]);
}
