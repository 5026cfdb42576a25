//! The fresh lane: the demo in an empty Debian 12, its log kept as evidence.

use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::exec;
use crate::log::Filter;
use crate::setup;

/// Where the log is kept.
const LOG: &str = "docs/evidence/fresh-debian-12.log";

/// Names another task to run there than `demo`, as in `setup`; its log is not kept.
const TASK: &str = "PELLUCID_FRESH_TASK";

/// Makes the empty system, runs the task in it, and keeps the log when it passed.
pub fn run(root: &Path) -> Result<(), Error> {
    for program in ["mmdebstrap", "unshare", "git"] {
        if exec::find(program).is_none() {
            return Err(Error::Missing(format!("lane fresh needs {program}: apt-get install {program}")));
        }
    }
    let task = env::var(TASK).unwrap_or_else(|_| "demo".into());
    let folder = setup::cache(root).join("fresh").join("root");
    let mut command = Command::new("bash");
    command.args(["-c", "exec xtask/fresh.sh \"$@\" 2>&1", "fresh"]).arg(&folder).arg(&task);
    println!("$ {}", exec::show(&command));
    let started = |source| Error::Start { command: "xtask/fresh.sh".into(), source };
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(started)?;

    let mut filter = Filter::new([
        (folder.display().to_string(), "<root>"),
        (root.display().to_string(), "<project>"),
        (env::temp_dir().display().to_string(), "<temporary>"),
        (env::var("HOME").unwrap_or_default(), "~"),
    ]);
    let mut kept = Vec::new();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = line.map_err(Error::io("read", "the output of xtask/fresh.sh"))?;
            let line = String::from_utf8_lossy(&line).into_owned();
            println!("{line}");
            kept.extend(filter.line(&line));
        }
    }
    kept.extend(filter.finish());
    let status = child.wait().map_err(started)?;
    if !status.success() {
        return Err(Error::Failed {
            command: format!("xtask/fresh.sh … {task}"),
            status: status.to_string(),
        });
    }
    if task == "demo" {
        keep(root, &kept)?;
    }
    fs::remove_dir_all(&folder).map_err(Error::io("remove", &folder))
}

/// Writes the log beside its place, then renames it there.
fn keep(root: &Path, lines: &[String]) -> Result<(), Error> {
    let log = root.join(LOG);
    let draft = log.with_extension("log.new");
    let mut file = File::create(&draft).map_err(Error::io("create", &draft))?;
    for line in lines {
        writeln!(file, "{line}").map_err(Error::io("write", &draft))?;
    }
    fs::rename(&draft, &log).map_err(Error::io("put in place", &log))?;
    println!("kept the log as {LOG}");
    Ok(())
}
