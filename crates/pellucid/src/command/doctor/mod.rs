//! `pellucid doctor`: what this machine can draw with. It looks and draws a tiny picture; it changes nothing.

mod drivers;
mod tools;
mod trial;

use super::args::Doctor;
use super::console::{self, printable};
use super::failure::{Failure, Kind};
use super::report;
use drivers::Drivers;
use pellucid::headless::{PipelineCache, REQUIRED_PROFILES};
use pellucid::rhi::{
    AdapterInfo, AdapterRequest, BackendChoice, Instance, InstanceDesc, InstanceError, ProfileSupport,
    select_adapter,
};
use serde::Serialize;
use std::fmt::Write as _;

pub fn run(args: &Doctor) -> Result<(), Failure> {
    let report = DoctorReport::examine();
    if args.json {
        console::print(&report::to_json(&report)?)?;
    } else {
        console::print(&report.text())?;
    }
    if report.can_render {
        return Ok(());
    }
    Err(Failure::new(Kind::Gpu, "this machine can't draw yet; the remedies are above"))
}

/// Something that is there or not, and what to do when it isn't.
#[derive(Debug, Serialize)]
struct Check {
    ok: bool,
    /// What was found, or what is wrong.
    finding: String,
    /// What to do; null when there is nothing to do.
    remedy: Option<String>,
}

impl Check {
    fn good(finding: impl Into<String>) -> Self {
        Self { ok: true, finding: finding.into(), remedy: None }
    }

    fn bad(finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { ok: false, finding: finding.into(), remedy: Some(remedy.into()) }
    }
}

#[derive(Debug, Serialize)]
struct Adapter {
    name: String,
    kind: String,
    driver: String,
    api: String,
    memory_bytes: u64,
    largest_picture: u32,
    profiles: Vec<Profile>,
}

#[derive(Debug, Serialize)]
struct Profile {
    name: String,
    supported: bool,
    /// What is missing; empty when supported.
    missing: Vec<String>,
}

#[derive(Debug, Serialize)]
struct DoctorReport {
    schema: u32,
    pellucid: &'static str,
    flavour: &'static str,
    can_render: bool,
    loader: Check,
    drivers: Drivers,
    adapters: Vec<Adapter>,
    /// The adapter that a command without `--adapter` takes.
    chosen: Option<String>,
    picture: Check,
    validation_layer: Check,
    pipeline_cache: Check,
    tools: Vec<tools::Tool>,
}

impl DoctorReport {
    fn examine() -> Self {
        let instance = instance(false);
        let adapters = instance.as_ref().map(Instance::adapters).unwrap_or_default();
        let request = AdapterRequest { required: REQUIRED_PROFILES, ..AdapterRequest::default() };
        let chosen = select_adapter(adapters, &request);
        let chosen_name =
            chosen.as_ref().ok().and_then(|chosen| adapters.iter().find(|adapter| adapter.id == *chosen));
        let picture = match (&instance, &chosen) {
            (Err(_), _) => {
                Check::bad("not tried: Vulkan doesn't start", "see the loader and the drivers above")
            }
            (_, Err(error)) => Check::bad(error.to_string(), tools::install("mesa-vulkan-drivers")),
            (Ok(_), Ok(_)) => trial::draw(),
        };
        Self {
            schema: report::SCHEMA,
            pellucid: env!("CARGO_PKG_VERSION"),
            flavour: super::FLAVOUR,
            can_render: picture.ok,
            loader: match &instance {
                Ok(_) => Check::good("found, 1.3 or later"),
                Err(error @ (InstanceError::LoaderMissing { .. } | InstanceError::LoaderTooOld { .. })) => {
                    Check::bad(error.to_string(), tools::install("libvulkan1"))
                }
                Err(error) => {
                    Check::bad(format!("found, but {error}"), "it needs a driver that works, see below")
                }
            },
            drivers: Drivers::find(),
            chosen: chosen_name.map(|adapter| adapter.name.clone()),
            adapters: adapters.iter().map(adapter).collect(),
            picture,
            validation_layer: validation_layer(),
            pipeline_cache: pipeline_cache(),
            tools: tools::look(),
        }
    }

    /// A page for a person.
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = self.write(&mut text);
        printable(text.trim_end()).into_owned()
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "pellucid {}, {} build", self.pellucid, self.flavour)?;
        check(out, "Vulkan loader", &self.loader)?;
        self.drivers.write(out)?;
        for adapter in &self.adapters {
            let is_chosen = self.chosen.as_ref() == Some(&adapter.name);
            writeln!(
                out,
                "\nadapter {}{}",
                adapter.name,
                if is_chosen { "  <- used by default" } else { "" }
            )?;
            writeln!(out, "  {} · {} · {}", adapter.kind, adapter.driver, adapter.api)?;
            writeln!(
                out,
                "  {:.1} GiB of memory, pictures up to {} pixels a side",
                adapter.memory_bytes as f64 / f64::from(1 << 30),
                adapter.largest_picture
            )?;
            for profile in &adapter.profiles {
                let mark = if profile.supported { "yes" } else { "no " };
                let why = if profile.supported {
                    String::new()
                } else {
                    format!(": {}", profile.missing.join(", "))
                };
                writeln!(out, "  {mark} {}{why}", profile.name)?;
            }
        }
        writeln!(out)?;
        check(out, "test picture", &self.picture)?;
        check(out, "validation layer", &self.validation_layer)?;
        check(out, "pipeline cache", &self.pipeline_cache)?;
        for tool in &self.tools {
            match &tool.path {
                Some(path) => writeln!(out, "ok  {} ({}): {path}", tool.name, tool.purpose)?,
                None => writeln!(out, "--  {} ({}): not found; {}", tool.name, tool.purpose, tool.remedy)?,
            }
        }
        writeln!(out)?;
        writeln!(
            out,
            "{}",
            if self.can_render { "This machine can draw." } else { "This machine can't draw yet." }
        )
    }
}

fn check(out: &mut String, title: &str, check: &Check) -> std::fmt::Result {
    writeln!(out, "{}  {title}: {}", if check.ok { "ok" } else { "--" }, check.finding)?;
    match &check.remedy {
        Some(remedy) => writeln!(out, "      {remedy}"),
        None => Ok(()),
    }
}

fn instance(validation: bool) -> Result<Instance, InstanceError> {
    Instance::new(&InstanceDesc { app_name: "pellucid doctor", backend: BackendChoice::Auto, validation })
}

fn adapter(info: &AdapterInfo) -> Adapter {
    Adapter {
        name: info.name.clone(),
        kind: info.kind.to_string(),
        driver: info.driver.clone(),
        api: info.api_version.clone(),
        memory_bytes: info.limits.device_memory,
        largest_picture: info.limits.texture_2d.min(pellucid::headless::MAX_SIZE),
        profiles: info
            .profiles
            .iter()
            .map(|status| Profile {
                name: format!("{:?}", status.profile),
                supported: status.support == ProfileSupport::Supported,
                missing: match &status.support {
                    ProfileSupport::Supported => Vec::new(),
                    ProfileSupport::Missing(missing) => missing.clone(),
                },
            })
            .collect(),
    }
}

fn validation_layer() -> Check {
    match instance(true) {
        Ok(_) => Check::good("installed; `pellucid render --validation` uses it"),
        Err(error @ InstanceError::ValidationLayerMissing { .. }) => Check::bad(
            format!("{error} (only --validation needs it)"),
            tools::install("vulkan-validationlayers"),
        ),
        Err(error) => Check::bad(error.to_string(), "see the loader and the drivers above"),
    }
}

fn pipeline_cache() -> Check {
    match PipelineCache::User.folder() {
        None => {
            Check::bad("nowhere: the environment names no home", "set XDG_CACHE_HOME to a folder of yours")
        }
        Some(folder) => Check::good(folder.display().to_string()),
    }
}
