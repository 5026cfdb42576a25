//! An orbit camera, and a unit sphere at the origin under it: what lies under each pixel.
use glam::DVec3;

/// An orbit camera, square picture.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Degrees about +Y from +Z.
    pub theta: f64,
    /// Degrees from +Y.
    pub phi: f64,
    /// Metres from the target; above 1 for the sphere.
    pub radius: f64,
    /// What it looks at; the origin for the sphere.
    pub target: DVec3,
    /// Field of view in degrees.
    pub fov: f64,
    /// Pixels a side.
    pub size: u32,
}

/// What is seen at a pixel's middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// Unit normal; on the unit sphere also the position.
    pub normal: DVec3,
    /// Unit vector to the camera.
    pub view: DVec3,
}

impl Camera {
    /// Where it is.
    #[must_use]
    pub fn eye(&self) -> DVec3 {
        let (theta, phi) = (self.theta.to_radians(), self.phi.to_radians());
        self.target + self.radius * DVec3::new(phi.sin() * theta.sin(), phi.cos(), phi.sin() * theta.cos())
    }

    /// The unit direction through a point of the picture, in pixels from its top left corner.
    #[must_use]
    pub fn ray(&self, x: f64, y: f64) -> DVec3 {
        let forward = (self.target - self.eye()).normalize();
        let right = forward.cross(DVec3::Y).normalize();
        let up = right.cross(forward);
        let half = (self.fov.to_radians() / 2.0).tan();
        let size = f64::from(self.size);
        let (sx, sy) = ((x / size * 2.0 - 1.0) * half, (1.0 - y / size * 2.0) * half);
        (forward + sx * right + sy * up).normalize()
    }

    /// The point of the unit sphere under a point of the picture.
    #[must_use]
    pub fn hit(&self, x: f64, y: f64) -> Option<DVec3> {
        let (eye, ray) = (self.eye(), self.ray(x, y));
        let b = eye.dot(ray);
        let root = b * b - (eye.length_squared() - 1.0);
        (root >= 0.0).then(|| (eye + ray * (-b - root.sqrt())).normalize())
    }

    /// What is seen at the middles of every `step`th pixel that lies wholly inside the sphere, with a
    /// margin of `margin` pixels.
    #[must_use]
    pub fn seen(&self, step: u32, margin: f64) -> Vec<Seen> {
        let step = step.max(1);
        let start = step / 2;
        (start..self.size)
            .step_by(step as usize)
            .flat_map(|y| (start..self.size).step_by(step as usize).map(move |x| (x, y)))
            .filter_map(|(x, y)| {
                let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let reach = 0.5 + margin;
                let corners = [(-reach, -reach), (reach, -reach), (-reach, reach), (reach, reach)];
                if corners.iter().any(|(dx, dy)| self.hit(cx + dx, cy + dy).is_none()) {
                    return None;
                }
                let normal = self.hit(cx, cy)?;
                Some(Seen { x, y, normal, view: (self.eye() - normal).normalize() })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_faces_the_camera() {
        let camera = Camera { theta: 30.0, phi: 60.0, radius: 3.0, target: DVec3::ZERO, fov: 45.0, size: 64 };
        let hit = camera.hit(32.0, 32.0).unwrap();
        assert!((hit - camera.eye().normalize()).length() < 1e-12);
        assert!(camera.hit(0.0, 0.0).is_none());
        // Upwards in the picture is upwards in the world.
        assert!(camera.hit(32.0, 20.0).unwrap().y > hit.y);
    }

    #[test]
    fn what_is_seen_faces_the_camera() {
        let camera =
            Camera { theta: -100.0, phi: 80.0, radius: 3.0, target: DVec3::ZERO, fov: 45.0, size: 64 };
        let seen = camera.seen(4, 1.0);
        assert!(seen.len() > 50);
        assert!(seen.iter().all(|s| s.normal.dot(s.view) > 0.0));
    }
}
