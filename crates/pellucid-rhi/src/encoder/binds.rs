//! What is bound in a pass: kept here and handed to the backend just before a draw or dispatch, so that a
//! pipeline with another interface costs no more than binding again what it disturbs.
use crate::backend::{self, BindPoint};
use crate::desc::BufferRoles;
use crate::device::Parts;
use crate::device::entries::{BufferEntry, Interface, SetEntry};
use crate::device::ledger::FrameToken;
use crate::frame::UniformSlice;
use crate::handle::AnyHandle;
use crate::{BindingSet, Buffer, MAX_DYNAMIC_UNIFORMS, MAX_PUSH_CONSTANTS, MAX_SETS, RecordCause};

const ALL_SETS: u32 = (1 << MAX_SETS) - 1;

/// Sets, uniforms and push constants of a pass.
pub(super) struct Binds<'a> {
    sets: [Option<&'a SetEntry>; MAX_SETS],
    /// Sets that the backend has yet to hear of.
    stale_sets: u32,
    offsets: [u32; MAX_DYNAMIC_UNIFORMS as usize],
    uniforms: u32,
    stale_uniforms: bool,
    push: [u8; MAX_PUSH_CONSTANTS as usize],
    pushed: u32,
    stale_push: bool,
}

impl<'a> Binds<'a> {
    pub(super) const fn new() -> Self {
        Self {
            sets: [None; MAX_SETS],
            stale_sets: 0,
            offsets: [0; MAX_DYNAMIC_UNIFORMS as usize],
            uniforms: 0,
            stale_uniforms: false,
            push: [0; MAX_PUSH_CONSTANTS as usize],
            pushed: 0,
            stale_push: false,
        }
    }

    /// A pipeline was set after another one (or none).
    pub(super) fn pipeline(&mut self, before: Option<&Interface>, now: &Interface) {
        let same = before.is_some_and(|before| {
            before.sets == now.sets
                && before.shapes == now.shapes
                && (before.dynamic_uniforms > 0) == (now.dynamic_uniforms > 0)
        });
        if !same {
            self.stale_sets = ALL_SETS;
            self.stale_uniforms = true;
            self.stale_push = true;
        }
    }

    pub(super) fn set(
        &mut self,
        parts: &'a Parts,
        token: &'a FrameToken,
        index: u32,
        set: BindingSet,
    ) -> Result<(), RecordCause> {
        let limit = MAX_SETS as u64 - 1;
        let place = self.sets.get_mut(index as usize);
        let place = place.ok_or(RecordCause::Limit { what: "a set's index", value: index.into(), limit })?;
        let entry = parts.tables.sets.get(set.0, token).ok_or(AnyHandle::BindingSet(set).stale())?;
        *place = Some(entry);
        self.stale_sets |= 1 << index;
        Ok(())
    }

    pub(super) fn uniform(&mut self, slot: u32, slice: UniformSlice, frame: u64) -> Result<(), RecordCause> {
        let limit = u64::from(MAX_DYNAMIC_UNIFORMS - 1);
        let place = self.offsets.get_mut(slot as usize);
        let place =
            place.ok_or(RecordCause::Limit { what: "a uniform's slot", value: slot.into(), limit })?;
        if slice.frame != frame {
            return Err(RecordCause::ForeignSlice);
        }
        *place = slice.offset;
        self.uniforms |= 1 << slot;
        self.stale_uniforms = true;
        Ok(())
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), RecordCause> {
        let length = bytes.len() as u64;
        let limit = u64::from(MAX_PUSH_CONSTANTS);
        if length > limit {
            return Err(RecordCause::Limit { what: "push constants", value: length, limit });
        }
        if !length.is_multiple_of(4) {
            return Err(RecordCause::Align { what: "the size of push constants", value: length, align: 4 });
        }
        self.push[..bytes.len()].copy_from_slice(bytes);
        self.pushed = bytes.len() as u32;
        self.stale_push = true;
        Ok(())
    }

    /// Tells the backend what a pipeline needs and has not been told yet.
    #[inline]
    pub(super) fn flush(
        &mut self,
        native: &mut backend::Encoder,
        point: BindPoint,
        interface: &Interface,
        uniform_set: Option<&backend::UniformSet>,
    ) -> Result<(), RecordCause> {
        for index in 0..interface.sets {
            let Some(set) = self.sets[index as usize] else {
                return Err(missing_set(interface, index));
            };
            if self.stale_sets & 1 << index != 0 {
                if set.shape != interface.shapes[index as usize] {
                    return Err(wrong_shape(interface, set, index));
                }
                native.bind_set(point, index, &set.native);
            }
        }
        // A set past the pipeline's own stays stale: a later pipeline has to bind it.
        self.stale_sets &= !((1 << interface.sets) - 1);
        if interface.dynamic_uniforms > 0 && self.stale_uniforms {
            let needed = (1u32 << interface.dynamic_uniforms) - 1;
            let missing = needed & !self.uniforms;
            let (Some(set), 0) = (uniform_set, missing) else {
                return Err(RecordCause::MissingUniform {
                    pipeline: interface.name.as_str().to_owned(),
                    slot: missing.trailing_zeros(),
                });
            };
            native.bind_uniforms(point, set, &self.offsets);
            self.stale_uniforms = false;
        }
        if interface.push_constants > 0 {
            if self.pushed < interface.push_constants {
                return Err(RecordCause::PushConstants {
                    pipeline: interface.name.as_str().to_owned(),
                    needed: interface.push_constants,
                    given: self.pushed,
                });
            }
            if self.stale_push {
                native.push_constants(&self.push[..self.pushed as usize]);
                self.stale_push = false;
            }
        }
        Ok(())
    }
}

#[cold]
fn missing_set(interface: &Interface, index: u32) -> RecordCause {
    RecordCause::MissingSet { pipeline: interface.name.as_str().to_owned(), index }
}

#[cold]
fn wrong_shape(interface: &Interface, set: &SetEntry, index: u32) -> RecordCause {
    RecordCause::SetShape {
        pipeline: interface.name.as_str().to_owned(),
        set: set.name.as_str().to_owned(),
        index,
    }
}

/// A buffer with a role.
#[inline]
pub(super) fn buffer<'a>(
    parts: &'a Parts,
    token: &'a FrameToken,
    buffer: Buffer,
    role: BufferRoles,
    word: &'static str,
) -> Result<&'a BufferEntry, RecordCause> {
    let entry = parts.tables.buffers.get(buffer.0, token).ok_or(AnyHandle::Buffer(buffer).stale())?;
    if !entry.roles.contains(role) {
        return Err(RecordCause::Role { name: entry.name.as_str().to_owned(), role: word });
    }
    Ok(entry)
}

/// Whether `start..start + size` lies in a buffer.
#[inline]
pub(super) fn inside(
    entry: &BufferEntry,
    what: &'static str,
    start: u64,
    size: u64,
) -> Result<(), RecordCause> {
    let end = start.saturating_add(size);
    if end > entry.size {
        let name = entry.name.as_str().to_owned();
        return Err(RecordCause::Range { what, name, start, end, limit: entry.size });
    }
    Ok(())
}

/// Whether a number is a multiple.
#[inline]
pub(super) fn aligned(what: &'static str, value: u64, align: u64) -> Result<(), RecordCause> {
    if value.is_multiple_of(align) { Ok(()) } else { Err(RecordCause::Align { what, value, align }) }
}
