//! Takes the sun out of an environment.
//!
//! A sun of a few texels can hold most of an environment's light. Nine harmonics ring on it, and a prefiltered
//! cube smears it or misses it. So the few small, very bright spots become directional lights, evaluated with
//! the BRDF itself, and what is left is smooth enough to be filtered well.
use glam::{Vec3, Vec3A};
use pellucid_scene::Equirect;

/// Most spots taken out; the brightest win.
const MAX_KEY_LIGHTS: usize = 4;
/// A texel is part of a spot when it is brighter than this many times the environment without its spots.
const CONTRAST: f32 = 24.0;
/// A spot is taken out when it holds at least this part of the environment's light.
const MIN_SHARE: f64 = 0.02;
/// A spot whose mean squared angle is beyond this (4 degrees, squared) is no point: it stays.
const MAX_VARIANCE: f64 = 0.07 * 0.07;

/// One spot as a directional light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyLight {
    /// Unit, towards the light.
    pub direction: Vec3,
    /// Irradiance on a surface that faces it, linear.
    pub irradiance: Vec3,
    /// Mean squared angle in radians from its middle.
    pub angular_variance: f32,
}

/// The spots, and what to cut off so that the rest is without them.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyLights {
    /// At most [`MAX_KEY_LIGHTS`], the strongest first.
    pub lights: Vec<KeyLight>,
    /// Radiance is scaled down to this luminance where it is above; infinite without spots.
    pub clip: f32,
}

fn luminance(c: [f32; 3]) -> f32 {
    0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
}

/// Solid angle of the texels of each row, and the direction of each texel.
struct Sphere {
    width: usize,
    row_angle: Vec<f64>,
    row_sin_cos: Vec<(f32, f32)>,
    column_sin_cos: Vec<(f32, f32)>,
}

impl Sphere {
    fn new(width: usize, height: usize) -> Self {
        use std::f64::consts::PI;
        let edge = |row: usize| (PI * row as f64 / height as f64).cos();
        let row_angle = (0..height).map(|y| (edge(y) - edge(y + 1)) * 2.0 * PI / width as f64).collect();
        let row_sin_cos = (0..height)
            .map(|y| ((y as f64 + 0.5) / height as f64 * PI).sin_cos())
            .map(|(s, c)| (s as f32, c as f32))
            .collect();
        let column_sin_cos = (0..width)
            .map(|x| (((x as f64 + 0.5) / width as f64 - 0.5) * 2.0 * PI).sin_cos())
            .map(|(s, c)| (s as f32, c as f32))
            .collect();
        Self { width, row_angle, row_sin_cos, column_sin_cos }
    }

    fn direction(&self, index: usize) -> Vec3A {
        let (sin_theta, cos_theta) = self.row_sin_cos[index / self.width];
        let (sin_phi, cos_phi) = self.column_sin_cos[index % self.width];
        Vec3A::new(sin_theta * cos_phi, cos_theta, sin_theta * sin_phi)
    }

    fn angle(&self, index: usize) -> f64 {
        self.row_angle[index / self.width]
    }
}

/// A connected patch of texels above a threshold.
struct Spot {
    texels: Vec<usize>,
    power: f64,
}

/// Finds the spots. The environment's size must match its texels (the renderer checks).
pub fn find(environment: &Equirect) -> KeyLights {
    let none = KeyLights { lights: Vec::new(), clip: f32::INFINITY };
    let (width, height) = (environment.width as usize, environment.height as usize);
    let sphere = Sphere::new(width, height);
    let luminances: Vec<f32> = environment.rgb.iter().map(|&c| luminance(c)).collect();
    let total: f64 =
        luminances.chunks_exact(width).zip(&sphere.row_angle).map(|(row, angle)| row_sum(row) * angle).sum();
    let threshold = CONTRAST * mean_without_spots(&luminances, &sphere, total);
    if threshold <= 0.0 || !threshold.is_finite() {
        return none;
    }

    let (mut chosen, rest) = spots(&luminances, &sphere, threshold, total);
    if chosen.is_empty() {
        return none;
    }
    // Spots that stay raise the cut, for it is one number for the whole environment.
    let clip = rest.iter().map(|&i| luminances[i]).fold(threshold, f32::max);
    chosen.retain(|spot| spot.texels.iter().any(|&i| luminances[i] > clip));
    let lights: Vec<KeyLight> = chosen
        .iter()
        .map(|spot| light(spot, environment, &luminances, &sphere, clip))
        .filter(|light| light.irradiance.is_finite() && light.irradiance.max_element() > 0.0)
        .collect();
    if lights.is_empty() { none } else { KeyLights { lights, clip } }
}

fn row_sum(row: &[f32]) -> f64 {
    row.iter().map(|&l| f64::from(l)).sum()
}

/// Mean luminance, with texels counted at no more than a few times the mean: what the spots can't move.
fn mean_without_spots(luminances: &[f32], sphere: &Sphere, total: f64) -> f32 {
    const SPHERE: f64 = 4.0 * std::f64::consts::PI;
    let mut mean = total / SPHERE;
    for _ in 0..4 {
        let cap = (8.0 * mean) as f32;
        mean = luminances
            .chunks_exact(sphere.width)
            .zip(&sphere.row_angle)
            .map(|(row, angle)| row.iter().map(|&l| f64::from(l.min(cap))).sum::<f64>() * angle)
            .sum::<f64>()
            / SPHERE;
    }
    mean as f32
}

/// The spots to take out, strongest first, and the bright texels of those that stay.
fn spots(luminances: &[f32], sphere: &Sphere, threshold: f32, total: f64) -> (Vec<Spot>, Vec<usize>) {
    let mut seen = vec![false; luminances.len()];
    let mut chosen: Vec<Spot> = Vec::new();
    let mut rest = Vec::new();
    for start in 0..luminances.len() {
        if seen[start] || luminances[start] <= threshold {
            continue;
        }
        let texels = connected(luminances, sphere.width, threshold, start, &mut seen);
        let excess = |i: usize| f64::from(luminances[i] - threshold) * sphere.angle(i);
        let power: f64 = texels.iter().map(|&i| excess(i)).sum();
        let middle = texels.iter().map(|&i| sphere.direction(i) * excess(i) as f32).sum::<Vec3A>();
        let middle = middle.normalize_or_zero();
        let variance = texels
            .iter()
            .map(|&i| excess(i) * f64::from((sphere.direction(i) - middle).length_squared()))
            .sum::<f64>()
            / power.max(f64::MIN_POSITIVE);
        if power >= MIN_SHARE * total && variance <= MAX_VARIANCE {
            chosen.push(Spot { texels, power });
        } else {
            rest.extend(texels);
        }
    }
    chosen.sort_by(|a, b| b.power.total_cmp(&a.power));
    for spot in chosen.drain(chosen.len().min(MAX_KEY_LIGHTS)..) {
        rest.extend(spot.texels);
    }
    (chosen, rest)
}

/// All texels above the threshold that touch `start`, across the seam too.
fn connected(
    luminances: &[f32],
    width: usize,
    threshold: f32,
    start: usize,
    seen: &mut [bool],
) -> Vec<usize> {
    let height = luminances.len() / width;
    let mut texels = vec![start];
    seen[start] = true;
    let mut next = 0;
    while let Some(&at) = texels.get(next) {
        next += 1;
        let (x, y) = (at % width, at / width);
        for row in y.saturating_sub(1)..=(y + 1).min(height - 1) {
            for column in [x + width - 1, x, x + 1] {
                let neighbour = row * width + column % width;
                if !seen[neighbour] && luminances[neighbour] > threshold {
                    seen[neighbour] = true;
                    texels.push(neighbour);
                }
            }
        }
    }
    texels
}

/// What is above the cut in a spot, as one light.
fn light(spot: &Spot, environment: &Equirect, luminances: &[f32], sphere: &Sphere, clip: f32) -> KeyLight {
    let mut irradiance = [0.0f64; 3];
    let mut middle = Vec3A::ZERO;
    for &i in &spot.texels {
        let cut = 1.0 - f64::from((clip / luminances[i]).min(1.0));
        let weight = cut * sphere.angle(i);
        for (sum, &channel) in irradiance.iter_mut().zip(&environment.rgb[i]) {
            *sum += f64::from(channel) * weight;
        }
        middle += sphere.direction(i) * (weight * f64::from(luminances[i])) as f32;
    }
    let direction = middle.normalize_or_zero();
    let mut power = 0.0f64;
    let mut spread = 0.0f64;
    for &i in &spot.texels {
        let excess = f64::from((luminances[i] - clip).max(0.0)) * sphere.angle(i);
        // A texel is no point either: its own extent adds to the spread (a uniform square's variance).
        let own = sphere.angle(i) / 6.0;
        spread += excess * (f64::from((sphere.direction(i) - direction).length_squared()) + own);
        power += excess;
    }
    KeyLight {
        direction: direction.into(),
        irradiance: Vec3::from(irradiance.map(|c| c as f32)),
        angular_variance: (spread / power.max(f64::MIN_POSITIVE)) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uniform(value: f32) -> Equirect {
        Equirect { width: 64, height: 32, rgb: vec![[value; 3]; 64 * 32] }
    }

    #[test]
    fn an_even_environment_has_no_key_light() {
        assert_eq!(find(&uniform(1.0)), KeyLights { lights: vec![], clip: f32::INFINITY });
        assert_eq!(find(&uniform(0.0)), KeyLights { lights: vec![], clip: f32::INFINITY });
    }

    #[test]
    fn a_sun_is_taken_out_whole() {
        let mut environment = uniform(0.5);
        // Row 8 is 45 degrees up, column 48 a quarter turn from +X: towards +Z.
        let texel = 8 * 64 + 48;
        environment.rgb[texel] = [20_000.0, 10_000.0, 5_000.0];
        let found = find(&environment);
        assert_eq!(found.lights.len(), 1);
        let light = found.lights[0];
        let expected = Vec3::new(0.0, 1.0, 1.0).normalize();
        assert!(light.direction.dot(expected) > 0.995, "{light:?}");
        let angle = Sphere::new(64, 32).angle(texel) as f32;
        let kept = found.clip / luminance(environment.rgb[texel]);
        let irradiance = Vec3::new(20_000.0, 10_000.0, 5_000.0) * angle * (1.0 - kept);
        assert!((light.irradiance / irradiance - 1.0).abs().max_element() < 1e-4, "{light:?}");
        assert!(found.clip < 100.0);
    }

    #[test]
    fn a_spot_across_the_seam_is_one() {
        let mut environment = uniform(0.5);
        environment.rgb[10 * 64] = [9_000.0; 3];
        environment.rgb[10 * 64 + 63] = [9_000.0; 3];
        let found = find(&environment);
        assert_eq!(found.lights.len(), 1);
        assert!(found.lights[0].direction.x < -0.8, "the seam is at -X: {found:?}");
    }

    #[test]
    fn a_window_is_no_point() {
        let mut environment = uniform(0.2);
        for y in 4..16 {
            for x in 10..30 {
                environment.rgb[y * 64 + x] = [90.0; 3];
            }
        }
        assert!(find(&environment).lights.is_empty());
    }

    #[test]
    fn what_stays_raises_the_cut() {
        let mut environment = uniform(0.1);
        for y in 4..12 {
            for x in 10..20 {
                environment.rgb[y * 64 + x] = [50.0; 3];
            }
        }
        environment.rgb[20 * 64 + 50] = [90_000.0; 3];
        let found = find(&environment);
        assert_eq!(found.lights.len(), 1);
        assert!(found.clip >= 50.0);
    }
}
