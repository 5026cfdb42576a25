//! Punctual lights (`KHR_lights_punctual`).
use super::extensions::{Extended, Light as JsonLight};
use super::pointer::Pointer;
use crate::error::ImportError;
use crate::{Light, LightKind};
use glam::Vec3;
use std::f32::consts::FRAC_PI_2;

/// Builds all lights.
pub(super) fn build(extended: &Extended) -> Result<Vec<Light>, ImportError> {
    let extensions = Pointer::ROOT.key("extensions");
    let extension = extensions.key("KHR_lights_punctual");
    let list = extension.key("lights");
    let lights = &extended.extensions.lights.lights;
    lights.iter().enumerate().map(|(index, json)| light(json, &list.index(index))).collect()
}

fn light(json: &JsonLight, at: &Pointer<'_>) -> Result<Light, ImportError> {
    at.key("color").check_finite(&json.color)?;
    at.key("intensity").check_finite(&[json.intensity])?;
    if json.intensity < 0.0 {
        return Err(at.key("intensity").invalid("it is below 0"));
    }
    if let Some(range) = json.range {
        at.key("range").check_finite(&[range])?;
        if range <= 0.0 {
            return Err(at.key("range").invalid("it is not above 0"));
        }
    }
    let kind = match json.kind.as_str() {
        "directional" => LightKind::Directional,
        "point" => LightKind::Point,
        "spot" => {
            let at = at.key("spot");
            let (inner, outer) = (json.spot.inner_cone_angle, json.spot.outer_cone_angle);
            at.check_finite(&[inner, outer])?;
            if inner < 0.0 || inner >= outer || outer > FRAC_PI_2 + 1e-4 {
                return Err(at.invalid("the cone's angles must be 0 <= inner < outer <= pi / 2"));
            }
            LightKind::Spot { inner, outer }
        }
        other => {
            return Err(at.key("type").invalid(format!("{other:?} is none of directional, point, spot")));
        }
    };
    Ok(Light {
        name: json.name.clone(),
        intensity: Vec3::from(json.color) * json.intensity,
        range: json.range,
        kind,
    })
}
