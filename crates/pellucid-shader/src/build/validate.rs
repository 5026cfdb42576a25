//! Runs the `spirv-val` of the machine, when there is one.
use super::BuildError;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Command;

/// Makes a missing validator an error when it is set to anything but 0 or nothing.
pub const REQUIRE_VARIABLE: &str = "PELLUCID_REQUIRE_SPIRV_VAL";

/// Whether there is a validator, asked once a build.
pub(super) fn available(program: &OsStr) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Validates the module in `file` for Vulkan 1.3 with scalar block layout, which the device must have.
pub(super) fn run(program: &OsStr, shader: &str, file: &Path) -> Result<(), BuildError> {
    let start = |error: io::Error| BuildError::Start { program: program.into(), error };
    let output = Command::new(program)
        .args(["--target-env", "vulkan1.3", "--scalar-block-layout"])
        .arg(file)
        .output()
        .map_err(start)?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    let diagnostics = String::from_utf8_lossy(&text).trim().to_owned();
    Err(BuildError::Invalid { shader: shader.to_owned(), diagnostics })
}
