//! Recording.
use super::binding::{Set, UniformSet};
use super::buffer::Buffer;
use super::conv;
use super::frame::CommandPool;
use super::native::Native;
use super::pipeline::{ComputePipeline, PUSH_STAGES, RasterPipeline};
use super::texture::Texture;
use crate::backend::{BindPoint, PassParams, TextureRegion};
use crate::desc::{IndexFormat, Load, Rect, TextureRange, Use, Viewport};
use crate::fault::Site;
use crate::name::Name;
use crate::{DYNAMIC_UNIFORM_SET, MAX_COLOR_ATTACHMENTS, NativeError};
use ash::{ext, vk};
use std::ops::Range;
use std::sync::Arc;

/// Texture barriers that gather in one native barrier.
const MAX_BARRIERS: usize = 16;

/// A command buffer in the recording.
pub(crate) struct Encoder {
    native: Arc<Native>,
    debug: Option<Arc<ext::debug_utils::Device>>,
    raw: vk::CommandBuffer,
    pool: CommandPool,
    /// Layout of the current pipeline.
    layout: vk::PipelineLayout,
    /// Buffers' barriers, which need no range: one for all.
    memory: vk::MemoryBarrier2<'static>,
    has_memory: bool,
    images: [vk::ImageMemoryBarrier2<'static>; MAX_BARRIERS],
    image_count: usize,
}

const fn layers(aspect: vk::ImageAspectFlags, mip: u32, layer: u32) -> vk::ImageSubresourceLayers {
    vk::ImageSubresourceLayers {
        aspect_mask: aspect,
        mip_level: mip,
        base_array_layer: layer,
        layer_count: 1,
    }
}

fn region(texture: &Texture, region: &TextureRegion) -> vk::BufferImageCopy {
    let [width, height, depth] = region.extent;
    vk::BufferImageCopy {
        buffer_offset: region.buffer_offset,
        buffer_row_length: region.row_pitch / texture.texel_bytes,
        buffer_image_height: 0,
        image_subresource: layers(texture.aspect, region.mip, region.layer),
        image_offset: vk::Offset3D { x: 0, y: region.y as i32, z: region.z as i32 },
        image_extent: vk::Extent3D { width, height, depth },
    }
}

const fn point(point: BindPoint) -> vk::PipelineBindPoint {
    match point {
        BindPoint::Raster => vk::PipelineBindPoint::GRAPHICS,
        BindPoint::Compute => vk::PipelineBindPoint::COMPUTE,
    }
}

/// Every call below records into a command buffer that is being recorded, by the one thread that has it, with
/// arguments that the facade has checked and objects that it keeps alive until the commands have run.
macro_rules! record {
    ($encoder:ident.$call:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: see the macro's own words.
        unsafe { $encoder.native.device.$call($encoder.raw, $($arg),*) }
    };
}

impl Encoder {
    pub(super) fn new(
        native: Arc<Native>,
        debug: Option<Arc<ext::debug_utils::Device>>,
        raw: vk::CommandBuffer,
        pool: CommandPool,
    ) -> Self {
        Self {
            native,
            debug,
            raw,
            pool,
            layout: vk::PipelineLayout::null(),
            memory: vk::MemoryBarrier2::default(),
            has_memory: false,
            images: [vk::ImageMemoryBarrier2::default(); MAX_BARRIERS],
            image_count: 0,
        }
    }

    pub(crate) fn finish(self) -> (Result<vk::CommandBuffer, NativeError>, CommandPool) {
        let ended = self.native.call(Site::EndCommands, "vkEndCommandBuffer", |device| {
            // SAFETY: the buffer is being recorded, outside of a pass.
            unsafe { device.end_command_buffer(self.raw) }
        });
        (ended.map(|()| self.raw), self.pool)
    }

    pub(crate) fn abandon(self) -> CommandPool {
        // The commands stay unfinished until the pool is reset, which makes them initial again.
        self.pool
    }

    pub(crate) fn push_label(&mut self, name: &Name) {
        if let Some(debug) = &self.debug {
            let label = vk::DebugUtilsLabelEXT::default().label_name(name.as_c_str());
            // SAFETY: the buffer is being recorded; the label is whole.
            unsafe { debug.cmd_begin_debug_utils_label(self.raw, &label) };
        }
    }

    pub(crate) fn pop_label(&mut self) {
        if let Some(debug) = &self.debug {
            // SAFETY: the buffer is being recorded; the facade balances labels.
            unsafe { debug.cmd_end_debug_utils_label(self.raw) };
        }
    }

    pub(crate) fn buffer_barrier(&mut self, from: Use, to: Use) {
        let (from, to) = (conv::lower(from), conv::lower(to));
        self.memory.src_stage_mask |= from.stages;
        self.memory.src_access_mask |= from.access;
        self.memory.dst_stage_mask |= to.stages;
        self.memory.dst_access_mask |= to.access;
        self.has_memory = true;
    }

    pub(crate) fn texture_barrier(&mut self, texture: &Texture, range: TextureRange, from: Use, to: Use) {
        if self.image_count == MAX_BARRIERS {
            self.flush_barriers();
        }
        let (from, to) = (conv::lower(from), conv::lower(to));
        self.images[self.image_count] = vk::ImageMemoryBarrier2::default()
            .src_stage_mask(from.stages)
            .src_access_mask(from.access)
            .dst_stage_mask(to.stages)
            .dst_access_mask(to.access)
            .old_layout(from.layout)
            .new_layout(to.layout)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(texture.raw)
            .subresource_range(conv::range(range, texture.aspect));
        self.image_count += 1;
    }

    fn barrier(&self, memory: &[vk::MemoryBarrier2<'_>], images: &[vk::ImageMemoryBarrier2<'_>]) {
        let info = vk::DependencyInfo::default().memory_barriers(memory).image_memory_barriers(images);
        // SAFETY: the buffer is being recorded, outside of a raster pass; images are alive, ranges inside.
        unsafe { (self.native.functions.pipeline_barrier2)(self.raw, &info) };
    }

    pub(crate) fn flush_barriers(&mut self) {
        if !self.has_memory && self.image_count == 0 {
            return;
        }
        let memory = [self.memory];
        self.barrier(&memory[..usize::from(self.has_memory)], &self.images[..self.image_count]);
        (self.memory, self.has_memory, self.image_count) = (vk::MemoryBarrier2::default(), false, 0);
    }

    fn whole(&self, source: vk::AccessFlags2, stages: vk::PipelineStageFlags2, target: vk::AccessFlags2) {
        let memory = [vk::MemoryBarrier2::default()
            .src_stage_mask(vk::PipelineStageFlags2::ALL_TRANSFER)
            .src_access_mask(source)
            .dst_stage_mask(stages)
            .dst_access_mask(target)];
        self.barrier(&memory, &[]);
    }

    pub(crate) fn upload_barrier(&mut self) {
        let all = vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE;
        self.whole(vk::AccessFlags2::TRANSFER_WRITE, vk::PipelineStageFlags2::ALL_COMMANDS, all);
    }

    pub(crate) fn readback_barrier(&mut self) {
        let read = vk::AccessFlags2::HOST_READ;
        self.whole(vk::AccessFlags2::TRANSFER_WRITE, vk::PipelineStageFlags2::HOST, read);
    }

    pub(crate) fn copy_buffer(
        &mut self,
        src: &Buffer,
        src_offset: u64,
        dst: &Buffer,
        dst_offset: u64,
        size: u64,
    ) {
        let copy = vk::BufferCopy { src_offset, dst_offset, size };
        record!(self.cmd_copy_buffer(src.raw, dst.raw, &[copy]));
    }

    pub(crate) fn copy_texture(
        &mut self,
        src: &Texture,
        src_at: (u32, u32),
        dst: &Texture,
        dst_at: (u32, u32),
        extent: [u32; 3],
    ) {
        let [width, height, depth] = extent;
        let copy = vk::ImageCopy::default()
            .src_subresource(layers(src.aspect, src_at.0, src_at.1))
            .dst_subresource(layers(dst.aspect, dst_at.0, dst_at.1))
            .extent(vk::Extent3D { width, height, depth });
        record!(self.cmd_copy_image(
            src.raw,
            vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
            dst.raw,
            vk::ImageLayout::TRANSFER_DST_OPTIMAL,
            &[copy],
        ));
    }

    pub(crate) fn copy_buffer_to_texture(&mut self, src: &Buffer, dst: &Texture, place: &TextureRegion) {
        let copy = region(dst, place);
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        record!(self.cmd_copy_buffer_to_image(src.raw, dst.raw, layout, &[copy]));
    }

    pub(crate) fn copy_texture_to_buffer(&mut self, src: &Texture, dst: &Buffer, place: &TextureRegion) {
        let copy = region(src, place);
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        record!(self.cmd_copy_image_to_buffer(src.raw, layout, dst.raw, &[copy]));
    }

    pub(crate) fn begin_raster(&mut self, pass: &PassParams<'_>) {
        let mut color = [vk::RenderingAttachmentInfo::default(); MAX_COLOR_ATTACHMENTS];
        let mut count = 0;
        for (info, params) in color.iter_mut().zip(pass.color.iter().flatten()) {
            let value = if let Load::Clear(value) = params.load { value } else { [0.0; 4] };
            let clear = vk::ClearValue { color: conv::clear_color(params.format, value) };
            *info = info
                .image_view(params.view.vulkan().raw)
                .image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
                .load_op(conv::load(&params.load))
                .store_op(conv::store(params.store))
                .clear_value(clear);
            if let Some(resolve) = params.resolve {
                *info = info
                    .resolve_mode(vk::ResolveModeFlags::AVERAGE)
                    .resolve_image_view(resolve.vulkan().raw)
                    .resolve_image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL);
            }
            count += 1;
        }
        let mut depth = vk::RenderingAttachmentInfo::default();
        if let Some(params) = &pass.depth {
            let layout = if params.read_only {
                vk::ImageLayout::DEPTH_STENCIL_READ_ONLY_OPTIMAL
            } else {
                vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL
            };
            let value = if let Load::Clear(value) = params.load { value } else { 0.0 };
            depth = depth
                .image_view(params.view.vulkan().raw)
                .image_layout(layout)
                .load_op(conv::load(&params.load))
                .store_op(conv::store(params.store))
                .clear_value(vk::ClearValue {
                    depth_stencil: vk::ClearDepthStencilValue { depth: value, stencil: 0 },
                });
        }
        let extent = vk::Extent2D { width: pass.width, height: pass.height };
        let mut info = vk::RenderingInfo::default()
            .render_area(vk::Rect2D { offset: vk::Offset2D::default(), extent })
            .layer_count(1)
            .color_attachments(&color[..count]);
        if pass.depth.is_some() {
            info = info.depth_attachment(&depth);
        }
        // SAFETY: the buffer is being recorded, outside of a pass; the views are alive and of one size.
        unsafe { (self.native.functions.begin_rendering)(self.raw, &info) };
    }

    pub(crate) fn end_raster(&mut self) {
        // SAFETY: the buffer is being recorded, inside of a pass.
        unsafe { (self.native.functions.end_rendering)(self.raw) };
    }

    pub(crate) fn set_raster_pipeline(&mut self, pipeline: &RasterPipeline) {
        self.layout = pipeline.layout;
        record!(self.cmd_bind_pipeline(vk::PipelineBindPoint::GRAPHICS, pipeline.raw));
    }

    pub(crate) fn set_compute_pipeline(&mut self, pipeline: &ComputePipeline) {
        self.layout = pipeline.layout;
        record!(self.cmd_bind_pipeline(vk::PipelineBindPoint::COMPUTE, pipeline.raw));
    }

    pub(crate) fn bind_set(&mut self, at: BindPoint, index: u32, set: &Set) {
        record!(self.cmd_bind_descriptor_sets(point(at), self.layout, index, &[set.raw], &[]));
    }

    pub(crate) fn bind_uniforms(&mut self, at: BindPoint, set: &UniformSet, offsets: &[u32; 4]) {
        let first = DYNAMIC_UNIFORM_SET;
        record!(self.cmd_bind_descriptor_sets(point(at), self.layout, first, &[set.raw], offsets));
    }

    pub(crate) fn push_constants(&mut self, bytes: &[u8]) {
        record!(self.cmd_push_constants(self.layout, PUSH_STAGES, 0, bytes));
    }

    pub(crate) fn set_vertex_buffer(&mut self, slot: u32, buffer: &Buffer, offset: u64) {
        record!(self.cmd_bind_vertex_buffers(slot, &[buffer.raw], &[offset]));
    }

    pub(crate) fn set_index_buffer(&mut self, buffer: &Buffer, offset: u64, format: IndexFormat) {
        let format = match format {
            IndexFormat::U16 => vk::IndexType::UINT16,
            IndexFormat::U32 => vk::IndexType::UINT32,
        };
        record!(self.cmd_bind_index_buffer(buffer.raw, offset, format));
    }

    /// The height is negative, so that +Y is up in normalised device coordinates.
    pub(crate) fn set_viewport(&mut self, viewport: &Viewport) {
        let native = vk::Viewport {
            x: viewport.x,
            y: viewport.y + viewport.height,
            width: viewport.width,
            height: -viewport.height,
            min_depth: 0.0,
            max_depth: 1.0,
        };
        record!(self.cmd_set_viewport(0, &[native]));
    }

    pub(crate) fn set_scissor(&mut self, rect: &Rect) {
        let native = vk::Rect2D {
            offset: vk::Offset2D { x: rect.x as i32, y: rect.y as i32 },
            extent: vk::Extent2D { width: rect.width, height: rect.height },
        };
        record!(self.cmd_set_scissor(0, &[native]));
    }

    pub(crate) fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) {
        let (count, each) = (vertices.end - vertices.start, instances.end - instances.start);
        record!(self.cmd_draw(count, each, vertices.start, instances.start));
    }

    pub(crate) fn draw_indexed(&mut self, indices: Range<u32>, base_vertex: i32, instances: Range<u32>) {
        let (count, each) = (indices.end - indices.start, instances.end - instances.start);
        record!(self.cmd_draw_indexed(count, each, indices.start, base_vertex, instances.start));
    }

    pub(crate) fn dispatch(&mut self, groups: [u32; 3]) {
        let [x, y, z] = groups;
        record!(self.cmd_dispatch(x, y, z));
    }

    pub(crate) fn dispatch_indirect(&mut self, buffer: &Buffer, offset: u64) {
        record!(self.cmd_dispatch_indirect(buffer.raw, offset));
    }
}
