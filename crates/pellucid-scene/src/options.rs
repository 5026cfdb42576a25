//! What an import may use, and what it hands back.
use crate::Scene;
use std::time::Duration;

/// How to import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What a file may ask for.
    pub limits: Limits,
    /// Threads that decode images, the caller's included; 0 takes as many as the machine has, at most 16.
    pub threads: usize,
}

/// What a file may ask for. All are checked before memory is taken.
///
/// The defaults admit any scene that a desktop GPU can draw, and refuse bombs.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of any one file.
    pub file_bytes: u64,
    /// Bytes of JSON.
    pub json_bytes: u64,
    /// Depth of nested JSON; above 127 the parser's own limit holds.
    pub json_depth: usize,
    /// JSON objects.
    pub json_objects: u64,
    /// Elements of any one of the top-level lists (nodes, meshes, accessors, ...).
    pub list_entries: u64,
    /// Elements of one accessor that has a buffer view.
    pub accessor_count: u64,
    /// Elements of one accessor without a buffer view: zeros, some of them replaced.
    pub unbacked_count: u64,
    /// Vertices of all primitives.
    pub vertices: u64,
    /// Indices of all primitives, as triangle lists.
    pub indices: u64,
    /// Morph targets of one primitive.
    pub morph_targets: u64,
    /// Keys of all animation samplers.
    pub animation_keys: u64,
    /// Images decoded.
    pub images: u64,
    /// Pixels of one image.
    pub image_pixels: u64,
    /// Bytes of everything decoded: buffers, pixels, vertices, keys.
    pub decoded_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 4 << 30,
            json_bytes: 128 << 20,
            json_depth: 100,
            json_objects: 8 << 20,
            list_entries: 1 << 20,
            accessor_count: 1 << 27,
            unbacked_count: 1 << 22,
            vertices: 1 << 26,
            indices: 1 << 28,
            morph_targets: 1024,
            animation_keys: 1 << 26,
            images: 4096,
            image_pixels: 1 << 28,
            decoded_bytes: 4 << 30,
        }
    }
}

/// A scene and what was noticed on the way.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The scene.
    pub scene: Scene,
    /// What was left out or corrected.
    pub warnings: Vec<Warning>,
    /// Counts and timings.
    pub report: Report,
}

/// Something that was left out or corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// JSON pointer of the place.
    pub pointer: String,
    /// What was done and why.
    pub message: String,
}

/// What an import read and how long it took.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Bytes read from files and data URIs.
    pub bytes_read: u64,
    /// Bytes of memory for decoded data.
    pub bytes_decoded: u64,
    /// `extensionsUsed`.
    pub extensions_used: Vec<String>,
    /// `extensionsRequired`.
    pub extensions_required: Vec<String>,
    /// The program that wrote the file, when it says.
    pub generator: String,
    /// Vertices of all primitives.
    pub vertices: u64,
    /// Triangles of all primitives.
    pub triangles: u64,
    /// Pixels of all images.
    pub pixels: u64,
    /// Reading the scene's file, buffers and encoded images.
    pub read: Duration,
    /// Checking and parsing the JSON.
    pub parse: Duration,
    /// Building the scene: geometry, nodes, animation; images are decoded meanwhile.
    pub build: Duration,
    /// Waiting for images after all else was done.
    pub decode: Duration,
    /// Time spent in image decoders, summed over threads.
    pub decode_cpu: Duration,
}
