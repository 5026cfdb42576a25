//! Shaders and pipelines.
use super::binding::Layout;
use super::conv;
use super::device::Device;
use super::native::Kind;
use crate::backend::{self, PipelineInterface, RasterParams};
use crate::desc::{ShaderStages, VertexBufferLayout};
use crate::fault::Site;
use crate::name::Name;
use crate::slots::lock;
use crate::{DYNAMIC_UNIFORM_SET, MAX_PUSH_CONSTANTS, NativeError};
use ash::vk;
use std::ffi::CString;
use std::sync::Arc;

/// Every stage that push constants reach. All pipelines declare the same whole range, so that their layouts
/// are compatible wherever their sets are.
pub(super) const PUSH_STAGES: vk::ShaderStageFlags = vk::ShaderStageFlags::from_raw(
    vk::ShaderStageFlags::VERTEX.as_raw()
        | vk::ShaderStageFlags::FRAGMENT.as_raw()
        | vk::ShaderStageFlags::COMPUTE.as_raw(),
);

/// A shader module. The facade keeps it alive; a copy is only a number and a shared name.
#[derive(Clone)]
pub(crate) struct Shader {
    raw: vk::ShaderModule,
    stage: vk::ShaderStageFlags,
    entry: Arc<CString>,
}

/// A raster pipeline and its layout.
pub(crate) struct RasterPipeline {
    pub(super) raw: vk::Pipeline,
    pub(super) layout: vk::PipelineLayout,
}

/// A compute pipeline and its layout.
pub(crate) struct ComputePipeline {
    pub(super) raw: vk::Pipeline,
    pub(super) layout: vk::PipelineLayout,
}

impl Shader {
    fn stage(&self) -> vk::PipelineShaderStageCreateInfo<'_> {
        vk::PipelineShaderStageCreateInfo::default()
            .stage(self.stage)
            .module(self.raw)
            .name(self.entry.as_c_str())
    }
}

fn vertex_input(
    buffers: &[VertexBufferLayout<'_>],
) -> (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>) {
    let mut bindings = Vec::new();
    let mut attributes = Vec::new();
    for (slot, buffer) in buffers.iter().enumerate().filter(|(_, buffer)| !buffer.attributes.is_empty()) {
        let rate =
            if buffer.per_instance { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX };
        bindings.push(vk::VertexInputBindingDescription {
            binding: slot as u32,
            stride: buffer.stride,
            input_rate: rate,
        });
        attributes.extend(buffer.attributes.iter().map(|attribute| vk::VertexInputAttributeDescription {
            location: attribute.location,
            binding: slot as u32,
            format: conv::vertex_format(attribute.format),
            offset: attribute.offset,
        }));
    }
    (bindings, attributes)
}

impl Device {
    pub(crate) fn create_shader(
        &self,
        name: &Name,
        stage: ShaderStages,
        entry: &str,
        spirv: &[u32],
    ) -> Result<Shader, NativeError> {
        let entry = CString::new(entry).map_err(|_| NativeError::Failed {
            call: "vkCreateShaderModule",
            reason: "the entry point's name has a NUL".to_owned(),
        })?;
        let info = vk::ShaderModuleCreateInfo::default().code(spirv);
        let raw = self.native.create(
            Site::CreateShader,
            Kind::ShaderModule,
            "vkCreateShaderModule",
            // SAFETY: the words are a SPIR-V module by its header and structure; its validity beyond that is
            // the user's, as `create_shader` says.
            |device| unsafe { device.create_shader_module(&info, None) },
        )?;
        self.set_name(raw, name);
        Ok(Shader { raw, stage: conv::stages(stage), entry: Arc::new(entry) })
    }

    pub(crate) fn destroy_shader(&self, shader: Shader) {
        // SAFETY: this device made it, and no pipeline is being made of it.
        unsafe { self.native.device.destroy_shader_module(shader.raw, None) };
        self.native.gone(Kind::ShaderModule);
    }

    fn pipeline_layout(&self, interface: &PipelineInterface<'_>) -> Result<vk::PipelineLayout, NativeError> {
        let own = interface.layouts.iter().map(backend::Layout::vulkan).map(|layout: &Layout| layout.raw);
        let mut sets: Vec<vk::DescriptorSetLayout> = own.collect();
        if interface.dynamic_uniforms {
            sets.resize(DYNAMIC_UNIFORM_SET as usize, self.descriptors.empty);
            sets.push(self.descriptors.uniforms);
        }
        let ranges =
            [vk::PushConstantRange { stage_flags: PUSH_STAGES, offset: 0, size: MAX_PUSH_CONSTANTS }];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&ranges);
        let (site, kind) = (Site::CreatePipelineLayout, Kind::PipelineLayout);
        self.native.create(site, kind, "vkCreatePipelineLayout", |device| {
            // SAFETY: the layouts are alive; their number and the range are within the admitted limits.
            unsafe { device.create_pipeline_layout(&info, None) }
        })
    }

    fn drop_pipeline_layout(&self, raw: vk::PipelineLayout) {
        // SAFETY: this device made it, and no pipeline or command uses it any more.
        unsafe { self.native.device.destroy_pipeline_layout(raw, None) };
        self.native.gone(Kind::PipelineLayout);
    }

    pub(crate) fn create_raster_pipeline(
        &self,
        params: &RasterParams<'_>,
    ) -> Result<RasterPipeline, NativeError> {
        let layout = self.pipeline_layout(&params.interface)?;
        let made = self.raw_raster_pipeline(params, layout);
        let raw = made.inspect_err(|_| self.drop_pipeline_layout(layout))?;
        self.set_name(raw, &params.interface.name);
        Ok(RasterPipeline { raw, layout })
    }

    fn raw_raster_pipeline(
        &self,
        params: &RasterParams<'_>,
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline, NativeError> {
        let mut stages = vec![params.vertex.vulkan().stage()];
        stages.extend(params.fragment.map(|fragment| fragment.vulkan().stage()));
        let (bindings, attributes) = vertex_input(params.vertex_buffers);
        let input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&bindings)
            .vertex_attribute_descriptions(&attributes);
        let assembly =
            vk::PipelineInputAssemblyStateCreateInfo::default().topology(conv::topology(params.topology));
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
        let bias = params.depth.map_or([0.0; 2], |depth| depth.bias);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .polygon_mode(vk::PolygonMode::FILL)
            .cull_mode(conv::cull(params.cull))
            // The viewport's height is negative, so counter-clockwise on the screen is counter-clockwise here.
            .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
            .depth_bias_enable(bias != [0.0; 2])
            .depth_bias_constant_factor(bias[0])
            .depth_bias_slope_factor(bias[1])
            .line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(conv::samples(params.samples));
        let mut depth = vk::PipelineDepthStencilStateCreateInfo::default();
        if let Some(state) = params.depth {
            depth = depth
                .depth_test_enable(true)
                .depth_write_enable(state.write)
                .depth_compare_op(conv::compare(state.compare));
        }
        let targets: Vec<_> =
            params.color.iter().map(|target| conv::blend(target.blend, target.write_mask)).collect();
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
        let dynamic = vk::PipelineDynamicStateCreateInfo::default()
            .dynamic_states(&[vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR]);
        let formats: Vec<_> = params.color.iter().map(|target| conv::format(target.format)).collect();
        let depth_format = params.depth.map_or(vk::Format::UNDEFINED, |depth| conv::format(depth.format));
        let mut rendering = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&formats)
            .depth_attachment_format(depth_format);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .dynamic_state(&dynamic)
            .layout(layout)
            .push_next(&mut rendering);
        let cache = *lock(&self.cache);
        let (site, kind) = (Site::CreateRasterPipeline, Kind::Pipeline);
        self.native.create(site, kind, "vkCreateGraphicsPipelines", |device| {
            // SAFETY: the structures are whole and live through the call; modules and layouts are alive; the
            // driver locks the cache itself.
            let made = unsafe { device.create_graphics_pipelines(cache, &[info], None) };
            first(made)
        })
    }

    pub(crate) fn create_compute_pipeline(
        &self,
        interface: &PipelineInterface<'_>,
        shader: &Shader,
    ) -> Result<ComputePipeline, NativeError> {
        let layout = self.pipeline_layout(interface)?;
        let info = vk::ComputePipelineCreateInfo::default().stage(shader.stage()).layout(layout);
        let cache = *lock(&self.cache);
        let (site, kind) = (Site::CreateComputePipeline, Kind::Pipeline);
        let made = self.native.create(site, kind, "vkCreateComputePipelines", |device| {
            // SAFETY: as for raster pipelines.
            let made = unsafe { device.create_compute_pipelines(cache, &[info], None) };
            first(made)
        });
        let raw = made.inspect_err(|_| self.drop_pipeline_layout(layout))?;
        self.set_name(raw, &interface.name);
        Ok(ComputePipeline { raw, layout })
    }

    fn drop_pipeline(&self, raw: vk::Pipeline, layout: vk::PipelineLayout) {
        // SAFETY: this device made it, and neither host nor GPU uses it any more.
        unsafe { self.native.device.destroy_pipeline(raw, None) };
        self.native.gone(Kind::Pipeline);
        self.drop_pipeline_layout(layout);
    }

    pub(crate) fn destroy_raster_pipeline(&self, pipeline: RasterPipeline) {
        self.drop_pipeline(pipeline.raw, pipeline.layout);
    }

    pub(crate) fn destroy_compute_pipeline(&self, pipeline: ComputePipeline) {
        self.drop_pipeline(pipeline.raw, pipeline.layout);
    }
}

/// The one pipeline of a call that made one.
fn first(
    made: Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>,
) -> Result<vk::Pipeline, vk::Result> {
    let made = made.map_err(|(_, code)| code)?;
    made.first().copied().ok_or(vk::Result::ERROR_UNKNOWN)
}
