//! What the validation layer said, bounded.
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Texts kept; later ones are only counted.
const MAX_TEXTS: usize = 64;

/// What the validation layer has reported since the instance was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidationMessages {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// The first 64 of them.
    pub texts: Vec<String>,
}

impl ValidationMessages {
    /// Errors and warnings together.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.errors + self.warnings
    }
}

/// Collects messages from any thread.
#[derive(Debug, Default)]
pub(crate) struct MessageLog {
    errors: AtomicU64,
    warnings: AtomicU64,
    texts: Mutex<Vec<String>>,
}

impl MessageLog {
    pub(crate) fn add(&self, error: bool, text: &str) {
        let count = if error { &self.errors } else { &self.warnings };
        count.fetch_add(1, Ordering::Relaxed);
        let mut texts = crate::slots::lock(&self.texts);
        if texts.len() < MAX_TEXTS {
            texts.push(text.to_owned());
        }
    }

    pub(crate) fn read(&self) -> ValidationMessages {
        ValidationMessages {
            errors: self.errors.load(Ordering::Relaxed),
            warnings: self.warnings.load(Ordering::Relaxed),
            texts: crate::slots::lock(&self.texts).clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_bounded_and_counts_are_not() {
        let log = MessageLog::default();
        for i in 0..100 {
            log.add(i % 2 == 0, "text");
        }
        let messages = log.read();
        assert_eq!((messages.errors, messages.warnings, messages.total()), (50, 50, 100));
        assert_eq!(messages.texts.len(), MAX_TEXTS);
    }
}
