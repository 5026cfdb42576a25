//! Stored expected pictures: compare, or with `PELLUCID_BLESS=1` replace them.
use crate::assets;
use crate::measure::tolerance::{self, Tolerance};
use crate::picture::{Picture, PictureError};
use std::path::{Path, PathBuf};

/// Why a picture is not as it should be.
#[derive(Debug, thiserror::Error)]
pub enum GoldenError {
    /// None is stored.
    #[error(
        "{name}: nothing stored at {}; look at {} and store it with PELLUCID_BLESS=1",
        expected.display(),
        actual.display()
    )]
    Missing {
        /// The picture's name.
        name: String,
        /// Where one should be.
        expected: PathBuf,
        /// Where the drawn one is.
        actual: PathBuf,
    },
    /// It differs by more than it may.
    #[error(
        "{name}: {:.4} % of the pixels are more than {}/255 off (allowed {:.4} %), the worst {worst}/255\n  \
         expected   {}\n  actual     {}\n  difference {}",
        beyond * 100.0, tolerance.channel, tolerance.pixels * 100.0,
        files.expected.display(), files.actual.display(), files.difference.display()
    )]
    Differs {
        /// The picture's name.
        name: String,
        /// Fraction of pixels beyond the tolerance.
        beyond: f64,
        /// Greatest channel difference, of 255.
        worst: u8,
        /// What was allowed.
        tolerance: Tolerance,
        /// What to look at.
        files: Box<Evidence>,
    },
    /// A file could not be used.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// The three pictures that a failure saves side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// A copy of the stored one.
    pub expected: PathBuf,
    /// The drawn one.
    pub actual: PathBuf,
    /// Where they differ, amplified.
    pub difference: PathBuf,
}

/// Whether `PELLUCID_BLESS=1` asks to store instead of to compare.
#[must_use]
pub fn blessing() -> bool {
    std::env::var_os("PELLUCID_BLESS").is_some_and(|v| v == "1")
}

/// Where pictures are stored and where evidence goes.
#[derive(Debug, Clone)]
pub struct Store {
    /// Stored pictures.
    pub expected: PathBuf,
    /// Evidence of failures.
    pub failures: PathBuf,
    /// Whether to store instead of comparing.
    pub bless: bool,
}

impl Store {
    /// The repository's own: `tests/golden/expected` and `out/golden-failures`.
    #[must_use]
    pub fn of_the_repository() -> Self {
        Self {
            expected: Path::new(env!("CARGO_MANIFEST_DIR")).join("expected"),
            failures: assets::reports().join("golden-failures"),
            bless: blessing(),
        }
    }

    /// Compares `actual` with the stored `name`, or stores it. A failure leaves its evidence in
    /// [`Store::failures`]; success removes that of an earlier failure.
    ///
    /// # Errors
    /// [`GoldenError`].
    pub fn check(&self, name: &str, actual: &Picture, tolerance: Tolerance) -> Result<(), GoldenError> {
        let stored = self.expected.join(format!("{name}.png"));
        let file = |what: &str| self.failures.join(format!("{name}-{what}.png"));
        let files =
            Evidence { expected: file("expected"), actual: file("actual"), difference: file("difference") };
        if self.bless {
            actual.save(&stored)?;
            eprintln!("stored {}", stored.display());
            return Ok(());
        }
        if !stored.is_file() {
            actual.save(&files.actual)?;
            return Err(GoldenError::Missing {
                name: name.to_owned(),
                expected: stored,
                actual: files.actual,
            });
        }
        let expected = Picture::load(&stored)?;
        let found = tolerance::difference(&expected, actual, tolerance.channel)?;
        if found.within(tolerance) {
            for path in [&files.expected, &files.actual, &files.difference] {
                // Most often there is none.
                let _ = std::fs::remove_file(path);
            }
            return Ok(());
        }
        expected.save(&files.expected)?;
        actual.save(&files.actual)?;
        found.picture.save(&files.difference)?;
        Err(GoldenError::Differs {
            name: name.to_owned(),
            beyond: found.beyond,
            worst: found.worst,
            tolerance,
            files: Box::new(files),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_its_evidence_and_a_success_clears_it() {
        let folder = std::env::temp_dir().join(format!("pellucid-golden-{}", std::process::id()));
        let mut store =
            Store { expected: folder.join("expected"), failures: folder.join("failures"), bless: false };
        let tolerance = Tolerance { channel: 2, pixels: 0.0 };
        let grey = |c| Picture::new(2, 2, vec![[c, c, c, 255]; 4]).unwrap();

        let missing = store.check("a", &grey(10), tolerance).unwrap_err();
        assert!(matches!(&missing, GoldenError::Missing { actual, .. } if actual.is_file()), "{missing}");

        store.bless = true;
        store.check("a", &grey(10), tolerance).unwrap();
        store.bless = false;
        store.check("a", &grey(12), tolerance).unwrap();

        let error = store.check("a", &grey(13), tolerance).unwrap_err();
        let GoldenError::Differs { worst: 3, files, .. } = &error else { panic!("{error}") };
        for path in [&files.expected, &files.actual, &files.difference] {
            assert!(path.is_file(), "{}", path.display());
            assert!(error.to_string().contains(&path.display().to_string()));
        }
        store.check("a", &grey(10), tolerance).unwrap();
        assert!(!files.difference.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
