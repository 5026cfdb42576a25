//! Mip chains by compute, for GPUs.
use super::textures::{Encoding, Textures, view};
use crate::RenderError;
use crate::gpu::MipParameters;
use crate::pipelines::ComputePrograms;
use pellucid_rhi::{
    Barrier, BindingEntry, BindingResource, BindingSet, CommandEncoder, Format, Owned, ShaderStages,
    TextureRange, TextureView, Use,
};

/// What fills the mip chains, alive until that is submitted.
#[derive(Default)]
pub(crate) struct MipChains {
    views: Vec<Owned<TextureView>>,
    sets: Vec<Owned<BindingSet>>,
}

impl Textures {
    /// Records what fills every mip chain. All textures' equal levels are made together, so that there is one
    /// batch of barriers a level rather than one a level and texture.
    pub fn fill_mips(
        &self,
        programs: &ComputePrograms,
        encoder: &mut CommandEncoder<'_>,
        chains: &mut MipChains,
    ) -> Result<(), RenderError> {
        if self.cpu_mips {
            return Ok(());
        }
        let most = self.images.values().map(|image| image.mips).max().unwrap_or(0);
        if most < 2 {
            return Ok(());
        }
        // The order decides nothing that can be seen, but the same scene should record the same commands.
        let mut images: Vec<_> = self.images.iter().collect();
        images.sort_by_key(|(key, _)| **key);
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
                let size = |level: u32| [(image.width >> level).max(1), (image.height >> level).max(1)];
                let (source, destination) = (size(level - 1), size(level));
                let finer_entry = BindingEntry::new(0, BindingResource::Texture(*finer));
                let coarser_entry = BindingEntry::new(2, BindingResource::Texture(*coarser));
                let (program, set) = if source.iter().all(|side| side % 2 == 0) {
                    let program = programs.downsample_even()?;
                    let bilinear = BindingEntry::new(1, BindingResource::Sampler(*self.bilinear));
                    (program, program.bind(&self.device, 0, &[finer_entry, bilinear, coarser_entry])?)
                } else {
                    let program = programs.downsample_odd()?;
                    (program, program.bind(&self.device, 0, &[finer_entry, coarser_entry])?)
                };
                program.dispatch(
                    &mut pass,
                    &[(0, set.get())],
                    &MipParameters { source, destination, srgb: u32::from(image.encoding == Encoding::Srgb) },
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
