//! The wall clock: its second hand jumps (step keys) and its pendulum swings (spline keys).

use glam::{Mat4, Quat, Vec2, Vec3};

use crate::sample::mesh::Mesh;
use crate::sample::motion::{sway, tick};
use crate::sample::palette::Palette;
use crate::sample::shape::{block, lathe, rod, spline};
use crate::sample::stage::{Node, NodeId, Stage};

const RADIUS: f32 = 0.15;

/// Turns a body of revolution about Y to face +Z.
fn facing(mesh: Mesh) -> Mesh {
    mesh.transformed(Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2))
}

/// Hangs the clock with the middle of its dial at `place`, facing +Z.
pub fn build(stage: &mut Stage, palette: &Palette, room: NodeId, place: Vec3) {
    let clock = stage.group("Clock", Some(room), place, 0.0);
    let p = Vec2::new;
    let side = [p(RADIUS, 0.0), p(RADIUS + 0.004, 0.012), p(RADIUS + 0.004, 0.03), p(RADIUS - 0.004, 0.038)];
    let bezel = [p(RADIUS - 0.004, 0.038), p(RADIUS - 0.012, 0.036), p(RADIUS - 0.014, 0.028)];
    let mut rim = lathe(&spline(&side, 3), 44);
    rim.append(&lathe(&spline(&bezel, 2), 44));
    stage.object("Clock rim", clock, Vec3::ZERO, [(facing(rim), palette.brass)]);

    let mut dial = facing(lathe(&[p(RADIUS - 0.01, 0.03), p(RADIUS * 0.5, 0.03), p(0.0, 0.03)], 44));
    for (uv, position) in dial.uvs.iter_mut().zip(&dial.positions) {
        *uv = p(0.5 + position.x / (2.0 * RADIUS), 0.5 - position.y / (2.0 * RADIUS));
    }
    stage.object("Clock dial", clock, Vec3::ZERO, [(dial, palette.dial)]);

    // A hand points up at rest and turns about -Z, which is clockwise for whoever looks at the dial.
    let hand = |stage: &mut Stage, name: &str, length: f32, width: f32, z: f32, turn: f32, material| {
        let mesh = block(width, length, 0.0018, 0.0006).at(0.0, length * 0.5 - 0.18 * length, 0.0);
        let model = Some(stage.model(name, [(mesh, material)]));
        stage.node(Node {
            name: name.to_owned(),
            parent: Some(clock),
            translation: Vec3::Z * z,
            rotation: Quat::from_rotation_z(-turn),
            model,
            ..Node::default()
        })
    };
    // Ten past ten, as clocks in pictures have it.
    let minutes: f32 = 9.0;
    let minute_turn = std::f32::consts::TAU * minutes / 60.0;
    hand(
        stage,
        "Hour hand",
        0.085,
        0.0085,
        0.033,
        (std::f32::consts::TAU * 10.0 + minute_turn) / 12.0,
        palette.iron,
    );
    hand(stage, "Minute hand", 0.132, 0.0065, 0.0355, minute_turn, palette.iron);
    let second = hand(stage, "Second hand", 0.14, 0.0028, 0.038, 0.0, palette.brass);
    tick(stage, second, Vec3::NEG_Z, 60);
    let hub =
        facing(lathe(&spline(&[p(0.008, 0.0), p(0.008, 0.009), p(0.005, 0.012), p(0.0, 0.0125)], 3), 20));
    stage.object("Clock hub", clock, Vec3::Z * 0.03, [(hub, palette.brass)]);

    let pendulum = stage.group("Pendulum", Some(clock), Vec3::new(0.0, -0.1, 0.012), 0.0);
    let lens = [p(0.0, -0.007), p(0.024, -0.0055), p(0.036, 0.0), p(0.024, 0.0055), p(0.0, 0.007)];
    let bob = facing(lathe(&spline(&lens, 3), 28)).at(0.0, -0.3, 0.0);
    let wire = rod(Vec3::ZERO, Vec3::Y * -0.27, 0.0028, 10);
    stage.object("Pendulum bob", pendulum, Vec3::ZERO, [(Mesh::join([bob, wire]), palette.brass)]);
    // Two seconds a swing there and back; eight keys a swing keep the spline on the sine.
    sway(stage, pendulum, 240, |t| Quat::from_rotation_z(0.16 * (std::f32::consts::PI * t).cos()));
}
