//! What can go wrong in a benchmark.
use std::path::PathBuf;

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The command line makes no sense.
    #[error("{0}\n\n{help}", help = crate::arguments::HELP)]
    Usage(String),
    /// A program that is measured or needed is not installed.
    #[error(
        "{program} is needed beside Pellucid for a comparison and was not found; on Debian: apt-get install {package}"
    )]
    NotInstalled {
        /// Its name.
        program: &'static str,
        /// The package that has it.
        package: &'static str,
    },
    /// A file is not where it should be.
    #[error("{} is not there: {remedy}", path.display())]
    Absent {
        /// The file.
        path: PathBuf,
        /// What to do.
        remedy: &'static str,
    },
    /// A process could not be started or waited for.
    #[error("{program}: {source}")]
    Start {
        /// What was started.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A contender failed, so its time means nothing.
    #[error("{program} failed ({status}):\n{said}")]
    Failed {
        /// Its name.
        program: String,
        /// How it ended.
        status: String,
        /// The end of what it said.
        said: String,
    },
    /// A contender ended well without a picture of the size asked for.
    #[error("{program} wrote no {width}x{height} PNG at {}", path.display())]
    NoPicture {
        /// Its name.
        program: String,
        /// Where it should be.
        path: PathBuf,
        /// Pixels a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The JSON of `pellucid render --json` can't be used.
    #[error("the report of pellucid render --json: {0}")]
    Report(String),
}
