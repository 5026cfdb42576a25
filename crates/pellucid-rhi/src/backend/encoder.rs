//! The recording half of the contract: a closed enum, so that a draw is a branch and a call.
//!
//! Nothing here fails but the ends: [`Encoder::finish`] reports what the native API reports then.
use super::{
    BindPoint, Buffer, CommandPool, Commands, ComputePipeline, PassParams, RasterPipeline, Set, Texture,
    TextureRegion, UniformSet, vulkan,
};
use crate::NativeError;
use crate::desc::{IndexFormat, Rect, TextureRange, Use, Viewport};
use crate::name::Name;
use std::ops::Range;

/// A command encoder of any backend.
#[expect(clippy::large_enum_variant, reason = "an encoder is made each frame, which must not allocate")]
pub(crate) enum Encoder {
    Vulkan(vulkan::Encoder),
    /// Records nothing.
    Null,
}

macro_rules! record {
    ($($(#[$doc:meta])* $method:ident($($arg:ident: $type:ty => $given:expr),*);)*) => {
        $(
            $(#[$doc])*
            #[inline]
            pub(crate) fn $method(&mut self, $($arg: $type),*) {
                if let Self::Vulkan(encoder) = self {
                    encoder.$method($($given),*);
                }
            }
        )*
    };
}

impl Encoder {
    /// Ends recording and gives the pool back.
    pub(crate) fn finish(self) -> (Result<Commands, NativeError>, CommandPool) {
        match self {
            Self::Vulkan(encoder) => {
                let (commands, pool) = encoder.finish();
                (commands.map(Commands::Vulkan), CommandPool::Vulkan(pool))
            }
            Self::Null => (Ok(Commands::Null), CommandPool::Null(super::null::CommandPool)),
        }
    }

    /// Gives the pool back; what was recorded is void.
    pub(crate) fn abandon(self) -> CommandPool {
        match self {
            Self::Vulkan(encoder) => CommandPool::Vulkan(encoder.abandon()),
            Self::Null => CommandPool::Null(super::null::CommandPool),
        }
    }

    record! {
        push_label(name: &Name => name);
        pop_label();

        /// Barriers gather until [`Encoder::flush_barriers`].
        buffer_barrier(from: Use => from, to: Use => to);
        texture_barrier(
            texture: &Texture => texture.vulkan(), range: TextureRange => range, from: Use => from, to: Use => to
        );
        flush_barriers();
        /// What an upload wrote is seen by every later command.
        upload_barrier();
        /// What a copy wrote is seen by the host once the submission is finished.
        readback_barrier();

        copy_buffer(
            src: &Buffer => src.vulkan(), src_offset: u64 => src_offset, dst: &Buffer => dst.vulkan(),
            dst_offset: u64 => dst_offset, size: u64 => size
        );
        copy_texture(
            src: &Texture => src.vulkan(), src_at: (u32, u32) => src_at, dst: &Texture => dst.vulkan(),
            dst_at: (u32, u32) => dst_at, extent: [u32; 3] => extent
        );
        copy_buffer_to_texture(
            src: &Buffer => src.vulkan(), dst: &Texture => dst.vulkan(), region: &TextureRegion => region
        );
        copy_texture_to_buffer(
            src: &Texture => src.vulkan(), dst: &Buffer => dst.vulkan(), region: &TextureRegion => region
        );

        begin_raster(pass: &PassParams<'_> => pass);
        end_raster();
        set_raster_pipeline(pipeline: &RasterPipeline => pipeline.vulkan());
        set_compute_pipeline(pipeline: &ComputePipeline => pipeline.vulkan());
        /// Binds a set for the current pipeline's interface.
        bind_set(point: BindPoint => point, index: u32 => index, set: &Set => set.vulkan());
        bind_uniforms(
            point: BindPoint => point, set: &UniformSet => set.vulkan(), offsets: &[u32; 4] => offsets
        );
        push_constants(bytes: &[u8] => bytes);
        set_vertex_buffer(slot: u32 => slot, buffer: &Buffer => buffer.vulkan(), offset: u64 => offset);
        set_index_buffer(
            buffer: &Buffer => buffer.vulkan(), offset: u64 => offset, format: IndexFormat => format
        );
        set_viewport(viewport: &Viewport => viewport);
        set_scissor(rect: &Rect => rect);
        draw(vertices: Range<u32> => vertices, instances: Range<u32> => instances);
        draw_indexed(
            indices: Range<u32> => indices, base_vertex: i32 => base_vertex, instances: Range<u32> => instances
        );
        dispatch(groups: [u32; 3] => groups);
        dispatch_indirect(buffer: &Buffer => buffer.vulkan(), offset: u64 => offset);
    }
}
