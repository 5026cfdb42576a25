//! `pellucid info`.

use super::args::Info;
use super::console::{self, printable};
use super::failure::Failure;
use super::report::{self, Counts, Warning};
use pellucid::scene::{
    Animation, Camera, ImportOptions, Imported, Light, LightKind, Node, Pose, Projection, Scene, import,
    scene_bounds,
};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// Cameras, animations, lights and warnings that the text lists of each; JSON has all.
const MAX_LISTED: usize = 50;

pub fn run(args: &Info) -> Result<(), Failure> {
    let imported = import(&args.scene, &ImportOptions::default())?;
    let report = InfoReport::new(&args.scene, &imported);
    if args.json { console::print(&report::to_json(&report)?) } else { console::print(&report.text()) }
}

#[derive(Debug, Serialize)]
struct InfoReport {
    schema: u32,
    pellucid: &'static str,
    file: String,
    generator: String,
    name: String,
    counts: Counts,
    /// The least and the greatest corner in metres, in the pose that the file holds; null when nothing shows.
    bounds: Option<Bounds>,
    bytes_read: u64,
    bytes_decoded: u64,
    extensions_used: Vec<String>,
    extensions_required: Vec<String>,
    cameras: Vec<CameraInfo>,
    lights: Vec<LightInfo>,
    animations: Vec<AnimationInfo>,
    warnings: Vec<Warning>,
}

#[derive(Debug, Serialize)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

#[derive(Debug, Serialize)]
struct CameraInfo {
    /// What `--camera-node` takes; null when no node shows this camera.
    node: Option<String>,
    name: String,
    kind: &'static str,
    /// Vertical field of view in degrees; null when parallel.
    fov: Option<f32>,
}

#[derive(Debug, Serialize)]
struct LightInfo {
    name: String,
    kind: &'static str,
    /// Lux of a directional light, candela of the others, in linear red, green and blue.
    intensity: [f32; 3],
}

#[derive(Debug, Serialize)]
struct AnimationInfo {
    index: usize,
    name: String,
    seconds: f32,
    channels: usize,
}

impl InfoReport {
    fn new(path: &Path, imported: &Imported) -> Self {
        let Imported { scene, warnings, report } = imported;
        Self {
            schema: report::SCHEMA,
            pellucid: env!("CARGO_PKG_VERSION"),
            file: path.display().to_string(),
            generator: report.generator.clone(),
            name: scene.name.clone(),
            counts: Counts::new(imported),
            bounds: scene_bounds(scene, &Pose::rest(scene))
                .map(|bounds| Bounds { min: bounds.min.to_array(), max: bounds.max.to_array() }),
            bytes_read: report.bytes_read,
            bytes_decoded: report.bytes_decoded,
            extensions_used: report.extensions_used.clone(),
            extensions_required: report.extensions_required.clone(),
            cameras: scene
                .cameras
                .iter()
                .enumerate()
                .map(|(index, camera)| camera_info(scene, index, camera))
                .collect(),
            lights: scene.lights.iter().map(light_info).collect(),
            animations: scene.animations.iter().enumerate().map(animation_info).collect(),
            warnings: warnings.iter().map(Warning::from).collect(),
        }
    }

    /// A page for a person. Names come from the file, so what could drive a terminal is taken out at the end.
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = self.write(&mut text);
        printable(text.trim_end()).into_owned()
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "{}", self.file)?;
        if !self.name.is_empty() {
            writeln!(out, "  scene       {:?}", self.name)?;
        }
        if !self.generator.is_empty() {
            writeln!(out, "  made by     {}", self.generator)?;
        }
        let c = &self.counts;
        writeln!(
            out,
            "  geometry    {} triangles, {} vertices in {} primitives of {} meshes",
            c.triangles, c.vertices, c.primitives, c.meshes
        )?;
        writeln!(out, "  nodes       {} ({} skins)", c.nodes, c.skins)?;
        writeln!(out, "  materials   {}", c.materials)?;
        writeln!(
            out,
            "  textures    {} of {} images, {:.1} megapixels",
            c.textures,
            c.images,
            c.pixels as f64 / 1e6
        )?;
        writeln!(out, "  memory      {} decoded, {} read", mib(self.bytes_decoded), mib(self.bytes_read))?;
        match &self.bounds {
            None => writeln!(out, "  bounds      nothing to see")?,
            Some(Bounds { min, max }) => {
                let size: [f32; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
                writeln!(
                    out,
                    "  bounds      {} m, from ({}) to ({})",
                    join(size, " x "),
                    join(*min, ", "),
                    join(*max, ", ")
                )?;
            }
        }
        for (title, names) in [("uses", &self.extensions_used), ("requires", &self.extensions_required)] {
            if !names.is_empty() {
                writeln!(out, "  {title:<11} {}", names.join(", "))?;
            }
        }
        list(out, "cameras", &self.cameras, |camera| {
            let fov = camera.fov.map_or(String::new(), |fov| format!(", {fov:.1} degrees"));
            let node = camera
                .node
                .as_ref()
                .map_or("shown by no node".into(), |node| format!("--camera-node {node:?}"));
            format!("{:?}: {}{fov}, {node}", camera.name, camera.kind)
        })?;
        list(out, "lights", &self.lights, |light| {
            format!("{:?}: {}, {}", light.name, light.kind, join(light.intensity, ", "))
        })?;
        list(out, "animations", &self.animations, |animation| {
            format!(
                "{} {:?}: {:.3} s, {} channels",
                animation.index, animation.name, animation.seconds, animation.channels
            )
        })?;
        list(out, "warnings", &self.warnings, |warning| warning.text())
    }
}

fn list<T>(out: &mut String, title: &str, items: &[T], text: impl Fn(&T) -> String) -> std::fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {title} ({})", items.len())?;
    for item in items.iter().take(MAX_LISTED) {
        writeln!(out, "    {}", text(item))?;
    }
    if items.len() > MAX_LISTED {
        writeln!(out, "    and {} more; --json lists them all", items.len() - MAX_LISTED)?;
    }
    Ok(())
}

fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

fn join(values: [f32; 3], between: &str) -> String {
    values.map(|value| format!("{value:.3}")).join(between)
}

fn camera_info(scene: &Scene, index: usize, camera: &Camera) -> CameraInfo {
    let shows = |node: &&Node| node.camera == Some(index);
    // `--camera-node` takes the camera's own name too, when its node has none.
    let named = |node: &Node| if node.name.is_empty() { camera.name.clone() } else { node.name.clone() };
    let (kind, fov) = match camera.projection {
        Projection::Perspective { yfov, .. } => ("perspective", Some(yfov.to_degrees())),
        Projection::Orthographic { .. } => ("orthographic", None),
    };
    CameraInfo { node: scene.nodes.iter().find(shows).map(named), name: camera.name.clone(), kind, fov }
}

fn light_info(light: &Light) -> LightInfo {
    let kind = match light.kind {
        LightKind::Directional => "directional",
        LightKind::Point => "point",
        LightKind::Spot { .. } => "spot",
    };
    LightInfo { name: light.name.clone(), kind, intensity: light.intensity.to_array() }
}

fn animation_info((index, animation): (usize, &Animation)) -> AnimationInfo {
    let Animation { name, channels, duration } = animation;
    AnimationInfo { index, name: name.clone(), seconds: *duration, channels: channels.len() }
}
