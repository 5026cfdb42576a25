//! Runs other programs: always announced before they start, and failed loudly when they fail.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::Error;

/// Prints the command, then runs it with this process's own input and output.
pub fn run(command: &mut Command) -> Result<(), Error> {
    let shown = show(command);
    println!("$ {shown}");
    let status = command.status().map_err(|source| Error::Start { command: shown.clone(), source })?;
    if status.success() { Ok(()) } else { Err(Error::Failed { command: shown, status: status.to_string() }) }
}

/// Runs a command that only reads, without announcing it, and returns what it wrote to standard output.
pub fn read(command: &mut Command) -> Result<String, Error> {
    let shown = show(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|source| Error::Start { command: shown.clone(), source })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or_default().trim();
        Err(Error::Failed { command: shown, status: format!("{}: {last}", output.status) })
    }
}

/// Where a program is on the search path, if it is.
pub fn find(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(&name)).find(|path| path.is_file())
}

/// The `cargo` that runs this task, so that nested builds use the same toolchain.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The command as one would type it in the current folder, with the variables that were set for it.
pub fn show(command: &Command) -> String {
    let here = env::current_dir().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
    let word = |text: &OsStr| {
        let text = text.to_string_lossy();
        quote(text.strip_prefix(&here).filter(|_| !here.is_empty()).unwrap_or(&text))
    };
    let mut words = Vec::new();
    for (key, value) in command.get_envs() {
        if let Some(value) = value {
            words.push(format!("{}={}", key.to_string_lossy(), word(value)));
        }
    }
    let program = Path::new(command.get_program());
    // The full path of the toolchain's own cargo would only be noise.
    words.push(if program.file_stem().is_some_and(|stem| stem == "cargo") {
        "cargo".to_owned()
    } else {
        word(program.as_os_str())
    });
    words.extend(command.get_args().map(word));
    words.join(" ")
}

/// One word as a POSIX shell would need it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%~".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Times a step and prints what it took.
pub fn timed<T>(name: &str, step: impl FnOnce() -> Result<T, Error>) -> Result<(T, Duration), Error> {
    let start = Instant::now();
    let value = step()?;
    let took = start.elapsed();
    println!("{name}: {}", seconds(took));
    Ok((value, took))
}

/// A duration for people: `0.42 s`, `12.3 s`, `4 min 05 s`.
pub fn seconds(duration: Duration) -> String {
    let s = duration.as_secs_f64();
    if s < 10.0 {
        format!("{s:.2} s")
    } else if s < 60.0 {
        format!("{s:.1} s")
    } else {
        format!("{} min {:02} s", duration.as_secs() / 60, duration.as_secs() % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_typed() {
        let mut command = Command::new("apt-get");
        command.args(["install", "it's", "a b", ""]).env("DEBIAN_FRONTEND", "noninteractive");
        assert_eq!(show(&command), r"DEBIAN_FRONTEND=noninteractive apt-get install 'it'\''s' 'a b' ''");
    }

    #[test]
    fn paths_are_shown_from_here() {
        let here = env::current_dir().unwrap();
        assert_eq!(show(Command::new(here.join("tool")).arg(here.join("out/a b"))), "tool 'out/a b'");
        assert_eq!(show(Command::new("ls").arg(&here)), format!("ls {}", quote(&here.to_string_lossy())));
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(seconds(Duration::from_millis(420)), "0.42 s");
        assert_eq!(seconds(Duration::from_millis(12_340)), "12.3 s");
        assert_eq!(seconds(Duration::from_secs(245)), "4 min 05 s");
    }

    #[cfg(unix)]
    #[test]
    fn a_failing_program_is_an_error_that_quotes_it() {
        let error = read(Command::new("sh").args(["-c", "echo no such luck >&2; exit 7"])).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("no such luck") && text.contains('7'), "{text}");
    }

    #[test]
    fn a_missing_program_is_an_error_that_names_it() {
        let error = read(&mut Command::new("pellucid-no-such-program")).unwrap_err();
        assert!(matches!(error, Error::Start { .. }), "{error:?}");
        assert!(error.to_string().contains("pellucid-no-such-program"));
        assert_eq!(find("pellucid-no-such-program"), None);
    }
}
