//! The `pellucid` command: draws glTF scenes, says what they hold, and says what the machine can draw with.
//!
//! Everything it draws goes through [`pellucid::headless`]; here is only what a command adds: reading the
//! command line, messages, exit statuses, reports.
#![forbid(unsafe_code)]

mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::main()
}
