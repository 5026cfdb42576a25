//! Files broken at random: whatever comes of them, it is a scene or an error, never a panic.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "common/mod.rs"]
mod common;

use common::{Parts, glb, valid};
use pellucid_scene::{ImportOptions, Limits, Pose, import_bytes, scene_bounds};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::LazyLock;

static VALID: LazyLock<Parts> = LazyLock::new(valid);
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| VALID.glb());

/// Imports on one thread with little memory, and uses what comes of it.
fn exercise(bytes: &[u8]) {
    let limits = Limits { decoded_bytes: 64 << 20, image_pixels: 1 << 20, ..Limits::default() };
    let Ok(imported) = import_bytes(bytes, None, &ImportOptions { limits, threads: 1 }) else { return };
    let scene = imported.scene;
    let mut poses = vec![Pose::rest(&scene)];
    poses.extend((0..scene.animations.len()).map(|animation| Pose::at(&scene, animation, 0.6)));
    for pose in poses {
        let globals = pose.globals(&scene);
        let mut joints = Vec::new();
        for skin in 0..scene.skins.len() {
            Pose::joint_matrices(&scene, skin, &globals, &mut joints);
        }
        let bounds = scene_bounds(&scene, &pose);
        assert!(bounds.is_none_or(|bounds| !bounds.min.is_nan() && !bounds.max.is_nan()), "{bounds:?}");
    }
}

/// Every place in a document, as paths of pointers.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), out))
        }
        Value::Array(array) => {
            array.iter().enumerate().for_each(|(index, value)| places(value, &format!("{at}/{index}"), out));
        }
        _ => {}
    }
}

static PLACES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut out = Vec::new();
    places(&VALID.json, "", &mut out);
    out
});

/// Values that a careless or hostile writer puts in place of the right one.
fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!({})),
        Just(json!([])),
        Just(json!("")),
        Just(json!("CUBICSPLINE")),
        Just(json!("data:;base64,AAAA")),
        Just(json!(true)),
        (0_u64..20).prop_map(|value| json!(value)),
        (0_u64..20).prop_map(|value| json!([value, value + 1])),
        any::<u64>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        any::<f32>().prop_map(|value| json!(value)),
        (5120_u32..5127).prop_map(|value| json!(value)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bytes_never_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = FILE.clone();
        for (index, byte) in flips {
            let at = index.index(bytes.len());
            bytes[at] ^= byte;
        }
        exercise(&bytes);
    }

    #[test]
    fn flipped_data_never_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bin = VALID.bin.clone();
        for (index, byte) in flips {
            let at = index.index(bin.len());
            bin[at] = byte;
        }
        exercise(&glb(VALID.json.to_string().as_bytes(), &bin));
    }

    #[test]
    fn truncated_files_never_panic(length in any::<prop::sample::Index>()) {
        exercise(&FILE[..length.index(FILE.len())]);
    }

    #[test]
    fn edited_json_never_panics(edits in prop::collection::vec((any::<prop::sample::Index>(), any_value()), 1..4)) {
        let mut json = VALID.json.clone();
        for (index, value) in edits {
            // An earlier edit may have taken the place away.
            if let Some(place) = json.pointer_mut(&PLACES[index.index(PLACES.len())]) {
                *place = value;
            }
        }
        exercise(&glb(json.to_string().as_bytes(), &VALID.bin));
    }

    #[test]
    fn noise_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&bytes);
        prop_assert!(import_bytes(&bytes, None, &ImportOptions::default()).is_err());
    }
}

#[test]
fn the_unbroken_file_imports() {
    let imported = import_bytes(&FILE, None, &ImportOptions::default()).unwrap();
    assert_eq!(imported.scene.meshes[0].primitives[0].targets[0].positions[1], glam::Vec3::ONE);
    assert!(!imported.scene.meshes[0].primitives[0].tangents.is_empty());
    assert_eq!(imported.scene.images[0].rgba, [10, 10, 10, 255].repeat(4));
}
