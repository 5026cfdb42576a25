//! What a view can't see.
use glam::{Mat4, Vec3, Vec4};
use pellucid_scene::Aabb;

/// The planes of a view's frustum, pointing inwards.
pub(crate) struct Frustum {
    planes: [Vec4; 6],
}

impl Frustum {
    /// Of a matrix with clip depth 0..w (Gribb and Hartmann 2001). With an infinite far plane in reverse-Z one
    /// plane has no normal; it then lets everything pass.
    pub fn new(clip_from_world: Mat4) -> Self {
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
        Self { planes: [w + x, w - x, w + y, w - y, z, w - z] }
    }

    /// Whether a box may be seen: false only when it is wholly behind one plane.
    pub fn sees(&self, bounds: Aabb) -> bool {
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            let farthest = Vec3::select(normal.cmpge(Vec3::ZERO), bounds.max, bounds.min);
            normal.dot(farthest) + plane.w >= 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_scene::View;

    fn cube(center: Vec3) -> Aabb {
        Aabb { min: center - 0.5, max: center + 0.5 }
    }

    #[test]
    fn sees_before_and_not_behind() {
        // At +Z, looking along -Z, 90 degrees.
        let view = View::orbit(0.0, 90.0, 5.0, Vec3::ZERO, std::f32::consts::FRAC_PI_2, 1.0);
        let frustum = Frustum::new(view.proj * view.view);
        assert!(frustum.sees(cube(Vec3::ZERO)));
        assert!(frustum.sees(cube(Vec3::new(0.0, 0.0, -10_000.0))));
        assert!(frustum.sees(cube(Vec3::new(5.2, 0.0, 0.0))), "half in");
        assert!(!frustum.sees(cube(Vec3::new(6.5, 0.0, 0.0))));
        assert!(!frustum.sees(cube(Vec3::new(0.0, -6.5, 0.0))));
        assert!(!frustum.sees(cube(Vec3::new(0.0, 0.0, 8.0))));
    }
}
