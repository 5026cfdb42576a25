use super::*;
use crate::{MorphTarget, Primitive, Skin};
use std::f32::consts::{FRAC_PI_2, PI};

fn animated(nodes: usize, channels: Vec<Channel>) -> Scene {
    let duration = channels.iter().filter_map(|channel| channel.times.last().copied()).fold(0.0, f32::max);
    Scene {
        nodes: vec![Node::default(); nodes],
        roots: (0..nodes).collect(),
        animations: vec![Animation { name: String::new(), channels, duration }],
        ..Scene::default()
    }
}

fn channel(interpolation: Interpolation, times: &[f32], values: ChannelValues) -> Channel {
    Channel { node: 0, times: times.to_vec(), interpolation, values }
}

fn translation(scene: &Scene, time: f32) -> Vec3 {
    match Pose::at(scene, 0, time).locals[0] {
        Transform::Trs { translation, .. } => translation,
        Transform::Matrix(_) => panic!("the node holds a TRS"),
    }
}

#[test]
fn linear_goes_straight_between_keys() {
    let values = ChannelValues::Translation(vec![Vec3::ZERO, Vec3::X * 4.0, Vec3::Y]);
    let scene = animated(1, vec![channel(Interpolation::Linear, &[1.0, 3.0, 4.0], values)]);
    assert_eq!(translation(&scene, 0.0), Vec3::ZERO, "before the first key: the first key");
    assert_eq!(translation(&scene, 1.5), Vec3::X);
    assert_eq!(translation(&scene, 3.0), Vec3::X * 4.0);
    assert_eq!(translation(&scene, 3.5), Vec3::new(2.0, 0.5, 0.0));
}

#[test]
fn time_loops_and_the_end_is_the_last_key() {
    let values = ChannelValues::Translation(vec![Vec3::ZERO, Vec3::X]);
    let scene = animated(1, vec![channel(Interpolation::Linear, &[0.0, 2.0], values)]);
    assert_eq!(translation(&scene, 2.0), Vec3::X);
    assert_eq!(translation(&scene, 2.5), Vec3::X * 0.25);
    assert_eq!(translation(&scene, 7.0), Vec3::X * 0.5);
    assert_eq!(translation(&scene, -0.5), Vec3::X * 0.75);
    assert_eq!(translation(&scene, f32::NAN), Vec3::ZERO);
}

#[test]
fn step_holds_until_the_next_key() {
    let values = ChannelValues::Translation(vec![Vec3::ZERO, Vec3::X, Vec3::Y]);
    let scene = animated(1, vec![channel(Interpolation::Step, &[0.0, 1.0, 2.0], values)]);
    assert_eq!(translation(&scene, 0.99), Vec3::ZERO);
    assert_eq!(translation(&scene, 1.0), Vec3::X);
    assert_eq!(translation(&scene, 2.0), Vec3::Y);
}

#[test]
fn a_spline_follows_its_cubic() {
    // x(t) = t^3 from 0 to 2: its tangents are 3 t^2, per second, so 0 and 12.
    let values = ChannelValues::Translation(vec![
        Vec3::splat(99.0),
        Vec3::ZERO,
        Vec3::ZERO,
        Vec3::X * 12.0,
        Vec3::X * 8.0,
        Vec3::splat(99.0),
    ]);
    let scene = animated(1, vec![channel(Interpolation::CubicSpline, &[0.0, 2.0], values)]);
    for time in [0.0, 0.3, 1.0, 1.7, 2.0_f32] {
        assert!(translation(&scene, time).abs_diff_eq(Vec3::X * time.powi(3), 1e-5), "at {time}");
    }
}

#[test]
fn rotations_go_the_short_way_at_an_even_speed() {
    // The second key is the same turn with its sign changed: the long way round if taken as it stands.
    let quarter = Quat::from_rotation_y(FRAC_PI_2);
    let values = ChannelValues::Rotation(vec![Quat::IDENTITY, -quarter]);
    let scene = animated(1, vec![channel(Interpolation::Linear, &[0.0, 3.0], values)]);
    let Transform::Trs { rotation, .. } = Pose::at(&scene, 0, 1.0).locals[0] else { panic!("a TRS") };
    assert!(rotation.angle_between(Quat::from_rotation_y(PI / 6.0)) < 1e-3);
}

#[test]
fn a_spline_of_rotations_is_normalized() {
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let keys = [Quat::IDENTITY, Quat::from_rotation_y(FRAC_PI_2)];
    let values = ChannelValues::Rotation(vec![zero, keys[0], zero, zero, keys[1], zero]);
    let scene = animated(1, vec![channel(Interpolation::CubicSpline, &[0.0, 1.0], values)]);
    let Transform::Trs { rotation, .. } = Pose::at(&scene, 0, 0.5).locals[0] else { panic!("a TRS") };
    assert!((rotation.length() - 1.0).abs() < 1e-6);
    assert!(rotation.angle_between(Quat::from_rotation_y(FRAC_PI_2 / 2.0)) < 1e-3);
}

#[test]
fn weights_move_side_by_side() {
    let mut primitive = Primitive { ..crate::bounds::tests::triangle() };
    primitive.targets = vec![MorphTarget::default(), MorphTarget::default()];
    let mesh = Mesh { primitives: vec![primitive], weights: vec![0.25, 0.5], ..Mesh::default() };
    let values = ChannelValues::Weights { targets: 2, values: vec![0.0, 1.0, 1.0, 0.0] };
    let mut scene = animated(2, vec![channel(Interpolation::Linear, &[0.0, 1.0], values)]);
    scene.meshes = vec![mesh];
    scene.nodes[0].mesh = Some(0);
    scene.nodes[1].mesh = Some(0);
    assert_eq!(Pose::at(&scene, 0, 0.75).weights, [vec![0.75, 0.25], vec![0.25, 0.5]]);
    scene.nodes[0].weights = vec![0.1, 0.2];
    assert_eq!(Pose::rest(&scene).weights[0], [0.1, 0.2], "a node's weights replace its mesh's");
}

#[test]
fn globals_follow_any_order_and_depth() {
    // A chain of 100 000 nodes, each the parent of the one before it in the list.
    let count = 100_000;
    let mut scene = animated(count, vec![]);
    for node in 0..count {
        let transform = Transform::Trs { translation: Vec3::X, rotation: Quat::IDENTITY, scale: Vec3::ONE };
        scene.nodes[node].transform = transform;
        if node > 0 {
            scene.nodes[node].children = vec![node - 1];
            scene.nodes[node - 1].parent = Some(node);
        }
    }
    let globals = Pose::rest(&scene).globals(&scene);
    assert_eq!(globals[count - 1].w_axis.x, 1.0);
    assert_eq!(globals[0].w_axis.x, count as f32);
}

#[test]
fn a_cycle_made_by_hand_ends() {
    let mut scene = animated(3, vec![]);
    scene.nodes[0].parent = Some(1);
    scene.nodes[0].children = vec![1];
    scene.nodes[1].parent = Some(0);
    scene.nodes[1].children = vec![0];
    assert_eq!(Pose::rest(&scene).globals(&scene), [Mat4::IDENTITY; 3]);
}

#[test]
fn joints_ignore_the_skinned_nodes_own_place() {
    let mut scene = animated(2, vec![]);
    scene.nodes[1].transform =
        Transform::Trs { translation: Vec3::Y * 3.0, rotation: Quat::IDENTITY, scale: Vec3::ONE };
    let bind = Mat4::from_translation(Vec3::Y * -2.0);
    scene.skins = vec![Skin { joints: vec![1], inverse_bind: vec![bind], ..Skin::default() }];
    let globals = Pose::rest(&scene).globals(&scene);
    let mut joints = vec![Mat4::ZERO];
    Pose::joint_matrices(&scene, 0, &globals, &mut joints);
    assert_eq!(joints, [Mat4::from_translation(Vec3::Y)]);
    Pose::joint_matrices(&scene, 7, &globals, &mut joints);
    assert!(joints.is_empty());
}
