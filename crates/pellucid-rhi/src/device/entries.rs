//! What stands behind each handle, and the tables of them.
use crate::backend;
use crate::desc::{
    BindingSlot, BufferRoles, Format, ShaderStages, TextureRange, TextureRoles, VertexBufferLayout, ViewKind,
};
use crate::handle::ObjectKind;
use crate::name::Name;
use crate::slots::Slots;
use crate::spirv::Resource;
use crate::{MAX_COLOR_ATTACHMENTS, MAX_SETS};
use std::sync::atomic::AtomicU64;

/// A slot of one of the tables, whatever the generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) kind: ObjectKind,
    pub(crate) index: u32,
}

pub(crate) struct BufferEntry {
    pub(crate) native: backend::Buffer,
    pub(crate) name: Name,
    pub(crate) size: u64,
    pub(crate) roles: BufferRoles,
    /// Bytes charged.
    pub(crate) charge: u64,
    /// Whether the charge is to the readback budget as well.
    pub(crate) readback: bool,
    /// Whether it is a frame slot's ring, which nobody may destroy.
    pub(crate) ring: bool,
}

pub(crate) struct TextureEntry {
    pub(crate) native: backend::Texture,
    pub(crate) params: backend::TextureParams,
    pub(crate) charge: u64,
    /// The upload batch of its initial bytes, 0 for none.
    pub(crate) batch: AtomicU64,
}

pub(crate) struct ViewEntry {
    pub(crate) native: backend::View,
    pub(crate) name: Name,
    pub(crate) texture: u32,
    pub(crate) kind: ViewKind,
    pub(crate) format: Format,
    /// Resolved: no open ends.
    pub(crate) range: TextureRange,
    /// Size of its first mip.
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) samples: u32,
    /// Whether its texture has one layer only.
    pub(crate) single_layer: bool,
    pub(crate) roles: TextureRoles,
}

pub(crate) struct SamplerEntry {
    pub(crate) key: super::samplers::SamplerKey,
}

pub(crate) struct LayoutEntry {
    pub(crate) native: backend::Layout,
    pub(crate) name: Name,
    pub(crate) slots: Box<[BindingSlot]>,
    /// Equal for layouts with equal slots.
    pub(crate) shape: u32,
}

pub(crate) struct SetEntry {
    pub(crate) native: backend::Set,
    pub(crate) name: Name,
    pub(crate) shape: u32,
    /// What the set was made of, each held by a reference.
    pub(crate) holds: Box<[Key]>,
}

pub(crate) struct ShaderEntry {
    pub(crate) native: backend::Shader,
    pub(crate) stage: ShaderStages,
    pub(crate) resources: Box<[Resource]>,
}

/// What both kinds of pipeline ask of a draw or dispatch.
pub(crate) struct Interface {
    pub(crate) name: Name,
    /// Shapes of its sets.
    pub(crate) shapes: [u32; MAX_SETS],
    pub(crate) sets: u32,
    pub(crate) dynamic_uniforms: u32,
    pub(crate) push_constants: u32,
    /// The layouts, each held by a reference.
    pub(crate) holds: Box<[Key]>,
}

pub(crate) struct RasterEntry {
    pub(crate) native: backend::RasterPipeline,
    pub(crate) interface: Interface,
    pub(crate) color: [Option<Format>; MAX_COLOR_ATTACHMENTS],
    pub(crate) depth: Option<Format>,
    pub(crate) depth_write: bool,
    pub(crate) samples: u32,
    pub(crate) vertex_streams: u32,
}

pub(crate) struct ComputeEntry {
    pub(crate) native: backend::ComputePipeline,
    pub(crate) interface: Interface,
}

/// The tables.
pub(crate) struct Tables {
    pub(crate) buffers: Slots<BufferEntry>,
    pub(crate) textures: Slots<TextureEntry>,
    pub(crate) views: Slots<ViewEntry>,
    pub(crate) samplers: Slots<SamplerEntry>,
    pub(crate) layouts: Slots<LayoutEntry>,
    pub(crate) sets: Slots<SetEntry>,
    pub(crate) shaders: Slots<ShaderEntry>,
    pub(crate) raster: Slots<RasterEntry>,
    pub(crate) compute: Slots<ComputeEntry>,
}

impl Tables {
    /// Tables whose handles carry the tag of `device`.
    pub(crate) fn new(device: u32) -> Self {
        Self {
            buffers: Slots::new(65_536, device),
            textures: Slots::new(16_384, device),
            views: Slots::new(32_768, device),
            samplers: Slots::new(4_096, device),
            layouts: Slots::new(4_096, device),
            sets: Slots::new(65_536, device),
            shaders: Slots::new(4_096, device),
            raster: Slots::new(8_192, device),
            compute: Slots::new(4_096, device),
        }
    }

    /// One more object refers to this one, which the caller knows to be alive.
    pub(crate) fn retain(&self, key: Key) {
        match key.kind {
            ObjectKind::Buffer => self.buffers.retain(key.index),
            ObjectKind::Texture => self.textures.retain(key.index),
            ObjectKind::TextureView => self.views.retain(key.index),
            ObjectKind::Sampler => self.samplers.retain(key.index),
            ObjectKind::BindingLayout => self.layouts.retain(key.index),
            ObjectKind::BindingSet => self.sets.retain(key.index),
            ObjectKind::Shader => self.shaders.retain(key.index),
            ObjectKind::RasterPipeline => self.raster.retain(key.index),
            ObjectKind::ComputePipeline => self.compute.retain(key.index),
        }
    }

    /// One reference less; true when it was the last.
    pub(crate) fn release(&self, key: Key) -> bool {
        match key.kind {
            ObjectKind::Buffer => self.buffers.release(key.index),
            ObjectKind::Texture => self.textures.release(key.index),
            ObjectKind::TextureView => self.views.release(key.index),
            ObjectKind::Sampler => self.samplers.release(key.index),
            ObjectKind::BindingLayout => self.layouts.release(key.index),
            ObjectKind::BindingSet => self.sets.release(key.index),
            ObjectKind::Shader => self.shaders.release(key.index),
            ObjectKind::RasterPipeline => self.raster.release(key.index),
            ObjectKind::ComputePipeline => self.compute.release(key.index),
        }
    }

    /// Makes a handle stale; false when it was.
    pub(crate) fn kill(&self, handle: crate::AnyHandle) -> bool {
        let raw = handle.raw();
        match handle.kind() {
            ObjectKind::Buffer => self.buffers.kill(raw),
            ObjectKind::Texture => self.textures.kill(raw),
            ObjectKind::TextureView => self.views.kill(raw),
            ObjectKind::Sampler => self.samplers.kill(raw),
            ObjectKind::BindingLayout => self.layouts.kill(raw),
            ObjectKind::BindingSet => self.sets.kill(raw),
            ObjectKind::Shader => self.shaders.kill(raw),
            ObjectKind::RasterPipeline => self.raster.kill(raw),
            ObjectKind::ComputePipeline => self.compute.kill(raw),
        }
    }
}

/// Bit mask of the vertex streams of a pipeline.
pub(crate) fn stream_mask(buffers: &[VertexBufferLayout<'_>]) -> u32 {
    let used = buffers.iter().enumerate().filter(|(_, buffer)| !buffer.attributes.is_empty());
    used.fold(0, |mask, (slot, _)| mask | 1 << slot)
}
