//! The JSON: bounded before it is parsed, then parsed into `gltf-json`'s types.
use super::extensions::Extended;
use super::pointer::{Pointer, escape};
use crate::Limits;
use crate::error::{ErrorKind, ImportError};
use gltf_json::Root;
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_path_to_error::Segment;
use std::fmt;

/// A node index that stands for "no node": `gltf-json` knows no channel without one.
pub(super) const NO_NODE: usize = u32::MAX as usize;

/// The parsed document.
pub(super) struct Document {
    pub root: Root,
    pub extended: Extended,
}

/// Checks and parses. Errors give a JSON pointer where there is one, else a byte offset into the file.
pub(super) fn parse(json: &[u8], offset: usize, limits: &Limits) -> Result<Document, ImportError> {
    let size = json.len() as u64;
    if size > limits.json_bytes {
        return Err(ImportError::new(ErrorKind::Limit {
            what: "bytes of JSON",
            found: size,
            limit: limits.json_bytes,
            option: "json_bytes",
        }));
    }
    let text = std::str::from_utf8(json)
        .map_err(|error| ImportError::byte(offset + error.valid_up_to(), ErrorKind::Utf8))?;
    // GLB pads with spaces, some writers with zeros.
    let text = text.trim_end_matches(['\0', ' ']);
    let census = Census::take(text.as_bytes(), offset, limits)?;
    if census.long_integers {
        check_long_integers(text)?;
    }
    let root = match serde_json::from_str(text) {
        Ok(root) => root,
        Err(error) => parse_again(text, &error, offset)?,
    };
    // Few files have any extensions: the second pass is for those that do.
    let extended = if text.contains("\"extensions\"") { read(text, offset)? } else { Extended::default() };
    Ok(Document { root, extended })
}

/// The slower parse that knows where it is, for a document that failed.
fn parse_again(text: &str, error: &serde_json::Error, offset: usize) -> Result<Root, ImportError> {
    // `gltf-json` demands two members that glTF 2.0 doesn't. A channel may lack its node: then it is another
    // extension's, or to be ignored (section 3.11). A scene may lack its nodes: then it is empty (3.5.1).
    let message = error.to_string();
    if ["missing field `node`", "missing field `nodes`"].iter().any(|start| message.starts_with(start))
        && let Ok(mut value) = serde_json::from_str::<serde_json::Value>(text)
    {
        let animations = value.get_mut("animations").and_then(|list| list.as_array_mut());
        let channels =
            animations.into_iter().flatten().filter_map(|it| it.get_mut("channels")?.as_array_mut());
        for target in channels.flatten().filter_map(|it| it.get_mut("target")?.as_object_mut()) {
            target.entry("node").or_insert(NO_NODE.into());
        }
        let scenes = value.get_mut("scenes").and_then(|list| list.as_array_mut());
        for scene in scenes.into_iter().flatten().filter_map(|it| it.as_object_mut()) {
            scene.entry("nodes").or_insert_with(|| serde_json::Value::Array(Vec::new()));
        }
        return read(&value.to_string(), offset);
    }
    read(text, offset)
}

fn read<T: DeserializeOwned>(text: &str, offset: usize) -> Result<T, ImportError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let pointer: String = error.path().iter().map_while(step).collect();
        let place = byte_offset(text, error.inner());
        let kind = ErrorKind::Json(message(error.inner()));
        match error.inner().classify() {
            serde_json::error::Category::Data if !pointer.is_empty() => ImportError::at(pointer, kind),
            _ => ImportError::byte(offset + place, kind),
        }
    })?;
    deserializer.end().map_err(|error| {
        ImportError::byte(offset + byte_offset(text, &error), ErrorKind::Json(message(&error)))
    })?;
    Ok(value)
}

fn step(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(format!("/{index}")),
        Segment::Map { key } => Some(format!("/{}", escape(key))),
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

/// The parser's message without its line and column: the byte offset or pointer says where.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

fn byte_offset(text: &str, error: &serde_json::Error) -> usize {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    (before + error.column().saturating_sub(1)).min(text.len())
}

/// What can be counted before anything is parsed.
struct Census {
    /// An integer of ten digits or more: one that may not fit an index.
    long_integers: bool,
}

impl Census {
    fn take(json: &[u8], offset: usize, limits: &Limits) -> Result<Self, ImportError> {
        let mut census = Self { long_integers: false };
        let (mut depth, mut objects, mut entries, mut digits) = (0_usize, 0_u64, 0_u64, 0_u32);
        let mut at = 0;
        while let Some(&byte) = json.get(at) {
            at += 1;
            digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
            match byte {
                b'"' => at = string_end(json, at),
                b'{' | b'[' => {
                    if byte == b'{' {
                        objects += 1;
                        // Entries of the top-level lists are objects two levels down.
                        entries += u64::from(depth == 2);
                    }
                    depth += 1;
                    if depth == 2 {
                        entries = 0;
                    }
                    if depth > limits.json_depth {
                        let found = depth as u64;
                        let limit = limits.json_depth as u64;
                        let kind = too_many("levels of JSON", found, limit, "json_depth");
                        return Err(ImportError::byte(offset + at - 1, kind));
                    }
                    let count = |what, found, limit, option| {
                        if found <= limit {
                            return Ok(());
                        }
                        Err(ImportError::byte(offset + at - 1, too_many(what, found, limit, option)))
                    };
                    count("JSON objects", objects, limits.json_objects, "json_objects")?;
                    count("entries of a list", entries, limits.list_entries, "list_entries")?;
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => census.long_integers |= digits >= 10,
            }
        }
        Ok(census)
    }
}

fn too_many(what: &'static str, found: u64, limit: u64, option: &'static str) -> ErrorKind {
    ErrorKind::Limit { what, found, limit, option }
}

/// Just past the quote that ends the string whose first character is at `at`.
fn string_end(json: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = json.get(at) {
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'"' => break,
            _ => {}
        }
    }
    at
}

/// Keys whose value is an index or an enumerant. `gltf-json` keeps their low 32 bits and drops the rest, which
/// would turn 4294967296 into a valid 0.
const NARROW: &[&str] = &[
    "buffer",
    "bufferView",
    "camera",
    "children",
    "componentType",
    "index",
    "indices",
    "input",
    "inverseBindMatrices",
    "joints",
    "magFilter",
    "material",
    "mesh",
    "minFilter",
    "mode",
    "node",
    "nodes",
    "output",
    "sampler",
    "scene",
    "skeleton",
    "skin",
    "source",
    "target",
    "texCoord",
    "wrapS",
    "wrapT",
];

fn check_long_integers(text: &str) -> Result<(), ImportError> {
    let mut found = None;
    let probe = Probe { at: Pointer::ROOT, narrow: false, found: &mut found };
    // Broken JSON is reported by the parse proper.
    let _ = probe.deserialize(&mut serde_json::Deserializer::from_str(text));
    found.map_or(Ok(()), Err)
}

/// Walks the document and stops at the first index that needs more than 32 bits.
struct Probe<'a> {
    at: Pointer<'a>,
    narrow: bool,
    found: &'a mut Option<ImportError>,
}

impl<'de> DeserializeSeed<'de> for Probe<'_> {
    type Value = ();
    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Probe<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_u64<E: serde::de::Error>(self, index: u64) -> Result<(), E> {
        let count = u64::from(u32::MAX);
        if self.narrow && index > count {
            *self.found = Some(self.at.error(ErrorKind::IndexOutOfRange { what: "entry", index, count }));
            return Err(E::custom("found"));
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            // These are read by other types, or not at all.
            if key == "extras" || key == "extensions" {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            // Attributes have names of their own; a morph target's are below an element of `targets`.
            let attribute = self.at.is_key("attributes", 0) || self.at.is_key("targets", 1);
            let narrow = attribute || NARROW.contains(&key.as_str());
            map.next_value_seed(Probe { at: self.at.key(&key), narrow, found: &mut *self.found })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut index = 0;
        loop {
            let probe = Probe { at: self.at.index(index), narrow: self.narrow, found: &mut *self.found };
            if seq.next_element_seed(probe)?.is_none() {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
