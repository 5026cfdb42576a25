//! The split-sum table, which every environment shares.
use crate::RenderError;
use crate::gpu::SplitSumParameters;
use crate::pipelines::ComputePrograms;
use pellucid_rhi::{
    Barrier, BindingEntry, BindingResource, BindingSet, CommandEncoder, Device, Format, Owned, ShaderStages,
    Texture, TextureDesc, TextureRange, TextureRoles, TextureView, TextureViewDesc, Use, ViewKind,
};

/// Texels along each side: NoV by roughness.
const SIZE: u32 = 64;

/// Directional albedo of the specular lobe, in two parts.
pub struct SplitSum {
    texture: Owned<Texture>,
    view: Owned<TextureView>,
    set: Owned<BindingSet>,
}

impl SplitSum {
    pub fn new(device: &Device, programs: &ComputePrograms) -> Result<Self, RenderError> {
        let roles = TextureRoles::SAMPLED | TextureRoles::STORAGE;
        let desc = TextureDesc::d2("split-sum table", Format::Rg16Float, SIZE, SIZE, roles);
        let texture = Owned::new(device, device.create_texture(&desc)?);
        let view = device.create_view(&TextureViewDesc {
            name: "split-sum table",
            texture: texture.get(),
            kind: ViewKind::D2,
            format: None,
            range: TextureRange::ALL,
        })?;
        let view = Owned::new(device, view);
        let set = programs.split_sum()?.bind(
            device,
            0,
            &[BindingEntry::new(0, BindingResource::Texture(*view))],
        )?;
        Ok(Self { texture, view, set })
    }

    /// Records what fills the table.
    pub fn fill(
        &self,
        programs: &ComputePrograms,
        encoder: &mut CommandEncoder<'_>,
    ) -> Result<(), RenderError> {
        let written = Use::StorageWrite(ShaderStages::COMPUTE);
        encoder.barriers(&[Barrier::texture(*self.texture, Use::Undefined, written)]);
        let mut pass = encoder.compute_pass("split-sum table");
        let parameters = SplitSumParameters { size: SIZE };
        programs.split_sum()?.dispatch(&mut pass, &[(0, self.set.get())], &parameters, [SIZE, SIZE, 1]);
        pass.end();
        encoder.barriers(&[Barrier::texture(*self.texture, written, Use::Sampled(ShaderStages::FRAGMENT))]);
        Ok(())
    }

    pub fn view(&self) -> TextureView {
        self.view.get()
    }
}
