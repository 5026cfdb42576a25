//! The pipeline cache's file: one for each device and driver, checked before a driver sees it, replaced whole.
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"PLCDPSO1";
/// Magic, length, checksum.
const HEADER: usize = 24;
/// A larger file is not ours.
const MAX_BYTES: u64 = 256 << 20;

/// FNV-1a with 64 bits, by its authors' description.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Where a device's cache lies.
#[derive(Debug)]
pub(crate) struct CacheFile {
    path: PathBuf,
}

impl CacheFile {
    pub(crate) fn new(folder: &Path, key: &str) -> Self {
        Self { path: folder.join(format!("{key}.pipelines")) }
    }

    /// The driver's bytes of an earlier run; `None` when there are none or they are damaged.
    pub(crate) fn load(&self) -> Option<Vec<u8>> {
        let too_large = std::fs::metadata(&self.path).ok()?.len() > MAX_BYTES;
        let mut bytes = if too_large { Vec::new() } else { std::fs::read(&self.path).ok()? };
        let body = bytes.get(HEADER..).unwrap_or_default();
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8..16].copy_from_slice(&(body.len() as u64).to_le_bytes());
        header[16..].copy_from_slice(&checksum(body).to_le_bytes());
        if bytes.get(..HEADER) != Some(&header) {
            tracing::warn!(file = %self.path.display(), "the pipeline cache is damaged and ignored");
            return None;
        }
        bytes.drain(..HEADER);
        Some(bytes)
    }

    /// Writes beside the file and renames into place. A crash of the machine may still leave it short, which the
    /// checksum tells.
    pub(crate) fn save(&self, body: &[u8]) -> io::Result<()> {
        if body.is_empty() {
            return Ok(());
        }
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let beside = self.path.with_extension(format!("{}.part", std::process::id()));
        let write = || {
            let mut file = std::fs::File::create(&beside)?;
            file.write_all(MAGIC)?;
            file.write_all(&(body.len() as u64).to_le_bytes())?;
            file.write_all(&checksum(body).to_le_bytes())?;
            file.write_all(body)?;
            std::fs::rename(&beside, &self.path)
        };
        write().inspect_err(|_| {
            let _ = std::fs::remove_file(&beside);
        })
    }
}
