//! Buffers, textures, views and samplers.
use super::budget::Budget;
use super::check::{self, Subject};
use super::entries::{BufferEntry, Key, SamplerEntry, TextureEntry, ViewEntry};
use super::{Device, Parts, TextureStatus};
use crate::backend::{BufferParams, MemoryKind, ViewParams};
use crate::desc::{BufferDesc, BufferRoles, SamplerDesc, TextureData, TextureDesc, TextureViewDesc};
use crate::handle::ObjectKind;
use crate::name::Name;
use crate::slots::{HoldsObjects, lock};
use crate::{Buffer, NativeError, ResourceError, Sampler, StaleHandle, Texture, TextureView};
use std::sync::atomic::Ordering;

/// Most bytes of readbacks that are alive at once.
const READBACK_LIMIT: u64 = 1 << 30;

/// Proof for an object whose handle has not been given to anybody yet, or to which the caller holds a
/// reference; it is used for such objects only.
pub(crate) struct Held;

// SAFETY: nobody can destroy what nobody else knows; and what is referenced is not taken.
unsafe impl HoldsObjects for Held {}

impl Parts {
    pub(crate) fn native(&self, name: &str, source: NativeError) -> ResourceError {
        self.note(&source);
        match source {
            NativeError::DeviceLost { .. } => ResourceError::DeviceLost,
            source => ResourceError::Native { name: Name::new(name).as_str().to_owned(), source },
        }
    }

    pub(crate) fn alive(&self) -> Result<(), ResourceError> {
        if self.is_lost() { Err(ResourceError::DeviceLost) } else { Ok(()) }
    }

    fn charge(&self, name: &str, bytes: u64) -> Result<(), ResourceError> {
        let budget: &Budget = &self.budget;
        budget.charge(bytes).map_err(|used| ResourceError::Budget {
            name: Name::new(name).as_str().to_owned(),
            pool: "resources",
            requested: bytes,
            used,
            limit: budget.limit(),
        })
    }

    /// Makes a buffer of any memory, charged.
    pub(crate) fn make_buffer(
        &self,
        name: &str,
        size: u64,
        roles: BufferRoles,
        memory: MemoryKind,
    ) -> Result<Buffer, ResourceError> {
        let params = BufferParams { name: Name::new(name), size, roles, memory };
        let bytes = self.backend.buffer_bytes(&params).map_err(|error| self.native(name, error))?;
        let readback = memory == MemoryKind::Readback;
        if readback {
            let add = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= READBACK_LIMIT);
            let charged = self.readback_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
            charged.map_err(|used| ResourceError::Budget {
                name: params.name.as_str().to_owned(),
                pool: "readbacks",
                requested: bytes,
                used,
                limit: READBACK_LIMIT,
            })?;
        }
        let refund = || {
            if readback {
                self.readback_bytes.fetch_sub(bytes, Ordering::Relaxed);
            }
        };
        self.charge(name, bytes).inspect_err(|_| refund())?;
        let native = self.backend.create_buffer(&params).map_err(|error| {
            refund();
            self.budget.refund(bytes);
            self.native(name, error)
        })?;
        let ring = memory == MemoryKind::Upload;
        let entry = BufferEntry { native, name: params.name, size, roles, charge: bytes, readback, ring };
        let inserted = self.tables.buffers.insert(entry).map(Buffer);
        inserted.map_err(|entry| {
            self.backend.destroy_buffer(entry.native);
            refund();
            self.budget.refund(bytes);
            ResourceError::Capacity { kind: ObjectKind::Buffer, limit: self.tables.buffers.capacity() }
        })
    }
}

impl Device {
    /// Creates a buffer. Its contents are undefined until written.
    ///
    /// # Errors
    /// The size is 0 or there is no role, the budget or the table is full, or a native call failed.
    pub fn create_buffer(&self, desc: &BufferDesc<'_>) -> Result<Buffer, ResourceError> {
        self.parts.alive()?;
        check::buffer(desc)?;
        self.parts.make_buffer(desc.name, desc.size, desc.roles, MemoryKind::Device)
    }

    /// Creates a buffer whose first bytes are `bytes`, copied before this returns. Every command submitted
    /// later sees them, whatever use it names: no barrier is needed before the first.
    ///
    /// # Errors
    /// As [`Device::create_buffer`]; or there are more bytes than the size.
    pub fn create_buffer_init(&self, desc: &BufferDesc<'_>, bytes: &[u8]) -> Result<Buffer, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        check::buffer(desc)?;
        let subject = Subject::new(ObjectKind::Buffer, desc.name);
        subject.require(bytes.len() as u64 <= desc.size, || {
            format!("{} initial bytes for a size of {}", bytes.len(), desc.size)
        })?;
        let buffer = parts.make_buffer(desc.name, desc.size, desc.roles, MemoryKind::Device)?;
        let entry = parts.tables.buffers.get(buffer.0, &Held);
        // Where the host and the GPU share memory (integrated and software adapters) nothing is staged.
        let uploaded = match entry {
            Some(entry) if parts.host_writes && parts.backend.write_new_buffer(&entry.native, bytes) => {
                Ok(())
            }
            Some(entry) => parts.upload_buffer(&entry.native, bytes),
            None => Ok(()),
        };
        uploaded.map_err(|error| {
            let _ = self.destroy(buffer);
            parts.native(desc.name, error)
        })?;
        Ok(buffer)
    }

    /// Creates a texture. Every subresource is in use `Undefined`.
    ///
    /// # Errors
    /// The description is against the portable rules or this device's limits and formats, the budget or the
    /// table is full, or a native call failed.
    pub fn create_texture(&self, desc: &TextureDesc<'_>) -> Result<Texture, ResourceError> {
        self.make_texture(desc, false)
    }

    fn make_texture(&self, desc: &TextureDesc<'_>, with_data: bool) -> Result<Texture, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        let mut params =
            check::texture(desc, &parts.info.limits, |format| self.format_support(format), with_data)?;
        params.host_writes &= parts.host_writes;
        let bytes = parts.backend.texture_bytes(&params).map_err(|error| parts.native(desc.name, error))?;
        parts.charge(desc.name, bytes)?;
        let native = parts.backend.create_texture(&params).map_err(|error| {
            parts.budget.refund(bytes);
            parts.native(desc.name, error)
        })?;
        let entry = TextureEntry { native, params, charge: bytes, batch: 0.into() };
        parts.tables.textures.insert(entry).map(Texture).map_err(|entry| {
            parts.backend.destroy_texture(entry.native);
            parts.budget.refund(bytes);
            ResourceError::Capacity { kind: ObjectKind::Texture, limit: parts.tables.textures.capacity() }
        })
    }

    /// Creates a texture from the bytes of all its subresources, or of mip 0 of all its layers; they are
    /// copied before this returns. Every subresource ends in use `Sampled` (all stages) for every command
    /// submitted later; the contents of those without bytes are undefined.
    ///
    /// # Errors
    /// As [`Device::create_texture`]; or bytes are missing, doubled, short or too many.
    pub fn create_texture_init(
        &self,
        desc: &TextureDesc<'_>,
        data: &[TextureData<'_>],
    ) -> Result<Texture, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        let support = |format| self.format_support(format);
        let params = check::texture(desc, &parts.info.limits, support, true)?;
        check::texture_data(&params, data)?;
        let texture = self.make_texture(desc, true)?;
        let Some(entry) = parts.tables.textures.get(texture.0, &Held) else { return Ok(texture) };
        let written = parts.backend.write_new_texture(&entry.native, &entry.params, data);
        let uploaded = match written {
            Ok(true) => Ok(0),
            Ok(false) => parts.upload_texture(entry, data),
            Err(error) => Err(error),
        };
        match uploaded {
            Ok(batch) => entry.batch.store(batch, Ordering::Release),
            Err(error) => {
                let _ = self.destroy(texture);
                return Err(parts.native(desc.name, error));
            }
        }
        Ok(texture)
    }

    /// Whether a texture's initial bytes have arrived, as of the last poll or begun frame.
    ///
    /// # Errors
    /// The handle is stale.
    pub fn texture_status(&self, texture: Texture) -> Result<TextureStatus, StaleHandle> {
        let parts = &self.parts;
        let batch = {
            let ledger = lock(&parts.ledger);
            let entry = parts.tables.textures.get(texture.0, &*ledger);
            let entry = entry.ok_or(crate::AnyHandle::Texture(texture).stale())?;
            entry.batch.load(Ordering::Acquire)
        };
        let finished = lock(&parts.uploads).is_finished(batch);
        Ok(if finished { TextureStatus::Ready } else { TextureStatus::Pending })
    }

    /// Creates a view, which keeps its texture alive.
    ///
    /// # Errors
    /// The texture is stale, the format or range is not the texture's, the kind doesn't fit, the table is
    /// full, or a native call failed.
    pub fn create_view(&self, desc: &TextureViewDesc<'_>) -> Result<TextureView, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        let mut ledger = lock(&parts.ledger);
        let subject = Subject::new(ObjectKind::TextureView, desc.name);
        let texture = parts.tables.textures.get(desc.texture.0, &*ledger);
        let texture = texture.ok_or_else(|| subject.stale(crate::AnyHandle::from(desc.texture).stale()))?;
        let (format, range) = check::view(desc, &texture.params)?;
        let roles = check::view_roles(&texture.params, self.format_support(format));
        let params = ViewParams { name: Name::new(desc.name), kind: desc.kind, format, range, roles };
        let native = parts.backend.create_view(&texture.native, &params);
        let native = native.map_err(|error| parts.native(desc.name, error))?;
        let [width, height, _] = texture.params.extent.map(|edge| (edge >> range.base_mip).max(1));
        let entry = ViewEntry {
            native,
            name: params.name,
            texture: desc.texture.0.index,
            kind: desc.kind,
            format,
            range,
            width,
            height,
            samples: texture.params.samples,
            single_layer: texture.params.layers == 1,
            roles,
        };
        let held = Key { kind: ObjectKind::Texture, index: desc.texture.0.index };
        parts.tables.retain(held);
        parts.tables.views.insert(entry).map(TextureView).map_err(|entry| {
            parts.backend.destroy_view(entry.native);
            parts.release(&mut ledger, held);
            ResourceError::Capacity { kind: ObjectKind::TextureView, limit: parts.tables.views.capacity() }
        })
    }

    /// Creates a sampler. Equal descriptions share one native sampler. Anisotropy is cut to the device's
    /// limit.
    ///
    /// # Errors
    /// A number is out of range, the table is full, or a native call failed.
    pub fn create_sampler(&self, desc: &SamplerDesc<'_>) -> Result<Sampler, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        check::sampler(desc)?;
        let most = parts.info.limits.anisotropy as u32;
        let desc = SamplerDesc { max_anisotropy: desc.max_anisotropy.min(most), ..*desc };
        let key = parts.samplers.acquire(&parts.backend, &desc);
        let key = key.map_err(|error| parts.native(desc.name, error))?;
        parts.tables.samplers.insert(SamplerEntry { key }).map(Sampler).map_err(|entry| {
            parts.samplers.release(&parts.backend, &entry.key);
            ResourceError::Capacity { kind: ObjectKind::Sampler, limit: parts.tables.samplers.capacity() }
        })
    }
}
