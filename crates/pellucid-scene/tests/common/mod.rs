//! A small scene that uses all the importer reads, built by code, and the containers to put it in.
#![allow(dead_code, reason = "each test binary uses its own part")]

use serde_json::{Value, json};

/// The scene's JSON and binary chunk. Accessors and views are numbered as they are pushed in [`valid`].
pub struct Parts {
    pub json: Value,
    pub bin: Vec<u8>,
}

pub const POSITION: usize = 0;
pub const INDICES: usize = 1;
pub const TEXCOORD: usize = 2;
pub const JOINTS: usize = 3;
pub const WEIGHTS: usize = 4;
pub const NORMAL: usize = 5;
pub const BIND: usize = 6;
pub const TIMES: usize = 7;
pub const TRANSLATIONS: usize = 8;
pub const ROTATIONS: usize = 9;
pub const MORPH_WEIGHTS: usize = 10;
/// Without a view, sparse: indices in view 11, values in view 12.
pub const MORPH: usize = 11;
pub const IMAGE_VIEW: usize = 13;

impl Parts {
    fn view(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let views = self.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}));
        views.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) {
        let view = self.view(bytes);
        let accessor = json!({"bufferView": view, "componentType": component, "type": kind, "count": count});
        self.json["accessors"].as_array_mut().unwrap().push(accessor);
    }

    fn floats(&mut self, values: &[f32], kind: &str, count: usize) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, kind, count);
    }

    /// As binary glTF.
    pub fn glb(&self) -> Vec<u8> {
        glb(self.json.to_string().as_bytes(), &self.bin)
    }

    /// Overwrites a number of accessor `index`'s view.
    pub fn set_float(&mut self, view: usize, element: usize, value: f32) {
        let at = self.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize + element * 4;
        self.bin[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}

pub fn glb(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(json);
    out.extend((bin.len() as u32).to_le_bytes());
    out.extend(b"BIN\0");
    out.extend(bin);
    out
}

/// A 2 x 2 PNG.
pub fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&[10; 12]).unwrap();
    bytes
}

/// A skinned, morphed, animated, textured triangle with a camera and a light.
pub fn valid() -> Parts {
    let mut parts = Parts {
        json: json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": 0}],
            "bufferViews": [], "accessors": [],
            "extensionsUsed": ["KHR_lights_punctual"],
            "extensions": {"KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {"outerConeAngle": 0.5}}]}},
            "scene": 0,
            "scenes": [{"nodes": [0, 4]}],
            "nodes": [
                {"children": [1, 2]},
                {"mesh": 0, "skin": 0, "weights": [0.5]},
                {"children": [3], "rotation": [0.0, 0.0, 0.0, 1.0]},
                {"translation": [0.0, 1.0, 0.0]},
                {"matrix": [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 9.0, 1.0], "camera": 0,
                 "extensions": {"KHR_lights_punctual": {"light": 0}}},
            ],
            "cameras": [
                {"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1, "zfar": 100.0}},
                {"type": "orthographic", "orthographic": {"xmag": 1.0, "ymag": 1.0, "znear": 0.0, "zfar": 10.0}},
            ],
            "meshes": [{"weights": [0.25], "primitives": [{
                "attributes": {
                    "POSITION": POSITION, "NORMAL": NORMAL, "TEXCOORD_0": TEXCOORD,
                    "JOINTS_0": JOINTS, "WEIGHTS_0": WEIGHTS,
                },
                "indices": INDICES, "material": 0, "mode": 4, "targets": [{"POSITION": MORPH}],
            }]}],
            "materials": [{
                "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.5},
                "normalTexture": {"index": 0, "texCoord": 0},
                "alphaMode": "MASK",
            }],
            "textures": [{"source": 0, "sampler": 0}],
            "samplers": [{"magFilter": 9729, "wrapS": 33071}],
            "images": [{"bufferView": IMAGE_VIEW, "mimeType": "image/png"}],
            "skins": [{"joints": [2, 3], "inverseBindMatrices": BIND, "skeleton": 2}],
            "animations": [{
                "channels": [
                    {"sampler": 0, "target": {"node": 2, "path": "translation"}},
                    {"sampler": 1, "target": {"node": 3, "path": "rotation"}},
                    {"sampler": 2, "target": {"node": 1, "path": "weights"}},
                ],
                "samplers": [
                    {"input": TIMES, "output": TRANSLATIONS},
                    {"input": TIMES, "output": ROTATIONS, "interpolation": "CUBICSPLINE"},
                    {"input": TIMES, "output": MORPH_WEIGHTS, "interpolation": "STEP"},
                ],
            }],
        }),
        bin: Vec::new(),
    };
    parts.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3", 3);
    parts.accessor(&[0, 0, 1, 0, 2, 0], 5123, "SCALAR", 3);
    parts.floats(&[0.0, 1.0, 1.0, 1.0, 0.0, 0.0], "VEC2", 3);
    parts.accessor(&[0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 5121, "VEC4", 3);
    parts.floats(&[0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], "VEC4", 3);
    parts.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC3", 3);
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    parts.floats(&[identity, identity].concat(), "MAT4", 2);
    parts.floats(&[0.0, 0.5, 1.0], "SCALAR", 3);
    parts.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], "VEC3", 3);
    let (none, turn) = ([0.0; 4], [0.0, 0.0, 0.0, 1.0]);
    parts.floats(&[none, turn, none, none, turn, none, none, turn, none].concat(), "VEC4", 9);
    parts.floats(&[0.0, 1.0, 0.0], "SCALAR", 3);
    let indices = parts.view(&[1]);
    let values = parts.view(&1.0_f32.to_le_bytes().repeat(3));
    parts.json["accessors"].as_array_mut().unwrap().push(json!({
        "componentType": 5126, "type": "VEC3", "count": 3,
        "sparse": {
            "count": 1,
            "indices": {"bufferView": indices, "componentType": 5121},
            "values": {"bufferView": values},
        },
    }));
    parts.view(&png());
    parts.json["buffers"][0]["byteLength"] = parts.bin.len().into();
    parts
}
