//! The cursor of a frame's ring: many threads take slices, nobody waits.
use crate::RingError;
use std::sync::atomic::{AtomicU64, Ordering};

/// A bump cursor over `capacity` bytes.
#[derive(Debug)]
pub(crate) struct Cursor {
    kind: &'static str,
    used: AtomicU64,
    capacity: u64,
}

impl Cursor {
    pub(crate) const fn new(kind: &'static str, capacity: u64) -> Self {
        Self { kind, used: AtomicU64::new(0), capacity }
    }

    /// Starts anew. Nobody may still use earlier slices.
    pub(crate) fn reset(&self) {
        self.used.store(0, Ordering::Relaxed);
    }

    /// Takes `size` bytes at a multiple of `align` (a power of two) and gives their offset.
    pub(crate) fn take(&self, size: u64, align: u64) -> Result<u64, RingError> {
        let place = |used: u64| {
            let start = used.checked_next_multiple_of(align)?;
            let end = start.checked_add(size)?;
            (end <= self.capacity).then_some((start, end))
        };
        let step = |used| place(used).map(|(_, end)| end);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step) {
            Ok(before) => Ok(before.next_multiple_of(align)),
            Err(used) => {
                Err(RingError::Full { ring: self.kind, requested: size, used, capacity: self.capacity })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slices_are_aligned_disjoint_and_inside(
            takes in prop::collection::vec((1u64..500, 0u32..9), 1..60)
        ) {
            let cursor = Cursor::new("test", 8192);
            let mut end = 0;
            for (size, shift) in takes {
                let align = 1 << shift;
                match cursor.take(size, align) {
                    Ok(offset) => {
                        prop_assert_eq!(offset % align, 0);
                        prop_assert!(offset >= end && offset < end + align);
                        end = offset + size;
                        prop_assert!(end <= 8192);
                    }
                    Err(RingError::Full { used, .. }) => {
                        prop_assert_eq!(used, end);
                        prop_assert!(end.next_multiple_of(align) + size > 8192);
                    }
                    Err(other) => prop_assert!(false, "{other}"),
                }
            }
        }
    }

    #[test]
    fn a_size_that_wraps_is_full() {
        let cursor = Cursor::new("test", 100);
        cursor.take(10, 1).unwrap();
        assert!(matches!(cursor.take(u64::MAX, 256), Err(RingError::Full { used: 10, .. })));
        cursor.reset();
        assert_eq!(cursor.take(100, 256), Ok(0));
    }
}
