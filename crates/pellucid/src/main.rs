//! The `pellucid` command: draws glTF scenes, says what they hold, and says what the machine can draw with.
//!
//! Everything it draws goes through [`pellucid::headless`]; here is only what a command adds: reading the
//! command line, messages, exit statuses, reports.
#![forbid(unsafe_code)]

mod command;

fn main() -> ! {
    let status = command::main();
    // Everything is written and flushed by now. A driver's tidying up would take a good part of the time that a
    // small picture takes, and gives back nothing that the system doesn't.
    pellucid::platform::process::end(status)
}
