//! `cargo xtask test`: every test of the workspace.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::exec::{self, cargo, seconds};
use crate::setup;

/// Names the folder with the models and pictures that some tests compare with.
const ASSETS: &str = "PELLUCID_ASSETS";

/// Sets up, then runs the tests: with nextest where it is installed, since it uses the cores better.
pub fn run(root: &Path, arguments: &[OsString]) -> Result<(), Error> {
    let start = std::time::Instant::now();
    setup::run(root, false)?;
    let assets = assets(root);
    match &assets {
        Some(folder) => println!("assets: {}", folder.display()),
        None => println!(
            "assets: none beside the project, and {ASSETS} is not set: tests that compare with them say that they \
             are skipped (in continuous integration that is a failure)"
        ),
    }
    let with_assets = |command: &mut std::process::Command| {
        if let Some(folder) = &assets {
            command.env(ASSETS, folder);
        }
        exec::run(command)
    };
    if exec::find("cargo-nextest").is_some() {
        with_assets(cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]).args(arguments))?;
        // nextest doesn't run the examples in the documentation.
        if arguments.is_empty() {
            with_assets(cargo().args(["test", "--doc", "--workspace", "--quiet"]))?;
        }
    } else {
        with_assets(cargo().args(["test", "--workspace", "--no-fail-fast"]).args(arguments))?;
    }
    println!("test: everything passed in {}", seconds(start.elapsed()));
    Ok(())
}

/// The folder with the assets: as told, or `shared` beside the project where there is one.
pub fn assets(root: &Path) -> Option<PathBuf> {
    match env::var_os(ASSETS) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => {
            root.parent().map(|above| above.join("shared")).filter(|folder| folder.join("models").is_dir())
        }
    }
}

/// A program that cargo has built: it lies in a folder beside the one that this program lies in.
pub fn built(flavour: &str, program: &str) -> Result<PathBuf, Error> {
    let here = env::current_exe().map_err(Error::io("find", "the running program"))?;
    let folder = here.parent().and_then(Path::parent).ok_or_else(|| {
        Error::Refused(format!("{} lies in no target folder: run this as `cargo xtask`", here.display()))
    })?;
    Ok(folder.join(flavour).join(format!("{program}{}", env::consts::EXE_SUFFIX)))
}
