//! Broken references to buffers, images and other files.
use crate::common::{Parts, png, valid};
use crate::{Case, case, pointer, set};
use pellucid_scene::{ErrorKind, UriProblem};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A `.gltf` in the folder whose only buffer is at `uri`.
fn beside(folder: &Path, uri: &str) -> PathBuf {
    let mut parts = valid();
    set(&mut parts.json, "/buffers/0/uri", json!(uri));
    write(folder, &parts)
}

fn write(folder: &Path, parts: &Parts) -> PathBuf {
    let path = folder.join("scene.gltf");
    std::fs::write(&path, parts.json.to_string()).unwrap();
    path
}

/// Puts other bytes where the scene's image is.
fn image(parts: &mut Parts, bytes: &[u8]) {
    let offset = parts.bin.len();
    parts.bin.extend_from_slice(bytes);
    parts.bin.resize(parts.bin.len().next_multiple_of(4), 0);
    let length = parts.bin.len();
    set(&mut parts.json, "/buffers/0/byteLength", json!(length));
    set(&mut parts.json, "/bufferViews/13/byteOffset", json!(offset));
    set(&mut parts.json, "/bufferViews/13/byteLength", json!(bytes.len()));
}

/// A PNG whose header says another size; the header's checksum is right.
fn png_of_size(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().finish().unwrap_or_default();
    bytes
}

/// The start of a JPEG of this size: its headers, and no data.
fn jpeg_of_size(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8];
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes.extend([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    bytes.extend([0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
    bytes
}

#[cfg(unix)]
fn link(folder: &Path) -> PathBuf {
    let inner = folder.join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.join("outside.bin"), [0; 4096]).unwrap();
    std::os::unix::fs::symlink(folder.join("outside.bin"), inner.join("data.bin")).unwrap();
    beside(&inner, "data.bin")
}

fn policy() -> Vec<Case> {
    let at = || pointer("/buffers/0/uri");
    vec![
        case!(
            "a buffer that isn't there",
            folder | folder | beside(folder, "missing.bin"),
            at(),
            ErrorKind::Reference { .. }
        ),
        case!(
            "a buffer that is a directory",
            folder | folder | {
                std::fs::create_dir(folder.join("data.bin")).unwrap();
                beside(folder, "data.bin")
            },
            at(),
            ErrorKind::NotAFile
        ),
        case!(
            "a buffer above the folder",
            folder | folder | beside(folder, "../data.bin"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Escape, .. }
        ),
        case!(
            "a buffer above the folder, percent-encoded",
            folder | folder | beside(folder, "%2e%2e%2fdata.bin"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Escape, .. }
        ),
        case!(
            "a buffer above the folder by a detour",
            folder | folder | beside(folder, "a/b/../../../data.bin"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Escape, .. }
        ),
        case!(
            "a buffer above the folder, with backslashes",
            folder | folder | beside(folder, "..\\data.bin"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Escape, .. }
        ),
        case!(
            "an absolute buffer",
            folder | folder | beside(folder, "/etc/passwd"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Absolute, .. }
        ),
        case!(
            "an absolute buffer, percent-encoded",
            folder | folder | beside(folder, "%2Fetc%2Fpasswd"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Absolute, .. }
        ),
        case!(
            "a buffer with a scheme",
            folder | folder | beside(folder, "file:///etc/passwd"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Scheme, .. }
        ),
        case!(
            "a buffer on the network",
            folder | folder | beside(folder, "https://example.org/data.bin"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Scheme, .. }
        ),
        case!(
            "a buffer on a drive",
            folder | folder | beside(folder, "C:\\data.bin"),
            at(),
            ErrorKind::Uri { problem: UriProblem::Scheme, .. }
        ),
        case!(
            "bad percent-encoding",
            folder | folder | beside(folder, "data%2.bin"),
            at(),
            ErrorKind::Uri { problem: UriProblem::PercentEncoding, .. }
        ),
        case!(
            "percent-encoded bytes that aren't UTF-8",
            folder | folder | beside(folder, "%FF.bin"),
            at(),
            ErrorKind::Uri { problem: UriProblem::PercentEncoding, .. }
        ),
        case!(
            "a percent-encoded NUL",
            folder | folder | beside(folder, "data.bin%00.png"),
            at(),
            ErrorKind::Uri { problem: UriProblem::PercentEncoding, .. }
        ),
        case!(
            "an empty URI",
            folder | folder | beside(folder, ""),
            at(),
            ErrorKind::Uri { problem: UriProblem::NotAPath, .. }
        ),
        case!(
            "a URI with a query",
            folder | folder | beside(folder, "data.bin?v=1"),
            at(),
            ErrorKind::Uri { problem: UriProblem::NotAPath, .. }
        ),
        #[cfg(unix)]
        case!("a symbolic link out of the folder", folder link, at(), ErrorKind::Uri { problem: UriProblem::Escape, .. }),
        case!("a file from memory without a folder", "/buffers/0/uri" = ("data.bin") => at(), ErrorKind::Uri { problem: UriProblem::NoFolder, .. }),
        case!("base64 that isn't", "/buffers/0/uri" = (format!("data:;base64,{}", "*".repeat(4000))) => at(), ErrorKind::Uri { problem: UriProblem::Base64, .. }),
        case!("a data URI that isn't base64", "/buffers/0/uri" = ("data:text/plain,hello") => at(), ErrorKind::Uri { problem: UriProblem::DataHeader, .. }),
    ]
}

fn buffers() -> Vec<Case> {
    vec![
        case!(
            "a file shorter than its buffer",
            folder | folder | {
                std::fs::write(folder.join("data.bin"), [0; 10]).unwrap();
                beside(folder, "data.bin")
            },
            pointer("/buffers/0"),
            ErrorKind::Truncated { available: 10, .. }
        ),
        case!("a data URI shorter than its buffer", "/buffers/0/uri" = ("data:;base64,AAAA") => pointer("/buffers/0/uri"), ErrorKind::Truncated { .. }),
        case!("a data URI for an enormous buffer", "/buffers/0/uri" = ("data:;base64,AAAA"), "/buffers/0/byteLength" = (u64::MAX) => pointer("/buffers/0/uri"), ErrorKind::Truncated { needed: u64::MAX, .. }),
        case!("a buffer longer than its chunk", "/buffers/0/byteLength" = (1_000_000) => pointer("/buffers/0"), ErrorKind::Truncated { needed: 1_000_000, .. }),
        case!("a buffer longer than memory", "/buffers/0/byteLength" = (u64::MAX) => pointer("/buffers/0"), ErrorKind::Truncated { .. }),
        case!(
            "a second buffer without data",
            edit | parts | {
                parts.json["buffers"].as_array_mut().unwrap().push(json!({"byteLength": 4}));
            },
            pointer("/buffers/1"),
            ErrorKind::Missing(_)
        ),
        case!("a negative length", "/buffers/0/byteLength" = (-1) => pointer("/buffers/0/byteLength"), ErrorKind::Json(_)),
        case!("a view of no buffer", "/bufferViews/2/buffer" = (1) => pointer("/bufferViews/2/buffer"), ErrorKind::IndexOutOfRange { index: 1, count: 1, .. }),
        case!("a view past its buffer's end", "/bufferViews/2/byteLength" = (100_000) => pointer("/bufferViews/2"), ErrorKind::OutOfBounds { .. }),
        case!("a view whose end overflows", "/bufferViews/2/byteOffset" = (u64::MAX - 3) => pointer("/bufferViews/2"), ErrorKind::OutOfBounds { end: u64::MAX, .. }),
        case!(
            "compressed data past their buffer's end",
            edit | parts | compress(parts, "byteLength", json!(100_000)),
            pointer("/bufferViews/0/extensions/EXT_meshopt_compression"),
            ErrorKind::OutOfBounds { .. }
        ),
        case!(
            "compressed data that aren't",
            edit | parts | compress(parts, "byteLength", json!(40)),
            pointer("/bufferViews/0/extensions/EXT_meshopt_compression"),
            ErrorKind::Meshopt(_)
        ),
        case!(
            "compressed data with a bad stride",
            edit | parts | {
                compress(parts, "byteStride", json!(6));
                set(&mut parts.json, "/bufferViews/0/byteLength", json!(18));
            },
            pointer("/bufferViews/0/extensions/EXT_meshopt_compression"),
            ErrorKind::Meshopt(_)
        ),
        case!(
            "compressed data of another length",
            edit | parts | compress(parts, "count", json!(4)),
            pointer("/bufferViews/0/extensions/EXT_meshopt_compression"),
            ErrorKind::Count { .. }
        ),
        case!(
            "compressed data whose size overflows",
            edit | parts | compress(parts, "count", json!(u64::MAX)),
            pointer("/bufferViews/0/extensions/EXT_meshopt_compression"),
            ErrorKind::Count { .. }
        ),
        case!(
            "a bomb of compressed data",
            edit | parts | {
                compress(parts, "count", json!(1_u64 << 28));
                set(&mut parts.json, "/bufferViews/0/byteLength", json!(12_u64 << 28));
            },
            pointer("/bufferViews/0/extensions/EXT_meshopt_compression"),
            ErrorKind::Meshopt(_)
        ),
    ]
}

/// Declares view 0 compressed, with one property changed.
fn compress(parts: &mut Parts, key: &str, value: Value) {
    let mut extension = json!({
        "buffer": 0, "byteOffset": 0, "byteLength": 36, "byteStride": 12, "count": 3, "mode": "ATTRIBUTES",
    });
    extension[key] = value;
    set(&mut parts.json, "/bufferViews/0/extensions", json!({"EXT_meshopt_compression": extension}));
}

fn images() -> Vec<Case> {
    let at = || pointer("/images/0");
    vec![
        case!("an image past the end of its buffer", "/bufferViews/13/byteLength" = (1_000_000) => pointer("/bufferViews/13"), ErrorKind::OutOfBounds { .. }),
        case!("an image of no view", "/images/0/bufferView" = (99) => pointer("/images/0/bufferView"), ErrorKind::IndexOutOfRange { .. }),
        case!("an image of nothing", "/images/0/bufferView" = (null) => at(), ErrorKind::Missing(_)),
        case!(
            "an image that is none",
            edit | parts | image(parts, b"GIF89a is not read"),
            at(),
            ErrorKind::Image(_)
        ),
        case!("an empty image", edit | parts | image(parts, b""), at(), ErrorKind::Image(_)),
        case!(
            "a PNG's magic and no more",
            edit | parts | image(parts, &png()[..8]),
            at(),
            ErrorKind::Image(_)
        ),
        case!("a PNG cut off", edit | parts | image(parts, &png()[..50]), at(), ErrorKind::Image(_)),
        case!(
            "a PNG whose data are damaged",
            edit | parts | {
                let mut bytes = png();
                bytes[45] ^= 0x55;
                image(parts, &bytes);
            },
            at(),
            ErrorKind::Image(_)
        ),
        case!(
            "a PNG of no size",
            edit | parts | {
                let mut bytes = png();
                bytes[16..20].fill(0);
                image(parts, &bytes);
            },
            at(),
            ErrorKind::Image(_)
        ),
        case!(
            "a JPEG's start and no more",
            edit | parts | image(parts, &[0xFF, 0xD8, 0xFF, 0xE0]),
            at(),
            ErrorKind::Image(_)
        ),
        case!(
            "a PNG bomb beyond the limit",
            edit | parts | image(parts, &png_of_size(0x7FFF_FFFF, 0x7FFF_FFFF)),
            at(),
            ErrorKind::Limit { option: "image_pixels", .. }
        ),
        case!(
            "a PNG bomb within the limit",
            edit | parts | image(parts, &png_of_size(16_000, 16_000)),
            at(),
            ErrorKind::Image(_)
        ),
        case!(
            "a JPEG bomb beyond the limit",
            edit | parts | image(parts, &jpeg_of_size(65_535, 65_535)),
            at(),
            ErrorKind::Limit { option: "image_pixels", .. }
        ),
        case!(
            "a JPEG bomb within the limit",
            edit | parts | image(parts, &jpeg_of_size(16_000, 16_000)),
            at(),
            ErrorKind::Image(_)
        ),
        case!(
            "an image above the folder",
            folder | folder | {
                let mut parts = valid();
                set(&mut parts.json, "/images/0", json!({"uri": "../picture.png"}));
                std::fs::write(folder.join("data.bin"), &parts.bin).unwrap();
                set(&mut parts.json, "/buffers/0/uri", json!("data.bin"));
                write(folder, &parts)
            },
            pointer("/images/0/uri"),
            ErrorKind::Uri { problem: UriProblem::Escape, .. }
        ),
        case!("an image of bad base64", "/images/0" = ({"uri": "data:image/png;base64,@@@@"}) => pointer("/images/0/uri"), ErrorKind::Uri { problem: UriProblem::Base64, .. }),
    ]
}

pub fn cases() -> Vec<Case> {
    [policy(), buffers(), images()].into_iter().flatten().collect()
}
