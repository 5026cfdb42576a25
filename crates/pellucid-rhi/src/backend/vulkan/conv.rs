//! This crate's words in Vulkan's.
use crate::desc::{
    AddressMode, BindingKind, Blend, BufferRoles, CompareOp, Cull, Filter, Format, Load, ShaderStages, Store,
    TextureRange, TextureRoles, Topology, Use, VertexFormat, ViewKind,
};
use ash::vk;

pub(super) const fn format(format: Format) -> vk::Format {
    match format {
        Format::R8Unorm => vk::Format::R8_UNORM,
        Format::Rg8Unorm => vk::Format::R8G8_UNORM,
        Format::Rgba8Unorm => vk::Format::R8G8B8A8_UNORM,
        Format::Rgba8Srgb => vk::Format::R8G8B8A8_SRGB,
        Format::Bgra8Unorm => vk::Format::B8G8R8A8_UNORM,
        Format::R16Float => vk::Format::R16_SFLOAT,
        Format::Rg16Float => vk::Format::R16G16_SFLOAT,
        Format::Rgba16Float => vk::Format::R16G16B16A16_SFLOAT,
        Format::R32Float => vk::Format::R32_SFLOAT,
        Format::Rgba32Float => vk::Format::R32G32B32A32_SFLOAT,
        Format::R32Uint => vk::Format::R32_UINT,
        Format::Rg11B10Float => vk::Format::B10G11R11_UFLOAT_PACK32,
        Format::Rgb10A2Unorm => vk::Format::A2B10G10R10_UNORM_PACK32,
        Format::D32Float => vk::Format::D32_SFLOAT,
    }
}

pub(super) const fn aspect(format: Format) -> vk::ImageAspectFlags {
    if format.is_depth() { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR }
}

pub(super) const fn vertex_format(format: VertexFormat) -> vk::Format {
    match format {
        VertexFormat::F32 => vk::Format::R32_SFLOAT,
        VertexFormat::F32x2 => vk::Format::R32G32_SFLOAT,
        VertexFormat::F32x3 => vk::Format::R32G32B32_SFLOAT,
        VertexFormat::F32x4 => vk::Format::R32G32B32A32_SFLOAT,
        VertexFormat::U32 => vk::Format::R32_UINT,
        VertexFormat::U16x4 => vk::Format::R16G16B16A16_UINT,
        VertexFormat::Unorm8x4 => vk::Format::R8G8B8A8_UNORM,
        VertexFormat::Unorm16x4 => vk::Format::R16G16B16A16_UNORM,
    }
}

/// Pairs of flags, those whose left side is set.
fn flags<A: Copy, B: std::ops::BitOrAssign + Default + Copy>(has: impl Fn(A) -> bool, pairs: &[(A, B)]) -> B {
    let mut sum = B::default();
    for &(ours, theirs) in pairs {
        if has(ours) {
            sum |= theirs;
        }
    }
    sum
}

pub(super) fn buffer_usage(roles: BufferRoles) -> vk::BufferUsageFlags {
    use vk::BufferUsageFlags as Usage;
    flags(
        |role| roles.contains(role),
        &[
            (BufferRoles::VERTEX, Usage::VERTEX_BUFFER),
            (BufferRoles::INDEX, Usage::INDEX_BUFFER),
            (BufferRoles::UNIFORM, Usage::UNIFORM_BUFFER),
            (BufferRoles::STORAGE, Usage::STORAGE_BUFFER),
            (BufferRoles::INDIRECT, Usage::INDIRECT_BUFFER),
            (BufferRoles::COPY_SRC, Usage::TRANSFER_SRC),
            (BufferRoles::COPY_DST, Usage::TRANSFER_DST),
        ],
    )
}

pub(super) fn image_usage(roles: TextureRoles) -> vk::ImageUsageFlags {
    use vk::ImageUsageFlags as Usage;
    flags(
        |role| roles.contains(role),
        &[
            (TextureRoles::SAMPLED, Usage::SAMPLED),
            (TextureRoles::STORAGE, Usage::STORAGE),
            (TextureRoles::COLOR_ATTACHMENT, Usage::COLOR_ATTACHMENT),
            (TextureRoles::DEPTH_ATTACHMENT, Usage::DEPTH_STENCIL_ATTACHMENT),
            (TextureRoles::COPY_SRC, Usage::TRANSFER_SRC),
            (TextureRoles::COPY_DST, Usage::TRANSFER_DST),
        ],
    )
}

pub(super) fn stages(stages: ShaderStages) -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as Stage;
    flags(
        |stage| stages.contains(stage),
        &[
            (ShaderStages::VERTEX, Stage::VERTEX),
            (ShaderStages::FRAGMENT, Stage::FRAGMENT),
            (ShaderStages::COMPUTE, Stage::COMPUTE),
        ],
    )
}

fn pipeline_stages(stages: ShaderStages) -> vk::PipelineStageFlags2 {
    use vk::PipelineStageFlags2 as Stage;
    flags(
        |stage| stages.contains(stage),
        &[
            (ShaderStages::VERTEX, Stage::VERTEX_SHADER),
            (ShaderStages::FRAGMENT, Stage::FRAGMENT_SHADER),
            (ShaderStages::COMPUTE, Stage::COMPUTE_SHADER),
        ],
    )
}

/// A use's stages, accesses and (for textures) layout.
pub(super) struct Lowered {
    pub(super) stages: vk::PipelineStageFlags2,
    pub(super) access: vk::AccessFlags2,
    pub(super) layout: vk::ImageLayout,
}

pub(super) fn lower(used: Use) -> Lowered {
    use vk::{AccessFlags2 as Access, ImageLayout as Layout, PipelineStageFlags2 as Stage};
    let depth = Stage::EARLY_FRAGMENT_TESTS | Stage::LATE_FRAGMENT_TESTS;
    let (stages, access, layout) = match used {
        // What was there is discarded, but whoever used it last has to be done: that is any earlier write.
        Use::Undefined => (Stage::ALL_COMMANDS, Access::MEMORY_WRITE, Layout::UNDEFINED),
        Use::Vertex => (Stage::VERTEX_INPUT, Access::VERTEX_ATTRIBUTE_READ, Layout::UNDEFINED),
        Use::Index => (Stage::VERTEX_INPUT, Access::INDEX_READ, Layout::UNDEFINED),
        Use::Indirect => (Stage::DRAW_INDIRECT, Access::INDIRECT_COMMAND_READ, Layout::UNDEFINED),
        Use::Uniform(stages) => (pipeline_stages(stages), Access::UNIFORM_READ, Layout::UNDEFINED),
        Use::Sampled(stages) => {
            (pipeline_stages(stages), Access::SHADER_SAMPLED_READ, Layout::SHADER_READ_ONLY_OPTIMAL)
        }
        Use::StorageRead(stages) => (pipeline_stages(stages), Access::SHADER_STORAGE_READ, Layout::GENERAL),
        Use::StorageWrite(stages) => {
            let access = Access::SHADER_STORAGE_READ | Access::SHADER_STORAGE_WRITE;
            (pipeline_stages(stages), access, Layout::GENERAL)
        }
        Use::ColorAttachment => {
            let access = Access::COLOR_ATTACHMENT_READ | Access::COLOR_ATTACHMENT_WRITE;
            (Stage::COLOR_ATTACHMENT_OUTPUT, access, Layout::COLOR_ATTACHMENT_OPTIMAL)
        }
        Use::DepthWrite => {
            let access = Access::DEPTH_STENCIL_ATTACHMENT_READ | Access::DEPTH_STENCIL_ATTACHMENT_WRITE;
            (depth, access, Layout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL)
        }
        Use::DepthRead => {
            (depth, Access::DEPTH_STENCIL_ATTACHMENT_READ, Layout::DEPTH_STENCIL_READ_ONLY_OPTIMAL)
        }
        Use::CopySrc => (Stage::ALL_TRANSFER, Access::TRANSFER_READ, Layout::TRANSFER_SRC_OPTIMAL),
        Use::CopyDst => (Stage::ALL_TRANSFER, Access::TRANSFER_WRITE, Layout::TRANSFER_DST_OPTIMAL),
        Use::Present => (Stage::ALL_COMMANDS, Access::NONE, Layout::PRESENT_SRC_KHR),
    };
    Lowered { stages, access, layout }
}

pub(super) fn range(range: TextureRange, aspect: vk::ImageAspectFlags) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: aspect,
        base_mip_level: range.base_mip,
        level_count: range.mips,
        base_array_layer: range.base_layer,
        layer_count: range.layers,
    }
}

pub(super) const fn view_kind(kind: ViewKind) -> vk::ImageViewType {
    match kind {
        ViewKind::D2 => vk::ImageViewType::TYPE_2D,
        ViewKind::D2Array => vk::ImageViewType::TYPE_2D_ARRAY,
        ViewKind::Cube => vk::ImageViewType::CUBE,
        ViewKind::CubeArray => vk::ImageViewType::CUBE_ARRAY,
        ViewKind::D3 => vk::ImageViewType::TYPE_3D,
    }
}

pub(super) const fn descriptor(kind: BindingKind) -> vk::DescriptorType {
    match kind {
        BindingKind::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
        BindingKind::StorageRead | BindingKind::StorageWrite => vk::DescriptorType::STORAGE_BUFFER,
        BindingKind::Texture => vk::DescriptorType::SAMPLED_IMAGE,
        BindingKind::StorageTexture => vk::DescriptorType::STORAGE_IMAGE,
        BindingKind::Sampler => vk::DescriptorType::SAMPLER,
    }
}

pub(super) const fn filter(filter: Filter) -> vk::Filter {
    match filter {
        Filter::Nearest => vk::Filter::NEAREST,
        Filter::Linear => vk::Filter::LINEAR,
    }
}

pub(super) const fn mip_filter(filter: Filter) -> vk::SamplerMipmapMode {
    match filter {
        Filter::Nearest => vk::SamplerMipmapMode::NEAREST,
        Filter::Linear => vk::SamplerMipmapMode::LINEAR,
    }
}

pub(super) const fn address(mode: AddressMode) -> vk::SamplerAddressMode {
    match mode {
        AddressMode::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        AddressMode::Repeat => vk::SamplerAddressMode::REPEAT,
        AddressMode::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
    }
}

pub(super) const fn compare(op: CompareOp) -> vk::CompareOp {
    match op {
        CompareOp::Never => vk::CompareOp::NEVER,
        CompareOp::Less => vk::CompareOp::LESS,
        CompareOp::Equal => vk::CompareOp::EQUAL,
        CompareOp::LessOrEqual => vk::CompareOp::LESS_OR_EQUAL,
        CompareOp::Greater => vk::CompareOp::GREATER,
        CompareOp::NotEqual => vk::CompareOp::NOT_EQUAL,
        CompareOp::GreaterOrEqual => vk::CompareOp::GREATER_OR_EQUAL,
        CompareOp::Always => vk::CompareOp::ALWAYS,
    }
}

pub(super) const fn topology(topology: Topology) -> vk::PrimitiveTopology {
    match topology {
        Topology::TriangleList => vk::PrimitiveTopology::TRIANGLE_LIST,
        Topology::TriangleStrip => vk::PrimitiveTopology::TRIANGLE_STRIP,
        Topology::LineList => vk::PrimitiveTopology::LINE_LIST,
        Topology::LineStrip => vk::PrimitiveTopology::LINE_STRIP,
        Topology::PointList => vk::PrimitiveTopology::POINT_LIST,
    }
}

pub(super) const fn cull(cull: Cull) -> vk::CullModeFlags {
    match cull {
        Cull::None => vk::CullModeFlags::NONE,
        Cull::Back => vk::CullModeFlags::BACK,
        Cull::Front => vk::CullModeFlags::FRONT,
    }
}

pub(super) fn blend(blend: Blend, write_mask: u8) -> vk::PipelineColorBlendAttachmentState {
    let (enable, destination) = match blend {
        Blend::Opaque => (false, vk::BlendFactor::ZERO),
        Blend::PremultipliedAlpha => (true, vk::BlendFactor::ONE_MINUS_SRC_ALPHA),
        Blend::Additive => (true, vk::BlendFactor::ONE),
    };
    vk::PipelineColorBlendAttachmentState::default()
        .blend_enable(enable)
        .src_color_blend_factor(vk::BlendFactor::ONE)
        .dst_color_blend_factor(destination)
        .color_blend_op(vk::BlendOp::ADD)
        .src_alpha_blend_factor(vk::BlendFactor::ONE)
        .dst_alpha_blend_factor(destination)
        .alpha_blend_op(vk::BlendOp::ADD)
        .color_write_mask(vk::ColorComponentFlags::from_raw(u32::from(write_mask)))
}

pub(super) const fn load<T>(load: &Load<T>) -> vk::AttachmentLoadOp {
    match load {
        Load::Load => vk::AttachmentLoadOp::LOAD,
        Load::Clear(_) => vk::AttachmentLoadOp::CLEAR,
        Load::DontCare => vk::AttachmentLoadOp::DONT_CARE,
    }
}

/// Integer formats are cleared to the nearest integer.
pub(super) fn clear_color(format: Format, value: [f32; 4]) -> vk::ClearColorValue {
    match format {
        Format::R32Uint => vk::ClearColorValue { uint32: value.map(|value| value.round() as u32) },
        _ => vk::ClearColorValue { float32: value },
    }
}

pub(super) const fn store(store: Store) -> vk::AttachmentStoreOp {
    match store {
        Store::Store => vk::AttachmentStoreOp::STORE,
        Store::Discard => vk::AttachmentStoreOp::DONT_CARE,
    }
}

pub(super) const fn samples(samples: u32) -> vk::SampleCountFlags {
    if samples == 4 { vk::SampleCountFlags::TYPE_4 } else { vk::SampleCountFlags::TYPE_1 }
}
