//! What is said about a scene, a picture, a machine.

use crate::support::{Place, Ran, TRIANGLE, glb};
use serde_json::{Value, json};

/// Each key's name and type, deeply; lists by their first element.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => json!("null"),
        Value::Bool(_) => json!("bool"),
        Value::Number(_) => json!("number"),
        Value::String(_) => json!("string"),
        Value::Array(items) => items.first().map_or(json!([]), |first| json!([shape(first)])),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), shape(value))).collect())
        }
    }
}

fn counts() -> Value {
    json!({
        "nodes": "number", "meshes": "number", "primitives": "number", "vertices": "number", "triangles": "number",
        "materials": "number", "textures": "number", "images": "number", "pixels": "number", "cameras": "number",
        "lights": "number", "skins": "number", "animations": "number",
    })
}

#[test]
fn render_reports_what_it_did() {
    let place = Place::new();
    let ran = place.run(&["render", "triangle.glb", "-o", "x.png", "--size", "40x30", "--json"]).good();
    let report = ran.json();
    assert_eq!(
        shape(&report),
        json!({
            "schema": "number", "pellucid": "string",
            "output": {"path": "string", "format": "string", "width": "number", "height": "number", "bytes": "number"},
            "adapter": {"name": "string", "kind": "string", "driver": "string", "api": "string"},
            "scene": counts(),
            "drawn": {
                "draws": "number", "instances": "number", "triangles": "number", "culled": "number",
                "lights": "number", "lights_dropped": "number",
            },
            "total_ms": "number",
            "stages": [{"name": "string", "start_ms": "number", "ms": "number"}],
            "memory": {
                "peak_process_bytes": if cfg!(target_os = "linux") { "number" } else { "null" },
                "peak_device_bytes": "number",
            },
            "warnings": [{"pointer": "string", "message": "string"}],
            "validation": "null",
        })
    );
    assert_eq!(report["schema"], 1);
    assert_eq!(report["output"]["path"], "x.png");
    assert_eq!((&report["output"]["width"], &report["output"]["height"]), (&json!(40), &json!(30)));
    assert_eq!(report["output"]["bytes"], std::fs::metadata(place.path("x.png")).unwrap().len());
    assert_eq!(report["scene"]["triangles"], 1);
    assert_eq!(report["drawn"]["triangles"], 1);
    assert!(report["memory"]["peak_device_bytes"].as_u64().unwrap() > 40 * 30 * 8);
    assert!(report["warnings"][0].to_string().contains("TEST_nothing"));

    let stages = report["stages"].as_array().unwrap();
    let names: Vec<&str> = stages.iter().map(|stage| stage["name"].as_str().unwrap()).collect();
    for name in [
        "instance",
        "device",
        "renderer",
        "import",
        "import: parse",
        "upload",
        "environment",
        "draw",
        "encode",
        "write",
    ] {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
    let total = report["total_ms"].as_f64().unwrap();
    for stage in stages {
        let end = stage["start_ms"].as_f64().unwrap() + stage["ms"].as_f64().unwrap();
        assert!(end <= total, "{stage} ends after the whole, {total} ms");
    }
}

#[test]
fn render_says_one_line_and_its_warnings_or_nothing() {
    let place = Place::new();
    let ran = place.run(&["render", "triangle.glb", "-o", "x.png", "--size", "40x30"]).good();
    assert_eq!(ran.text().lines().count(), 1);
    assert!(ran.text().starts_with("x.png: 40x30, 1 triangles in 1 draws on "), "{ran:?}");
    assert!(
        ran.stderr.starts_with("warning: triangle.glb, ") && ran.stderr.contains("TEST_nothing"),
        "{ran:?}"
    );
    let without_filter = |flag: &str| {
        let args = [flag, "render", "triangle.glb", "-o", "x.png", "--size", "40x30"];
        Ran::from(place.command().args(args).env_remove("RUST_LOG").output().unwrap()).good()
    };
    let ran = without_filter("-q");
    assert!(ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran:?}");
    assert!(without_filter("-v").stderr.contains("session started"));
}

#[test]
fn validation_finds_nothing_to_say() {
    let place = Place::new();
    let ran = place
        .run(&["render", "triangle.glb", "-o", "x.png", "--size", "40x30", "--validation", "--json"])
        .good();
    assert_eq!(ran.json()["validation"], json!({"errors": 0, "warnings": 0, "messages": []}));
}

#[test]
fn info_says_what_a_scene_holds() {
    let place = Place::new();
    let report = place.run(&["info", "triangle.glb", "--json"]).good().json();
    assert_eq!(
        shape(&report),
        json!({
            "schema": "number", "pellucid": "string", "file": "string", "generator": "string", "name": "string",
            "counts": counts(),
            "bounds": {"min": ["number"], "max": ["number"]},
            "bytes_read": "number", "bytes_decoded": "number",
            "extensions_used": ["string"], "extensions_required": [],
            "cameras": [{"node": "string", "name": "string", "kind": "string", "fov": "number"}],
            "lights": [],
            "animations": [{"index": "number", "name": "string", "seconds": "number", "channels": "number"}],
            "warnings": [{"pointer": "string", "message": "string"}],
        })
    );
    assert_eq!(report["generator"], "by hand");
    assert_eq!(report["name"], "Test");
    assert_eq!(report["bounds"], json!({"min": [-1.0, -1.0, 0.0], "max": [1.0, 1.0, 0.0]}));
    assert_eq!(report["cameras"][0]["node"], "Eye");
    assert_eq!(report["animations"][0]["seconds"], 1.0);
    assert_eq!(report["bytes_read"], std::fs::metadata(&place.triangle).unwrap().len());

    let text = place.run(&["info", "triangle.glb"]).good();
    for part in [
        "1 triangles, 3 vertices",
        "\"Eye\"",
        "\"Away\": 1.000 s",
        "TEST_nothing",
        "by hand",
        "2.000 x 2.000 x 0.000 m",
    ] {
        assert!(text.text().contains(part), "{part:?} is missing in {}", text.text());
    }
}

#[test]
fn names_cannot_drive_the_terminal() {
    let place = Place::new();
    let named = TRIANGLE.replace("by hand", "evil \\u001b[2J").replace("TEST_nothing", "TEST_\\u001b[31m");
    std::fs::write(place.path("evil.glb"), glb(&named, &[0; 68])).unwrap();
    let ran = place.run(&["info", "evil.glb"]).good();
    assert!(!ran.stdout.contains(&0x1b) && ran.text().contains("evil"), "{ran:?}");
    let ran = place.run(&["render", "evil.glb", "-o", "x.png", "--size", "8x8"]);
    assert!(!ran.stderr.contains('\u{1b}'), "{ran:?}");
}

#[test]
fn doctor_says_that_this_machine_can_draw() {
    let place = Place::new();
    let ran = place.run(&["doctor"]).good();
    for part in
        ["Vulkan loader", "adapter ", "PortableRaster", "test picture: drawn in", "This machine can draw."]
    {
        assert!(ran.text().contains(part), "{part:?} is missing in {}", ran.text());
    }
    let report = place.run(&["doctor", "--json"]).good().json();
    assert_eq!(report["can_render"], true);
    assert_eq!(report["schema"], 1);
    let adapters = report["adapters"].as_array().unwrap();
    assert!(adapters.iter().any(|adapter| adapter["name"] == report["chosen"]));
    for profile in adapters.iter().flat_map(|adapter| adapter["profiles"].as_array().unwrap()) {
        let missing = profile["missing"].as_array().unwrap();
        assert_eq!(
            profile["supported"].as_bool().unwrap(),
            missing.is_empty(),
            "a reason, or none needed: {profile}"
        );
    }
    for tool in report["tools"].as_array().unwrap() {
        assert!(!tool["remedy"].as_str().unwrap().is_empty());
    }
}
