//! The command line: what may be typed, and what it means.

use std::ffi::OsString;

use lexopt::prelude::*;

use crate::error::Error;

/// The text of `cargo xtask help`.
pub const HELP: &str = "\
Usage: cargo xtask TASK

  setup [--check]          install what is missing and fetch the shader compiler; --check only reports
  demo                     set up, build, and draw the sample room to out/room.png
  test [-- ARGUMENTS]      set up and run every test; ARGUMENTS go to the test runner
  doctor                   report on this machine: adapters, drivers, tools; changes nothing
  shaders [--package]      compile all shaders; --package also puts them where crates are packaged from
  lane NAME...             run lanes of the continuous integration; `lane list` names them
  bench [-- ARGUMENTS]     run the side-by-side benchmarks

Exit codes: 0 done, 1 a step failed, 2 the command line makes no sense, 3 something must be installed by you.";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub enum Task {
    /// Print [`HELP`].
    Help,
    /// Install what is missing.
    Setup {
        /// Only report.
        check: bool,
    },
    /// Draw the sample.
    Demo,
    /// Run the tests, with these arguments for the runner.
    Test(Vec<OsString>),
    /// Report on the machine.
    Doctor,
    /// Compile the shaders.
    Shaders {
        /// Put the artifacts where crates are packaged from.
        package: bool,
    },
    /// Run these lanes.
    Lanes(Vec<String>),
    /// Run the benchmarks, with these arguments.
    Bench(Vec<OsString>),
}

impl Task {
    /// Reads the arguments after the program's name.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, Error> {
        let usage = |error: lexopt::Error| Error::Usage(format!("{error}\n\n{HELP}"));
        let mut parser = lexopt::Parser::from_args(arguments);
        let name = match parser.next().map_err(usage)? {
            None | Some(Short('h') | Long("help")) => return Ok(Self::Help),
            Some(Value(name)) => name.to_string_lossy().into_owned(),
            Some(other) => return Err(usage(other.unexpected())),
        };
        let mut flag = false;
        let mut values = Vec::new();
        while let Some(argument) = parser.next().map_err(usage)? {
            match (name.as_str(), argument) {
                (_, Short('h') | Long("help")) => return Ok(Self::Help),
                ("setup", Long("check")) | ("shaders", Long("package")) => flag = true,
                ("test" | "bench" | "lane", Value(value)) => values.push(value),
                (_, other) => return Err(usage(other.unexpected())),
            }
        }
        match name.as_str() {
            "help" => Ok(Self::Help),
            "setup" => Ok(Self::Setup { check: flag }),
            "demo" => Ok(Self::Demo),
            "test" => Ok(Self::Test(values)),
            "doctor" => Ok(Self::Doctor),
            "shaders" => Ok(Self::Shaders { package: flag }),
            "bench" => Ok(Self::Bench(values)),
            "lane" if values.is_empty() => {
                Err(Error::Usage("which lane? `cargo xtask lane list` names them".into()))
            }
            "lane" => {
                Ok(Self::Lanes(values.iter().map(|value| value.to_string_lossy().into_owned()).collect()))
            }
            _ => Err(Error::Usage(format!("there is no task `{name}`\n\n{HELP}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Task, Error> {
        Task::parse(words.iter().map(OsString::from))
    }

    #[test]
    fn tasks() {
        assert_eq!(parse(&[]).unwrap(), Task::Help);
        assert_eq!(parse(&["setup"]).unwrap(), Task::Setup { check: false });
        assert_eq!(parse(&["setup", "--check"]).unwrap(), Task::Setup { check: true });
        assert_eq!(parse(&["shaders", "--package"]).unwrap(), Task::Shaders { package: true });
        assert_eq!(parse(&["lane", "fmt", "docs"]).unwrap(), Task::Lanes(vec!["fmt".into(), "docs".into()]));
        let filter = ["-p", "x"].map(OsString::from).to_vec();
        assert_eq!(parse(&["test", "--", "-p", "x"]).unwrap(), Task::Test(filter));
        assert_eq!(parse(&["demo", "--help"]).unwrap(), Task::Help);
    }

    #[test]
    fn nonsense_is_a_usage_error() {
        for words in [
            &["fly"][..],
            &["lane"],
            &["demo", "fast"],
            &["setup", "--package"],
            &["--no"],
            &["doctor", "-x"],
        ] {
            let error = parse(words).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{words:?}: {error}");
        }
    }
}
