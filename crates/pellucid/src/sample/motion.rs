//! Keyed motion. Everything repeats within one minute, which is the length of the room's animation.

use glam::{Quat, Vec3};

use super::stage::{Channel, Interpolation, NodeId, Stage, Track};

/// Length of the animation in seconds.
pub const MINUTE: f32 = 60.0;

fn times(keys: u32) -> Vec<f32> {
    (0..=keys).map(|i| MINUTE * i as f32 / keys as f32).collect()
}

/// Turns a node about an axis at a constant rate, `turns` times a minute, keyed every quarter turn: more than
/// half a turn between two keys would be taken the short way round.
pub fn spin(stage: &mut Stage, node: NodeId, axis: Vec3, turns: i32) {
    let times = times(turns.unsigned_abs() * 4);
    let rate = std::f32::consts::TAU * turns as f32 / MINUTE;
    let rest = stage.nodes[node.0].rotation;
    let track = Track::Rotation(times.iter().map(|t| rest * Quat::from_axis_angle(axis, rate * t)).collect());
    stage.channels.push(Channel { node, interpolation: Interpolation::Linear, times, track });
}

/// Turns a node by one of `marks` equal steps a minute, all at once.
pub fn tick(stage: &mut Stage, node: NodeId, axis: Vec3, marks: u32) {
    let times = times(marks);
    let rest = stage.nodes[node.0].rotation;
    let step = std::f32::consts::TAU / marks as f32;
    let track =
        Track::Rotation((0..=marks).map(|i| rest * Quat::from_axis_angle(axis, step * i as f32)).collect());
    stage.channels.push(Channel { node, interpolation: Interpolation::Step, times, track });
}

/// Moves a node's rotation along a smooth function of the time in seconds (which must repeat after a minute),
/// as a spline of `keys` pieces whose tangents are the function's own.
pub fn sway(stage: &mut Stage, node: NodeId, keys: u32, rotation: impl Fn(f32) -> Quat) {
    const H: f32 = 0.02;
    let times = times(keys);
    let rest = stage.nodes[node.0].rotation;
    let values = times
        .iter()
        .flat_map(|t| {
            let rate = (rotation(t + H) - rotation(t - H)) * (0.5 / H);
            // A tangent is a quaternion's rate of change, not a rotation: glTF stores it without length 1.
            let tangent = rest * rate;
            [tangent, (rest * rotation(*t)).normalize(), tangent]
        })
        .collect();
    stage.channels.push(Channel {
        node,
        interpolation: Interpolation::Cubic,
        times,
        track: Track::Rotation(values),
    });
}

/// Lets a node's one morph weight rise to 1 and fall to 0, `breaths` times a minute.
pub fn breathe(stage: &mut Stage, node: NodeId, breaths: u32) {
    let times = times(breaths * 2);
    // Flat tangents at both extremes.
    let values = (0..times.len()).flat_map(|i| [0.0, (i % 2) as f32, 0.0]).collect();
    stage.channels.push(Channel {
        node,
        interpolation: Interpolation::Cubic,
        times,
        track: Track::Weight(values),
    });
}
