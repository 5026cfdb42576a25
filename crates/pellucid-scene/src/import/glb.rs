//! The container: binary glTF's chunks, or plain JSON.
use crate::error::{ErrorKind, ImportError};

/// What a scene's file holds.
#[derive(Debug)]
pub(super) struct Container<'a> {
    /// The JSON text.
    pub json: &'a [u8],
    /// Where it begins in the file.
    pub json_offset: usize,
    /// The GLB's binary chunk.
    pub bin: Option<&'a [u8]>,
}

const MAGIC: &[u8] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Finds the JSON and the binary chunk (glTF 2.0, section 4.4).
pub(super) fn split(bytes: &[u8]) -> Result<Container<'_>, ImportError> {
    if !bytes.starts_with(MAGIC) {
        return plain(bytes);
    }
    let version = word(bytes, 4, "the GLB header")?;
    if version != 2 {
        return Err(ImportError::byte(4, ErrorKind::Version { found: version.to_string() }));
    }
    let length = word(bytes, 8, "the GLB header")? as usize;
    if length > bytes.len() {
        return Err(ImportError::byte(8, truncated("the GLB", length, bytes.len())));
    }
    if length < HEADER {
        return Err(ImportError::byte(8, ErrorKind::Glb("its length is less than its own header")));
    }
    // What follows the announced length is not the scene's.
    let bytes = &bytes[..length];
    let (mut json, mut bin) = (None, None);
    let mut at = HEADER;
    let mut index = 0;
    while at < length {
        let chunk_length = word(bytes, at, "a GLB chunk's header")? as usize;
        let kind = word(bytes, at + 4, "a GLB chunk's header")?;
        let start = at + CHUNK_HEADER;
        if chunk_length > length - start {
            return Err(ImportError::byte(at, truncated("a GLB chunk", chunk_length, length - start)));
        }
        let data = &bytes[start..start + chunk_length];
        match (index, kind) {
            (0, JSON) => json = Some((data, start)),
            (0, _) => return Err(ImportError::byte(at, ErrorKind::Glb("its first chunk is not JSON"))),
            (_, JSON) => return Err(ImportError::byte(at, ErrorKind::Glb("it has a second JSON chunk"))),
            (1, BIN) => bin = Some(data),
            (_, BIN) => {
                return Err(ImportError::byte(at, ErrorKind::Glb("a binary chunk is not the second chunk")));
            }
            // Chunks of other kinds are to be ignored.
            _ => {}
        }
        if !chunk_length.is_multiple_of(4) {
            return Err(ImportError::byte(at, ErrorKind::Glb("a chunk's length is not a multiple of 4")));
        }
        at = start + chunk_length;
        index += 1;
    }
    let (json, json_offset) =
        json.ok_or_else(|| ImportError::byte(HEADER, ErrorKind::Glb("it has no JSON chunk")))?;
    Ok(Container { json, json_offset, bin })
}

fn plain(bytes: &[u8]) -> Result<Container<'_>, ImportError> {
    // A byte-order mark is not JSON, yet some editors write one.
    let json_offset = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let json = &bytes[json_offset..];
    match json.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => Ok(Container { json, json_offset, bin: None }),
        _ => Err(ImportError::byte(0, ErrorKind::NotGltf)),
    }
}

fn word(bytes: &[u8], at: usize, what: &'static str) -> Result<u32, ImportError> {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
    word.map(|word| u32::from_le_bytes(*word))
        .ok_or_else(|| ImportError::byte(at, truncated(what, 4, bytes.len().saturating_sub(at))))
}

fn truncated(what: &'static str, needed: usize, available: usize) -> ErrorKind {
    ErrorKind::Truncated { what, needed: needed as u64, available: available as u64 }
}
