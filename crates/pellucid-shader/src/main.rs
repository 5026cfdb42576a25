//! `pellucid-shaders`: compiles the shaders of crates as their build scripts would, and puts them where crates
//! are packaged from. `cargo xtask shaders` calls it.
#![forbid(unsafe_code)]
use pellucid_shader::build::{BuildError, BuildRequest, Report, compile, package};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: pellucid-shaders [--package] CRATE_FOLDER...

  Compiles the shaders of each crate (shaders/, shaders/shaders.toml) and says what was done.
  --package   also write them to the crate's artifacts/, validated, for `cargo package`";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (flags, folders): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.starts_with('-'));
    if folders.is_empty() || flags.iter().any(|flag| *flag != "--package") {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    for folder in folders {
        if let Err(error) = run(Path::new(folder), !flags.is_empty()) {
            eprintln!("error: {folder}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn run(folder: &Path, packaged: bool) -> Result<(), BuildError> {
    let start = Instant::now();
    // The walk up to the toolchain needs a whole path.
    let crate_dir = std::path::absolute(folder).map_err(|error| BuildError::Io {
        what: "find",
        path: folder.to_path_buf(),
        error,
    })?;
    let scratch = Scratch(std::env::temp_dir().join(format!("pellucid-shaders-{}", std::process::id())));
    let request = BuildRequest::for_crate(&crate_dir, &scratch.0);
    let report = if packaged { package(&request)? } else { compile(&request)? };
    tell(folder, &report, start);
    if packaged {
        println!("{}: artifacts/ holds {} shaders", folder.display(), report.shaders.len());
    }
    Ok(())
}

fn tell(folder: &Path, report: &Report, start: Instant) {
    for warning in &report.warnings {
        println!("{warning}");
    }
    let bytes: usize = report.shaders.iter().map(|shader| shader.spirv.len()).sum();
    let validated = report.shaders.iter().filter(|shader| shader.record.validated).count();
    println!(
        "{}: {} shaders ({} compiled, {} unchanged, {validated} passed spirv-val), {bytes} bytes of SPIR-V, {:.1} s",
        folder.display(),
        report.shaders.len(),
        report.compiled.len(),
        report.reused.len(),
        start.elapsed().as_secs_f64()
    );
}

/// A folder that goes with its owner.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // It may never have been made.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
