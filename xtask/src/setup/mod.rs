//! `cargo xtask setup`: installs what is missing and fetches the shader compiler; quick when nothing is.

mod apt;
mod elevation;
pub mod needs;
pub mod probe;

use std::env;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::error::Error;
use crate::exec;
use crate::os::Os;
use crate::pins::SLANG;
use crate::wheel::{Bundle, State, WHEEL_DIR};
use needs::Need;

/// Names a folder with a Slang toolchain to use instead of the pinned one.
pub const SLANG_DIR: &str = "PELLUCID_SLANG_DIR";

/// The git-ignored folder for what is fetched.
pub fn cache(root: &Path) -> PathBuf {
    root.join(".cache")
}

/// Something that the set-up would do.
struct Todo {
    packages: Vec<(Need, String)>,
    slang: Option<String>,
}

impl Todo {
    /// Looks; changes nothing.
    fn find(root: &Path) -> Result<Self, Error> {
        let slang = slang_problem(root)?;
        let mut wanted = Need::ALWAYS.to_vec();
        if slang.is_some() {
            // Starting pip takes half a second, so it is asked for only where there is something to fetch.
            wanted.push(if env::var_os(WHEEL_DIR).is_some() { Need::Python } else { Need::Pip });
        }
        let packages =
            wanted.into_iter().filter_map(|need| need.probe().err().map(|found| (need, found))).collect();
        Ok(Self { packages, slang })
    }

    fn is_empty(&self) -> bool {
        self.packages.is_empty() && self.slang.is_none()
    }
}

/// Sets the machine up; with `check`, only reports what that would do.
pub fn run(root: &Path, check: bool) -> Result<(), Error> {
    let start = Instant::now();
    let todo = Todo::find(root)?;
    if todo.is_empty() {
        println!("setup: everything is there ({})", exec::seconds(start.elapsed()));
        return Ok(());
    }
    for (need, found) in &todo.packages {
        println!("missing: {} ({found})", need.what());
    }
    if let Some(problem) = &todo.slang {
        println!("missing: {} ({problem})", SLANG.what);
    }
    if check {
        return Err(Error::Missing("Run `cargo xtask setup` to install these.".into()));
    }
    install_packages(&todo.packages)?;
    if todo.slang.is_some() {
        if !Bundle::runs_here() {
            return Err(Error::Missing(format!(
                "There is no pinned Slang toolchain for this machine (only for Linux on x86-64). Unpack Slang {} \
                 yourself and set {SLANG_DIR} to the folder that holds slangc.",
                crate::pins::SLANG_VERSION
            )));
        }
        SLANG.install(&cache(root))?;
        println!("installed {} in .cache/{}", SLANG.what, SLANG.folder.join("/"));
    }
    println!("setup: done in {}", exec::seconds(start.elapsed()));
    Ok(())
}

/// Installs packages where the set-up may, and makes sure that they did what they were installed for.
fn install_packages(missing: &[(Need, String)]) -> Result<(), Error> {
    if missing.is_empty() {
        return Ok(());
    }
    let os = Os::read();
    if !os.is_supported_debian() {
        return Err(Error::Missing(needs::instructions(&os, missing)));
    }
    let list: Vec<_> = missing.iter().map(|(need, _)| *need).collect();
    apt::install(&os, &list)?;
    for need in list {
        if let Err(found) = need.probe() {
            return Err(Error::Refused(format!(
                "apt-get reported success, but there still isn't {}: {found}",
                need.what()
            )));
        }
    }
    Ok(())
}

/// Makes sure of Python and pip before a tool other than the shader compiler is fetched.
pub fn install_tool(root: &Path, tool: &Bundle) -> Result<PathBuf, Error> {
    let cache = cache(root);
    if tool.state(&cache)? != State::Whole {
        if let Err(found) = Need::Pip.probe() {
            install_packages(&[(Need::Pip, found)])?;
        }
        tool.install(&cache)?;
    }
    Ok(tool.path(&cache))
}

/// What is wrong with the shader compiler, if anything is.
pub fn slang_problem(root: &Path) -> Result<Option<String>, Error> {
    if let Some(folder) = env::var_os(SLANG_DIR) {
        let program = Path::new(&folder).join(format!("slangc{}", env::consts::EXE_SUFFIX));
        return if program.is_file() {
            Ok(None)
        } else {
            // Fetching ours would not help: the shader build would go on looking there.
            Err(Error::Missing(format!(
                "{SLANG_DIR} is set, but there is no {}: mend or unset it.",
                program.display()
            )))
        };
    }
    Ok(match SLANG.state(&cache(root))? {
        State::Whole => None,
        State::Absent => Some("not installed".into()),
        State::Damaged(file) => Some(format!("{} is not the pinned file", file.display())),
    })
}
