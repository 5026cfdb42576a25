//! The build step as a Cargo build script.
use super::{BuildError, BuildRequest, REQUIRE_VARIABLE, Report, compile};
use crate::toolchain;
use std::path::PathBuf;
use std::process::ExitCode;

/// A whole `build.rs`: builds the crate's shaders (`shaders/`, `shaders/shaders.toml`, `artifacts/`) and tells
/// Cargo what to watch. The crate then says
/// `include!(concat!(env!("OUT_DIR"), "/shaders.rs"));` in a module of its own. A failure is shown as Cargo
/// errors, without a panic.
#[must_use]
pub fn from_cargo() -> ExitCode {
    for variable in [toolchain::ENVIRONMENT_VARIABLE, REQUIRE_VARIABLE] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    match build() {
        Ok(report) => {
            for path in &report.watched {
                println!("cargo::rerun-if-changed={}", path.display());
            }
            for warning in &report.warnings {
                lines("warning", warning);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            lines("error", &error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<Report, BuildError> {
    let variable = |variable| {
        std::env::var_os(variable).map(PathBuf::from).ok_or(BuildError::NotACargoBuild { variable })
    };
    compile(&BuildRequest::for_crate(&variable("CARGO_MANIFEST_DIR")?, &variable("OUT_DIR")?))
}

/// Cargo takes one line a message.
fn lines(kind: &str, text: &str) {
    for line in text.lines() {
        println!("cargo::{kind}={line}");
    }
}
