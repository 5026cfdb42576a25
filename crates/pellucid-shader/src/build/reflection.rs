//! Slang's reflection JSON, read into the typed model.
use super::model::{Field, InputRecord, Layout, Parameter, Reflection, Shape, StructLayout};
use crate::{BindingKind, Scalar, Stage};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Root {
    #[serde(default)]
    parameters: Vec<RawParameter>,
    entry_points: Vec<RawEntry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawEntry {
    name: String,
    #[serde(default)]
    parameters: Vec<RawParameter>,
    #[serde(default)]
    thread_group_size: Option<[u32; 3]>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawParameter {
    name: String,
    #[serde(default)]
    binding: Option<RawBinding>,
    #[serde(rename = "type")]
    ty: RawType,
    #[serde(default)]
    semantic_name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawBinding {
    kind: String,
    #[serde(default)]
    space: u32,
    #[serde(default)]
    index: u32,
    #[serde(default)]
    offset: u32,
}

#[derive(Deserialize)]
struct RawSize {
    kind: String,
    // "unbounded" is written as a string.
    value: serde_json::Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawType {
    kind: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    scalar_type: Option<String>,
    #[serde(default)]
    element_count: Option<u32>,
    #[serde(default)]
    row_count: u32,
    #[serde(default)]
    column_count: u32,
    #[serde(default)]
    uniform_stride: Option<u32>,
    #[serde(default)]
    element_type: Option<Box<RawType>>,
    #[serde(default)]
    result_type: Option<Box<RawType>>,
    #[serde(default)]
    base_shape: Option<String>,
    #[serde(default)]
    access: Option<String>,
    #[serde(default)]
    fields: Vec<RawParameter>,
    #[serde(default)]
    sizes: Vec<RawSize>,
}

/// Reads what Slang wrote of the entry point `entry`; inputs are read for vertex shaders only.
///
/// # Errors
/// A text that names the parameter and what isn't taken.
pub fn parse(json: &str, entry: &str, stage: Stage) -> Result<Reflection, String> {
    let root: Root = serde_json::from_str(json)
        .map_err(|error| format!("the compiler's reflection has an unknown form: {error}"))?;
    let point = root
        .entry_points
        .into_iter()
        .find(|point| point.name == entry)
        .ok_or_else(|| format!("the compiler's reflection has no entry point `{entry}`"))?;
    let mut parameters = Vec::new();
    for raw in root.parameters {
        let name = raw.name.clone();
        let parameter = read_parameter(raw).map_err(|message| format!("parameter `{name}`: {message}"))?;
        parameters.push(parameter);
    }
    let mut inputs = Vec::new();
    for raw in point.parameters.iter().filter(|_| stage == Stage::Vertex) {
        if raw.binding.as_ref().is_some_and(|binding| binding.kind == "varyingInput") {
            read_inputs(raw, 0, &mut inputs).map_err(|message| format!("input `{}`: {message}", raw.name))?;
        }
    }
    Ok(Reflection { parameters, inputs, workgroup: point.thread_group_size.unwrap_or_default() })
}

fn read_parameter(raw: RawParameter) -> Result<Parameter, String> {
    let binding = raw.binding.ok_or("it has no binding")?;
    let place = match binding.kind.as_str() {
        "descriptorTableSlot" => Some((binding.space, binding.index)),
        "pushConstantBuffer" => None,
        "uniform" => {
            return Err(
                "it is a loose global: put it into a `ConstantBuffer`, or write `static const` for a constant".into()
            );
        }
        other => return Err(format!("bindings of kind `{other}` are not supported")),
    };
    let (count, ty) = if raw.ty.kind == "array" {
        // Unbounded arrays have no count, or 0.
        (raw.ty.element_count.unwrap_or(0), *raw.ty.element_type.ok_or("an array without an element type")?)
    } else {
        (1, raw.ty)
    };
    let (kind, content) = match (ty.kind.as_str(), ty.base_shape.as_deref()) {
        ("constantBuffer", _) => (BindingKind::Uniform, ty.element_type),
        ("samplerState", _) => (BindingKind::Sampler, None),
        ("resource", Some(shape)) => {
            let writable = match ty.access.as_deref() {
                None | Some("read") => false,
                Some("readWrite" | "write") => true,
                Some(other) => return Err(format!("access `{other}` is not supported")),
            };
            let buffer = if writable { BindingKind::StorageWrite } else { BindingKind::StorageRead };
            match shape {
                "structuredBuffer" => (buffer, ty.result_type),
                "byteAddressBuffer" => (buffer, None),
                "texture1D" | "texture2D" | "texture3D" | "textureCube" => {
                    (if writable { BindingKind::StorageTexture } else { BindingKind::Texture }, None)
                }
                other => return Err(format!("resources of shape `{other}` are not supported")),
            }
        }
        (other, _) => {
            return Err(format!(
                "globals of kind `{other}` are not supported: declare buffers, textures and samplers one by one"
            ));
        }
    };
    let content = content.map(|ty| read_layout(&ty, &raw.name)).transpose()?;
    Ok(Parameter { name: raw.name, place, kind, count, content })
}

fn read_layout(ty: &RawType, owner: &str) -> Result<Layout, String> {
    let size = ty
        .sizes
        .iter()
        .find(|size| size.kind == "uniform")
        .map(|size| {
            size.value.as_u64().and_then(|value| u32::try_from(value).ok()).ok_or("a type without a bound")
        })
        .transpose()?
        .ok_or_else(|| format!("a value of kind `{}` has no place in a buffer", ty.kind))?;
    let element = || ty.element_type.as_deref().ok_or("a type without an element type");
    let shape = match ty.kind.as_str() {
        "scalar" => Shape::Scalar(read_scalar(ty)?),
        "vector" => Shape::Vector {
            scalar: read_scalar(element()?)?,
            count: ty.element_count.ok_or("a vector without a size")?,
        },
        "matrix" => {
            Shape::Matrix { scalar: read_scalar(element()?)?, rows: ty.row_count, columns: ty.column_count }
        }
        "array" => Shape::Array {
            element: Box::new(read_layout(element()?, owner)?),
            count: ty
                .element_count
                .filter(|&count| count > 0)
                .ok_or("an array without a bound inside a buffer")?,
            stride: ty.uniform_stride.ok_or("an array without a stride")?,
        },
        "struct" => {
            let mut fields = Vec::with_capacity(ty.fields.len());
            for field in &ty.fields {
                let binding =
                    field.binding.as_ref().filter(|binding| binding.kind == "uniform").ok_or_else(|| {
                        format!("field `{}` is no plain data: declare resources as globals", field.name)
                    })?;
                let layout = read_layout(&field.ty, &field.name)
                    .map_err(|message| format!("field `{}`: {message}", field.name))?;
                fields.push(Field { name: field.name.clone(), offset: binding.offset, layout });
            }
            Shape::Struct(StructLayout { name: ty.name.clone().unwrap_or_else(|| owner.to_owned()), fields })
        }
        other => return Err(format!("a value of kind `{other}` is not supported in buffers")),
    };
    Ok(Layout { size, shape })
}

fn read_scalar(ty: &RawType) -> Result<Scalar, String> {
    Ok(match ty.scalar_type.as_deref() {
        Some("bool") => Scalar::Bool,
        Some("int8") => Scalar::I8,
        Some("uint8") => Scalar::U8,
        Some("int16") => Scalar::I16,
        Some("uint16") => Scalar::U16,
        Some("int32") => Scalar::I32,
        Some("uint32") => Scalar::U32,
        Some("int64") => Scalar::I64,
        Some("uint64") => Scalar::U64,
        Some("float16") => Scalar::F16,
        Some("float32") => Scalar::F32,
        Some("float64") => Scalar::F64,
        other => return Err(format!("number type `{}` is not supported", other.unwrap_or("none"))),
    })
}

/// Adds the locations of a varying input; `base` is where its parent begins.
fn read_inputs(raw: &RawParameter, base: u32, inputs: &mut Vec<InputRecord>) -> Result<(), String> {
    let Some(binding) = raw.binding.as_ref().filter(|binding| binding.kind == "varyingInput") else {
        return Ok(());
    };
    let location = base + binding.index;
    let mut push = |location, scalar, components| {
        inputs.push(InputRecord {
            location,
            name: raw.name.clone(),
            semantic: raw.semantic_name.clone().unwrap_or_default(),
            scalar,
            components,
        });
    };
    let element = || raw.ty.element_type.as_deref().ok_or("a type without an element type");
    match raw.ty.kind.as_str() {
        "scalar" => push(location, read_scalar(&raw.ty)?, 1),
        "vector" => {
            push(location, read_scalar(element()?)?, raw.ty.element_count.ok_or("a vector without a size")?)
        }
        "matrix" => {
            // One location a row, as HLSL counts them; the comparison with the module settles it.
            for row in 0..raw.ty.row_count {
                push(location + row, read_scalar(element()?)?, raw.ty.column_count);
            }
        }
        "struct" => {
            for field in &raw.ty.fields {
                read_inputs(field, location, inputs)?;
            }
        }
        other => return Err(format!("inputs of kind `{other}` are not supported")),
    }
    Ok(())
}
