//! The build step: Slang sources and `shaders.toml` become artifacts and generated Rust.
//!
//! A crate's `build.rs` is one line, [`from_cargo`]; tools call [`compile`] and [`package`]. Only what changed
//! is compiled again: a shader's slot in the cache is good as long as the compiler, the options, the source and
//! every include are what they were. Without a compiler the artifacts that a packaged crate carries are used.
mod cache;
mod cargo;
mod check;
mod compiler;
mod error;
mod generate;
mod hash;
mod manifest;
mod model;
mod package;
mod reflection;
mod validate;

pub use cache::Shader;
pub use cargo::from_cargo;
pub use error::BuildError;
pub use manifest::{HostStruct, MAX_SHADERS, Manifest, ShaderEntry};
pub use model::{
    BindingRecord, BlockRecord, Field, InputRecord, Layout, Parameter, Record, Reflection, Shape, Source,
    StructLayout,
};
pub use validate::REQUIRE_VARIABLE;

use crate::spirv::{Module, strip_source};
use crate::toolchain::{self, Toolchain, ToolchainError};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// The generated file's name in the output folder.
pub const GENERATED: &str = "shaders.rs";
/// The modules' folder in the output folder.
const SPIRV_FOLDER: &str = "spirv";

/// What to build, and where.
#[derive(Clone, Debug)]
pub struct BuildRequest {
    /// The folder of the Slang sources; includes are looked for from here.
    pub shaders_dir: PathBuf,
    /// `shaders.toml`.
    pub manifest: PathBuf,
    /// Where the generated Rust and the modules go.
    pub out_dir: PathBuf,
    /// Where packaged artifacts are, or go.
    pub artifacts_dir: PathBuf,
    /// Where compiled shaders are kept from one build to the next; its own folder for each manifest.
    pub cache_dir: PathBuf,
    /// The compiler, or why there is none.
    pub toolchain: Result<Toolchain, ToolchainError>,
    /// The validator: a name or path of `spirv-val`.
    pub validator: OsString,
    /// Whether a missing validator is an error rather than a warning.
    pub require_validator: bool,
    /// Compilers run at once, 1 or more.
    pub threads: usize,
}

impl BuildRequest {
    /// The usual places of the crate in `crate_dir`: `shaders/`, `shaders/shaders.toml` and `artifacts/`. The
    /// cache lies in the workspace's git-ignored `.cache/shaders` when the toolchain was found in that
    /// workspace, else in `out_dir`.
    #[must_use]
    pub fn for_crate(crate_dir: &Path, out_dir: &Path) -> Self {
        let toolchain = toolchain::locate(crate_dir);
        let crate_name = crate_dir.file_name().unwrap_or_default();
        let shared = toolchain.as_ref().ok().and_then(|found| {
            let workspace =
                crate_dir.ancestors().find(|folder| folder.join(toolchain::CACHE_FOLDER) == found.folder)?;
            Some(workspace.join(".cache/shaders").join(crate_name))
        });
        Self {
            shaders_dir: crate_dir.join("shaders"),
            manifest: crate_dir.join("shaders/shaders.toml"),
            out_dir: out_dir.to_path_buf(),
            artifacts_dir: crate_dir.join("artifacts"),
            cache_dir: shared.unwrap_or_else(|| out_dir.join("shader-cache")),
            toolchain,
            validator: "spirv-val".into(),
            require_validator: std::env::var_os(REQUIRE_VARIABLE)
                .is_some_and(|value| !value.is_empty() && value != "0"),
            threads: std::thread::available_parallelism().map_or(2, usize::from).min(8),
        }
    }
}

/// Where the shaders came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From sources, by the toolchain.
    Compiled,
    /// From the artifacts of a packaged crate.
    Packaged,
}

/// What a build did.
#[derive(Clone, Debug)]
pub struct Report {
    /// Where the shaders came from.
    pub origin: Origin,
    /// The generated Rust.
    pub generated: PathBuf,
    /// Names of the shaders that were compiled, in the manifest's order.
    pub compiled: Vec<String>,
    /// Names of the shaders that were taken as they were.
    pub reused: Vec<String>,
    /// What compiler and validator warned of.
    pub warnings: Vec<String>,
    /// Every file whose change asks for another build.
    pub watched: Vec<PathBuf>,
    /// The shaders, in the manifest's order.
    pub shaders: Vec<Shader>,
}

/// Builds the shaders of a manifest and writes the generated Rust.
///
/// # Errors
/// Every shader that fails is told, in the manifest's order. Nothing is written to the output folder then.
pub fn compile(request: &BuildRequest) -> Result<Report, BuildError> {
    let manifest = Manifest::read(&request.manifest)?;
    let report = match &request.toolchain {
        Ok(toolchain) => compile_all(request, &manifest, toolchain)?,
        Err(_) if package::is_there(&request.artifacts_dir) => take_packaged(request, &manifest)?,
        Err(error) => return Err(error.clone().into()),
    };
    let code = generate::rust(&manifest, &report.shaders, SPIRV_FOLDER)?;
    let spirv_dir = request.out_dir.join(SPIRV_FOLDER);
    fs::create_dir_all(&spirv_dir).map_err(|error| BuildError::io("make", &spirv_dir, error))?;
    for shader in &report.shaders {
        write_if_changed(&spirv_dir.join(format!("{}.spv", shader.record.name)), &shader.spirv)?;
    }
    write_if_changed(&report.generated, code.as_bytes())?;
    Ok(report)
}

/// Builds the shaders and writes the artifacts that a package carries.
///
/// # Errors
/// As [`compile`]; the toolchain is needed, and so is a validator that passed every module.
pub fn package(request: &BuildRequest) -> Result<Report, BuildError> {
    if let Err(error) = &request.toolchain {
        return Err(error.clone().into());
    }
    let report = compile(&BuildRequest { require_validator: true, ..request.clone() })?;
    package::write(&request.artifacts_dir, &report.shaders)?;
    Ok(report)
}

fn take_packaged(request: &BuildRequest, manifest: &Manifest) -> Result<Report, BuildError> {
    let shaders = package::read(&request.artifacts_dir, &request.shaders_dir, manifest)?;
    Ok(Report {
        origin: Origin::Packaged,
        generated: request.out_dir.join(GENERATED),
        compiled: Vec::new(),
        reused: shaders.iter().map(|shader| shader.record.name.clone()).collect(),
        warnings: Vec::new(),
        watched: vec![request.manifest.clone(), request.artifacts_dir.clone(), request.shaders_dir.clone()],
        shaders,
    })
}

fn compile_all(
    request: &BuildRequest,
    manifest: &Manifest,
    toolchain: &Toolchain,
) -> Result<Report, BuildError> {
    let has_validator = validate::available(&request.validator);
    if request.require_validator && !has_validator {
        return Err(BuildError::NoValidator);
    }
    // Slang names includes by their real paths.
    let shaders_dir = fs::canonicalize(&request.shaders_dir)
        .map_err(|error| BuildError::io("find", &request.shaders_dir, error))?;
    let work = request.out_dir.join("shader-work");
    for folder in [&request.cache_dir, &work] {
        fs::create_dir_all(folder).map_err(|error| BuildError::io("make", folder, error))?;
    }
    let job = Job { request, toolchain, shaders_dir: &shaders_dir, work: &work, has_validator };
    let results = in_parallel(request.threads, &manifest.shaders, |entry| job.build(entry));

    let mut report = Report {
        origin: Origin::Compiled,
        generated: request.out_dir.join(GENERATED),
        compiled: Vec::new(),
        reused: Vec::new(),
        warnings: Vec::new(),
        watched: vec![request.manifest.clone(), toolchain.slangc.clone()],
        shaders: Vec::with_capacity(results.len()),
    };
    let mut errors = Vec::new();
    for result in results {
        let (shader, fresh) = match result {
            Ok(built) => built,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let names = if fresh { &mut report.compiled } else { &mut report.reused };
        names.push(shader.record.name.clone());
        report
            .watched
            .extend(shader.record.sources.iter().map(|source| request.shaders_dir.join(&source.path)));
        report.warnings.extend(shader.record.warnings.iter().cloned());
        report.shaders.push(shader);
    }
    if let Some(error) = BuildError::all(errors) {
        return Err(error);
    }
    report.watched.sort();
    report.watched.dedup();
    report.warnings.sort();
    report.warnings.dedup();
    if !has_validator && !report.shaders.is_empty() {
        report.warnings.push("spirv-val is not installed (`spirv-tools`): shaders were not validated".into());
    }
    cache::prune(&request.cache_dir, manifest)?;
    Ok(report)
}

/// What building one shader needs.
struct Job<'a> {
    request: &'a BuildRequest,
    toolchain: &'a Toolchain,
    shaders_dir: &'a Path,
    work: &'a Path,
    has_validator: bool,
}

impl Job<'_> {
    /// The shader of `entry`, and whether it had to be compiled.
    fn build(&self, entry: &ShaderEntry) -> Result<(Shader, bool), BuildError> {
        let command_hash = compiler::command_hash(entry);
        let cached = cache::load(&self.request.cache_dir, self.shaders_dir, entry, &command_hash);
        let start = SystemTime::now();
        let (mut shader, fresh) = match cached {
            Some(shader) => (shader, false),
            None => (self.compile(entry, command_hash)?, true),
        };
        // A source that was written meanwhile may not be what the compiler read: such a shader isn't kept.
        let settled = shader.record.sources.iter().all(|source| {
            let path = self.shaders_dir.join(&source.path);
            fs::metadata(path).and_then(|data| data.modified()).is_ok_and(|time| time <= start)
        });
        let validate = self.has_validator && !shader.record.validated;
        if validate {
            let file = self.work.join(format!("{}.check.spv", entry.name));
            cache::write_atomically(&file, &shader.spirv)?;
            validate::run(&self.request.validator, &entry.name, &file)?;
            shader.record.validated = true;
        }
        if settled && (fresh || validate) {
            cache::store(&self.request.cache_dir, &shader)?;
        }
        Ok((shader, fresh))
    }

    fn compile(&self, entry: &ShaderEntry, command_hash: String) -> Result<Shader, BuildError> {
        let shader = || entry.name.clone();
        let compiled = compiler::compile(self.toolchain, self.shaders_dir, entry, self.work)?;
        let spirv_error = |error| BuildError::Spirv { shader: shader(), error };
        let spirv = strip_source(&compiled.spirv).map_err(spirv_error)?;
        let module = Module::parse(&spirv).map_err(spirv_error)?;
        let interface = module.interface(&entry.entry).map_err(spirv_error)?;
        let reflection = reflection::parse(&compiled.reflection, &entry.entry, entry.stage)
            .map_err(|message| BuildError::Reflection { shader: shader(), message })?;
        let joined = check::join(&module, &interface, &reflection, entry.stage)
            .map_err(|message| BuildError::Disagree { shader: shader(), message })?;

        let mut sources = Vec::with_capacity(compiled.sources.len());
        for path in compiled.sources {
            let real = fs::canonicalize(&path).map_err(|error| BuildError::io("find", &path, error))?;
            let inside = real.strip_prefix(self.shaders_dir).ok().and_then(Path::to_str);
            let Some(inside) = inside else {
                let folder = self.request.shaders_dir.clone();
                return Err(BuildError::Outside { shader: shader(), path, folder });
            };
            let bytes = fs::read(&real).map_err(|error| BuildError::io("read", &real, error))?;
            sources.push(Source { path: inside.replace('\\', "/"), sha256: hash::of_bytes(&bytes) });
        }
        sources.sort();
        sources.dedup();
        let parts = sources.iter().flat_map(|source| [source.path.as_bytes(), source.sha256.as_bytes()]);
        let source_hash = hash::of_parts(std::iter::once(command_hash.as_bytes()).chain(parts));
        let record = Record {
            name: entry.name.clone(),
            file: entry.file.clone(),
            entry: entry.entry.clone(),
            stage: entry.stage,
            command_hash,
            source_hash,
            sources,
            spirv_sha256: hash::of_bytes(&spirv),
            validated: false,
            warnings: compiled.warnings,
            bindings: joined.bindings,
            push_constants: joined.push_constants,
            blocks: joined.blocks,
            vertex_inputs: joined.vertex_inputs,
            workgroup: joined.workgroup,
        };
        Ok(Shader { record, spirv })
    }
}

/// Runs `work` on every item with so many threads; results are in the items' order.
fn in_parallel<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Leaves a file alone that already holds these bytes, so that nothing downstream is built again.
fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    cache::write_atomically(path, bytes)
}
