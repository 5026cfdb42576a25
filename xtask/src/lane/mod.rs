//! `cargo xtask lane`: the checks of the continuous integration, one by one. Each has a time budget.

mod deny;
mod fresh;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::exec::{self, cargo, seconds};
use crate::{setup, shaders};

/// One check.
struct Lane {
    name: &'static str,
    /// What it proves.
    what: &'static str,
    /// Seconds it may take on two cores, building included; more than twice that is a failure.
    budget: u64,
    run: fn(&Path) -> Result<(), Error>,
}

const LANES: [Lane; 7] = [
    Lane { name: "fmt", what: "the code is formatted", budget: 10, run: fmt },
    Lane { name: "clippy", what: "clippy has nothing to say", budget: 420, run: clippy },
    Lane {
        name: "deny",
        what: "licences, sources and duplicates of dependencies are as agreed",
        budget: 60,
        run: deny::run,
    },
    Lane { name: "docs", what: "the documentation builds without a warning", budget: 240, run: docs },
    Lane {
        name: "shaders",
        what: "every shader compiles and passes spirv-val",
        budget: 180,
        run: shaders::check,
    },
    // `cargo xtask test` runs this one with the others, so .ci/run needn't.
    Lane {
        name: "package",
        what: "a project outside the tree builds from the packages without the shader compiler",
        budget: 240,
        run: package,
    },
    // Not part of .ci/run: it needs root and builds everything once more.
    Lane {
        name: "fresh",
        what: "the demo works in an empty Debian 12 (needs root)",
        budget: 1200,
        run: fresh::run,
    },
];

/// Runs the lanes of these names, in their order; the first failure ends it.
pub fn run(root: &Path, names: &[String]) -> Result<(), Error> {
    if names.iter().any(|name| name == "list") {
        for lane in &LANES {
            println!("{:8} {} (budget {} s)", lane.name, lane.what, lane.budget);
        }
        return Ok(());
    }
    let find = |name: &String| {
        LANES.iter().find(|lane| lane.name == name).ok_or_else(|| {
            let known: Vec<_> = LANES.iter().map(|lane| lane.name).collect();
            Error::Usage(format!("there is no lane `{name}`; there are {}", known.join(", ")))
        })
    };
    // All the names first: a misspelt last one should not cost the time of the others.
    let lanes = names.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    for lane in lanes {
        let start = Instant::now();
        (lane.run)(root)?;
        let took = start.elapsed();
        println!("lane {}: passed in {} (budget {} s)", lane.name, seconds(took), lane.budget);
        within_budget(lane.name, took, lane.budget)?;
    }
    Ok(())
}

/// Fails when a lane took more than twice its budget.
fn within_budget(lane: &'static str, took: Duration, budget: u64) -> Result<(), Error> {
    if took > Duration::from_secs(2 * budget) {
        return Err(Error::OverBudget { lane, took: took.as_secs(), budget });
    }
    Ok(())
}

fn fmt(_: &Path) -> Result<(), Error> {
    exec::run(cargo().args(["fmt", "--all", "--check"]))
}

fn clippy(_: &Path) -> Result<(), Error> {
    let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    exec::run(cargo().args(arguments))
}

fn docs(_: &Path) -> Result<(), Error> {
    exec::run(
        cargo()
            .args(["doc", "--workspace", "--no-deps", "--all-features"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

fn package(root: &Path) -> Result<(), Error> {
    setup::run(root, false)?;
    exec::run(cargo().args(["test", "--package", "pellucid-packaging-tests"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_lane_fails() {
        assert!(within_budget("fmt", Duration::from_secs(20), 10).is_ok());
        let error = within_budget("fmt", Duration::from_millis(20_001), 10).unwrap_err();
        assert!(error.to_string().contains("lane fmt"), "{error}");
    }

    #[test]
    fn an_unknown_lane_is_named_before_any_runs() {
        let error = run(Path::new("."), &["fmt".into(), "no-such".into()]).unwrap_err();
        assert!(
            matches!(&error, Error::Usage(text) if text.contains("no-such") && text.contains("clippy")),
            "{error}"
        );
    }
}
