//! Artifacts that travel inside a packaged crate, so that its users need no compiler.
use super::cache::{self, Shader};
use super::manifest::Manifest;
use super::model::Record;
use super::{BuildError, compiler, hash};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

const INDEX: &str = "index.json";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Index {
    version: u32,
    shaders: Vec<Record>,
}

/// Whether a folder holds packaged artifacts.
pub(super) fn is_there(folder: &Path) -> bool {
    folder.join(INDEX).is_file()
}

/// Replaces what is in `folder` by these shaders.
pub(super) fn write(folder: &Path, shaders: &[Shader]) -> Result<(), BuildError> {
    let beside = folder.with_extension("new");
    let clear = |path: &Path| match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(BuildError::io("remove", path, error))
        }
        _ => Ok(()),
    };
    clear(&beside)?;
    fs::create_dir_all(&beside).map_err(|error| BuildError::io("make", &beside, error))?;
    for shader in shaders {
        let path = beside.join(format!("{}.spv", shader.record.name));
        fs::write(&path, &shader.spirv).map_err(|error| BuildError::io("write", &path, error))?;
    }
    let records = shaders.iter().map(|shader| shader.record.clone()).collect();
    let path = beside.join(INDEX);
    let text = cache::json(&Index { version: VERSION, shaders: records });
    fs::write(&path, text).map_err(|error| BuildError::io("write", &path, error))?;
    clear(folder)?;
    fs::rename(&beside, folder).map_err(|error| BuildError::io("rename", &beside, error))
}

/// Reads the shaders of `manifest`, each checked against its hash, and against its sources where they are.
pub(super) fn read(
    folder: &Path,
    shaders_dir: &Path,
    manifest: &Manifest,
) -> Result<Vec<Shader>, BuildError> {
    let stale = |message: String| BuildError::Stale { message };
    let path = folder.join(INDEX);
    let text = fs::read_to_string(&path).map_err(|error| BuildError::io("read", &path, error))?;
    let index: Index = serde_json::from_str(&text)
        .map_err(|error| stale(format!("{} is not readable: {error}", path.display())))?;
    if index.version != VERSION {
        return Err(stale(format!("{} is of version {}, not {VERSION}", path.display(), index.version)));
    }
    let mut records = index.shaders.into_iter();
    let mut shaders = Vec::with_capacity(manifest.shaders.len());
    for entry in &manifest.shaders {
        let name = &entry.name;
        let record = records
            .find(|record| record.name == *name)
            .ok_or_else(|| stale(format!("shader `{name}` of the manifest is not among them")))?;
        if record.command_hash != compiler::command_hash(entry) {
            return Err(stale(format!("shader `{name}` was compiled with other options")));
        }
        let path = folder.join(format!("{name}.spv"));
        let spirv = fs::read(&path).map_err(|error| BuildError::io("read", &path, error))?;
        if hash::of_bytes(&spirv) != record.spirv_sha256 {
            return Err(stale(format!("{} is damaged: its SHA-256 is not the index's", path.display())));
        }
        let changed = record.sources.iter().find(|source| {
            shaders_dir.join(&source.path).exists() && !cache::is_unchanged(shaders_dir, source)
        });
        if let Some(source) = changed {
            return Err(stale(format!("shader `{name}` was compiled from another {}", source.path)));
        }
        shaders.push(Shader { record, spirv });
    }
    Ok(shaders)
}
