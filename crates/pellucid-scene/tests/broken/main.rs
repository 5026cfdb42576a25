//! Broken files: each must give its typed error at its place, within a second and 256 MiB.
//!
//! The files are made here, by breaking one thing of a valid scene, or byte by byte. One test runs them all, one
//! after the other, so that the memory counted is theirs.
#![allow(clippy::print_stderr, reason = "what each case took is part of the report")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod accessors;
mod containers;
mod files;
mod memory;
mod scenes;

use common::{Parts, valid};
use memory::Counting;
use pellucid_scene::{At, ErrorKind, ImportError, ImportOptions, Imported, import, import_bytes};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MOST_TIME: Duration = Duration::from_secs(1);
const MOST_MEMORY: usize = 256 << 20;

/// A broken file and what must come of it.
pub struct Case {
    /// What is broken.
    pub name: &'static str,
    /// How it is made.
    pub file: File,
    /// The place that the error names.
    pub at: At,
    /// Whether an error is the right one.
    pub fits: fn(&ErrorKind) -> bool,
    /// The right error, in words.
    pub expected: &'static str,
}

/// How a broken file is made.
pub enum File {
    /// These bytes, in memory.
    Bytes(Vec<u8>),
    /// Made in an empty folder, and imported from there by the path that is returned.
    Folder(fn(&Path) -> PathBuf),
}

/// The whole file.
pub fn whole() -> At {
    At::Whole
}

/// A byte of the file.
pub fn byte(offset: u64) -> At {
    At::Byte(offset)
}

/// A place in the JSON.
pub fn pointer(pointer: &str) -> At {
    At::Pointer(pointer.to_owned())
}

/// A case from bytes, or from a change to the valid scene.
#[macro_export]
macro_rules! case {
    ($name:literal, bytes $bytes:expr, $at:expr, $pattern:pat) => {
        $crate::case!(@ $name, $crate::File::Bytes($bytes), $at, $pattern)
    };
    ($name:literal, folder $make:expr, $at:expr, $pattern:pat) => {
        $crate::case!(@ $name, $crate::File::Folder($make), $at, $pattern)
    };
    // JSON pointer = (new value; null removes it).
    ($name:literal, $($change:literal = ($($value:tt)+)),+ => $at:expr, $pattern:pat) => {
        $crate::case!(@ $name, $crate::edited(&[$(($change, ::serde_json::json!($($value)+))),+], |_| {}), $at, $pattern)
    };
    ($name:literal, edit $edit:expr, $at:expr, $pattern:pat) => {
        $crate::case!(@ $name, $crate::edited(&[], $edit), $at, $pattern)
    };
    (@ $name:literal, $file:expr, $at:expr, $pattern:pat) => {
        $crate::Case {
            name: $name,
            file: $file,
            at: $at,
            fits: |kind| matches!(kind, $pattern),
            expected: stringify!($pattern),
        }
    };
}

/// The valid scene as a GLB, changed.
pub fn edited(changes: &[(&str, Value)], edit: impl FnOnce(&mut Parts)) -> File {
    let mut parts = valid();
    for (pointer, value) in changes {
        set(&mut parts.json, pointer, value.clone());
    }
    edit(&mut parts);
    File::Bytes(parts.glb())
}

/// Sets, adds or (null) removes what a pointer names.
pub fn set(json: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match json.pointer_mut(parent).unwrap_or_else(|| panic!("the valid scene has no {parent}")) {
        Value::Object(object) if value.is_null() => {
            assert!(object.remove(key).is_some(), "{pointer} isn't there")
        }
        Value::Object(object) => {
            object.insert(key.to_owned(), value);
        }
        Value::Array(array) => array[key.parse::<usize>().unwrap()] = value,
        _ => panic!("{parent} holds nothing"),
    }
}

fn run(case: &Case, folder: &Path) -> Result<Imported, ImportError> {
    let options = ImportOptions::default();
    match &case.file {
        File::Bytes(bytes) => import_bytes(bytes, None, &options),
        File::Folder(make) => import(&make(folder), &options),
    }
}

#[test]
fn every_broken_file_gives_its_error_soon_and_in_little_memory() {
    // The valid scene must be valid, or the changes to it prove nothing.
    let sound = import_bytes(&valid().glb(), None, &ImportOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(sound.warnings.is_empty(), "{:?}", sound.warnings);

    let cases: Vec<Case> = [containers::cases(), files::cases(), accessors::cases(), scenes::cases()]
        .into_iter()
        .flatten()
        .collect();
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    let mut names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "two cases have one name");

    let mut wrong = Vec::new();
    let (mut slowest, mut largest) = ((Duration::ZERO, ""), (0, ""));
    for case in &cases {
        let folder = tempfile::tempdir().unwrap();
        let started = Instant::now();
        let (result, memory) = memory::peak_of(|| run(case, folder.path()));
        let time = started.elapsed();
        slowest = slowest.max((time, case.name));
        largest = largest.max((memory, case.name));
        match result {
            Ok(_) => wrong.push(format!("{}: imported without an error", case.name)),
            Err(error) => {
                if error.at != case.at {
                    wrong.push(format!("{}: at {:?}, expected {:?}: {error}", case.name, error.at, case.at));
                }
                if !(case.fits)(&error.kind) {
                    wrong.push(format!("{}: {:?}, expected {}", case.name, error.kind, case.expected));
                }
                let text = error.to_string();
                if text.contains('\n') || text.len() > 600 {
                    wrong.push(format!("{}: the message is no line: {text}", case.name));
                }
            }
        }
        if time > MOST_TIME || memory > MOST_MEMORY {
            wrong.push(format!("{}: took {time:?} and {memory} bytes", case.name));
        }
    }
    eprintln!(
        "{} broken files; slowest {:?} ({}), largest {} KiB ({})",
        cases.len(),
        slowest.0,
        slowest.1,
        largest.0 >> 10,
        largest.1
    );
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
