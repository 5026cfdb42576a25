//! The images of a headless frame.
use crate::RenderError;
use crate::pipelines::{RasterPrograms, Surfaces};
use crate::shot::Pixels;
use pellucid_rhi::{
    BindingEntry, BindingResource, BindingSet, BindingSetDesc, Device, Format, Owned, Texture, TextureDesc,
    TextureRange, TextureRoles, TextureView, TextureViewDesc, ViewKind,
};

/// A texture with a view of it.
pub(crate) struct Target {
    pub texture: Owned<Texture>,
    pub view: Owned<TextureView>,
}

/// Multisampled colour and depth, and the picture.
pub(crate) struct Targets {
    pub width: u32,
    pub height: u32,
    pub pixels: Pixels,
    pub hdr: Target,
    pub depth: Target,
    pub picture: Target,
    /// Set 0 of the present pass.
    pub present: Owned<BindingSet>,
}

impl Targets {
    pub fn new(
        device: &Device,
        programs: &RasterPrograms,
        width: u32,
        height: u32,
        pixels: Pixels,
    ) -> Result<Self, RenderError> {
        let target = |name, format: Format, samples, roles| -> Result<Target, RenderError> {
            let desc = TextureDesc { samples, ..TextureDesc::d2(name, format, width, height, roles) };
            let texture = Owned::new(device, device.create_texture(&desc)?);
            let view = device.create_view(&TextureViewDesc {
                name,
                texture: texture.get(),
                kind: ViewKind::D2,
                format: None,
                range: TextureRange::ALL,
            })?;
            Ok(Target { texture, view: Owned::new(device, view) })
        };
        let sampled_color = TextureRoles::COLOR_ATTACHMENT | TextureRoles::SAMPLED;
        let hdr = target("hdr", Surfaces::HDR, Surfaces::SAMPLES, sampled_color)?;
        let depth = target("depth", Surfaces::DEPTH, Surfaces::SAMPLES, TextureRoles::DEPTH_ATTACHMENT)?;
        let read_back = TextureRoles::COLOR_ATTACHMENT | TextureRoles::COPY_SRC;
        let picture = target("picture", Surfaces::picture(pixels), 1, read_back)?;
        let present = device.create_binding_set(&BindingSetDesc {
            name: "present",
            layout: programs.present.layout(0),
            entries: &[BindingEntry::new(0, BindingResource::Texture(*hdr.view))],
        })?;
        let present = Owned::new(device, present);
        Ok(Self { width, height, pixels, hdr, depth, picture, present })
    }
}
