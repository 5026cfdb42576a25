//! What the importer makes of each feature, shown on the small scene changed one thing at a time.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "common/mod.rs"]
mod common;

use common::{JOINTS, Parts, TEXCOORD, WEIGHTS, glb, png, valid};
use glam::{Vec2, Vec3, Vec4};
use pellucid_scene::{
    Aabb, AlphaMode, ErrorKind, ImportOptions, Imported, LightKind, Limits, Pose, Primitive, TextureRef,
    Transform, View, Wrap, import, import_bytes, scene_bounds,
};
use serde_json::{Value, json};

fn load(parts: &Parts) -> Imported {
    import_bytes(&parts.glb(), None, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The valid scene after `edit`, which must not earn a warning.
fn changed(edit: impl FnOnce(&mut Parts)) -> Imported {
    let imported = warned(edit);
    assert!(imported.warnings.is_empty(), "{:?}", imported.warnings);
    imported
}

/// The valid scene after `edit`.
fn warned(edit: impl FnOnce(&mut Parts)) -> Imported {
    let mut parts = valid();
    edit(&mut parts);
    parts.json["buffers"][0]["byteLength"] = parts.bin.len().into();
    load(&parts)
}

fn primitive(imported: &Imported) -> &Primitive {
    &imported.scene.meshes[0].primitives[0]
}

fn pointers(imported: &Imported) -> Vec<&str> {
    imported.warnings.iter().map(|warning| warning.pointer.as_str()).collect()
}

/// The JSON of the only primitive.
fn json_primitive(parts: &mut Parts) -> &mut Value {
    &mut parts.json["meshes"][0]["primitives"][0]
}

#[test]
fn the_small_scene_comes_out_whole() {
    let imported = changed(|_| {});
    let scene = &imported.scene;
    assert_eq!(scene.roots, [0, 4]);
    assert_eq!(scene.nodes[3].parent, Some(2));
    assert_eq!(scene.lights[0].kind, LightKind::Spot { inner: 0.0, outer: 0.5 });
    assert_eq!(scene.materials[0].alpha_mode, AlphaMode::Mask { cutoff: 0.5 });
    assert_eq!(scene.textures[0].sampler.wrap_u, Wrap::Clamp);
    assert_eq!(scene.textures[0].sampler.wrap_v, Wrap::Repeat);
    let primitive = primitive(&imported);
    assert_eq!(primitive.positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
    assert_eq!(primitive.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 3]);
    assert_eq!(primitive.joints[0], [0, 1, 0, 0]);
    assert_eq!(primitive.targets[0].positions, [Vec3::ZERO, Vec3::ONE, Vec3::ZERO]);
    let pose = Pose::at(scene, 0, 0.5);
    assert_eq!(pose.weights[1], [1.0]);
    assert!(matches!(pose.locals[2], Transform::Trs { translation: Vec3::X, .. }));
    let report = &imported.report;
    assert_eq!((report.vertices, report.triangles, report.pixels), (3, 1, 4));
    assert_eq!(report.extensions_used, ["KHR_lights_punctual"]);
}

#[test]
fn strips_become_lists_and_points_are_left_out() {
    let strip = changed(|parts| json_primitive(parts)["mode"] = json!(5));
    assert_eq!(primitive(&strip).indices, [0, 1, 2]);
    let fan = changed(|parts| json_primitive(parts)["mode"] = json!(6));
    assert_eq!(primitive(&fan).indices, [1, 2, 0]);
    let points = warned(|parts| {
        json_primitive(parts)["mode"] = json!(0);
        parts.json["animations"] = json!([]);
    });
    assert!(points.scene.meshes[0].primitives.is_empty());
    assert_eq!(pointers(&points), ["/meshes/0/primitives/0"]);
}

#[test]
fn without_indices_vertices_go_in_order() {
    let imported = changed(|parts| {
        json_primitive(parts).as_object_mut().unwrap().remove("indices");
    });
    assert_eq!(primitive(&imported).indices, [0, 1, 2]);
}

#[test]
fn without_normals_faces_are_flat() {
    let imported = changed(|parts| {
        json_primitive(parts)["attributes"].as_object_mut().unwrap().remove("NORMAL");
    });
    assert_eq!(primitive(&imported).normals, [Vec3::Z; 3]);
    assert!(!primitive(&imported).tangents.is_empty());
    assert_eq!(primitive(&imported).targets[0].normals.len(), 3);
}

#[test]
fn colours_of_bytes_and_joints_of_two_sets() {
    let imported = warned(|parts| {
        let offset = parts.bin.len();
        parts.bin.extend([255, 0, 51, 255, 0, 255, 0, 0, 0, 0, 0, 0]);
        let views = parts.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": 12, "byteStride": 4}));
        let view = views.len() - 1;
        let accessors = parts.json["accessors"].as_array_mut().unwrap();
        accessors.push(
            json!({"bufferView": view, "componentType": 5121, "normalized": true, "type": "VEC3", "count": 3}),
        );
        let color = accessors.len() - 1;
        let attributes = &mut json_primitive(parts)["attributes"];
        attributes["COLOR_0"] = json!(color);
        attributes["JOINTS_1"] = json!(JOINTS);
        attributes["WEIGHTS_1"] = json!(WEIGHTS);
    });
    assert_eq!(primitive(&imported).colors[0], Vec4::new(1.0, 0.0, 0.2, 1.0));
    // Joints 0 and 1 with a half each, twice: the same again after normalization.
    assert_eq!(primitive(&imported).weights[0], Vec4::splat(0.25));
    assert_eq!(pointers(&imported), ["/meshes/0/primitives/0/attributes"]);
}

#[test]
fn quantized_positions_are_read() {
    let imported = changed(|parts| {
        parts.json["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_mesh_quantization"]);
        parts.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        let offset = parts.bin.len();
        for value in [0_i16, 0, 0, 0, 300, 0, 0, 0, 0, -32768, 0, 0] {
            parts.bin.extend(value.to_le_bytes());
        }
        let views = parts.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": 24, "byteStride": 8}));
        let view = views.len() - 1;
        parts.json["accessors"][0] =
            json!({"bufferView": view, "componentType": 5122, "type": "VEC3", "count": 3});
    });
    assert_eq!(primitive(&imported).positions, [Vec3::ZERO, Vec3::X * 300.0, Vec3::Y * -32768.0]);
    assert_eq!(
        primitive(&imported).bounds,
        Aabb { min: Vec3::new(0.0, -32768.0, 0.0), max: Vec3::new(300.0, 0.0, 0.0) }
    );
}

#[test]
fn texture_transforms_and_far_sets_are_worked_in() {
    let imported = changed(|parts| {
        parts.json["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_texture_transform"]);
        parts.json["extensionsRequired"] = json!(["KHR_texture_transform"]);
        let attributes = &mut json_primitive(parts)["attributes"];
        attributes["TEXCOORD_5"] = json!(TEXCOORD);
        parts.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({
            "index": 0, "texCoord": 0,
            "extensions": {"KHR_texture_transform": {"texCoord": 5, "scale": [2.0, 4.0], "offset": [0.5, 0.0]}},
        });
    });
    let material = &imported.scene.materials[0];
    assert_eq!(material.base_color_texture, Some(TextureRef { texture: 0, uv_set: 0 }));
    assert_eq!(material.normal_texture, Some(TextureRef { texture: 0, uv_set: 1 }));
    assert_eq!(primitive(&imported).uv0, [Vec2::new(0.5, 4.0), Vec2::new(2.5, 4.0), Vec2::new(0.5, 0.0)]);
    assert_eq!(primitive(&imported).uv1, [Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0), Vec2::new(0.0, 0.0)]);
}

#[test]
fn a_third_set_of_coordinates_is_left_out_with_a_warning() {
    let imported = warned(|parts| {
        let moved =
            |by: f32| json!({"index": 0, "extensions": {"KHR_texture_transform": {"offset": [by, 0.0]}}});
        parts.json["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_texture_transform"]);
        parts.json["materials"][0]["occlusionTexture"] = moved(0.25);
        parts.json["materials"][0]["emissiveTexture"] = moved(0.5);
    });
    assert_eq!(imported.scene.materials[0].occlusion_texture, Some(TextureRef { texture: 0, uv_set: 1 }));
    assert_eq!(imported.scene.materials[0].emissive_texture, None);
    assert_eq!(pointers(&imported), ["/materials/0/emissiveTexture"]);
}

#[test]
fn material_extensions_are_read_and_unknown_ones_named() {
    let imported = warned(|parts| {
        let used =
            ["KHR_materials_unlit", "KHR_materials_emissive_strength", "ACME_sparkle", "KHR_lights_punctual"];
        parts.json["extensionsUsed"] = json!(used);
        parts.json["materials"][0]["emissiveFactor"] = json!([1.0, 0.5, 0.0]);
        parts.json["materials"][0]["extensions"] = json!({
            "KHR_materials_unlit": {}, "KHR_materials_emissive_strength": {"emissiveStrength": 8.0},
            "ACME_sparkle": {"amount": [1, 2]},
        });
    });
    assert!(imported.scene.materials[0].unlit);
    assert_eq!(imported.scene.materials[0].emissive, Vec3::new(8.0, 4.0, 0.0));
    assert_eq!(pointers(&imported), ["/extensionsUsed/2"]);
    assert!(imported.warnings[0].message.contains("ACME_sparkle"));
}

#[test]
fn unused_images_are_not_decoded() {
    let imported = changed(|parts| {
        parts.json["images"] = json!([{"uri": "data:image/png;base64,AAAA"}, {"bufferView": common::IMAGE_VIEW, "name": "used"}]);
        parts.json["textures"] = json!([{"source": 0}, {"source": 1, "name": "used"}]);
        parts.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 1});
        parts.json["materials"][0]["normalTexture"] = json!({"index": 1});
    });
    assert_eq!((imported.scene.images.len(), imported.scene.textures.len()), (1, 1));
    assert_eq!(imported.scene.images[0].name, "used");
    assert_eq!(imported.scene.materials[0].base_color_texture, Some(TextureRef { texture: 0, uv_set: 0 }));
}

#[test]
fn other_scenes_nodes_are_plain_transforms() {
    let imported = changed(|parts| {
        parts.json["scenes"] = json!([{"nodes": [0]}, {"nodes": [4], "name": "second"}]);
        parts.json["scene"] = json!(1);
        parts.json["animations"] = json!([]);
    });
    let scene = &imported.scene;
    assert_eq!((scene.name.as_str(), scene.roots.as_slice()), ("second", &[4][..]));
    assert_eq!((scene.nodes[1].mesh, scene.nodes[1].skin), (None, None));
    assert_eq!((scene.nodes[4].camera, scene.nodes[4].light), (Some(0), Some(0)));
    assert_eq!(scene_bounds(scene, &Pose::rest(scene)), None);
}

#[test]
fn a_scene_without_nodes_is_empty() {
    let imported = changed(|parts| {
        parts.json["scenes"] = json!([{"name": "nothing"}]);
        parts.json["scene"] = json!(0);
        parts.json["animations"] = json!([]);
    });
    assert_eq!((imported.scene.name.as_str(), imported.scene.roots.as_slice()), ("nothing", &[][..]));
}

#[test]
fn a_file_without_scenes_shows_all_its_parts() {
    let imported = changed(|parts| {
        let root = parts.json.as_object_mut().unwrap();
        root.remove("scenes");
        root.remove("scene");
    });
    assert_eq!(imported.scene.roots, [0, 4]);
}

#[test]
fn animated_matrices_are_taken_apart_and_odd_channels_left_out() {
    let imported = warned(|parts| {
        parts.json["nodes"][2] = json!({"children": [3], "matrix": [
            0.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 5.0, 6.0, 7.0, 1.0]});
        let channels = parts.json["animations"][0]["channels"].as_array_mut().unwrap();
        channels.push(json!({"sampler": 0, "target": {"path": "translation"}}));
        channels.push(json!({"sampler": 0, "target": {"node": 2, "path": "colour"}}));
        channels.push(json!({"sampler": 0, "target": {"node": 2, "path": "translation"}}));
    });
    let Transform::Trs { translation, rotation, scale } = imported.scene.nodes[2].transform else {
        panic!("a TRS");
    };
    assert_eq!(translation, Vec3::new(5.0, 6.0, 7.0));
    assert!((rotation * Vec3::X).abs_diff_eq(Vec3::Y, 1e-6));
    assert!(scale.abs_diff_eq(Vec3::splat(2.0), 1e-6));
    assert_eq!(imported.scene.animations[0].channels.len(), 3);
    assert_eq!(
        pointers(&imported),
        [
            "/animations/0/channels/0/target",
            "/animations/0/channels/3/target",
            "/animations/0/channels/4/target/path",
            "/animations/0/channels/5",
        ]
    );
}

#[test]
fn a_camera_node_sees_along_its_own_z() {
    let imported = changed(|_| {});
    let scene = &imported.scene;
    let globals = Pose::rest(scene).globals(scene);
    let view = View::from_camera(&scene.cameras[0], globals[4], 1.0);
    assert!(view.eye.abs_diff_eq(Vec3::new(0.0, 1.0, 9.0), 1e-6));
    let clip = view.view_proj() * Vec4::new(0.0, 1.0, 0.0, 1.0);
    assert!(clip.x.abs() < 1e-6 && clip.y.abs() < 1e-6 && clip.w > 0.0);
}

#[test]
fn containers_may_have_more_than_is_read() {
    let parts = valid();
    let mut more = parts.glb();
    more.extend(b"\x04\0\0\0XTRA1234");
    let length = more.len() as u32;
    more[8..12].copy_from_slice(&length.to_le_bytes());
    // What follows the announced length is nobody's.
    more.extend(b"trailing");
    assert!(import_bytes(&more, None, &ImportOptions::default()).is_ok());
    let padded = glb(format!("{}\0\0\0", parts.json).as_bytes(), &parts.bin);
    assert!(import_bytes(&padded, None, &ImportOptions::default()).is_ok());
}

#[test]
fn files_beside_the_scene_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut parts = valid();
    std::fs::create_dir(folder.path().join("my data")).unwrap();
    std::fs::write(folder.path().join("my data/bin 1.bin"), &parts.bin).unwrap();
    std::fs::write(folder.path().join("picture.jpeg"), png()).unwrap();
    parts.json["buffers"][0]["uri"] = json!("my%20data/bin%201.bin");
    // A PNG whatever its name and its mimeType say.
    parts.json["images"] = json!([{"uri": "./picture.jpeg", "mimeType": "image/jpeg"}]);
    let path = folder.path().join("scene.gltf");
    std::fs::write(&path, format!("\u{feff}{}", parts.json)).unwrap();
    let imported = import(&path, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(imported.scene.images[0].width, 2);
    assert!(imported.report.bytes_read > parts.bin.len() as u64);
    // The same from memory, when it is told where to look.
    let bytes = std::fs::read(&path).unwrap();
    assert!(import_bytes(&bytes, Some(folder.path()), &ImportOptions::default()).is_ok());
    let error = import_bytes(&bytes, None, &ImportOptions::default()).unwrap_err();
    assert_eq!(error.pointer(), Some("/buffers/0/uri"));
}

#[test]
fn any_number_of_threads_gives_the_same_scene() {
    let mut parts = valid();
    let image = json!({"bufferView": common::IMAGE_VIEW});
    parts.json["images"] = json!(vec![image; 7]);
    parts.json["textures"] = (0..7).map(|source| json!({"source": source})).collect();
    let material = |index: u32| json!({"normalTexture": {"index": index}});
    parts.json["materials"] = (0..7).map(material).collect();
    let scenes: Vec<String> = [1, 2, 5]
        .map(|threads| {
            let options = ImportOptions { threads, ..ImportOptions::default() };
            format!("{:?}", import_bytes(&parts.glb(), None, &options).unwrap().scene)
        })
        .into();
    assert!(scenes.iter().all(|scene| *scene == scenes[0]));
}

#[test]
fn each_limit_holds_and_names_itself() {
    let bytes = valid().glb();
    let none = Limits::default;
    for (limits, name) in [
        (Limits { file_bytes: 100, ..none() }, "file_bytes"),
        (Limits { json_bytes: 100, ..none() }, "json_bytes"),
        (Limits { json_depth: 3, ..none() }, "json_depth"),
        (Limits { json_objects: 10, ..none() }, "json_objects"),
        (Limits { list_entries: 3, ..none() }, "list_entries"),
        (Limits { accessor_count: 2, ..none() }, "accessor_count"),
        (Limits { unbacked_count: 2, ..none() }, "unbacked_count"),
        (Limits { vertices: 2, ..none() }, "vertices"),
        (Limits { indices: 2, ..none() }, "indices"),
        (Limits { morph_targets: 0, ..none() }, "morph_targets"),
        (Limits { animation_keys: 2, ..none() }, "animation_keys"),
        (Limits { images: 0, ..none() }, "images"),
        (Limits { image_pixels: 3, ..none() }, "image_pixels"),
        (Limits { decoded_bytes: 100, ..none() }, "decoded_bytes"),
    ] {
        let result = import_bytes(&bytes, None, &ImportOptions { limits, ..ImportOptions::default() });
        match result.map(|_| ()).unwrap_err().kind {
            ErrorKind::Limit { option, found, limit, .. } => {
                assert!(option == name && found > limit, "{option}, {name}")
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}
