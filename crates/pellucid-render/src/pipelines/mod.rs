//! Pipelines, with layouts that come from the shaders' own reflection.
mod compute;
mod raster;

pub use compute::ComputePrograms;
pub use raster::{Coverage, ForwardKey, RasterPrograms, Surfaces};

use pellucid_rhi::{
    BindingKind, BindingLayout, BindingLayoutDesc, BindingSlot, DYNAMIC_UNIFORM_SET, Device, Owned,
    ResourceError, Shader, ShaderDesc, ShaderStages,
};
use pellucid_shader::{Artifact, Stage};

/// What a pipeline's shaders need bound.
pub struct Interface {
    /// Layouts of sets 0, 1, …
    layouts: Vec<Owned<BindingLayout>>,
    /// Dynamic uniforms.
    pub dynamic_uniforms: u32,
    /// Bytes of push constants.
    pub push_constants: u32,
}

impl Interface {
    /// The union of what these shaders bind.
    pub fn new(device: &Device, name: &str, shaders: &[&'static Artifact]) -> Result<Self, ResourceError> {
        let mut sets: Vec<Vec<BindingSlot>> = Vec::new();
        let mut dynamic_uniforms = 0;
        let mut push_constants = 0;
        for shader in shaders {
            push_constants = push_constants.max(shader.push_constants.unwrap_or(0));
            for binding in shader.bindings {
                if binding.set == DYNAMIC_UNIFORM_SET {
                    dynamic_uniforms = dynamic_uniforms.max(binding.binding + 1);
                    continue;
                }
                let set = binding.set as usize;
                if sets.len() <= set {
                    sets.resize_with(set + 1, Vec::new);
                }
                let stages = stages(shader.stage);
                match sets[set].iter_mut().find(|slot| slot.binding == binding.binding) {
                    Some(slot) => slot.stages |= stages,
                    None => sets[set].push(BindingSlot {
                        binding: binding.binding,
                        kind: kind(binding.kind),
                        count: binding.count,
                        stages,
                    }),
                }
            }
        }
        let layouts = sets
            .iter()
            .map(|slots| {
                let layout = device.create_binding_layout(&BindingLayoutDesc { name, slots })?;
                Ok(Owned::new(device, layout))
            })
            .collect::<Result<_, ResourceError>>()?;
        Ok(Self { layouts, dynamic_uniforms, push_constants })
    }

    /// The layouts, for a pipeline.
    pub fn layouts(&self) -> Vec<BindingLayout> {
        self.layouts.iter().map(Owned::get).collect()
    }

    /// The layout of a set, which the shaders are known to have.
    pub fn layout(&self, set: usize) -> BindingLayout {
        self.layouts[set].get()
    }
}

/// Hands a compiled shader to the device. It may be dropped once its pipelines are made.
pub fn shader(device: &Device, artifact: &'static Artifact) -> Result<Owned<Shader>, ResourceError> {
    let shader = device.create_shader(&ShaderDesc {
        name: artifact.name,
        stage: stages(artifact.stage),
        entry: artifact.entry,
        spirv: artifact.spirv,
    })?;
    Ok(Owned::new(device, shader))
}

fn stages(stage: Stage) -> ShaderStages {
    match stage {
        Stage::Vertex => ShaderStages::VERTEX,
        Stage::Fragment => ShaderStages::FRAGMENT,
        Stage::Compute => ShaderStages::COMPUTE,
    }
}

fn kind(kind: pellucid_shader::BindingKind) -> BindingKind {
    use pellucid_shader::BindingKind as Kind;
    match kind {
        Kind::Uniform => BindingKind::Uniform,
        Kind::StorageRead => BindingKind::StorageRead,
        Kind::StorageWrite => BindingKind::StorageWrite,
        Kind::Texture => BindingKind::Texture,
        Kind::StorageTexture => BindingKind::StorageTexture,
        Kind::Sampler => BindingKind::Sampler,
    }
}
