//! A scene's images as textures with full mip chains.
use super::mips;
use crate::RenderError;
use pellucid_rhi::{
    AdapterKind, AddressMode, Device, Filter, Format, Owned, ResourceError, Sampler, SamplerDesc, Texture,
    TextureData, TextureDesc, TextureRange, TextureRoles, TextureView, TextureViewDesc, ViewKind,
    full_mip_chain,
};
use pellucid_scene::{Image, Scene, Wrap};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How an image's bytes are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Encoding {
    /// Colour.
    Srgb,
    /// Data.
    Linear,
}

pub(super) struct GpuImage {
    pub texture: Owned<Texture>,
    view: Owned<TextureView>,
    pub width: u32,
    pub height: u32,
    pub mips: u32,
    pub encoding: Encoding,
}

/// The textures of a scene, each image once per encoding.
pub(crate) struct Textures {
    pub(super) device: Device,
    anisotropy: u32,
    /// Mips are made here rather than by compute.
    pub(super) cpu_mips: bool,
    pub(super) images: HashMap<(usize, Encoding), GpuImage>,
    samplers: HashMap<pellucid_scene::Sampler, Owned<Sampler>>,
    white: (Owned<Texture>, Owned<TextureView>),
    /// For making mips by compute.
    pub(super) bilinear: Owned<Sampler>,
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
        let bilinear = device.create_sampler(&SamplerDesc::linear("mips", AddressMode::Clamp))?;
        Ok(Self {
            device: device.clone(),
            anisotropy,
            cpu_mips: device.info().kind == AdapterKind::Software,
            images: HashMap::new(),
            samplers: HashMap::new(),
            white: (texture, view),
            bilinear: Owned::new(device, bilinear),
        })
    }

    /// White, for a material without this texture.
    pub fn white(&self) -> TextureView {
        *self.white.1
    }

    /// Uploads what is new among these of the scene's images, on several threads.
    pub fn upload_all(
        &mut self,
        scene: &Scene,
        wanted: impl IntoIterator<Item = (usize, Encoding)>,
    ) -> Result<(), RenderError> {
        let mut keys: Vec<(usize, Encoding)> = Vec::new();
        for (texture, encoding) in wanted {
            let key = (texture_of(scene, texture)?.image, encoding);
            if !self.images.contains_key(&key) && !keys.contains(&key) {
                keys.push(key);
            }
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut made = Vec::new();
            while let Some(&(index, encoding)) = keys.get(next.fetch_add(1, Ordering::Relaxed)) {
                let count = scene.images.len();
                let made_one = match scene.images.get(index) {
                    Some(image) => self.upload(image, index, encoding)?,
                    None => return Err(RenderError::Dangling { what: "image", index, count }),
                };
                made.push(((index, encoding), made_one));
            }
            Ok(made)
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(keys.len()).min(8);
        let made = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut made = work()?;
            for helper in helpers {
                // A helper that panicked has a bug of its own to report: it goes on in this thread.
                made.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok::<_, RenderError>(made)
        })?;
        self.images.extend(made);
        Ok(())
    }

    /// The view of one of the scene's textures, once uploaded.
    pub fn view(
        &self,
        scene: &Scene,
        texture: usize,
        encoding: Encoding,
    ) -> Result<TextureView, RenderError> {
        let index = texture_of(scene, texture)?.image;
        let count = scene.images.len();
        let image = self.images.get(&(index, encoding));
        image.map(|image| *image.view).ok_or(RenderError::Dangling { what: "image", index, count })
    }

    fn upload(&self, image: &Image, index: usize, encoding: Encoding) -> Result<GpuImage, RenderError> {
        let (width, height) = (image.width, image.height);
        // Unnamed images go by their place in the file.
        let place = format!("/images/{index}");
        let name = if image.name.is_empty() { &place } else { &image.name };
        let limit = self.device.info().limits.texture_2d;
        let complete = image.rgba.len() as u64 == u64::from(width) * u64::from(height) * 4;
        if width == 0 || height == 0 || width > limit || height > limit || !complete {
            return Err(RenderError::ImageSize { name: name.to_owned(), width, height, limit });
        }
        let mips = full_mip_chain(width, height);
        let (format, view_format) = match encoding {
            // Compute can't write sRGB formats: it encodes by itself and writes plain numbers.
            Encoding::Srgb => (Format::Rgba8Srgb, Some(Format::Rgba8Unorm)),
            Encoding::Linear => (Format::Rgba8Unorm, None),
        };
        let roles = TextureRoles::SAMPLED | TextureRoles::COPY_DST | TextureRoles::STORAGE;
        let levels =
            if self.cpu_mips { mips::chain(&image.rgba, width, height, encoding) } else { Vec::new() };
        let data: Vec<TextureData<'_>> = [image.rgba.as_slice()]
            .into_iter()
            .chain(levels.iter().map(Vec::as_slice))
            .zip(0..)
            .map(|(bytes, mip)| TextureData { mip, layer: 0, row_pitch: (width >> mip).max(1) * 4, bytes })
            .collect();
        let texture = self.device.create_texture_init(
            &TextureDesc { view_format, mips, ..TextureDesc::d2(name, format, width, height, roles) },
            &data,
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
}

fn texture_of(scene: &Scene, index: usize) -> Result<&pellucid_scene::Texture, RenderError> {
    let count = scene.textures.len();
    scene.textures.get(index).ok_or(RenderError::Dangling { what: "texture", index, count })
}

pub(super) fn view(
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
