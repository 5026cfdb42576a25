//! The pinned Slang toolchain: what belongs to it and where it is looked for. No dependency and no process is
//! needed to ask.
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

/// The environment variable that names the toolchain's folder and goes before every other place.
pub const ENVIRONMENT_VARIABLE: &str = "PELLUCID_SLANG_DIR";

/// The files that `slangc` needs, the program first; empty where no toolchain is pinned, which is everywhere but
/// on x86-64 Linux. `cargo xtask setup` fetches them and checks their hashes.
pub const FILES: &[&str] = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
    &[
        "slangc",
        "libslang-compiler.so.0.2026.14.1",
        "libslang-glslang-2026.14.1.so",
        "libslang-glsl-module-2026.14.1.so",
    ]
} else {
    &[]
};

/// Slang's pinned version.
pub const VERSION: &str = "2026.14.1";

/// Where `cargo xtask setup` puts the toolchain, relative to the workspace.
pub const CACHE_FOLDER: &str = ".cache/slang/2026.14.1";

/// A toolchain whose files are all there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// Its folder.
    pub folder: PathBuf,
    /// Its compiler.
    pub slangc: PathBuf,
}

/// Why there is no toolchain. Every text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolchainError {
    /// This host has no pinned toolchain.
    UnsupportedHost,
    /// It is in none of the places looked at.
    NotFound {
        /// The folder that the search began in.
        start: PathBuf,
    },
    /// A folder was found, but a file of the pinned version isn't in it.
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// The first file that is missing.
        missing: &'static str,
        /// Whether the environment variable named the folder.
        from_environment: bool,
    },
}

impl fmt::Display for ToolchainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnsupportedHost => write!(
                f,
                "Slang {VERSION} is pinned for x86-64 Linux only: build there, or use a packaged crate, which \
                 carries its compiled shaders"
            ),
            Self::NotFound { start } => write!(
                f,
                "the Slang {VERSION} toolchain is not installed (looked for {CACHE_FOLDER} in {} and every \
                 folder above it): run `cargo xtask setup`",
                start.display()
            ),
            Self::Incomplete { folder, missing, from_environment: true } => write!(
                f,
                "{ENVIRONMENT_VARIABLE} names {}, but {missing} of Slang {VERSION} is not there: unset it and run \
                 `cargo xtask setup`, or correct it",
                folder.display()
            ),
            Self::Incomplete { folder, missing, from_environment: false } => write!(
                f,
                "the Slang {VERSION} toolchain in {} lacks {missing}: run `cargo xtask setup`",
                folder.display()
            ),
        }
    }
}

impl std::error::Error for ToolchainError {}

/// Finds the toolchain: the folder that `PELLUCID_SLANG_DIR` names, else [`CACHE_FOLDER`] in `start` or the
/// nearest folder above it. It checks that the files are there, not what is in them.
///
/// # Errors
/// The toolchain is missing or incomplete, or this host has none.
pub fn locate(start: &Path) -> Result<Toolchain, ToolchainError> {
    let named = env::var_os(ENVIRONMENT_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    locate_with(named.as_deref(), start)
}

/// As [`locate`], with the value of the environment variable given.
///
/// # Errors
/// As [`locate`].
pub fn locate_with(named: Option<&Path>, start: &Path) -> Result<Toolchain, ToolchainError> {
    let [slangc, ..] = FILES else { return Err(ToolchainError::UnsupportedHost) };
    let (folder, from_environment) = match named {
        Some(folder) => (folder.to_path_buf(), true),
        None => {
            match start.ancestors().map(|folder| folder.join(CACHE_FOLDER)).find(|folder| folder.is_dir()) {
                Some(folder) => (folder, false),
                None => return Err(ToolchainError::NotFound { start: start.to_path_buf() }),
            }
        }
    };
    match FILES.iter().find(|file| !folder.join(file).is_file()) {
        Some(missing) => Err(ToolchainError::Incomplete { folder, missing, from_environment }),
        None => Ok(Toolchain { slangc: folder.join(slangc), folder }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn fill(folder: &Path) {
        fs::create_dir_all(folder).unwrap();
        for file in FILES {
            fs::write(folder.join(file), "").unwrap();
        }
    }

    #[test]
    fn the_nearest_folder_above_is_taken() {
        let root = tempfile::tempdir().unwrap();
        let start = root.path().join("crates/one");
        fs::create_dir_all(&start).unwrap();
        assert_eq!(locate_with(None, &start), Err(ToolchainError::NotFound { start: start.clone() }));
        let folder = root.path().join(CACHE_FOLDER);
        fill(&folder);
        assert_eq!(locate_with(None, &start).unwrap().slangc, folder.join("slangc"));
    }

    #[test]
    fn the_environment_goes_first_even_when_it_is_wrong() {
        let root = tempfile::tempdir().unwrap();
        fill(&root.path().join(CACHE_FOLDER));
        let named = root.path().join("elsewhere");
        let error = locate_with(Some(&named), root.path()).unwrap_err();
        assert_eq!(
            error,
            ToolchainError::Incomplete { folder: named.clone(), missing: "slangc", from_environment: true }
        );
        assert!(error.to_string().contains("cargo xtask setup"));
        fill(&named);
        assert_eq!(locate_with(Some(&named), root.path()).unwrap().folder, named);
    }

    #[test]
    fn a_missing_library_is_named() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(CACHE_FOLDER);
        fill(&folder);
        fs::remove_file(folder.join("libslang-glslang-2026.14.1.so")).unwrap();
        let error = locate_with(None, root.path()).unwrap_err();
        assert!(error.to_string().contains("libslang-glslang-2026.14.1.so"), "{error}");
    }
}
