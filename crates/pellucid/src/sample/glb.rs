//! Writes a [`Stage`] as a binary glTF 2.0 file.

use glam::{Vec3, Vec4};
use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use serde_json::{Map, Value, json};

use super::mesh::Mesh;
use super::paint::Raster;
use super::parallel;
use super::stage::{
    Alpha, Channel, Fixture, Interpolation, Material, Node, Part, Skin, Stage, TextureId, Track,
};

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The file. `openness_ramp` is the texture that turns baked openness into occlusion.
pub fn write(stage: &Stage, openness_ramp: TextureId) -> Vec<u8> {
    let mut bin = Bin::default();
    let mut root = Map::new();
    let meshes: Vec<Value> = stage
        .models
        .iter()
        .map(|model| {
            let primitives: Vec<Value> =
                model.parts.iter().map(|part| primitive(&mut bin, part, &stage.materials)).collect();
            let mut mesh = json!({ "name": model.name, "primitives": primitives });
            if model.parts.iter().any(|part| part.target.is_some()) {
                mesh["weights"] = json!([0.0]);
                mesh["extras"] = json!({ "targetNames": ["plump"] });
            }
            mesh
        })
        .collect();
    let skins: Vec<Value> = stage.skins.iter().map(|s| skin(&mut bin, s)).collect();
    let animation = animation(&mut bin, &stage.channels);
    let files = parallel::map(&stage.textures, 1, |texture| png(&texture.raster));
    let images: Vec<Value> = stage
        .textures
        .iter()
        .zip(files)
        .map(|(texture, file)| {
            let view = bin.view(&file, None, None);
            json!({ "name": texture.name, "mimeType": "image/png", "bufferView": view })
        })
        .collect();
    let textures: Vec<Value> = stage
        .textures
        .iter()
        .enumerate()
        .map(|(i, t)| json!({ "name": t.name, "source": i, "sampler": usize::from(!t.repeat) }))
        .collect();
    let (nodes, cameras, lights) = nodes(&stage.nodes);
    let roots: Vec<usize> = (0..stage.nodes.len()).filter(|i| stage.nodes[*i].parent.is_none()).collect();
    root.insert("asset".into(), json!({ "version": "2.0", "generator": "Pellucid sample room" }));
    root.insert("extensionsUsed".into(), json!(["KHR_lights_punctual", "KHR_materials_emissive_strength"]));
    root.insert("extensions".into(), json!({ "KHR_lights_punctual": { "lights": lights } }));
    root.insert("scene".into(), json!(0));
    root.insert("scenes".into(), json!([{ "name": "Room", "nodes": roots }]));
    root.insert("nodes".into(), nodes);
    root.insert("cameras".into(), cameras);
    root.insert("meshes".into(), Value::Array(meshes));
    root.insert("skins".into(), Value::Array(skins));
    root.insert("animations".into(), json!([animation]));
    root.insert("materials".into(), stage.materials.iter().map(|m| material(m, openness_ramp)).collect());
    root.insert("textures".into(), Value::Array(textures));
    root.insert("images".into(), Value::Array(images));
    const LINEAR: u32 = 9729;
    const LINEAR_MIPMAP_LINEAR: u32 = 9987;
    const REPEAT: u32 = 10497;
    const CLAMP_TO_EDGE: u32 = 33071;
    root.insert(
        "samplers".into(),
        json!([
            { "name": "repeat", "magFilter": LINEAR, "minFilter": LINEAR_MIPMAP_LINEAR, "wrapS": REPEAT, "wrapT": REPEAT },
            { "name": "clamp", "magFilter": LINEAR, "minFilter": LINEAR, "wrapS": CLAMP_TO_EDGE, "wrapT": CLAMP_TO_EDGE },
        ]),
    );
    root.insert("bufferViews".into(), Value::Array(bin.views));
    root.insert("accessors".into(), Value::Array(bin.accessors));
    root.insert("buffers".into(), json!([{ "byteLength": bin.bytes.len() }]));
    container(Value::Object(root).to_string().into_bytes(), bin.bytes)
}

/// The GLB container: a header and two chunks, each padded to four bytes.
fn container(mut json: Vec<u8>, mut bin: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut file = Vec::with_capacity(28 + json.len() + bin.len());
    file.extend(b"glTF");
    file.extend(2u32.to_le_bytes());
    file.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", bin)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

#[expect(clippy::expect_used, reason = "the sizes are ours and match, and writing to memory does not fail")]
fn png(raster: &Raster) -> Vec<u8> {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
        .write_image(&raster.bytes, raster.width, raster.height, raster.kind)
        .expect("a raster holds width times height pixels of its kind");
    bytes
}

/// The binary chunk, with the views and accessors into it.
#[derive(Default)]
struct Bin {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Bin {
    /// Appends bytes, aligned to four.
    fn view(&mut self, bytes: &[u8], target: Option<u32>, stride: Option<usize>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.bytes.extend(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Floats with `kind.1` components an element.
    fn floats(&mut self, data: &[f32], kind: (&str, usize), target: Option<u32>, bounds: bool) -> usize {
        let bytes: Vec<u8> = data.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, target, None);
        let mut accessor = json!({
            "bufferView": view, "componentType": FLOAT, "type": kind.0, "count": data.len() / kind.1,
        });
        if bounds {
            let fold = |start: f32, pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..kind.1).map(|c| data.iter().skip(c).step_by(kind.1).copied().fold(start, pick)).collect()
            };
            accessor["min"] = json!(fold(f32::INFINITY, f32::min));
            accessor["max"] = json!(fold(f32::NEG_INFINITY, f32::max));
        }
        self.accessor(accessor)
    }

    fn vectors(&mut self, data: &[Vec3], bounds: bool) -> usize {
        let flat: Vec<f32> = data.iter().flat_map(|v| v.to_array()).collect();
        self.floats(&flat, ("VEC3", 3), Some(ARRAY_BUFFER), bounds)
    }

    /// Normalised bytes, four an element.
    fn unit_bytes(&mut self, data: &[Vec4]) -> usize {
        let bytes: Vec<u8> =
            data.iter().flat_map(|v| (*v * 255.0).round().to_array().map(|x| x as u8)).collect();
        let view = self.view(&bytes, Some(ARRAY_BUFFER), None);
        self.accessor(json!({
            "bufferView": view, "componentType": UNSIGNED_BYTE, "normalized": true, "type": "VEC4",
            "count": data.len(),
        }))
    }
}

fn primitive(bin: &mut Bin, part: &Part, materials: &[Material]) -> Value {
    let Mesh { positions, normals, uvs, colors, joints, weights, openness, indices } = &part.mesh;
    let mut attributes = Map::new();
    attributes.insert("POSITION".into(), json!(bin.vectors(positions, true)));
    attributes.insert("NORMAL".into(), json!(bin.vectors(normals, false)));
    let material = &materials[part.material.0];
    let textured = material.textured();
    if textured {
        let flat: Vec<f32> = uvs.iter().flat_map(|v| v.to_array()).collect();
        let uvs = bin.floats(&flat, ("VEC2", 2), Some(ARRAY_BUFFER), false);
        attributes.insert("TEXCOORD_0".into(), json!(uvs));
    }
    if material.baked {
        // The ramp has 256 texels: aim between the centres of its first and its last.
        let coordinate = |open: f32| ((0.5 + 255.0 * open.clamp(0.0, 1.0)) / 256.0 * 65535.0).round() as u16;
        let bytes: Vec<u8> = openness
            .iter()
            .flat_map(|open| [coordinate(*open).to_le_bytes(), 32768u16.to_le_bytes()].concat())
            .collect();
        let view = bin.view(&bytes, Some(ARRAY_BUFFER), None);
        let accessor = bin.accessor(json!({
            "bufferView": view, "componentType": UNSIGNED_SHORT, "normalized": true, "type": "VEC2",
            "count": openness.len(),
        }));
        // A second set must not come without a first.
        let name = if textured { "TEXCOORD_1" } else { "TEXCOORD_0" };
        attributes.insert(name.into(), json!(accessor));
    }
    if !colors.is_empty() {
        attributes.insert("COLOR_0".into(), json!(bin.unit_bytes(colors)));
    }
    if !joints.is_empty() {
        let view = bin.view(&joints.concat(), Some(ARRAY_BUFFER), None);
        let accessor = bin.accessor(json!({
            "bufferView": view, "componentType": UNSIGNED_BYTE, "type": "VEC4", "count": joints.len(),
        }));
        attributes.insert("JOINTS_0".into(), json!(accessor));
        let flat: Vec<f32> = weights.iter().flat_map(|v| v.to_array()).collect();
        attributes
            .insert("WEIGHTS_0".into(), json!(bin.floats(&flat, ("VEC4", 4), Some(ARRAY_BUFFER), false)));
    }
    let (bytes, kind): (Vec<u8>, u32) = if positions.len() < usize::from(u16::MAX) {
        (indices.iter().flat_map(|i| (*i as u16).to_le_bytes()).collect(), UNSIGNED_SHORT)
    } else {
        (indices.iter().flat_map(|i| i.to_le_bytes()).collect(), UNSIGNED_INT)
    };
    let view = bin.view(&bytes, Some(ELEMENT_ARRAY_BUFFER), None);
    let indices = bin.accessor(json!({
        "bufferView": view, "componentType": kind, "type": "SCALAR", "count": indices.len(),
    }));
    let mut primitive = json!({ "attributes": attributes, "indices": indices, "material": part.material.0 });
    if let Some(target) = &part.target {
        let delta =
            |to: &[Vec3], from: &[Vec3]| -> Vec<Vec3> { to.iter().zip(from).map(|(a, b)| *a - *b).collect() };
        primitive["targets"] = json!([{
            "POSITION": bin.vectors(&delta(&target.positions, positions), true),
            "NORMAL": bin.vectors(&delta(&target.normals, normals), false),
        }]);
    }
    primitive
}

fn skin(bin: &mut Bin, skin: &Skin) -> Value {
    let flat: Vec<f32> = skin.inverse_binds.iter().flat_map(|m| m.to_cols_array()).collect();
    json!({
        "name": skin.name,
        "joints": skin.joints.iter().map(|j| j.0).collect::<Vec<_>>(),
        "skeleton": skin.joints[0].0,
        "inverseBindMatrices": bin.floats(&flat, ("MAT4", 16), None, false),
    })
}

fn animation(bin: &mut Bin, channels: &[Channel]) -> Value {
    let mut samplers = Vec::new();
    let mut targets = Vec::new();
    for channel in channels {
        let input = bin.floats(&channel.times, ("SCALAR", 1), None, true);
        let (path, output) = match &channel.track {
            Track::Rotation(values) => {
                let flat: Vec<f32> = values.iter().flat_map(|q| q.to_array()).collect();
                ("rotation", bin.floats(&flat, ("VEC4", 4), None, false))
            }
            Track::Weight(values) => ("weights", bin.floats(values, ("SCALAR", 1), None, false)),
        };
        let interpolation = match channel.interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::Cubic => "CUBICSPLINE",
        };
        targets.push(json!({
            "sampler": samplers.len(), "target": { "node": channel.node.0, "path": path },
        }));
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
    }
    json!({ "name": "A minute", "channels": targets, "samplers": samplers })
}

/// The nodes, and the cameras and lights that hang on them.
fn nodes(nodes: &[Node]) -> (Value, Value, Value) {
    let mut cameras = Vec::new();
    let mut lights = Vec::new();
    let mut written: Vec<Value> = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let mut value = json!({ "name": node.name });
        if node.translation != Vec3::ZERO {
            value["translation"] = json!(node.translation.to_array());
        }
        if !node.rotation.is_near_identity() {
            value["rotation"] = json!(node.rotation.to_array());
        }
        if node.scale_or_one() != 1.0 {
            value["scale"] = json!([node.scale, node.scale, node.scale]);
        }
        if let Some(model) = node.model {
            value["mesh"] = json!(model.0);
        }
        if let Some(skin) = node.skin {
            value["skin"] = json!(skin.0);
        }
        let light = |color: Vec3, intensity: f32, kind: &str| json!({ "name": node.name, "type": kind, "color": color.to_array(), "intensity": intensity });
        match node.fixture {
            Fixture::None => {}
            Fixture::Camera(yfov) => {
                value["camera"] = json!(cameras.len());
                cameras.push(json!({
                    "name": node.name, "type": "perspective",
                    "perspective": { "yfov": yfov, "znear": 0.05, "zfar": 100.0, "aspectRatio": 16.0 / 9.0 },
                }));
            }
            Fixture::Point(color, candela, range) => {
                value["extensions"] = json!({ "KHR_lights_punctual": { "light": lights.len() } });
                let mut point = light(color, candela, "point");
                point["range"] = json!(range);
                lights.push(point);
            }
            Fixture::Directional(color, lux) => {
                value["extensions"] = json!({ "KHR_lights_punctual": { "light": lights.len() } });
                lights.push(light(color, lux, "directional"));
            }
        }
        let children: Vec<usize> =
            (index + 1..nodes.len()).filter(|i| nodes[*i].parent.is_some_and(|p| p.0 == index)).collect();
        if !children.is_empty() {
            value["children"] = json!(children);
        }
        written.push(value);
    }
    (Value::Array(written), Value::Array(cameras), Value::Array(lights))
}

fn material(material: &Material, ramp: TextureId) -> Value {
    let texture = |id: TextureId| json!({ "index": id.0 });
    let mut pbr = json!({
        "baseColorFactor": material.color.to_array(),
        "metallicFactor": material.metallic,
        "roughnessFactor": material.roughness,
    });
    if let Some(id) = material.color_texture {
        pbr["baseColorTexture"] = texture(id);
    }
    if let Some(id) = material.roughness_texture {
        pbr["metallicRoughnessTexture"] = texture(id);
    }
    let mut value = json!({ "name": material.name, "pbrMetallicRoughness": pbr });
    if let Some((id, scale)) = material.normal {
        value["normalTexture"] = json!({ "index": id.0, "scale": scale });
    }
    if material.baked {
        value["occlusionTexture"] = json!({ "index": ramp.0, "texCoord": u32::from(material.textured()) });
    }
    if material.emissive != Vec3::ZERO {
        value["emissiveFactor"] = json!(material.emissive.to_array());
        if material.emissive_strength != 1.0 {
            value["extensions"] = json!({
                "KHR_materials_emissive_strength": { "emissiveStrength": material.emissive_strength },
            });
        }
    }
    if let Some(id) = material.emissive_texture {
        value["emissiveTexture"] = texture(id);
    }
    match material.alpha {
        Alpha::Opaque => {}
        Alpha::Mask => {
            value["alphaMode"] = json!("MASK");
            value["alphaCutoff"] = json!(0.5);
        }
        Alpha::Blend => value["alphaMode"] = json!("BLEND"),
    }
    if material.double_sided {
        value["doubleSided"] = json!(true);
    }
    value
}
