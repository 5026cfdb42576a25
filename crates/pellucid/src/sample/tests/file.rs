//! The file: repeatable, within its budgets, and sound in every accessor.

use serde_json::Value;

use super::document::{Document, number};
use super::room;

#[test]
fn two_calls_give_the_same_bytes() {
    assert!(super::super::room() == room(), "the room differs between two calls");
}

#[test]
fn the_budgets_hold() {
    let document = Document::read(room());
    assert!(room().len() < 4_300_000, "{} bytes", room().len());
    let triangles = |mesh: &Value| -> usize {
        let primitives = mesh["primitives"].as_array().unwrap().iter();
        primitives.map(|p| number(&document.list("accessors")[number(p, "indices")], "count") / 3).sum()
    };
    let drawn: usize = document
        .list("nodes")
        .iter()
        .filter(|node| node.get("mesh").is_some())
        .map(|node| triangles(&document.list("meshes")[number(node, "mesh")]))
        .sum();
    assert!((40_000..=82_000).contains(&drawn), "{drawn} triangles");
}

#[test]
fn everything_has_a_name() {
    let document = Document::read(room());
    for list in
        ["scenes", "nodes", "meshes", "materials", "textures", "images", "skins", "animations", "cameras"]
    {
        for (i, value) in document.list(list).iter().enumerate() {
            assert!(value["name"].as_str().is_some_and(|name| !name.is_empty()), "/{list}/{i}");
        }
    }
}

#[test]
fn accessors_are_aligned_in_bounds_and_say_their_true_extremes() {
    let document = Document::read(room());
    let mut checked = 0;
    for (i, accessor) in document.list("accessors").iter().enumerate() {
        let (size, components, count) = Document::layout(accessor);
        assert!(count > 0, "/accessors/{i}");
        let view = &document.list("bufferViews")[number(accessor, "bufferView")];
        assert_eq!(number(view, "byteOffset") % 4, 0, "/accessors/{i}");
        if number(view, "target") == 34962 {
            assert_eq!(
                size * components % 4,
                0,
                "/accessors/{i}: vertex attributes are aligned to four bytes"
            );
        }
        assert_eq!(document.bytes(i).len(), size * components * count);
        if number(accessor, "componentType") != 5126 {
            continue;
        }
        let floats = document.floats(i);
        assert!(floats.iter().all(|x| x.is_finite()), "/accessors/{i}");
        if let Some(min) = accessor.get("min") {
            for c in 0..components {
                let column = || floats.iter().skip(c).step_by(components).copied();
                let bound = |value: &Value| value[c].as_f64().unwrap() as f32;
                assert_eq!(bound(min), column().fold(f32::INFINITY, f32::min), "/accessors/{i}/min");
                assert_eq!(
                    bound(&accessor["max"]),
                    column().fold(f32::NEG_INFINITY, f32::max),
                    "/accessors/{i}/max"
                );
            }
            checked += 1;
        }
    }
    assert!(checked > document.list("meshes").len(), "positions and key times carry their extremes");
}

#[test]
fn the_tree_has_one_parent_a_node_and_reaches_all_of_them() {
    let document = Document::read(room());
    let nodes = document.list("nodes");
    let mut parents = vec![0; nodes.len()];
    let mut reached = 0;
    let mut open: Vec<usize> = document.list("scenes")[0]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap() as usize)
        .collect();
    while let Some(node) = open.pop() {
        reached += 1;
        assert!(reached <= nodes.len(), "a cycle");
        for child in nodes[node].get("children").and_then(Value::as_array).into_iter().flatten() {
            let child = child.as_u64().unwrap() as usize;
            parents[child] += 1;
            open.push(child);
        }
    }
    assert_eq!(reached, nodes.len());
    assert!(parents.iter().all(|count| *count <= 1));
}

#[test]
fn the_room_has_one_of_each_feature() {
    let document = Document::read(room());
    let materials = document.list("materials");
    let mode = |mode: &str| materials.iter().any(|m| m.get("alphaMode").is_some_and(|a| a == mode));
    assert!(mode("MASK") && mode("BLEND"));
    for key in ["normalTexture", "occlusionTexture", "emissiveTexture", "doubleSided"] {
        assert!(materials.iter().any(|m| m.get(key).is_some()), "{key}");
    }
    let used = |attribute: &str| {
        let mut primitives =
            document.list("meshes").iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap());
        primitives.any(|p| p["attributes"].get(attribute).is_some())
    };
    for attribute in ["TEXCOORD_0", "TEXCOORD_1", "COLOR_0", "JOINTS_0", "WEIGHTS_0"] {
        assert!(used(attribute), "{attribute}");
    }
    let samplers = document.list("animations")[0]["samplers"].as_array().unwrap();
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        assert!(samplers.iter().any(|s| s["interpolation"] == interpolation), "{interpolation}");
    }
    // Equal meshes for the renderer to instance.
    let draws = document.list("nodes").iter().filter(|n| n.get("mesh").is_some()).count();
    assert!(
        draws > 2 * document.list("meshes").len(),
        "{draws} draws of {} meshes",
        document.list("meshes").len()
    );
}
