//! Broken accessors and broken geometry.
use crate::common::{INDICES, JOINTS, MORPH, NORMAL, POSITION, TEXCOORD, WEIGHTS};
use crate::{Case, case, pointer};
use pellucid_scene::ErrorKind;
use serde_json::json;

fn ranges() -> Vec<Case> {
    vec![
        case!("an accessor of no view", "/accessors/0/bufferView" = (99) => pointer("/accessors/0/bufferView"), ErrorKind::IndexOutOfRange { index: 99, .. }),
        case!("an accessor past its view's end", "/accessors/0/count" = (4) => pointer("/accessors/0"), ErrorKind::OutOfBounds { end: 48, available: 36, .. }),
        case!("an accessor of too many elements", "/accessors/0/count" = (u64::MAX) => pointer("/accessors/0/count"), ErrorKind::Limit { option: "accessor_count", .. }),
        case!("an accessor of many elements", "/accessors/0/count" = (1 << 27) => pointer("/accessors/0"), ErrorKind::OutOfBounds { .. }),
        case!("an accessor whose offset overflows", "/accessors/0/byteOffset" = (u64::MAX - 3) => pointer("/accessors/0"), ErrorKind::OutOfBounds { .. }),
        case!("an accessor that isn't aligned", "/accessors/0/byteOffset" = (2), "/accessors/0/count" = (2) => pointer("/accessors/0/byteOffset"), ErrorKind::Misaligned { alignment: 4, .. }),
        case!("an accessor in a view that isn't aligned", "/bufferViews/0/byteOffset" = (1), "/accessors/0/count" = (2) => pointer("/accessors/0/byteOffset"), ErrorKind::Misaligned { offset: 1, .. }),
        case!("a stride of 0", "/bufferViews/0/byteStride" = (0) => pointer("/accessors/0"), ErrorKind::Stride { stride: 0, .. }),
        case!("a stride below an element's size", "/bufferViews/0/byteStride" = (8) => pointer("/accessors/0"), ErrorKind::Stride { stride: 8, element: 12 }),
        case!("a stride that is no multiple of 4", "/bufferViews/0/byteStride" = (14) => pointer("/accessors/0"), ErrorKind::Stride { .. }),
        case!("a stride beyond 252", "/bufferViews/0/byteStride" = (256) => pointer("/accessors/0"), ErrorKind::Stride { .. }),
        case!("a stride that goes past the end", "/bufferViews/0/byteStride" = (16) => pointer("/accessors/0"), ErrorKind::OutOfBounds { end: 44, .. }),
        case!("an unknown component type", "/accessors/0/componentType" = (5130) => pointer("/accessors/0/componentType"), ErrorKind::Invalid(_)),
        case!("a component type beyond 32 bits", "/accessors/0/componentType" = (4_294_972_422_u64) => pointer("/accessors/0/componentType"), ErrorKind::IndexOutOfRange { .. }),
        case!("an unknown type", "/accessors/0/type" = ("VEC5") => pointer("/accessors/0/type"), ErrorKind::Invalid(_)),
        case!("normalized floats", "/accessors/0/normalized" = (true) => pointer("/accessors/0/normalized"), ErrorKind::Invalid(_)),
        case!(
            "zeros without end",
            edit | parts | {
                parts.json["accessors"][POSITION] =
                    json!({"componentType": 5126, "type": "VEC3", "count": 100_000_000});
            },
            pointer("/accessors/0/count"),
            ErrorKind::Limit { option: "unbacked_count", .. }
        ),
    ]
}

fn sparse() -> Vec<Case> {
    vec![
        case!("more sparse elements than elements", "/accessors/11/sparse/count" = (4) => pointer("/accessors/11/sparse/count"), ErrorKind::Count { found: 4, expected: 3, .. }),
        case!("sparse indices past their view's end", "/accessors/11/sparse/count" = (2) => pointer("/accessors/11/sparse/indices"), ErrorKind::OutOfBounds { .. }),
        case!("sparse values past their view's end", "/accessors/11/sparse/values/byteOffset" = (4) => pointer("/accessors/11/sparse/values"), ErrorKind::OutOfBounds { .. }),
        case!(
            "a sparse index out of range",
            edit | parts | {
                let at = parts.json["bufferViews"][11]["byteOffset"].as_u64().unwrap() as usize;
                parts.bin[at] = 3;
            },
            pointer("/accessors/11/sparse/indices"),
            ErrorKind::IndexOutOfRange { index: 3, count: 3, .. }
        ),
        case!(
            "sparse indices that don't rise",
            edit | parts | {
                parts.json["accessors"][MORPH]["sparse"]["count"] = json!(2);
                parts.json["bufferViews"][11]["byteLength"] = json!(2);
                let at = parts.json["bufferViews"][11]["byteOffset"].as_u64().unwrap() as usize;
                parts.bin[at + 1] = 1;
            },
            pointer("/accessors/11/sparse/indices"),
            ErrorKind::NotRising { index: 1, .. }
        ),
        case!("sparse indices of no view", "/accessors/11/sparse/indices/bufferView" = (50) => pointer("/accessors/11/sparse/indices/bufferView"), ErrorKind::IndexOutOfRange { .. }),
        case!("sparse values of no view", "/accessors/11/sparse/values/bufferView" = (50) => pointer("/accessors/11/sparse/values/bufferView"), ErrorKind::IndexOutOfRange { .. }),
        case!("sparse indices of floats", "/accessors/11/sparse/indices/componentType" = (5126) => pointer("/accessors/11/sparse/indices/componentType"), ErrorKind::Invalid(_)),
        case!("sparse indices whose offset overflows", "/accessors/11/sparse/indices/byteOffset" = (u64::MAX) => pointer("/accessors/11/sparse/indices"), ErrorKind::OutOfBounds { .. }),
    ]
}

fn primitives() -> Vec<Case> {
    let attribute = |name: &str| pointer(&format!("/meshes/0/primitives/0/attributes/{name}"));
    vec![
        case!("no POSITION", "/meshes/0/primitives/0/attributes/POSITION" = (null) => attribute("POSITION"), ErrorKind::Missing(_)),
        case!("a POSITION of no accessor", "/meshes/0/primitives/0/attributes/POSITION" = (99) => attribute("POSITION"), ErrorKind::IndexOutOfRange { index: 99, count: 12, .. }),
        case!("a POSITION beyond 32 bits", "/meshes/0/primitives/0/attributes/POSITION" = (4_294_967_296_u64) => attribute("POSITION"), ErrorKind::IndexOutOfRange { .. }),
        case!("a POSITION of two components", "/meshes/0/primitives/0/attributes/POSITION" = (TEXCOORD) => attribute("POSITION"), ErrorKind::AccessorType { .. }),
        case!(
            "a NaN position",
            edit | parts | parts.set_float(POSITION, 4, f32::NAN),
            attribute("POSITION"),
            ErrorKind::NotFinite { index: 1 }
        ),
        case!(
            "an infinite normal",
            edit | parts | parts.set_float(NORMAL, 8, f32::NEG_INFINITY),
            attribute("NORMAL"),
            ErrorKind::NotFinite { index: 2 }
        ),
        case!(
            "a NaN weight",
            edit | parts | parts.set_float(WEIGHTS, 0, f32::NAN),
            attribute("WEIGHTS_0"),
            ErrorKind::NotFinite { index: 0 }
        ),
        case!("fewer normals than positions", "/accessors/5/count" = (2) => attribute("NORMAL"), ErrorKind::Count { found: 2, expected: 3, .. }),
        case!("coordinates of three components", "/meshes/0/primitives/0/attributes/TEXCOORD_0" = (NORMAL) => attribute("TEXCOORD_0"), ErrorKind::AccessorType { .. }),
        case!(
            "colours of integers",
            edit | parts | {
                parts.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(JOINTS);
            },
            attribute("COLOR_0"),
            ErrorKind::AccessorType { .. }
        ),
        case!("joints without weights", "/meshes/0/primitives/0/attributes/WEIGHTS_0" = (null) => attribute("WEIGHTS_0"), ErrorKind::Missing(_)),
        case!("joints of floats", "/meshes/0/primitives/0/attributes/JOINTS_0" = (WEIGHTS) => attribute("JOINTS_0"), ErrorKind::AccessorType { .. }),
        case!(
            "a joint out of range",
            edit | parts | {
                let at = parts.json["bufferViews"][JOINTS]["byteOffset"].as_u64().unwrap() as usize;
                parts.bin[at] = 2;
            },
            pointer("/meshes/0"),
            ErrorKind::IndexOutOfRange { index: 2, count: 2, .. }
        ),
        case!(
            "an index out of range",
            edit | parts | {
                let at = parts.json["bufferViews"][INDICES]["byteOffset"].as_u64().unwrap() as usize;
                parts.bin[at] = 3;
            },
            pointer("/meshes/0/primitives/0/indices"),
            ErrorKind::IndexOutOfRange { index: 3, count: 3, .. }
        ),
        case!("indices of no accessor", "/meshes/0/primitives/0/indices" = (12) => pointer("/meshes/0/primitives/0/indices"), ErrorKind::IndexOutOfRange { .. }),
        case!("indices of floats", "/meshes/0/primitives/0/indices" = (7) => pointer("/meshes/0/primitives/0/indices"), ErrorKind::AccessorType { .. }),
        case!("an unknown mode", "/meshes/0/primitives/0/mode" = (7) => pointer("/meshes/0/primitives/0/mode"), ErrorKind::Invalid(_)),
        case!("a material out of range", "/meshes/0/primitives/0/material" = (1) => pointer("/meshes/0/primitives/0/material"), ErrorKind::IndexOutOfRange { .. }),
        case!("a morph target of no accessor", "/meshes/0/primitives/0/targets/0/POSITION" = (12) => pointer("/meshes/0/primitives/0/targets/0/POSITION"), ErrorKind::IndexOutOfRange { .. }),
        case!("a morph target of another length", "/accessors/11/count" = (2) => pointer("/meshes/0/primitives/0/targets/0/POSITION"), ErrorKind::Count { found: 2, expected: 3, .. }),
        case!(
            "primitives of one mesh with different targets",
            edit | parts | {
                let mut second = parts.json["meshes"][0]["primitives"][0].clone();
                second.as_object_mut().unwrap().remove("targets");
                parts.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
            },
            pointer("/meshes/0/primitives/1/targets"),
            ErrorKind::Count { found: 0, expected: 1, .. }
        ),
        case!(
            "too many morph targets",
            edit | parts | {
                let targets = vec![json!({"POSITION": MORPH}); 1025];
                parts.json["meshes"][0]["primitives"][0]["targets"] = json!(targets);
            },
            pointer("/meshes/0/primitives/0/targets"),
            ErrorKind::Limit { option: "morph_targets", .. }
        ),
        case!("a mesh's weights for other targets", "/meshes/0/weights" = ([0.5, 0.5]) => pointer("/meshes/0/weights"), ErrorKind::Count { found: 2, expected: 1, .. }),
        case!("a node's weights for other targets", "/nodes/1/weights" = ([0.5, 0.5, 0.5]) => pointer("/nodes/1/weights"), ErrorKind::Count { found: 3, expected: 1, .. }),
        case!("a weight beyond floats", "/meshes/0/weights" = ([1e39]) => pointer("/meshes/0/weights"), ErrorKind::NotFinite { .. }),
    ]
}

pub fn cases() -> Vec<Case> {
    [ranges(), sparse(), primitives()].into_iter().flatten().collect()
}
