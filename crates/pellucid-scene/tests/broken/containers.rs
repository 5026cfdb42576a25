//! Broken containers and broken JSON.
use crate::common::{glb, valid};
use crate::{Case, byte, case, pointer, whole};
use pellucid_scene::ErrorKind;

/// The valid GLB with four bytes replaced.
fn patched(at: usize, word: u32) -> Vec<u8> {
    let mut bytes = valid().glb();
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    bytes
}

/// Where the second chunk's header begins.
fn second_chunk() -> usize {
    let bytes = valid().glb();
    let length = bytes[12..16].first_chunk().map(|word| u32::from_le_bytes(*word)).unwrap();
    20 + length as usize
}

fn cut(length: usize) -> Vec<u8> {
    let mut bytes = valid().glb();
    bytes.truncate(length);
    bytes
}

fn extended(add: &[u8]) -> Vec<u8> {
    let mut bytes = valid().glb();
    bytes.extend_from_slice(add);
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

fn json(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// `{"asset": ..., KEY: [ENTRY, ENTRY, ...]}`.
fn many(key: &str, entry: &str, count: usize) -> Vec<u8> {
    let list = vec![entry; count].join(",");
    json(&format!(r#"{{"asset":{{"version":"2.0"}},"{key}":[{list}]}}"#))
}

pub fn cases() -> Vec<Case> {
    let second = second_chunk();
    let half = valid().glb().len() / 2;
    vec![
        case!("an empty file", bytes vec![], byte(0), ErrorKind::NotGltf),
        case!("another format", bytes b"ply\nformat ascii 1.0\n".to_vec(), byte(0), ErrorKind::NotGltf),
        case!("a GLB with the wrong magic", bytes patched(0, 0x4654_6C68), byte(0), ErrorKind::NotGltf),
        case!("a GLB's magic and no more", bytes cut(4), byte(4), ErrorKind::Truncated { needed: 4, available: 0, .. }),
        case!("half a GLB header", bytes cut(10), byte(8), ErrorKind::Truncated { available: 2, .. }),
        case!("GLB version 1", bytes patched(4, 1), byte(4), ErrorKind::Version { .. }),
        case!("GLB version 3", bytes patched(4, 3), byte(4), ErrorKind::Version { .. }),
        case!("a GLB cut in half", bytes cut(half), byte(8), ErrorKind::Truncated { .. }),
        case!("a GLB that says it is longer", bytes patched(8, u32::MAX), byte(8), ErrorKind::Truncated { .. }),
        case!("a GLB that says it is shorter than its header", bytes patched(8, 8), byte(8), ErrorKind::Glb(_)),
        case!("a GLB of no chunks", bytes patched(8, 12), byte(12), ErrorKind::Glb(_)),
        case!("a JSON chunk longer than the file", bytes patched(12, u32::MAX), byte(12), ErrorKind::Truncated { .. }),
        case!("a JSON chunk one byte short", bytes {
            let bytes = valid().glb();
            let length = u32::from_le_bytes(*bytes[12..16].first_chunk().unwrap());
            patched(12, length - 1)
        }, byte(12), ErrorKind::Glb(_)),
        case!("a first chunk that isn't JSON", bytes patched(16, 0x004E_4942), byte(12), ErrorKind::Glb(_)),
        case!("a binary chunk longer than the file", bytes patched(second, 0x7FFF_FFFF), byte(second as u64), ErrorKind::Truncated { .. }),
        case!("half a chunk header at the end", bytes extended(b"1234"), byte(valid().glb().len() as u64 + 4), ErrorKind::Truncated { .. }),
        case!("two JSON chunks", bytes extended(b"\x04\0\0\0JSON{}  "), byte(valid().glb().len() as u64), ErrorKind::Glb(_)),
        case!("two binary chunks", bytes extended(b"\0\0\0\0BIN\0"), byte(valid().glb().len() as u64), ErrorKind::Glb(_)),
        case!("JSON that isn't UTF-8", bytes glb(b"{\"asset\": {\"version\": \"2.0\xFF\"}}", &[]), byte(20 + 26), ErrorKind::Utf8),
        case!("JSON that is cut off", bytes json(r#"{"asset": {"version": "2.0"}, "nodes": ["#), byte(39), ErrorKind::Json(_)),
        case!("JSON with more behind it", bytes json(r#"{"asset": {"version": "2.0"}} {}"#), byte(30), ErrorKind::Json(_)),
        case!("JSON without an asset", bytes json("{}"), byte(1), ErrorKind::Json(_)),
        case!("JSON of another kind", bytes json(r#"{"asset": [1]}"#), pointer("/asset/0"), ErrorKind::Json(_)),
        case!("a number no float holds", bytes json(r#"{"asset": {"version": "2.0"}, "cameras": [{"type": "perspective", "perspective": {"yfov": 1e999, "znear": 1}}]}"#), byte(94), ErrorKind::Json(_)),
        case!("JSON nested deep", bytes json(&"[{\"a\":".repeat(200_000).replacen('[', "", 1)), byte(300), ErrorKind::Limit { option: "json_depth", .. }),
        case!("two million nodes", bytes many("nodes", "{}", 2_000_000), byte(3_145_764), ErrorKind::Limit { option: "list_entries", .. }),
        case!("ten million objects", bytes many("extras", "{\"a\":{}}", 5_000_000), byte(9_437_221), ErrorKind::Limit { .. }),
        case!("version 1.0", "/asset/version" = ("1.0") => pointer("/asset/version"), ErrorKind::Version { .. }),
        case!("a later least version", "/asset/minVersion" = ("2.1") => pointer("/asset/version"), ErrorKind::Version { .. }),
        case!("a required extension that isn't known", "/extensionsRequired" = (["KHR_lights_punctual", "ACME_magic"]) => pointer("/extensionsRequired/1"), ErrorKind::RequiredExtension { .. }),
        case!("a directory", folder | folder | folder.to_path_buf(), whole(), ErrorKind::NotAFile),
        case!(
            "a file that isn't there",
            folder | folder | folder.join("missing.glb"),
            whole(),
            ErrorKind::Read(_)
        ),
    ]
}
