//! `cargo xtask demo`: from a fresh checkout to a picture.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::exec::{self, cargo, seconds, timed};
use crate::setup;

/// The folder of the build flavour that the demo uses. The debug flavour is built soonest (dependencies are hardly
/// optimised), and the tests use it too; drawing happens in the driver, so the picture is no slower for it.
const FLAVOUR: &str = "debug";

/// The folder for what programs make, which git ignores.
const OUT: &str = "out";

/// Sets up, builds, writes the sample scene and draws it.
pub fn run(root: &Path) -> Result<(), Error> {
    let ((), set_up) = timed("set-up", || setup::run(root, false))?;
    let ((), build) =
        timed("build", || exec::run(cargo().args(["build", "--package", "pellucid", "--bin", "pellucid"])))?;
    let out = root.join(OUT);
    fs::create_dir_all(&out).map_err(Error::io("create", &out))?;
    let program = crate::suite::built(FLAVOUR, "pellucid")?;
    // This flavour logs everything unless it is told otherwise.
    let log = env::var_os("RUST_LOG").unwrap_or_else(|| "warn".into());
    let pellucid = |line: &str| exec::run(Command::new(&program).args(line.split(' ')).env("RUST_LOG", &log));
    let ((), sample) = timed("sample", || pellucid("sample -o out/room.glb"))?;
    let ((), render) = timed("render", || {
        // The room has a window: what is seen through it belongs to the picture.
        pellucid("render out/room.glb -o out/room.png --size 1280x720 --background environment")
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
