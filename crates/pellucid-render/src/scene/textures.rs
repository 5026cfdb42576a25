//! A scene's images as textures with full mip chains.
use crate::RenderError;
use crate::gpu::MipParameters;
use crate::pipelines::ComputePrograms;
use pellucid_rhi::{
    AddressMode, Barrier, BindingEntry, BindingResource, BindingSet, CommandEncoder, Device, Filter, Format,
    Owned, ResourceError, Sampler, SamplerDesc, ShaderStages, Texture, TextureData, TextureDesc,
    TextureRange, TextureRoles, TextureView, TextureViewDesc, Use, ViewKind, full_mip_chain,
};
use pellucid_scene::{Image, Scene, Wrap};
use std::collections::HashMap;

/// How an image's bytes are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    /// Colour.
    Srgb,
    /// Data.
    Linear,
}

struct GpuImage {
    texture: Owned<Texture>,
    view: Owned<TextureView>,
    width: u32,
    height: u32,
    mips: u32,
    encoding: Encoding,
}

/// The textures of a scene, each image once per encoding.
pub(crate) struct Textures {
    device: Device,
    anisotropy: u32,
    images: HashMap<(usize, Encoding), GpuImage>,
    samplers: HashMap<pellucid_scene::Sampler, Owned<Sampler>>,
    white: (Owned<Texture>, Owned<TextureView>),
}

/// What fills the mip chains, alive until that is submitted.
#[derive(Default)]
pub(crate) struct MipChains {
    views: Vec<Owned<TextureView>>,
    sets: Vec<Owned<BindingSet>>,
}

impl Textures {
    pub fn new(device: &Device, anisotropy: u32) -> Result<Self, RenderError> {
        let roles = TextureRoles::SAMPLED | TextureRoles::COPY_DST;
        let texture = device.create_texture_init(
            &TextureDesc::d2("white", Format::Rgba8Unorm, 1, 1, roles),
            &[TextureData { mip: 0, layer: 0, row_pitch: 4, bytes: &[255; 4] }],
        )?;
        let texture = Owned::new(device, texture);
        let view = view(device, texture.get(), None, TextureRange::ALL)?;
        Ok(Self {
            device: device.clone(),
            anisotropy,
            images: HashMap::new(),
            samplers: HashMap::new(),
            white: (texture, view),
        })
    }

    /// White, for a material without this texture.
    pub fn white(&self) -> TextureView {
        *self.white.1
    }

    /// The view of one of the scene's textures, uploaded if it is new.
    pub fn view(
        &mut self,
        scene: &Scene,
        texture: usize,
        encoding: Encoding,
    ) -> Result<TextureView, RenderError> {
        let image = texture_of(scene, texture)?.image;
        let source = scene.images.get(image).ok_or(RenderError::Dangling {
            what: "image",
            index: image,
            count: scene.images.len(),
        })?;
        if let Some(found) = self.images.get(&(image, encoding)) {
            return Ok(found.view.get());
        }
        let made = self.upload(source, encoding)?;
        let view = made.view.get();
        self.images.insert((image, encoding), made);
        Ok(view)
    }

    fn upload(&self, image: &Image, encoding: Encoding) -> Result<GpuImage, RenderError> {
        let (width, height) = (image.width, image.height);
        let limit = self.device.info().limits.texture_2d;
        let complete = image.rgba.len() as u64 == u64::from(width) * u64::from(height) * 4;
        if width == 0 || height == 0 || width > limit || height > limit || !complete {
            return Err(RenderError::ImageSize { name: image.name.clone(), width, height, limit });
        }
        let mips = full_mip_chain(width, height);
        let (format, view_format) = match encoding {
            // Compute can't write sRGB formats: it encodes by itself and writes plain numbers.
            Encoding::Srgb => (Format::Rgba8Srgb, Some(Format::Rgba8Unorm)),
            Encoding::Linear => (Format::Rgba8Unorm, None),
        };
        let name = if image.name.is_empty() { "image" } else { &image.name };
        let roles = TextureRoles::SAMPLED | TextureRoles::COPY_DST | TextureRoles::STORAGE;
        let texture = self.device.create_texture_init(
            &TextureDesc { view_format, mips, ..TextureDesc::d2(name, format, width, height, roles) },
            &[TextureData { mip: 0, layer: 0, row_pitch: width * 4, bytes: &image.rgba }],
        )?;
        let texture = Owned::new(&self.device, texture);
        let view = view(&self.device, texture.get(), None, TextureRange::ALL)?;
        Ok(GpuImage { texture, view, width, height, mips, encoding })
    }

    /// The sampler of one of the scene's textures.
    pub fn sampler(&mut self, scene: &Scene, texture: usize) -> Result<Sampler, RenderError> {
        let key = texture_of(scene, texture)?.sampler;
        self.sampler_of(key)
    }

    /// A sampler for a material without this texture.
    pub fn default_sampler(&mut self) -> Result<Sampler, RenderError> {
        self.sampler_of(pellucid_scene::Sampler::default())
    }

    fn sampler_of(&mut self, key: pellucid_scene::Sampler) -> Result<Sampler, RenderError> {
        if let Some(found) = self.samplers.get(&key) {
            return Ok(found.get());
        }
        let sampler = self.device.create_sampler(&sampler_desc(key, self.anisotropy))?;
        self.samplers.insert(key, Owned::new(&self.device, sampler));
        Ok(sampler)
    }

    /// Records what fills every mip chain. All textures' equal levels are made together, so that there is one
    /// batch of barriers a level rather than one a level and texture.
    pub fn fill_mips(
        &self,
        programs: &ComputePrograms,
        encoder: &mut CommandEncoder<'_>,
        chains: &mut MipChains,
    ) -> Result<(), RenderError> {
        let most = self.images.values().map(|image| image.mips).max().unwrap_or(0);
        if most < 2 {
            return Ok(());
        }
        let program = programs.downsample_texture()?;
        // The order decides nothing that can be seen, but the same scene should record the same commands.
        let mut images: Vec<_> = self.images.iter().collect();
        images.sort_by_key(|(key, _)| (key.0, key.1 == Encoding::Linear));
        let sampled = Use::Sampled(ShaderStages::all());
        let read = Use::Sampled(ShaderStages::COMPUTE);
        let written = Use::StorageWrite(ShaderStages::COMPUTE);
        encoder.push_scope("texture mips");
        let mut barriers = Vec::new();
        for (_, image) in &images {
            if image.mips > 1 {
                let range = TextureRange { base_mip: 1, ..TextureRange::ALL };
                barriers.push(Barrier::range(*image.texture, range, sampled, written));
            }
        }
        encoder.barriers(&barriers);
        for level in 1..most {
            barriers.clear();
            let mut pass = encoder.compute_pass("mip level");
            for (_, image) in images.iter().filter(|(_, image)| level < image.mips) {
                let finer = view(&self.device, *image.texture, None, TextureRange::mip(level - 1))?;
                let plain = Some(Format::Rgba8Unorm);
                let coarser = view(&self.device, *image.texture, plain, TextureRange::mip(level))?;
                let set = program.bind(
                    &self.device,
                    0,
                    &[
                        BindingEntry::new(0, BindingResource::Texture(*finer)),
                        BindingEntry::new(1, BindingResource::Texture(*coarser)),
                    ],
                )?;
                let size = |level: u32| [(image.width >> level).max(1), (image.height >> level).max(1)];
                let destination = size(level);
                program.dispatch(
                    &mut pass,
                    &[(0, set.get())],
                    &MipParameters {
                        source: size(level - 1),
                        destination,
                        srgb: u32::from(image.encoding == Encoding::Srgb),
                    },
                    [destination[0], destination[1], 1],
                );
                // The next level reads this one; fragments read it later.
                let next = if level + 1 < image.mips { read } else { sampled };
                barriers.push(Barrier::range(*image.texture, TextureRange::mip(level), written, next));
                chains.views.extend([finer, coarser]);
                chains.sets.push(set);
            }
            pass.end();
            encoder.barriers(&barriers);
        }
        barriers.clear();
        for (_, image) in &images {
            if image.mips > 2 {
                let range = TextureRange { base_mip: 1, mips: image.mips - 2, ..TextureRange::ALL };
                barriers.push(Barrier::range(*image.texture, range, read, sampled));
            }
        }
        encoder.barriers(&barriers);
        encoder.pop_scope();
        Ok(())
    }
}

fn texture_of(scene: &Scene, index: usize) -> Result<&pellucid_scene::Texture, RenderError> {
    let count = scene.textures.len();
    scene.textures.get(index).ok_or(RenderError::Dangling { what: "texture", index, count })
}

fn view(
    device: &Device,
    texture: Texture,
    format: Option<Format>,
    range: TextureRange,
) -> Result<Owned<TextureView>, ResourceError> {
    let desc = TextureViewDesc { name: "image", texture, kind: ViewKind::D2, format, range };
    Ok(Owned::new(device, device.create_view(&desc)?))
}

fn sampler_desc(key: pellucid_scene::Sampler, anisotropy: u32) -> SamplerDesc<'static> {
    let filter = |linear| if linear { Filter::Linear } else { Filter::Nearest };
    let wrap = |wrap| match wrap {
        Wrap::Repeat => AddressMode::Repeat,
        Wrap::Clamp => AddressMode::Clamp,
        Wrap::Mirror => AddressMode::Mirror,
    };
    let smooth = key.mag_linear && key.min_linear && key.mip_linear == Some(true);
    SamplerDesc {
        name: "image",
        mag: filter(key.mag_linear),
        min: filter(key.min_linear),
        mip: filter(key.mip_linear.unwrap_or(false)),
        address: [wrap(key.wrap_u), wrap(key.wrap_v), AddressMode::Repeat],
        max_anisotropy: if smooth { anisotropy } else { 1 },
        compare: None,
        // Without mips minification still chooses its own filter: a largest level of 0.25 rounds to level 0 yet
        // lets the hardware tell minification from magnification (Vulkan specification, VkSamplerCreateInfo).
        lod: [0.0, if key.mip_linear.is_some() { 1000.0 } else { 0.25 }],
    }
}
