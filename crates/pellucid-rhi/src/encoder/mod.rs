//! Recording. Draws and dispatches return nothing, allocate nothing and take no lock: the first error sticks
//! and [`CommandEncoder::finish`] returns it.
mod barriers;
mod binds;
mod compute;
mod copies;
mod raster;

use crate::backend;
use crate::device::ledger::FrameToken;
use crate::device::{Device, ReadTicket};
use crate::name::Name;
use crate::{MAX_SCOPES, RecordCause, RecordError};
use std::fmt;
use std::sync::Arc;

pub use compute::ComputePass;
pub use raster::RasterPass;

/// Finished commands of an encoder, for [`crate::Frame::submit`] of the same frame.
pub struct CommandBuffer {
    pub(crate) native: backend::Commands,
    pub(crate) name: Name,
    pub(crate) frame: u64,
    pub(crate) device: u32,
    pub(crate) reads: Vec<Arc<ReadTicket>>,
}

impl fmt::Debug for CommandBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommandBuffer({:?} of frame {})", self.name, self.frame)
    }
}

impl Drop for CommandBuffer {
    fn drop(&mut self) {
        self.reads.iter().for_each(|read| read.dropped());
    }
}

/// What encoder and passes share.
pub(crate) struct Core {
    native: backend::Encoder,
    name: Name,
    error: Option<Box<RecordError>>,
    commands: u32,
    scopes: [Name; MAX_SCOPES],
    depth: usize,
    /// Whether a raster pass has begun and not ended: for good, if it was forgotten rather than dropped.
    in_raster: bool,
}

impl Core {
    /// Whether nothing has gone wrong yet: what comes after an error is not recorded.
    #[inline]
    const fn is_good(&self) -> bool {
        self.error.is_none()
    }

    /// Whether what may not be in a raster pass can be recorded.
    fn is_free(&mut self) -> bool {
        if self.in_raster {
            self.fail(RecordCause::Scopes);
        }
        self.is_good()
    }

    /// Keeps the first error.
    #[cold]
    fn fail(&mut self, cause: impl Into<RecordCause>) {
        if self.error.is_none() {
            self.error = Some(Box::new(self.error_of(cause.into())));
        }
    }

    /// An error at this place of the recording.
    fn error_of(&self, cause: RecordCause) -> RecordError {
        let scopes: Vec<&str> = self.scopes[..self.depth].iter().map(Name::as_str).collect();
        RecordError {
            encoder: self.name.as_str().into(),
            scope: scopes.join(" / ").into(),
            command: self.commands,
            cause,
        }
    }

    /// Keeps the error of a result; gives its value otherwise.
    #[inline]
    fn check<T>(&mut self, result: Result<T, RecordCause>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(cause) => {
                self.fail(cause);
                None
            }
        }
    }

    fn push(&mut self, name: &str) {
        if self.depth == MAX_SCOPES {
            self.fail(RecordCause::Limit {
                what: "nested scopes",
                value: MAX_SCOPES as u64 + 1,
                limit: MAX_SCOPES as u64,
            });
            return;
        }
        let name = Name::new(name);
        self.native.push_label(&name);
        self.scopes[self.depth] = name;
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.native.pop_label();
    }
}

/// Records commands of one frame.
pub struct CommandEncoder<'f> {
    device: &'f Device,
    token: &'f FrameToken,
    core: Core,
    reads: Vec<Arc<ReadTicket>>,
    frame: u64,
    slot: usize,
    /// Whether `core.native` still holds the pool.
    open: bool,
}

impl fmt::Debug for CommandEncoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommandEncoder({:?} of frame {})", self.core.name, self.frame)
    }
}

impl<'f> CommandEncoder<'f> {
    pub(crate) fn new(
        device: &'f Device,
        token: &'f FrameToken,
        native: backend::Encoder,
        name: Name,
        frame: u64,
        slot: usize,
    ) -> Self {
        let scopes = [Name::default(); MAX_SCOPES];
        let core = Core { native, name, error: None, commands: 0, scopes, depth: 0, in_raster: false };
        Self { device, token, core, reads: Vec::new(), frame, slot, open: true }
    }

    /// Opens a scope, shown in captures and named in errors. At most 8 are open at once, passes counted.
    pub fn push_scope(&mut self, name: &str) {
        if self.core.is_good() {
            self.core.push(name);
        }
    }

    /// Closes the innermost scope.
    pub fn pop_scope(&mut self) {
        if !self.core.is_good() {
            return;
        }
        if self.core.depth == 0 {
            self.core.fail(RecordCause::Scopes);
        } else {
            self.core.pop();
        }
    }

    /// Whether nothing recorded so far is in error.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.core.is_good()
    }

    /// Ends recording.
    ///
    /// # Errors
    /// The first error of everything recorded, with its scope, pass and command number; or the native API
    /// refuses the commands.
    pub fn finish(mut self) -> Result<CommandBuffer, RecordError> {
        if self.core.is_free() && self.core.depth > 0 {
            self.core.fail(RecordCause::Scopes);
        }
        let slot = &self.device.parts.frame_slots[self.slot];
        let native = std::mem::replace(&mut self.core.native, backend::Encoder::Null);
        self.open = false;
        if let Some(error) = self.core.error.take() {
            slot.give_pool(native.abandon());
            return Err(*error);
        }
        let (commands, pool) = native.finish();
        slot.give_pool(pool);
        match commands {
            Ok(native) => Ok(CommandBuffer {
                native,
                name: self.core.name,
                frame: self.frame,
                device: self.device.parts.tag,
                reads: std::mem::take(&mut self.reads),
            }),
            Err(error) => {
                self.device.parts.note(&error);
                Err(self.core.error_of(error.into()))
            }
        }
    }
}

impl Drop for CommandEncoder<'_> {
    fn drop(&mut self) {
        self.reads.iter().for_each(|read| read.dropped());
        if self.open {
            let native = std::mem::replace(&mut self.core.native, backend::Encoder::Null);
            self.device.parts.frame_slots[self.slot].give_pool(native.abandon());
        }
    }
}
