//! What stands on the table: a ceramic vase with twigs, glass, a bowl of fruit and a teapot.

use glam::{Mat4, Quat, Vec2, Vec3};

use super::table::TOP;
use crate::sample::mesh::Mesh;
use crate::sample::noise::{fractal, random};
use crate::sample::palette::Palette;
use crate::sample::shape::{arc, lathe, spline, tube};
use crate::sample::stage::{Node, NodeId, Stage};

/// Glass stands a millimetre above the table, whose top its own two-sided foot would otherwise share.
const GLASS: f32 = TOP + 0.001;

pub fn on_table(stage: &mut Stage, palette: &Palette, table: NodeId) {
    vase(stage, palette, table, Vec3::new(0.36, TOP, -0.15));
    teapot(stage, palette, table, Vec3::new(0.03, TOP, -0.16), 0.35);
    fruit_bowl(stage, palette, table, Vec3::new(-0.31, TOP, 0.0));
    tumblers(stage, palette, table);
}

/// A vase of three glazes that run into each other, in vertex colours, with dry twigs.
fn vase(stage: &mut Stage, palette: &Palette, table: NodeId, place: Vec3) {
    let group = stage.group("Vase", Some(table), place, 0.0);
    let p = Vec2::new;
    let outside = [
        p(0.05, 0.0),
        p(0.056, 0.006),
        p(0.084, 0.07),
        p(0.09, 0.12),
        p(0.072, 0.18),
        p(0.036, 0.225),
        p(0.03, 0.255),
        p(0.04, 0.278),
    ];
    let lip = [p(0.04, 0.278), p(0.0415, 0.281), p(0.0385, 0.282), p(0.034, 0.276)];
    let inside = [p(0.034, 0.276), p(0.026, 0.255), p(0.031, 0.228), p(0.06, 0.18), p(0.0, 0.1)];
    let mut body = lathe(&[p(0.0, 0.0), p(0.05, 0.0)], 25);
    body.append(&lathe(&spline(&outside, 4), 25));
    body.append(&lathe(&spline(&lip, 2), 25));
    body.append(&lathe(&spline(&inside, 2), 25));
    let (clay, cream, teal) =
        (Vec3::new(0.23, 0.1, 0.055), Vec3::new(0.78, 0.7, 0.56), Vec3::new(0.045, 0.2, 0.21));
    body.colors = body
        .positions
        .iter()
        .map(|position| {
            let around = Vec2::new(position.x.atan2(position.z) / std::f32::consts::TAU, 0.5);
            let run = 0.05 * (fractal(around, [12, 1], 2, 5) - 0.5);
            let blend = |at: f32| ((position.y + run - at) / 0.016).clamp(0.0, 1.0);
            clay.lerp(cream, blend(0.045)).lerp(teal, blend(0.16)).extend(1.0)
        })
        .collect();
    stage.object("Vase body", group, Vec3::ZERO, [(body, palette.glaze)]);

    let mut twigs = Mesh::default();
    let bud: Vec<Vec2> =
        [p(0.0, 0.0), p(0.006, 0.005), p(0.0085, 0.013), p(0.006, 0.023), p(0.0, 0.031)].to_vec();
    let bud = stage.model("Bud", [(lathe(&bud, 7).tinted(Vec3::new(0.72, 0.55, 0.28)), palette.matt)]);
    for i in 0..6 {
        let turn = 1.1 * i as f32 + 0.5 * random(i, 0, 71);
        let out = Vec3::new(turn.sin(), 0.0, turn.cos());
        let height = 0.46 + 0.16 * random(i, 1, 71);
        let reach = 0.07 + 0.11 * random(i, 2, 71);
        let path = arc(
            Vec3::Y * 0.12 - out * 0.02,
            out * 0.03 + Vec3::Y * (0.34 + 0.1 * random(i, 3, 71)),
            out * reach + Vec3::Y * height,
            12,
        );
        twigs.append(&tube(&path, |t| 0.0028 - 0.0016 * t, 5));
        for (k, pair) in path.windows(2).enumerate().skip(6) {
            let along = (pair[1] - pair[0]).normalize();
            let side = Quat::from_axis_angle(along, 2.4 * k as f32 + turn) * along.any_orthonormal_vector();
            let last = k + 2 == path.len();
            let direction = if last { along } else { (along + side * 0.8).normalize() };
            stage.node(Node {
                name: format!("Bud {}.{}", i + 1, k - 5),
                parent: Some(group),
                translation: pair[1],
                rotation: Quat::from_rotation_arc(Vec3::Y, direction),
                scale: 1.2 - 0.5 * (k as f32 - 6.0) / 6.0,
                model: Some(bud),
                ..Node::default()
            });
        }
    }
    stage.object("Twigs", group, Vec3::ZERO, [(twigs, palette.stem)]);
}

/// A brass teapot: body, lid, spout and handle.
fn teapot(stage: &mut Stage, palette: &Palette, table: NodeId, place: Vec3, yaw: f32) {
    let group = stage.group("Teapot", Some(table), place, yaw);
    let p = Vec2::new;
    let mut pot = lathe(&[p(0.0, 0.0), p(0.05, 0.0)], 32);
    pot.append(&lathe(&spline(&[p(0.05, 0.0), p(0.053, 0.004), p(0.052, 0.01), p(0.048, 0.013)], 2), 32));
    let body =
        [p(0.048, 0.013), p(0.074, 0.035), p(0.083, 0.066), p(0.074, 0.1), p(0.05, 0.122), p(0.043, 0.126)];
    pot.append(&lathe(&spline(&body, 4), 32));
    pot.append(&lathe(&spline(&[p(0.043, 0.126), p(0.046, 0.128), p(0.046, 0.132), p(0.043, 0.134)], 2), 32));
    let lid = [p(0.043, 0.134), p(0.034, 0.142), p(0.016, 0.149), p(0.006, 0.153)];
    pot.append(&lathe(&spline(&lid, 3), 32));
    let knob = [p(0.006, 0.153), p(0.005, 0.158), p(0.011, 0.165), p(0.011, 0.172), p(0.0, 0.178)];
    pot.append(&lathe(&spline(&knob, 3), 18));

    let mut spout_path =
        arc(Vec3::new(0.062, 0.05, 0.0), Vec3::new(0.115, 0.055, 0.0), Vec3::new(0.122, 0.1, 0.0), 10);
    spout_path.extend(
        arc(Vec3::new(0.122, 0.1, 0.0), Vec3::new(0.127, 0.126, 0.0), Vec3::new(0.147, 0.137, 0.0), 6)
            .into_iter()
            .skip(1),
    );
    pot.append(&tube(&spout_path, |t| 0.0175 - 0.0108 * t.powf(0.7), 16));
    stage.object("Teapot body", group, Vec3::ZERO, [(pot, palette.brass)]);

    let mut handle_path =
        arc(Vec3::new(-0.06, 0.11, 0.0), Vec3::new(-0.132, 0.142, 0.0), Vec3::new(-0.138, 0.085, 0.0), 10);
    handle_path.extend(
        arc(Vec3::new(-0.138, 0.085, 0.0), Vec3::new(-0.138, 0.045, 0.0), Vec3::new(-0.075, 0.042, 0.0), 10)
            .into_iter()
            .skip(1),
    );
    let handle = tube(&handle_path, |t| 0.0062 + 0.002 * (std::f32::consts::PI * t).sin(), 10);
    stage.object("Teapot handle", group, Vec3::ZERO, [(handle, palette.iron)]);
}

/// A beaten copper bowl of oranges and lemons.
fn fruit_bowl(stage: &mut Stage, palette: &Palette, table: NodeId, place: Vec3) {
    let group = stage.group("Fruit bowl", Some(table), place, 0.0);
    let p = Vec2::new;
    let outside = [p(0.055, 0.0), p(0.06, 0.004), p(0.105, 0.036), p(0.135, 0.075), p(0.142, 0.092)];
    let lip = [p(0.142, 0.092), p(0.143, 0.0945), p(0.14, 0.096), p(0.1375, 0.0935)];
    let inside = [p(0.1375, 0.0935), p(0.13, 0.075), p(0.1, 0.039), p(0.05, 0.011), p(0.0, 0.007)];
    let mut bowl = lathe(&[p(0.0, 0.0), p(0.055, 0.0)], 32);
    for profile in [&outside[..], &lip, &inside] {
        bowl.append(&lathe(&spline(profile, 3), 32));
    }
    // Four tiles of hammer marks round the bowl, at about the same scale along it.
    let bowl = bowl.uv_mapped(Vec2::new(4.0, 5.0), Vec2::ZERO);
    stage.object("Copper bowl", group, Vec3::ZERO, [(bowl, palette.copper)]);

    let ball = |stretch: f32, nub: f32| {
        let profile: Vec<Vec2> = (0..=12)
            .map(|i| {
                let angle = std::f32::consts::PI * i as f32 / 12.0;
                let y = -angle.cos();
                p(angle.sin(), stretch * y + nub * y.powi(9))
            })
            .collect();
        lathe(&profile, 18)
    };
    let orange =
        stage.model("Orange", [(ball(0.95, -0.02).tinted(Vec3::new(0.74, 0.18, 0.008)), palette.matt)]);
    let lemon = stage.model("Lemon", [(ball(1.12, 0.2).tinted(Vec3::new(0.72, 0.45, 0.015)), palette.matt)]);
    let fruit = [
        (orange, Vec3::new(-0.05, 0.056, 0.035), 0.041),
        (orange, Vec3::new(0.052, 0.055, 0.022), 0.04),
        (lemon, Vec3::new(0.004, 0.054, -0.058), 0.032),
        (orange, Vec3::new(0.004, 0.109, 0.008), 0.04),
        (lemon, Vec3::new(-0.062, 0.094, -0.034), 0.03),
    ];
    for (i, (model, translation, scale)) in fruit.into_iter().enumerate() {
        stage.node(Node {
            name: format!("Fruit {}", i + 1),
            parent: Some(group),
            translation,
            rotation: Quat::from_rotation_y(1.7 * i as f32) * Quat::from_rotation_x(1.2 + 0.3 * i as f32),
            scale,
            model: Some(model),
            ..Node::default()
        });
    }
}

/// Two tumblers and a carafe with thin walls, drawn as blended two-sided sheets.
fn tumblers(stage: &mut Stage, palette: &Palette, table: NodeId) {
    let p = Vec2::new;
    let wall = |outside: &[Vec2], thick: f32, steps: u32| {
        let outer = spline(outside, steps);
        let mut mesh = lathe(&[p(0.0, 0.0), outer[0]], 25);
        let inner: Vec<Vec2> =
            outer.iter().rev().map(|q| p((q.x - thick).max(0.0), q.y.max(0.006))).collect();
        mesh.append(&lathe(&outer, 25));
        if let (Some(top), Some(under)) = (outer.last(), inner.first()) {
            mesh.append(&lathe(&[*top, *under], 25));
        }
        mesh.append(&lathe(&inner, 25));
        mesh
    };
    let tumbler = wall(&[p(0.029, 0.0), p(0.031, 0.004), p(0.034, 0.05), p(0.037, 0.1)], 0.0018, 2);
    let tumbler = stage.model("Tumbler", [(tumbler, palette.glass)]);
    for (i, place) in [Vec3::new(0.0, GLASS, 0.17), Vec3::new(0.29, GLASS, 0.15)].into_iter().enumerate() {
        stage.node(Node {
            name: format!("Tumbler {}", i + 1),
            parent: Some(table),
            translation: place,
            model: Some(tumbler),
            ..Node::default()
        });
    }
    let carafe = [
        p(0.05, 0.0),
        p(0.056, 0.006),
        p(0.062, 0.06),
        p(0.055, 0.11),
        p(0.028, 0.155),
        p(0.024, 0.185),
        p(0.031, 0.225),
    ];
    let carafe = wall(&carafe, 0.0022, 3).transformed(Mat4::from_rotation_y(0.3));
    stage.object("Carafe", table, Vec3::new(0.15, GLASS, 0.08), [(carafe, palette.glass)]);
}
