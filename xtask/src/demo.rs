//! `cargo xtask demo`: from a fresh checkout to a picture.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::exec::{self, cargo, seconds, timed};
use crate::setup;

/// The build flavour that the demo uses: optimised, but without the release's link-time optimisation, which costs
/// more time in the build than the one picture could win.
const FLAVOUR: &str = "development";

/// The folder for what programs make, which git ignores.
pub const OUT: &str = "out";

/// Sets up, builds, writes the sample scene and draws it.
pub fn run(root: &Path) -> Result<(), Error> {
    let ((), set_up) = timed("set-up", || setup::run(root, false))?;
    let ((), build) = timed("build", || {
        exec::run(cargo().args(["build", "--profile", FLAVOUR, "--package", "pellucid", "--bin", "pellucid"]))
    })?;
    let out = root.join(OUT);
    fs::create_dir_all(&out).map_err(Error::io("create", &out))?;
    let program = crate::suite::built(FLAVOUR, "pellucid")?;
    let ((), sample) =
        timed("sample", || exec::run(Command::new(&program).args(["sample", "-o", "out/room.glb"])))?;
    let ((), render) = timed("render", || {
        let arguments = ["render", "out/room.glb", "-o", "out/room.png", "--size", "1280x720"];
        exec::run(Command::new(&program).args(arguments))
    })?;
    let picture = out.join("room.png");
    if !picture.is_file() {
        return Err(Error::Refused(format!(
            "the renderer reported success but wrote no {}",
            picture.display()
        )));
    }
    println!(
        "\nThe picture: {}\n(set-up {}, build {}, sample {}, render {})",
        picture.display(),
        seconds(set_up),
        seconds(build),
        seconds(sample),
        seconds(render)
    );
    Ok(())
}
