//! Pictures without a window: a device, a renderer, and what to draw.
//!
//! ```no_run
//! use pellucid::headless::{RenderRequest, Session, SessionOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let imported = pellucid::scene::import("chair.glb".as_ref(), &Default::default())?;
//! let mut session = Session::new(&SessionOptions::default())?;
//! let picture = session.render(&RenderRequest { width: 640, height: 480, ..RenderRequest::new(&imported.scene) })?;
//! let png = pellucid::picture::encode(&picture, pellucid::picture::Format::Png)?;
//! pellucid::platform::files::write_atomic("chair.png".as_ref(), &png)?;
//! # Ok(())
//! # }
//! ```
//!
//! A [`Session`] may be made on one thread while the scene is imported on another: it is `Send`, and starting
//! it is a good part of the work of a first picture.

mod error;
mod request;
mod stages;

pub use error::HeadlessError;
pub use request::{Camera, DEFAULT_FOV, Light, MAX_SIZE, Moment, RenderRequest};
pub use stages::{MAX_STAGES, Stage, Stages};

use pellucid_render::{Environment, GpuScene, Picture, Pixels, Renderer, RendererOptions, Shot};
use pellucid_rhi::{
    AdapterInfo, AdapterKind, AdapterRequest, BackendChoice, Device, DeviceDesc, Instance, InstanceDesc,
    Profile, ValidationMessages, select_adapter,
};
use pellucid_scene::{Equirect, Scene};
use std::path::PathBuf;
use std::time::Duration;

/// What the renderer needs of an adapter.
pub const REQUIRED_PROFILES: &[Profile] = &[Profile::PortableRaster, Profile::Compute];

/// How long a software adapter may take for a frame: on a crowded machine a large picture takes more than the
/// usual limit, and no hung hardware is to be feared.
const SOFTWARE_FENCE_TIMEOUT: Duration = Duration::from_secs(300);

/// Where compiled pipelines are kept from one run to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PipelineCache {
    /// In the user's cache folder ([`pellucid_platform::files::cache_dir`]), or nowhere when there is none.
    #[default]
    User,
    /// In this folder, which is made when it isn't there.
    Folder(PathBuf),
    /// Nowhere.
    Off,
}

impl PipelineCache {
    /// The folder, when there is one.
    #[must_use]
    pub fn folder(&self) -> Option<PathBuf> {
        match self {
            Self::User => Some(pellucid_platform::files::cache_dir("pellucid")?.join("pipelines")),
            Self::Folder(folder) => Some(folder.clone()),
            Self::Off => None,
        }
    }
}

/// How a session starts.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Part of the adapter's name in any case, or `software`; `None` takes the fastest.
    pub adapter: Option<String>,
    /// Whether the API's validation layer watches.
    pub validation: bool,
    /// Where compiled pipelines are kept.
    pub pipeline_cache: PipelineCache,
    /// Most bytes of device memory; `None` leaves it to the device, and on a software adapter, whose memory is
    /// the machine's, takes three quarters of what is available when the session starts.
    pub memory_budget: Option<u64>,
    /// How the renderer is made.
    pub renderer: RendererOptions,
}

/// A device and a renderer, ready to draw.
pub struct Session {
    // Dropped in this order: what lies on the device before it, the device before the instance.
    studio: Option<Environment>,
    renderer: Renderer,
    device: Device,
    instance: Instance,
    stages: Stages,
}

impl Session {
    /// Chooses an adapter, makes a device and a renderer. Blocks until all are there.
    ///
    /// # Errors
    /// [`HeadlessError`] of the first step that failed.
    pub fn new(options: &SessionOptions) -> Result<Self, HeadlessError> {
        Self::with_stages(options, Stages::new())
    }

    /// As [`Session::new`], recording what it does in a list of the caller's.
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn with_stages(options: &SessionOptions, stages: Stages) -> Result<Self, HeadlessError> {
        let instance = stages.run("instance", || {
            Instance::new(&InstanceDesc {
                app_name: "pellucid",
                backend: BackendChoice::Auto,
                validation: options.validation,
            })
        })?;
        let request = AdapterRequest {
            name: options.adapter.as_deref(),
            required: REQUIRED_PROFILES,
            ..AdapterRequest::default()
        };
        let adapter = select_adapter(instance.adapters(), &request)?;
        let cache = options.pipeline_cache.folder();
        let software =
            instance.adapters().iter().any(|info| info.id == adapter && info.kind == AdapterKind::Software);
        let budget_bytes = match options.memory_budget {
            // A refusal that says so is better than the system ending the process, or another one.
            None if software => pellucid_platform::process::available_memory().map(|bytes| bytes / 4 * 3),
            given => given,
        };
        let usual = DeviceDesc::default();
        let device = stages.run("device", || {
            instance.create_device(
                adapter,
                &DeviceDesc {
                    name: "pellucid",
                    required: REQUIRED_PROFILES,
                    pipeline_cache: cache.as_deref(),
                    budget_bytes,
                    fence_timeout: if software { SOFTWARE_FENCE_TIMEOUT } else { usual.fence_timeout },
                    ..usual
                },
            )
        })?;
        let renderer = stages.run("renderer", || Renderer::new(&device, &options.renderer))?;
        tracing::info!(adapter = device.info().name, driver = device.info().driver, "session started");
        Ok(Self { studio: None, renderer, device, instance, stages })
    }

    /// The adapter that was chosen.
    #[must_use]
    pub fn adapter(&self) -> &AdapterInfo {
        self.device.info()
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The renderer, for what this session has no shorter way to.
    pub fn renderer(&mut self) -> &mut Renderer {
        &mut self.renderer
    }

    /// Where the session records how long its steps take.
    #[must_use]
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// What the validation layer has said so far; nothing when it isn't watching.
    #[must_use]
    pub fn validation_messages(&self) -> ValidationMessages {
        self.instance.validation_messages()
    }

    /// Brings a scene to the device, to be drawn several times.
    ///
    /// # Errors
    /// [`HeadlessError::Render`]: no memory, or the device is lost.
    pub fn upload(&mut self, scene: &Scene) -> Result<GpuScene, HeadlessError> {
        Ok(self.stages.run("upload", || self.renderer.upload_scene(scene))?)
    }

    /// Prepares a picture to light scenes with.
    ///
    /// # Errors
    /// As [`Session::upload`].
    pub fn environment(&mut self, picture: &Equirect) -> Result<Environment, HeadlessError> {
        Ok(self.stages.run("environment", || self.renderer.environment(picture))?)
    }

    /// Makes the pipelines that every picture of this form needs. Drawing does it when they are first needed;
    /// a program that has time earlier, while a scene is being imported, calls this.
    ///
    /// # Errors
    /// As [`Session::upload`].
    pub fn warm(&self, pixels: Pixels) -> Result<(), HeadlessError> {
        Ok(self.stages.run("pipelines", || self.renderer.warm(pixels))?)
    }

    /// Prepares the built-in studio unless it is there already. [`Session::render`] does it when it is first
    /// needed; a program that has time earlier calls this.
    ///
    /// # Errors
    /// As [`Session::upload`].
    pub fn prepare_studio(&mut self) -> Result<(), HeadlessError> {
        if self.studio.is_none() {
            let picture = self.stages.run("studio", pellucid_render::studio);
            self.studio = Some(self.environment(&picture)?);
        }
        Ok(())
    }

    /// Uploads the scene, draws it and waits for the picture.
    ///
    /// # Errors
    /// [`HeadlessError`]; the session stays usable unless the device is lost.
    pub fn render(&mut self, request: &RenderRequest<'_>) -> Result<Picture, HeadlessError> {
        self.check(request)?;
        let mut scene = self.upload(request.scene)?;
        self.draw(&mut scene, request)
    }

    /// Draws a scene that [`Session::upload`] brought here from `request.scene`, and waits for the picture.
    ///
    /// # Errors
    /// As [`Session::render`].
    pub fn draw(
        &mut self,
        scene: &mut GpuScene,
        request: &RenderRequest<'_>,
    ) -> Result<Picture, HeadlessError> {
        self.check(request)?;
        let (pose, view) = self.stages.run("view", || {
            let pose = request.pose()?;
            let view = request.view(&pose)?;
            Ok::<_, HeadlessError>((pose, view))
        })?;
        let shot = Shot {
            width: request.width,
            height: request.height,
            view,
            background: request.background,
            exposure: request.exposure,
            tone_map: request.tone_map,
            pixels: request.pixels,
        };
        let Self { studio, renderer, stages, .. } = self;
        let mut prepare = |picture: &Equirect| stages.run("environment", || renderer.environment(picture));
        let prepared;
        let environment = match request.light {
            Light::Studio => match studio {
                Some(studio) => studio,
                None => studio.insert(prepare(&stages.run("studio", pellucid_render::studio))?),
            },
            Light::Equirect(picture) => {
                prepared = prepare(picture)?;
                &prepared
            }
            Light::Prepared(environment) => environment,
        };
        Ok(stages.run("draw", || renderer.draw(scene, request.scene, &pose, environment, &shot))?)
    }

    fn check(&self, request: &RenderRequest<'_>) -> Result<(), HeadlessError> {
        request.check_size()?;
        request::finite("exposure", request.exposure)?;
        let limit = self.adapter().limits.texture_2d;
        if request.width.max(request.height) > limit {
            let (width, height) = (request.width, request.height);
            return Err(HeadlessError::Size { width, height, limit, of: "this adapter" });
        }
        Ok(())
    }
}
