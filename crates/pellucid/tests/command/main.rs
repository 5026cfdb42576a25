//! The built `pellucid` command, as a shell sees it: statuses, messages, files.

mod bad;
mod output;
mod report;
mod shell;
mod support;
