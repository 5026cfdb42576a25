//! Running the command, and small scenes to run it on.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder that goes with the test, and a triangle in it.
pub struct Place {
    pub folder: tempfile::TempDir,
    pub triangle: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let triangle = folder.path().join("triangle.glb");
        std::fs::write(&triangle, glb(TRIANGLE, &triangle_buffer())).unwrap();
        Self { folder, triangle }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command in this folder, with a cache folder of its own and without the caller's settings.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pellucid"));
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.path("cache"));
        // The usual level differs from one build flavour to the other.
        command.env("RUST_LOG", "warn");
        for variable in ["RUST_BACKTRACE", "RUST_LIB_BACKTRACE"] {
            command.env_remove(variable);
        }
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::from(self.command().args(args).output().unwrap())
    }
}

/// What a run left.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts success and gives itself back.
    pub fn good(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        self
    }
}

/// One triangle in the XY plane, a camera in front of it, an animation that moves it, and an unknown extension.
pub const TRIANGLE: &str = r#"{
    "asset": { "version": "2.0", "generator": "by hand" },
    "scene": 0, "scenes": [{ "name": "Test", "nodes": [0, 1] }],
    "extensionsUsed": ["TEST_nothing"],
    "nodes": [
        { "name": "Body", "mesh": 0 },
        { "name": "Eye", "camera": 0, "translation": [0, 0, 3] }
    ],
    "cameras": [{ "name": "Lens", "type": "perspective", "perspective": { "yfov": 0.8, "znear": 0.1 } }],
    "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
    "materials": [{ "name": "Paint", "pbrMetallicRoughness": { "metallicFactor": 0 } }],
    "animations": [{
        "name": "Away",
        "samplers": [{ "input": 1, "output": 2 }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }]
    }],
    "accessors": [
        { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0] },
        { "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
        { "bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3" }
    ],
    "bufferViews": [
        { "buffer": 0, "byteLength": 36 },
        { "buffer": 0, "byteOffset": 36, "byteLength": 8 },
        { "buffer": 0, "byteOffset": 44, "byteLength": 24 }
    ],
    "buffers": [{ "byteLength": 68 }]
}"#;

fn triangle_buffer() -> Vec<u8> {
    let positions = [-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0];
    let times = [0.0, 1.0];
    let translations = [0.0, 0.0, 0.0, 0.0, 1000.0, 0.0];
    let values = positions.into_iter().chain(times).chain(translations);
    values.flat_map(f32::to_le_bytes).collect()
}

/// A GLB of this JSON and this buffer (glTF 2.0, chapter 4).
pub fn glb(json: &str, buffer: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut buffer = buffer.to_vec();
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let mut glb = b"glTF".to_vec();
    let total = 12 + 8 + json.len() + 8 + buffer.len();
    for word in [2, total as u32, json.len() as u32] {
        glb.extend(word.to_le_bytes());
    }
    glb.extend(b"JSON");
    glb.extend(json);
    glb.extend((buffer.len() as u32).to_le_bytes());
    glb.extend(b"BIN\0");
    glb.extend(buffer);
    glb
}

/// An 8-bit RGBA PNG's size and pixels.
pub fn read_png(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let image = image::load_from_memory_with_format(bytes, image::ImageFormat::Png).unwrap().into_rgba8();
    (image.width(), image.height(), image.into_raw())
}

pub fn text_of(path: &Path) -> &str {
    path.to_str().unwrap()
}
