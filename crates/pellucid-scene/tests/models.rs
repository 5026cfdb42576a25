//! Imports every model of the assets folder, and checks what is known of them.
//!
//! The folder is `PELLUCID_ASSETS`, or `../shared` beside the repository. Without it these tests say so and
//! pass, except where `CI` is set.
#![allow(clippy::print_stderr)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use pellucid_scene::{
    AlphaMode, Equirect, EquirectLimits, ErrorKind, Image, ImportOptions, Imported, LightKind, Pose, Scene,
    Transform, import, scene_bounds,
};
use std::path::{Path, PathBuf};

fn models() -> Option<PathBuf> {
    let folder = match std::env::var_os("PELLUCID_ASSETS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let models = folder.join("models");
    if models.is_dir() {
        return Some(models);
    }
    assert!(std::env::var_os("CI").is_none(), "{} is missing; set PELLUCID_ASSETS", models.display());
    eprintln!("skipped: {} is missing; set PELLUCID_ASSETS to the folder with models/", models.display());
    None
}

fn load(path: &Path) -> Imported {
    import(path, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn scene_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(scene_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "glb" || extension == "gltf") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// What the model promises to whoever draws it.
fn check_promises(scene: &Scene) {
    for (index, node) in scene.nodes.iter().enumerate() {
        assert!(node.children.iter().all(|&child| scene.nodes[child].parent == Some(index)));
        assert!(node.mesh.is_none_or(|mesh| mesh < scene.meshes.len()));
        assert!(node.skin.is_none_or(|skin| skin < scene.skins.len()));
        assert!(node.camera.is_none_or(|camera| camera < scene.cameras.len()));
        assert!(node.light.is_none_or(|light| light < scene.lights.len()));
    }
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let count = primitive.positions.len();
        let whole = |length: usize| length == 0 || length == count;
        assert!(count > 0 && primitive.normals.len() == count);
        assert!(whole(primitive.tangents.len()) && whole(primitive.uv0.len()) && whole(primitive.uv1.len()));
        assert!(
            whole(primitive.colors.len()) && whole(primitive.joints.len()) && whole(primitive.weights.len())
        );
        for target in &primitive.targets {
            assert!(
                whole(target.positions.len()) && whole(target.normals.len()) && whole(target.tangents.len())
            );
        }
        assert!(primitive.indices.len().is_multiple_of(3));
        assert!(primitive.indices.iter().all(|&index| (index as usize) < count));
        assert!(primitive.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-3));
        assert!(primitive.weights.iter().all(|weights| (weights.element_sum() - 1.0).abs() < 1e-4));
        if let Some(material) = primitive.material {
            assert!(scene.materials[material].normal_texture.is_none() || !primitive.tangents.is_empty());
        }
        for (tangent, normal) in primitive.tangents.iter().zip(&primitive.normals) {
            let tangent3 = tangent.truncate();
            assert!((tangent3.length() - 1.0).abs() < 1e-3 && tangent.w.abs() == 1.0, "{tangent}");
            assert!(tangent3.dot(*normal).abs() < 0.999, "tangent {tangent3} along normal {normal}");
        }
    }
    for image in &scene.images {
        assert_eq!(image.rgba.len(), image.width as usize * image.height as usize * 4);
    }
    for texture in &scene.textures {
        assert!(texture.image < scene.images.len());
    }
}

#[test]
fn every_model_imports() {
    let Some(models) = models() else { return };
    let files = scene_files(&models);
    assert!(files.len() >= 25, "only {} models in {}", files.len(), models.display());
    for file in files {
        // The assets hold this scene without its buffer: it can only give the error that says so.
        if file.ends_with("ManyCubes/many-cubes.gltf") && !file.with_extension("bin").exists() {
            let error = import(&file, &ImportOptions::default()).unwrap_err();
            assert_eq!(error.pointer(), Some("/buffers/0/uri"));
            assert!(matches!(error.kind, ErrorKind::Reference { .. }), "{error}");
            continue;
        }
        let imported = load(&file);
        let report = &imported.report;
        eprintln!(
            "{:<22} read {:>6.2} parse {:>6.2} build {:>6.2} decode {:>7.2} (cpu {:>7.2}) ms, {} vertices, {} triangles, {} Mpx",
            file.file_stem().unwrap_or_default().to_string_lossy(),
            report.read.as_secs_f64() * 1e3,
            report.parse.as_secs_f64() * 1e3,
            report.build.as_secs_f64() * 1e3,
            report.decode.as_secs_f64() * 1e3,
            report.decode_cpu.as_secs_f64() * 1e3,
            report.vertices,
            report.triangles,
            report.pixels >> 20,
        );
        for warning in &imported.warnings {
            eprintln!("    {}: {}", warning.pointer, warning.message);
        }
        check_promises(&imported.scene);
        assert!(report.triangles > 0, "{}", file.display());
        let bounds = scene_bounds(&imported.scene, &Pose::rest(&imported.scene));
        let bounds = bounds.unwrap_or_else(|| panic!("{} has no bounds", file.display()));
        assert!(bounds.min.is_finite() && bounds.max.is_finite() && bounds.min.cmple(bounds.max).all());
        for animation in 0..imported.scene.animations.len() {
            let end = imported.scene.animations[animation].duration;
            for time in [0.0, end * 0.37, end] {
                let pose = Pose::at(&imported.scene, animation, time);
                assert!(pose.globals(&imported.scene).iter().all(|matrix| matrix.is_finite()));
            }
        }
    }
}

#[test]
fn known_models_hold_what_they_should() {
    let Some(models) = models() else { return };
    let load = |name: &str| load(&models.join(name));

    let sparse = load("SimpleSparseAccessor/SimpleSparseAccessor.gltf").scene;
    // Three of the fourteen points are lifted by the sparse accessor.
    let bounds = scene_bounds(&sparse, &Pose::rest(&sparse)).unwrap();
    assert_eq!((bounds.min.y, bounds.max.y), (0.0, 4.0));

    let compressed = load("BoxMeshopt/BoxMeshopt.glb").scene;
    let bounds = scene_bounds(&compressed, &Pose::rest(&compressed)).unwrap();
    assert!((bounds.max - bounds.min).abs_diff_eq(glam::Vec3::splat(bounds.max.x - bounds.min.x), 1e-3));
    assert_eq!(compressed.meshes[0].primitives[0].indices.len(), 36);

    let lit = load("VolumetricFogExample/VolumetricFogExample.glb").scene;
    assert_eq!(lit.lights.len(), 1);
    assert_eq!(lit.lights[0].kind, LightKind::Directional);
    assert_eq!(lit.lights[0].intensity.x, 68300.0);
    assert!(lit.nodes.iter().any(|node| node.light == Some(0)));

    let fox = load("Fox/Fox.glb").scene;
    assert_eq!(fox.animations.len(), 3);
    assert_eq!(fox.skins[0].joints.len(), fox.skins[0].inverse_bind.len());
    assert_eq!(fox.meshes[0].primitives[0].normals.len(), fox.meshes[0].primitives[0].indices.len(), "flat");

    let helmet = load("FlightHelmet/FlightHelmet.gltf").scene;
    assert_eq!((helmet.images.len(), helmet.materials.len()), (15, 6));
    assert!(helmet.materials.iter().any(|material| material.alpha_mode == AlphaMode::Blend));

    let cameras = load("Cameras/Cameras.gltf").scene;
    assert_eq!(cameras.cameras.len(), 2);

    let morph = load("AnimatedMorphCube/AnimatedMorphCube.glb").scene;
    assert_eq!(morph.meshes[0].primitives[0].targets.len(), 2);
    assert!(Pose::at(&morph, 0, 0.7).weights.iter().flatten().any(|&weight| weight > 0.0));

    let man = load("CesiumMan/CesiumMan.glb").scene;
    let still = Pose::rest(&man);
    let walking = Pose::at(&man, 0, man.animations[0].duration * 0.5);
    assert_ne!(still.locals, walking.locals);
    let (a, b) = (scene_bounds(&man, &still).unwrap(), scene_bounds(&man, &walking).unwrap());
    // A person of one and a half metres, walking or not.
    for bounds in [a, b] {
        assert!((1.2..2.0).contains(&(bounds.max.y - bounds.min.y)), "{bounds:?}");
    }
    assert!(
        man.nodes.iter().any(|node| matches!(node.transform, Transform::Matrix(_) | Transform::Trs { .. }))
    );
}

/// The tangents that FlightHelmet's file holds were made by MikkTSpace too: ours must agree with them.
#[test]
fn tangents_agree_with_a_files_own() {
    let Some(models) = models() else { return };
    let path = models.join("FlightHelmet/FlightHelmet.gltf");
    let folder = path.parent().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let theirs = load(&path).scene;
    for mesh in json["meshes"].as_array_mut().unwrap() {
        for primitive in mesh["primitives"].as_array_mut().unwrap() {
            primitive["attributes"].as_object_mut().unwrap().remove("TANGENT");
        }
    }
    let bytes = serde_json::to_vec(&json).unwrap();
    let ours = pellucid_scene::import_bytes(&bytes, Some(folder), &ImportOptions::default()).unwrap().scene;
    let (mut agree, mut all) = (0_u32, 0_u32);
    for (ours, theirs) in ours.meshes.iter().zip(&theirs.meshes) {
        let (ours, theirs) = (&ours.primitives[0], &theirs.primitives[0]);
        for (&a, &b) in ours.indices.iter().zip(&theirs.indices) {
            let (a, b) = (ours.tangents[a as usize], theirs.tangents[b as usize]);
            all += 1;
            agree += u32::from(a.truncate().dot(b.truncate()) > 0.95 && a.w == b.w);
        }
    }
    assert!(f64::from(agree) > 0.95 * f64::from(all), "{agree} of {all} corners agree");
}

/// Environments are what another decoder makes of the same bytes.
#[test]
fn environments_agree_with_another_decoder() {
    let Some(models) = models() else { return };
    for name in ["chinese_garden_1k.hdr", "spiaggia_di_mondello_1k.hdr"] {
        let path = models.join("../environments").join(name);
        let ours =
            Equirect::load(&path, &EquirectLimits::default()).unwrap_or_else(|error| panic!("{error}"));
        let theirs = image::open(&path).unwrap().into_rgb32f();
        assert_eq!((ours.width, ours.height), theirs.dimensions());
        assert!(ours.rgb.as_flattened() == theirs.as_raw().as_slice(), "{name} differs");
    }
    let garden = models.join("../environments/chinese_garden_1k.hdr");
    let garden = Equirect::load(&garden, &EquirectLimits::default()).unwrap();
    // The sun, beyond what half floats hold.
    assert_eq!(garden.rgb.as_flattened().iter().copied().fold(0.0, f32::max), 78848.0);
}

/// Pixels are what another decoder makes of the same bytes.
#[test]
fn pixels_agree_with_another_decoder() {
    let Some(models) = models() else { return };
    let plane = load(&models.join("TwoSidedPlane/TwoSidedPlane.gltf")).scene;
    let find = |name: &str| -> image::RgbaImage {
        image::open(models.join("TwoSidedPlane").join(name)).unwrap().to_rgba8()
    };
    let expected = [
        find("TwoSidedPlane_BaseColor.png"),
        find("TwoSidedPlane_MetallicRoughness.png"),
        find("TwoSidedPlane_Normal.png"),
    ];
    let same = |image: &Image, expected: &image::RgbaImage| image.rgba == *expected.as_raw();
    for image in &plane.images {
        assert!(expected.iter().any(|expected| same(image, expected)), "{image:?} is none of the three");
    }
}
