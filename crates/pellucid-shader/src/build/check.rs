//! Compares what Slang says of a shader with what the module says itself, and joins the two: the module decides
//! what is in use, the reflection names it.
use super::model::{BindingRecord, BlockRecord, InputRecord, Layout, Parameter, Reflection, Shape};
use crate::spirv::{Interface, MemberLayout, Module, Type};
use crate::{BindingKind, BlockKind, Scalar, Stage};

/// What a module needs, with names.
pub(super) struct Joined {
    pub bindings: Vec<BindingRecord>,
    pub push_constants: Option<u32>,
    pub blocks: Vec<BlockRecord>,
    pub vertex_inputs: Vec<InputRecord>,
    pub workgroup: [u32; 3],
}

/// Joins reflection and module.
///
/// # Errors
/// A text that names what they disagree on.
pub(super) fn join(
    module: &Module,
    interface: &Interface,
    reflection: &Reflection,
    stage: Stage,
) -> Result<Joined, String> {
    if interface.stage != Some(stage) {
        return Err(format!("the module's stage is {:?}, not {stage}", interface.stage));
    }
    if stage == Stage::Compute && interface.local_size != reflection.workgroup {
        return Err(format!("workgroup {:?} and {:?}", interface.local_size, reflection.workgroup));
    }
    let mut used = Vec::new();
    let bindings = join_bindings(module, interface, reflection, &mut used)?;
    let push_constants = join_push_constants(module, interface, reflection, &mut used)?;
    let vertex_inputs = if stage == Stage::Vertex { join_inputs(interface, reflection)? } else { Vec::new() };
    let workgroup = if stage == Stage::Compute { interface.local_size } else { [0; 3] };
    let blocks = reflection.parameters.iter().filter_map(|parameter| block(parameter, &used)).collect();
    Ok(Joined { bindings, push_constants, blocks, vertex_inputs, workgroup })
}

/// The layout of a parameter's content, if it has one.
fn block(parameter: &Parameter, used: &[&str]) -> Option<BlockRecord> {
    let kind = match (parameter.place, parameter.kind) {
        (None, _) => BlockKind::PushConstant,
        (_, BindingKind::Uniform) => BlockKind::Uniform,
        _ => BlockKind::StorageElement,
    };
    let name = parameter.name.clone();
    let layout = parameter.content.clone()?;
    Some(BlockRecord { kind, used: used.contains(&name.as_str()), layout, name })
}

fn join_bindings<'a>(
    module: &Module,
    interface: &Interface,
    reflection: &'a Reflection,
    used: &mut Vec<&'a str>,
) -> Result<Vec<BindingRecord>, String> {
    let mut bindings = Vec::with_capacity(interface.resources.len());
    for resource in &interface.resources {
        let (set, binding) = (resource.set, resource.binding);
        let mut found = reflection.parameters.iter().filter(|known| known.place == Some((set, binding)));
        let parameter = found.next().ok_or_else(|| {
            let label = resource.name.as_deref().unwrap_or("?");
            format!("set {set} binding {binding} (`{label}`) is in the module only")
        })?;
        let name = &parameter.name;
        if let Some(other) = found.next() {
            return Err(format!(
                "`{name}` and `{}` share set {set} binding {binding}: give each its own \
                 `[[vk::binding(binding, set)]]`",
                other.name
            ));
        }
        if parameter.kind != resource.kind && !weaker(resource.kind, parameter.kind) {
            let (there, here) = (resource.kind, parameter.kind);
            return Err(format!("`{name}` is {there:?} in the module, {here:?} in the reflection"));
        }
        if parameter.count != resource.count {
            let (there, here) = (resource.count, parameter.count);
            return Err(format!("`{name}` has {there} elements in the module, {here} in the reflection"));
        }
        if let Some(content) = &parameter.content {
            let result = if parameter.kind == BindingKind::Uniform {
                same(module, resource.ty, content, MemberLayout::default())
            } else {
                same_elements(module, resource.ty, content)
            };
            result.map_err(|message| format!("`{name}`: {message}"))?;
        }
        used.push(name);
        let (kind, count) = (parameter.kind, parameter.count);
        bindings.push(BindingRecord { set, binding, name: name.clone(), kind, count });
    }
    Ok(bindings)
}

/// Bytes of push constants in use.
fn join_push_constants<'a>(
    module: &Module,
    interface: &Interface,
    reflection: &'a Reflection,
    used: &mut Vec<&'a str>,
) -> Result<Option<u32>, String> {
    let Some(ty) = interface.push_constants else { return Ok(None) };
    let parameter = reflection
        .parameters
        .iter()
        .find(|parameter| parameter.place.is_none())
        .ok_or("there are push constants in the module only: declare them as a global")?;
    let content = parameter.content.as_ref().ok_or("the push constants have no layout")?;
    same(module, ty, content, MemberLayout::default())
        .map_err(|message| format!("`{}`: {message}", parameter.name))?;
    used.push(&parameter.name);
    Ok(Some(content.size.next_multiple_of(4)))
}

/// Whether the module only reads what the source declares writable, which the optimiser may find out.
fn weaker(module: BindingKind, reflection: BindingKind) -> bool {
    module == BindingKind::StorageRead && reflection == BindingKind::StorageWrite
}

fn join_inputs(interface: &Interface, reflection: &Reflection) -> Result<Vec<InputRecord>, String> {
    let mut inputs = Vec::with_capacity(interface.inputs.len());
    for input in &interface.inputs {
        let record =
            reflection.inputs.iter().find(|record| record.location == input.location).ok_or_else(|| {
                format!("the vertex input at location {} is in the module only", input.location)
            })?;
        if (record.scalar, record.components) != (input.scalar, input.components) {
            return Err(format!(
                "vertex input `{}` is {}{} in the module, {}{} in the reflection",
                record.name,
                input.scalar.slang_name(),
                input.components,
                record.scalar.slang_name(),
                record.components
            ));
        }
        inputs.push(record.clone());
    }
    Ok(inputs)
}

/// That the module's struct around a run of elements has elements of this layout.
fn same_elements(module: &Module, block: u32, element: &Layout) -> Result<(), String> {
    let text = |error: crate::spirv::SpirvError| error.to_string();
    let Type::Struct { members } = module.ty(block).map_err(text)? else {
        return Err("it is no block".into());
    };
    let [array] = members[..] else { return Err("its block has not one member".into()) };
    let Type::RuntimeArray { element: ty } = *module.ty(array).map_err(text)? else {
        return Err("its block holds no run of elements".into());
    };
    let stride = module.array_stride(array);
    if stride != Some(element.size) {
        return Err(format!(
            "elements lie {stride:?} bytes apart in the module, {} in the reflection",
            element.size
        ));
    }
    same(module, ty, element, module.member(block, 0))
}

/// That the module's type `ty` has this layout; `placed` is what the nearest struct around it says of it. The reflection is finite, so the walk along it ends.
fn same(module: &Module, ty: u32, layout: &Layout, placed: MemberLayout) -> Result<(), String> {
    let found = module.ty(ty).map_err(|error| error.to_string())?;
    let differ = || Err(format!("`{layout}` is {found:?} in the module"));
    match (&layout.shape, found) {
        (Shape::Scalar(scalar), Type::Scalar(other)) if stored_as(*scalar, *other) => Ok(()),
        (Shape::Vector { scalar, count }, &Type::Vector { component, count: other }) if *count == other => {
            let number = Layout { size: scalar.size(), shape: Shape::Scalar(*scalar) };
            same(module, component, &number, placed)
        }
        // Slang gives a one-component vector as a number.
        (Shape::Vector { scalar, count: 1 }, Type::Scalar(other)) if stored_as(*scalar, *other) => Ok(()),
        // SPIR-V's matrices are Slang's transposed, so its columns are Slang's rows.
        (Shape::Matrix { scalar, rows, columns }, &Type::Matrix { column, count }) if count == *rows => {
            // The last column has no padding behind it.
            let padded = layout.size.checked_sub(scalar.size() * rows).filter(|_| *columns > 1);
            let stride = padded.map(|bytes| bytes / (columns - 1));
            if placed.row_major != Some(true) || (stride.is_some() && placed.matrix_stride != stride) {
                return Err(format!(
                    "`{layout}` is laid out otherwise in the module ({placed:?}) than in the reflection (columns \
                     {stride:?} bytes apart)"
                ));
            }
            let row = Shape::Vector { scalar: *scalar, count: *columns };
            same(module, column, &Layout { size: scalar.size() * columns, shape: row }, placed)
        }
        (Shape::Array { element, count, stride }, &Type::Array { element: inner, length }) => {
            let length = module.constant(length).map_err(|error| error.to_string())?;
            let found_stride = module.array_stride(ty);
            if length != *count || found_stride != Some(*stride) {
                return Err(format!(
                    "`{layout}` has {length} elements {found_stride:?} bytes apart in the module, {count} elements \
                     {stride} bytes apart in the reflection"
                ));
            }
            same(module, inner, element, placed)
        }
        (Shape::Array { .. }, Type::Struct { members }) => match members[..] {
            [member] => same(module, member, layout, module.member(ty, 0)),
            _ => differ(),
        },
        (Shape::Struct(expected), Type::Struct { members }) if members.len() == expected.fields.len() => {
            for (index, (field, &member)) in expected.fields.iter().zip(members).enumerate() {
                let placed = module.member(ty, index as u32);
                if placed.offset != Some(field.offset) {
                    return Err(format!(
                        "field `{}` of `{}` is at byte {:?} in the module, {} in the reflection",
                        field.name, expected.name, placed.offset, field.offset
                    ));
                }
                same(module, member, &field.layout, placed)?;
            }
            Ok(())
        }
        _ => differ(),
    }
}

/// Whether the module keeps a `scalar` as `found`: truth values become integers in memory.
fn stored_as(scalar: Scalar, found: Scalar) -> bool {
    scalar == found || (scalar == Scalar::Bool && matches!(found, Scalar::I32 | Scalar::U32))
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
