//! Staging memory: mapped chunks that are made when first needed, up to a limit, and used again once the
//! submission that reads them is finished.
use super::budget::Budget;
use crate::backend::{self, BufferParams, MemoryKind};
use crate::desc::BufferRoles;
use crate::name::Name;
use crate::{NativeError, STORAGE_ALIGN};

/// Bytes of a chunk, unless the limit is smaller.
const CHUNK: u64 = 8 << 20;

/// Who fills a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The open upload batch.
    Batch,
    /// The open frame's updates.
    Frame,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Free,
    Filling(Owner),
    /// Read by the submission of this serial.
    Flying(u64),
}

struct Chunk {
    buffer: backend::Buffer,
    used: u64,
    state: State,
    charge: u64,
}

/// The chunks.
pub(crate) struct Staging {
    chunks: Vec<Chunk>,
    size: u64,
    limit: u64,
}

impl Staging {
    /// At most `limit` bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self { chunks: Vec::new(), size: CHUNK.min(limit), limit }
    }

    /// Most bytes of one [`Staging::take`].
    pub(crate) const fn piece(&self) -> u64 {
        self.size
    }

    /// Bytes of the chunks that exist.
    pub(crate) const fn bytes(&self) -> u64 {
        self.chunks.len() as u64 * self.size
    }

    pub(crate) const fn limit(&self) -> u64 {
        self.limit
    }

    pub(crate) fn buffer(&self, chunk: usize) -> &backend::Buffer {
        &self.chunks[chunk].buffer
    }

    /// A place for `size` bytes: the chunk and the offset in it. `None` when every chunk is taken.
    pub(crate) fn take(
        &mut self,
        device: &backend::Device,
        budget: &Budget,
        owner: Owner,
        size: u64,
    ) -> Result<Option<(usize, u64)>, NativeError> {
        let filling = |chunk: &Chunk| chunk.state == State::Filling(owner) && chunk.used + size <= self.size;
        let free = |chunk: &Chunk| chunk.state == State::Free;
        let found = self.chunks.iter().position(filling).or_else(|| self.chunks.iter().position(free));
        let index = match found {
            Some(index) => index,
            None if self.bytes() + self.size <= self.limit => {
                let params = BufferParams {
                    name: Name::new("staging"),
                    size: self.size,
                    roles: BufferRoles::COPY_SRC,
                    memory: MemoryKind::Upload,
                };
                let charge = device.buffer_bytes(&params)?;
                if budget.charge(charge).is_err() {
                    return Ok(None);
                }
                let buffer = device.create_buffer(&params).inspect_err(|_| budget.refund(charge))?;
                self.chunks.push(Chunk { buffer, used: 0, state: State::Free, charge });
                self.chunks.len() - 1
            }
            None => return Ok(None),
        };
        let chunk = &mut self.chunks[index];
        chunk.state = State::Filling(owner);
        let offset = chunk.used;
        chunk.used = (offset + size).next_multiple_of(STORAGE_ALIGN);
        Ok(Some((index, offset)))
    }

    /// What `owner` filled is read by a submission.
    pub(crate) fn submitted(&mut self, owner: Owner, serial: u64) {
        let mine = self.chunks.iter_mut().filter(|chunk| chunk.state == State::Filling(owner));
        mine.for_each(|chunk| chunk.state = State::Flying(serial));
    }

    /// What `owner` filled is not needed.
    pub(crate) fn abandoned(&mut self, owner: Owner) {
        for chunk in self.chunks.iter_mut().filter(|chunk| chunk.state == State::Filling(owner)) {
            (chunk.state, chunk.used) = (State::Free, 0);
        }
    }

    /// The serial whose end frees a chunk next.
    pub(crate) fn oldest(&self) -> Option<u64> {
        let serial = |chunk: &Chunk| match chunk.state {
            State::Flying(serial) => Some(serial),
            _ => None,
        };
        self.chunks.iter().filter_map(serial).min()
    }

    pub(crate) fn collect(&mut self, completed: u64) {
        for chunk in &mut self.chunks {
            if matches!(chunk.state, State::Flying(serial) if serial <= completed) {
                (chunk.state, chunk.used) = (State::Free, 0);
            }
        }
    }

    /// Gives idle chunks back to the device and the budget.
    pub(crate) fn trim(&mut self, device: &backend::Device, budget: &Budget) {
        let mut kept = Vec::new();
        for chunk in self.chunks.drain(..) {
            if chunk.state == State::Free {
                budget.refund(chunk.charge);
                device.destroy_buffer(chunk.buffer);
            } else {
                kept.push(chunk);
            }
        }
        self.chunks = kept;
    }

    pub(crate) fn drain(&mut self) -> Vec<backend::Buffer> {
        self.chunks.drain(..).map(|chunk| chunk.buffer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_bounded_and_come_back_with_their_serial() {
        let device = backend::Device::default();
        let budget = Budget::new(u64::MAX);
        let mut staging = Staging::new(2 * CHUNK + 1);
        let take = |staging: &mut Staging, owner, size| staging.take(&device, &budget, owner, size).unwrap();
        assert_eq!(take(&mut staging, Owner::Batch, 100), Some((0, 0)));
        assert_eq!(take(&mut staging, Owner::Batch, 100), Some((0, 256)));
        assert_eq!(take(&mut staging, Owner::Frame, CHUNK), Some((1, 0)));
        assert_eq!(take(&mut staging, Owner::Batch, CHUNK), None);
        assert_eq!(staging.oldest(), None);
        staging.submitted(Owner::Batch, 3);
        assert_eq!(staging.oldest(), Some(3));
        staging.collect(2);
        assert_eq!(take(&mut staging, Owner::Batch, CHUNK), None);
        staging.collect(3);
        assert_eq!(take(&mut staging, Owner::Batch, CHUNK), Some((0, 0)));
        staging.abandoned(Owner::Frame);
        assert_eq!(take(&mut staging, Owner::Batch, 1), Some((1, 0)));
    }

    #[test]
    fn the_budget_counts_staging() {
        let device = backend::Device::default();
        let budget = Budget::new(CHUNK);
        let mut staging = Staging::new(4 * CHUNK);
        assert!(staging.take(&device, &budget, Owner::Batch, 1).unwrap().is_some());
        assert!(staging.take(&device, &budget, Owner::Frame, 1).unwrap().is_none());
        staging.abandoned(Owner::Batch);
        staging.trim(&device, &budget);
        assert_eq!((budget.used(), staging.bytes()), (0, 0));
    }
}
