//! What the build step knows of a shader: reflection in typed form, and the record that the cache and a
//! package keep.
use crate::{BindingKind, BlockKind, Scalar, Stage};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A type in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Bytes, without padding behind it.
    pub size: u32,
    /// What it is.
    pub shape: Shape,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// A number or truth value.
    Scalar(Scalar),
    /// A vector.
    Vector {
        /// Component type.
        scalar: Scalar,
        /// Components.
        count: u32,
    },
    /// A matrix, stored column by column.
    Matrix {
        /// Element type.
        scalar: Scalar,
        /// Rows.
        rows: u32,
        /// Columns.
        columns: u32,
    },
    /// An array.
    Array {
        /// Element.
        element: Box<Layout>,
        /// Elements.
        count: u32,
        /// Bytes from one element to the next.
        stride: u32,
    },
    /// A struct.
    Struct(StructLayout),
}

/// A struct in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructLayout {
    /// Its name; the variable's when it has none.
    pub name: String,
    /// Fields in order.
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Bytes from the start of the struct.
    pub offset: u32,
    /// Its type.
    pub layout: Layout,
}

impl Layout {
    /// The type of its numbers; `None` when it is made of structs.
    #[must_use]
    pub fn scalar(&self) -> Option<Scalar> {
        match &self.shape {
            Shape::Scalar(scalar) | Shape::Vector { scalar, .. } | Shape::Matrix { scalar, .. } => {
                Some(*scalar)
            }
            Shape::Array { element, .. } => element.scalar(),
            Shape::Struct(_) => None,
        }
    }
}

impl fmt::Display for Layout {
    /// As Slang writes the type.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Shape::Scalar(scalar) => f.write_str(scalar.slang_name()),
            Shape::Vector { scalar, count } => write!(f, "{}{count}", scalar.slang_name()),
            Shape::Matrix { scalar, rows, columns } => write!(f, "{}{rows}x{columns}", scalar.slang_name()),
            Shape::Array { element, count, .. } => write!(f, "{element}[{count}]"),
            Shape::Struct(layout) => f.write_str(&layout.name),
        }
    }
}

/// A resource or the push constants, as the source declares them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Set and binding; `None` for push constants.
    pub place: Option<(u32, u32)>,
    /// What it holds; push constants count as uniform.
    pub kind: BindingKind,
    /// Elements of the array, 1 when it is no array, 0 when it has no bound.
    pub count: u32,
    /// The memory layout of a buffer's content, when the source gives one.
    pub content: Option<Layout>,
}

/// What Slang says of one entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reflection {
    /// Every global parameter, used or not.
    pub parameters: Vec<Parameter>,
    /// Varying inputs of the entry point.
    pub inputs: Vec<InputRecord>,
    /// Invocations of a workgroup; zeros for other stages than compute.
    pub workgroup: [u32; 3],
}

/// [`crate::Binding`], owned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindingRecord {
    /// Set number.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
    /// Name in the source.
    pub name: String,
    /// What it holds.
    pub kind: BindingKind,
    /// Elements.
    pub count: u32,
}

/// [`crate::Block`], owned. Blocks that the entry point doesn't use are kept too, for host structs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRecord {
    /// Name of the variable.
    pub name: String,
    /// Where it lives.
    pub kind: BlockKind,
    /// Whether the entry point uses it.
    pub used: bool,
    /// Its layout.
    pub layout: Layout,
}

/// [`crate::VertexInput`], owned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputRecord {
    /// Location.
    pub location: u32,
    /// Name in the source.
    pub name: String,
    /// Semantic.
    pub semantic: String,
    /// Number type.
    pub scalar: Scalar,
    /// Components.
    pub components: u32,
}

/// A source that went into a shader.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Source {
    /// Path relative to the shader folder, with `/`.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// Everything kept of one compiled shader but its SPIR-V.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Name in `shaders.toml`.
    pub name: String,
    /// Source file, relative to the shader folder.
    pub file: String,
    /// Entry point.
    pub entry: String,
    /// Stage.
    pub stage: Stage,
    /// SHA-256 of compiler, options, file, entry point and stage.
    pub command_hash: String,
    /// SHA-256 of the command hash and every source.
    pub source_hash: String,
    /// The source and every include, by path.
    pub sources: Vec<Source>,
    /// SHA-256 of the SPIR-V.
    pub spirv_sha256: String,
    /// Whether spirv-val passed it.
    pub validated: bool,
    /// What the compiler warned of.
    pub warnings: Vec<String>,
    /// Resources in use.
    pub bindings: Vec<BindingRecord>,
    /// Bytes of push constants in use.
    pub push_constants: Option<u32>,
    /// Buffer and push-constant layouts.
    pub blocks: Vec<BlockRecord>,
    /// Vertex attributes in use.
    pub vertex_inputs: Vec<InputRecord>,
    /// Invocations of a workgroup.
    pub workgroup: [u32; 3],
}
