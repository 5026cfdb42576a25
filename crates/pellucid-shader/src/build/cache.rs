//! Compiled shaders from earlier builds: one slot a shader, so that the cache is as bounded as the manifest.
use super::manifest::{Manifest, ShaderEntry};
use super::model::{Record, Source};
use super::{BuildError, hash};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// A compiled shader: what is known of it, and its module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    /// What is known of it.
    pub record: Record,
    /// SPIR-V.
    pub spirv: Vec<u8>,
}

/// The shader of `entry` when the slot holds it and nothing that went into it has changed. A slot that is
/// missing, damaged or of another version is a miss.
pub(super) fn load(
    cache: &Path,
    shaders_dir: &Path,
    entry: &ShaderEntry,
    command_hash: &str,
) -> Option<Shader> {
    let text = fs::read_to_string(cache.join(format!("{}.json", entry.name))).ok()?;
    let record: Record = serde_json::from_str(&text).ok()?;
    let spirv = fs::read(cache.join(format!("{}.spv", entry.name))).ok()?;
    let fresh = record.command_hash == command_hash
        && record.spirv_sha256 == hash::of_bytes(&spirv)
        && !record.sources.is_empty()
        && record.sources.iter().all(|source| is_unchanged(shaders_dir, source));
    fresh.then_some(Shader { record, spirv })
}

/// Whether a source is as it was.
pub(super) fn is_unchanged(shaders_dir: &Path, source: &Source) -> bool {
    fs::read(shaders_dir.join(&source.path)).is_ok_and(|bytes| hash::of_bytes(&bytes) == source.sha256)
}

/// Puts a shader into its slot.
pub(super) fn store(cache: &Path, shader: &Shader) -> Result<(), BuildError> {
    let name = &shader.record.name;
    write_atomically(&cache.join(format!("{name}.spv")), &shader.spirv)?;
    write_atomically(&cache.join(format!("{name}.json")), json(&shader.record).as_bytes())
}

/// Drops the slots of shaders that the manifest no longer names.
pub(super) fn prune(cache: &Path, manifest: &Manifest) -> Result<(), BuildError> {
    let names: BTreeSet<&str> = manifest.shaders.iter().map(|shader| shader.name.as_str()).collect();
    for file in fs::read_dir(cache).map_err(|error| BuildError::io("list", cache, error))? {
        let path = file.map_err(|error| BuildError::io("list", cache, error))?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let ours = path.extension().is_some_and(|extension| extension == "spv" || extension == "json");
        if ours && !names.contains(stem) {
            // Another build may have pruned it first.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

/// A value of this crate's model as JSON.
pub(super) fn json<T: serde::Serialize>(value: &T) -> String {
    // The model has string keys and finite numbers only, which is all that serialisation could refuse.
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Writes beside and renames into place: readers see the old file or the new one, never half of one.
pub(super) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_added_extension(format!("{}-{count}.tmp", std::process::id()));
    let write = || {
        let mut file = fs::File::create(&beside)?;
        file.write_all(bytes)?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&beside);
        BuildError::io("write", path, error)
    })
}
