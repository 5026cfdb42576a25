//! A virtual X display for contenders that need one.
use crate::error::BenchError;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running display; ends when dropped.
#[derive(Debug)]
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts Xvfb on a free number and waits until it takes connections.
    pub fn start() -> Result<Self, BenchError> {
        let program = || "Xvfb".to_owned();
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x1100x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| match source.kind() {
                std::io::ErrorKind::NotFound => BenchError::NotInstalled { program: "Xvfb", package: "xvfb" },
                _ => BenchError::Start { program: program(), source },
            })?;
        let mut number = String::new();
        if let Some(pipe) = server.stdout.take() {
            // It writes the number once it is ready; an empty line means that it ended instead.
            let read = BufReader::new(pipe).read_line(&mut number);
            read.map_err(|source| BenchError::Start { program: program(), source })?;
        }
        let display = Self { server, name: format!(":{}", number.trim()) };
        if number.trim().is_empty() {
            let source = std::io::Error::other("ended before it was ready");
            return Err(BenchError::Start { program: program(), source });
        }
        Ok(display)
    }

    /// What goes into `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
