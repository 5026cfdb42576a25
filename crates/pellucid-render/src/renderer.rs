//! The renderer itself.
use crate::RenderError;
use crate::draw::{DrawList, Targets, eye, gather_lights};
use crate::environment::{Environment, EnvironmentSamplers, Scratch, SplitSum, Workshop};
use crate::gpu::{FrameUniforms, Light, MAX_LIGHTS, PresentParameters};
use crate::pipelines::{ComputePrograms, ForwardKey, RasterPrograms};
use crate::scene::{Deformer, Geometry, GpuScene, Materials, MipChains, Textures};
use crate::shot::{Background, Picture, Pixels, Shot, ToneMap};
use bytemuck::Zeroable;
use glam::Mat4;
use pellucid_rhi::{
    AdapterKind, Barrier, ColorAttachment, CommandEncoder, DepthAttachment, Device, Frame, FrameStatus,
    FrameTarget, Load, RasterPassDesc, ShaderStages, Store, UniformSlice, Use,
};
use pellucid_scene::{Equirect, Pose, Scene};

/// How a renderer is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct RendererOptions {
    /// Largest anisotropy of trilinear textures, 1 to 16. `None` takes 8 on a GPU and 1 on a software adapter,
    /// where each sample costs processor time. At 1 the shader chooses each mip by itself, so that different
    /// drivers draw the same picture: for comparing them.
    pub anisotropy: Option<u32>,
}

/// Draws scenes.
pub struct Renderer {
    device: Device,
    anisotropy: u32,
    compute: ComputePrograms,
    raster: RasterPrograms,
    samplers: EnvironmentSamplers,
    split_sum: Option<SplitSum>,
    targets: Option<Targets>,
    list: DrawList,
    globals: Vec<Mat4>,
}

impl Renderer {
    /// A renderer on this device, which needs the profiles `PortableRaster` and `Compute`.
    ///
    /// # Errors
    /// An object that the device could not make.
    pub fn new(device: &Device, options: &RendererOptions) -> Result<Self, RenderError> {
        let info = device.info();
        let usual = if info.kind == AdapterKind::Software { 1 } else { 8 };
        let largest = (info.limits.anisotropy as u32).clamp(1, 16);
        Ok(Self {
            device: device.clone(),
            anisotropy: options.anisotropy.unwrap_or(usual).clamp(1, largest),
            compute: ComputePrograms::new(device),
            raster: RasterPrograms::new(device)?,
            samplers: EnvironmentSamplers::new(device)?,
            split_sum: None,
            targets: None,
            list: DrawList::default(),
            globals: Vec::new(),
        })
    }

    /// Makes the pipelines that every picture needs, before a scene is there to ask for them: for programs that
    /// import a scene on another thread meanwhile.
    ///
    /// # Errors
    /// A pipeline that the device could not make.
    pub fn warm(&self, pixels: Pixels) -> Result<(), RenderError> {
        self.raster.present(pixels)?;
        self.compute.equirect_to_cube()?;
        self.compute.downsample_cube()?;
        self.compute.prefilter()?;
        self.compute.irradiance()?;
        self.compute.split_sum()?;
        self.compute.downsample_even()?;
        let opaque = ForwardKey::new(pellucid_scene::AlphaMode::Opaque, false, false);
        self.raster.forward(opaque)?;
        Ok(())
    }

    /// Uploads a scene: geometry, textures with their mips, materials. The GPU may still be at it when this
    /// returns; later draws wait for it by themselves.
    ///
    /// # Errors
    /// A scene that refers to what it doesn't have, images larger than the device takes, or an exhausted
    /// budget; nothing of the scene is kept then.
    pub fn upload_scene(&mut self, scene: &Scene) -> Result<GpuScene, RenderError> {
        let device = &self.device;
        let mut textures = Textures::new(device, self.anisotropy)?;
        let materials = Materials::new(device, &self.raster.forward, scene, &mut textures)?;
        let geometry = Geometry::new(device, scene)?;
        let deformer = Deformer::new(device, &self.compute, scene, &geometry)?;
        let mut chains = MipChains::default();
        let (compute, filled) = (&self.compute, &textures);
        once(device, "upload scene", |encoder| filled.fill_mips(compute, encoder, &mut chains))?;
        for material in &materials.list {
            // Warmed here, so that the first frame waits for no compiler.
            self.raster.forward(ForwardKey::new(material.alpha_mode, material.double_sided, false))?;
        }
        GpuScene::new(device, geometry, materials, deformer, textures, scene.nodes.len())
    }

    /// Makes an environment of an equirectangular image: the middle of the image is +X, its right side turns
    /// to +Z, its top is +Y.
    ///
    /// # Errors
    /// An image without texels, with values that are not finite, or larger than the device takes.
    pub fn environment(&mut self, image: &Equirect) -> Result<Environment, RenderError> {
        let device = &self.device;
        let fresh = match self.split_sum {
            Some(_) => None,
            None => Some(SplitSum::new(device, &self.compute)?),
        };
        let mut scratch = Scratch::default();
        let environment = {
            let split_sum = fresh.as_ref().or(self.split_sum.as_ref());
            once(device, "environment", |encoder| {
                if let Some(table) = &fresh {
                    table.fill(&self.compute, encoder)?;
                }
                let Some(split_sum) = split_sum else { return Ok(None) };
                let workshop = Workshop {
                    device,
                    programs: &self.compute,
                    forward: &self.raster.forward,
                    samplers: &self.samplers,
                    split_sum,
                };
                workshop.make(image, encoder, &mut scratch).map(Some)
            })?
        };
        if fresh.is_some() {
            self.split_sum = fresh;
        }
        environment.ok_or(RenderError::Environment {
            width: image.width,
            height: image.height,
            texels: image.rgb.len(),
        })
    }

    /// Draws one picture and waits for it.
    ///
    /// # Errors
    /// A shot that is not possible, a pose of another scene, or a device that failed; the renderer can be used
    /// again unless the device was lost.
    pub fn draw(
        &mut self,
        uploaded: &mut GpuScene,
        scene: &Scene,
        pose: &Pose,
        environment: &Environment,
        shot: &Shot,
    ) -> Result<Picture, RenderError> {
        shot.check(self.device.info().limits.texture_2d)?;
        let expected = uploaded.nodes;
        for found in [scene.nodes.len(), pose.locals.len()] {
            if found != expected {
                return Err(RenderError::Pose { found, expected });
            }
        }
        self.fit_targets(shot)?;
        pose.globals_into(scene, &mut self.globals);
        self.list.build(uploaded, &self.raster, &self.globals, &shot.view)?;
        let frame = begin(&self.device, shot.width, shot.height)?;
        let mut encoder = frame.encoder("draw")?;
        let uniforms = self.uniforms(scene, environment, shot);
        let slice = frame.alloc_uniform(bytemuck::bytes_of(&uniforms))?;
        self.record(&mut encoder, uploaded, scene, pose, environment, shot, slice)?;
        let Some(targets) = &self.targets else {
            return Err(RenderError::Skipped(pellucid_rhi::SkipReason::ZeroSize));
        };
        let readback = encoder.read_texture(*targets.picture.texture, 0, 0);
        let commands = encoder.finish()?;
        frame.submit([commands])?;
        let texel = match shot.pixels {
            Pixels::Srgb8 => 4,
            Pixels::LinearF32 => 16,
        };
        let row = shot.width * texel;
        let mut bytes = vec![0; row as usize * shot.height as usize];
        self.device.wait_read(&readback, &mut bytes, row)?;
        Ok(Picture {
            width: shot.width,
            height: shot.height,
            pixels: shot.pixels,
            bytes,
            statistics: self.list.statistics,
        })
    }

    fn fit_targets(&mut self, shot: &Shot) -> Result<(), RenderError> {
        let fits = |t: &Targets| (t.width, t.height, t.pixels) == (shot.width, shot.height, shot.pixels);
        if !self.targets.as_ref().is_some_and(fits) {
            // The old ones go first, so that a large change needs no room for both.
            self.targets = None;
            let (width, height) = (shot.width, shot.height);
            self.targets = Some(Targets::new(&self.device, &self.raster, width, height, shot.pixels)?);
        }
        Ok(())
    }

    fn uniforms(&mut self, scene: &Scene, environment: &Environment, shot: &Shot) -> FrameUniforms {
        let mut lights = [Light::zeroed(); MAX_LIGHTS];
        let (used, dropped) = gather_lights(scene, &self.globals, &environment.key_lights, &mut lights);
        self.list.statistics.lights = used;
        self.list.statistics.lights_dropped = dropped;
        if dropped > 0 {
            tracing::warn!(
                "{dropped} of the scene's weakest lights are left out: at most {MAX_LIGHTS} are drawn"
            );
        }
        let view = &shot.view;
        let mut rotation = view.view;
        rotation.w_axis = glam::Vec4::W;
        FrameUniforms {
            clip_from_world: view.proj * view.view,
            world_direction_from_clip: direction_from_clip(view.proj, rotation),
            eye: eye(view),
            environment_scale: environment.scale,
            prefiltered_mips: crate::environment::PREFILTERED_LEVELS as f32,
            light_count: used,
            explicit_lod: u32::from(self.anisotropy == 1),
            lights,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one frame, each borrowed from another owner")]
    fn record(
        &self,
        encoder: &mut CommandEncoder<'_>,
        uploaded: &mut GpuScene,
        scene: &Scene,
        pose: &Pose,
        environment: &Environment,
        shot: &Shot,
        uniforms: UniformSlice,
    ) -> Result<(), RenderError> {
        let Some(targets) = &self.targets else { return Ok(()) };
        if let Some(deformer) = &mut uploaded.deformer {
            deformer.record(&self.compute, encoder, scene, pose, &self.globals)?;
        }
        if let Some(instances) = &uploaded.instances
            && !self.list.instances.is_empty()
        {
            encoder.barriers(&[Barrier::buffer(instances.get(), Use::Vertex, Use::CopyDst)]);
            encoder.update_buffer(instances.get(), 0, bytemuck::cast_slice(&self.list.instances));
            encoder.barriers(&[Barrier::buffer(instances.get(), Use::CopyDst, Use::Vertex)]);
        }
        encoder.barriers(&[
            Barrier::texture(*targets.hdr.texture, Use::Undefined, Use::ColorAttachment),
            Barrier::texture(*targets.depth.texture, Use::Undefined, Use::DepthWrite),
            Barrier::texture(*targets.picture.texture, Use::Undefined, Use::ColorAttachment),
        ]);
        let clear = match shot.background {
            Background::Color(color) => color.extend(1.0).to_array(),
            Background::Transparent | Background::Environment => [0.0; 4],
        };
        let background = match shot.background {
            Background::Environment => Some(self.raster.background()?),
            Background::Transparent | Background::Color(_) => None,
        };
        let mut pass = encoder.raster_pass(&RasterPassDesc {
            name: "forward",
            color: &[ColorAttachment {
                view: *targets.hdr.view,
                load: Load::Clear(clear),
                store: Store::Store,
                resolve: None,
            }],
            depth: Some(DepthAttachment {
                view: *targets.depth.view,
                load: Load::Clear(0.0),
                store: Store::Discard,
                read_only: false,
            }),
        });
        pass.set_binding_set(0, environment.set.get());
        pass.set_uniform(0, uniforms);
        self.list.record(&mut pass, uploaded, false);
        if let Some(pipeline) = background {
            pass.set_pipeline(pipeline);
            // It shares the forward pass's layout, so it needs some material, also where nothing was drawn.
            if let Some(material) = uploaded.materials.list.last() {
                pass.set_binding_set(1, material.set.get());
            }
            pass.draw(0..3, 0..1);
        }
        self.list.record(&mut pass, uploaded, true);
        pass.end();
        let sampled = Use::Sampled(ShaderStages::FRAGMENT);
        encoder.barriers(&[Barrier::texture(*targets.hdr.texture, Use::ColorAttachment, sampled)]);
        let mut pass = encoder.raster_pass(&RasterPassDesc {
            name: "present",
            color: &[ColorAttachment {
                view: *targets.picture.view,
                load: Load::DontCare,
                store: Store::Store,
                resolve: None,
            }],
            depth: None,
        });
        pass.set_pipeline(self.raster.present(shot.pixels)?);
        pass.set_binding_set(0, targets.present.get());
        pass.push_constants(bytemuck::bytes_of(&PresentParameters {
            exposure: shot.exposure.exp2(),
            tone_map: u32::from(shot.tone_map == ToneMap::Aces),
        }));
        pass.draw(0..3, 0..1);
        pass.end();
        encoder.barriers(&[Barrier::texture(*targets.picture.texture, Use::ColorAttachment, Use::CopySrc)]);
        Ok(())
    }
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Renderer on {}", self.device.info().name)
    }
}

fn begin(device: &Device, width: u32, height: u32) -> Result<Frame, RenderError> {
    match device.begin_frame(FrameTarget::Offscreen { width, height })? {
        FrameStatus::Ready(frame) => Ok(frame),
        FrameStatus::Skipped(reason) => Err(RenderError::Skipped(reason)),
    }
}

/// Records and submits commands that belong to no picture.
fn once<T>(
    device: &Device,
    name: &str,
    record: impl FnOnce(&mut CommandEncoder<'_>) -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    let frame = begin(device, 1, 1)?;
    let mut encoder = frame.encoder(name)?;
    let value = record(&mut encoder)?;
    let commands = encoder.finish()?;
    frame.submit([commands])?;
    Ok(value)
}

/// World directions through clip positions (x, y, 1, 1): the background's rays. Reverse-Z with an infinite far
/// plane has no inverse there, so the projection is undone by its scale and offset alone.
fn direction_from_clip(proj: Mat4, rotation: Mat4) -> Mat4 {
    let perspective = proj.w_axis.w == 0.0;
    let ray_from_clip = if perspective {
        let (x, y) = (1.0 / proj.x_axis.x, 1.0 / proj.y_axis.y);
        Mat4::from_cols(
            glam::Vec4::new(x, 0.0, 0.0, 0.0),
            glam::Vec4::new(0.0, y, 0.0, 0.0),
            glam::Vec4::ZERO,
            glam::Vec4::new(proj.z_axis.x * x, proj.z_axis.y * y, -1.0, 0.0),
        )
    } else {
        // All rays of an orthographic view are parallel.
        Mat4::from_cols(glam::Vec4::ZERO, glam::Vec4::ZERO, glam::Vec4::ZERO, glam::Vec4::NEG_Z)
    };
    rotation.transpose() * ray_from_clip
}
