//! The vocabulary of uses and the barriers between them.
use crate::{Buffer, ShaderStages, Texture, TextureRange};

/// How a resource is used: stage, access and (for textures) layout in one word.
///
/// It lowers to synchronization2 stages, accesses and layouts on Vulkan and to resource states or
/// enhanced barriers on Direct3D 12. A read of several kinds at once is not needed by the renderer's
/// passes; a wider use is the later of two barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// No contents: what a texture is before its first use. As `from` it discards.
    Undefined,
    /// Vertex stream.
    Vertex,
    /// Index stream.
    Index,
    /// Indirect arguments.
    Indirect,
    /// Uniform buffer read in these stages.
    Uniform(ShaderStages),
    /// Sampled or loaded in these stages.
    Sampled(ShaderStages),
    /// Storage, read only.
    StorageRead(ShaderStages),
    /// Storage, written (and possibly read).
    StorageWrite(ShaderStages),
    /// Colour attachment, or the source or destination of its resolve.
    ColorAttachment,
    /// Depth attachment, tested and written.
    DepthWrite,
    /// Depth attachment, tested only.
    DepthRead,
    /// Source of a copy or readback.
    CopySrc,
    /// Destination of a copy or update.
    CopyDst,
    /// Presented by a swapchain.
    Present,
}

/// What a barrier is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierTarget {
    /// A whole buffer.
    Buffer(Buffer),
    /// Mips and layers of a texture.
    Texture(Texture, TextureRange),
}

/// Everything `from` is finished and visible before anything `to` begins; a texture changes layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Barrier {
    /// What it is about.
    pub target: BarrierTarget,
    /// The use so far.
    pub from: Use,
    /// The use from here on.
    pub to: Use,
}

impl Barrier {
    /// A barrier for a whole buffer.
    #[must_use]
    pub const fn buffer(buffer: Buffer, from: Use, to: Use) -> Self {
        Self { target: BarrierTarget::Buffer(buffer), from, to }
    }

    /// A barrier for a whole texture.
    #[must_use]
    pub const fn texture(texture: Texture, from: Use, to: Use) -> Self {
        Self { target: BarrierTarget::Texture(texture, TextureRange::ALL), from, to }
    }

    /// A barrier for part of a texture.
    #[must_use]
    pub const fn range(texture: Texture, range: TextureRange, from: Use, to: Use) -> Self {
        Self { target: BarrierTarget::Texture(texture, range), from, to }
    }
}
