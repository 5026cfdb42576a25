//! Shaders and pipelines.
use crate::{BindingLayout, CompareOp, Format, Shader, ShaderStages, VertexFormat};

/// A compiled shader.
#[derive(Clone, Copy, Debug)]
pub struct ShaderDesc<'a> {
    /// Debug name, also used in errors.
    pub name: &'a str,
    /// Its stage: exactly one.
    pub stage: ShaderStages,
    /// Entry point.
    pub entry: &'a str,
    /// SPIR-V, little-endian words as bytes; copied.
    pub spirv: &'a [u8],
}

/// One attribute of a vertex stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexAttribute {
    /// Location in the vertex shader.
    pub location: u32,
    /// Format.
    pub format: VertexFormat,
    /// Bytes from the start of the element.
    pub offset: u32,
}

/// One vertex stream.
#[derive(Clone, Copy, Debug)]
pub struct VertexBufferLayout<'a> {
    /// Bytes from one element to the next.
    pub stride: u32,
    /// Whether it advances per instance rather than per vertex.
    pub per_instance: bool,
    /// Its attributes.
    pub attributes: &'a [VertexAttribute],
}

/// How vertices form primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Topology {
    /// Every three vertices a triangle.
    #[default]
    TriangleList,
    /// Every vertex after the second a triangle.
    TriangleStrip,
    /// Every two vertices a line.
    LineList,
    /// Every vertex after the first a line.
    LineStrip,
    /// Every vertex a point.
    PointList,
}

/// Which faces are dropped. Fronts are counter-clockwise as seen on the screen, +Y up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Cull {
    /// None.
    #[default]
    None,
    /// Back faces.
    Back,
    /// Front faces.
    Front,
}

/// Depth state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthState {
    /// Format of the depth attachment.
    pub format: Format,
    /// Comparison of the new depth against the stored one (`GreaterOrEqual` in reverse-Z).
    pub compare: CompareOp,
    /// Whether passing fragments write depth.
    pub write: bool,
    /// Constant and slope-scaled depth bias.
    pub bias: [f32; 2],
}

/// How a colour target blends. Colours are linear and premultiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Blend {
    /// Replaces.
    #[default]
    Opaque,
    /// `src + dst * (1 - src.a)`, alpha alike.
    PremultipliedAlpha,
    /// `src + dst`.
    Additive,
}

/// One colour target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColorTarget {
    /// Format of the attachment.
    pub format: Format,
    /// Blending.
    pub blend: Blend,
    /// Channels written, bit 0 red to bit 3 alpha.
    pub write_mask: u8,
}

impl ColorTarget {
    /// All channels, no blending.
    #[must_use]
    pub const fn opaque(format: Format) -> Self {
        Self { format, blend: Blend::Opaque, write_mask: 0xf }
    }
}

/// A raster pipeline.
#[derive(Clone, Copy, Debug)]
pub struct RasterPipelineDesc<'a> {
    /// Debug name, also used in errors.
    pub name: &'a str,
    /// Vertex shader.
    pub vertex: Shader,
    /// Fragment shader; `None` writes depth only.
    pub fragment: Option<Shader>,
    /// Layouts of sets 0, 1, ….
    pub layouts: &'a [BindingLayout],
    /// Dynamic uniforms used, 0 to [`crate::MAX_DYNAMIC_UNIFORMS`].
    pub dynamic_uniforms: u32,
    /// Bytes of push constants, a multiple of 4, at most [`crate::MAX_PUSH_CONSTANTS`]; seen by every stage.
    pub push_constants: u32,
    /// Vertex streams.
    pub vertex_buffers: &'a [VertexBufferLayout<'a>],
    /// Topology.
    pub topology: Topology,
    /// Culling.
    pub cull: Cull,
    /// Depth, if there is a depth attachment.
    pub depth: Option<DepthState>,
    /// Samples of every attachment.
    pub samples: u32,
    /// Colour targets.
    pub color: &'a [ColorTarget],
}

/// A compute pipeline.
#[derive(Clone, Copy, Debug)]
pub struct ComputePipelineDesc<'a> {
    /// Debug name, also used in errors.
    pub name: &'a str,
    /// Compute shader.
    pub shader: Shader,
    /// Layouts of sets 0, 1, ….
    pub layouts: &'a [BindingLayout],
    /// Dynamic uniforms used.
    pub dynamic_uniforms: u32,
    /// Bytes of push constants.
    pub push_constants: u32,
}
