//! Artifacts that travel with a package are used where there is no compiler, and never when they don't fit.
use crate::support::Scratch;
use pellucid_shader::build::{BuildError, BuildRequest, Origin, compile, package};
use std::fs;

fn packaged() -> Scratch {
    let scratch = Scratch::new();
    package(&scratch.request()).unwrap();
    scratch
}

fn stale(scratch: &Scratch) -> String {
    let error = compile(&scratch.request_without_toolchain()).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, BuildError::Stale { .. }), "{text}");
    assert!(text.starts_with("stale artifacts: ") && text.contains("cargo xtask shaders"), "{text}");
    text
}

#[test]
fn a_package_gives_the_same_shaders_without_a_compiler() {
    let scratch = packaged();
    let compiled = compile(&scratch.request()).unwrap();
    let code = scratch.read("out/shaders.rs");
    fs::remove_dir_all(scratch.path("out")).unwrap();

    let report = compile(&scratch.request_without_toolchain()).unwrap();
    assert_eq!(report.origin, Origin::Packaged);
    assert_eq!(report.shaders, compiled.shaders);
    assert_eq!(scratch.read("out/shaders.rs"), code);

    // The sources may be left out of a package.
    for folder in ["common", "raster", "compute"] {
        fs::remove_dir_all(scratch.path("shaders").join(folder)).unwrap();
    }
    assert_eq!(compile(&scratch.request_without_toolchain()).unwrap().shaders, compiled.shaders);
}

#[test]
fn each_way_to_be_stale_is_told() {
    let scratch = packaged();
    let frame = scratch.read("shaders/common/frame.slang");
    scratch.write("shaders/common/frame.slang", &format!("{frame}\n"));
    let text = stale(&scratch);
    assert!(text.contains("raster_vertex") && text.contains("common/frame.slang"), "{text}");
    scratch.write("shaders/common/frame.slang", &frame);

    let path = scratch.path("artifacts/reduce.spv");
    let good = fs::read(&path).unwrap();
    fs::write(&path, &good[..good.len() - 4]).unwrap();
    assert!(stale(&scratch).contains("reduce.spv is damaged"));
    fs::write(&path, good).unwrap();

    let manifest = scratch.read("shaders/shaders.toml");
    let more = format!(
        "{manifest}\n[[shader]]\nname = \"new\"\nfile = \"a.slang\"\nentry = \"e\"\nstage = \"vertex\"\n"
    );
    scratch.write("shaders/shaders.toml", &more);
    assert!(stale(&scratch).contains("`new`"));
    scratch.write("shaders/shaders.toml", &manifest.replace("entry = \"reduce\"", "entry = \"reduce_all\""));
    assert!(stale(&scratch).contains("other options"));
    scratch.write("shaders/shaders.toml", &manifest);

    scratch.write("artifacts/index.json", "{}");
    assert!(stale(&scratch).contains("index.json"));
}

#[test]
fn packaging_needs_compiler_and_validator_and_replaces_what_was_there() {
    let scratch = packaged();
    assert!(matches!(package(&scratch.request_without_toolchain()).unwrap_err(), BuildError::Toolchain(_)));
    let blind = BuildRequest {
        validator: "no-such-spirv-val".into(),
        require_validator: false,
        cache_dir: scratch.path("another-cache"),
        ..scratch.request()
    };
    assert!(matches!(package(&blind).unwrap_err(), BuildError::NoValidator));
    scratch.write("artifacts/old.spv", "left over");
    package(&scratch.request()).unwrap();
    assert!(!scratch.path("artifacts/old.spv").exists());
    assert!(scratch.path("artifacts/index.json").exists());
}
