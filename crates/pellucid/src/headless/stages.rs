//! How long each step took, and which ran beside which.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Most stages kept; later ones are not recorded until [`Stages::take`] makes room.
pub const MAX_STAGES: usize = 256;

/// A step that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What was done.
    pub name: &'static str,
    /// When it began, counted from [`Stages::new`].
    pub start: Duration,
    /// How long it took.
    pub duration: Duration,
}

/// A list of steps that any thread may add to. Clones share one list.
#[derive(Clone, Debug)]
pub struct Stages {
    origin: Instant,
    ended: Arc<Mutex<Vec<Stage>>>,
}

impl Default for Stages {
    fn default() -> Self {
        Self::new()
    }
}

impl Stages {
    /// An empty list whose clock starts now.
    #[must_use]
    pub fn new() -> Self {
        Self { origin: Instant::now(), ended: Arc::default() }
    }

    /// Runs a step and records it, whether it fails or not.
    pub fn run<T>(&self, name: &'static str, step: impl FnOnce() -> T) -> T {
        let start = self.elapsed();
        let result = step();
        self.add(Stage { name, start, duration: self.elapsed().saturating_sub(start) });
        result
    }

    /// Records a step that was measured elsewhere.
    pub fn add(&self, stage: Stage) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.len() < MAX_STAGES {
            ended.push(stage);
        }
    }

    /// Time since [`Stages::new`].
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.origin.elapsed()
    }

    /// The steps that have ended, by when they began; the list is empty afterwards.
    #[must_use]
    pub fn take(&self) -> Vec<Stage> {
        let mut stages = std::mem::take(&mut *self.ended.lock().unwrap_or_else(PoisonError::into_inner));
        stages.sort_by_key(|stage| stage.start);
        stages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_across_threads_in_order_and_within_bounds() {
        let stages = Stages::new();
        std::thread::scope(|scope| {
            scope.spawn(|| stages.run("slow", || std::thread::sleep(Duration::from_millis(5))));
        });
        assert_eq!(stages.run("value", || 7), 7);
        let taken = stages.take();
        assert_eq!(taken.iter().map(|stage| stage.name).collect::<Vec<_>>(), ["slow", "value"]);
        assert!(taken[0].duration >= Duration::from_millis(5));
        assert!(taken[1].start >= taken[0].start + taken[0].duration);
        assert!(stages.take().is_empty());
        for _ in 0..2 * MAX_STAGES {
            stages.run("more", || ());
        }
        assert_eq!(stages.take().len(), MAX_STAGES);
    }
}
