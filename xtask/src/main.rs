//! `cargo xtask`: the project's tasks.
//!
//! It owns setting a machine up, and the order in which the project's own programs and cargo's are run; it has
//! no part in what they do. It is built first on a fresh machine, so it depends on next to nothing and on no other
//! crate of the workspace. Everything runs on the main thread, one program at a time, each shown before it starts.
//! It never writes outside the project, but for the packages that `setup` installs, and never elevates itself
//! without showing the command.

#![forbid(unsafe_code)]

mod bench;
mod cli;
mod demo;
mod doctor;
mod error;
mod exec;
mod lane;
mod log;
mod os;
mod pins;
mod setup;
mod shaders;
mod suite;
mod version;
mod wheel;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cli::Task;
use error::Error;

fn main() -> ExitCode {
    match Task::parse(env::args_os().skip(1)).and_then(|task| perform(&task)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn perform(task: &Task) -> Result<(), Error> {
    let root = root()?;
    env::set_current_dir(&root).map_err(Error::io("enter", &root))?;
    match task {
        Task::Help => {
            println!("{}", cli::HELP);
            Ok(())
        }
        Task::Setup { check } => setup::run(&root, *check),
        Task::Demo => demo::run(&root),
        Task::Test(arguments) => suite::run(&root, arguments),
        Task::Doctor => doctor::run(&root),
        Task::Shaders { package } => shaders::run(&root, *package),
        Task::Lanes(names) => lane::run(&root, names),
        Task::Bench(arguments) => bench::run(&root, arguments),
    }
}

/// The workspace's folder: the one above this crate's, which cargo names when it runs a program.
fn root() -> Result<PathBuf, Error> {
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map(Path::to_owned).ok_or_else(|| Error::Refused("run this as `cargo xtask`".into()))
}
