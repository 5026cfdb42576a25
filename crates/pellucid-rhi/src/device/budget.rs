//! Memory that is charged before it is made.
use std::sync::atomic::{AtomicU64, Ordering};

/// What is in use of a limit.
#[derive(Debug)]
pub(crate) struct Budget {
    used: AtomicU64,
    peak: AtomicU64,
    limit: u64,
}

impl Budget {
    pub(crate) const fn new(limit: u64) -> Self {
        Self { used: AtomicU64::new(0), peak: AtomicU64::new(0), limit }
    }

    /// Charges `bytes`, or says how much is in use.
    pub(crate) fn charge(&self, bytes: u64) -> Result<(), u64> {
        let add = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.limit);
        let before = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add)?;
        self.peak.fetch_max(before + bytes, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn refund(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    pub(crate) const fn limit(&self) -> u64 {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_charge_changes_nothing() {
        let budget = Budget::new(100);
        assert_eq!(budget.charge(60), Ok(()));
        assert_eq!(budget.charge(41), Err(60));
        assert_eq!(budget.charge(u64::MAX), Err(60));
        assert_eq!(budget.charge(40), Ok(()));
        budget.refund(70);
        assert_eq!((budget.used(), budget.peak()), (30, 100));
    }
}
