//! Imports a scene and prints what it holds and how long each stage took: `import SCENE [THREADS]`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is what the program is for")]

use pellucid_scene::{ImportOptions, Pose, import, scene_bounds};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: import SCENE [THREADS]");
        return ExitCode::from(2);
    };
    let threads = arguments.next().and_then(|threads| threads.parse().ok()).unwrap_or(0);
    let imported = match import(Path::new(&path), &ImportOptions { threads, ..ImportOptions::default() }) {
        Ok(imported) => imported,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let (scene, report) = (&imported.scene, &imported.report);
    println!(
        "{} nodes, {} meshes, {} vertices, {} triangles, {} materials, {} images ({} pixels), {} animations",
        scene.nodes.len(),
        scene.meshes.len(),
        report.vertices,
        report.triangles,
        scene.materials.len(),
        scene.images.len(),
        report.pixels,
        scene.animations.len(),
    );
    println!("bounds {:?}", scene_bounds(scene, &Pose::rest(scene)));
    println!(
        "read {:?}, parse {:?}, build {:?}, then decode {:?} (decoders in all {:?})",
        report.read, report.parse, report.build, report.decode, report.decode_cpu
    );
    for warning in &imported.warnings {
        println!("{}: {}", warning.pointer, warning.message);
    }
    ExitCode::SUCCESS
}
