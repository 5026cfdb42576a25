//! Copies, updates and readbacks.
use super::{CommandEncoder, binds};
use crate::backend::{MemoryKind, TextureRegion};
use crate::desc::{BufferCopy, BufferRoles, TextureCopy, TextureRoles};
use crate::device::Readback;
use crate::device::entries::TextureEntry;
use crate::device::staging::Owner;
use crate::handle::AnyHandle;
use crate::slots::lock;
use crate::{Buffer, RecordCause, Texture};
use std::sync::Arc;

/// A mip's size in texels.
fn mip_extent(entry: &TextureEntry, mip: u32) -> [u32; 3] {
    entry.params.extent.map(|edge| (edge >> mip).max(1))
}

impl<'f> CommandEncoder<'f> {
    fn texture(
        &self,
        texture: Texture,
        at: (u32, u32),
        role: TextureRoles,
        word: &'static str,
    ) -> Result<&'f TextureEntry, RecordCause> {
        let entry = self.device.parts.tables.textures.get(texture.0, self.token);
        let entry = entry.ok_or(AnyHandle::Texture(texture).stale())?;
        let params = &entry.params;
        let name = || params.name.as_str().to_owned();
        if !params.roles.contains(role) {
            return Err(RecordCause::Role { name: name(), role: word });
        }
        for (what, value, limit) in [("mip", at.0, params.mips), ("layer", at.1, params.layers)] {
            if value >= limit {
                let (start, end) = (u64::from(value), u64::from(value) + 1);
                return Err(RecordCause::Range { what, name: name(), start, end, limit: limit.into() });
            }
        }
        if params.volume {
            return Err(RecordCause::Use { name: name(), reason: "a volume can't be copied or read back" });
        }
        Ok(entry)
    }

    /// Copies between buffers. Offsets and size are multiples of 4.
    pub fn copy_buffer(&mut self, copy: &BufferCopy) {
        if !self.core.is_free() {
            return;
        }
        let (parts, token) = (&*self.device.parts, self.token);
        let checked = || {
            let src = binds::buffer(parts, token, copy.src, BufferRoles::COPY_SRC, "COPY_SRC")?;
            let dst = binds::buffer(parts, token, copy.dst, BufferRoles::COPY_DST, "COPY_DST")?;
            for value in [copy.src_offset, copy.dst_offset, copy.size] {
                binds::aligned("an offset or size of a copy", value, 4)?;
            }
            binds::inside(src, "source bytes", copy.src_offset, copy.size)?;
            binds::inside(dst, "destination bytes", copy.dst_offset, copy.size)?;
            if copy.src == copy.dst && copy.src_offset.abs_diff(copy.dst_offset) < copy.size {
                let name = src.name.as_str().to_owned();
                return Err(RecordCause::Use { name, reason: "a copy within a buffer overlaps" });
            }
            Ok((src, dst))
        };
        let Some((src, dst)) = self.core.check(checked()) else { return };
        if copy.size > 0 {
            let native = &mut self.core.native;
            native.copy_buffer(&src.native, copy.src_offset, &dst.native, copy.dst_offset, copy.size);
        }
        self.core.commands += 1;
    }

    /// Copies one mip of one layer, whole, between textures of the same format whose mips have the same size.
    pub fn copy_texture(&mut self, copy: &TextureCopy) {
        if !self.core.is_free() {
            return;
        }
        let checked = || {
            let src = self.texture(copy.src, copy.src_at, TextureRoles::COPY_SRC, "COPY_SRC")?;
            let dst = self.texture(copy.dst, copy.dst_at, TextureRoles::COPY_DST, "COPY_DST")?;
            let extent = mip_extent(src, copy.src_at.0);
            let alike = src.params.format == dst.params.format && extent == mip_extent(dst, copy.dst_at.0);
            if !alike || (copy.src == copy.dst && copy.src_at == copy.dst_at) {
                let name = dst.params.name.as_str().to_owned();
                let reason = "source and destination differ in format or size, or are the same";
                return Err(RecordCause::Use { name, reason });
            }
            Ok((src, dst, extent))
        };
        let checked = checked();
        let Some((src, dst, extent)) = self.core.check(checked) else { return };
        self.core.native.copy_texture(&src.native, copy.src_at, &dst.native, copy.dst_at, extent);
        self.core.commands += 1;
    }

    /// Writes bytes into a buffer in use `CopyDst`, at this place of the recording. They are copied now, into
    /// staging memory. Offset and size are multiples of 4.
    pub fn update_buffer(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) {
        if !self.core.is_free() {
            return;
        }
        let (parts, token) = (&*self.device.parts, self.token);
        let checked = || {
            let entry = binds::buffer(parts, token, buffer, BufferRoles::COPY_DST, "COPY_DST")?;
            binds::aligned("an update's offset", offset, 4)?;
            binds::aligned("an update's size", bytes.len() as u64, 4)?;
            binds::inside(entry, "updated bytes", offset, bytes.len() as u64).map(|()| entry)
        };
        let Some(entry) = self.core.check(checked()) else { return };
        let mut uploads = lock(&parts.uploads);
        let piece = uploads.staging.piece() as usize;
        let mut at = offset;
        for part in bytes.chunks(piece) {
            let size = part.len() as u64;
            let staged = match parts.stage(&mut uploads, Owner::Frame, size) {
                Ok(Some(place)) => Ok(place),
                Ok(None) => Err(RecordCause::Limit {
                    what: "staging bytes of the frame's updates",
                    value: size,
                    limit: uploads.staging.limit(),
                }),
                Err(error) => {
                    parts.note(&error);
                    Err(error.into())
                }
            };
            let Some((chunk, from)) = self.core.check(staged) else { return };
            let staging = uploads.staging.buffer(chunk);
            parts.backend.write_buffer(staging, from, part);
            self.core.native.copy_buffer(staging, from, &entry.native, at, size);
            at += size;
        }
        self.core.commands += 1;
    }

    fn read_memory(&self, name: &str, size: u64) -> Result<Buffer, RecordCause> {
        let made = self.device.parts.make_buffer(name, size, BufferRoles::COPY_DST, MemoryKind::Readback);
        made.map_err(RecordCause::Resource)
    }

    /// Reads back one mip of one layer of a single-sample texture in use `CopySrc`, as it is at this place of
    /// the recording. What can't be recorded gives a readback that never arrives, and `finish` says why.
    pub fn read_texture(&mut self, texture: Texture, mip: u32, layer: u32) -> Readback {
        if !self.core.is_free() {
            return Readback::refused();
        }
        let parts = &*self.device.parts;
        let checked = || {
            let entry = self.texture(texture, (mip, layer), TextureRoles::COPY_SRC, "COPY_SRC")?;
            let [width, height, _] = mip_extent(entry, mip);
            let row = width * entry.params.format.texel_bytes();
            let pitch = row.next_multiple_of(parts.backend.row_align());
            let size = u64::from(pitch) * u64::from(height);
            let memory = self.read_memory("texture readback", size)?;
            Ok((entry, width, height, row, pitch, memory))
        };
        let checked = checked();
        let Some((entry, width, height, row, pitch, memory)) = self.core.check(checked) else {
            return Readback::refused();
        };
        let region = TextureRegion {
            mip,
            layer,
            y: 0,
            z: 0,
            extent: [width, height, 1],
            buffer_offset: 0,
            row_pitch: pitch,
        };
        let Some(target) = parts.tables.buffers.get(memory.0, self.token) else {
            return Readback::refused();
        };
        self.core.native.copy_texture_to_buffer(&entry.native, &target.native, &region);
        let texels = Some((width, height, entry.params.format));
        self.readback(memory, u64::from(row) * u64::from(height), texels, pitch)
    }

    /// Reads back bytes of a buffer in use `CopySrc`. Offset and size are multiples of 4.
    pub fn read_buffer(&mut self, buffer: Buffer, offset: u64, size: u64) -> Readback {
        if !self.core.is_free() {
            return Readback::refused();
        }
        let (parts, token) = (&*self.device.parts, self.token);
        let checked = || {
            let entry = binds::buffer(parts, token, buffer, BufferRoles::COPY_SRC, "COPY_SRC")?;
            binds::aligned("a readback's offset", offset, 4)?;
            binds::aligned("a readback's size", size, 4)?;
            binds::inside(entry, "bytes read back", offset, size)?;
            if size == 0 {
                return Err(RecordCause::Limit { what: "bytes read back", value: 0, limit: entry.size });
            }
            Ok((entry, self.read_memory("buffer readback", size)?))
        };
        let checked = checked();
        let Some((entry, memory)) = self.core.check(checked) else { return Readback::refused() };
        let Some(target) = parts.tables.buffers.get(memory.0, token) else { return Readback::refused() };
        self.core.native.copy_buffer(&entry.native, offset, &target.native, 0, size);
        self.readback(memory, size, None, 0)
    }

    fn readback(
        &mut self,
        memory: Buffer,
        size: u64,
        texels: Option<(u32, u32, crate::Format)>,
        pitch: u32,
    ) -> Readback {
        self.core.native.readback_barrier();
        self.core.commands += 1;
        let ticket = Readback::ticket();
        self.reads.push(Arc::clone(&ticket));
        Readback::new(self.device.clone(), memory, ticket, size, texels, pitch)
    }
}
