use super::*;
use crate::{Mesh, MorphTarget, Node, Skin, Transform};
use glam::{Quat, Vec4};

/// A triangle with corners at the origin, 1 along X and 1 along Y.
pub(crate) fn triangle() -> Primitive {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    Primitive {
        bounds: Aabb { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) },
        normals: vec![Vec3::Z; 3],
        positions,
        tangents: vec![],
        uv0: vec![],
        uv1: vec![],
        colors: vec![],
        joints: vec![],
        weights: vec![],
        indices: vec![0, 1, 2],
        material: None,
        targets: vec![],
    }
}

fn scene(primitive: Primitive) -> Scene {
    Scene {
        nodes: vec![Node { mesh: Some(0), ..Node::default() }],
        roots: vec![0],
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        ..Scene::default()
    }
}

fn bounds(scene: &Scene) -> Option<Aabb> {
    scene_bounds(scene, &Pose::rest(scene))
}

#[test]
fn a_turned_triangle_is_bounded_by_its_corners_not_its_boxs() {
    let mut scene = scene(triangle());
    let rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
    scene.nodes[0].transform = Transform::Trs { translation: Vec3::Z, rotation, scale: Vec3::splat(2.0) };
    let bounds = bounds(&scene).unwrap();
    let side = 2.0_f32.sqrt();
    assert!(bounds.min.abs_diff_eq(Vec3::new(-side, 0.0, 1.0), 1e-6), "{bounds:?}");
    assert!(bounds.max.abs_diff_eq(Vec3::new(side, side, 1.0), 1e-6), "{bounds:?}");
}

#[test]
fn morphs_count() {
    let mut primitive = triangle();
    primitive.targets = vec![MorphTarget { positions: vec![Vec3::Z * 4.0; 3], ..MorphTarget::default() }];
    let mut scene = scene(primitive);
    scene.meshes[0].weights = vec![0.5];
    assert_eq!(bounds(&scene).unwrap().max.z, 2.0);
}

#[test]
fn skins_count_and_their_node_does_not() {
    let mut primitive = triangle();
    primitive.joints = vec![[0, 1, 0, 0]; 3];
    primitive.weights = vec![Vec4::new(0.25, 0.75, 0.0, 0.0); 3];
    let mut scene = scene(primitive);
    let place = |at| Transform::Trs { translation: at, rotation: Quat::IDENTITY, scale: Vec3::ONE };
    scene.nodes[0].skin = Some(0);
    scene.nodes[0].transform = place(Vec3::splat(100.0));
    scene.nodes.push(Node::default());
    scene.nodes.push(Node { transform: place(Vec3::X * 4.0), ..Node::default() });
    scene.roots = vec![0, 1, 2];
    scene.skins = vec![Skin { joints: vec![1, 2], inverse_bind: vec![Mat4::IDENTITY; 2], ..Skin::default() }];
    let bounds = bounds(&scene).unwrap();
    assert_eq!((bounds.min, bounds.max), (Vec3::X * 3.0, Vec3::new(4.0, 1.0, 0.0)));
}

#[test]
fn what_is_not_in_the_scene_does_not_count() {
    let mut scene = scene(triangle());
    scene.roots.clear();
    assert_eq!(bounds(&scene), None);
}

#[test]
fn corners_are_all_eight() {
    let cube = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    let mut corners = cube.corners().map(|corner| corner.to_array().map(|value| value as u8));
    corners.sort_unstable();
    assert_eq!(corners.first(), Some(&[0, 0, 0]));
    assert_eq!(corners.last(), Some(&[1, 1, 1]));
    assert!(corners.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(cube.union(Aabb { min: -Vec3::ONE, max: Vec3::ZERO }).center(), Vec3::ZERO);
}

#[test]
fn past_the_exact_ones_boxes_hold_what_they_stand_for() {
    let mut primitive = triangle();
    primitive.joints = vec![[0, 1, 0, 0]; 3];
    primitive.weights = vec![Vec4::new(0.25, 0.75, 0.0, 0.0); 3];
    let joints = [Mat4::IDENTITY, Mat4::from_translation(Vec3::X * 4.0) * Mat4::from_rotation_z(0.3)];
    for joints in [&joints[..], &[]] {
        let global = Mat4::from_rotation_z(0.5);
        let exact = primitive_bounds(&primitive, &global, &[], joints, &mut 3).unwrap();
        let mut none_left = 2;
        let coarse = primitive_bounds(&primitive, &global, &[], joints, &mut none_left).unwrap();
        assert_eq!(none_left, 2);
        assert_eq!(coarse.union(exact), coarse);
        assert_ne!(coarse, exact);
    }
}
