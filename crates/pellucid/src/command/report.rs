//! What a command did, as JSON and as a line.
//!
//! The JSON's keys are a promise (docs/command.md): they are added to, and `schema` counts up when one goes
//! or changes its meaning.

use super::args::Render;
use super::console::printable;
use super::failure::{Failure, Kind};
use pellucid::headless::{Stage, Stages};
use pellucid::picture::Format;
use pellucid::render::DrawStatistics;
use pellucid::rhi::{AdapterInfo, MemoryStats, ValidationMessages};
use pellucid::scene::{Imported, Scene};
use serde::Serialize;

/// Counts up when a key goes or changes its meaning.
pub const SCHEMA: u32 = 1;

/// A report as text that ends without a line's end.
pub fn to_json(report: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(report)
        .map_err(|error| Failure::new(Kind::Render, format!("can't write the report as JSON: {error}")))
}

/// The report of a failure.
pub fn failure(failure: &Failure) -> Result<String, Failure> {
    #[derive(Serialize)]
    struct Report<'a> {
        schema: u32,
        error: Error<'a>,
    }
    #[derive(Serialize)]
    struct Error<'a> {
        kind: &'static str,
        exit_status: u8,
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        hint: Option<&'a str>,
    }
    let Failure { kind, message, hint } = failure;
    let error = Error { kind: kind.name(), exit_status: *kind as u8, message, hint: *hint };
    to_json(&Report { schema: SCHEMA, error })
}

/// What the importer left out or corrected.
#[derive(Debug, Serialize)]
pub struct Warning {
    pointer: String,
    message: String,
}

impl Warning {
    /// Where and what.
    pub fn text(&self) -> String {
        if self.pointer.is_empty() {
            self.message.clone()
        } else {
            format!("{}: {}", self.pointer, self.message)
        }
    }
}

impl From<&pellucid::scene::Warning> for Warning {
    fn from(warning: &pellucid::scene::Warning) -> Self {
        Self { pointer: warning.pointer.clone(), message: warning.message.clone() }
    }
}

/// How much of everything a scene holds.
#[derive(Debug, Serialize)]
pub struct Counts {
    pub nodes: usize,
    pub meshes: usize,
    pub primitives: usize,
    pub vertices: u64,
    pub triangles: u64,
    pub materials: usize,
    pub textures: usize,
    pub images: usize,
    pub pixels: u64,
    pub cameras: usize,
    pub lights: usize,
    pub skins: usize,
    pub animations: usize,
}

impl Counts {
    pub fn new(imported: &Imported) -> Self {
        let Scene { nodes, meshes, materials, textures, images, cameras, lights, skins, animations, .. } =
            &imported.scene;
        Self {
            nodes: nodes.len(),
            meshes: meshes.len(),
            primitives: meshes.iter().map(|mesh| mesh.primitives.len()).sum(),
            vertices: imported.report.vertices,
            triangles: imported.report.triangles,
            materials: materials.len(),
            textures: textures.len(),
            images: images.len(),
            pixels: imported.report.pixels,
            cameras: cameras.len(),
            lights: lights.len(),
            skins: skins.len(),
            animations: animations.len(),
        }
    }
}

/// The picture that was written.
#[derive(Debug, Serialize)]
pub struct Output {
    path: String,
    format: &'static str,
    width: u32,
    height: u32,
    bytes: usize,
}

impl Output {
    pub fn new(args: &Render, to_stdout: bool, format: Format, bytes: usize) -> Self {
        let path = if to_stdout { "-".into() } else { args.output.display().to_string() };
        Self { path, format: format.name(), width: args.size.0, height: args.size.1, bytes }
    }
}

#[derive(Debug, Serialize)]
struct Adapter {
    name: String,
    kind: String,
    driver: String,
    api: String,
}

#[derive(Debug, Serialize)]
struct Drawn {
    draws: u32,
    instances: u32,
    triangles: u64,
    culled: u32,
    lights: u32,
    lights_dropped: u32,
}

#[derive(Debug, Serialize)]
struct StageMs {
    name: &'static str,
    start_ms: f64,
    ms: f64,
}

#[derive(Debug, Serialize)]
struct Memory {
    /// The process's largest resident size; null where the system doesn't say.
    peak_process_bytes: Option<u64>,
    peak_device_bytes: u64,
}

#[derive(Debug, Serialize)]
struct Validation {
    errors: u64,
    warnings: u64,
    messages: Vec<String>,
}

/// What `pellucid render` did.
#[derive(Debug, Serialize)]
pub struct RenderReport {
    schema: u32,
    pellucid: &'static str,
    output: Output,
    adapter: Adapter,
    scene: Counts,
    drawn: Drawn,
    total_ms: f64,
    /// By when they began. Some run beside others: the sum is more than the total.
    stages: Vec<StageMs>,
    memory: Memory,
    warnings: Vec<Warning>,
    /// Null unless the validation layer watched.
    validation: Option<Validation>,
}

/// What a report is made of.
pub struct Facts<'a> {
    pub output: Output,
    pub adapter: &'a AdapterInfo,
    pub imported: &'a Imported,
    pub statistics: DrawStatistics,
    pub memory: MemoryStats,
    pub warnings: Vec<Warning>,
    pub validation: Option<&'a ValidationMessages>,
    pub stages: &'a Stages,
}

impl RenderReport {
    pub fn new(facts: Facts<'_>) -> Self {
        let DrawStatistics { draws, instances, triangles, culled, lights, lights_dropped } = facts.statistics;
        Self {
            schema: SCHEMA,
            pellucid: env!("CARGO_PKG_VERSION"),
            output: facts.output,
            adapter: Adapter {
                name: facts.adapter.name.clone(),
                kind: facts.adapter.kind.to_string(),
                driver: facts.adapter.driver.clone(),
                api: facts.adapter.api_version.clone(),
            },
            scene: Counts::new(facts.imported),
            drawn: Drawn { draws, instances, triangles, culled, lights, lights_dropped },
            stages: with_import_parts(facts.stages.take(), facts.imported)
                .iter()
                .map(StageMs::from)
                .collect(),
            total_ms: milliseconds(facts.stages.elapsed()),
            memory: Memory {
                peak_process_bytes: pellucid::platform::process::peak_memory(),
                peak_device_bytes: facts.memory.peak,
            },
            warnings: facts.warnings,
            validation: facts.validation.map(|messages| Validation {
                errors: messages.errors,
                warnings: messages.warnings,
                messages: messages.texts.clone(),
            }),
        }
    }

    /// One line for a person.
    pub fn line(&self) -> String {
        let Self { output, adapter, drawn, .. } = self;
        let line = format!(
            "{}: {}x{}, {} triangles in {} draws on {}, {:.0} ms",
            output.path,
            output.width,
            output.height,
            drawn.triangles,
            drawn.draws,
            adapter.name,
            self.total_ms
        );
        printable(&line).into_owned()
    }
}

impl From<&Stage> for StageMs {
    fn from(stage: &Stage) -> Self {
        Self { name: stage.name, start_ms: milliseconds(stage.start), ms: milliseconds(stage.duration) }
    }
}

/// To a microsecond, which is more than the clock's worth.
fn milliseconds(duration: std::time::Duration) -> f64 {
    duration.as_micros() as f64 / 1000.0
}

/// Puts the importer's own measures after the stage they are parts of. They run one after the other.
fn with_import_parts(stages: Vec<Stage>, imported: &Imported) -> Vec<Stage> {
    let report = &imported.report;
    let mut all = Vec::with_capacity(stages.len() + 4);
    for stage in stages {
        all.push(stage);
        if stage.name == "import" {
            let mut start = stage.start;
            for (name, duration) in [
                ("import: read", report.read),
                ("import: parse", report.parse),
                ("import: build", report.build),
                ("import: decode", report.decode),
            ] {
                all.push(Stage { name, start, duration });
                start += duration;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_importers_parts_follow_their_stage() {
        let ms = Duration::from_millis;
        let mut imported = Imported::default();
        (imported.report.read, imported.report.parse) = (ms(2), ms(3));
        let stage = |name, start, duration| Stage { name, start: ms(start), duration: ms(duration) };
        let all = with_import_parts(
            vec![stage("device", 0, 9), stage("import", 1, 7), stage("draw", 9, 1)],
            &imported,
        );
        let seen: Vec<_> = all.iter().map(|stage| (stage.name, stage.start)).collect();
        assert_eq!(
            seen,
            [
                ("device", ms(0)),
                ("import", ms(1)),
                ("import: read", ms(1)),
                ("import: parse", ms(3)),
                ("import: build", ms(6)),
                ("import: decode", ms(6)),
                ("draw", ms(9)),
            ]
        );
    }

    #[test]
    fn a_failure_is_told_in_json() {
        let told = Failure { kind: Kind::Input, message: "a \"quoted\" file".into(), hint: Some("do this") };
        let json: serde_json::Value = serde_json::from_str(&failure(&told).unwrap()).unwrap();
        assert_eq!(
            json,
            serde_json::json!({"schema": 1, "error": {
                "kind": "input", "exit_status": 3, "message": "a \"quoted\" file", "hint": "do this"
            }})
        );
    }
}
