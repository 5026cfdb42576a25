//! Pellucid's renderer: a scene and a view become an image.
//!
//! It owns the shaders, the pipelines, the image-based lighting, and what a scene becomes on the GPU. It is
//! called from one thread at a time and never reads the clock: the same scene, pose, shot and driver give the
//! same picture. It draws scene-linear into a 4x multisampled RGBA16F image with reverse-Z, and presents by
//! exposure, tone mapping and the sRGB curve.
//!
//! A missing file, a broken scene or a lost device is an error, never a panic.
//!
//! ```no_run
//! use pellucid_render::{Renderer, RendererOptions, Shot, studio};
//! use pellucid_rhi::{AdapterRequest, DeviceDesc, Instance, InstanceDesc, select_adapter};
//! use pellucid_scene::{ImportOptions, Pose, View, import, scene_bounds};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let instance = Instance::new(&InstanceDesc::default())?;
//! let adapter = select_adapter(instance.adapters(), &AdapterRequest::default())?;
//! let device = instance.create_device(adapter, &DeviceDesc::default())?;
//! let scene = import("scene.glb".as_ref(), &ImportOptions::default())?.scene;
//! let pose = Pose::rest(&scene);
//! let mut renderer = Renderer::new(&device, &RendererOptions::default())?;
//! let mut uploaded = renderer.upload_scene(&scene)?;
//! let environment = renderer.environment(&studio())?;
//! let bounds = scene_bounds(&scene, &pose).ok_or("nothing to see")?;
//! let shot = Shot::new(1280, 720, View::frame(bounds, 0.8, 1280.0 / 720.0));
//! let picture = renderer.draw(&mut uploaded, &scene, &pose, &environment, &shot)?;
//! println!("{} by {} pixels", picture.width, picture.height);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod draw;
mod environment;
mod error;
mod gpu;
mod pipelines;
mod renderer;
mod scene;
mod shaders;
mod shot;

pub use environment::{Environment, studio};
pub use error::RenderError;
pub use renderer::{Renderer, RendererOptions};
pub use scene::GpuScene;
pub use shaders::ALL as SHADERS;
pub use shot::{Background, DrawStatistics, Picture, Pixels, Shot, ToneMap};
