//! Textures, views and samplers.
use crate::{Format, Texture};
use bitflags::bitflags;

bitflags! {
    /// What a texture may be used for, fixed at creation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct TextureRoles: u32 {
        /// Sampled or loaded by shaders.
        const SAMPLED = 1;
        /// Storage image, read or written by shaders without filtering.
        const STORAGE = 1 << 1;
        /// Colour attachment or resolve destination.
        const COLOR_ATTACHMENT = 1 << 2;
        /// Depth attachment.
        const DEPTH_ATTACHMENT = 1 << 3;
        /// Source of copies and of readback.
        const COPY_SRC = 1 << 4;
        /// Destination of copies. Initial bytes need no role.
        const COPY_DST = 1 << 5;
    }
}

/// The shape of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureDimension {
    /// Two-dimensional, one or more layers.
    D2,
    /// Two-dimensional with 6 layers (or a multiple), viewable as a cube (or cube array).
    Cube,
    /// Three-dimensional; `layers` is the depth.
    D3,
}

/// A device-local texture.
#[derive(Clone, Copy, Debug)]
pub struct TextureDesc<'a> {
    /// Debug name, also used in errors.
    pub name: &'a str,
    /// Shape.
    pub dimension: TextureDimension,
    /// Texel format.
    pub format: Format,
    /// A second format that views may use (for example `Rgba8Unorm` on an `Rgba8Srgb` texture, so that
    /// compute can write what sampling then decodes).
    pub view_format: Option<Format>,
    /// Width in texels of mip 0, at least 1.
    pub width: u32,
    /// Height in texels of mip 0, at least 1.
    pub height: u32,
    /// Array layers (depth for [`TextureDimension::D3`]), at least 1.
    pub layers: u32,
    /// Mip levels, from 1 to the full chain.
    pub mips: u32,
    /// Samples a texel: 1 or 4.
    pub samples: u32,
    /// What the texture may be used for.
    pub roles: TextureRoles,
}

impl<'a> TextureDesc<'a> {
    /// A single-sample 2D texture with one mip and one layer.
    #[must_use]
    pub const fn d2(name: &'a str, format: Format, width: u32, height: u32, roles: TextureRoles) -> Self {
        Self {
            name,
            dimension: TextureDimension::D2,
            format,
            view_format: None,
            width,
            height,
            layers: 1,
            mips: 1,
            samples: 1,
            roles,
        }
    }
}

/// Mip levels of the full chain of a `width` by `height` texture.
#[must_use]
pub const fn full_mip_chain(width: u32, height: u32) -> u32 {
    let largest = if width > height { width } else { height };
    if largest == 0 { 1 } else { 32 - largest.leading_zeros() }
}

/// The initial bytes of one subresource, copied before the call returns.
#[derive(Clone, Copy, Debug)]
pub struct TextureData<'a> {
    /// Mip level.
    pub mip: u32,
    /// Array layer (always 0 for 3D: all slices are given at once).
    pub layer: u32,
    /// Bytes from one row of texels to the next: at least `width * texel_bytes`.
    pub row_pitch: u32,
    /// `row_pitch * height` bytes (times depth for 3D); the last row may stop at its last texel.
    pub bytes: &'a [u8],
}

/// Mips and layers of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureRange {
    /// First mip.
    pub base_mip: u32,
    /// Number of mips.
    pub mips: u32,
    /// First layer.
    pub base_layer: u32,
    /// Number of layers.
    pub layers: u32,
}

impl TextureRange {
    /// Every mip and layer, whatever their number.
    pub const ALL: Self = Self { base_mip: 0, mips: u32::MAX, base_layer: 0, layers: u32::MAX };

    /// One mip of one layer.
    #[must_use]
    pub const fn one(mip: u32, layer: u32) -> Self {
        Self { base_mip: mip, mips: 1, base_layer: layer, layers: 1 }
    }

    /// One mip of every layer.
    #[must_use]
    pub const fn mip(mip: u32) -> Self {
        Self { base_mip: mip, mips: 1, base_layer: 0, layers: u32::MAX }
    }
}

/// How a view presents its texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// The only layer of a 2D texture (a scalar view of one layer of many is refused: D3D12 can't bind it).
    D2,
    /// Layers as a 2D array. Storage views of cubes use this too.
    D2Array,
    /// Six layers as a cube.
    Cube,
    /// Six layers each as a cube array.
    CubeArray,
    /// A volume.
    D3,
}

/// A view of a texture, to bind or to attach.
#[derive(Clone, Copy, Debug)]
pub struct TextureViewDesc<'a> {
    /// Debug name, also used in errors.
    pub name: &'a str,
    /// The texture; the view keeps it alive on the GPU until the view itself is destroyed and retired.
    pub texture: Texture,
    /// How it is presented.
    pub kind: ViewKind,
    /// The texture's own format or its `view_format`; `None` takes its own.
    pub format: Option<Format>,
    /// Mips and layers.
    pub range: TextureRange,
}

/// Texel filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// The nearest texel or mip.
    Nearest,
    /// Linear interpolation.
    #[default]
    Linear,
}

/// What lies beyond the edge of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AddressMode {
    /// The edge texel.
    Clamp,
    /// The texture again.
    #[default]
    Repeat,
    /// The texture mirrored.
    Mirror,
}

/// Comparison of a fragment's or texel's value (right) against a reference (left).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the field's own.
pub enum CompareOp {
    Never,
    Less,
    Equal,
    LessOrEqual,
    Greater,
    NotEqual,
    GreaterOrEqual,
    Always,
}

/// A sampler.
#[derive(Clone, Copy, Debug)]
pub struct SamplerDesc<'a> {
    /// Debug name, also used in errors.
    pub name: &'a str,
    /// Filter when texels are larger than pixels.
    pub mag: Filter,
    /// Filter when texels are smaller than pixels.
    pub min: Filter,
    /// Filter between mips.
    pub mip: Filter,
    /// Address modes along u, v and w.
    pub address: [AddressMode; 3],
    /// Largest anisotropy, 1 for none, at most 16; needs linear filters when above 1.
    pub max_anisotropy: u32,
    /// Comparison for depth sampling.
    pub compare: Option<CompareOp>,
    /// Smallest and largest level of detail.
    pub lod: [f32; 2],
}

impl<'a> SamplerDesc<'a> {
    /// Trilinear with one address mode on every axis.
    #[must_use]
    pub const fn linear(name: &'a str, address: AddressMode) -> Self {
        Self {
            name,
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: Filter::Linear,
            address: [address; 3],
            max_anisotropy: 1,
            compare: None,
            lod: [0.0, 1000.0],
        }
    }
}
