//! What a compiled shader is at run time: `static` data without a dependency.
use std::fmt;

/// A programmable stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "build", serde(rename_all = "lowercase"))]
pub enum Stage {
    /// Vertex shader.
    Vertex,
    /// Fragment (pixel) shader.
    Fragment,
    /// Compute shader.
    Compute,
}

impl Stage {
    /// The name that `shaders.toml` and Slang use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Fragment => "fragment",
            Self::Compute => "compute",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub enum BindingKind {
    /// Uniform buffer (`ConstantBuffer`, `cbuffer`).
    Uniform,
    /// Storage buffer that is only read (`StructuredBuffer`, `ByteAddressBuffer`).
    StorageRead,
    /// Storage buffer that may be written (`RWStructuredBuffer`, `RWByteAddressBuffer`).
    StorageWrite,
    /// Sampled texture.
    Texture,
    /// Storage texture (`RWTexture2D` and kin).
    StorageTexture,
    /// Sampler, comparison samplers included.
    Sampler,
}

/// A number type of shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub enum Scalar {
    /// A truth value, four bytes in memory.
    Bool,
    /// 8-bit signed integer.
    I8,
    /// 8-bit unsigned integer.
    U8,
    /// 16-bit signed integer.
    I16,
    /// 16-bit unsigned integer.
    U16,
    /// 32-bit signed integer.
    I32,
    /// 32-bit unsigned integer.
    U32,
    /// 64-bit signed integer.
    I64,
    /// 64-bit unsigned integer.
    U64,
    /// Half-precision float.
    F16,
    /// Single-precision float.
    F32,
    /// Double-precision float.
    F64,
}

impl Scalar {
    /// Bytes in memory.
    #[must_use]
    pub const fn size(self) -> u32 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::Bool | Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether Rust may hold it as a `host` number: its own type, an integer for a truth value (Rust's `bool` is
    /// one byte), the bits for a half, and smaller unsigned integers packed into a `uint`.
    #[must_use]
    pub const fn is_held_by(self, host: Self) -> bool {
        match self {
            Self::Bool => matches!(host, Self::U32 | Self::I32),
            Self::F16 => matches!(host, Self::U16 | Self::F16),
            Self::U32 => matches!(host, Self::U32 | Self::U16 | Self::U8),
            _ => self as u8 == host as u8,
        }
    }

    /// The name in Slang.
    #[must_use]
    pub const fn slang_name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "int8_t",
            Self::U8 => "uint8_t",
            Self::I16 => "int16_t",
            Self::U16 => "uint16_t",
            Self::I32 => "int",
            Self::U32 => "uint",
            Self::I64 => "int64_t",
            Self::U64 => "uint64_t",
            Self::F16 => "half",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }
}

/// One resource that the entry point uses. What the source declares and the entry point does not use is not
/// listed: the list is exactly what the module needs of a pipeline layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// Set number: the second argument of `[[vk::binding(binding, set)]]`.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
    /// Name in the source.
    pub name: &'static str,
    /// What it holds.
    pub kind: BindingKind,
    /// Elements of the array, 1 when it is no array, 0 when it has no bound.
    pub count: u32,
}

/// Where a [`Block`] lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub enum BlockKind {
    /// A uniform buffer.
    Uniform,
    /// The push constants.
    PushConstant,
    /// The element type of a structured buffer.
    StorageElement,
}

/// The layout of a uniform buffer, the push constants or a structured buffer's element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Name of the variable in the source.
    pub name: &'static str,
    /// Name of the struct, or of the variable when the struct has none.
    pub struct_name: &'static str,
    /// Where it lives.
    pub kind: BlockKind,
    /// Bytes: of the whole block, or from one element to the next.
    pub size: u32,
    /// Its members in order.
    pub members: &'static [Member],
}

/// A member of a [`Block`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Name in the source.
    pub name: &'static str,
    /// Its type as Slang would write it, such as `float4x4` or `Light[4]`.
    pub ty: &'static str,
    /// Bytes from the start of the block.
    pub offset: u32,
    /// Bytes, without padding behind it.
    pub size: u32,
}

/// One vertex attribute that a vertex shader reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexInput {
    /// Location.
    pub location: u32,
    /// Name in the source.
    pub name: &'static str,
    /// Semantic, such as `TEXCOORD`.
    pub semantic: &'static str,
    /// Number type of each component.
    pub scalar: Scalar,
    /// Components, 1 to 4.
    pub components: u32,
}

/// A compiled entry point with what it needs of the pipeline around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Name in `shaders.toml`.
    pub name: &'static str,
    /// Source file, relative to the shader folder.
    pub file: &'static str,
    /// Stage.
    pub stage: Stage,
    /// Entry point: its name in the source and in the module.
    pub entry: &'static str,
    /// SPIR-V 1.5, little-endian words as bytes.
    pub spirv: &'static [u8],
    /// Resources in use, by set and binding.
    pub bindings: &'static [Binding],
    /// Bytes of push constants in use, a multiple of 4.
    pub push_constants: Option<u32>,
    /// Layouts of the uniform buffers, push constants and structured buffers in use.
    pub blocks: &'static [Block],
    /// Vertex attributes in use, by location; empty for other stages.
    pub vertex_inputs: &'static [VertexInput],
    /// Invocations of a workgroup; zeros for other stages than compute.
    pub workgroup: [u32; 3],
    /// SHA-256, in hexadecimal, of the source, every include, the options and the compiler's version.
    pub source_hash: &'static str,
}

impl Artifact {
    /// The block of the variable `name`.
    #[must_use]
    pub fn block(&self, name: &str) -> Option<&'static Block> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// The binding of the variable `name`.
    #[must_use]
    pub fn binding(&self, name: &str) -> Option<&'static Binding> {
        self.bindings.iter().find(|binding| binding.name == name)
    }
}
