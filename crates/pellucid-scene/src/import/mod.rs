//! Importing glTF 2.0.
//!
//! Every index, offset, count and number is checked before it is used, and memory is paid for out of
//! [`crate::Limits`] before it is taken. Images are decoded on other threads while geometry is built.
mod accessor;
mod animation;
mod buffer;
mod camera;
mod context;
mod extensions;
mod glb;
mod image;
mod influences;
mod json;
mod light;
mod material;
mod mesh;
mod meshopt;
mod node;
mod pointer;
mod skin;
mod tangents;
mod topology;
mod uri;
mod vertices;

use crate::error::{ErrorKind, ImportError};
use crate::{ImportOptions, Imported, Report, Scene};
use accessor::Source;
use context::Context;
use json::Document;
use pointer::Pointer;
use std::num::NonZero;
use std::path::Path;
use std::time::{Duration, Instant};

/// The most threads that are started when the caller leaves their number open.
const MOST_THREADS: usize = 16;

/// Imports a glTF 2.0 scene: a `.glb`, or a `.gltf` with the files beside it.
///
/// # Errors
/// [`ImportError`] names the file, the place in it, what is wrong and what to do.
pub fn import(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let started = Instant::now();
    let bytes = uri::read_file(path, options.limits.file_bytes)?;
    // A bare file name has the current folder as its parent, which Path::parent gives as "".
    let folder = path.parent();
    run(&bytes, folder, options, started).map_err(|error| error.in_file(Some(path)))
}

/// Imports a glTF 2.0 scene from memory. `folder` is where files that it names are looked for; without one,
/// it may name none.
///
/// # Errors
/// [`ImportError`] names the place, what is wrong and what to do.
pub fn import_bytes(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    if bytes.len() as u64 > options.limits.file_bytes {
        let (found, limit) = (bytes.len() as u64, options.limits.file_bytes);
        let kind = ErrorKind::Limit { what: "bytes of a file", found, limit, option: "file_bytes" };
        return Err(ImportError::new(kind));
    }
    run(bytes, folder, options, Instant::now())
}

fn run(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ImportOptions,
    started: Instant,
) -> Result<Imported, ImportError> {
    let cx = Context::new(&options.limits);
    cx.count_read(bytes.len() as u64);
    let container = glb::split(bytes)?;
    let mut report = Report { read: started.elapsed(), ..Report::default() };

    let mut clock = Clock::start();
    let document = json::parse(container.json, container.json_offset, &options.limits)?;
    let root = &document.root;
    check_asset(&cx, &document)?;
    let materials = material::build(&cx, root, &document.extended)?;
    report.parse = clock.lap();

    let buffers = buffer::load(&cx, root, &document.extended, container.bin, folder)?;
    let views = buffer::views(&cx, root, &document.extended, &buffers)?;
    let encoded = image::find(&cx, root, &materials.images, &views, folder)?;
    report.pixels = encoded.iter().map(image::Encoded::pixels).sum();
    report.read += clock.lap();

    let queue = image::Queue::new(&encoded);
    let source = Source { cx: &cx, root, views: &views };
    let (built, decoded) = std::thread::scope(|scope| {
        // This thread decodes too, once it has built the rest.
        let helpers = thread_count(options.threads).saturating_sub(1).min(encoded.len());
        let workers: Vec<_> = (0..helpers)
            .map_while(|_| {
                // Without another thread, this one does it all.
                let builder = std::thread::Builder::new().name("pellucid-image".to_owned());
                builder.spawn_scoped(scope, || queue.work()).ok()
            })
            .collect();
        let built = build(&source, &document, &materials);
        report.build = clock.lap();
        // A scene that failed needs no pictures: the rest of the queue is dropped.
        if built.is_err() {
            queue.cancel();
        }
        let mut decoded = vec![queue.work()];
        decoded.extend(workers.into_iter().filter_map(|worker| worker.join().ok()));
        report.decode = clock.lap();
        (built, decoded)
    });
    let mut scene = built?;
    report.decode_cpu = decoded.iter().map(|(_, time)| *time).sum();
    scene.images = image::collect(decoded)?;
    scene.materials = materials.materials;
    scene.textures = materials.textures;

    count(&scene, &mut report);
    report.bytes_read = cx.bytes_read();
    report.bytes_decoded = cx.bytes_decoded();
    report.extensions_used.clone_from(&root.extensions_used);
    report.extensions_required.clone_from(&root.extensions_required);
    report.generator = root.asset.generator.clone().unwrap_or_default();
    Ok(Imported { scene, warnings: cx.into_warnings(), report })
}

fn check_asset(cx: &Context<'_>, document: &Document) -> Result<(), ImportError> {
    let root = &document.root;
    let at = Pointer::ROOT.key("asset");
    let newest = root.asset.min_version.as_ref().unwrap_or(&root.asset.version);
    let readable = match &root.asset.min_version {
        Some(least) => least == "2.0",
        // Later minor versions are compatible (glTF 2.0, section 3.2).
        None => root.asset.version.starts_with("2."),
    };
    if !readable {
        return Err(at.key("version").error(ErrorKind::Version { found: newest.clone() }));
    }
    let list = Pointer::ROOT.key("extensionsRequired");
    for (index, name) in root.extensions_required.iter().enumerate() {
        if !extensions::SUPPORTED.contains(&name.as_str()) {
            return Err(list.index(index).error(ErrorKind::RequiredExtension { name: name.clone() }));
        }
    }
    let list = Pointer::ROOT.key("extensionsUsed");
    for (index, name) in root.extensions_used.iter().enumerate() {
        if !extensions::SUPPORTED.contains(&name.as_str()) {
            cx.warn(
                &list.index(index),
                format!("the extension {name} isn't supported; what it adds is left out"),
            );
        }
    }
    Ok(())
}

/// All but images, materials and textures.
fn build(
    source: &Source<'_>,
    document: &Document,
    materials: &material::Materials,
) -> Result<Scene, ImportError> {
    let root = &document.root;
    let cameras = camera::build(root)?;
    let lights = light::build(&document.extended)?;
    let counts = node::Counts { cameras: cameras.len(), lights: lights.len() };
    let mut nodes = node::build(source.cx, root, &document.extended, &counts)?;
    let (name, roots) = node::scene(root, &mut nodes)?;
    let skins = skin::build(source)?;
    let meshes = mesh::build(source, materials)?;
    node::check_meshes(&nodes, &meshes, &skins)?;
    let animations = animation::build(source, &mut nodes, &meshes)?;
    Ok(Scene { name, nodes, roots, meshes, cameras, lights, skins, animations, ..Scene::default() })
}

fn count(scene: &Scene, report: &mut Report) {
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        report.vertices += primitive.positions.len() as u64;
        report.triangles += primitive.indices.len() as u64 / 3;
    }
}

fn thread_count(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS),
        asked => asked,
    }
}

/// Time between stages.
struct Clock(Instant);

impl Clock {
    fn start() -> Self {
        Self(Instant::now())
    }

    fn lap(&mut self) -> Duration {
        let before = std::mem::replace(&mut self.0, Instant::now());
        self.0.duration_since(before)
    }
}
