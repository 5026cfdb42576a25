//! Views: where the eye is and how it projects.
use crate::{Aabb, Camera, Projection};
use glam::{Mat4, Vec3};

/// Where the eye is and how it projects.
///
/// Right-handed, looking down -Z with +Y up; clip depth is reversed: 1 at the near plane, 0 at the far one or
/// at infinity. NDC has +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// `view_from_world`.
    pub view: Mat4,
    /// `clip_from_view`.
    pub proj: Mat4,
    /// The eye in the world, metres.
    pub eye: Vec3,
    /// Distance of the near plane in metres.
    pub near: f32,
    /// Distance of the far plane in metres; `None` is infinite.
    pub far: Option<f32>,
    /// Vertical field of view in radians; `None` when parallel.
    pub yfov: Option<f32>,
}

/// The near plane of orbits as a part of the distance to what is looked at. Reversed floating-point depth
/// resolves well at any distance, so it only has to stay out of the picture.
const NEAR_PART: f32 = 1e-3;
/// Where [`View::frame`] looks from, degrees: three quarters from the front, a little above.
const FRAME_THETA: f32 = 30.0;
const FRAME_PHI: f32 = 70.0;
/// How much of the picture's smaller margin [`View::frame`] leaves free.
const FRAME_MARGIN: f32 = 1.08;

impl View {
    /// `clip_from_world`.
    #[must_use]
    pub fn view_proj(&self) -> Mat4 {
        self.proj * self.view
    }

    /// Looks at `target` from a sphere around it: `theta_deg` about +Y measured from +Z, `phi_deg` down from
    /// +Y, `radius` in metres. `yfov` is the vertical field of view in radians, `aspect` width over height.
    ///
    /// Straight down and straight up work too: up is then the way the sphere's meridian runs.
    #[must_use]
    pub fn orbit(theta_deg: f32, phi_deg: f32, radius: f32, target: Vec3, yfov: f32, aspect: f32) -> Self {
        let axes = OrbitAxes::new(theta_deg, phi_deg);
        let eye = target + axes.back * radius;
        // Not look_at: it has no answer at the poles.
        let view = Mat4::from_cols(
            Vec3::new(axes.right.x, axes.up.x, axes.back.x).extend(0.0),
            Vec3::new(axes.right.y, axes.up.y, axes.back.y).extend(0.0),
            Vec3::new(axes.right.z, axes.up.z, axes.back.z).extend(0.0),
            Vec3::new(-axes.right.dot(eye), -axes.up.dot(eye), -axes.back.dot(eye)).extend(1.0),
        );
        let near = (radius.abs() * NEAR_PART).max(1e-6);
        Self {
            view,
            proj: Mat4::perspective_infinite_reverse_rh(yfov, aspect, near),
            eye,
            near,
            far: None,
            yfov: Some(yfov),
        }
    }

    /// Looks through a camera whose node's `world_from_node` is `global` (see [`crate::Pose::globals`]) into a
    /// picture of `aspect`, width over height.
    ///
    /// A perspective camera keeps its vertical field of view. A parallel camera shows at least all that it
    /// covers, and more along one axis when the picture's shape differs. Scale in `global` is left out, as
    /// glTF 2.0 (section 3.10) demands.
    #[must_use]
    pub fn from_camera(camera: &Camera, global: Mat4, aspect: f32) -> Self {
        let eye = global.w_axis.truncate();
        let back = global.z_axis.truncate().try_normalize().unwrap_or(Vec3::Z);
        let up = global.y_axis.truncate();
        let up = (up - back * up.dot(back)).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
        let view = Mat4::look_to_rh(eye, -back, up);
        match camera.projection {
            Projection::Perspective { yfov, near, far, .. } => {
                let proj = match far {
                    // Near and far swapped: depth is reversed.
                    Some(far) => Mat4::perspective_rh(yfov, aspect, far, near),
                    None => Mat4::perspective_infinite_reverse_rh(yfov, aspect, near),
                };
                Self { view, proj, eye, near, far, yfov: Some(yfov) }
            }
            Projection::Orthographic { xmag, ymag, near, far } => {
                let (x, y) = (xmag.abs(), ymag.abs());
                let (x, y) = if aspect * y >= x { (aspect * y, y) } else { (x, x / aspect) };
                let proj = Mat4::orthographic_rh(-x, x, -y, y, far, near);
                Self { view, proj, eye, near, far: Some(far), yfov: None }
            }
        }
    }

    /// Looks at `bounds` from the front, three quarters and a little above, from just far enough that all of
    /// it is in the picture. `yfov` is the vertical field of view in radians, `aspect` width over height.
    #[must_use]
    pub fn frame(bounds: Aabb, yfov: f32, aspect: f32) -> Self {
        Self::frame_from(bounds, FRAME_THETA, FRAME_PHI, yfov, aspect)
    }

    /// As [`View::frame`], from the direction of an orbit (see [`View::orbit`]).
    #[must_use]
    pub fn frame_from(bounds: Aabb, theta_deg: f32, phi_deg: f32, yfov: f32, aspect: f32) -> Self {
        let axes = OrbitAxes::new(theta_deg, phi_deg);
        let tan_y = (yfov * 0.5).tan();
        let tan_x = tan_y * aspect;
        let target = bounds.center();
        let radius = bounds.corners().iter().fold(0.0_f32, |radius, &corner| {
            let offset = corner - target;
            let beside = (offset.dot(axes.right).abs() / tan_x).max(offset.dot(axes.up).abs() / tan_y);
            // A corner nearer to the eye needs its own distance more.
            radius.max(beside * FRAME_MARGIN + offset.dot(axes.back))
        });
        // A single point has no size to fill the picture with.
        let radius = if radius.is_finite() && radius > 1e-6 { radius } else { 1.0 };
        Self::orbit(theta_deg, phi_deg, radius, target, yfov, aspect)
    }
}

/// The eye's axes on the sphere of an orbit.
struct OrbitAxes {
    right: Vec3,
    up: Vec3,
    back: Vec3,
}

impl OrbitAxes {
    fn new(theta_deg: f32, phi_deg: f32) -> Self {
        let (sin_theta, cos_theta) = theta_deg.to_radians().sin_cos();
        let (sin_phi, cos_phi) = phi_deg.to_radians().sin_cos();
        Self {
            right: Vec3::new(cos_theta, 0.0, -sin_theta),
            up: Vec3::new(-cos_phi * sin_theta, sin_phi, -cos_phi * cos_theta),
            back: Vec3::new(sin_phi * sin_theta, cos_phi, sin_phi * cos_theta),
        }
    }
}

#[cfg(test)]
mod tests;
