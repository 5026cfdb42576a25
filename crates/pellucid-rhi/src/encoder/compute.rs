//! Compute passes.
use super::binds::{self, Binds};
use super::{CommandEncoder, Core};
use crate::backend::{BindPoint, UniformSet};
use crate::desc::{Barrier, BufferRoles};
use crate::device::Parts;
use crate::device::entries::ComputeEntry;
use crate::device::ledger::FrameToken;
use crate::frame::UniformSlice;
use crate::handle::AnyHandle;
use crate::{BindingSet, Buffer, ComputePipeline, RecordCause};

/// Groups of one dispatch along an axis.
const MAX_GROUPS: u32 = 65_535;

/// A compute pass in the recording. It ends with [`ComputePass::end`] or when dropped.
///
/// What is set stays set for the pass, whichever pipeline is set after it. Dispatches are not ordered among
/// each other but by [`ComputePass::barriers`].
pub struct ComputePass<'a> {
    parts: &'a Parts,
    token: &'a FrameToken,
    core: &'a mut Core,
    frame: u64,
    uniform_set: Option<&'a UniformSet>,
    pipeline: Option<&'a ComputeEntry>,
    binds: Binds<'a>,
    begun: bool,
}

impl std::fmt::Debug for ComputePass<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ComputePass")
    }
}

impl CommandEncoder<'_> {
    /// Begins a compute pass.
    pub fn compute_pass(&mut self, name: &str) -> ComputePass<'_> {
        let parts = &*self.device.parts;
        if self.core.is_free() {
            self.core.push(name);
        }
        ComputePass {
            parts,
            token: self.token,
            begun: self.core.is_good(),
            core: &mut self.core,
            frame: self.frame,
            uniform_set: parts.frame_slots[self.slot].uniform_set(),
            pipeline: None,
            binds: Binds::new(),
        }
    }
}

impl ComputePass<'_> {
    /// Sets the pipeline.
    pub fn set_pipeline(&mut self, pipeline: ComputePipeline) {
        if !self.core.is_good() {
            return;
        }
        let found = self.parts.tables.compute.get(pipeline.0, self.token);
        let found = found.ok_or_else(|| AnyHandle::from(pipeline).stale().into());
        let Some(entry) = self.core.check(found) else { return };
        self.binds.pipeline(self.pipeline.map(|before| &before.interface), &entry.interface);
        self.pipeline = Some(entry);
        self.core.native.set_compute_pipeline(&entry.native);
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

    /// Orders earlier dispatches before later ones. See [`CommandEncoder::barriers`].
    pub fn barriers(&mut self, barriers: &[Barrier]) {
        super::barriers::record(self.core, self.parts, self.token, barriers);
    }

    /// Checks and binds for a dispatch.
    #[inline]
    fn ready(&mut self) -> bool {
        if !self.core.is_good() || !self.begun {
            return false;
        }
        let Some(pipeline) = self.pipeline else {
            self.core.fail(RecordCause::NoPipeline);
            return false;
        };
        let native = &mut self.core.native;
        let flushed = self.binds.flush(native, BindPoint::Compute, &pipeline.interface, self.uniform_set);
        self.core.check(flushed).is_some()
    }

    /// Runs groups, at most 65 535 along each axis.
    pub fn dispatch(&mut self, x: u32, y: u32, z: u32) {
        if !self.ready() {
            return;
        }
        let (most, limit) = (x.max(y).max(z), MAX_GROUPS);
        if most > limit {
            let cause = RecordCause::Limit { what: "groups", value: most.into(), limit: limit.into() };
            return self.core.fail(cause);
        }
        if x > 0 && y > 0 && z > 0 {
            self.core.native.dispatch([x, y, z]);
        }
        self.core.commands += 1;
    }

    /// Runs as many groups as three `u32` in a buffer say, which is in use `Indirect`. The offset is a multiple
    /// of 4.
    pub fn dispatch_indirect(&mut self, buffer: Buffer, offset: u64) {
        if !self.ready() {
            return;
        }
        let (parts, token) = (self.parts, self.token);
        let checked = || {
            let entry = binds::buffer(parts, token, buffer, BufferRoles::INDIRECT, "INDIRECT")?;
            binds::aligned("the arguments' offset", offset, 4)?;
            binds::inside(entry, "arguments", offset, 12).map(|()| entry)
        };
        if let Some(entry) = self.core.check(checked()) {
            self.core.native.dispatch_indirect(&entry.native, offset);
            self.core.commands += 1;
        }
    }

    /// Ends the pass.
    pub fn end(self) {}
}

impl Drop for ComputePass<'_> {
    fn drop(&mut self) {
        if self.begun && self.core.is_good() {
            self.core.pop();
        }
    }
}
