//! The lights of a frame.
use crate::environment::KeyLight;
use crate::gpu::{LIGHT_DIRECTIONAL, LIGHT_POINT, LIGHT_SPOT, Light, MAX_LIGHTS};
use glam::{Mat4, Vec3};
use pellucid_scene::{LightKind, Scene};

/// The environment's key lights, then the scene's own by strength. Returns how many are set and how many were
/// left out.
pub(crate) fn gather(
    scene: &Scene,
    globals: &[Mat4],
    key_lights: &[KeyLight],
    out: &mut [Light; MAX_LIGHTS],
) -> (u32, u32) {
    let mut lights: Vec<Light> = key_lights.iter().map(key).collect();
    let keys = lights.len();
    let nodes = scene.nodes.iter().zip(globals);
    lights.extend(nodes.filter_map(|(node, &global)| punctual(scene.lights.get(node.light?)?, global)));
    let strength = |light: &Light| light.intensity.iter().sum::<f32>();
    lights[keys..].sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let used = lights.len().min(MAX_LIGHTS);
    out[..used].copy_from_slice(&lights[..used]);
    (used as u32, (lights.len() - used) as u32)
}

fn key(light: &KeyLight) -> Light {
    Light {
        intensity: light.irradiance.into(),
        kind: LIGHT_DIRECTIONAL,
        direction: light.direction.into(),
        angular_variance: light.angular_variance,
        from_environment: 1,
        ..bytemuck::Zeroable::zeroed()
    }
}

/// `None` for a node that has no direction (scaled to nothing) or a light that is off.
fn punctual(light: &pellucid_scene::Light, global: Mat4) -> Option<Light> {
    if light.intensity.max_element() <= 0.0 {
        return None;
    }
    let axis = global.transform_vector3(Vec3::NEG_Z).try_normalize()?;
    let mut out = Light {
        position: global.w_axis.truncate().into(),
        inverse_range_2: light.range.map_or(0.0, |range| 1.0 / (range * range).max(f32::MIN_POSITIVE)),
        intensity: light.intensity.into(),
        direction: axis.into(),
        ..bytemuck::Zeroable::zeroed()
    };
    match light.kind {
        LightKind::Directional => {
            out.kind = LIGHT_DIRECTIONAL;
            out.direction = (-axis).into();
        }
        LightKind::Point => out.kind = LIGHT_POINT,
        LightKind::Spot { inner, outer } => {
            out.kind = LIGHT_SPOT;
            // The falloff that KHR_lights_punctual recommends.
            out.spot_scale = 1.0 / (inner.cos() - outer.cos()).max(1e-3);
            out.spot_offset = -outer.cos() * out.spot_scale;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use pellucid_scene::Node;

    fn scene_with(lights: usize) -> (Scene, Vec<Mat4>) {
        let mut scene = Scene::default();
        for i in 0..lights {
            scene.lights.push(pellucid_scene::Light {
                name: String::new(),
                intensity: Vec3::splat(1.0 + i as f32),
                range: None,
                kind: LightKind::Directional,
            });
            scene.nodes.push(Node { light: Some(i), ..Node::default() });
        }
        let globals = vec![Mat4::IDENTITY; lights];
        (scene, globals)
    }

    #[test]
    fn the_strongest_stay() {
        let (scene, globals) = scene_with(20);
        let mut out = [Light::zeroed(); MAX_LIGHTS];
        let sun = KeyLight { direction: Vec3::Y, irradiance: Vec3::splat(0.1), angular_variance: 0.0 };
        assert_eq!(gather(&scene, &globals, &[sun], &mut out), (16, 5));
        assert_eq!(out[0].from_environment, 1, "key lights come first, however weak");
        assert_eq!(out[1].intensity[0], 20.0);
        assert_eq!(out[15].intensity[0], 6.0);
        // Towards the light: a node that isn't turned shines along -Z.
        assert_eq!(out[1].direction, [0.0, 0.0, 1.0]);
    }
}
