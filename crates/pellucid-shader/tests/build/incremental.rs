//! Only what changed is compiled.
use crate::support::Scratch;
use pellucid_shader::build::{Origin, compile};
use std::fs;

const ALL: [&str; 4] = ["raster_vertex", "raster_fragment", "reduce", "layouts"];

#[test]
fn a_change_costs_its_dependants_only() {
    let scratch = Scratch::new();
    let request = scratch.request();
    let first = compile(&request).unwrap();
    assert_eq!(
        (first.origin, first.compiled.as_slice()),
        (Origin::Compiled, ALL.map(String::from).as_slice())
    );
    let generated = fs::metadata(&first.generated).unwrap().modified().unwrap();

    let second = compile(&request).unwrap();
    assert!(second.compiled.is_empty());
    assert_eq!(second.reused, ALL);
    assert_eq!(second.shaders, first.shaders);
    assert_eq!(fs::metadata(&second.generated).unwrap().modified().unwrap(), generated, "it had not changed");

    // An import: both raster shaders. The text after it is the same shader.
    let frame = scratch.read("shaders/common/frame.slang");
    scratch.write("shaders/common/frame.slang", &format!("{frame}\n// More.\n"));
    let third = compile(&request).unwrap();
    assert_eq!(third.compiled, ["raster_vertex", "raster_fragment"]);
    assert_ne!(third.shaders[0].record.source_hash, first.shaders[0].record.source_hash);
    assert_eq!(third.shaders[0].spirv, first.shaders[0].spirv);

    // An include, rewritten with the same bytes: nothing.
    let instance = scratch.read("shaders/raster/instance.slang");
    scratch.write("shaders/raster/instance.slang", &instance);
    assert!(compile(&request).unwrap().compiled.is_empty());

    // A source of one shader: that one.
    let reduce = scratch.read("shaders/compute/reduce.slang");
    scratch.write("shaders/compute/reduce.slang", &reduce.replace("63 - index", "62 - index"));
    let fourth = compile(&request).unwrap();
    assert_eq!(fourth.compiled, ["reduce"]);
    assert_ne!(fourth.shaders[2].spirv, first.shaders[2].spirv);

    // The output folder holds nothing that isn't made again.
    fs::remove_dir_all(&request.out_dir).unwrap();
    assert!(compile(&request).unwrap().compiled.is_empty());
    assert!(scratch.path("out/shaders.rs").exists());
    assert_eq!(fs::read(scratch.path("out/spirv/reduce.spv")).unwrap(), fourth.shaders[2].spirv);
}

#[test]
fn damaged_and_orphaned_slots_do_no_harm() {
    let scratch = Scratch::new();
    let request = scratch.request();
    compile(&request).unwrap();
    let slot = scratch.path("cache/reduce.spv");
    let mut bytes = fs::read(&slot).unwrap();
    bytes[40] ^= 1;
    fs::write(&slot, bytes).unwrap();
    scratch.write("cache/layouts.json", "{");
    assert_eq!(compile(&request).unwrap().compiled, ["reduce", "layouts"]);

    let manifest = scratch.read("shaders/shaders.toml");
    let (kept, _) = manifest.split_once("[[shader]]\nname = \"reduce\"").unwrap();
    scratch.write("shaders/shaders.toml", kept);
    let report = compile(&request).unwrap();
    assert_eq!(report.reused, ["raster_vertex", "raster_fragment"]);
    let mut slots: Vec<_> = fs::read_dir(&request.cache_dir)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    slots.sort();
    assert_eq!(
        slots,
        ["raster_fragment.json", "raster_fragment.spv", "raster_vertex.json", "raster_vertex.spv"]
    );
}

#[test]
fn cargo_is_told_every_source() {
    let scratch = Scratch::new();
    let report = compile(&scratch.request()).unwrap();
    for path in ["shaders.toml", "common/frame.slang", "raster/instance.slang", "compute/reduce.slang"] {
        let path = scratch.path("shaders").join(path);
        assert!(report.watched.contains(&path), "{} is not watched", path.display());
    }
}
