//! Reflected radiance as a sum over every texel of the environment.
//!
//! A texel counts with its solid angle and, as a rule, with the BRDF at its middle. Where a lobe is so
//! narrow that it changes within a texel, the texel is cut into [`FINE`]² parts whose radiance is
//! interpolated, as a texture unit would. `tests/integral.rs` checks that finer cuts change nothing.
use super::brdf::{self, Albedo, Material};
use super::environment::Environment;
use super::sphere::Seen;
use glam::DVec3;

/// Parts a side into which a texel is cut near a narrow lobe's peak.
pub const FINE: usize = 8;

/// Steps of the directional albedo's integration.
const ALBEDO_STEPS: usize = 96;

/// The radiance towards the viewer: for each thing seen, one a material.
///
/// `fine` is [`FINE`] but where its influence is tested. Runs on all processors.
#[must_use]
pub fn reflected(sky: &Environment, seen: &[Seen], materials: &[Material], fine: usize) -> Vec<Vec<DVec3>> {
    on_all_processors(seen, |seen| at(sky, seen, materials, fine))
}

/// The radiance towards the viewer of things that each have a material of their own.
#[must_use]
pub fn reflected_each(sky: &Environment, seen: &[(Seen, Material)]) -> Vec<DVec3> {
    on_all_processors(seen, |(seen, material)| at(sky, seen, std::slice::from_ref(material), FINE))
        .into_iter()
        .flatten()
        .collect()
}

/// Applies a function to every item, a share of them on each processor, and keeps their order.
fn on_all_processors<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let shares: Vec<_> = items
            .chunks(share)
            .map(|part| scope.spawn(move || part.iter().map(work).collect::<Vec<R>>()))
            .collect();
        let joined = shares.into_iter().map(|w| w.join());
        joined.flat_map(|done| done.unwrap_or_else(|cause| std::panic::resume_unwind(cause))).collect()
    })
}

/// One lobe at one point: what does not depend on the light.
struct Lobe {
    alpha: f64,
    f0: DVec3,
    compensation: DVec3,
    diffuse: DVec3,
    /// Below this sine of the angle between normal and half vector, texels are cut.
    narrow: f64,
}

/// Radiance that one seen point reflects, one a material.
fn at(sky: &Environment, seen: &Seen, materials: &[Material], fine: usize) -> Vec<DVec3> {
    let n_dot_v = seen.normal.dot(seen.view).clamp(1e-6, 1.0);
    // Half a texel, as an angle of the half vector, and how many lobe widths it may be.
    let step = std::f64::consts::PI / sky.height() as f64 / 2.0;
    let reach = step / 0.06;
    let lobes: Vec<Lobe> = materials
        .iter()
        .map(|material| {
            let albedo = Albedo::integrate(n_dot_v, material.roughness, ALBEDO_STEPS);
            let alpha = material.alpha();
            Lobe {
                alpha,
                f0: material.f0(),
                compensation: albedo.compensation(material.f0()),
                diffuse: albedo.diffuse(material),
                narrow: (reach * reach - alpha * alpha).max(0.0).sqrt(),
            }
        })
        .collect();
    let narrowest = lobes.iter().map(|l| l.narrow).fold(0.0, f64::max);
    let mut sums = vec![DVec3::ZERO; lobes.len()];
    for j in 0..sky.height() {
        let area = sky.solid_angle(j as f64, j as f64 + 1.0, 1.0);
        for i in 0..sky.width() {
            let light = sky.texel_direction(i, j);
            let n_dot_l = seen.normal.dot(light);
            // A texel whose middle is just below the horizon still shows a part: less than half a texel
            // of a lobe that is zero there.
            if n_dot_l <= 0.0 {
                continue;
            }
            let angles = Angles::new(seen, light, n_dot_l, n_dot_v);
            let radiance = sky.texel(i as isize, j as isize) * area;
            let cut = fine > 1 && angles.sine() < narrowest;
            for (sum, lobe) in sums.iter_mut().zip(&lobes) {
                if !(cut && angles.sine() < lobe.narrow) {
                    *sum += radiance * lobe.reflect(&angles);
                }
            }
            if cut {
                add_cut(sky, seen, n_dot_v, (i, j), fine, angles.sine(), &lobes, &mut sums);
            }
        }
    }
    sums
}

/// Adds a texel in parts to the lobes that are narrow there.
#[expect(clippy::too_many_arguments, reason = "the inner half of one loop, apart for its length")]
fn add_cut(
    sky: &Environment,
    seen: &Seen,
    n_dot_v: f64,
    (i, j): (usize, usize),
    fine: usize,
    sine: f64,
    lobes: &[Lobe],
    sums: &mut [DVec3],
) {
    let part = 1.0 / fine as f64;
    for b in 0..fine {
        let top = j as f64 + b as f64 * part;
        let area = sky.solid_angle(top, top + part, part);
        for a in 0..fine {
            let (x, y) = (i as f64 + (a as f64 + 0.5) * part, top + part / 2.0);
            let light = sky.direction(x, y);
            let n_dot_l = seen.normal.dot(light);
            if n_dot_l <= 0.0 {
                continue;
            }
            let angles = Angles::new(seen, light, n_dot_l, n_dot_v);
            let radiance = sky.bilinear(x, y) * area;
            for (sum, lobe) in sums.iter_mut().zip(lobes) {
                if sine < lobe.narrow {
                    *sum += radiance * lobe.reflect(&angles);
                }
            }
        }
    }
}

/// The cosines between normal, view, light and half vector.
struct Angles {
    n_dot_l: f64,
    n_dot_v: f64,
    n_dot_h: f64,
    v_dot_h: f64,
}

impl Angles {
    fn new(seen: &Seen, light: DVec3, n_dot_l: f64, n_dot_v: f64) -> Self {
        let half = (light + seen.view).normalize();
        Self { n_dot_l, n_dot_v, n_dot_h: seen.normal.dot(half), v_dot_h: seen.view.dot(half) }
    }

    /// Sine between normal and half vector.
    fn sine(&self) -> f64 {
        (1.0 - self.n_dot_h * self.n_dot_h).max(0.0).sqrt()
    }
}

impl Lobe {
    /// BRDF times cosine.
    fn reflect(&self, angles: &Angles) -> DVec3 {
        let shape = brdf::distribution(angles.n_dot_h, self.alpha)
            * brdf::visibility(angles.n_dot_l, angles.n_dot_v, self.alpha);
        let f = brdf::schlick(angles.v_dot_h);
        let specular = (self.f0 + (DVec3::ONE - self.f0) * f) * self.compensation * shape;
        (specular + self.diffuse) * angles.n_dot_l
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::sphere::Camera;

    #[test]
    fn a_white_sky_comes_back_white() {
        let sky = Environment::new(256, 128, &[[1.0; 3]; 256 * 128]).unwrap();
        let seen = Camera { theta: 20.0, phi: 70.0, radius: 3.0, target: DVec3::ZERO, fov: 45.0, size: 32 }
            .seen(6, 1.0);
        let white = |metallic, roughness| Material { base: DVec3::ONE, metallic, roughness };
        let materials = [white(0.0, 1.0), white(1.0, 0.1), white(1.0, 0.5), white(1.0, 1.0)];
        for found in reflected(&sky, &seen, &materials, FINE) {
            for (radiance, material) in found.iter().zip(&materials) {
                assert!((*radiance - DVec3::ONE).abs().max_element() < 0.01, "{material:?}: {radiance}");
            }
        }
    }
}
