//! The renderer's documented BRDF (docs/renderer.md), written once more from its formulas.
//!
//! Specular: GGX (Walter et al. 2007) with height-correlated Smith visibility (Heitz 2014), Schlick's
//! Fresnel term, scaled by `1 + F0 (1 / Ess - 1)` for light that bounces between facets (Turquin 2019),
//! where `Ess` is the lobe's directional albedo for a perfect reflector. Diffuse: Lambert's, of what the
//! specular lobe of a dielectric leaves.
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Reflectance at normal incidence of a dielectric.
pub const DIELECTRIC: f64 = 0.04;

/// A metallic-roughness material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Linear base colour.
    pub base: DVec3,
    /// Metalness, 0 to 1.
    pub metallic: f64,
    /// Perceptual roughness, above 0.
    pub roughness: f64,
}

impl Material {
    /// GGX's alpha.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.roughness * self.roughness
    }

    /// Reflectance at normal incidence.
    #[must_use]
    pub fn f0(&self) -> DVec3 {
        DVec3::splat(DIELECTRIC).lerp(self.base, self.metallic)
    }
}

/// GGX's distribution of facet normals, per steradian.
#[must_use]
pub fn distribution(n_dot_h: f64, alpha: f64) -> f64 {
    let a2 = alpha * alpha;
    let t = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    a2 / (PI * t * t)
}

/// Height-correlated Smith masking and shadowing over `4 n.l n.v`.
#[must_use]
pub fn visibility(n_dot_l: f64, n_dot_v: f64, alpha: f64) -> f64 {
    let a2 = alpha * alpha;
    let l = n_dot_v * (n_dot_l * n_dot_l * (1.0 - a2) + a2).sqrt();
    let v = n_dot_l * (n_dot_v * n_dot_v * (1.0 - a2) + a2).sqrt();
    0.5 / (l + v)
}

/// `(1 - v.h)^5`: the weight of 1 in Schlick's Fresnel term.
#[must_use]
pub fn schlick(v_dot_h: f64) -> f64 {
    let m = (1.0 - v_dot_h).clamp(0.0, 1.0);
    let m2 = m * m;
    m2 * m2 * m
}

/// The single-scatter lobe's directional albedo as `F0 * scale + bias`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Albedo {
    /// Weight of F0.
    pub scale: f64,
    /// Added for grazing reflection.
    pub bias: f64,
}

impl Albedo {
    /// Integrates over facet normals, `steps` by `2 * steps` of them, spread by the distribution.
    #[must_use]
    pub fn integrate(n_dot_v: f64, roughness: f64, steps: usize) -> Self {
        let alpha = roughness * roughness;
        let view = DVec3::new((1.0 - n_dot_v * n_dot_v).max(0.0).sqrt(), 0.0, n_dot_v);
        let (mut scale, mut bias) = (0.0, 0.0);
        for i in 0..steps {
            let u = (i as f64 + 0.5) / steps as f64;
            let cos = ((1.0 - u) / (1.0 + (alpha * alpha - 1.0) * u)).sqrt();
            let sin = (1.0 - cos * cos).max(0.0).sqrt();
            for k in 0..2 * steps {
                let phi = (k as f64 + 0.5) / (2 * steps) as f64 * TAU;
                let half = DVec3::new(sin * phi.cos(), sin * phi.sin(), cos);
                let v_dot_h = view.dot(half);
                let light = 2.0 * v_dot_h * half - view;
                if light.z <= 0.0 || v_dot_h <= 0.0 {
                    continue;
                }
                // BRDF times cosine over the density of `light`, without the Fresnel term.
                let weight = visibility(light.z, n_dot_v, alpha) * light.z * 4.0 * v_dot_h / cos;
                let f = schlick(v_dot_h);
                scale += weight * (1.0 - f);
                bias += weight * f;
            }
        }
        let count = (2 * steps * steps) as f64;
        Self { scale: scale / count, bias: bias / count }
    }

    /// For a perfect reflector.
    #[must_use]
    pub fn whole(&self) -> f64 {
        self.scale + self.bias
    }

    /// What the lobe is multiplied by for light that bounces between facets.
    #[must_use]
    pub fn compensation(&self, f0: DVec3) -> DVec3 {
        DVec3::ONE + f0 * (1.0 / self.whole() - 1.0)
    }

    /// What the compensated lobe reflects of uniform light.
    #[must_use]
    pub fn compensated(&self, f0: DVec3) -> DVec3 {
        (f0 * self.scale + DVec3::splat(self.bias)) * self.compensation(f0)
    }

    /// The diffuse lobe: a constant, per steradian.
    #[must_use]
    pub fn diffuse(&self, material: &Material) -> DVec3 {
        let left = 1.0 - self.compensated(DVec3::splat(DIELECTRIC)).x;
        material.base * ((1.0 - material.metallic) * left / PI)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_projects_to_one() {
        // Over the hemisphere, D times cosine sums to 1 whatever the roughness.
        for alpha in [0.04, 0.3, 1.0] {
            let steps = 200_000;
            let sum: f64 = (0..steps)
                .map(|i| {
                    let theta = (f64::from(i) + 0.5) / f64::from(steps) * PI / 2.0;
                    distribution(theta.cos(), alpha) * theta.cos() * theta.sin()
                })
                .sum();
            let whole = sum * PI / 2.0 / f64::from(steps) * TAU;
            assert!((whole - 1.0).abs() < 1e-5, "alpha {alpha}: {whole}");
        }
    }

    #[test]
    fn the_albedo_equals_a_plain_sum_over_directions() {
        let (n_dot_v, roughness) = (0.6_f64, 0.7);
        let alpha = roughness * roughness;
        let view = DVec3::new((1.0 - n_dot_v * n_dot_v).sqrt(), 0.0, n_dot_v);
        let steps = 600;
        let (mut scale, mut bias) = (0.0, 0.0);
        for i in 0..steps {
            for k in 0..steps {
                let z = (f64::from(i) + 0.5) / f64::from(steps);
                let phi = (f64::from(k) + 0.5) / f64::from(steps) * TAU;
                let r = (1.0 - z * z).sqrt();
                let light = DVec3::new(r * phi.cos(), r * phi.sin(), z);
                let half = (light + view).normalize();
                let lobe = distribution(half.z, alpha) * visibility(z, n_dot_v, alpha) * z;
                let f = schlick(view.dot(half));
                scale += lobe * (1.0 - f);
                bias += lobe * f;
            }
        }
        let area = TAU / f64::from(steps * steps);
        let found = Albedo::integrate(n_dot_v, roughness, 128);
        assert!((found.scale - scale * area).abs() < 1e-3, "{found:?} {}", scale * area);
        assert!((found.bias - bias * area).abs() < 1e-3, "{found:?} {}", bias * area);
    }

    #[test]
    fn nothing_is_lost() {
        for n_dot_v in [0.1, 0.5, 1.0] {
            for roughness in [0.2, 0.6, 1.0] {
                let albedo = Albedo::integrate(n_dot_v, roughness, 64);
                assert!(albedo.whole() <= 1.0 + 1e-3, "{n_dot_v} {roughness} {albedo:?}");
                let metal = albedo.compensated(DVec3::ONE);
                assert!((metal - DVec3::ONE).length() < 1e-12);
                let white = Material { base: DVec3::ONE, metallic: 0.0, roughness };
                let whole = albedo.compensated(white.f0()) + albedo.diffuse(&white) * PI;
                assert!((whole - DVec3::ONE).length() < 1e-12);
            }
        }
    }
}
