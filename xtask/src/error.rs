//! What can go wrong, in words that say what to do next, and the exit code that goes with each.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A failed task. Each kind has its own documented exit code (`docs/building.md`).
#[derive(Debug)]
pub enum Error {
    /// The command line makes no sense: exit code 2.
    Usage(String),
    /// Something that a person has to install or allow: exit code 3. The text holds the commands to type.
    Missing(String),
    /// A file or folder could not be read or written: exit code 1.
    Io {
        /// What was being done, as in "read".
        doing: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        /// The system's own reason.
        source: io::Error,
    },
    /// A program could not be started: exit code 1.
    Start {
        /// The whole command.
        command: String,
        /// The system's own reason.
        source: io::Error,
    },
    /// A program ran and reported failure: exit code 1.
    Failed {
        /// The whole command.
        command: String,
        /// Its exit status, in words.
        status: String,
    },
    /// A downloaded or unpacked file isn't the one that was pinned: exit code 1.
    Hash {
        /// The file.
        path: PathBuf,
        /// The pinned SHA-256.
        expected: &'static str,
        /// The SHA-256 that it has.
        found: String,
    },
    /// A lane passed, but took more than twice the time it is allowed: exit code 1.
    OverBudget {
        /// The lane's name.
        lane: &'static str,
        /// Seconds it took.
        took: u64,
        /// Seconds it is allowed.
        budget: u64,
    },
    /// Any other refusal: exit code 1.
    Refused(String),
}

impl Error {
    /// The process's exit code for this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Missing(_) => 3,
            _ => 1,
        }
    }

    /// For `map_err` on file operations.
    pub fn io(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { doing, path, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Missing(text) | Self::Refused(text) => f.write_str(text),
            Self::Io { doing, path, source } => write!(f, "could not {doing} {}: {source}", path.display()),
            Self::Start { command, source } => write!(f, "could not start `{command}`: {source}"),
            Self::Failed { command, status } => write!(f, "`{command}` failed ({status})"),
            Self::Hash { path, expected, found } => write!(
                f,
                "{} is not the pinned file: its SHA-256 is {found}, expected {expected}. Nothing was installed; \
                 delete it if it was your own copy, and run `cargo xtask setup` again",
                path.display()
            ),
            Self::OverBudget { lane, took, budget } => write!(
                f,
                "lane {lane} passed but took {took} s, more than twice its budget of {budget} s: \
                 make it faster or raise the budget in xtask/src/lane/mod.rs, with the reason"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } | Self::Start { source, .. } => Some(source),
            _ => None,
        }
    }
}
