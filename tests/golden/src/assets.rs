//! Where the shared models, environments and peers' pictures are.
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Why the shared assets can't be used.
#[derive(Debug, thiserror::Error)]
pub enum AssetError {
    /// The folder is absent where it must not be.
    #[error(
        "{} is absent and CI is set: point PELLUCID_ASSETS at the shared assets, or unset CI to skip \
         the tests that need them", .0.display()
    )]
    Required(PathBuf),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {why}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

/// The repository's root.
#[must_use]
pub fn repository() -> PathBuf {
    // This crate lies two folders deep in it.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned()
}

/// The folder for reports, git-ignored.
#[must_use]
pub fn reports() -> PathBuf {
    repository().join("out")
}

/// The shared assets: `PELLUCID_ASSETS`, or `../shared` beside the repository.
///
/// `Ok(None)` means that the caller should return without testing: it has been said on standard error.
///
/// # Errors
/// [`AssetError::Required`] when they are absent and `CI` is set.
pub fn shared(test: &str) -> Result<Option<PathBuf>, AssetError> {
    let folder = std::env::var_os("PELLUCID_ASSETS").map_or_else(
        || repository().join("../shared"),
        // Cargo runs tests in the crate's folder, people think from the root.
        |given| repository().join(given),
    );
    if folder.join("models").is_dir() {
        return Ok(Some(folder));
    }
    if std::env::var_os("CI").is_some_and(|v| !v.is_empty()) {
        return Err(AssetError::Required(folder));
    }
    eprintln!("SKIPPED {test}: no assets at {} (set PELLUCID_ASSETS)", folder.display());
    Ok(None)
}

/// Reads a text file.
///
/// # Errors
/// [`AssetError::Read`].
pub fn read_text(path: &Path) -> Result<String, AssetError> {
    std::fs::read_to_string(path).map_err(|source| AssetError::Read { path: path.to_owned(), source })
}

/// A model under the peers' light, and how it is looked at.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The file, below `models/`.
    pub model: PathBuf,
    /// Theta and phi in degrees, radius in metres.
    #[serde(deserialize_with = "triple")]
    pub orbit: [f32; 3],
    /// What the camera looks at, in metres.
    #[serde(deserialize_with = "triple")]
    pub target: [f32; 3],
}

/// Vertical field of view of every case, degrees.
pub const CASE_FOV: f32 = 45.0;

fn triple<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<[f32; 3], D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_triple(&text).ok_or_else(|| serde::de::Error::custom(format!("{text:?} is not three numbers")))
}

fn parse_triple(text: &str) -> Option<[f32; 3]> {
    let mut parts = text.split(',').map(|p| p.trim().parse::<f32>().ok().filter(|v| v.is_finite()));
    let triple = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(triple)
}

/// The cases of `goldens/same-light`.
///
/// # Errors
/// [`AssetError`] when the list is absent or broken.
pub fn cases(shared: &Path) -> Result<Vec<Case>, AssetError> {
    let path = shared.join("goldens/same-light/cases.json");
    serde_json::from_str(&read_text(&path)?)
        .map_err(|error| AssetError::Broken { path, why: error.to_string() })
}

/// A peer's picture of a case.
#[must_use]
pub fn peer_picture(shared: &Path, peer: &str, case: &str, tonemap: &str) -> PathBuf {
    shared.join(format!("goldens/same-light/{peer}/{case}-{tonemap}.png"))
}

/// Every model file below `models/`, sorted: `.glb` and `.gltf`.
///
/// # Errors
/// [`AssetError::Read`] when a folder can't be listed.
pub fn models(shared: &Path) -> Result<Vec<PathBuf>, AssetError> {
    let list = |folder: &Path| -> Result<Vec<PathBuf>, AssetError> {
        let read = |source| AssetError::Read { path: folder.to_owned(), source };
        std::fs::read_dir(folder).map_err(read)?.map(|entry| entry.map(|e| e.path()).map_err(read)).collect()
    };
    let mut found = Vec::new();
    for folder in list(&shared.join("models"))? {
        if folder.is_dir() {
            found.extend(
                list(&folder)?
                    .into_iter()
                    .filter(|f| f.extension().is_some_and(|e| e == "glb" || e == "gltf")),
            );
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triples() {
        assert_eq!(parse_triple("30, 60,2.5"), Some([30.0, 60.0, 2.5]));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,inf"] {
            assert_eq!(parse_triple(bad), None, "{bad:?}");
        }
    }
}
