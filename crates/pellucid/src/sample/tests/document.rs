//! A reader of the file that shares nothing with its writer.

use glam::Vec3;
use serde_json::Value;

/// The two chunks of a GLB.
pub struct Document {
    pub json: Value,
    pub bin: Vec<u8>,
}

/// One primitive, decoded.
pub struct Primitive {
    pub name: String,
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub indices: Vec<u32>,
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

pub fn number(value: &Value, key: &str) -> usize {
    value.get(key).map_or(0, |v| v.as_u64().unwrap() as usize)
}

impl Document {
    pub fn read(file: &[u8]) -> Self {
        assert_eq!(&file[..4], b"glTF");
        assert_eq!(word(file, 4), 2);
        assert_eq!(word(file, 8), file.len());
        let json_length = word(file, 12);
        assert_eq!(&file[16..20], b"JSON");
        assert_eq!(json_length % 4, 0);
        let bin_at = 20 + json_length;
        assert_eq!(&file[bin_at + 4..bin_at + 8], b"BIN\0");
        assert_eq!(bin_at + 8 + word(file, bin_at), file.len());
        Self { json: serde_json::from_slice(&file[20..bin_at]).unwrap(), bin: file[bin_at + 8..].to_vec() }
    }

    pub fn list(&self, key: &str) -> &[Value] {
        self.json[key].as_array().unwrap()
    }

    /// Size of a component in bytes, components an element, elements.
    pub fn layout(accessor: &Value) -> (usize, usize, usize) {
        let size = match number(accessor, "componentType") {
            5121 => 1,
            5123 => 2,
            5125 | 5126 => 4,
            other => panic!("component type {other}"),
        };
        let components = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("type {other}"),
        };
        (size, components, number(accessor, "count"))
    }

    /// The bytes of an accessor; panics when they are not all inside its view and the view inside the chunk.
    pub fn bytes(&self, accessor: usize) -> &[u8] {
        let accessor = &self.list("accessors")[accessor];
        let view = &self.list("bufferViews")[number(accessor, "bufferView")];
        let (size, components, count) = Self::layout(accessor);
        let start = number(view, "byteOffset");
        let length = size * components * count;
        assert!(length <= number(view, "byteLength"), "{accessor}");
        &self.bin[start..start + length]
    }

    pub fn floats(&self, accessor: usize) -> Vec<f32> {
        assert_eq!(number(&self.list("accessors")[accessor], "componentType"), 5126);
        self.bytes(accessor).chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    fn vectors(&self, accessor: usize) -> Vec<Vec3> {
        self.floats(accessor).chunks_exact(3).map(Vec3::from_slice).collect()
    }

    pub fn indices(&self, accessor: usize) -> Vec<u32> {
        let bytes = self.bytes(accessor);
        match number(&self.list("accessors")[accessor], "componentType") {
            5123 => bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]]).into()).collect(),
            _ => bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect(),
        }
    }

    /// All primitives of all meshes.
    pub fn primitives(&self) -> Vec<Primitive> {
        let mut primitives = Vec::new();
        for mesh in self.list("meshes") {
            for primitive in mesh["primitives"].as_array().unwrap() {
                primitives.push(Primitive {
                    name: mesh["name"].as_str().unwrap().to_owned(),
                    positions: self.vectors(number(&primitive["attributes"], "POSITION")),
                    normals: self.vectors(number(&primitive["attributes"], "NORMAL")),
                    indices: self.indices(number(primitive, "indices")),
                });
            }
        }
        primitives
    }
}
