use super::*;

fn error(text: &str) -> ImportError {
    parse(text.as_bytes(), 20, &Limits::default()).err().unwrap_or_else(|| panic!("{text} parses"))
}

const HEAD: &str = r#"{"asset": {"version": "2.0"}"#;

#[test]
fn a_wrong_type_has_a_pointer() {
    let error = error(&format!(r#"{HEAD}, "nodes": [{{}}, {{"mesh": "zero"}}]}}"#));
    assert_eq!(error.pointer(), Some("/nodes/1/mesh"));
    assert!(matches!(error.kind, ErrorKind::Json(_)));
}

#[test]
fn a_wrong_character_has_an_offset() {
    let error = error("{\n  \"asset\": oops\n}");
    // Line 2, column 12, in a chunk that begins at byte 20.
    assert_eq!(error.offset(), Some(20 + 2 + 11));
    assert!(matches!(error.kind, ErrorKind::Json(_)));
}

#[test]
fn an_index_beyond_32_bits_is_not_cut_down() {
    for (text, pointer) in [
        (r#""nodes": [{"mesh": 4294967296}]"#, "/nodes/0/mesh"),
        (r#""nodes": [{"children": [1, 18446744073709551615]}]"#, "/nodes/0/children/1"),
        (
            r#""meshes": [{"primitives": [{"attributes": {"POSITION": 4294967296}}]}]"#,
            "/meshes/0/primitives/0/attributes/POSITION",
        ),
        (
            r#""meshes": [{"primitives": [{"attributes": {}, "targets": [{"NORMAL": 4294967296}]}]}]"#,
            "/meshes/0/primitives/0/targets/0/NORMAL",
        ),
        (
            r#""accessors": [{"componentType": 4294972416, "count": 1, "type": "SCALAR"}]"#,
            "/accessors/0/componentType",
        ),
    ] {
        let error = error(&format!("{HEAD}, {text}}}"));
        assert_eq!(error.pointer(), Some(pointer));
        assert!(matches!(error.kind, ErrorKind::IndexOutOfRange { .. }));
    }
}

#[test]
fn large_numbers_that_are_no_indices_are_fine() {
    let text = format!(
        r#"{HEAD}, "buffers": [{{"byteLength": 10000000000}}], "extras": {{"mesh": 4294967296}},
        "cameras": [{{"type": "perspective", "perspective": {{"yfov": 1, "znear": 1, "zfar": 10000000000}}}}],
        "nodes": [{{"name": "99999999999"}}]}}"#
    );
    assert_eq!(
        parse(text.as_bytes(), 0, &Limits::default()).unwrap().root.buffers[0].byte_length.0,
        10_000_000_000
    );
}

#[test]
fn a_channel_without_a_node_stands_for_none() {
    let text = format!(
        r#"{HEAD}, "animations": [{{"samplers": [], "channels": [
        {{"sampler": 0, "target": {{"path": "pointer"}}}}, {{"sampler": 0, "target": {{"node": 3, "path": "scale"}}}}]}}]}}"#
    );
    let document = parse(text.as_bytes(), 0, &Limits::default()).unwrap();
    let nodes: Vec<usize> =
        document.root.animations[0].channels.iter().map(|channel| channel.target.node.value()).collect();
    assert_eq!(nodes, [NO_NODE, 3]);
}

#[test]
fn depth_entries_and_objects_are_counted_first() {
    let limits = Limits { json_depth: 5, list_entries: 3, json_objects: 8, ..Limits::default() };
    let option = |text: &str| match parse(text.as_bytes(), 0, &limits).map(|_| ()).unwrap_err().kind {
        ErrorKind::Limit { option, .. } => option,
        other => panic!("{other:?}"),
    };
    assert_eq!(option(r#"{"a": [[[[[]]]]]}"#), "json_depth");
    assert_eq!(option(r#"{"nodes": [{}, {}, {}, {}]}"#), "list_entries");
    assert_eq!(option(r#"{"a": [{}, {}, {}], "b": [{}, {}, {}], "c": [{}, {}, {}]}"#), "json_objects");
    // Brackets in strings are text.
    let text = format!(r#"{HEAD}, "extras": "[[[[[[[{{{{{{\"[[[["}}"#);
    assert!(parse(text.as_bytes(), 0, &limits).is_ok());
}

#[test]
fn extras_of_any_kind_are_skipped() {
    let text = format!(
        r#"{HEAD}, "extras": 5, "nodes": [{{"extras": ["a", null]}}, {{"extras": {{"_x": {{}}}}}}]}}"#
    );
    assert_eq!(parse(text.as_bytes(), 0, &Limits::default()).unwrap().root.nodes.len(), 2);
}
