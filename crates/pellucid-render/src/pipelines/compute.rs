//! Compute programs, each made when it is first needed.
use super::{Interface, shader};
use crate::shaders;
use pellucid_rhi::{
    BindingEntry, BindingSet, BindingSetDesc, ComputePass, ComputePipeline, ComputePipelineDesc, Device,
    Owned, ResourceError,
};
use pellucid_shader::Artifact;
use std::sync::OnceLock;

/// A compute pipeline and how it is bound.
pub struct ComputeProgram {
    name: &'static str,
    pipeline: Owned<ComputePipeline>,
    interface: Interface,
    workgroup: [u32; 3],
}

impl ComputeProgram {
    fn new(device: &Device, artifact: &'static Artifact) -> Result<Self, ResourceError> {
        let interface = Interface::new(device, artifact.name, &[artifact])?;
        let shader = shader(device, artifact)?;
        let pipeline = device.create_compute_pipeline(&ComputePipelineDesc {
            name: artifact.name,
            shader: shader.get(),
            layouts: &interface.layouts(),
            dynamic_uniforms: interface.dynamic_uniforms,
            push_constants: interface.push_constants,
        })?;
        Ok(Self {
            name: artifact.name,
            pipeline: Owned::new(device, pipeline),
            interface,
            workgroup: artifact.workgroup,
        })
    }

    /// A set for this program.
    pub fn bind(
        &self,
        device: &Device,
        set: usize,
        entries: &[BindingEntry],
    ) -> Result<Owned<BindingSet>, ResourceError> {
        let layout = self.interface.layout(set);
        let set = device.create_binding_set(&BindingSetDesc { name: self.name, layout, entries })?;
        Ok(Owned::new(device, set))
    }

    /// Dispatches enough groups for `size` invocations.
    pub fn dispatch<P: bytemuck::NoUninit>(
        &self,
        pass: &mut ComputePass<'_>,
        sets: &[(u32, BindingSet)],
        parameters: &P,
        size: [u32; 3],
    ) {
        pass.set_pipeline(self.pipeline.get());
        for &(index, set) in sets {
            pass.set_binding_set(index, set);
        }
        pass.push_constants(bytemuck::bytes_of(parameters));
        let [x, y, z] = [0, 1, 2].map(|axis| size[axis].div_ceil(self.workgroup[axis].max(1)));
        pass.dispatch(x, y, z);
    }
}

macro_rules! programs {
    ($($name:ident = $artifact:ident;)*) => {
        /// The compute programs.
        pub struct ComputePrograms {
            device: Device,
            $($name: OnceLock<ComputeProgram>,)*
        }

        impl ComputePrograms {
            /// Makes none yet.
            pub fn new(device: &Device) -> Self {
                Self { device: device.clone(), $($name: OnceLock::new(),)* }
            }

            $(
                /// The program of this name.
                pub fn $name(&self) -> Result<&ComputeProgram, ResourceError> {
                    once(&self.$name, || ComputeProgram::new(&self.device, &shaders::$artifact))
                }
            )*
        }
    };
}

programs! {
    equirect_to_cube = EQUIRECT_TO_CUBE;
    downsample_cube = DOWNSAMPLE_CUBE;
    prefilter = PREFILTER;
    irradiance = IRRADIANCE;
    split_sum = SPLIT_SUM;
    downsample_even = DOWNSAMPLE_EVEN;
    downsample_odd = DOWNSAMPLE_ODD;
    deform = DEFORM;
}

/// `OnceLock::get_or_try_init`, which is not stable yet. Two threads may both make the value; one is kept.
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, ResourceError>) -> Result<&T, ResourceError> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}
