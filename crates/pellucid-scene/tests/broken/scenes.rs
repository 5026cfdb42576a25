//! Broken hierarchies, materials, skins, animations, cameras and lights.
use crate::common::{BIND, MORPH_WEIGHTS, NORMAL, ROTATIONS, TIMES, TRANSLATIONS};
use crate::{Case, case, pointer};
use pellucid_scene::ErrorKind;
use serde_json::json;

fn nodes() -> Vec<Case> {
    vec![
        case!("a node that is its own child", "/nodes/3/children" = ([3]) => pointer("/nodes/3/children/0"), ErrorKind::TwoParents { node: 3, .. }),
        case!("a cycle of two nodes", "/nodes/2/children" = ([]), "/nodes/0/children" = ([1]), "/nodes/3/children" = ([2]), "/nodes/2/children" = ([3]) => pointer("/nodes/2"), ErrorKind::Cycle { node: 2 }),
        case!(
            "a cycle with nodes below it",
            edit | parts | {
                let nodes = parts.json["nodes"].as_array_mut().unwrap();
                nodes.extend([json!({}), json!({"children": [5, 7]}), json!({"children": [6]})]);
            },
            pointer("/nodes/6"),
            ErrorKind::Cycle { node: 6 }
        ),
        case!("a node below two nodes", "/nodes/3/children" = ([1]) => pointer("/nodes/3/children/0"), ErrorKind::TwoParents { node: 1, first: 0, second: 3 }),
        case!("a node twice below one node", "/nodes/0/children" = ([1, 2, 1]) => pointer("/nodes/0/children/2"), ErrorKind::TwoParents { first: 0, second: 0, .. }),
        case!("a child out of range", "/nodes/0/children" = ([1, 99]) => pointer("/nodes/0/children/1"), ErrorKind::IndexOutOfRange { index: 99, count: 5, .. }),
        case!("a mesh out of range", "/nodes/1/mesh" = (1) => pointer("/nodes/1/mesh"), ErrorKind::IndexOutOfRange { .. }),
        case!("a skin out of range", "/nodes/1/skin" = (1) => pointer("/nodes/1/skin"), ErrorKind::IndexOutOfRange { .. }),
        case!("a camera out of range", "/nodes/4/camera" = (2) => pointer("/nodes/4/camera"), ErrorKind::IndexOutOfRange { .. }),
        case!("a light out of range", "/nodes/4/extensions/KHR_lights_punctual/light" = (1) => pointer("/nodes/4/extensions/KHR_lights_punctual/light"), ErrorKind::IndexOutOfRange { .. }),
        case!("an infinite translation", "/nodes/1/translation" = ([0.0, 1e39, 0.0]) => pointer("/nodes/1/translation"), ErrorKind::NotFinite { index: 1 }),
        case!("an infinite matrix", "/nodes/4/matrix/5" = (1e300) => pointer("/nodes/4/matrix"), ErrorKind::NotFinite { index: 5 }),
        case!("a matrix of 15 numbers", "/nodes/4/matrix" = (vec![1.0; 15]) => pointer("/nodes/4/matrix"), ErrorKind::Json(_)),
        case!("a rotation of length 0", "/nodes/2/rotation" = ([0.0, 0.0, 0.0, 0.0]) => pointer("/nodes/2/rotation"), ErrorKind::Invalid(_)),
        case!("a scene out of range", "/scene" = (1) => pointer("/scene"), ErrorKind::IndexOutOfRange { index: 1, count: 1, .. }),
        case!("a root out of range", "/scenes/0/nodes" = ([0, 5]) => pointer("/scenes/0/nodes/1"), ErrorKind::IndexOutOfRange { .. }),
        case!("a root that is a child", "/scenes/0/nodes" = ([0, 1]) => pointer("/scenes/0/nodes/1"), ErrorKind::Invalid(_)),
        case!("a root twice", "/scenes/0/nodes" = ([0, 0]) => pointer("/scenes/0/nodes/1"), ErrorKind::Invalid(_)),
    ]
}

fn materials() -> Vec<Case> {
    let base = "/materials/0/pbrMetallicRoughness";
    vec![
        case!("a texture out of range", "/materials/0/pbrMetallicRoughness/baseColorTexture/index" = (1) => pointer(&format!("{base}/baseColorTexture/index")), ErrorKind::IndexOutOfRange { .. }),
        case!("a normal map out of range", "/materials/0/normalTexture/index" = (7) => pointer("/materials/0/normalTexture/index"), ErrorKind::IndexOutOfRange { .. }),
        case!("an image out of range", "/textures/0/source" = (3) => pointer("/textures/0/source"), ErrorKind::IndexOutOfRange { .. }),
        case!("a sampler out of range", "/textures/0/sampler" = (3) => pointer("/textures/0/sampler"), ErrorKind::IndexOutOfRange { .. }),
        case!("an unknown wrap mode", "/samplers/0/wrapS" = (1) => pointer("/samplers/0/wrapS"), ErrorKind::Invalid(_)),
        case!("an unknown alpha mode", "/materials/0/alphaMode" = ("GLASS") => pointer("/materials/0/alphaMode"), ErrorKind::Invalid(_)),
        case!("an infinite base colour", "/materials/0/pbrMetallicRoughness/baseColorFactor" = ([1.0, 1e39, 1.0, 1.0]) => pointer(&format!("{base}/baseColorFactor")), ErrorKind::NotFinite { index: 1 }),
        case!("an infinite roughness", "/materials/0/pbrMetallicRoughness/roughnessFactor" = (-1e39) => pointer(&format!("{base}/roughnessFactor")), ErrorKind::NotFinite { .. }),
        case!("a negative emissive strength", "/materials/0/extensions" = ({"KHR_materials_emissive_strength": {"emissiveStrength": -1.0}}) => pointer("/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength"), ErrorKind::Invalid(_)),
        case!("an infinite texture transform", "/materials/0/normalTexture/extensions" = ({"KHR_texture_transform": {"scale": [1e39, 1.0]}}) => pointer("/materials/0/normalTexture/extensions/KHR_texture_transform"), ErrorKind::NotFinite { .. }),
        case!("an extension of the wrong kind", "/materials/0/extensions" = ({"KHR_materials_unlit": 5}) => pointer("/materials/0/extensions/KHR_materials_unlit"), ErrorKind::Json(_)),
    ]
}

fn skins() -> Vec<Case> {
    vec![
        case!("a skin without joints", "/skins/0/joints" = ([]) => pointer("/skins/0/joints"), ErrorKind::Missing(_)),
        case!("a joint that is no node", "/skins/0/joints" = ([2, 9]) => pointer("/skins/0/joints/1"), ErrorKind::IndexOutOfRange { .. }),
        case!("a skeleton that is no node", "/skins/0/skeleton" = (9) => pointer("/skins/0/skeleton"), ErrorKind::IndexOutOfRange { .. }),
        case!("too few inverse bind matrices", "/accessors/6/count" = (1) => pointer("/skins/0/inverseBindMatrices"), ErrorKind::Count { found: 1, expected: 2, .. }),
        case!("inverse bind matrices that are none", "/skins/0/inverseBindMatrices" = (ROTATIONS) => pointer("/skins/0/inverseBindMatrices"), ErrorKind::AccessorType { .. }),
        case!(
            "a NaN inverse bind matrix",
            edit | parts | parts.set_float(BIND, 17, f32::NAN),
            pointer("/skins/0/inverseBindMatrices"),
            ErrorKind::NotFinite { index: 1 }
        ),
    ]
}

fn animations() -> Vec<Case> {
    let samplers = "/animations/0/samplers";
    let at = |path: &str| pointer(&format!("{samplers}{path}"));
    vec![
        case!("a channel of no sampler", "/animations/0/channels/1/sampler" = (3) => pointer("/animations/0/channels/1/sampler"), ErrorKind::IndexOutOfRange { .. }),
        case!("a channel of no node", "/animations/0/channels/1/target/node" = (5) => pointer("/animations/0/channels/1/target/node"), ErrorKind::IndexOutOfRange { .. }),
        case!("an unknown interpolation", "/animations/0/samplers/0/interpolation" = ("BEZIER") => at("/0/interpolation"), ErrorKind::Invalid(_)),
        case!(
            "descending times",
            edit | parts | parts.set_float(TIMES, 2, 0.25),
            at("/0/input"),
            ErrorKind::NotRising { index: 2, .. }
        ),
        case!(
            "a negative time",
            edit | parts | parts.set_float(TIMES, 0, -1.0),
            at("/0/input"),
            ErrorKind::Invalid(_)
        ),
        case!(
            "a NaN time",
            edit | parts | parts.set_float(TIMES, 1, f32::NAN),
            at("/0/input"),
            ErrorKind::NotFinite { index: 1 }
        ),
        case!("times of no accessor", "/animations/0/samplers/0/input" = (77) => at("/0/input"), ErrorKind::IndexOutOfRange { .. }),
        case!("times of vectors", "/animations/0/samplers/0/input" = (NORMAL) => at("/0/input"), ErrorKind::AccessorType { .. }),
        case!("no times", "/accessors/7/count" = (0) => at("/0/input"), ErrorKind::Missing(_)),
        case!("fewer values than times", "/accessors/8/count" = (2) => at("/0/output"), ErrorKind::Count { found: 2, expected: 3, .. }),
        case!("a spline with one value a key", "/accessors/9/count" = (3) => at("/1/output"), ErrorKind::Count { found: 3, expected: 9, .. }),
        case!("a rotation of three components", "/animations/0/samplers/1/output" = (TRANSLATIONS) => at("/1/output"), ErrorKind::AccessorType { .. }),
        case!("a translation of four components", "/animations/0/samplers/0/output" = (ROTATIONS) => at("/0/output"), ErrorKind::AccessorType { .. }),
        case!("weights for other targets", "/accessors/10/count" = (2) => at("/2/output"), ErrorKind::Count { found: 2, expected: 3, .. }),
        case!(
            "a NaN animated weight",
            edit | parts | parts.set_float(MORPH_WEIGHTS, 2, f32::NAN),
            at("/2/output"),
            ErrorKind::NotFinite { index: 2 }
        ),
        case!(
            "an infinite animated rotation",
            edit | parts | parts.set_float(ROTATIONS, 9, f32::INFINITY),
            at("/1/output"),
            ErrorKind::NotFinite { index: 2 }
        ),
    ]
}

fn cameras_and_lights() -> Vec<Case> {
    let light = "/extensions/KHR_lights_punctual/lights/0";
    vec![
        case!("an unknown camera", "/cameras/0/type" = ("fisheye") => pointer("/cameras/0/type"), ErrorKind::Invalid(_)),
        case!("a camera without its projection", "/cameras/0/perspective" = (null) => pointer("/cameras/0/perspective"), ErrorKind::Missing(_)),
        case!("a field of view of 0", "/cameras/0/perspective/yfov" = (0.0) => pointer("/cameras/0/perspective/yfov"), ErrorKind::Invalid(_)),
        case!("a field of view beyond a half turn", "/cameras/0/perspective/yfov" = (4.0) => pointer("/cameras/0/perspective/yfov"), ErrorKind::Invalid(_)),
        case!("an infinite field of view", "/cameras/0/perspective/yfov" = (1e39) => pointer("/cameras/0/perspective/yfov"), ErrorKind::NotFinite { .. }),
        case!("a near plane at the eye", "/cameras/0/perspective/znear" = (0.0) => pointer("/cameras/0/perspective/znear"), ErrorKind::Invalid(_)),
        case!("a far plane before the near one", "/cameras/0/perspective/zfar" = (0.05) => pointer("/cameras/0/perspective/zfar"), ErrorKind::Invalid(_)),
        case!("a parallel camera without width", "/cameras/1/orthographic/xmag" = (0.0) => pointer("/cameras/1/orthographic/xmag"), ErrorKind::Invalid(_)),
        case!("an unknown light", "/extensions/KHR_lights_punctual/lights/0/type" = ("laser") => pointer(&format!("{light}/type")), ErrorKind::Invalid(_)),
        case!("a light below darkness", "/extensions/KHR_lights_punctual/lights/0/intensity" = (-1.0) => pointer(&format!("{light}/intensity")), ErrorKind::Invalid(_)),
        case!("a cone turned inside out", "/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle" = (0.6) => pointer(&format!("{light}/spot")), ErrorKind::Invalid(_)),
        case!("a light of no range", "/extensions/KHR_lights_punctual/lights/0/range" = (0.0) => pointer(&format!("{light}/range")), ErrorKind::Invalid(_)),
    ]
}

pub fn cases() -> Vec<Case> {
    [nodes(), materials(), skins(), animations(), cameras_and_lights()].into_iter().flatten().collect()
}
