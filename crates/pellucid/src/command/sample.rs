//! `pellucid sample`.

use super::args::Sample;
use super::console;
use super::failure::{Failure, Kind};
use pellucid::platform::files;
use std::path::Path;

pub fn run(args: &Sample, quiet: bool) -> Result<(), Failure> {
    if args.output == Path::new("-") {
        return console::print_bytes(&pellucid::sample::room());
    }
    files::check_target(&args.output)?;
    if !args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb")) {
        let message =
            format!("{}: the sample is binary glTF; name a file that ends in .glb", args.output.display());
        return Err(Failure::new(Kind::Usage, message));
    }
    let room = pellucid::sample::room();
    files::write_atomic(&args.output, &room)?;
    if quiet {
        return Ok(());
    }
    console::print(&format!("{}: a furnished room, {} KiB", args.output.display(), room.len().div_ceil(1024)))
}
