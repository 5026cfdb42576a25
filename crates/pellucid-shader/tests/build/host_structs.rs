//! A Rust struct that doesn't mirror its shader struct stops the build, and the message names the field.
use crate::support::{BUILT, Scratch};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

const GOOD: &str = "
#[repr(C)] pub struct Light { pub position: [f32; 3], pub range: f32, pub color: [f32; 4] }
#[repr(C)] pub struct Frame {
    pub clip_from_world: [[f32; 4]; 4],
    pub eye: [f32; 3],
    pub exposure: f32,
    pub lights: [Light; 4],
    pub rotation: [[f32; 4]; 3],
    pub size: [u32; 2],
    pub padding: [u32; 2],
    pub weights: [[f32; 4]; 2],
}
#[repr(C)] pub struct Instance { pub world_from_model: [[f32; 4]; 4], pub material: u32, pub padding: [u32; 3] }
#[repr(C)] pub struct Settings { pub count: u32, pub scale: f32 }
";

/// This crate as a library, made once.
static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let scratch = &BUILT.0;
    let library = scratch.path("libpellucid_shader.rlib");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let output = rustc(scratch, &["--crate-type", "rlib", "--crate-name", "pellucid_shader"])
        .arg(source)
        .arg("-o")
        .arg(&library)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
});

fn rustc(scratch: &Scratch, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition", "2024"]).args(arguments).env("OUT_DIR", scratch.path("out"));
    command
}

/// Compiles a crate with these structs and the generated code; what rustc says when it fails.
fn check(structs: &str) -> Result<(), String> {
    let (scratch, library) = (&BUILT.0, &*LIBRARY);
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("lib.rs");
    let text =
        format!("{structs}\npub mod shaders {{ include!(concat!(env!(\"OUT_DIR\"), \"/shaders.rs\")); }}\n");
    std::fs::write(&source, text).unwrap();
    let output = rustc(scratch, &["--crate-type", "lib", "--crate-name", "host", "--emit", "metadata"])
        .arg("--extern")
        .arg(format!("pellucid_shader={}", library.display()))
        .arg("--out-dir")
        .arg(folder.path())
        .arg(&source)
        .output()
        .unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn a_true_mirror_compiles() {
    check(GOOD).unwrap();
}

#[test]
fn each_false_one_names_struct_and_field() {
    let cases = [
        // Two fields in the other order.
        (
            "pub eye: [f32; 3],\n    pub exposure: f32,",
            "pub exposure: f32,\n    pub eye: [f32; 3],",
            "`crate::Frame` mirrors `Frame` of shader `raster_vertex`: field `eye` (float3) must be at byte 64",
        ),
        // Padding forgotten.
        ("    pub padding: [u32; 2],\n", "", "field `weights` (float2[2]) must be at byte 272"),
        // Elements without the 16-byte stride of constant buffers.
        ("weights: [[f32; 4]; 2]", "weights: [[f32; 2]; 2]", "field `weights` (float2[2]) must be 32 bytes"),
        // A matrix without the padding of its columns.
        (
            "rotation: [[f32; 4]; 3]",
            "rotation: [[f32; 3]; 3], pub gap: [f32; 3]",
            "field `rotation` (float3x3) must be 44 to 48 bytes",
        ),
        // A nested struct.
        ("pub color: [f32; 4] }", "pub color: [f32; 3] }", "`crate::Light` mirrors `Light`"),
        // A scalar of another size, at the end where no later offset tells.
        ("scale: f32", "scale: f64", "field `scale` (float) must be"),
        // Numbers of another type in the same bytes.
        (
            "pub exposure: f32",
            "pub exposure: u32",
            "field `exposure` (float) must hold numbers of type float",
        ),
        ("size: [u32; 2]", "size: [f32; 2]", "field `size` (uint2) must hold numbers of type uint"),
        ("pub material: u32", "pub material: bool", "doesn't know which numbers `bool` holds"),
        // One field too many.
        ("padding: [u32; 3] }", "padding: [u32; 3], pub more: u32 }", "its size must be exactly 80 bytes"),
        // One too few: the field itself is what rustc misses.
        ("pub exposure: f32,", "pub other: f32,", "no field `exposure`"),
    ];
    for (good, bad, expected) in cases {
        let text = GOOD.replacen(good, bad, 1);
        assert_ne!(text, GOOD, "{good} is not in the good text");
        let error = check(&text).unwrap_err();
        assert!(error.contains(expected), "{error}\nshould say: {expected}");
    }
}
