//! Structs shared with the shaders, field for field; the build fails where they differ.
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec4};

/// Most lights of a frame (`MAX_LIGHTS` in `frame_uniforms.slang`).
pub const MAX_LIGHTS: usize = 16;

/// Light kinds (`LIGHT_*` in `frame_uniforms.slang`).
pub const LIGHT_DIRECTIONAL: u32 = 0;
pub const LIGHT_POINT: u32 = 1;
pub const LIGHT_SPOT: u32 = 2;

/// A light.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Light {
    pub position: [f32; 3],
    pub inverse_range_2: f32,
    pub intensity: [f32; 3],
    pub kind: u32,
    pub direction: [f32; 3],
    pub spot_scale: f32,
    pub spot_offset: f32,
    pub angular_variance: f32,
    pub from_environment: u32,
    pub padding: u32,
}

/// What every pass of a frame shares.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct FrameUniforms {
    pub clip_from_world: Mat4,
    pub world_direction_from_clip: Mat4,
    pub eye: Vec4,
    pub environment_scale: f32,
    pub prefiltered_mips: f32,
    pub light_count: u32,
    pub explicit_lod: u32,
    pub lights: [Light; MAX_LIGHTS],
}

/// Material flags (`material_inputs.slang`).
pub mod material_flags {
    pub const HAS_BASE_COLOR: u32 = 1;
    pub const HAS_METALLIC_ROUGHNESS: u32 = 1 << 1;
    pub const HAS_NORMAL: u32 = 1 << 2;
    pub const HAS_OCCLUSION: u32 = 1 << 3;
    pub const HAS_EMISSIVE: u32 = 1 << 4;
    pub const IS_UNLIT: u32 = 1 << 5;
    pub const UV_SHIFT: u32 = 16;
}

/// A material's factors.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct MaterialUniforms {
    pub base_color: Vec4,
    pub emissive: [f32; 3],
    pub metallic: f32,
    pub roughness: f32,
    pub normal_scale: f32,
    pub occlusion_strength: f32,
    pub alpha_cutoff: f32,
    pub flags: u32,
    pub padding: [f32; 3],
}

/// Push constants of the present pass.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct PresentParameters {
    pub exposure: f32,
    pub tone_map: u32,
}

/// Push constants of the cube passes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct CubeParameters {
    pub size: u32,
    pub taps: u32,
    pub clip: f32,
}

/// Push constants of the prefilter pass.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct PrefilterParameters {
    pub size: u32,
    pub samples: u32,
    pub roughness: f32,
    pub source_size: f32,
}

/// Push constants of the passes that only need a size.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct IrradianceParameters {
    pub size: u32,
}

/// Push constants of the split-sum pass.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct SplitSumParameters {
    pub size: u32,
}

/// Push constants of the texture mip pass.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct MipParameters {
    pub source: [u32; 2],
    pub destination: [u32; 2],
    pub srgb: u32,
}

/// No skin (`NO_SKIN` in `deform.slang`).
pub const NO_SKIN: u32 = u32::MAX;

/// Push constants of the deform pass.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct DeformParameters {
    pub vertices: u32,
    pub targets: u32,
    pub joint_base: u32,
    pub weight_base: u32,
    pub source_vertex: u32,
    pub output_vertex: u32,
    pub target_base: u32,
    pub skin_vertex: u32,
}

/// The displacement of one vertex by one morph target.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct MorphVertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub tangent: [f32; 3],
}

/// Which joints move a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Influence {
    pub joints: [u16; 4],
    pub weights: [f32; 4],
}

/// The second vertex stream: everything but the position.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ShadingVertex {
    pub normal: [f32; 3],
    pub tangent: [f32; 4],
    pub uv: [f32; 4],
    pub color: [u16; 4],
}

/// The instance stream: rows of world_from_local.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct InstanceRows {
    pub rows: [[f32; 4]; 3],
}

impl InstanceRows {
    /// The first three rows of an affine matrix.
    pub fn new(matrix: Mat4) -> Self {
        Self { rows: [matrix.row(0).into(), matrix.row(1).into(), matrix.row(2).into()] }
    }
}
