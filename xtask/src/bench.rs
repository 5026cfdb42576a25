//! `cargo xtask bench`: the side-by-side benchmarks.

use std::ffi::OsString;
use std::path::Path;

use crate::error::Error;
use crate::exec::{self, cargo};
use crate::setup;
use crate::suite;

/// Sets up, builds the command as users get it, and measures it beside its peers.
pub fn run(root: &Path, arguments: &[OsString]) -> Result<(), Error> {
    setup::run(root, false)?;
    exec::run(cargo().args(["build", "--release", "--package", "pellucid", "--bin", "pellucid"]))?;
    let mut bench = cargo();
    bench.args(["run", "--quiet", "--release", "--package", "pellucid-benches", "--"]).args(arguments);
    bench.env("PELLUCID_BIN", suite::built("release", "pellucid")?);
    if let Some(assets) = suite::assets(root) {
        bench.env("PELLUCID_ASSETS", assets);
    }
    exec::run(&mut bench)
}
