//! `cargo xtask doctor`: a report on this machine. Reads only; installs nothing and never elevates.

use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::exec;
use crate::os::Os;
use crate::pins::SLANG_VERSION;
use crate::setup::needs::{Family, Need};
use crate::setup::{self, probe};
use crate::suite;

/// A tool that nothing here needs, but that a developer may miss.
struct Optional {
    program: &'static str,
    version: &'static [&'static str],
    what_for: &'static str,
    /// How to get it: a package of Debian 12 or of crates.io.
    remedy: &'static str,
}

const OPTIONAL: [Optional; 7] = [
    Optional {
        program: "cargo-nextest",
        version: &["nextest", "--version"],
        what_for: "runs tests sooner",
        remedy: "cargo install cargo-nextest --locked",
    },
    Optional {
        program: "renderdoccmd",
        version: &["--version"],
        what_for: "looks inside a frame",
        remedy: "apt-get install renderdoc (Debian 12; in no later release)",
    },
    Optional {
        program: "vulkaninfo",
        version: &["--version"],
        what_for: "lists what drivers offer",
        remedy: "apt-get install vulkan-tools",
    },
    Optional {
        program: "wine",
        version: &["--version"],
        what_for: "runs the Windows build, for Direct3D 12",
        remedy: "apt-get install wine wine64",
    },
    Optional {
        program: "f3d",
        version: &["--version"],
        what_for: "is the rival in `cargo xtask bench`",
        remedy: "apt-get install f3d xvfb",
    },
    Optional {
        program: "Xvfb",
        version: &["-version"],
        what_for: "is f3d's display in `cargo xtask bench`",
        remedy: "apt-get install xvfb",
    },
    Optional {
        program: "mmdebstrap",
        version: &["--version"],
        what_for: "makes the empty system of `cargo xtask lane fresh`",
        remedy: "apt-get install mmdebstrap",
    },
];

/// Prints the report. Fails only where a required thing is missing.
pub fn run(root: &Path) -> Result<(), Error> {
    let os = Os::read();
    let mut missing = 0;
    let mut line = |good: bool, what: &str, detail: &str| {
        println!("  {} {what}: {detail}", if good { "ok     " } else { "MISSING" });
        missing += u32::from(!good);
    };

    println!("System: {}", os.name);
    println!("Required");
    match probe::program("rustc", &["--version"]) {
        Some(version) => line(true, "Rust", &version),
        None => line(false, "Rust", "no rustc on the search path. Install Rust 1.95 or later"),
    }
    for need in Need::ALWAYS {
        match need.probe() {
            Ok(found) => line(true, need.what(), &found),
            Err(found) => line(false, need.what(), &format!("{found}. {}", remedy(&os, need))),
        }
    }
    match setup::slang_problem(root) {
        Ok(None) => line(true, "the Slang compiler", SLANG_VERSION),
        Ok(Some(problem)) => {
            line(false, "the Slang compiler", &format!("{problem}. Run `cargo xtask setup`"))
        }
        Err(error) => line(false, "the Slang compiler", &error.to_string()),
    }

    println!("Optional");
    for tool in &OPTIONAL {
        match exec::find(tool.program) {
            Some(path) => {
                let version = probe::program(tool.program, tool.version);
                println!(
                    "  ok      {}: {}",
                    tool.program,
                    version.unwrap_or_else(|| path.display().to_string())
                );
            }
            None => println!("  absent  {} ({}): {}", tool.program, tool.what_for, tool.remedy),
        }
    }
    match suite::assets(root) {
        Some(folder) => println!("  ok      assets: {}", folder.display()),
        None => println!("  absent  assets (models for tests): set PELLUCID_ASSETS to their folder"),
    }

    println!("Adapters");
    adapters()?;
    if missing == 0 {
        Ok(())
    } else {
        Err(Error::Missing(format!("{missing} required thing(s) missing: run `cargo xtask setup`")))
    }
}

/// How to get a required thing here.
fn remedy(os: &Os, need: Need) -> String {
    match Family::of(os) {
        _ if os.is_supported_debian() => "Run `cargo xtask setup`".into(),
        Some(family) => format!("{} {}", family.installer(), need.packages(family).join(" ")),
        None => "Install it with your system's package manager".into(),
    }
}

/// Lets the newest `pellucid` that was built speak about adapters; doctor itself builds nothing.
fn adapters() -> Result<(), Error> {
    let mut newest = None;
    for flavour in ["development", "release", "profile", "debug"] {
        let program = suite::built(flavour, "pellucid")?;
        if let Ok(time) = program.metadata().and_then(|data| data.modified())
            && newest.as_ref().is_none_or(|(seen, _)| time > *seen)
        {
            newest = Some((time, program));
        }
    }
    match newest {
        Some((_, program)) => exec::run(Command::new(program).arg("doctor")),
        None => {
            println!(
                "  not looked at: build the command first (`cargo build --package pellucid`), then run this again"
            );
            Ok(())
        }
    }
}
