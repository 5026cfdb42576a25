//! Initial bytes: copied into staging memory and recorded into one open batch, which is submitted ahead of
//! the next frame, on poll or wait, or when the staging memory is used up.
use super::Parts;
use super::entries::TextureEntry;
use super::staging::{Owner, Staging};
use crate::backend::{self, Commands, Encoder, TextureRegion};
use crate::desc::{ShaderStages, TextureData, TextureRange, Use};
use crate::name::Name;
use crate::{NativeError, slots};
use std::collections::VecDeque;

/// The open batch and those in flight.
pub(crate) struct Uploads {
    open: Option<Encoder>,
    /// Number of the open batch, or of the next.
    number: u64,
    /// Number and serial of batches in flight.
    flying: VecDeque<(u64, u64)>,
    /// Batches up to this number are finished.
    finished: u64,
    /// Pools whose batches are in flight, and idle ones.
    busy: VecDeque<(u64, backend::CommandPool)>,
    idle: Vec<backend::CommandPool>,
    pub(crate) staging: Staging,
}

impl Uploads {
    pub(crate) const fn new(staging: Staging) -> Self {
        Self {
            open: None,
            number: 1,
            flying: VecDeque::new(),
            finished: 0,
            busy: VecDeque::new(),
            idle: Vec::new(),
            staging,
        }
    }

    /// Whether everything recorded up to a batch is finished.
    pub(crate) const fn is_finished(&self, batch: u64) -> bool {
        batch <= self.finished
    }

    /// Frees what the timeline has passed.
    pub(crate) fn collect(&mut self, completed: u64) {
        while let Some((number, _)) = self.flying.pop_front_if(|(_, serial)| *serial <= completed) {
            self.finished = number;
        }
        while let Some((_, pool)) = self.busy.pop_front_if(|(serial, _)| *serial <= completed) {
            self.idle.push(pool);
        }
        self.staging.collect(completed);
    }

    /// Ends the open batch's recording, for the submission that will carry `serial`.
    pub(crate) fn close(&mut self, serial: u64) -> Result<Option<Commands>, NativeError> {
        let Some(mut encoder) = self.open.take() else { return Ok(None) };
        encoder.upload_barrier();
        let (commands, pool) = encoder.finish();
        self.busy.push_back((serial, pool));
        self.staging.submitted(Owner::Batch, serial);
        self.flying.push_back((self.number, serial));
        self.number += 1;
        commands.map(Some)
    }

    /// Everything native that is left, when the device goes.
    pub(crate) fn drain(&mut self) -> (Vec<backend::CommandPool>, Vec<backend::Buffer>) {
        let mut pools = std::mem::take(&mut self.idle);
        pools.extend(self.busy.drain(..).map(|(_, pool)| pool));
        pools.extend(self.open.take().map(Encoder::abandon));
        (pools, self.staging.drain())
    }
}

impl Parts {
    /// The open batch's encoder.
    fn batch<'a>(&self, uploads: &'a mut Uploads) -> Result<&'a mut Encoder, NativeError> {
        let encoder = match uploads.open.take() {
            Some(encoder) => encoder,
            None => {
                let pool = match uploads.idle.pop() {
                    Some(mut pool) => match self.backend.reset_pool(&mut pool) {
                        Ok(()) => pool,
                        Err(error) => {
                            uploads.idle.push(pool);
                            return Err(error);
                        }
                    },
                    None => self.backend.create_pool()?,
                };
                let encoder = self.backend.begin_encoder(pool, &Name::new("uploads"))?;
                slots::lock(&self.ledger).open_batch();
                encoder
            }
        };
        Ok(uploads.open.insert(encoder))
    }

    /// Submits the open batch by itself.
    pub(crate) fn flush_uploads(&self, uploads: &mut Uploads) -> Result<(), NativeError> {
        if uploads.open.is_none() {
            return Ok(());
        }
        let mut ledger = slots::lock(&self.ledger);
        let serial = ledger.next();
        let submitted = match uploads.close(serial) {
            Ok(Some(commands)) => self.backend.submit(&[commands], serial),
            Ok(None) => return Ok(()),
            Err(error) => Err(error),
        };
        match submitted {
            Ok(()) => ledger.batch_submitted(),
            Err(_) => ledger.batch_failed(),
        }
        submitted
    }

    /// Takes staging memory, submitting and waiting for earlier users when there is none.
    pub(crate) fn stage(
        &self,
        uploads: &mut Uploads,
        owner: Owner,
        size: u64,
    ) -> Result<Option<(usize, u64)>, NativeError> {
        loop {
            if let Some(place) = uploads.staging.take(&self.backend, &self.budget, owner, size)? {
                return Ok(Some(place));
            }
            self.flush_uploads(uploads)?;
            let Some(serial) = uploads.staging.oldest() else { return Ok(None) };
            self.wait_serial(serial, self.fence_timeout)?;
            uploads.collect(serial);
        }
    }

    /// Records the copy of `bytes` into a new buffer.
    pub(crate) fn upload_buffer(&self, buffer: &backend::Buffer, bytes: &[u8]) -> Result<(), NativeError> {
        let mut uploads = slots::lock(&self.uploads);
        let uploads = &mut *uploads;
        let piece = uploads.staging.piece() as usize;
        let mut offset = 0;
        for part in bytes.chunks(piece) {
            let (chunk, at) = self.staged(uploads, part.len() as u64)?;
            self.backend.write_buffer(uploads.staging.buffer(chunk), at, part);
            self.batch(uploads)?;
            let Uploads { open: Some(encoder), staging, .. } = uploads else { continue };
            encoder.copy_buffer(staging.buffer(chunk), at, buffer, offset, part.len() as u64);
            offset += part.len() as u64;
        }
        Ok(())
    }

    fn staged(&self, uploads: &mut Uploads, size: u64) -> Result<(usize, u64), NativeError> {
        self.stage(uploads, Owner::Batch, size)?
            .ok_or(NativeError::OutOfMemory { call: "staging", host: true })
    }

    /// Records the copies of a new texture's initial bytes; every subresource ends in use `Sampled`.
    /// Returns the batch's number.
    pub(crate) fn upload_texture(
        &self,
        texture: &TextureEntry,
        data: &[TextureData<'_>],
    ) -> Result<u64, NativeError> {
        let mut uploads = slots::lock(&self.uploads);
        let uploads = &mut *uploads;
        let all = TextureRange {
            base_mip: 0,
            mips: texture.params.mips,
            base_layer: 0,
            layers: texture.params.layers,
        };
        let encoder = self.batch(uploads)?;
        encoder.texture_barrier(&texture.native, all, Use::Undefined, Use::CopyDst);
        encoder.flush_barriers();
        for part in data {
            self.upload_subresource(uploads, texture, part)?;
        }
        let encoder = self.batch(uploads)?;
        encoder.texture_barrier(&texture.native, all, Use::CopyDst, Use::Sampled(ShaderStages::all()));
        encoder.flush_barriers();
        Ok(uploads.number)
    }

    fn upload_subresource(
        &self,
        uploads: &mut Uploads,
        texture: &TextureEntry,
        data: &TextureData<'_>,
    ) -> Result<(), NativeError> {
        let [width, height, depth] = texture.params.extent.map(|edge| (edge >> data.mip).max(1));
        let depth = if texture.params.volume { depth } else { 1 };
        let row = width * texture.params.format.texel_bytes();
        let pitch = row.next_multiple_of(self.backend.row_align());
        let most = u32::try_from(uploads.staging.piece() / u64::from(pitch)).unwrap_or(u32::MAX).max(1);
        for z in 0..depth {
            let mut y = 0;
            while y < height {
                let rows = most.min(height - y);
                let (chunk, at) = self.staged(uploads, u64::from(pitch) * u64::from(rows))?;
                let first = (z as usize * height as usize + y as usize) * data.row_pitch as usize;
                let buffer = uploads.staging.buffer(chunk);
                if data.row_pitch == pitch {
                    let size = (rows - 1) as usize * pitch as usize + row as usize;
                    self.backend.write_buffer(buffer, at, &data.bytes[first..first + size]);
                } else {
                    for r in 0..rows as usize {
                        let start = first + r * data.row_pitch as usize;
                        let line = &data.bytes[start..start + row as usize];
                        self.backend.write_buffer(buffer, at + r as u64 * u64::from(pitch), line);
                    }
                }
                let region = TextureRegion {
                    mip: data.mip,
                    layer: data.layer,
                    y,
                    z,
                    extent: [width, rows, 1],
                    buffer_offset: at,
                    row_pitch: pitch,
                };
                self.batch(uploads)?;
                if let Uploads { open: Some(encoder), staging, .. } = uploads {
                    encoder.copy_buffer_to_texture(staging.buffer(chunk), &texture.native, &region);
                }
                y += rows;
            }
        }
        Ok(())
    }
}
