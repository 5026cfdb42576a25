//! Image-based lighting: everything that a surface needs to know of the light around it.
//!
//! An equirectangular image becomes, by compute, a cube prefiltered for six roughnesses, nine harmonics of
//! irradiance, and a few key lights; the split-sum table is the same for all.
mod key_lights;
mod studio;
mod tables;

pub use key_lights::KeyLight;
pub use studio::studio;
pub use tables::SplitSum;

use crate::RenderError;
use crate::gpu::{CubeParameters, IrradianceParameters, PrefilterParameters};
use crate::pipelines::{ComputePrograms, Interface};
use half::f16;
use half::slice::HalfFloatSliceExt;
use pellucid_rhi::{
    AddressMode, Barrier, BindingEntry, BindingResource, BindingSet, BindingSetDesc, Buffer, BufferDesc,
    BufferRoles, CommandEncoder, Device, Format, Owned, ResourceError, Sampler, SamplerDesc, ShaderStages,
    Texture, TextureData, TextureDesc, TextureDimension, TextureRange, TextureRoles, TextureView,
    TextureViewDesc, Use, ViewKind, full_mip_chain,
};
use pellucid_scene::Equirect;

/// Texels along an edge of the cube that the filters read.
const SOURCE_SIZE: u32 = 256;
/// Texels along an edge of the first prefiltered level.
const PREFILTERED_SIZE: u32 = 256;
/// Roughness of each prefiltered level and the samples it takes (`specular_environment` inverts this).
pub(crate) const PREFILTERED_LEVELS: usize = LEVELS.len();
const LEVELS: [(f32, u32); 6] = [(0.05, 8), (0.1, 24), (0.25, 48), (0.5, 64), (0.75, 96), (1.0, 128)];
/// Texels along an edge of the level that irradiance is summed over.
const IRRADIANCE_SIZE: u32 = 32;
/// Largest stored radiance: within half floats, with room for filters.
const LARGEST: f32 = 60_000.0;

/// An environment on the GPU.
pub struct Environment {
    pub(crate) set: Owned<BindingSet>,
    /// The lights taken out of it.
    pub(crate) key_lights: Vec<KeyLight>,
    /// Stored radiance times this is radiance.
    pub(crate) scale: f32,
    /// Size of the image.
    texels: [u32; 2],
    // What the set refers to.
    _objects: Objects,
}

struct Objects {
    _equirect: (Owned<Texture>, Owned<TextureView>),
    _prefiltered: (Owned<Texture>, Owned<TextureView>),
    _irradiance: Owned<Buffer>,
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Environment({}x{}, {:?})", self.texels[0], self.texels[1], self.key_lights)
    }
}

/// What only lives until the environment's own commands are submitted.
#[derive(Default)]
pub(crate) struct Scratch {
    textures: Vec<Owned<Texture>>,
    views: Vec<Owned<TextureView>>,
    sets: Vec<Owned<BindingSet>>,
}

/// Samplers that environments share.
pub(crate) struct EnvironmentSamplers {
    cube: Owned<Sampler>,
    equirect: Owned<Sampler>,
    table: Owned<Sampler>,
    prefilter: Owned<Sampler>,
}

impl EnvironmentSamplers {
    pub(crate) fn new(device: &Device) -> Result<Self, ResourceError> {
        let make =
            |desc: &SamplerDesc<'_>| Ok::<_, ResourceError>(Owned::new(device, device.create_sampler(desc)?));
        let clamp = AddressMode::Clamp;
        Ok(Self {
            cube: make(&SamplerDesc::linear("environment cube", clamp))?,
            // Around the horizon the image goes on at its other side; at the poles it ends.
            equirect: make(&SamplerDesc {
                address: [AddressMode::Repeat, clamp, clamp],
                ..SamplerDesc::linear("environment image", clamp)
            })?,
            table: make(&SamplerDesc::linear("split-sum table", clamp))?,
            // Each sample's mip is a rough estimate anyway: the nearest one does, at half the cost.
            prefilter: make(&SamplerDesc {
                mip: pellucid_rhi::Filter::Nearest,
                ..SamplerDesc::linear("prefilter", clamp)
            })?,
        })
    }
}

/// What making an environment needs of the renderer.
pub(crate) struct Workshop<'a> {
    pub device: &'a Device,
    pub programs: &'a ComputePrograms,
    pub forward: &'a Interface,
    pub samplers: &'a EnvironmentSamplers,
    pub split_sum: &'a SplitSum,
}

impl Workshop<'_> {
    /// Records what makes an environment of an image.
    pub fn make(
        &self,
        image: &Equirect,
        encoder: &mut CommandEncoder<'_>,
        scratch: &mut Scratch,
    ) -> Result<Environment, RenderError> {
        check(image, self.device)?;
        let found = key_lights::find(image);
        let (equirect, scale) = self.upload(image)?;
        let equirect_view = self.view(*equirect, ViewKind::D2, TextureRange::ALL)?;
        encoder.push_scope("environment");
        let (cube, cube_view) = self.cube(encoder, scratch, *equirect_view, image, found.clip / scale)?;
        let (prefiltered, prefiltered_view) = self.prefilter(encoder, scratch, *cube_view)?;
        let irradiance = self.irradiance(encoder, scratch, *cube)?;
        encoder.pop_scope();
        scratch.textures.push(cube);
        scratch.views.push(cube_view);
        let set = self.device.create_binding_set(&BindingSetDesc {
            name: "environment",
            layout: self.forward.layout(0),
            entries: &[
                BindingEntry::new(0, BindingResource::Texture(*prefiltered_view)),
                BindingEntry::new(1, BindingResource::Texture(*equirect_view)),
                BindingEntry::new(2, BindingResource::Texture(self.split_sum.view())),
                BindingEntry::new(3, BindingResource::Sampler(*self.samplers.cube)),
                BindingEntry::new(4, BindingResource::Sampler(*self.samplers.equirect)),
                BindingEntry::new(5, BindingResource::Sampler(*self.samplers.table)),
                BindingEntry::new(6, BindingResource::buffer(*irradiance)),
            ],
        })?;
        Ok(Environment {
            set: Owned::new(self.device, set),
            key_lights: found.lights,
            scale,
            texels: [image.width, image.height],
            _objects: Objects {
                _equirect: (equirect, equirect_view),
                _prefiltered: (prefiltered, prefiltered_view),
                _irradiance: irradiance,
            },
        })
    }

    fn view(
        &self,
        texture: Texture,
        kind: ViewKind,
        range: TextureRange,
    ) -> Result<Owned<TextureView>, ResourceError> {
        let view = self.device.create_view(&TextureViewDesc {
            name: "environment",
            texture,
            kind,
            format: None,
            range,
        })?;
        Ok(Owned::new(self.device, view))
    }

    /// The image as half floats, scaled by a power of two so that the brightest texel fits.
    fn upload(&self, image: &Equirect) -> Result<(Owned<Texture>, f32), ResourceError> {
        let brightest = image.rgb.iter().flatten().fold(0.0f32, |a, &b| a.max(b));
        let scale = if brightest > LARGEST { (brightest / LARGEST).log2().ceil().exp2() } else { 1.0 };
        let mut rgba = vec![1.0f32; image.rgb.len() * 4];
        for (texel, color) in rgba.chunks_exact_mut(4).zip(&image.rgb) {
            for (channel, &value) in texel.iter_mut().zip(color) {
                *channel = (value / scale).clamp(0.0, LARGEST);
            }
        }
        let mut halves = vec![f16::ZERO; rgba.len()];
        halves.convert_from_f32_slice(&rgba);
        let format = Format::Rgba16Float;
        let roles = TextureRoles::SAMPLED | TextureRoles::COPY_DST;
        let texture = self.device.create_texture_init(
            &TextureDesc::d2("environment image", format, image.width, image.height, roles),
            &[TextureData {
                mip: 0,
                layer: 0,
                row_pitch: image.width * format.texel_bytes(),
                bytes: bytemuck::cast_slice(&halves),
            }],
        )?;
        Ok((Owned::new(self.device, texture), scale))
    }

    fn cube_texture(&self, name: &str, size: u32, mips: u32) -> Result<Owned<Texture>, ResourceError> {
        let texture = self.device.create_texture(&TextureDesc {
            dimension: TextureDimension::Cube,
            layers: 6,
            mips,
            ..TextureDesc::d2(
                name,
                Format::Rgba16Float,
                size,
                size,
                TextureRoles::SAMPLED | TextureRoles::STORAGE,
            )
        })?;
        Ok(Owned::new(self.device, texture))
    }

    /// The environment without its key lights as a cube with all mips, ready to be sampled by compute.
    fn cube(
        &self,
        encoder: &mut CommandEncoder<'_>,
        scratch: &mut Scratch,
        equirect: TextureView,
        image: &Equirect,
        clip: f32,
    ) -> Result<(Owned<Texture>, Owned<TextureView>), RenderError> {
        let mips = full_mip_chain(SOURCE_SIZE, SOURCE_SIZE);
        let cube = self.cube_texture("environment cube", SOURCE_SIZE, mips)?;
        let written = Use::StorageWrite(ShaderStages::COMPUTE);
        let read = Use::Sampled(ShaderStages::COMPUTE);
        encoder.barriers(&[Barrier::texture(*cube, Use::Undefined, written)]);
        let level_view = |level| self.view(*cube, ViewKind::D2Array, TextureRange::mip(level));
        let first = level_view(0)?;
        let convert = self.programs.equirect_to_cube()?;
        let set = convert.bind(
            self.device,
            0,
            &[
                BindingEntry::new(0, BindingResource::Texture(equirect)),
                BindingEntry::new(1, BindingResource::Sampler(*self.samplers.equirect)),
                BindingEntry::new(2, BindingResource::Texture(*first)),
            ],
        )?;
        let mut pass = encoder.compute_pass("environment cube");
        // Enough taps that no texel of a large image is stepped over.
        let taps = image.width.div_ceil(4 * SOURCE_SIZE).clamp(1, 16);
        convert.dispatch(
            &mut pass,
            &[(0, set.get())],
            &CubeParameters { size: SOURCE_SIZE, taps, clip: clip.min(LARGEST) },
            [SOURCE_SIZE, SOURCE_SIZE, 6],
        );
        pass.barriers(&[Barrier::range(*cube, TextureRange::mip(0), written, read)]);
        scratch.sets.push(set);
        let downsample = self.programs.downsample_cube()?;
        let mut finer = first;
        for level in 1..mips {
            let coarser = level_view(level)?;
            let size = SOURCE_SIZE >> level;
            let set = downsample.bind(
                self.device,
                0,
                &[
                    BindingEntry::new(3, BindingResource::Texture(*finer)),
                    BindingEntry::new(4, BindingResource::Texture(*coarser)),
                ],
            )?;
            let parameters = CubeParameters { size, taps: 1, clip: LARGEST };
            downsample.dispatch(&mut pass, &[(0, set.get())], &parameters, [size, size, 6]);
            pass.barriers(&[Barrier::range(*cube, TextureRange::mip(level), written, read)]);
            scratch.sets.push(set);
            scratch.views.push(std::mem::replace(&mut finer, coarser));
        }
        scratch.views.push(finer);
        pass.end();
        let view = self.view(*cube, ViewKind::Cube, TextureRange::ALL)?;
        Ok((cube, view))
    }

    fn prefilter(
        &self,
        encoder: &mut CommandEncoder<'_>,
        scratch: &mut Scratch,
        source: TextureView,
    ) -> Result<(Owned<Texture>, Owned<TextureView>), RenderError> {
        let prefiltered =
            self.cube_texture("prefiltered environment", PREFILTERED_SIZE, LEVELS.len() as u32)?;
        let written = Use::StorageWrite(ShaderStages::COMPUTE);
        encoder.barriers(&[Barrier::texture(*prefiltered, Use::Undefined, written)]);
        let program = self.programs.prefilter()?;
        let mut pass = encoder.compute_pass("prefilter");
        for (level, &(roughness, samples)) in LEVELS.iter().enumerate() {
            let size = PREFILTERED_SIZE >> level;
            let view = self.view(*prefiltered, ViewKind::D2Array, TextureRange::mip(level as u32))?;
            let set = program.bind(
                self.device,
                0,
                &[
                    BindingEntry::new(0, BindingResource::Texture(source)),
                    BindingEntry::new(1, BindingResource::Sampler(*self.samplers.prefilter)),
                    BindingEntry::new(2, BindingResource::Texture(*view)),
                ],
            )?;
            let source_size = SOURCE_SIZE as f32;
            let parameters = PrefilterParameters { size, samples, roughness, source_size };
            program.dispatch(&mut pass, &[(0, set.get())], &parameters, [size, size, 6]);
            scratch.sets.push(set);
            scratch.views.push(view);
        }
        pass.end();
        encoder.barriers(&[Barrier::texture(*prefiltered, written, Use::Sampled(ShaderStages::FRAGMENT))]);
        let view = self.view(*prefiltered, ViewKind::Cube, TextureRange::ALL)?;
        Ok((prefiltered, view))
    }

    fn irradiance(
        &self,
        encoder: &mut CommandEncoder<'_>,
        scratch: &mut Scratch,
        cube: Texture,
    ) -> Result<Owned<Buffer>, RenderError> {
        let buffer = self.device.create_buffer(&BufferDesc {
            name: "irradiance",
            size: 9 * 16,
            roles: BufferRoles::UNIFORM | BufferRoles::STORAGE,
        })?;
        let buffer = Owned::new(self.device, buffer);
        let level = (SOURCE_SIZE / IRRADIANCE_SIZE).ilog2();
        let view = self.view(cube, ViewKind::D2Array, TextureRange::mip(level))?;
        let program = self.programs.irradiance()?;
        let set = program.bind(
            self.device,
            0,
            &[
                BindingEntry::new(0, BindingResource::Texture(*view)),
                BindingEntry::new(1, BindingResource::buffer(*buffer)),
            ],
        )?;
        let written = Use::StorageWrite(ShaderStages::COMPUTE);
        encoder.barriers(&[Barrier::buffer(*buffer, Use::Undefined, written)]);
        let mut pass = encoder.compute_pass("irradiance");
        let parameters = IrradianceParameters { size: IRRADIANCE_SIZE };
        program.dispatch(&mut pass, &[(0, set.get())], &parameters, [1, 1, 1]);
        pass.end();
        encoder.barriers(&[Barrier::buffer(*buffer, written, Use::Uniform(ShaderStages::FRAGMENT))]);
        scratch.sets.push(set);
        scratch.views.push(view);
        Ok(buffer)
    }
}

fn check(image: &Equirect, device: &Device) -> Result<(), RenderError> {
    let (width, height, texels) = (image.width, image.height, image.rgb.len());
    let limit = device.info().limits.texture_2d;
    if width > limit || height > limit {
        return Err(RenderError::ImageSize { name: "environment".into(), width, height, limit });
    }
    let expected = u64::from(width) * u64::from(height);
    if expected == 0 || expected != texels as u64 || image.rgb.iter().flatten().any(|c| !c.is_finite()) {
        return Err(RenderError::Environment { width, height, texels });
    }
    Ok(())
}
