//! The extensions that are read, as they stand in the JSON.
//!
//! `gltf-json` knows some of them, but can't read a light's extras beside unknown extensions; these types read
//! what is used here and nothing else.
use serde::Deserialize;

/// Extensions that are understood.
pub(super) const SUPPORTED: &[&str] = &[
    "EXT_meshopt_compression",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
];

/// The document, seen for its extensions only.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Extended {
    pub buffers: Vec<Holder<BufferExtensions>>,
    pub buffer_views: Vec<Holder<BufferExtensions>>,
    pub materials: Vec<Material>,
    pub nodes: Vec<Holder<NodeExtensions>>,
    pub extensions: RootExtensions,
}

/// An object of which only the extensions count.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Holder<T: Default> {
    pub extensions: T,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct BufferExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    pub meshopt: Option<Meshopt>,
}

/// `EXT_meshopt_compression`, of a buffer (then only `fallback` counts) or of a buffer view.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Meshopt {
    pub fallback: bool,
    pub buffer: u64,
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: u64,
    pub count: u64,
    pub mode: String,
    pub filter: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub light: Option<NodeLight>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeLight {
    pub light: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RootExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights: Lights,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Lights {
    pub lights: Vec<Light>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Light {
    #[serde(default)]
    pub name: String,
    #[serde(default = "white")]
    pub color: [f32; 3],
    #[serde(default = "one")]
    pub intensity: f32,
    #[serde(default)]
    pub range: Option<f32>,
    #[serde(default)]
    pub spot: Spot,
    #[serde(rename = "type")]
    pub kind: String,
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Spot {
    pub inner_cone_angle: f32,
    pub outer_cone_angle: f32,
}

impl Default for Spot {
    fn default() -> Self {
        Self { inner_cone_angle: 0.0, outer_cone_angle: std::f32::consts::FRAC_PI_4 }
    }
}

fn white() -> [f32; 3] {
    [1.0; 3]
}

fn one() -> f32 {
    1.0
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Material {
    pub pbr_metallic_roughness: Pbr,
    pub normal_texture: Holder<TextureExtensions>,
    pub occlusion_texture: Holder<TextureExtensions>,
    pub emissive_texture: Holder<TextureExtensions>,
    pub extensions: MaterialExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Pbr {
    pub base_color_texture: Holder<TextureExtensions>,
    pub metallic_roughness_texture: Holder<TextureExtensions>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub emissive: EmissiveStrength,
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Option<Unlit>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Unlit {}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct EmissiveStrength {
    pub emissive_strength: f32,
}

impl Default for EmissiveStrength {
    fn default() -> Self {
        Self { emissive_strength: 1.0 }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<TextureTransform>,
}

/// `KHR_texture_transform`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TextureTransform {
    pub offset: [f32; 2],
    pub rotation: f32,
    pub scale: [f32; 2],
    pub tex_coord: Option<u32>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}
