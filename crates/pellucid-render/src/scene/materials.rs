//! A scene's materials as sets.
use super::textures::{Encoding, Textures};
use crate::RenderError;
use crate::gpu::{MaterialUniforms, material_flags as flags};
use crate::pipelines::Interface;
use pellucid_rhi::{
    BindingEntry, BindingResource, BindingSet, BindingSetDesc, Buffer, BufferRoles, Device, Owned,
    STORAGE_ALIGN,
};
use pellucid_scene::{AlphaMode, Material, Scene, TextureRef};

/// One material.
pub(crate) struct GpuMaterial {
    pub set: Owned<BindingSet>,
    pub alpha_mode: AlphaMode,
    pub double_sided: bool,
}

/// Every material of a scene, and last the default one of primitives without.
pub(crate) struct Materials {
    pub list: Vec<GpuMaterial>,
    _uniforms: Option<Owned<Buffer>>,
}

impl Materials {
    pub fn new(
        device: &Device,
        forward: &Interface,
        scene: &Scene,
        textures: &mut Textures,
    ) -> Result<Self, RenderError> {
        let default = Material::default();
        let all = || scene.materials.iter().chain([&default]);
        // Uniform ranges begin at multiples of the portable alignment.
        let stride = size_of::<MaterialUniforms>().next_multiple_of(STORAGE_ALIGN as usize);
        let mut bytes = vec![0u8; stride * (scene.materials.len() + 1)];
        for (slot, material) in bytes.chunks_exact_mut(stride).zip(all()) {
            let uniforms = uniforms(material);
            slot[..size_of::<MaterialUniforms>()].copy_from_slice(bytemuck::bytes_of(&uniforms));
        }
        let Some(buffer) = super::geometry::upload(device, "materials", BufferRoles::UNIFORM, &bytes)? else {
            return Ok(Self { list: Vec::new(), _uniforms: None });
        };
        let used = scene.materials.iter().flat_map(maps);
        textures.upload_all(scene, used.filter_map(|map| Some((map.texture?.texture, map.encoding))))?;
        let mut list = Vec::with_capacity(scene.materials.len() + 1);
        for (material, index) in all().zip(0u64..) {
            let name = if material.name.is_empty() { "material" } else { &material.name };
            let mut entries = Vec::with_capacity(11);
            entries.push(BindingEntry::new(
                0,
                BindingResource::Buffer {
                    buffer: buffer.get(),
                    offset: index * stride as u64,
                    size: size_of::<MaterialUniforms>() as u64,
                },
            ));
            for (map, slot) in maps(material).into_iter().zip(1u32..) {
                let (view, sampler) = match map.texture {
                    Some(of) => (
                        textures.view(scene, of.texture, map.encoding)?,
                        textures.sampler(scene, of.texture)?,
                    ),
                    None => (textures.white(), textures.default_sampler()?),
                };
                entries.push(BindingEntry::new(slot, BindingResource::Texture(view)));
                entries.push(BindingEntry::new(slot + 5, BindingResource::Sampler(sampler)));
            }
            let set = device.create_binding_set(&BindingSetDesc {
                name,
                layout: forward.layout(1),
                entries: &entries,
            })?;
            list.push(GpuMaterial {
                set: Owned::new(device, set),
                alpha_mode: material.alpha_mode,
                double_sided: material.double_sided,
            });
        }
        Ok(Self { list, _uniforms: Some(buffer) })
    }
}

/// One of a material's textures.
struct Map {
    texture: Option<TextureRef>,
    encoding: Encoding,
    /// Says in the uniforms that it is there.
    flag: u32,
}

/// The textures in the order of their bindings.
fn maps(material: &Material) -> [Map; 5] {
    let map = |texture, encoding, flag| Map { texture, encoding, flag };
    [
        map(material.base_color_texture, Encoding::Srgb, flags::HAS_BASE_COLOR),
        map(material.metallic_roughness_texture, Encoding::Linear, flags::HAS_METALLIC_ROUGHNESS),
        map(material.normal_texture, Encoding::Linear, flags::HAS_NORMAL),
        map(material.occlusion_texture, Encoding::Linear, flags::HAS_OCCLUSION),
        map(material.emissive_texture, Encoding::Srgb, flags::HAS_EMISSIVE),
    ]
}

fn uniforms(material: &Material) -> MaterialUniforms {
    let mut bits = if material.unlit { flags::IS_UNLIT } else { 0 };
    for (map, index) in maps(material).iter().zip(0u32..) {
        if let Some(texture) = map.texture {
            bits |= map.flag;
            bits |= u32::from(texture.uv_set == 1) << (flags::UV_SHIFT + index);
        }
    }
    MaterialUniforms {
        base_color: material.base_color,
        emissive: material.emissive.into(),
        metallic: material.metallic,
        roughness: material.roughness,
        normal_scale: material.normal_scale,
        occlusion_strength: material.occlusion_strength,
        alpha_cutoff: match material.alpha_mode {
            AlphaMode::Mask { cutoff } => cutoff,
            AlphaMode::Opaque | AlphaMode::Blend => 0.0,
        },
        flags: bits,
        padding: [0.0; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_follow_the_textures() {
        let texture = |uv_set| Some(TextureRef { texture: 0, uv_set });
        let material = Material {
            base_color_texture: texture(0),
            normal_texture: texture(1),
            emissive_texture: texture(0),
            unlit: true,
            ..Material::default()
        };
        let bits = uniforms(&material).flags;
        let expected = flags::HAS_BASE_COLOR | flags::HAS_NORMAL | flags::HAS_EMISSIVE | flags::IS_UNLIT;
        assert_eq!(bits & 0xffff, expected);
        assert_eq!(bits >> flags::UV_SHIFT, 0b00100);
    }
}
