//! Materials: glTF 2.0 metallic-roughness.
use glam::{Vec3, Vec4};

/// A texture and which coordinates it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureRef {
    /// Index into [`crate::Scene::textures`].
    pub texture: usize,
    /// 0 for `uv0`, 1 for `uv1`.
    pub uv_set: u32,
}

/// What alpha means.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum AlphaMode {
    /// Nothing: alpha is 1.
    #[default]
    Opaque,
    /// Fragments below the cutoff are dropped.
    Mask {
        /// The cutoff.
        cutoff: f32,
    },
    /// Coverage, blended back to front.
    Blend,
}

/// A metallic-roughness material (glTF 2.0, section 3.9).
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name, empty when unnamed.
    pub name: String,
    /// Linear base colour and alpha.
    pub base_color: Vec4,
    /// Base colour texture, sRGB with linear alpha.
    pub base_color_texture: Option<TextureRef>,
    /// Metalness, 0 to 1.
    pub metallic: f32,
    /// Perceptual roughness, 0 to 1.
    pub roughness: f32,
    /// Roughness in green, metalness in blue, linear.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Tangent-space normals, linear.
    pub normal_texture: Option<TextureRef>,
    /// Scale of the normal map's x and y.
    pub normal_scale: f32,
    /// Occlusion of indirect light in red, linear.
    pub occlusion_texture: Option<TextureRef>,
    /// How much occlusion applies, 0 to 1.
    pub occlusion_strength: f32,
    /// Linear emitted radiance, emissive strength included.
    pub emissive: Vec3,
    /// Emissive texture, sRGB.
    pub emissive_texture: Option<TextureRef>,
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// Whether back faces are shaded too, with the normal turned.
    pub double_sided: bool,
    /// Whether the base colour is shown unlit (`KHR_materials_unlit`).
    pub unlit: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}
