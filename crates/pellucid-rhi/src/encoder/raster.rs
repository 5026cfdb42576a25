//! Raster passes.
use super::binds::{self, Binds};
use super::{CommandEncoder, Core};
use crate::backend::{BindPoint, ColorParams, DepthParams, PassParams, UniformSet};
use crate::desc::{BufferRoles, Format, IndexFormat, Load, RasterPassDesc, Rect, TextureRoles, Viewport};
use crate::device::Parts;
use crate::device::entries::{RasterEntry, ViewEntry};
use crate::device::ledger::FrameToken;
use crate::frame::UniformSlice;
use crate::handle::AnyHandle;
use crate::{
    BindingSet, Buffer, MAX_COLOR_ATTACHMENTS, MAX_VERTEX_BUFFERS, RasterPipeline, RecordCause, TextureView,
};
use std::ops::Range;

/// What a pass draws into, as pipelines have to match it.
#[derive(Clone, Copy, Default)]
struct Targets {
    color: [Option<Format>; MAX_COLOR_ATTACHMENTS],
    depth: Option<Format>,
    depth_read_only: bool,
    samples: u32,
    width: u32,
    height: u32,
}

/// A raster pass in the recording. It ends with [`RasterPass::end`] or when dropped.
///
/// What is set stays set for the pass, whichever pipeline is set after it.
pub struct RasterPass<'a> {
    parts: &'a Parts,
    token: &'a FrameToken,
    core: &'a mut Core,
    frame: u64,
    uniform_set: Option<&'a UniformSet>,
    targets: Targets,
    pipeline: Option<&'a RasterEntry>,
    binds: Binds<'a>,
    streams: u32,
    /// Indices in the index buffer from its offset on.
    indices: Option<u64>,
    index_name: &'a str,
    /// Whether the backend has begun the pass.
    begun: bool,
}

impl std::fmt::Debug for RasterPass<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RasterPass({}x{})", self.targets.width, self.targets.height)
    }
}

fn bad(entry: &ViewEntry, reason: &'static str) -> RecordCause {
    RecordCause::Attachment { name: entry.name.as_str().to_owned(), reason }
}

/// Looks up an attachment and fits it to the others.
fn attach<'a>(
    parts: &'a Parts,
    token: &'a FrameToken,
    view: TextureView,
    role: TextureRoles,
    targets: &mut Targets,
) -> Result<&'a ViewEntry, RecordCause> {
    let entry = parts.tables.views.get(view.0, token).ok_or(AnyHandle::TextureView(view).stale())?;
    if !entry.roles.contains(role) {
        return Err(bad(entry, "its texture lacks the attachment's role, or its format can't be one"));
    }
    if entry.range.mips != 1 || entry.range.layers != 1 {
        return Err(bad(entry, "an attachment is one mip of one layer"));
    }
    if targets.samples == 0 {
        (targets.width, targets.height, targets.samples) = (entry.width, entry.height, entry.samples);
    }
    if (targets.width, targets.height) != (entry.width, entry.height) {
        return Err(bad(entry, "its size differs from the other attachments'"));
    }
    if targets.samples != entry.samples {
        return Err(bad(entry, "its samples differ from the other attachments'"));
    }
    Ok(entry)
}

fn resolve_view<'a>(
    parts: &'a Parts,
    token: &'a FrameToken,
    view: TextureView,
    source: &ViewEntry,
) -> Result<&'a ViewEntry, RecordCause> {
    let mut targets =
        Targets { width: source.width, height: source.height, samples: 1, ..Targets::default() };
    let entry = attach(parts, token, view, TextureRoles::COLOR_ATTACHMENT, &mut targets)?;
    if source.samples == 1 {
        return Err(bad(entry, "it resolves an attachment that has one sample"));
    }
    if entry.format != source.format {
        return Err(bad(entry, "its format differs from what it resolves"));
    }
    Ok(entry)
}

fn prepare<'a>(
    parts: &'a Parts,
    token: &'a FrameToken,
    desc: &RasterPassDesc<'_>,
) -> Result<(PassParams<'a>, Targets), RecordCause> {
    let limit = MAX_COLOR_ATTACHMENTS as u64;
    if desc.color.len() > MAX_COLOR_ATTACHMENTS {
        return Err(RecordCause::Limit { what: "colour attachments", value: desc.color.len() as u64, limit });
    }
    let mut targets = Targets::default();
    let mut color = [None; MAX_COLOR_ATTACHMENTS];
    for (i, attachment) in desc.color.iter().enumerate() {
        let role = TextureRoles::COLOR_ATTACHMENT;
        let entry = attach(parts, token, attachment.view, role, &mut targets)?;
        let resolve = match attachment.resolve {
            Some(view) => Some(&resolve_view(parts, token, view, entry)?.native),
            None => None,
        };
        targets.color[i] = Some(entry.format);
        let (load, store) = (attachment.load, attachment.store);
        let (view, format) = (&entry.native, entry.format);
        color[i] = Some(ColorParams { view, format, load, store, resolve });
    }
    let mut depth = None;
    if let Some(attachment) = desc.depth {
        let entry = attach(parts, token, attachment.view, TextureRoles::DEPTH_ATTACHMENT, &mut targets)?;
        if attachment.read_only && attachment.load != Load::Load {
            return Err(bad(entry, "a read-only depth attachment is loaded"));
        }
        targets.depth = Some(entry.format);
        targets.depth_read_only = attachment.read_only;
        depth = Some(DepthParams {
            view: &entry.native,
            load: attachment.load,
            store: attachment.store,
            read_only: attachment.read_only,
        });
    }
    if targets.samples == 0 {
        return Err(RecordCause::Limit { what: "attachments", value: 0, limit });
    }
    Ok((PassParams { color, depth, width: targets.width, height: targets.height }, targets))
}

impl CommandEncoder<'_> {
    /// Begins a raster pass. Its attachments are in the uses that [`crate::ColorAttachment`] and
    /// [`crate::DepthAttachment`] name. Viewport and scissor start as the whole of them.
    pub fn raster_pass(&mut self, desc: &RasterPassDesc<'_>) -> RasterPass<'_> {
        let parts = &*self.device.parts;
        let mut pass = RasterPass {
            parts,
            token: self.token,
            core: &mut self.core,
            frame: self.frame,
            uniform_set: parts.frame_slots[self.slot].uniform_set(),
            targets: Targets::default(),
            pipeline: None,
            binds: Binds::new(),
            streams: 0,
            indices: None,
            index_name: "",
            begun: false,
        };
        if !pass.core.is_free() {
            return pass;
        }
        pass.core.push(desc.name);
        if !pass.core.is_good() {
            return pass;
        }
        let prepared = prepare(parts, pass.token, desc);
        let Some((params, targets)) = pass.core.check(prepared) else { return pass };
        pass.targets = targets;
        (pass.begun, pass.core.in_raster) = (true, true);
        let (width, height) = (targets.width, targets.height);
        let native = &mut pass.core.native;
        native.begin_raster(&params);
        native.set_viewport(&Viewport { x: 0.0, y: 0.0, width: width as f32, height: height as f32 });
        native.set_scissor(&Rect { x: 0, y: 0, width, height });
        pass
    }
}

impl<'a> RasterPass<'a> {
    /// Sets the pipeline, which has to fit the attachments.
    pub fn set_pipeline(&mut self, pipeline: RasterPipeline) {
        if !self.core.is_good() {
            return;
        }
        let found = self.parts.tables.raster.get(pipeline.0, self.token);
        let found = found.ok_or_else(|| AnyHandle::from(pipeline).stale().into());
        let Some(entry) = self.core.check(found) else { return };
        let targets = &self.targets;
        let fits = entry.color == targets.color
            && entry.depth == targets.depth
            && entry.samples == targets.samples
            && !(entry.depth_write && targets.depth_read_only);
        if !fits {
            let cause = misfit(entry, targets);
            return self.core.fail(cause);
        }
        self.binds.pipeline(self.pipeline.map(|before| &before.interface), &entry.interface);
        self.pipeline = Some(entry);
        self.core.native.set_raster_pipeline(&entry.native);
    }

    /// Sets binding set `index`, 0 to 3.
    pub fn set_binding_set(&mut self, index: u32, set: BindingSet) {
        if self.core.is_good() {
            let done = self.binds.set(self.parts, self.token, index, set);
            self.core.check(done);
        }
    }

    /// Sets dynamic uniform `slot`, 0 to 3, to bytes of this frame's ring.
    pub fn set_uniform(&mut self, slot: u32, slice: UniformSlice) {
        if self.core.is_good() {
            let done = self.binds.uniform(slot, slice, self.frame);
            self.core.check(done);
        }
    }

    /// Sets push constants from their first byte on: at most 128 bytes, a multiple of 4.
    pub fn push_constants(&mut self, bytes: &[u8]) {
        if self.core.is_good() {
            let done = self.binds.push(bytes);
            self.core.check(done);
        }
    }

    /// Sets vertex stream `slot`, in use `Vertex`. The offset is a multiple of 4.
    pub fn set_vertex_buffer(&mut self, slot: u32, buffer: Buffer, offset: u64) {
        if !self.core.is_good() {
            return;
        }
        let (parts, token) = (self.parts, self.token);
        let checked = || {
            let limit = MAX_VERTEX_BUFFERS as u64 - 1;
            if u64::from(slot) > limit {
                return Err(RecordCause::Limit { what: "a vertex stream's slot", value: slot.into(), limit });
            }
            let entry = binds::buffer(parts, token, buffer, BufferRoles::VERTEX, "VERTEX")?;
            binds::aligned("a vertex stream's offset", offset, 4)?;
            binds::inside(entry, "vertices", offset, 0).map(|()| entry)
        };
        let Some(entry) = self.core.check(checked()) else { return };
        self.streams |= 1 << slot;
        self.core.native.set_vertex_buffer(slot, &entry.native, offset);
    }

    /// Sets the indices, in use `Index`. The offset is a multiple of an index's size.
    pub fn set_index_buffer(&mut self, buffer: Buffer, offset: u64, format: IndexFormat) {
        if !self.core.is_good() {
            return;
        }
        let (parts, token) = (self.parts, self.token);
        let size = match format {
            IndexFormat::U16 => 2,
            IndexFormat::U32 => 4,
        };
        let checked = || {
            let entry = binds::buffer(parts, token, buffer, BufferRoles::INDEX, "INDEX")?;
            binds::aligned("the indices' offset", offset, size)?;
            binds::inside(entry, "indices", offset, 0).map(|()| entry)
        };
        let Some(entry) = self.core.check(checked()) else { return };
        self.indices = Some((entry.size - offset) / size);
        self.index_name = entry.name.as_str();
        self.core.native.set_index_buffer(&entry.native, offset, format);
    }

    /// Sets the viewport. Its size and the distance of its corner from the origin are at most the largest
    /// width of a 2D texture.
    pub fn set_viewport(&mut self, viewport: Viewport) {
        if !self.core.is_good() {
            return;
        }
        let Viewport { x, y, width, height } = viewport;
        // The largest that every device with this texture limit takes. Comparisons refuse what is no number.
        let limit = self.parts.limits().texture_2d as f32;
        let placed = [x, y].iter().all(|edge| edge.abs() < limit);
        let sized = [width, height].iter().all(|&edge| edge > 0.0 && edge <= limit);
        if placed && sized {
            self.core.native.set_viewport(&viewport);
        } else {
            self.core.fail(RecordCause::Viewport);
        }
    }

    /// Sets the scissor rectangle, cut to the attachments.
    pub fn set_scissor(&mut self, rect: Rect) {
        if !self.core.is_good() {
            return;
        }
        let (x, y) = (rect.x.min(self.targets.width), rect.y.min(self.targets.height));
        let width = rect.width.min(self.targets.width - x);
        let height = rect.height.min(self.targets.height - y);
        self.core.native.set_scissor(&Rect { x, y, width, height });
    }

    /// Checks and binds for a draw.
    #[inline]
    fn ready(&mut self) -> bool {
        if !self.core.is_good() || !self.begun {
            return false;
        }
        let Some(pipeline) = self.pipeline else {
            self.core.fail(RecordCause::NoPipeline);
            return false;
        };
        let missing = pipeline.vertex_streams & !self.streams;
        if missing != 0 {
            self.core.fail(RecordCause::MissingVertexBuffer {
                pipeline: pipeline.interface.name.as_str().to_owned(),
                slot: missing.trailing_zeros(),
            });
            return false;
        }
        let native = &mut self.core.native;
        let flushed = self.binds.flush(native, BindPoint::Raster, &pipeline.interface, self.uniform_set);
        self.core.check(flushed).is_some()
    }

    /// Draws vertices. Their ids and the instances' start at 0 in the shader, whatever the range's start.
    pub fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) {
        if self.ready() {
            if !vertices.is_empty() && !instances.is_empty() {
                self.core.native.draw(vertices, instances);
            }
            self.core.commands += 1;
        }
    }

    /// Draws the vertices that indices name, `base_vertex` added to each.
    pub fn draw_indexed(&mut self, indices: Range<u32>, base_vertex: i32, instances: Range<u32>) {
        if !self.ready() {
            return;
        }
        let Some(limit) = self.indices else { return self.core.fail(RecordCause::MissingIndexBuffer) };
        if u64::from(indices.end) > limit {
            return self.core.fail(RecordCause::Range {
                what: "indices",
                name: self.index_name.to_owned(),
                start: indices.start.into(),
                end: indices.end.into(),
                limit,
            });
        }
        if !indices.is_empty() && !instances.is_empty() {
            self.core.native.draw_indexed(indices, base_vertex, instances);
        }
        self.core.commands += 1;
    }

    /// Ends the pass.
    pub fn end(self) {}
}

impl Drop for RasterPass<'_> {
    fn drop(&mut self) {
        if self.begun {
            self.core.native.end_raster();
            self.core.in_raster = false;
            if self.core.is_good() {
                self.core.pop();
            }
        }
    }
}

#[cold]
fn misfit(entry: &RasterEntry, targets: &Targets) -> RecordCause {
    let reason = if entry.color != targets.color {
        format!("its colour targets are {:?}, the pass has {:?}", entry.color, targets.color)
    } else if entry.depth != targets.depth {
        format!("its depth is {:?}, the pass has {:?}", entry.depth, targets.depth)
    } else if entry.samples != targets.samples {
        format!("it has {} samples, the pass has {}", entry.samples, targets.samples)
    } else {
        "it writes depth, the pass only reads it".to_owned()
    };
    RecordCause::Targets { pipeline: entry.interface.name.as_str().to_owned(), reason }
}
