//! Binding layouts and sets.
use super::check::Subject;
use super::entries::{Key, LayoutEntry, SetEntry};
use super::resources::Held;
use super::{Device, Parts};
use crate::backend::{self, SetResource, SetWrite};
use crate::desc::{
    BindingKind, BindingLayoutDesc, BindingResource, BindingSetDesc, BindingSlot, BufferRoles, TextureRoles,
    ViewKind,
};
use crate::handle::{AnyHandle, ObjectKind};
use crate::name::Name;
use crate::slots::lock;
use crate::{BindingLayout, BindingSet, MAX_UNIFORM_RANGE, ResourceError, STORAGE_ALIGN};
use std::sync::Arc;

/// Largest binding number and largest sum of a layout's elements.
const MAX_BINDING: u32 = 63;
const MAX_ELEMENTS: u32 = 1024;
/// Kinds of layouts that a device tells apart.
const MAX_SHAPES: usize = 4096;

/// What a set's entry was found to be, kept alive by a reference until the set is made.
enum Found {
    Buffer { index: u32, offset: u64, size: u64 },
    View(u32),
    Sampler(Arc<backend::Sampler>, u32),
}

impl Found {
    const fn key(&self) -> Key {
        match *self {
            Self::Buffer { index, .. } => Key { kind: ObjectKind::Buffer, index },
            Self::View(index) => Key { kind: ObjectKind::TextureView, index },
            Self::Sampler(_, index) => Key { kind: ObjectKind::Sampler, index },
        }
    }
}

impl Parts {
    /// The number that stands for layouts with these slots.
    fn shape(&self, slots: &[BindingSlot]) -> Option<u32> {
        let mut shapes = lock(&self.shapes);
        if let Some(&shape) = shapes.get(slots) {
            return Some(shape);
        }
        let shape = shapes.len() as u32;
        (shapes.len() < MAX_SHAPES).then(|| {
            shapes.insert(slots.into(), shape);
            shape
        })
    }

    /// Gives up references that a failed call took.
    pub(crate) fn release_all(&self, keys: impl IntoIterator<Item = Key>) {
        let mut ledger = lock(&self.ledger);
        keys.into_iter().for_each(|key| self.release(&mut ledger, key));
    }
}

fn check_layout(desc: &BindingLayoutDesc<'_>) -> Result<Vec<BindingSlot>, ResourceError> {
    let subject = Subject::new(ObjectKind::BindingLayout, desc.name);
    let mut slots = desc.slots.to_vec();
    slots.sort_by_key(|slot| slot.binding);
    for pair in slots.windows(2) {
        subject.require(pair[0].binding != pair[1].binding, || {
            format!("binding {} is there twice", pair[0].binding)
        })?;
    }
    let mut sum = 0u32;
    for slot in &slots {
        let BindingSlot { binding, count, stages, .. } = *slot;
        subject.require(binding <= MAX_BINDING, || {
            format!("binding {binding} is past the largest, {MAX_BINDING}")
        })?;
        subject.require(count > 0, || format!("binding {binding} has a count of 0"))?;
        subject.require(!stages.is_empty(), || format!("binding {binding} is seen by no stage"))?;
        sum = sum.saturating_add(count);
    }
    subject.require(sum <= MAX_ELEMENTS, || format!("it has {sum} elements, the limit is {MAX_ELEMENTS}"))?;
    Ok(slots)
}

impl Device {
    /// Creates a layout. Layouts with equal slots fit each other's sets and pipelines.
    ///
    /// # Errors
    /// A binding is there twice, past 63, empty or unseen; there are more than 1 024 elements; the table is
    /// full; or a native call failed.
    pub fn create_binding_layout(
        &self,
        desc: &BindingLayoutDesc<'_>,
    ) -> Result<BindingLayout, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        let slots = check_layout(desc)?;
        let kind = ObjectKind::BindingLayout;
        let full = || ResourceError::Capacity { kind, limit: parts.tables.layouts.capacity() };
        let shape = parts.shape(&slots).ok_or_else(full)?;
        let name = Name::new(desc.name);
        let native = parts.backend.create_layout(&name, &slots);
        let native = native.map_err(|error| parts.native(desc.name, error))?;
        let entry = LayoutEntry { native, name, slots: slots.into(), shape };
        parts.tables.layouts.insert(entry).map(BindingLayout).map_err(|entry| {
            parts.backend.destroy_layout(entry.native);
            full()
        })
    }

    /// Creates a set from resources for every element of its layout. It keeps them alive.
    ///
    /// # Errors
    /// A handle is stale; an element is missing, doubled or unknown; a resource is of the wrong kind, lacks
    /// the role, or its range is outside, misaligned or too long; the table is full; or a native call failed.
    pub fn create_binding_set(&self, desc: &BindingSetDesc<'_>) -> Result<BindingSet, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        let (found, layout) = self.find_entries(desc)?;
        let keys = || found.iter().map(Found::key);
        let made = self.write_set(desc, &found, layout);
        let (native, shape) = match made {
            Ok(made) => made,
            Err(error) => {
                let layout = Key { kind: ObjectKind::BindingLayout, index: layout };
                parts.release_all(keys().chain([layout]));
                return Err(error);
            }
        };
        parts.release_all([Key { kind: ObjectKind::BindingLayout, index: layout }]);
        let entry = SetEntry { native, name: Name::new(desc.name), shape, holds: keys().collect() };
        parts.tables.sets.insert(entry).map(BindingSet).map_err(|entry| {
            parts.backend.destroy_set(entry.native);
            parts.release_all(entry.holds);
            ResourceError::Capacity { kind: ObjectKind::BindingSet, limit: parts.tables.sets.capacity() }
        })
    }

    /// Checks a set's entries and takes a reference to each and to the layout.
    fn find_entries(&self, desc: &BindingSetDesc<'_>) -> Result<(Vec<Found>, u32), ResourceError> {
        let tables = &self.parts.tables;
        let ledger = lock(&self.parts.ledger);
        let subject = Subject::new(ObjectKind::BindingSet, desc.name);
        let layout = tables.layouts.get(desc.layout.0, &*ledger);
        let layout = layout.ok_or_else(|| subject.stale(AnyHandle::from(desc.layout).stale()))?;
        let slot = |binding: u32| layout.slots.iter().find(|slot| slot.binding == binding);
        let expected: u32 = layout.slots.iter().map(|slot| slot.count).sum();
        subject.require(desc.entries.len() == expected as usize, || {
            format!("it has {} entries, the layout {:?} has {expected}", desc.entries.len(), layout.name)
        })?;
        let mut seen: Vec<(u32, u32)> = desc.entries.iter().map(|e| (e.binding, e.element)).collect();
        seen.sort_unstable();
        if let Some(pair) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(subject.invalid(format!("binding {}[{}] is there twice", pair[0].0, pair[0].1)));
        }
        let mut found = Vec::with_capacity(desc.entries.len());
        for entry in desc.entries {
            let at = format_args!("binding {}[{}]", entry.binding, entry.element).to_string();
            let slot = slot(entry.binding).filter(|slot| entry.element < slot.count);
            let slot =
                slot.ok_or_else(|| subject.invalid(format!("the layout {:?} has no {at}", layout.name)))?;
            found.push(match (slot.kind, entry.resource) {
                (
                    BindingKind::Uniform | BindingKind::StorageRead | BindingKind::StorageWrite,
                    BindingResource::Buffer { buffer, offset, size },
                ) => {
                    let entry = tables.buffers.get(buffer.0, &*ledger);
                    let entry = entry.ok_or_else(|| subject.stale(AnyHandle::from(buffer).stale()))?;
                    let size = if size == 0 { entry.size.saturating_sub(offset) } else { size };
                    let end = offset.checked_add(size).filter(|&end| size > 0 && end <= entry.size);
                    let name = entry.name;
                    subject.require(end.is_some(), || {
                        format!("{at}: {size} bytes at {offset} are outside of {name:?} ({})", entry.size)
                    })?;
                    subject.require(offset.is_multiple_of(STORAGE_ALIGN), || {
                        format!("{at}: the offset {offset} is not a multiple of {STORAGE_ALIGN}")
                    })?;
                    let uniform = slot.kind == BindingKind::Uniform;
                    let limits = &self.info().limits;
                    let limit = if uniform { MAX_UNIFORM_RANGE } else { limits.storage_range };
                    subject.require(size <= limit, || {
                        format!("{at}: {size} bytes of {name:?}, the limit of a binding is {limit}")
                    })?;
                    let role = if uniform { BufferRoles::UNIFORM } else { BufferRoles::STORAGE };
                    subject.require(entry.roles.contains(role), || {
                        format!("{at}: {name:?} was created without the role {role:?}")
                    })?;
                    Found::Buffer { index: buffer.0.index, offset, size }
                }
                (BindingKind::Texture | BindingKind::StorageTexture, BindingResource::Texture(view)) => {
                    let entry = tables.views.get(view.0, &*ledger);
                    let entry = entry.ok_or_else(|| subject.stale(AnyHandle::from(view).stale()))?;
                    let storage = slot.kind == BindingKind::StorageTexture;
                    let role = if storage { TextureRoles::STORAGE } else { TextureRoles::SAMPLED };
                    let (name, format) = (entry.name, entry.format);
                    subject.require(entry.roles.contains(role), || {
                        format!("{at}: the view {name:?} ({format:?}) can't be used as {role:?}")
                    })?;
                    subject.require(entry.kind != ViewKind::D2 || entry.single_layer, || {
                        format!(
                            "{at}: {name:?} views one layer of many as D2, which only attaches; use D2Array"
                        )
                    })?;
                    let cube = matches!(entry.kind, ViewKind::Cube | ViewKind::CubeArray);
                    subject.require(!storage || !cube, || {
                        format!("{at}: {name:?} is a cube; storage views of cubes are D2Array")
                    })?;
                    subject.require(!storage || entry.range.mips == 1, || {
                        format!("{at}: {name:?} has {} mips; a storage view has one", entry.range.mips)
                    })?;
                    Found::View(view.0.index)
                }
                (BindingKind::Sampler, BindingResource::Sampler(sampler)) => {
                    let entry = tables.samplers.get(sampler.0, &*ledger);
                    let native = entry.and_then(|entry| self.parts.samplers.get(&entry.key));
                    let native = native.ok_or_else(|| subject.stale(AnyHandle::from(sampler).stale()))?;
                    Found::Sampler(native, sampler.0.index)
                }
                (kind, _) => {
                    return Err(subject.invalid(format!("{at}: the resource is no {kind:?}")));
                }
            });
        }
        found.iter().for_each(|found| tables.retain(found.key()));
        tables.layouts.retain(desc.layout.0.index);
        Ok((found, desc.layout.0.index))
    }

    /// Makes the native set of entries to which references are held.
    fn write_set(
        &self,
        desc: &BindingSetDesc<'_>,
        found: &[Found],
        layout: u32,
    ) -> Result<(backend::Set, u32), ResourceError> {
        let parts = &self.parts;
        let tables = &parts.tables;
        let stale =
            || Subject::new(ObjectKind::BindingSet, desc.name).stale(AnyHandle::from(desc.layout).stale());
        let layout = tables.layouts.referenced(layout, &Held).ok_or_else(stale)?;
        let mut writes = Vec::with_capacity(found.len());
        for (entry, found) in desc.entries.iter().zip(found) {
            let slot = layout.slots.iter().find(|slot| slot.binding == entry.binding);
            let resource = match found {
                Found::Buffer { index, offset, size } => {
                    let buffer = tables.buffers.referenced(*index, &Held);
                    buffer.map(|b| SetResource::Buffer { buffer: &b.native, offset: *offset, size: *size })
                }
                Found::View(index) => {
                    tables.views.referenced(*index, &Held).map(|view| SetResource::View(&view.native))
                }
                Found::Sampler(native, _) => Some(SetResource::Sampler(native)),
            };
            if let (Some(slot), Some(resource)) = (slot, resource) {
                let (binding, element) = (entry.binding, entry.element);
                writes.push(SetWrite { binding, element, kind: slot.kind, resource });
            }
        }
        let name = Name::new(desc.name);
        let native = parts.backend.create_set(&name, &layout.native, &layout.slots, &writes);
        native.map(|native| (native, layout.shape)).map_err(|error| parts.native(desc.name, error))
    }
}
