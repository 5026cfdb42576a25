//! Mistakes that a renderer could make, made on purpose in what it is given: the tests must notice.
use crate::measure::colour;
use pellucid_scene::{Equirect, Image, Material, Scene, Texture, TextureRef};
use std::collections::BTreeMap;

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// Normal maps are not applied.
    NormalMapsOff,
    /// Base colour textures are taken for linear.
    BaseColorLinear,
    /// Roughness is taken for metalness and the other way round.
    RoughnessMetalSwapped,
    /// The environment is turned by 90 degrees.
    EnvironmentTurned,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::NormalMapsOff, Self::BaseColorLinear, Self::RoughnessMetalSwapped, Self::EnvironmentTurned];

    /// Whether it changes what `scene` looks like.
    #[must_use]
    pub fn concerns(self, scene: &Scene) -> bool {
        let any = |test: &dyn Fn(&Material) -> bool| scene.materials.iter().any(|m| !m.unlit && test(m));
        match self {
            Self::NormalMapsOff => any(&|m| m.normal_texture.is_some()),
            Self::BaseColorLinear => scene.materials.iter().any(|m| {
                m.base_color_texture
                    .is_some_and(|t| has_halftones(&scene.images[scene.textures[t.texture].image]))
            }),
            Self::RoughnessMetalSwapped => {
                any(&|m| m.metallic_roughness_texture.is_some() || m.metallic != m.roughness)
            }
            // The default material, of primitives without one, is lit.
            Self::EnvironmentTurned => scene.materials.is_empty() || any(&|_| true),
        }
    }

    /// Makes it.
    pub fn make(self, scene: &mut Scene, environment: &mut Equirect) {
        match self {
            Self::NormalMapsOff => scene.materials.iter_mut().for_each(|m| m.normal_texture = None),
            Self::BaseColorLinear => {
                // Sampling decodes what is encoded here: what is seen is the byte itself, taken for linear.
                let table: [u8; 256] = std::array::from_fn(|code| {
                    (colour::encode(code as f64 / 255.0) * 255.0).round().clamp(0.0, 255.0) as u8
                });
                change_textures(
                    scene,
                    |m| &mut m.base_color_texture,
                    |texel| {
                        for c in &mut texel[..3] {
                            *c = table[usize::from(*c)];
                        }
                    },
                );
            }
            Self::RoughnessMetalSwapped => {
                change_textures(scene, |m| &mut m.metallic_roughness_texture, |texel| texel.swap(1, 2));
                for material in &mut scene.materials {
                    std::mem::swap(&mut material.metallic, &mut material.roughness);
                }
            }
            Self::EnvironmentTurned => {
                let columns = environment.width as usize;
                for row in environment.rgb.chunks_exact_mut(columns.max(1)) {
                    row.rotate_right(columns / 4);
                }
            }
        }
    }
}

/// Whether more than a hundredth of an image is neither 0 nor 255: those two are the same taken for linear.
fn has_halftones(image: &Image) -> bool {
    let texels = image.rgba.as_chunks::<4>().0;
    let between = texels.iter().filter(|t| t[..3].iter().any(|c| !matches!(c, 0 | 255))).count();
    between * 100 > texels.len()
}

/// Gives one slot of every material its own changed copy of the texture it uses; other slots keep theirs.
fn change_textures(
    scene: &mut Scene,
    slot: impl Fn(&mut Material) -> &mut Option<TextureRef>,
    change: impl Fn(&mut [u8; 4]),
) {
    let mut copies = BTreeMap::new();
    let mut materials = std::mem::take(&mut scene.materials);
    for material in &mut materials {
        let Some(reference) = slot(material) else { continue };
        reference.texture = *copies.entry(reference.texture).or_insert_with_key(|&texture| {
            let Texture { name, image, sampler } = scene.textures[texture].clone();
            let mut changed = scene.images[image].clone();
            changed.rgba.as_chunks_mut::<4>().0.iter_mut().for_each(&change);
            scene.images.push(changed);
            scene.textures.push(Texture { name, image: scene.images.len() - 1, sampler });
            scene.textures.len() - 1
        });
    }
    scene.materials = materials;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes;

    #[test]
    fn each_changes_what_it_concerns() {
        let sky = Equirect { width: 8, height: 2, rgb: (0..16_u8).map(|k| [f32::from(k); 3]).collect() };
        let scene = scenes::bumps();
        for mistake in Mistake::ALL {
            let (mut wrong, mut turned) = (scene.clone(), sky.clone());
            mistake.make(&mut wrong, &mut turned);
            assert_eq!(
                mistake.concerns(&scene),
                wrong.materials != scene.materials || turned.rgb != sky.rgb,
                "{mistake:?}"
            );
        }
    }

    #[test]
    fn only_the_slot_gets_the_changed_texture() {
        let mut scene = scenes::bumps();
        let before = scene.clone();
        Mistake::RoughnessMetalSwapped
            .make(&mut scene, &mut Equirect { width: 1, height: 1, rgb: vec![[1.0; 3]] });
        let material = scene.materials.iter().find(|m| m.metallic_roughness_texture.is_some()).unwrap();
        let image = |r: TextureRef| &scene.images[scene.textures[r.texture].image];
        let (changed, kept) =
            (image(material.metallic_roughness_texture.unwrap()), image(material.occlusion_texture.unwrap()));
        assert_eq!(
            kept.rgba,
            before.images[before.textures[material.occlusion_texture.unwrap().texture].image].rgba
        );
        assert_eq!([changed.rgba[1], changed.rgba[2]], [kept.rgba[2], kept.rgba[1]]);
        assert_eq!(changed.rgba[0], kept.rgba[0]);
    }
}
