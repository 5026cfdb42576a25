//! A user's view of the packages: a project outside the tree depends on `pellucid`, has no shader compiler, and
//! builds and runs all the same, because the packages carry the compiled shaders.
//!
//! It is slow the first time (the dependencies are built once more, into `target/tmp`) and quick after.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails here fails its test")]
use pellucid_shader::build::{self, BuildRequest, Shader};
use pellucid_shader::toolchain;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is packaged: the facade and all it stands on.
const CRATES: [&str; 6] =
    ["pellucid", "pellucid-platform", "pellucid-render", "pellucid-rhi", "pellucid-scene", "pellucid-shader"];

/// Prints what the packages carry, then draws a triangle with it: its opaque pixels, and all.
const PROGRAM: &str = r###"
use pellucid::prelude::*;

const TRIANGLE: &str = r##"{
    "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
    "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
    "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
        "min": [-1, 0, 0], "max": [1, 1.5, 0] }],
    "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
    "buffers": [{ "byteLength": 36,
        "uri": "data:application/octet-stream;base64,AACAvwAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAwD8AAAAA" }]
}"##;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for shader in pellucid::render::SHADERS {
        println!("{} {} {}", shader.name, shader.source_hash, shader.spirv.len());
    }
    let imported = import_bytes(TRIANGLE.as_bytes(), None, &ImportOptions::default())?;
    let mut session = Session::new(&SessionOptions::default())?;
    let request = RenderRequest { width: 128, height: 128, ..RenderRequest::new(&imported.scene) };
    let picture = session.render(&request)?;
    let opaque = picture.bytes.chunks_exact(4).filter(|pixel| pixel[3] == 255).count();
    println!("{opaque} {}", picture.bytes.len() / 4);
    Ok(())
}
"###;

fn workspace() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// A folder below the target folder that is kept, so that dependencies are built once.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn cargo(folder: &Path, target: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    // What the cargo above set for this test is not for the cargo below.
    for (name, _) in std::env::vars_os() {
        let inherited =
            name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR");
        if inherited {
            command.env_remove(name);
        }
    }
    command
}

/// Runs to the end; a failure shows everything that was said.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}\n{error}");
    out.into_owned()
}

/// Compiles the renderer's shaders into its package folder.
fn package_shaders() -> Vec<Shader> {
    let scratch = tempfile::tempdir().unwrap();
    let request = BuildRequest::for_crate(&workspace().join("crates/pellucid-render"), scratch.path());
    build::package(&request).unwrap_or_else(|error| panic!("{error}")).shaders
}

/// Makes the packages and unpacks them; gives each package's folder.
fn packages(into: &Path) -> Vec<(&'static str, PathBuf)> {
    let target = kept("package");
    let mut command = cargo(&workspace(), &target);
    command.args(["package", "--no-verify", "--allow-dirty"]);
    run(command.args(CRATES.iter().flat_map(|name| ["--package", name])));
    let version = env!("CARGO_PKG_VERSION");
    let unpack = |name: &'static str| {
        let archive = target.join(format!("package/{name}-{version}.crate"));
        run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(into));
        (name, into.join(format!("{name}-{version}")))
    };
    CRATES.map(unpack).to_vec()
}

/// Writes a project that takes these packages in place of the registry's.
fn project(folder: &Path, packages: &[(&str, PathBuf)]) {
    let mut manifest = format!(
        "[package]\nname = \"outside\"\nedition = \"2024\"\n\n[dependencies]\npellucid = {{ version = \"{}\", \
         default-features = false }}\n\n[patch.crates-io]\n",
        env!("CARGO_PKG_VERSION")
    );
    for (name, path) in packages {
        manifest += &format!("{name} = {{ path = {path:?} }}\n");
    }
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/main.rs"), PROGRAM).unwrap();
    // The versions that the workspace was tested with.
    fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
}

#[test]
fn an_outside_project_builds_from_the_packages_without_a_toolchain() {
    let shaders = package_shaders();
    assert!(!shaders.is_empty());
    let outside = tempfile::tempdir().unwrap();
    assert!(!outside.path().starts_with(workspace()));
    let packages = packages(outside.path());
    let folder = outside.path().join("project");
    project(&folder, &packages);

    // No toolchain, and nothing of this user's that a build script might find one in; cargo itself keeps the
    // place of its registry.
    let nowhere = outside.path().join("nowhere");
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let keep =
        |variable: &str, usual: &str| std::env::var_os(variable).unwrap_or_else(|| home.join(usual).into());
    let (cargo_home, rustup_home) = (keep("CARGO_HOME", ".cargo"), keep("RUSTUP_HOME", ".rustup"));
    let mut command = cargo(&folder, &kept("outside"));
    command
        .args(["run", "--quiet"])
        .env(toolchain::ENVIRONMENT_VARIABLE, &nowhere)
        .env("HOME", outside.path())
        .env("CARGO_HOME", cargo_home)
        .env("RUSTUP_HOME", rustup_home);
    let printed = run(&mut command);
    let expected: Vec<String> = shaders
        .iter()
        .map(|shader| format!("{} {} {}", shader.record.name, shader.record.source_hash, shader.spirv.len()))
        .collect();
    let mut lines: Vec<&str> = printed.lines().collect();
    let counts: Vec<usize> = lines.pop().unwrap().split(' ').map(|count| count.parse().unwrap()).collect();
    assert_eq!(lines, expected);
    // The triangle, framed, covers a good part of the picture and not all of it.
    assert_eq!(counts[1], 128 * 128);
    assert!(counts[0] > counts[1] / 20 && counts[0] < counts[1] * 3 / 4, "{counts:?}");

    // The same project, its artifacts gone: the build says what to do.
    let (_, render) = packages.iter().find(|(name, _)| *name == "pellucid-render").unwrap();
    fs::remove_dir_all(render.join("artifacts")).unwrap();
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(error.contains("no shader compiler") && error.contains("cargo xtask setup"), "{error}");
    assert!(!error.contains("panicked"), "{error}");
}
