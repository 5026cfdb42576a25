//! The submission ledger: what was destroyed waits here until the GPU can't need it any more.
//!
//! Serials count submissions of the one queue; its timeline reaches a serial when that submission is done.
//! What is destroyed while a frame or an upload batch is open may be in commands that are not submitted yet,
//! so it waits without a serial until those are; otherwise it waits for the newest submission.
use super::entries::Key;
use crate::slots::HoldsObjects;
use std::collections::VecDeque;

/// Serials and what waits for them.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    submitted: u64,
    completed: u64,
    frame_open: bool,
    batch_open: bool,
    /// Destroyed while something was open.
    open: Vec<Key>,
    /// Destroyed, and the serial to wait for, in order.
    closed: VecDeque<(u64, Key)>,
}

// SAFETY: only `Parts::retire` takes objects, and it borrows the ledger mutably.
unsafe impl HoldsObjects for Ledger {}

/// Proof by the ledger that a frame is open: nothing destroyed from then on is retired before it ends.
///
/// `kill` and the choice between `open` and `closed` are one critical section of the ledger's lock, as is
/// `open_frame`. So an object that an encoder of the frame finds alive was not destroyed before the frame
/// was opened (it would have been seen dead), and if it is destroyed later it waits in `open`.
#[derive(Debug)]
pub(crate) struct FrameToken(());

// SAFETY: see above; the token is borrowed from a `Frame`, whose end is what closes the frame.
unsafe impl HoldsObjects for FrameToken {}

impl Ledger {
    pub(crate) const fn submitted(&self) -> u64 {
        self.submitted
    }

    pub(crate) const fn completed(&self) -> u64 {
        self.completed
    }

    /// Opens a frame, unless one is open.
    pub(crate) fn open_frame(&mut self) -> Option<FrameToken> {
        if self.frame_open {
            return None;
        }
        self.frame_open = true;
        Some(FrameToken(()))
    }

    /// Ends the open frame without a submission.
    pub(crate) fn abandon_frame(&mut self, _token: FrameToken) {
        self.frame_open = false;
        self.close();
    }

    pub(crate) fn open_batch(&mut self) {
        self.batch_open = true;
    }

    /// The serial that the next submission will carry.
    pub(crate) const fn next(&self) -> u64 {
        self.submitted + 1
    }

    /// The open upload batch was submitted as [`Ledger::next`].
    pub(crate) fn batch_submitted(&mut self) {
        self.batch_open = false;
        self.submitted += 1;
        self.close();
    }

    /// The open upload batch will never be submitted.
    pub(crate) fn batch_failed(&mut self) {
        self.batch_open = false;
        self.close();
    }

    /// The open frame, and the open batch before it, were submitted as [`Ledger::next`].
    pub(crate) fn frame_submitted(&mut self, _token: FrameToken) -> u64 {
        self.frame_open = false;
        self.batch_open = false;
        self.submitted += 1;
        self.close();
        self.submitted
    }

    /// Once nothing is open, everything destroyed meanwhile waits for the newest submission.
    fn close(&mut self) {
        if !self.frame_open && !self.batch_open {
            let serial = self.submitted;
            self.closed.extend(self.open.drain(..).map(|key| (serial, key)));
        }
    }

    /// An object's handle was killed.
    pub(crate) fn destroyed(&mut self, key: Key) {
        if self.frame_open || self.batch_open {
            self.open.push(key);
        } else {
            self.closed.push_back((self.submitted, key));
        }
    }

    /// The timeline was seen at `serial`.
    pub(crate) fn reached(&mut self, serial: u64) {
        self.completed = self.completed.max(serial.min(self.submitted));
    }

    /// The next object that the GPU can't need any more.
    pub(crate) fn retired(&mut self) -> Option<Key> {
        let &(serial, key) = self.closed.front()?;
        (serial <= self.completed).then(|| {
            self.closed.pop_front();
            key
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::ObjectKind;

    fn key(index: u32) -> Key {
        Key { kind: ObjectKind::Buffer, index }
    }

    fn all(ledger: &mut Ledger) -> Vec<u32> {
        std::iter::from_fn(|| ledger.retired().map(|key| key.index)).collect()
    }

    #[test]
    fn idle_objects_retire_at_once() {
        let mut ledger = Ledger::default();
        ledger.destroyed(key(1));
        assert_eq!(all(&mut ledger), [1]);
    }

    #[test]
    fn what_is_in_flight_waits_for_the_newest_submission() {
        let mut ledger = Ledger::default();
        let frame = ledger.open_frame().unwrap();
        assert_eq!(ledger.frame_submitted(frame), 1);
        ledger.destroyed(key(1));
        assert_eq!(all(&mut ledger), []);
        ledger.reached(1);
        assert_eq!(all(&mut ledger), [1]);
    }

    #[test]
    fn an_open_frame_holds_back_even_when_a_batch_goes_before_it() {
        let mut ledger = Ledger::default();
        let frame = ledger.open_frame().unwrap();
        assert!(ledger.open_frame().is_none());
        ledger.open_batch();
        ledger.destroyed(key(1));
        ledger.batch_submitted();
        ledger.reached(1);
        assert_eq!(all(&mut ledger), [], "the frame may still use it");
        assert_eq!(ledger.frame_submitted(frame), 2);
        assert_eq!(all(&mut ledger), []);
        ledger.reached(2);
        assert_eq!(all(&mut ledger), [1]);
    }

    #[test]
    fn an_abandoned_frame_leaves_objects_to_the_newest_submission() {
        let mut ledger = Ledger::default();
        let frame = ledger.open_frame().unwrap();
        ledger.destroyed(key(1));
        ledger.abandon_frame(frame);
        assert_eq!(all(&mut ledger), [1]);
        ledger.open_batch();
        let frame = ledger.open_frame().unwrap();
        ledger.destroyed(key(2));
        ledger.abandon_frame(frame);
        assert_eq!(all(&mut ledger), [], "the batch is still open");
        ledger.batch_failed();
        assert_eq!(all(&mut ledger), [2]);
    }

    #[test]
    fn a_timeline_beyond_the_submissions_is_not_believed() {
        let mut ledger = Ledger::default();
        ledger.reached(u64::MAX);
        assert_eq!(ledger.completed(), 0);
    }
}
