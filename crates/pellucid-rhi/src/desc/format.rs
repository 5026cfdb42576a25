//! Texture and vertex formats.

/// The format of a texture or of a view of it.
///
/// Names read from the first component in memory upward; `Srgb` formats decode on sampling and
/// encode on attachment writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the field's own (Vulkan and DXGI use the same words).
pub enum Format {
    R8Unorm,
    Rg8Unorm,
    Rgba8Unorm,
    Rgba8Srgb,
    Bgra8Unorm,
    R16Float,
    Rg16Float,
    Rgba16Float,
    R32Float,
    Rgba32Float,
    R32Uint,
    Rg11B10Float,
    Rgb10A2Unorm,
    D32Float,
}

impl Format {
    /// Every format, in order.
    pub const ALL: [Self; 14] = [
        Self::R8Unorm,
        Self::Rg8Unorm,
        Self::Rgba8Unorm,
        Self::Rgba8Srgb,
        Self::Bgra8Unorm,
        Self::R16Float,
        Self::Rg16Float,
        Self::Rgba16Float,
        Self::R32Float,
        Self::Rgba32Float,
        Self::R32Uint,
        Self::Rg11B10Float,
        Self::Rgb10A2Unorm,
        Self::D32Float,
    ];

    /// Bytes of one texel.
    #[must_use]
    pub const fn texel_bytes(self) -> u32 {
        match self {
            Self::R8Unorm => 1,
            Self::Rg8Unorm | Self::R16Float => 2,
            Self::Rgba8Unorm
            | Self::Rgba8Srgb
            | Self::Bgra8Unorm
            | Self::Rg16Float
            | Self::R32Float
            | Self::R32Uint
            | Self::Rg11B10Float
            | Self::Rgb10A2Unorm
            | Self::D32Float => 4,
            Self::Rgba16Float => 8,
            Self::Rgba32Float => 16,
        }
    }

    /// Whether this is a depth format.
    #[must_use]
    pub const fn is_depth(self) -> bool {
        matches!(self, Self::D32Float)
    }

    /// Whether the format holds sRGB-encoded colour.
    #[must_use]
    pub const fn is_srgb(self) -> bool {
        matches!(self, Self::Rgba8Srgb)
    }
}

/// The format of one vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the field's own.
pub enum VertexFormat {
    F32,
    F32x2,
    F32x3,
    F32x4,
    U32,
    U16x4,
    Unorm8x4,
    Unorm16x4,
}

impl VertexFormat {
    /// Bytes of one attribute.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::F32 | Self::U32 | Self::Unorm8x4 => 4,
            Self::F32x2 | Self::U16x4 | Self::Unorm16x4 => 8,
            Self::F32x3 => 12,
            Self::F32x4 => 16,
        }
    }
}
