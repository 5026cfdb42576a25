//! The built `pellucid` command, as a shell sees it: statuses, messages, files.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on has failed")]

mod bad;
mod output;
mod report;
mod shell;
mod support;
