//! Materials, and which textures and images they use.
use super::context::Context;
use super::extensions::{self, Extended, Holder, TextureExtensions, TextureTransform};
use super::pointer::Pointer;
use crate::error::ImportError;
use crate::{AlphaMode, Material, Sampler, Texture, TextureRef, Wrap};
use glam::{Vec2, Vec3, Vec4};
use gltf_json::Root;
use gltf_json::material::{AlphaMode as JsonAlphaMode, Material as JsonMaterial};
use gltf_json::texture::{MagFilter, MinFilter, WrappingMode};
use gltf_json::validation::Checked;

/// All materials, with textures and images that no material uses left out.
pub(super) struct Materials {
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    /// The file's indices of the images that textures use, in the order of the scene's images.
    pub images: Vec<usize>,
    /// Where each material's texture coordinates come from.
    pub plans: Vec<UvPlan>,
}

/// Where one set of texture coordinates comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UvSource {
    /// The number in `TEXCOORD_n`.
    pub set: u32,
    /// `KHR_texture_transform`, worked into the coordinates.
    pub transform: Option<TextureTransform>,
}

/// Where the two sets of a primitive come from.
///
/// A material's textures may name any `TEXCOORD_n` and transform it. As long as there are at most two different
/// combinations, which nearly all files keep to, the transforms are worked into the two sets.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UvPlan {
    pub sets: [Option<UvSource>; 2],
}

impl UvSource {
    const fn plain(set: u32) -> Self {
        Self { set, transform: None }
    }

    /// Moves coordinates as `KHR_texture_transform` says: scale, then rotation (counter-clockwise as the image
    /// is seen, v pointing down), then offset.
    pub(super) fn apply(&self, uv: Vec2) -> Vec2 {
        let Some(transform) = self.transform else { return uv };
        let (sin, cos) = transform.rotation.sin_cos();
        let scaled = uv * Vec2::from(transform.scale);
        Vec2::new(cos * scaled.x + sin * scaled.y, cos * scaled.y - sin * scaled.x)
            + Vec2::from(transform.offset)
    }
}

impl Default for UvPlan {
    fn default() -> Self {
        Self { sets: [Some(UvSource::plain(0)), Some(UvSource::plain(1))] }
    }
}

impl UvPlan {
    fn new(used: &[UvSource]) -> Self {
        if used.iter().all(|source| source.transform.is_none() && source.set < 2) {
            return Self::default();
        }
        let mut distinct: Vec<UvSource> = Vec::new();
        for source in used {
            if !distinct.contains(source) {
                distinct.push(*source);
            }
        }
        Self { sets: [distinct.first().copied(), distinct.get(1).copied()] }
    }

    fn set_of(&self, source: &UvSource) -> Option<u32> {
        (0..2).find(|&set| self.sets[set as usize].as_ref() == Some(source))
    }
}

/// Builds all materials.
pub(super) fn build(cx: &Context<'_>, root: &Root, extended: &Extended) -> Result<Materials, ImportError> {
    let list = Pointer::ROOT.key("materials");
    let none = extensions::Material::default();
    let mut uses = Uses { root, textures: vec![None; root.textures.len()] };
    let mut materials = Vec::with_capacity(root.materials.len());
    let mut plans = Vec::with_capacity(root.materials.len());
    for (index, json) in root.materials.iter().enumerate() {
        let at = list.index(index);
        let extended = extended.materials.get(index).unwrap_or(&none);
        let (material, plan) = material(cx, json, extended, &mut uses, &at)?;
        materials.push(material);
        plans.push(plan);
    }
    let (textures, images) = uses.collect(cx)?;
    Ok(Materials { materials, textures, images, plans })
}

/// Textures in use, numbered as they are met.
struct Uses<'a> {
    root: &'a Root,
    textures: Vec<Option<usize>>,
}

impl Uses<'_> {
    fn texture(
        &mut self,
        cx: &Context<'_>,
        index: usize,
        at: &Pointer<'_>,
    ) -> Result<Option<usize>, ImportError> {
        at.check_index("texture", index, self.textures.len())?;
        // gltf-json's stand-in for a texture whose image is only in an extension.
        if self.root.textures[index].source.value() == u32::MAX as usize {
            cx.warn(at, "the texture has no PNG or JPEG image, only an extension's; it is left out");
            return Ok(None);
        }
        let next = self.textures.iter().flatten().count();
        Ok(Some(*self.textures[index].get_or_insert(next)))
    }

    fn collect(self, cx: &Context<'_>) -> Result<(Vec<Texture>, Vec<usize>), ImportError> {
        let root = self.root;
        let samplers = sampler_list(cx, root)?;
        let mut used: Vec<(usize, usize)> =
            self.textures.iter().enumerate().filter_map(|(index, new)| Some(((*new)?, index))).collect();
        used.sort_unstable();
        let mut images: Vec<usize> = Vec::new();
        let mut image_numbers = vec![None; root.images.len()];
        let list = Pointer::ROOT.key("textures");
        let mut textures = Vec::with_capacity(used.len());
        for (_, index) in used {
            let at = list.index(index);
            let json = &root.textures[index];
            let source = at.key("source").check_index("image", json.source.value(), root.images.len())?;
            let image = *image_numbers[source].get_or_insert_with(|| {
                images.push(source);
                images.len() - 1
            });
            let sampler = match json.sampler {
                None => Sampler::default(),
                Some(sampler) => {
                    samplers[at.key("sampler").check_index("sampler", sampler.value(), samplers.len())?]
                }
            };
            textures.push(Texture { name: json.name.clone().unwrap_or_default(), image, sampler });
        }
        Ok((textures, images))
    }
}

fn sampler_list(cx: &Context<'_>, root: &Root) -> Result<Vec<Sampler>, ImportError> {
    let list = Pointer::ROOT.key("samplers");
    let mut samplers = Vec::with_capacity(root.samplers.len());
    for (index, json) in root.samplers.iter().enumerate() {
        let at = list.index(index);
        let filter = |at: &Pointer<'_>| cx.warn(at, "the filter is none of glTF's; linear is used");
        let mut sampler = Sampler::default();
        match json.mag_filter {
            Some(Checked::Valid(mag)) => sampler.mag_linear = mag == MagFilter::Linear,
            Some(Checked::Invalid) => filter(&at.key("magFilter")),
            None => {}
        }
        match json.min_filter {
            Some(Checked::Valid(min)) => {
                (sampler.min_linear, sampler.mip_linear) = match min {
                    MinFilter::Nearest => (false, None),
                    MinFilter::Linear => (true, None),
                    MinFilter::NearestMipmapNearest => (false, Some(false)),
                    MinFilter::LinearMipmapNearest => (true, Some(false)),
                    MinFilter::NearestMipmapLinear => (false, Some(true)),
                    MinFilter::LinearMipmapLinear => (true, Some(true)),
                };
            }
            Some(Checked::Invalid) => filter(&at.key("minFilter")),
            None => {}
        }
        let wrap = |mode: Checked<WrappingMode>, key: &str| match mode {
            Checked::Valid(WrappingMode::Repeat) => Ok(Wrap::Repeat),
            Checked::Valid(WrappingMode::ClampToEdge) => Ok(Wrap::Clamp),
            Checked::Valid(WrappingMode::MirroredRepeat) => Ok(Wrap::Mirror),
            Checked::Invalid => Err(at.key(key).invalid("the wrap mode is none of glTF's")),
        };
        sampler.wrap_u = wrap(json.wrap_s, "wrapS")?;
        sampler.wrap_v = wrap(json.wrap_t, "wrapT")?;
        samplers.push(sampler);
    }
    Ok(samplers)
}

/// A texture of a material before its coordinates have a set.
struct Slot<'a> {
    at: Pointer<'a>,
    texture: Option<usize>,
    source: UvSource,
}

fn material(
    cx: &Context<'_>,
    json: &JsonMaterial,
    extended: &extensions::Material,
    uses: &mut Uses<'_>,
    at: &Pointer<'_>,
) -> Result<(Material, UvPlan), ImportError> {
    let pbr = &json.pbr_metallic_roughness;
    let at_pbr = at.key("pbrMetallicRoughness");
    let base = pbr.base_color_texture.as_ref().map(|info| (info.index.value(), info.tex_coord));
    let metal = pbr.metallic_roughness_texture.as_ref().map(|info| (info.index.value(), info.tex_coord));
    let normal = json.normal_texture.as_ref().map(|info| (info.index.value(), info.tex_coord));
    let occlusion = json.occlusion_texture.as_ref().map(|info| (info.index.value(), info.tex_coord));
    let emissive = json.emissive_texture.as_ref().map(|info| (info.index.value(), info.tex_coord));
    let pbr_extended = &extended.pbr_metallic_roughness;
    let slots = [
        slot(cx, base, &pbr_extended.base_color_texture, uses, at_pbr.key("baseColorTexture"))?,
        slot(
            cx,
            metal,
            &pbr_extended.metallic_roughness_texture,
            uses,
            at_pbr.key("metallicRoughnessTexture"),
        )?,
        slot(cx, normal, &extended.normal_texture, uses, at.key("normalTexture"))?,
        slot(cx, occlusion, &extended.occlusion_texture, uses, at.key("occlusionTexture"))?,
        slot(cx, emissive, &extended.emissive_texture, uses, at.key("emissiveTexture"))?,
    ];
    let used: Vec<UvSource> = slots.iter().flatten().map(|slot| slot.source).collect();
    let plan = UvPlan::new(&used);
    let texture = |slot: &Option<Slot<'_>>| {
        let slot = slot.as_ref()?;
        let texture = slot.texture?;
        let Some(uv_set) = plan.set_of(&slot.source) else {
            cx.warn(
                &slot.at,
                "the material needs more than two sets of texture coordinates; this texture is left out",
            );
            return None;
        };
        Some(TextureRef { texture, uv_set })
    };
    let factor = |value: f32, at: &Pointer<'_>| at.check_finite(&[value]).map(|()| value.clamp(0.0, 1.0));
    at_pbr.key("baseColorFactor").check_finite(&pbr.base_color_factor.0)?;
    at.key("emissiveFactor").check_finite(&json.emissive_factor.0)?;
    let strength = extended.extensions.emissive.emissive_strength;
    let at_extensions = at.key("extensions");
    let at_emissive = at_extensions.key("KHR_materials_emissive_strength");
    let at_strength = at_emissive.key("emissiveStrength");
    at_strength.check_finite(&[strength])?;
    if strength < 0.0 {
        return Err(at_strength.invalid("it is below 0"));
    }
    let normal_scale = json.normal_texture.as_ref().map_or(1.0, |info| info.scale);
    let at_normal = at.key("normalTexture");
    at_normal.key("scale").check_finite(&[normal_scale])?;
    let occlusion_strength = json.occlusion_texture.as_ref().map_or(1.0, |info| info.strength.0);
    let at_occlusion = at.key("occlusionTexture");
    let material = Material {
        name: json.name.clone().unwrap_or_default(),
        base_color: Vec4::from(pbr.base_color_factor.0),
        base_color_texture: texture(&slots[0]),
        metallic: factor(pbr.metallic_factor.0, &at_pbr.key("metallicFactor"))?,
        roughness: factor(pbr.roughness_factor.0, &at_pbr.key("roughnessFactor"))?,
        metallic_roughness_texture: texture(&slots[1]),
        normal_texture: texture(&slots[2]),
        normal_scale,
        occlusion_texture: texture(&slots[3]),
        occlusion_strength: factor(occlusion_strength, &at_occlusion.key("strength"))?,
        emissive: Vec3::from(json.emissive_factor.0) * strength,
        emissive_texture: texture(&slots[4]),
        alpha_mode: alpha_mode(json, at)?,
        double_sided: json.double_sided,
        unlit: extended.extensions.unlit.is_some(),
    };
    Ok((material, plan))
}

fn slot<'a>(
    cx: &Context<'_>,
    info: Option<(usize, u32)>,
    extended: &Holder<TextureExtensions>,
    uses: &mut Uses<'_>,
    at: Pointer<'a>,
) -> Result<Option<Slot<'a>>, ImportError> {
    let Some((index, tex_coord)) = info else { return Ok(None) };
    let texture = uses.texture(cx, index, &at.key("index"))?;
    let transform = extended.extensions.transform;
    let mut source = UvSource { set: tex_coord, transform: None };
    if let Some(transform) = transform {
        let at = at.key("extensions");
        let at = at.key("KHR_texture_transform");
        at.check_finite(&[
            transform.offset[0],
            transform.offset[1],
            transform.scale[0],
            transform.scale[1],
            transform.rotation,
        ])?;
        source.set = transform.tex_coord.unwrap_or(tex_coord);
        // What changes nothing is no transform, and what names the set has done so.
        let transform = TextureTransform { tex_coord: None, ..transform };
        source.transform = Some(transform).filter(|transform| *transform != TextureTransform::default());
    }
    Ok(Some(Slot { at, texture, source }))
}

fn alpha_mode(json: &JsonMaterial, at: &Pointer<'_>) -> Result<AlphaMode, ImportError> {
    Ok(match json.alpha_mode {
        Checked::Valid(JsonAlphaMode::Opaque) => AlphaMode::Opaque,
        Checked::Valid(JsonAlphaMode::Blend) => AlphaMode::Blend,
        Checked::Valid(JsonAlphaMode::Mask) => {
            let cutoff = json.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0);
            at.key("alphaCutoff").check_finite(&[cutoff])?;
            AlphaMode::Mask { cutoff }
        }
        Checked::Invalid => return Err(at.key("alphaMode").invalid("it is none of OPAQUE, MASK, BLEND")),
    })
}

#[cfg(test)]
mod tests;
