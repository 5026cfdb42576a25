//! Where it ran.
use crate::error::BenchError;
use std::process::{Command, Stdio};

/// The machine.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The processor's own name.
    pub processor: String,
    /// Processors that this process may use.
    pub threads: usize,
    /// Memory in GiB, when the system says.
    pub memory: Option<f64>,
    /// The system's name and version.
    pub system: String,
}

impl Machine {
    /// Asks the system.
    pub fn read() -> Self {
        let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let (cpu, memory, os) = (file("/proc/cpuinfo"), file("/proc/meminfo"), file("/etc/os-release"));
        let kib = field(&memory, "MemTotal", ':').and_then(|v| v.trim_end_matches(" kB").parse::<f64>().ok());
        Self {
            processor: field(&cpu, "model name", ':').unwrap_or("unknown processor").to_owned(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory: kib.map(|kib| kib / 1024.0 / 1024.0),
            system: field(&os, "PRETTY_NAME", '=')
                .map_or("unknown system", |v| v.trim_matches('"'))
                .to_owned(),
        }
    }
}

/// The value of the first line that starts with `key`.
fn field<'a>(text: &'a str, key: &str, separator: char) -> Option<&'a str> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim_start().strip_prefix(separator).map(str::trim)
}

/// The version that f3d says it has.
///
/// The only program asked for by name; anything else that is missing says so when it is started.
pub fn version_of(program: &'static str) -> Result<String, BenchError> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let output = output.map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => BenchError::NotInstalled { program, package: program },
        _ => BenchError::Start { program: program.to_owned(), source },
    })?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(said.lines().next().unwrap_or_default().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nMemTotal:       1024 kB\n";
        assert_eq!(field(text, "model name", ':'), Some("Some CPU @ 2 GHz"));
        assert_eq!(field(text, "MemTotal", ':'), Some("1024 kB"));
        assert_eq!(field(text, "flags", ':'), None);
    }

    #[test]
    fn a_missing_rival_says_what_to_install() {
        let error = version_of("no-such-rival").unwrap_err().to_string();
        assert!(error.contains("apt-get install"), "{error}");
    }
}
