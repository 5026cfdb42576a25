//! Pellucid beside its peers: whole processes that draw one model, interleaved, in one run.
//!
//! Each round starts every contender once, in turn, so that whatever else the machine does meets them
//! alike. Times are wall time from before the process is made until it has been waited for; memory is the
//! peak resident set that the kernel reports for it. A virtual display, which f3d needs, is started before
//! and not timed. Prints Markdown for docs/performance.md.
mod arguments;
mod contender;
mod display;
mod error;
mod machine;
mod process;
mod report;
mod stages;
mod statistics;

use arguments::Arguments;
use contender::Contender;
use error::BenchError;
use process::Cost;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), BenchError> {
    let Some(arguments) = Arguments::parse(std::env::args().skip(1))? else {
        println!("{}", arguments::HELP);
        return Ok(());
    };
    let scene = contender::Scene::find(&arguments)?;
    // Says what to install before anything is measured.
    let f3d_version = machine::version_of("f3d")?;
    let display = display::Display::start()?;
    let output = contender::Scratch::new()?;
    let contenders = contender::all(&scene, &display, output.path())?;

    for contender in &contenders {
        // Once outside the timing: files and code come from the page cache for all of them alike.
        contender.run()?;
    }
    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); contenders.len()];
    for round in 0..arguments.runs {
        eprint!("\rround {} of {}", round + 1, arguments.runs);
        for turn in 0..contenders.len() {
            // Another one begins each round.
            let k = (turn + round) % contenders.len();
            costs[k].push(contenders[k].run()?);
        }
    }
    eprintln!();

    let stages =
        contenders.iter().filter(|c| c.is_ours).map(Contender::stages).collect::<Result<Vec<_>, _>>()?;
    let machine = machine::Machine::read();
    print!(
        "{}",
        report::markdown(&report::Findings {
            machine: &machine,
            f3d_version: &f3d_version,
            scene: &scene,
            contenders: &contenders,
            costs: &costs,
            stages: &stages,
        })
    );
    Ok(())
}
