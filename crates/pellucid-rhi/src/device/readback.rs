//! Readbacks: bytes that a submission writes for the host.
use super::resources::Held;
use super::{Device, Parts};
use crate::desc::Format;
use crate::slots::lock;
use crate::{Buffer, ReadError};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Whether a readback's bytes were there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadStatus {
    /// They were, and are in the output now.
    Ready,
    /// They are on their way; the output is untouched.
    Pending,
}

/// Recorded, its frame still open.
const OPEN: u64 = 0;
/// Its commands were dropped.
const NEVER: u64 = u64::MAX;

/// What commands and readback share: the serial of the submission.
#[derive(Debug)]
pub(crate) struct ReadTicket(AtomicU64);

impl ReadTicket {
    pub(crate) fn submitted(&self, serial: u64) {
        self.0.store(serial, Ordering::Release);
    }

    /// The commands are gone; nothing happens when they were submitted.
    pub(crate) fn dropped(&self) {
        let _ = self.0.compare_exchange(OPEN, NEVER, Ordering::AcqRel, Ordering::Relaxed);
    }
}

/// A texture's or buffer's bytes on their way to the host. Dropping it cancels the notice, nothing else.
pub struct Readback {
    /// Bytes without any padding.
    pub size: u64,
    /// Width in texels; 0 for a buffer.
    pub width: u32,
    /// Rows; 0 for a buffer.
    pub height: u32,
    /// Texel format; `None` for a buffer.
    pub format: Option<Format>,
    source: Option<Source>,
}

struct Source {
    device: Device,
    buffer: Buffer,
    ticket: Arc<ReadTicket>,
    /// Pitch of the rows in the buffer.
    pitch: u32,
}

impl fmt::Debug for Readback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Readback({} bytes, {}x{} {:?})", self.size, self.width, self.height, self.format)
    }
}

impl Readback {
    /// A readback that could not be recorded.
    pub(crate) const fn refused() -> Self {
        Self { size: 0, width: 0, height: 0, format: None, source: None }
    }

    pub(crate) fn new(
        device: Device,
        buffer: Buffer,
        ticket: Arc<ReadTicket>,
        size: u64,
        texels: Option<(u32, u32, Format)>,
        pitch: u32,
    ) -> Self {
        let (width, height, format) = texels.map_or((0, 0, None), |(w, h, format)| (w, h, Some(format)));
        Self { size, width, height, format, source: Some(Source { device, buffer, ticket, pitch }) }
    }

    pub(crate) fn ticket() -> Arc<ReadTicket> {
        Arc::new(ReadTicket(AtomicU64::new(OPEN)))
    }

    /// Bytes of a row without padding: all of them for a buffer.
    fn row_bytes(&self) -> u64 {
        self.format.map_or(self.size, |format| u64::from(self.width) * u64::from(format.texel_bytes()))
    }

    fn rows(&self) -> u64 {
        if self.format.is_some() { u64::from(self.height) } else { 1 }
    }
}

impl Drop for Readback {
    fn drop(&mut self) {
        if let Some(source) = &self.source {
            // Nobody else has this handle, so it can't be stale.
            let _ = source.device.destroy(source.buffer);
        }
    }
}

impl Device {
    /// Gives a readback's bytes when its submission is finished, without blocking. Rows lie `row_pitch` bytes
    /// apart in `out` (ignored for a buffer) and their padding is zeroed; the last row needs none.
    ///
    /// # Errors
    /// It was never submitted, its frame is open, the output or its pitch is too small, or the device was
    /// lost. The output is untouched then.
    pub fn try_read(
        &self,
        readback: &Readback,
        out: &mut [u8],
        row_pitch: u32,
    ) -> Result<ReadStatus, ReadError> {
        let parts = &self.parts;
        let (source, serial) = parts.read_source(readback)?;
        check_output(readback, out, row_pitch)?;
        if serial > lock(&parts.ledger).completed() {
            parts.collect().map_err(|error| parts.read_failed(error))?;
        }
        if serial > lock(&parts.ledger).completed() {
            return Ok(ReadStatus::Pending);
        }
        // The readback holds the buffer's only handle.
        let entry = parts.tables.buffers.get(source.buffer.0, &Held).ok_or(ReadError::NotSubmitted)?;
        let row = readback.row_bytes() as usize;
        if readback.format.is_none() || (row_pitch as usize == row && source.pitch == row_pitch) {
            parts.backend.read_buffer(&entry.native, 0, &mut out[..readback.size as usize]);
            return Ok(ReadStatus::Ready);
        }
        for (y, line) in out.chunks_mut(row_pitch as usize).take(readback.rows() as usize).enumerate() {
            let (texels, padding) = line.split_at_mut(row);
            parts.backend.read_buffer(&entry.native, y as u64 * u64::from(source.pitch), texels);
            padding.fill(0);
        }
        Ok(ReadStatus::Ready)
    }

    /// As [`Device::try_read`], waiting up to the device's fence limit.
    ///
    /// # Errors
    /// As [`Device::try_read`]; or the GPU did not finish in time, and the device counts as lost then.
    pub fn wait_read(&self, readback: &Readback, out: &mut [u8], row_pitch: u32) -> Result<(), ReadError> {
        let parts = &self.parts;
        let (_, serial) = parts.read_source(readback)?;
        check_output(readback, out, row_pitch)?;
        let limit: Duration = parts.fence_timeout;
        let waited = parts.wait_serial(serial, limit).and_then(|()| parts.collect());
        waited.map_err(|error| parts.read_failed(error))?;
        match self.try_read(readback, out, row_pitch)? {
            ReadStatus::Ready => Ok(()),
            ReadStatus::Pending => Err(ReadError::Timeout { limit }),
        }
    }
}

impl Parts {
    fn read_failed(&self, error: crate::NativeError) -> ReadError {
        match self.failed(error) {
            crate::FrameError::DeviceLost => ReadError::DeviceLost,
            crate::FrameError::Timeout { limit } => ReadError::Timeout { limit },
            crate::FrameError::RenderingUnavailable(error) => ReadError::Native(error),
            _ => ReadError::NotSubmitted,
        }
    }

    fn read_source<'a>(&self, readback: &'a Readback) -> Result<(&'a Source, u64), ReadError> {
        if self.is_lost() {
            return Err(ReadError::DeviceLost);
        }
        let source = readback.source.as_ref().ok_or(ReadError::NotSubmitted)?;
        if source.device.parts.tag != self.tag {
            return Err(ReadError::ForeignDevice);
        }
        match source.ticket.0.load(Ordering::Acquire) {
            OPEN => Err(ReadError::FrameOpen),
            NEVER => Err(ReadError::NotSubmitted),
            serial => Ok((source, serial)),
        }
    }
}

fn check_output(readback: &Readback, out: &[u8], row_pitch: u32) -> Result<(), ReadError> {
    let (row, rows) = (readback.row_bytes(), readback.rows());
    let pitch = if readback.format.is_some() { u64::from(row_pitch) } else { row };
    let needed = pitch.saturating_mul(rows.saturating_sub(1)) + row;
    if pitch >= row && out.len() as u64 >= needed {
        return Ok(());
    }
    let row_bytes = u32::try_from(row).unwrap_or(u32::MAX);
    Err(ReadError::Output { given: out.len() as u64, row_pitch, needed, row_bytes })
}
