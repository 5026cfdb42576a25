//! The room through Pellucid's own importer.

use std::sync::OnceLock;

use glam::Mat4;
use pellucid_scene::{ImportOptions, Imported, Pose, import_bytes, scene_bounds};

use super::room;

fn imported() -> &'static Imported {
    static IMPORTED: OnceLock<Imported> = OnceLock::new();
    IMPORTED.get_or_init(|| import_bytes(room(), None, &ImportOptions::default()).unwrap())
}

fn node(name: &str) -> usize {
    imported().scene.nodes.iter().position(|node| node.name == name).unwrap()
}

/// The largest difference between two matrices' elements.
fn difference(a: Mat4, b: Mat4) -> f32 {
    a.to_cols_array().iter().zip(b.to_cols_array()).fold(0.0, |most, (x, y)| most.max((x - y).abs()))
}

#[test]
fn it_imports_without_a_warning() {
    let warnings: Vec<String> =
        imported().warnings.iter().map(|w| format!("{}: {}", w.pointer, w.message)).collect();
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn it_is_a_room_of_the_size_promised() {
    let scene = &imported().scene;
    let bounds = scene_bounds(scene, &Pose::rest(scene)).unwrap();
    let size = bounds.max - bounds.min;
    // Nothing pokes out but the window's reveal on the left and the skirting's foot below.
    assert!((4.0..4.23).contains(&size.x), "{size}");
    assert!((2.6..2.62).contains(&size.y), "{size}");
    assert!((3.69..3.71).contains(&size.z), "{size}");
    for camera in ["Main", "Detail"] {
        assert!(scene.nodes[node(camera)].camera.is_some());
    }
    assert_eq!(scene.lights.len(), 2);
    assert_eq!(scene.skins.len(), 2);
}

#[test]
fn everything_that_is_keyed_moves_and_comes_back() {
    let scene = &imported().scene;
    assert_eq!(scene.animations.len(), 1);
    assert_eq!(scene.animations[0].duration, 60.0);
    let globals = |time: f32| Pose::at(scene, 0, time).globals(scene);
    let (start, later, end) = (globals(0.0), globals(1.7), globals(60.0));
    for name in [
        "Long arm",
        "First short arm",
        "Second short arm",
        "Second hand",
        "Pendulum",
        "Left curtain joint 4",
        "Right curtain joint 4",
    ] {
        let node = node(name);
        assert!(difference(start[node], later[node]) > 0.004, "{name} stands still");
        assert!(difference(start[node], end[node]) < 1e-3, "{name} does not come back");
    }
    for still in ["Floor", "Table top", "Hour hand"] {
        assert!(difference(start[node(still)], later[node(still)]) == 0.0, "{still} moves");
    }
    let cushion = node("Cushion");
    let weight = |time: f32| Pose::at(scene, 0, time).weights[cushion][0];
    assert!(weight(0.0).abs() < 1e-6 && (weight(2.5) - 1.0).abs() < 1e-6);
}

#[test]
fn the_second_hand_jumps_and_the_pendulum_swings() {
    let scene = &imported().scene;
    let local = |name: &str, time: f32| Pose::at(scene, 0, time).locals[node(name)].matrix();
    assert!(difference(local("Second hand", 3.05), local("Second hand", 3.95)) == 0.0);
    assert!(difference(local("Second hand", 3.95), local("Second hand", 4.05)) > 0.05);
    // The spline's keys are an eighth of a swing apart: between them it must still follow the cosine.
    for time in [0.1f32, 0.37, 0.88, 13.3] {
        let angle = 0.16 * (std::f32::consts::PI * time).cos();
        assert!(
            difference(
                local("Pendulum", time),
                Mat4::from_translation(scene_pivot()) * Mat4::from_rotation_z(angle)
            ) < 5e-3
        );
    }
}

/// The pendulum's rest place under its clock.
fn scene_pivot() -> glam::Vec3 {
    let scene = &imported().scene;
    Pose::rest(scene).locals[node("Pendulum")].matrix().w_axis.truncate()
}

#[test]
fn a_curtain_at_rest_hangs_where_its_joints_do() {
    let scene = &imported().scene;
    let globals = Pose::rest(scene).globals(scene);
    for skin in 0..scene.skins.len() {
        let mut matrices = Vec::new();
        Pose::joint_matrices(scene, skin, &globals, &mut matrices);
        assert_eq!(matrices.len(), 4);
        for matrix in &matrices {
            assert!(difference(*matrix, matrices[0]) < 1e-5, "the bind pose bends the cloth");
        }
    }
}
