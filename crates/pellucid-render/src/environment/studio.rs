//! The built-in studio: soft lights in a neutral grey room.
use glam::Vec3;
use pellucid_scene::Equirect;

const WIDTH: u32 = 512;
const HEIGHT: u32 = 256;

/// A rectangular lamp with soft edges, seen from the middle of the room.
struct Softbox {
    /// Unit, towards its middle.
    direction: Vec3,
    /// Half its width and height in radians.
    half: [f32; 2],
    /// Tangents of the angles beyond which it gives nothing, edge included.
    reach: [f32; 2],
    /// Width of its edge in radians.
    edge: f32,
    /// Linear radiance.
    radiance: Vec3,
}

impl Softbox {
    fn at(azimuth: f32, elevation: f32, half: [f32; 2], edge: f32, radiance: Vec3) -> Self {
        let (azimuth, elevation) = (azimuth.to_radians(), elevation.to_radians());
        let direction =
            Vec3::new(elevation.cos() * azimuth.sin(), elevation.sin(), elevation.cos() * azimuth.cos());
        let half = half.map(f32::to_radians);
        let edge = edge.to_radians();
        let reach = half.map(|half| (half + edge * 0.5).tan());
        Self { direction, half, reach, edge, radiance }
    }

    fn toward(&self, direction: Vec3) -> Vec3 {
        let right = Vec3::Y.cross(self.direction).normalize_or(Vec3::X);
        let up = self.direction.cross(right);
        let depth = direction.dot(self.direction);
        let (across, along) = (direction.dot(right), direction.dot(up));
        if depth <= 0.0 || across.abs() > self.reach[0] * depth || along.abs() > self.reach[1] * depth {
            return Vec3::ZERO;
        }
        let inside = |offset: f32, half: f32| {
            let t = ((half - offset.abs().atan2(depth)) / self.edge + 0.5).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        let [half_width, half_height] = self.half;
        self.radiance * (inside(across, half_width) * inside(along, half_height))
    }
}

/// A neutral studio made by code: a large key softbox above the viewer's left, a cooler fill on the right, two
/// strips behind for rims, and a grey room that is lighter above than below. Mean radiance is near 1.
///
/// The viewer is at +Z and looks along -Z, as the automatic framing does.
#[must_use]
pub fn studio() -> Equirect {
    let boxes = [
        Softbox::at(-38.0, 48.0, [24.0, 20.0], 9.0, Vec3::new(7.6, 7.35, 6.95)),
        Softbox::at(62.0, 18.0, [16.0, 26.0], 12.0, Vec3::new(2.4, 2.6, 2.9)),
        Softbox::at(-128.0, 24.0, [7.0, 34.0], 6.0, Vec3::new(5.0, 5.1, 5.4)),
        Softbox::at(140.0, 30.0, [7.0, 30.0], 6.0, Vec3::new(5.4, 5.2, 4.9)),
    ];
    let mut rgb = Vec::with_capacity((WIDTH * HEIGHT) as usize);
    for y in 0..HEIGHT {
        let theta = (y as f32 + 0.5) / HEIGHT as f32 * std::f32::consts::PI;
        for x in 0..WIDTH {
            let phi = ((x as f32 + 0.5) / WIDTH as f32 - 0.5) * std::f32::consts::TAU;
            let direction = Vec3::new(theta.sin() * phi.cos(), theta.cos(), theta.sin() * phi.sin());
            rgb.push(radiance(direction, &boxes).to_array());
        }
    }
    Equirect { width: WIDTH, height: HEIGHT, rgb }
}

fn radiance(direction: Vec3, boxes: &[Softbox]) -> Vec3 {
    // A smooth step from the floor to the ceiling, so that no hard horizon shows in polished metal.
    let t = (direction.y * 0.5 + 0.5).clamp(0.0, 1.0);
    let room = Vec3::splat(0.14).lerp(Vec3::splat(0.62), t * t * (3.0 - 2.0 * t));
    boxes.iter().fold(room, |sum, softbox| sum + softbox.toward(direction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studio_is_neutral_and_near_one() {
        let studio = studio();
        let mut sum = Vec3::ZERO;
        let mut weights = 0.0;
        for (i, &c) in studio.rgb.iter().enumerate() {
            let row = i as u32 / studio.width;
            let weight = ((row as f32 + 0.5) / studio.height as f32 * std::f32::consts::PI).sin();
            sum += Vec3::from(c) * weight;
            weights += weight;
        }
        let mean = sum / weights;
        assert!(mean.min_element() > 0.6 && mean.max_element() < 1.6, "{mean}");
        assert!(mean.max_element() / mean.min_element() < 1.05, "{mean}");
        assert!(studio.rgb.iter().flatten().all(|c| c.is_finite() && *c >= 0.0));
    }
}
