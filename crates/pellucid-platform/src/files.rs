//! Files that are read within a limit and written whole or not at all.

use crate::interrupt::Pending;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file wasn't read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refused.
    #[error("can't read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It holds more than the caller takes.
    #[error("{} is larger than the limit of {limit} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes that would have been read.
        limit: u64,
    },
}

/// Why a file wasn't written. The target is as it was before.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The target names a folder.
    #[error("{} is a folder; name a file in it", path.display())]
    IsFolder {
        /// The target.
        path: PathBuf,
    },
    /// The target's folder isn't there.
    #[error("can't write {}: there is no folder {}; make it first", path.display(), folder.display())]
    NoFolder {
        /// The target.
        path: PathBuf,
        /// The folder it would be in.
        folder: PathBuf,
    },
    /// The target exists and its owner has made it read-only.
    #[error("{} is read-only and was kept; make it writable or name another file", path.display())]
    ReadOnly {
        /// The target.
        path: PathBuf,
    },
    /// The system refused.
    #[error("can't write {}: {source}", path.display())]
    Io {
        /// The target.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Reads a whole file of at most `limit` bytes. The limit holds whatever length the system reports, so a
/// pipe or a file that grows can't pass it.
///
/// # Errors
/// [`ReadError`], naming the file.
pub fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let failed = |source| ReadError::Io { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let too_large = || ReadError::TooLarge { path: path.to_owned(), limit };
    if metadata.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // The reported length is only a first guess at the capacity, and one that has just been bounded.
    bytes.try_reserve(usize::try_from(metadata.len()).unwrap_or(0)).map_err(|error| failed(error.into()))?;
    (&file).take(limit).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 == limit && file.read(&mut [0]).map_err(failed)? != 0 {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Whether [`write_atomic`] could begin with this target now: what can be known before the work is done
/// whose result is to be written. Writes nothing.
///
/// # Errors
/// [`WriteError`], as [`write_atomic`] would give it.
pub fn check_target(path: &Path) -> Result<(), WriteError> {
    Target::find(path).map(drop)
}

/// Writes `bytes` to a temporary file beside the target, flushes it to the disk and renames it into place.
/// Whoever looks sees the old file or the new one, never a part; on failure the old one stays and the
/// temporary file goes.
///
/// A symbolic link is followed and kept. An existing file's permissions are kept; a new file gets what the
/// umask leaves of `rw-rw-rw-`. A target that is no ordinary file (a pipe, a terminal, `/dev/null`) has
/// nothing to rename over and is written directly.
///
/// # Errors
/// [`WriteError`], naming the target.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError::Io { path: path.to_owned(), source };
    match Target::find(path)? {
        Target::Stream => {
            let mut file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            file.write_all(bytes).and_then(|()| file.flush()).map_err(failed)
        }
        Target::File { path: target, existing } => replace(&target, existing, bytes).map_err(failed),
    }
}

/// What a target turned out to be.
enum Target {
    /// Something that takes bytes and has no name to rename over.
    Stream,
    /// An ordinary file, there or not, with links followed.
    File { path: PathBuf, existing: Option<Metadata> },
}

impl Target {
    fn find(path: &Path) -> Result<Self, WriteError> {
        let owned = || path.to_owned();
        let io = |source| WriteError::Io { path: owned(), source };
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(WriteError::IsFolder { path: owned() }),
            Ok(metadata) if !metadata.is_file() => Ok(Self::Stream),
            Ok(metadata) if metadata.permissions().readonly() => Err(WriteError::ReadOnly { path: owned() }),
            Ok(metadata) => {
                Ok(Self::File { path: fs::canonicalize(path).map_err(io)?, existing: Some(metadata) })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // `out/` names a folder that isn't there, and a path may also be empty or end in `..`.
                if path.file_name().is_none() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']) {
                    return Err(WriteError::IsFolder { path: owned() });
                }
                let folder = folder_of(path);
                if fs::metadata(folder).is_ok_and(|metadata| metadata.is_dir()) {
                    Ok(Self::File { path: owned(), existing: None })
                } else {
                    Err(WriteError::NoFolder { path: owned(), folder: folder.to_owned() })
                }
            }
            Err(source) => Err(io(source)),
        }
    }
}

/// The folder a file lies in; a bare name lies in the current one.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn replace(target: &Path, existing: Option<Metadata>, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pellucid-").suffix(".tmp");
    #[cfg(unix)]
    let umask_applies = {
        use std::os::unix::fs::PermissionsExt as _;
        fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    builder.permissions(umask_applies);

    let mut temporary = {
        let mut pending = Pending::lock();
        let temporary = builder.tempfile_in(folder_of(target))?;
        pending.add(temporary.path());
        temporary
    };
    let name = temporary.path().to_owned();
    let filled = (|| {
        temporary.write_all(bytes)?;
        if let Some(metadata) = existing {
            temporary.as_file().set_permissions(metadata.permissions())?;
        }
        // Without this a power cut soon after the rename may leave an empty file under the final name.
        temporary.as_file().sync_data()
    })();

    let mut pending = Pending::lock();
    let placed = match filled {
        Ok(()) => temporary.persist(target).map(drop).map_err(|error| error.error),
        Err(error) => {
            drop(temporary);
            Err(error)
        }
    };
    pending.forget(&name);
    placed
}

/// The folder for what a program may lose and make again: `$XDG_CACHE_HOME/NAME`, else `~/.cache/NAME` (on
/// Windows `%LOCALAPPDATA%\NAME\cache`). `None` when the environment names no absolute home. Makes nothing.
#[must_use]
pub fn cache_dir(name: &str) -> Option<PathBuf> {
    let variable = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    cache_dir_from(name, variable)
}

fn cache_dir_from(name: &str, variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    // A relative path would put the cache wherever the program happens to run: the XDG base directory
    // specification says to ignore it.
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    if cfg!(windows) {
        return Some(variable("LOCALAPPDATA").and_then(absolute)?.join(name).join("cache"));
    }
    let base = variable("XDG_CACHE_HOME")
        .and_then(absolute)
        .or_else(|| Some(variable("HOME").and_then(absolute)?.join(".cache")))?;
    Some(base.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn reads_up_to_the_limit_and_not_beyond() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, [7; 100]).unwrap();
        assert_eq!(read_limited(&path, 100).unwrap(), [7; 100]);
        assert!(matches!(read_limited(&path, 99), Err(ReadError::TooLarge { limit: 99, .. })));
        assert!(matches!(read_limited(folder.path(), 99), Err(ReadError::Io { .. })));
        assert!(matches!(read_limited(&folder.path().join("b"), 99), Err(ReadError::Io { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_a_length_is_limited_too() {
        assert!(matches!(read_limited(Path::new("/dev/zero"), 1000), Err(ReadError::TooLarge { .. })));
    }

    #[test]
    fn writes_new_and_replaces_old() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.png");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"twenty").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"twenty");
        assert_eq!(names(folder.path()), ["picture.png"]);
    }

    #[test]
    fn refuses_what_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(write_atomic(folder.path(), b""), Err(WriteError::IsFolder { .. })));
        let deep = folder.path().join("no/such/a.png");
        assert!(matches!(write_atomic(&deep, b""), Err(WriteError::NoFolder { .. })));
        assert!(matches!(write_atomic(&folder.path().join("new/"), b""), Err(WriteError::IsFolder { .. })));
        assert!(matches!(write_atomic(Path::new(""), b""), Err(WriteError::IsFolder { .. })));
        let file = folder.path().join("file");
        fs::write(&file, "kept").unwrap();
        assert!(write_atomic(&file.join("under-a-file"), b"").is_err());
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn keeps_a_read_only_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        fs::write(&path, "kept").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(matches!(write_atomic(&path, b"new"), Err(WriteError::ReadOnly { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"kept");
    }

    #[cfg(unix)]
    #[test]
    fn keeps_links_and_permissions_and_writes_to_devices() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        write_atomic(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        write_atomic(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error() {
        let error = write_atomic(Path::new("/dev/full"), b"x").unwrap_err();
        assert!(error.to_string().starts_with("can't write /dev/full: "), "{error}");
    }

    #[test]
    fn the_cache_lies_where_the_environment_says() {
        if cfg!(windows) {
            return;
        }
        let with = |xdg: Option<&'static str>, home: Option<&'static str>| {
            cache_dir_from("p", |name| match name {
                "XDG_CACHE_HOME" => xdg.map(PathBuf::from),
                "HOME" => home.map(PathBuf::from),
                _ => None,
            })
        };
        assert_eq!(with(Some("/c"), Some("/h")), Some("/c/p".into()));
        assert_eq!(with(Some("relative"), Some("/h")), Some("/h/.cache/p".into()));
        assert_eq!(with(None, Some("/h")), Some("/h/.cache/p".into()));
        assert_eq!(with(None, None), None);
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..2000), limit in 0u64..2000) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x");
            write_atomic(&path, &bytes).unwrap();
            match read_limited(&path, limit) {
                Ok(read) => { prop_assert!(bytes.len() as u64 <= limit); prop_assert_eq!(read, bytes); }
                Err(_) => prop_assert!(bytes.len() as u64 > limit),
            }
        }
    }
}
