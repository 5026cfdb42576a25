//! `cargo xtask shaders`: compiles every shader of the workspace with the program that `pellucid-shader` has for it.

use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::exec::{self, cargo};
use crate::setup;

/// The crates that have shaders.
const CRATES: [&str; 1] = ["crates/pellucid-render"];

/// Compiles what changed, as the crates' builds do; with `package`, also writes what is packaged with them.
pub fn run(root: &Path, package: bool) -> Result<(), Error> {
    setup::run(root, false)?;
    exec::run(command(package).args(CRATES))
}

/// The same, where a shader that spirv-val didn't pass is an error.
pub fn check(root: &Path) -> Result<(), Error> {
    setup::run(root, false)?;
    exec::run(command(false).args(CRATES).env("PELLUCID_REQUIRE_SPIRV_VAL", "1"))
}

fn command(package: bool) -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "pellucid-shader", "--features", "build"]);
    command.args(["--bin", "pellucid-shaders", "--"]).args(package.then_some("--package"));
    command
}
