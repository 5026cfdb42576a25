//! Figures as Markdown.
use crate::contender::{Contender, Scene};
use crate::machine::Machine;
use crate::process::Cost;
use crate::stages::Stages;
use crate::statistics::{median, quartiles};
use std::fmt::{self, Write as _};

/// What was found.
pub struct Findings<'a> {
    /// Where.
    pub machine: &'a Machine,
    /// The rival's version.
    pub f3d_version: &'a str,
    /// What was drawn.
    pub scene: &'a Scene,
    /// Who drew it, the rival first.
    pub contenders: &'a [Contender],
    /// Each one's costs, by round.
    pub costs: &'a [Vec<Cost>],
    /// Where the time of each of ours went.
    pub stages: &'a [Stages],
}

/// The page.
pub fn markdown(findings: &Findings<'_>) -> String {
    let mut page = String::new();
    // Writing to a string can't fail.
    let _ = write(&mut page, findings);
    page
}

const MIB: f64 = 1024.0 * 1024.0;

fn write(page: &mut String, findings: &Findings<'_>) -> fmt::Result {
    let Findings { machine, f3d_version, scene, contenders, costs, stages } = findings;
    let model = scene.model.file_stem().unwrap_or_default().to_string_lossy();
    let rounds = costs.first().map_or(0, Vec::len);
    write!(page, "Machine: {}, {} processors", machine.processor, machine.threads)?;
    if let Some(memory) = machine.memory {
        write!(page, ", {memory:.1} GiB")?;
    }
    write!(page, "; {}", machine.system)?;
    if let Some(Stages { adapter, .. }) = stages.first() {
        write!(page, "; {}, {}", adapter.name, adapter.driver)?;
    }
    writeln!(page, "; {f3d_version}.")?;
    let size = scene.size;
    writeln!(page, "{model} at {size}x{size}, whole processes, {rounds} interleaved rounds.\n")?;

    writeln!(
        page,
        "| program | draws | wall, median (quartiles) | wall / f3d | processor time | peak memory |"
    )?;
    writeln!(page, "|---|---|---|---|---|---|")?;
    let walls: Vec<Vec<f64>> =
        costs.iter().map(|c| c.iter().map(|c| c.wall.as_secs_f64() * 1000.0).collect()).collect();
    for ((contender, costs), wall) in contenders.iter().zip(*costs).zip(&walls) {
        let cpu: Vec<f64> = costs.iter().map(|c| c.cpu.as_secs_f64() * 1000.0).collect();
        let memory: Vec<f64> = costs.iter().map(|c| c.peak_memory as f64 / MIB).collect();
        // Of one round, so that what slowed the machine then slows both.
        let ratios: Vec<f64> = wall.iter().zip(&walls[0]).map(|(ours, theirs)| ours / theirs).collect();
        let (low, high) = quartiles(wall);
        writeln!(
            page,
            "| {} | {} | {:.0} ms ({low:.0} to {high:.0}) | {:.2} | {:.0} ms | {:.0} MiB |",
            contender.name,
            contender.draws,
            median(wall),
            median(&ratios),
            median(&cpu),
            median(&memory)
        )?;
    }

    for (contender, stages) in contenders.iter().filter(|c| c.is_ours).zip(*stages) {
        writeln!(
            page,
            "\nWhere the time of \"{}\" goes, a middle run of five, {:.0} ms in all:\n",
            contender.name, stages.total_ms
        )?;
        writeln!(page, "| stage | begins | takes |\n|---|---|---|")?;
        for stage in &stages.stages {
            writeln!(page, "| {} | {:.1} ms | {:.1} ms |", stage.name, stage.start_ms, stage.ms)?;
        }
    }
    Ok(())
}
