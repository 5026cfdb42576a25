//! Shaders and pipelines. Pipelines compile outside of every lock, so several threads compile at once.
use super::check::Subject;
use super::entries::{ComputeEntry, Interface, Key, RasterEntry, ShaderEntry, stream_mask};
use super::{Device, Parts};
use crate::backend::{self, PipelineInterface, RasterParams};
use crate::desc::{ComputePipelineDesc, RasterPipelineDesc, ShaderDesc, ShaderStages, VertexBufferLayout};
use crate::handle::{AnyHandle, ObjectKind};
use crate::name::Name;
use crate::slots::{HoldsObjects, lock};
use crate::spirv::{self, EntryPoint, Resource};
use crate::{
    BindingLayout, ComputePipeline, DYNAMIC_UNIFORM_SET, MAX_COLOR_ATTACHMENTS, MAX_DYNAMIC_UNIFORMS,
    MAX_PUSH_CONSTANTS, MAX_SETS, MAX_VERTEX_BUFFERS, RasterPipeline, ResourceError, Shader,
};

/// Largest module in bytes.
const MAX_SPIRV: usize = 16 << 20;

/// A shader taken up by a pipeline in the making, with a reference.
struct TakenShader {
    key: Key,
    native: backend::Shader,
}

/// What is common to both kinds of description.
struct Common<'a> {
    subject: Subject<'a>,
    layouts: &'a [BindingLayout],
    dynamic_uniforms: u32,
    push_constants: u32,
}

impl Parts {
    fn take_shader(
        &self,
        subject: Subject<'_>,
        shader: Shader,
        stage: ShaderStages,
        proof: &impl HoldsObjects,
    ) -> Result<(TakenShader, Box<[Resource]>), ResourceError> {
        let entry = self.tables.shaders.get(shader.0, proof);
        let entry = entry.ok_or_else(|| subject.stale(AnyHandle::from(shader).stale()))?;
        subject.require(entry.stage == stage, || {
            format!("its {stage:?} shader is a {:?} shader", entry.stage)
        })?;
        let key = Key { kind: ObjectKind::Shader, index: shader.0.index };
        Ok((TakenShader { key, native: entry.native.clone() }, entry.resources.clone()))
    }

    /// Checks what both kinds of pipeline share; takes a reference to each layout and shader at the end.
    fn take_interface(
        &self,
        common: &Common<'_>,
        shaders: &[(TakenShader, Box<[Resource]>)],
        proof: &impl HoldsObjects,
    ) -> Result<(Interface, Vec<backend::Layout>), ResourceError> {
        let Common { subject, layouts, dynamic_uniforms, push_constants } = *common;
        subject.require(layouts.len() <= MAX_SETS, || {
            format!("it has {} sets, the limit is {MAX_SETS}", layouts.len())
        })?;
        subject.require(dynamic_uniforms <= MAX_DYNAMIC_UNIFORMS, || {
            format!("it has {dynamic_uniforms} dynamic uniforms, the limit is {MAX_DYNAMIC_UNIFORMS}")
        })?;
        subject.require(push_constants <= MAX_PUSH_CONSTANTS && push_constants.is_multiple_of(4), || {
            format!(
                "it has {push_constants} bytes of push constants, a multiple of 4 up to {MAX_PUSH_CONSTANTS} is possible"
            )
        })?;
        let mut shapes = [0; MAX_SETS];
        let mut natives = Vec::with_capacity(layouts.len());
        let mut entries = Vec::with_capacity(layouts.len());
        for (set, layout) in layouts.iter().enumerate() {
            let entry = self.tables.layouts.get(layout.0, proof);
            let entry = entry.ok_or_else(|| subject.stale(AnyHandle::from(*layout).stale()))?;
            shapes[set] = entry.shape;
            natives.push(entry.native.clone());
            entries.push(entry);
        }
        for &Resource { set, binding } in shaders.iter().flat_map(|(_, resources)| resources) {
            let declared = match entries.get(set as usize) {
                Some(layout) => layout.slots.iter().any(|slot| slot.binding == binding),
                None => set == DYNAMIC_UNIFORM_SET && binding < dynamic_uniforms,
            };
            subject.require(declared, || {
                format!("a shader uses binding {binding} of set {set}, which the pipeline does not declare")
            })?;
        }
        let holds: Box<[Key]> =
            layouts.iter().map(|l| Key { kind: ObjectKind::BindingLayout, index: l.0.index }).collect();
        holds.iter().for_each(|&key| self.tables.retain(key));
        shaders.iter().for_each(|(shader, _)| self.tables.retain(shader.key));
        let interface = Interface {
            name: Name::new(subject.name),
            shapes,
            sets: layouts.len() as u32,
            dynamic_uniforms,
            push_constants,
            holds,
        };
        Ok((interface, natives))
    }
}

fn check_vertex_buffers(
    subject: Subject<'_>,
    buffers: &[VertexBufferLayout<'_>],
) -> Result<(), ResourceError> {
    subject.require(buffers.len() <= MAX_VERTEX_BUFFERS, || {
        format!("it has {} vertex streams, the limit is {MAX_VERTEX_BUFFERS}", buffers.len())
    })?;
    let mut locations = 0u32;
    for (slot, buffer) in buffers.iter().enumerate() {
        subject.require(buffer.stride <= 2048 && buffer.stride.is_multiple_of(4), || {
            format!(
                "vertex stream {slot} has a stride of {}, a multiple of 4 up to 2048 is possible",
                buffer.stride
            )
        })?;
        for attribute in buffer.attributes {
            let location = attribute.location;
            subject.require(location < 16 && locations & 1 << location == 0, || {
                format!("vertex location {location} is past 15 or there twice")
            })?;
            locations |= 1 << location;
            let end = attribute.offset.checked_add(attribute.format.bytes());
            let inside = end.is_some_and(|end| end <= buffer.stride) && attribute.offset.is_multiple_of(4);
            subject.require(inside, || {
                format!(
                    "vertex location {location}: {:?} at offset {} does not fit a stride of {} (offsets are multiples of 4)",
                    attribute.format, attribute.offset, buffer.stride
                )
            })?;
        }
    }
    Ok(())
}

impl Device {
    /// Creates a shader from SPIR-V, copied.
    ///
    /// # Errors
    /// The bytes are no SPIR-V or have no such entry point of that stage, the table is full, or a native call
    /// failed.
    pub fn create_shader(&self, desc: &ShaderDesc<'_>) -> Result<Shader, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        let subject = Subject::new(ObjectKind::Shader, desc.name);
        subject.require(desc.spirv.len() <= MAX_SPIRV, || {
            format!("it has {} bytes, the limit is {MAX_SPIRV}", desc.spirv.len())
        })?;
        let mut words = spirv::words(desc.spirv).ok_or_else(|| subject.invalid("its bytes are no SPIR-V"))?;
        let entries = spirv::entry_points(&words).map_err(|reason| subject.invalid(reason))?;
        let wanted = |entry: &&EntryPoint| entry.stage == desc.stage && entry.name == desc.entry;
        let entry = entries.iter().find(wanted).ok_or_else(|| {
            let names: Vec<_> = entries.iter().map(|entry| (entry.stage, &entry.name)).collect();
            subject
                .invalid(format!("it has no {:?} entry point {:?}, only {names:?}", desc.stage, desc.entry))
        })?;
        spirv::forget_language(&mut words);
        let name = Name::new(desc.name);
        let native = parts.backend.create_shader(&name, desc.stage, desc.entry, &words);
        let native = native.map_err(|error| parts.native(desc.name, error))?;
        let entry = ShaderEntry { native, stage: desc.stage, resources: entry.resources.as_slice().into() };
        parts.tables.shaders.insert(entry).map(Shader).map_err(|entry| {
            parts.backend.destroy_shader(entry.native);
            ResourceError::Capacity { kind: ObjectKind::Shader, limit: parts.tables.shaders.capacity() }
        })
    }

    /// Compiles a raster pipeline. Shaders may be destroyed right after.
    ///
    /// # Errors
    /// A handle is stale or a shader of the wrong stage; the description is against the portable rules, this
    /// device's formats, or what the shaders use; the table is full; or a native call failed.
    pub fn create_raster_pipeline(
        &self,
        desc: &RasterPipelineDesc<'_>,
    ) -> Result<RasterPipeline, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        let subject = Subject::new(ObjectKind::RasterPipeline, desc.name);
        self.check_targets(subject, desc)?;
        check_vertex_buffers(subject, desc.vertex_buffers)?;
        let common = Common {
            subject,
            layouts: desc.layouts,
            dynamic_uniforms: desc.dynamic_uniforms,
            push_constants: desc.push_constants,
        };
        let (shaders, interface, layouts) = {
            let ledger = lock(&parts.ledger);
            let mut shaders =
                vec![parts.take_shader(subject, desc.vertex, ShaderStages::VERTEX, &*ledger)?];
            if let Some(fragment) = desc.fragment {
                shaders.push(parts.take_shader(subject, fragment, ShaderStages::FRAGMENT, &*ledger)?);
            }
            let (interface, layouts) = parts.take_interface(&common, &shaders, &*ledger)?;
            (shaders, interface, layouts)
        };
        let params = RasterParams {
            interface: PipelineInterface {
                name: interface.name,
                layouts: &layouts,
                dynamic_uniforms: desc.dynamic_uniforms > 0,
            },
            vertex: &shaders[0].0.native,
            fragment: shaders.get(1).map(|(shader, _)| &shader.native),
            vertex_buffers: desc.vertex_buffers,
            topology: desc.topology,
            cull: desc.cull,
            depth: desc.depth,
            samples: desc.samples,
            color: desc.color,
        };
        let native = parts.backend.create_raster_pipeline(&params);
        parts.release_all(shaders.iter().map(|(shader, _)| shader.key));
        let native = native.map_err(|error| {
            parts.release_all(interface.holds.iter().copied());
            parts.native(desc.name, error)
        })?;
        let mut color = [None; MAX_COLOR_ATTACHMENTS];
        color.iter_mut().zip(desc.color).for_each(|(slot, target)| *slot = Some(target.format));
        let entry = RasterEntry {
            native,
            interface,
            color,
            depth: desc.depth.map(|depth| depth.format),
            depth_write: desc.depth.is_some_and(|depth| depth.write),
            samples: desc.samples,
            vertex_streams: stream_mask(desc.vertex_buffers),
        };
        parts.tables.raster.insert(entry).map(RasterPipeline).map_err(|entry| {
            parts.backend.destroy_raster_pipeline(entry.native);
            parts.release_all(entry.interface.holds);
            ResourceError::Capacity {
                kind: ObjectKind::RasterPipeline,
                limit: parts.tables.raster.capacity(),
            }
        })
    }

    fn check_targets(
        &self,
        subject: Subject<'_>,
        desc: &RasterPipelineDesc<'_>,
    ) -> Result<(), ResourceError> {
        subject.require(matches!(desc.samples, 1 | 4), || {
            format!("it has {} samples, 1 or 4 are possible", desc.samples)
        })?;
        subject.require(desc.color.len() <= MAX_COLOR_ATTACHMENTS, || {
            format!("it has {} colour targets, the limit is {MAX_COLOR_ATTACHMENTS}", desc.color.len())
        })?;
        subject.require(!desc.color.is_empty() || desc.depth.is_some(), || "it draws into nothing".into())?;
        subject.require(desc.color.is_empty() || desc.fragment.is_some(), || {
            "it has colour targets and no fragment shader".into()
        })?;
        for target in desc.color {
            let support = self.format_support(target.format);
            let format = target.format;
            let able = support.color && (target.blend == crate::Blend::Opaque || support.blend);
            if !able || (desc.samples == 4 && !support.samples4) {
                let blend = target.blend;
                return Err(subject.unsupported(format!(
                    "{format:?} as a colour target with blending {blend:?} and {} samples",
                    desc.samples
                )));
            }
            subject.require(target.write_mask <= 0xf, || {
                format!("a write mask of {:#x}, four bits are possible", target.write_mask)
            })?;
        }
        if let Some(depth) = desc.depth {
            let support = self.format_support(depth.format);
            if !support.depth || (desc.samples == 4 && !support.samples4) {
                return Err(subject.unsupported(format!(
                    "{:?} as a depth target with {} samples",
                    depth.format, desc.samples
                )));
            }
            subject.require(depth.bias.iter().all(|bias| bias.is_finite()), || {
                format!("a depth bias of {:?}", depth.bias)
            })?;
        }
        Ok(())
    }

    /// Compiles a compute pipeline. The shader may be destroyed right after.
    ///
    /// # Errors
    /// As [`Device::create_raster_pipeline`].
    pub fn create_compute_pipeline(
        &self,
        desc: &ComputePipelineDesc<'_>,
    ) -> Result<ComputePipeline, ResourceError> {
        let parts = &self.parts;
        parts.alive()?;
        let subject = Subject::new(ObjectKind::ComputePipeline, desc.name);
        let common = Common {
            subject,
            layouts: desc.layouts,
            dynamic_uniforms: desc.dynamic_uniforms,
            push_constants: desc.push_constants,
        };
        let (shaders, interface, layouts) = {
            let ledger = lock(&parts.ledger);
            let shaders = [parts.take_shader(subject, desc.shader, ShaderStages::COMPUTE, &*ledger)?];
            let (interface, layouts) = parts.take_interface(&common, &shaders, &*ledger)?;
            (shaders, interface, layouts)
        };
        let params = PipelineInterface {
            name: interface.name,
            layouts: &layouts,
            dynamic_uniforms: desc.dynamic_uniforms > 0,
        };
        let native = parts.backend.create_compute_pipeline(&params, &shaders[0].0.native);
        parts.release_all([shaders[0].0.key]);
        let native = native.map_err(|error| {
            parts.release_all(interface.holds.iter().copied());
            parts.native(desc.name, error)
        })?;
        parts.tables.compute.insert(ComputeEntry { native, interface }).map(ComputePipeline).map_err(
            |entry| {
                parts.backend.destroy_compute_pipeline(entry.native);
                parts.release_all(entry.interface.holds);
                ResourceError::Capacity {
                    kind: ObjectKind::ComputePipeline,
                    limit: parts.tables.compute.capacity(),
                }
            },
        )
    }
}
