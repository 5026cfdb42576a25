//! The table behind the handles: generation-checked slots that are read without a lock.
//!
//! Slots live in chunks that never move. A handle is good while its generation is its slot's; `kill` makes
//! it stale, `take` (when nothing refers to the object any more) empties the slot for reuse. Between the two
//! the object stays where it is, because recorded or submitted work may still need it.
//!
//! Reading takes a [`HoldsObjects`] proof instead of a lock: while such a value lives, nothing that it could
//! have found alive is taken. The ledger keeps that promise (`device/ledger.rs`).
use crate::handle::RawHandle;
use std::cell::UnsafeCell;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

const CHUNK: usize = 256;

/// Locks; a panic elsewhere while locked has left the data whole, as no code here panics halfway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Proof that no object found alive is taken from its slot while this value is borrowed.
///
/// # Safety
/// Implementors are borrowed mutably by whoever calls [`Slots::take`], or keep the ledger from retiring what
/// was alive when they were made.
pub(crate) unsafe trait HoldsObjects {}

type Chunk<T> = Box<[Slot<T>]>;

struct Slot<T> {
    /// Odd while a handle is good.
    generation: AtomicU32,
    /// The handle's own reference and one for each object that was made with this one.
    references: AtomicU32,
    value: UnsafeCell<Option<T>>,
}

struct Free {
    /// Emptied slots.
    list: Vec<u32>,
    /// Slots never used yet begin here.
    next: u32,
    /// Good handles.
    live: u32,
}

/// A bounded table of objects.
pub(crate) struct Slots<T> {
    chunks: Box<[OnceLock<Chunk<T>>]>,
    free: Mutex<Free>,
    capacity: u32,
    device: u32,
}

// SAFETY: `value` is written only by `insert` (on a slot that no handle names yet) and `take` (by a proof's
// exclusive borrow); in between it is only read, which `T: Sync` allows from several threads.
unsafe impl<T: Send + Sync> Sync for Slots<T> {}

impl<T> Slots<T> {
    pub(crate) fn new(capacity: u32, device: u32) -> Self {
        let chunks = (capacity as usize).div_ceil(CHUNK);
        Self {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            free: Mutex::new(Free { list: Vec::new(), next: 0, live: 0 }),
            capacity,
            device,
        }
    }

    pub(crate) fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Good handles.
    pub(crate) fn live(&self) -> u32 {
        lock(&self.free).live
    }

    fn slot(&self, index: u32) -> Option<&Slot<T>> {
        self.chunks.get(index as usize / CHUNK)?.get()?.get(index as usize % CHUNK)
    }

    /// Stores an object with one reference, or gives it back when the table is full.
    pub(crate) fn insert(&self, value: T) -> Result<RawHandle, T> {
        let mut free = lock(&self.free);
        let index = match free.list.pop() {
            Some(index) => index,
            None if free.next < self.capacity => {
                free.next += 1;
                free.next - 1
            }
            None => return Err(value),
        };
        let chunk = self.chunks[index as usize / CHUNK].get_or_init(|| {
            let slot = |_| Slot {
                generation: AtomicU32::new(0),
                references: AtomicU32::new(0),
                value: UnsafeCell::new(None),
            };
            (0..CHUNK).map(slot).collect()
        });
        let slot = &chunk[index as usize % CHUNK];
        let generation = slot.generation.load(Ordering::Relaxed) + 1;
        let Some(odd) = NonZeroU32::new(generation) else { return Err(value) };
        // SAFETY: the index came from the free list or was never used, so no good handle names the slot, no
        // reference into it is left (`take` required that), and the list's lock keeps other inserts out.
        unsafe { *slot.value.get() = Some(value) };
        slot.references.store(1, Ordering::Relaxed);
        slot.generation.store(generation, Ordering::Release);
        free.live += 1;
        Ok(RawHandle { index, generation: odd, device: self.device })
    }

    /// The object of a good handle.
    pub(crate) fn get<'a>(&'a self, handle: RawHandle, _proof: &'a impl HoldsObjects) -> Option<&'a T> {
        let slot = self.slot(handle.index)?;
        if handle.device != self.device || slot.generation.load(Ordering::Acquire) != handle.generation.get()
        {
            return None;
        }
        // SAFETY: the generation is good, so `insert` has finished (acquire pairs with its release) and the
        // proof keeps `take` away for as long as the reference lives.
        unsafe { (*slot.value.get()).as_ref() }
    }

    /// The object in a slot that somebody holds a reference to, whether or not its handle is still good.
    pub(crate) fn referenced<'a>(&'a self, index: u32, _proof: &'a impl HoldsObjects) -> Option<&'a T> {
        let slot = self.slot(index)?;
        if slot.references.load(Ordering::Acquire) == 0 {
            return None;
        }
        // SAFETY: a slot with references holds its value, and the proof keeps `take` away.
        unsafe { (*slot.value.get()).as_ref() }
    }

    /// Makes a handle stale. The object keeps the handle's reference until [`Slots::release`].
    pub(crate) fn kill(&self, handle: RawHandle) -> bool {
        if handle.device != self.device {
            return false;
        }
        let Some(slot) = self.slot(handle.index) else { return false };
        let good = handle.generation.get();
        let killed =
            slot.generation.compare_exchange(good, good + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        if killed {
            lock(&self.free).live -= 1;
        }
        killed
    }

    /// One more object refers to this slot. The caller holds a proof that the object is alive.
    pub(crate) fn retain(&self, index: u32) {
        if let Some(slot) = self.slot(index) {
            slot.references.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// One reference less; true when it was the last, and then [`Slots::take`] is due.
    pub(crate) fn release(&self, index: u32) -> bool {
        self.slot(index).is_some_and(|slot| slot.references.fetch_sub(1, Ordering::AcqRel) == 1)
    }

    /// Empties a slot whose last reference is gone.
    pub(crate) fn take(&self, index: u32, _proof: &mut impl HoldsObjects) -> Option<T> {
        let slot = self.slot(index)?;
        if slot.references.load(Ordering::Acquire) != 0 {
            return None;
        }
        // SAFETY: no reference is left, so the handle was killed and retired by the ledger, which holds it
        // back while any frame that could have found it is open; other proofs are excluded by `&mut`.
        let value = unsafe { (*slot.value.get()).take() };
        // A generation that can't grow any further is never used again.
        if value.is_some() && slot.generation.load(Ordering::Relaxed) < u32::MAX - 2 {
            lock(&self.free).list.push(index);
        }
        value
    }

    /// Every object left, when the table itself goes.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = T> {
        let chunks = std::mem::take(&mut self.chunks);
        let slots = chunks.into_iter().filter_map(OnceLock::into_inner).flatten();
        slots.filter_map(|slot| slot.value.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    struct Everything;
    // SAFETY: single-threaded tests take only by `&mut`.
    unsafe impl HoldsObjects for Everything {}

    #[derive(Clone, Debug)]
    enum Step {
        Insert(u32),
        Kill(usize),
        Get(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            any::<u32>().prop_map(Step::Insert),
            (0usize..64).prop_map(Step::Kill),
            (0usize..64).prop_map(Step::Get),
        ]
    }

    proptest! {
        /// Against a map from handles to values: a killed handle never finds anything again.
        #[test]
        fn handles_find_their_own_object_or_nothing(steps in prop::collection::vec(step(), 1..200)) {
            let slots = Slots::new(24, 7);
            let mut proof = Everything;
            let mut handles = Vec::new();
            let mut model = HashMap::new();
            for step in steps {
                match step {
                    Step::Insert(value) => match slots.insert(value) {
                        Ok(handle) => {
                            prop_assert!(model.insert(handle, value).is_none());
                            handles.push(handle);
                        }
                        Err(_) => prop_assert_eq!(model.len(), 24),
                    },
                    Step::Kill(i) if !handles.is_empty() => {
                        let handle = handles[i % handles.len()];
                        let expected = model.remove(&handle);
                        prop_assert_eq!(slots.kill(handle), expected.is_some());
                        if expected.is_some() {
                            prop_assert!(slots.release(handle.index));
                            prop_assert_eq!(slots.take(handle.index, &mut proof), expected);
                        }
                    }
                    Step::Get(i) if !handles.is_empty() => {
                        let handle = handles[i % handles.len()];
                        prop_assert_eq!(slots.get(handle, &proof), model.get(&handle));
                    }
                    _ => {}
                }
                prop_assert_eq!(slots.live() as usize, model.len());
            }
        }
    }

    #[test]
    fn a_referenced_object_outlives_its_handle() {
        let slots = Slots::new(4, 1);
        let mut proof = Everything;
        let handle = slots.insert("object").unwrap();
        slots.retain(handle.index);
        assert!(slots.kill(handle));
        assert!(!slots.release(handle.index));
        assert_eq!(slots.get(handle, &proof), None);
        assert_eq!(slots.referenced(handle.index, &proof), Some(&"object"));
        assert_eq!(slots.take(handle.index, &mut proof), None);
        assert!(slots.release(handle.index));
        assert_eq!(slots.take(handle.index, &mut proof), Some("object"));
        assert_eq!(slots.referenced(handle.index, &proof), None);
    }

    #[test]
    fn a_handle_of_another_device_finds_nothing() {
        let (one, two) = (Slots::new(4, 1), Slots::new(4, 2));
        let handle = one.insert(1).unwrap();
        two.insert(2).unwrap();
        assert_eq!(two.get(handle, &Everything), None);
        assert!(!two.kill(handle));
    }
}
