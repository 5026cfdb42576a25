//! From the command line to an exit status.

mod args;
mod console;
mod doctor;
mod failure;
mod info;
mod parse;
mod render;
mod report;
mod sample;
mod shell;

use args::{Args, Command};
use clap::Parser as _;
use failure::Failure;
use pellucid::headless::Stages;
use std::io::IsTerminal as _;

/// Runs the command that the process was started with; the result is the exit status.
pub fn main() -> u8 {
    let stages = Stages::new();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and versions come here too, for standard output and with status 0. A reader that has gone
            // doesn't change the status.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    start_log(&args);
    if let Err(error) = pellucid::platform::interrupt::install() {
        tracing::warn!(%error, "an interruption may leave a temporary file behind");
    }
    // Nothing below is meant to panic; should it, the status is still a documented one. The panic's own
    // message has been printed by then, and nothing of what it left half-done is looked at again.
    let run = std::panic::AssertUnwindSafe(|| run(&args, &stages));
    let result = std::panic::catch_unwind(run).unwrap_or_else(|_| Err(Failure::internal()));
    match result {
        Ok(()) => 0,
        Err(failure) => {
            console::note(&format!("error: {}", failure.message));
            if let Some(hint) = failure.hint {
                console::note(&format!("  {hint}"));
            }
            if wants_json(&args.command)
                && let Ok(json) = report::failure(&failure)
            {
                let _ = console::print(&json);
            }
            failure.kind as u8
        }
    }
}

fn run(args: &Args, stages: &Stages) -> Result<(), Failure> {
    match &args.command {
        Command::Render(render) => render::run(render, args.quiet, stages),
        Command::Info(info) => info::run(info),
        Command::Doctor(doctor) => doctor::run(doctor),
        Command::Sample(sample) => sample::run(sample, args.quiet),
        Command::Completions { shell } => shell::completions(*shell),
        Command::Man { output } => shell::man(output.as_deref()),
    }
}

const fn wants_json(command: &Command) -> bool {
    match command {
        Command::Render(render) => render.json,
        Command::Info(info) => info.json,
        // Its own report says what is missing.
        Command::Doctor(_) | Command::Sample(_) | Command::Completions { .. } | Command::Man { .. } => false,
    }
}

/// debug, development, profile or release: which of Cargo's profiles built this program.
const FLAVOUR: &str = env!("PELLUCID_FLAVOUR");

/// The log level: -q and -v say it, or else the build's flavour.
fn level(quiet: bool, verbose: u8) -> &'static str {
    const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];
    let usual = match FLAVOUR {
        "debug" => 4,
        "development" => 3,
        "profile" => 2,
        _ => 1,
    };
    let asked = 1 + usize::from(verbose).min(3);
    LEVELS[if quiet { 0 } else { asked.max(usual) }]
}

fn start_log(args: &Args) {
    use tracing_subscriber::EnvFilter;

    // Our own crates' only: what others log is of no use to who draws a picture. RUST_LOG can ask for it.
    let usual = match level(args.quiet, args.verbose) {
        "error" => "error".to_owned(),
        level => ["pellucid", "pellucid_render", "pellucid_rhi", "pellucid_scene"]
            .iter()
            .fold("warn".to_owned(), |filter, ours| format!("{filter},{ours}={level}")),
    };
    let asked = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let (filter, mistake) = match asked.as_deref().map(EnvFilter::try_new) {
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (EnvFilter::new(&usual), Some(error)),
        None => (EnvFilter::new(&usual), None),
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .init();
    if let Some(error) = mistake {
        tracing::warn!(%error, "RUST_LOG is not understood and was ignored");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_is_quiet_and_each_v_says_no_less() {
        assert_eq!(level(true, 0), "error");
        assert_eq!(level(false, 3), "trace");
        assert_eq!(level(false, 255), "trace");
        let expected = match FLAVOUR {
            "debug" => "trace",
            "development" => "debug",
            "profile" => "info",
            _ => "warn",
        };
        assert_eq!(level(false, 0), expected);
    }
}
