//! Frames: a slot of rings and pools, the encoders that record into it, and its submission.
use crate::backend::{self, Commands, MemoryKind, UniformSet};
use crate::desc::BufferRoles;
use crate::device::ledger::FrameToken;
use crate::device::staging::Owner;
use crate::device::{Device, SubmissionId};
use crate::encoder::{CommandBuffer, CommandEncoder};
use crate::ring::Cursor;
use crate::slots::lock;
use crate::{
    Buffer, FrameError, MAX_COMMAND_BUFFERS, MAX_OPEN_ENCODERS, MAX_UNIFORM_RANGE, ResourceError, RingError,
    STORAGE_ALIGN,
};
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// What a frame draws for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameTarget {
    /// Textures of this size, in pixels.
    Offscreen {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
    },
}

/// Why a frame is skipped. Nothing was acquired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The target has no pixels.
    ZeroSize,
}

/// Whether there is a frame to record.
#[derive(Debug)]
pub enum FrameStatus {
    /// There is.
    Ready(Frame),
    /// There is none this time.
    Skipped(SkipReason),
}

/// Bytes of a frame's uniform ring, for [`crate::RasterPass::set_uniform`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformSlice {
    pub(crate) offset: u32,
    pub(crate) size: u32,
    pub(crate) frame: u64,
}

impl UniformSlice {
    /// Bytes.
    #[must_use]
    pub const fn size(self) -> u32 {
        self.size
    }
}

/// Bytes of a frame's vertex ring, good in this frame only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexSlice {
    /// The ring's buffer, with the roles vertex and index.
    pub buffer: Buffer,
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
}

/// The rings of a slot.
struct Rings {
    uniform: backend::Buffer,
    uniform_set: UniformSet,
    /// In the table, so that it can be set like any buffer.
    vertex: Buffer,
}

/// What one of the frames in flight uses.
pub(crate) struct FrameSlot {
    rings: OnceLock<Rings>,
    uniform: Cursor,
    vertex: Cursor,
    vertex_bytes: u64,
    uniform_bytes: u64,
    pools: Mutex<Vec<backend::CommandPool>>,
    /// Pools that exist, in `pools` or with an encoder.
    pool_count: AtomicU32,
    /// The newest submission that used it.
    serial: AtomicU64,
}

impl FrameSlot {
    pub(crate) fn new(uniform_bytes: u64, vertex_bytes: u64) -> Self {
        Self {
            rings: OnceLock::new(),
            uniform: Cursor::new("uniform", uniform_bytes),
            vertex: Cursor::new("vertex", vertex_bytes),
            vertex_bytes,
            uniform_bytes,
            pools: Mutex::new(Vec::with_capacity(MAX_OPEN_ENCODERS)),
            pool_count: AtomicU32::new(0),
            serial: AtomicU64::new(0),
        }
    }

    /// Whether its rings exist.
    pub(crate) fn is_warm(&self) -> bool {
        self.rings.get().is_some()
    }

    pub(crate) fn uniform_set(&self) -> Option<&UniformSet> {
        self.rings.get().map(|rings| &rings.uniform_set)
    }

    pub(crate) fn give_pool(&self, pool: backend::CommandPool) {
        lock(&self.pools).push(pool);
    }

    /// Destroys its native objects, but for the vertex ring, which is in the table.
    pub(crate) fn drain(&mut self, device: &backend::Device) {
        if let Some(rings) = self.rings.take() {
            device.destroy_uniform_set(rings.uniform_set);
            device.destroy_buffer(rings.uniform);
        }
        lock(&self.pools).drain(..).for_each(|pool| device.destroy_pool(pool));
    }
}

/// An open frame. It may be sent to another thread; its rings and encoders may be used from several.
/// Dropping it without [`Frame::submit`] abandons it: nothing of it reaches the GPU.
pub struct Frame {
    device: Device,
    /// `None` once submitted.
    token: Option<FrameToken>,
    index: u64,
    slot: usize,
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Frame({} in slot {})", self.index, self.slot)
    }
}

impl Device {
    /// Begins a frame. Waits until the GPU has finished the frame that used the slot before, and for nothing
    /// else.
    ///
    /// # Errors
    /// Another frame is open, the rings can't be made, or the device was lost or did not finish in time.
    pub fn begin_frame(&self, target: FrameTarget) -> Result<FrameStatus, FrameError> {
        let parts = &self.parts;
        parts.check()?;
        let FrameTarget::Offscreen { width, height } = target;
        if width == 0 || height == 0 {
            return Ok(FrameStatus::Skipped(SkipReason::ZeroSize));
        }
        let token = lock(&parts.ledger).open_frame().ok_or(FrameError::FrameOpen)?;
        let index = parts.frames.load(Ordering::Relaxed);
        let slot = (index % parts.frame_slots.len() as u64) as usize;
        // From here on, dropping the frame closes it again.
        let frame = Frame { device: self.clone(), token: Some(token), index, slot };
        frame.prepare()?;
        Ok(FrameStatus::Ready(frame))
    }
}

impl Frame {
    fn shared(&self) -> &FrameSlot {
        &self.device.parts.frame_slots[self.slot]
    }

    /// Waits for the slot and makes it ready.
    fn prepare(&self) -> Result<(), FrameError> {
        let parts = &self.device.parts;
        let slot = self.shared();
        let serial = slot.serial.load(Ordering::Relaxed);
        let waited = parts.wait_serial(serial, parts.fence_timeout).and_then(|()| parts.collect());
        waited.map_err(|error| parts.failed(error))?;
        slot.uniform.reset();
        slot.vertex.reset();
        for pool in lock(&slot.pools).iter_mut() {
            parts.backend.reset_pool(pool).map_err(|error| parts.failed(error))?;
        }
        if !slot.is_warm() {
            let rings = self.make_rings()?;
            // One frame is open at a time, so nobody else has set them.
            let _ = slot.rings.set(rings);
        }
        Ok(())
    }

    fn make_rings(&self) -> Result<Rings, ResourceError> {
        let parts = &self.device.parts;
        let slot = self.shared();
        // A uniform at the ring's end still has a whole range behind it.
        let size = slot.uniform_bytes + MAX_UNIFORM_RANGE;
        let params = backend::BufferParams {
            name: crate::name::Name::new("uniform ring"),
            size,
            roles: BufferRoles::UNIFORM,
            memory: MemoryKind::Upload,
        };
        let native = |error| parts.native("uniform ring", error);
        let charge = parts.backend.buffer_bytes(&params).map_err(native)?;
        parts.budget.charge(charge).map_err(|used| ResourceError::Budget {
            name: "uniform ring".to_owned(),
            pool: "resources",
            requested: charge,
            used,
            limit: parts.budget.limit(),
        })?;
        let made = parts.backend.create_buffer(&params).and_then(|uniform| {
            match parts.backend.create_uniform_set(&uniform) {
                Ok(set) => Ok((uniform, set)),
                Err(error) => {
                    parts.backend.destroy_buffer(uniform);
                    Err(error)
                }
            }
        });
        let (uniform, uniform_set) = made.map_err(|error| {
            parts.budget.refund(charge);
            native(error)
        })?;
        let roles = BufferRoles::VERTEX | BufferRoles::INDEX;
        match parts.make_buffer("vertex ring", slot.vertex_bytes, roles, MemoryKind::Upload) {
            Ok(vertex) => Ok(Rings { uniform, uniform_set, vertex }),
            Err(error) => {
                parts.backend.destroy_uniform_set(uniform_set);
                parts.backend.destroy_buffer(uniform);
                parts.budget.refund(charge);
                Err(error)
            }
        }
    }

    /// Number of the frame: 0 for the device's first, one more for each that is submitted.
    #[must_use]
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Which of the device's frame slots it uses. What the caller keeps per slot may be written again.
    #[must_use]
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// Copies uniforms into the frame's ring.
    ///
    /// # Errors
    /// There are no bytes or more than 16 384, or the ring is full.
    pub fn alloc_uniform(&self, bytes: &[u8]) -> Result<UniformSlice, RingError> {
        let size = bytes.len() as u64;
        if size == 0 || size > MAX_UNIFORM_RANGE {
            return Err(RingError::Size { ring: "uniform", requested: size, limit: MAX_UNIFORM_RANGE });
        }
        let slot = self.shared();
        let offset = slot.uniform.take(size, STORAGE_ALIGN)?;
        if let Some(rings) = slot.rings.get() {
            self.device.parts.backend.write_buffer(&rings.uniform, offset, bytes);
        }
        // Rings are at most 2^31 bytes, and uniform slices at most 2^14.
        Ok(UniformSlice { offset: offset as u32, size: size as u32, frame: self.index })
    }

    /// Copies vertices or indices into the frame's ring, at a multiple of `align` (a power of two up to 256).
    ///
    /// # Errors
    /// There are no bytes, the alignment is not possible, or the ring is full.
    pub fn alloc_vertex(&self, bytes: &[u8], align: u64) -> Result<VertexSlice, RingError> {
        let size = bytes.len() as u64;
        let slot = self.shared();
        if size == 0 {
            return Err(RingError::Size { ring: "vertex", requested: 0, limit: slot.vertex_bytes });
        }
        if !align.is_power_of_two() || align > 256 {
            return Err(RingError::Align { align });
        }
        let parts = &self.device.parts;
        // A frame that was handed out has its rings and its token, and nobody can destroy a ring.
        let ring = slot.rings.get().zip(self.token.as_ref()).and_then(|(rings, token)| {
            Some((rings.vertex, parts.tables.buffers.get(rings.vertex.0, token)?))
        });
        let none = RingError::Full { ring: "vertex", requested: size, used: 0, capacity: 0 };
        let (buffer, entry) = ring.ok_or(none)?;
        let offset = slot.vertex.take(size, align)?;
        parts.backend.write_buffer(&entry.native, offset, bytes);
        Ok(VertexSlice { buffer, offset, size })
    }

    /// Begins an encoder. Several may be open at once, on several threads; [`Frame::submit`] takes what they
    /// finish with, in the order given there.
    ///
    /// # Errors
    /// More than 64 encoders are open, or a native call failed.
    pub fn encoder(&self, name: &str) -> Result<CommandEncoder<'_>, FrameError> {
        let parts = &self.device.parts;
        parts.check()?;
        let slot = self.shared();
        let Some(token) = &self.token else { return Err(FrameError::FrameOpen) };
        let pool = lock(&slot.pools).pop();
        let pool = match pool {
            Some(pool) => pool,
            None => {
                let count = slot.pool_count.fetch_add(1, Ordering::Relaxed);
                let full = count >= MAX_OPEN_ENCODERS as u32;
                let pool = if full { None } else { Some(parts.backend.create_pool()) };
                let Some(Ok(pool)) = pool else {
                    slot.pool_count.fetch_sub(1, Ordering::Relaxed);
                    return Err(match pool {
                        Some(Err(error)) => parts.failed(error),
                        _ => FrameError::Limit { what: "open encoders", limit: MAX_OPEN_ENCODERS },
                    });
                };
                pool
            }
        };
        let name = crate::name::Name::new(name);
        let native = parts.backend.begin_encoder(pool, &name).map_err(|error| {
            slot.pool_count.fetch_sub(1, Ordering::Relaxed);
            parts.failed(error)
        })?;
        Ok(CommandEncoder::new(&self.device, token, native, name, self.index, self.slot))
    }

    /// Submits command buffers in this order, after the uploads that are waiting. The frame ends whether or
    /// not this succeeds.
    ///
    /// # Errors
    /// A command buffer belongs to another frame, there are more than 64, or the device was lost.
    pub fn submit(
        mut self,
        commands: impl IntoIterator<Item = CommandBuffer>,
    ) -> Result<SubmissionId, FrameError> {
        let parts = self.device.parts.clone();
        parts.check()?;
        let mut buffers: [Option<CommandBuffer>; MAX_COMMAND_BUFFERS] = [const { None }; MAX_COMMAND_BUFFERS];
        for (count, buffer) in commands.into_iter().enumerate() {
            if buffer.frame != self.index || buffer.device != parts.tag {
                return Err(FrameError::ForeignCommandBuffer { name: buffer.name.as_str().to_owned() });
            }
            let place = buffers.get_mut(count);
            let limit = FrameError::Limit { what: "command buffers", limit: MAX_COMMAND_BUFFERS };
            *place.ok_or(limit)? = Some(buffer);
        }

        let mut uploads = lock(&parts.uploads);
        let mut ledger = lock(&parts.ledger);
        let serial = ledger.next();
        let mut natives = [Commands::Null; MAX_COMMAND_BUFFERS + 1];
        let mut length = 0;
        let uploaded = uploads.close(serial);
        if let Ok(Some(first)) = uploaded {
            natives[0] = first;
            length = 1;
        }
        for buffer in buffers.iter().flatten() {
            natives[length] = buffer.native;
            length += 1;
        }
        let submitted = uploaded.and_then(|_| parts.backend.submit(&natives[..length], serial));
        let Some(token) = self.token.take() else { return Err(FrameError::FrameOpen) };
        if let Err(error) = submitted {
            uploads.staging.abandoned(Owner::Frame);
            ledger.batch_failed();
            ledger.abandon_frame(token);
            return Err(parts.failed(error));
        }
        ledger.frame_submitted(token);
        uploads.staging.submitted(Owner::Frame, serial);
        parts.frame_slots[self.slot].serial.store(serial, Ordering::Relaxed);
        parts.frames.store(self.index + 1, Ordering::Relaxed);
        drop(ledger);
        drop(uploads);
        for buffer in buffers.iter().flatten() {
            buffer.reads.iter().for_each(|read| read.submitted(serial));
        }
        Ok(SubmissionId { serial })
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        let Some(token) = self.token.take() else { return };
        let parts = &self.device.parts;
        lock(&parts.uploads).staging.abandoned(Owner::Frame);
        lock(&parts.ledger).abandon_frame(token);
    }
}
