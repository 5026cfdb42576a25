//! Whether this process may install packages, and how.

use std::io::{IsTerminal, stdin};
use std::process::Command;

use crate::error::Error;
use crate::exec;

/// The right to change the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elevation {
    /// This process is root's.
    Root,
    /// There is sudo, which may ask for a password where there is somebody to ask.
    Sudo,
    /// There is neither.
    None,
}

impl Elevation {
    /// Finds out, without elevating.
    pub fn of_this_process() -> Result<Self, Error> {
        if exec::read(Command::new("id").arg("-u"))?.trim() == "0" {
            Ok(Self::Root)
        } else if exec::find("sudo").is_some() {
            Ok(Self::Sudo)
        } else {
            Ok(Self::None)
        }
    }

    /// A command that will run with that right.
    pub fn command(self, program: &str) -> Result<Command, Error> {
        match self {
            Self::Root => Ok(Command::new(program)),
            Self::Sudo => {
                let mut command = Command::new("sudo");
                // Without a terminal a question could never be answered: fail instead of waiting.
                if !stdin().is_terminal() {
                    command.arg("-n");
                }
                command.arg(program);
                Ok(command)
            }
            Self::None => Err(Error::Missing(format!("`{program}` needs root, and there is no sudo"))),
        }
    }
}
