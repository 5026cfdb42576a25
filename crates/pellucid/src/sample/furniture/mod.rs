//! What stands in the room, one file a thing, and where it stands.

mod clock;
mod curtain;
mod lamp;
mod mobile;
mod ornaments;
mod plant;
mod seating;
mod shelf;
mod shell;
mod table;
mod wall;

use glam::{Quat, Vec3};

use super::palette::Palette;
use super::stage::{Fixture, Node, NodeId, Stage};

/// The room's inner size: x from -`HALF_WIDTH` to `HALF_WIDTH`.
const HALF_WIDTH: f32 = 2.0;
/// z of the back wall.
const BACK: f32 = -1.75;
/// z of the open side.
const FRONT: f32 = 1.95;
/// y of the ceiling.
const HEIGHT: f32 = 2.6;

/// Adds the whole room to the stage.
pub fn furnish(stage: &mut Stage, palette: &Palette) {
    let room = stage.group("Room", None, Vec3::ZERO, 0.0);
    shell::build(stage, palette, room);
    curtain::build(stage, palette, room);
    wall::picture(stage, palette, room, Vec3::new(-0.62, 1.62, BACK));
    clock::build(stage, palette, room, Vec3::new(0.42, 1.92, BACK));
    shelf::build(stage, palette, room, Vec3::new(1.36, 0.0, BACK + 0.16));
    seating::armchair(stage, palette, room, Vec3::new(-0.78, 0.0, -0.72), 0.5);
    lamp::build(stage, palette, room, Vec3::new(-1.52, 0.0, -1.28));
    plant::build(stage, palette, room, Vec3::new(0.38, 0.0, -1.29));
    let table = table::build(stage, palette, room, Vec3::new(1.0, 0.0, 0.2), -0.12);
    ornaments::on_table(stage, palette, table);
    seating::chair(stage, palette, room, Vec3::new(0.2, 0.0, 0.36), 1.3);
    mobile::build(stage, palette, room, Vec3::new(0.1, HEIGHT, -0.1));
    fixtures(stage);
}

/// The cameras and the sun.
fn fixtures(stage: &mut Stage) {
    camera(stage, "Main", Vec3::new(1.42, 1.5, 4.5), Vec3::new(-0.25, 0.96, -0.6), 36.0);
    camera(stage, "Detail", Vec3::new(0.42, 1.2, 1.5), Vec3::new(1.0, 0.83, 0.1), 34.0);
    let direction = Vec3::new(0.75, -0.8, -0.45).normalize();
    stage.node(Node {
        name: "Window light".to_owned(),
        translation: Vec3::new(-3.0, 3.0, 1.0),
        rotation: Quat::from_rotation_arc(Vec3::NEG_Z, direction),
        fixture: Fixture::Directional(Vec3::new(1.0, 0.95, 0.86), 0.6),
        ..Node::default()
    });
}

/// A camera that looks at a point without rolling; the field of view is vertical, in degrees.
fn camera(stage: &mut Stage, name: &str, eye: Vec3, target: Vec3, field: f32) -> NodeId {
    let forward = (target - eye).normalize();
    let yaw = (-forward.x).atan2(-forward.z);
    let pitch = forward.y.asin();
    stage.node(Node {
        name: name.to_owned(),
        translation: eye,
        rotation: Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch),
        fixture: Fixture::Camera(field.to_radians()),
        ..Node::default()
    })
}
