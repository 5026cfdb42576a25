use super::*;
use glam::Vec4;
use std::f32::consts::FRAC_PI_4;

fn project(view: &View, point: Vec3) -> Vec3 {
    let clip = view.view_proj() * point.extend(1.0);
    clip.truncate() / clip.w
}

#[test]
fn an_orbit_measures_theta_from_z_and_phi_from_y() {
    let target = Vec3::new(1.0, 2.0, 3.0);
    let from = |theta, phi| View::orbit(theta, phi, 2.0, target, 1.0, 1.0).eye - target;
    assert!(from(0.0, 90.0).abs_diff_eq(Vec3::Z * 2.0, 1e-6));
    assert!(from(90.0, 90.0).abs_diff_eq(Vec3::X * 2.0, 1e-6));
    assert!(from(0.0, 0.0).abs_diff_eq(Vec3::Y * 2.0, 1e-6));
    let (theta, phi) = (30.0_f32.to_radians(), 60.0_f32.to_radians());
    let expected = Vec3::new(phi.sin() * theta.sin(), phi.cos(), phi.sin() * theta.cos()) * 2.0;
    assert!(from(30.0, 60.0).abs_diff_eq(expected, 1e-6));
}

#[test]
fn an_orbit_is_a_look_at_where_that_has_an_answer() {
    let target = Vec3::new(-1.0, 0.5, 2.0);
    let orbit = View::orbit(200.0, 40.0, 3.0, target, 0.8, 1.5);
    assert!(orbit.view.abs_diff_eq(Mat4::look_at_rh(orbit.eye, target, Vec3::Y), 1e-5));
    for phi in [0.0, 180.0] {
        let pole = View::orbit(45.0, phi, 3.0, target, 0.8, 1.5);
        assert!(project(&pole, target).truncate().length() < 1e-5);
        assert!((pole.view.determinant() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn depth_is_one_near_and_none_far() {
    let view = View::orbit(0.0, 90.0, 10.0, Vec3::ZERO, FRAC_PI_4, 1.0);
    let ahead = |distance: f32| project(&view, view.eye - Vec3::Z * distance);
    assert!((ahead(view.near).z - 1.0).abs() < 1e-4);
    assert!(ahead(1e9).z < 1e-6 && ahead(1e9).z >= 0.0);
    assert!(ahead(1.0).z > ahead(2.0).z);
    let up = project(&view, view.eye - Vec3::Z + Vec3::Y * (FRAC_PI_4 / 2.0).tan());
    assert!((up.y - 1.0).abs() < 1e-5, "the top edge is +1");
}

#[test]
fn cameras_keep_their_planes() {
    let perspective = Projection::Perspective { yfov: 0.7, aspect: None, near: 0.5, far: Some(20.0) };
    let camera = Camera { name: String::new(), projection: perspective };
    // A node's scale is not the camera's.
    let global = Mat4::from_scale_rotation_translation(
        Vec3::splat(3.0),
        glam::Quat::from_rotation_y(1.0),
        Vec3::new(1.0, 2.0, 3.0),
    );
    let view = View::from_camera(&camera, global, 2.0);
    assert!(view.eye.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-6));
    let forward = glam::Quat::from_rotation_y(1.0) * -Vec3::Z;
    assert!((project(&view, view.eye + forward * 0.5).z - 1.0).abs() < 1e-5);
    assert!(project(&view, view.eye + forward * 20.0).z.abs() < 1e-5);

    let parallel = Projection::Orthographic { xmag: 2.0, ymag: 1.0, near: 0.0, far: 10.0 };
    let camera = Camera { name: String::new(), projection: parallel };
    let view = View::from_camera(&camera, Mat4::IDENTITY, 1.0);
    // A square picture of a wide camera: its width is kept.
    assert!(project(&view, Vec3::new(2.0, 0.0, -5.0)).abs_diff_eq(Vec3::new(1.0, 0.0, 0.5), 1e-6));
    assert!(project(&view, Vec3::new(0.0, 2.0, 0.0)).abs_diff_eq(Vec3::new(0.0, 1.0, 1.0), 1e-6));
}

#[test]
fn a_frame_holds_all_of_its_bounds_and_is_filled() {
    let shapes = [
        Aabb { min: Vec3::ZERO, max: Vec3::ONE },
        Aabb { min: Vec3::new(-50.0, -1.0, -2.0), max: Vec3::new(50.0, 1.0, 2.0) },
        Aabb { min: Vec3::new(10.0, 0.0, 10.0), max: Vec3::new(10.1, 90.0, 10.1) },
        Aabb { min: Vec3::new(-1e-3, -1e-3, -1e-3), max: Vec3::splat(1e-3) },
    ];
    for bounds in shapes {
        for aspect in [0.4, 1.0, 2.5] {
            let view = View::frame(bounds, FRAC_PI_4, aspect);
            let mut most = 0.0_f32;
            for corner in bounds.corners() {
                let clip: Vec4 = view.view_proj() * corner.extend(1.0);
                assert!(clip.w > view.near, "{bounds:?} is in front of the near plane");
                most = most.max(clip.x.abs() / clip.w).max(clip.y.abs() / clip.w);
            }
            assert!((0.8..1.0).contains(&most), "{bounds:?} at {aspect} reaches {most}");
        }
    }
}

#[test]
fn a_single_point_can_be_framed() {
    let point = Aabb { min: Vec3::ONE, max: Vec3::ONE };
    let view = View::frame(point, FRAC_PI_4, 1.0);
    assert!(project(&view, Vec3::ONE).truncate().length() < 1e-5);
}
