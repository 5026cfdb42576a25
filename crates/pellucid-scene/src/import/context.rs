//! What all stages of an import share.
use super::pointer::Pointer;
use crate::error::{ErrorKind, ImportError};
use crate::{Limits, Warning};
use std::cell::{Cell, RefCell};

/// Limits, what of them is used, and warnings.
pub(super) struct Context<'a> {
    pub limits: &'a Limits,
    decoded: Cell<u64>,
    read: Cell<u64>,
    vertices: Cell<u64>,
    indices: Cell<u64>,
    keys: Cell<u64>,
    warnings: RefCell<Vec<Warning>>,
}

/// A file that deserves a thousand warnings gets these, and a last one that says so.
const MOST_WARNINGS: usize = 256;

impl<'a> Context<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            decoded: Cell::new(0),
            read: Cell::new(0),
            vertices: Cell::new(0),
            indices: Cell::new(0),
            keys: Cell::new(0),
            warnings: RefCell::new(Vec::new()),
        }
    }

    /// Accounts for memory that is about to be taken.
    pub(super) fn charge(&self, bytes: u64) -> Result<(), ErrorKind> {
        add(&self.decoded, bytes, self.limits.decoded_bytes, "decoded bytes", "decoded_bytes")
    }

    pub(super) fn charge_vertices(&self, count: u64) -> Result<(), ErrorKind> {
        add(&self.vertices, count, self.limits.vertices, "vertices", "vertices")
    }

    pub(super) fn charge_indices(&self, count: u64) -> Result<(), ErrorKind> {
        add(&self.indices, count, self.limits.indices, "indices", "indices")
    }

    pub(super) fn charge_keys(&self, count: u64) -> Result<(), ErrorKind> {
        add(&self.keys, count, self.limits.animation_keys, "animation keys", "animation_keys")
    }

    pub(super) fn count_read(&self, bytes: u64) {
        self.read.set(self.read.get().saturating_add(bytes));
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.read.get()
    }

    pub(super) fn bytes_decoded(&self) -> u64 {
        self.decoded.get()
    }

    pub(super) fn warn(&self, at: &Pointer<'_>, message: impl Into<String>) {
        let mut warnings = self.warnings.borrow_mut();
        match warnings.len() {
            0..MOST_WARNINGS => warnings.push(Warning { pointer: at.to_string(), message: message.into() }),
            MOST_WARNINGS => warnings.push(Warning {
                pointer: String::new(),
                message: "further warnings are left out".to_owned(),
            }),
            _ => {}
        }
    }

    pub(super) fn into_warnings(self) -> Vec<Warning> {
        self.warnings.into_inner()
    }
}

fn add(
    used: &Cell<u64>,
    more: u64,
    limit: u64,
    what: &'static str,
    option: &'static str,
) -> Result<(), ErrorKind> {
    let found = used.get().saturating_add(more);
    if found > limit {
        return Err(ErrorKind::Limit { what, found, limit, option });
    }
    used.set(found);
    Ok(())
}

/// Names the place of an error that has none.
pub(super) trait Place<T> {
    fn place(self, at: &Pointer<'_>) -> Result<T, ImportError>;
}

impl<T> Place<T> for Result<T, ErrorKind> {
    fn place(self, at: &Pointer<'_>) -> Result<T, ImportError> {
        self.map_err(|kind| at.error(kind))
    }
}
