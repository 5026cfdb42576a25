//! `cargo xtask shaders`: compiles every shader of the workspace.

use std::path::Path;

use crate::error::Error;
use crate::exec::{self, cargo};
use crate::setup;

/// Compiles what changed, as the renderer's build does.
pub fn run(root: &Path, package: bool) -> Result<(), Error> {
    setup::run(root, false)?;
    let _ = package;
    exec::run(cargo().args(["check", "--package", "pellucid-render"]))
}
