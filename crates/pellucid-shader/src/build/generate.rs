//! Writes the Rust that a crate includes: one `static` a shader, and the checks of host structs.
use super::cache::Shader;
use super::manifest::{HostStruct, Manifest};
use super::model::{BlockRecord, Field, Layout, Record, Shape, StructLayout};
use super::{BuildError, model};
use crate::BlockKind;
use std::fmt::Write;

/// The generated file, whose modules are `include_bytes!`ed from `spirv_dir` below `OUT_DIR`.
pub(super) fn rust(manifest: &Manifest, shaders: &[Shader], spirv_dir: &str) -> Result<String, BuildError> {
    let mut out = String::from("// Written by pellucid-shader's build step. Changes are lost.\n");
    for shader in shaders {
        artifact(&mut out, &shader.record, spirv_dir);
    }
    out.push_str("\n/// Every shader, in the order of `shaders.toml`.\npub static ALL: &[&::pellucid_shader::Artifact] = &[\n");
    for shader in shaders {
        line(&mut out, format_args!("    &{},", shader.record.name.to_uppercase()));
    }
    out.push_str("];\n");
    if !manifest.host_structs.is_empty() {
        out.push_str(HELPERS);
    }
    for host in &manifest.host_structs {
        let record = shaders.iter().map(|shader| &shader.record).find(|record| record.name == host.shader);
        if let Some(record) = record {
            host_struct(&mut out, host, record)?;
        }
    }
    Ok(out)
}

const HELPERS: &str = "
/// Bytes of the field that `_field` gives.
const fn host_field_size<S, F>(_field: fn(&S) -> &F) -> usize {
    ::core::mem::size_of::<F>()
}

/// The numbers that the field is made of.
const fn host_field_scalar<S, F: ::pellucid_shader::HostNumbers>(_field: fn(&S) -> &F) -> ::pellucid_shader::Scalar {
    F::SCALAR
}
";

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn artifact(out: &mut String, record: &Record, spirv_dir: &str) {
    let Record { name, file, entry, stage, source_hash, .. } = record;
    line(out, format_args!("\n/// `{file}`, {stage} `{entry}`."));
    line(
        out,
        format_args!(
            "pub static {}: ::pellucid_shader::Artifact = ::pellucid_shader::Artifact {{",
            name.to_uppercase()
        ),
    );
    line(out, format_args!("    name: {name:?},\n    file: {file:?},\n    entry: {entry:?},"));
    line(out, format_args!("    stage: ::pellucid_shader::Stage::{stage:?},"));
    line(
        out,
        format_args!("    spirv: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{spirv_dir}/{name}.spv\")),"),
    );
    line(out, format_args!("    bindings: &["));
    for model::BindingRecord { set, binding, name, kind, count } in &record.bindings {
        line(
            out,
            format_args!(
                "        ::pellucid_shader::Binding {{ set: {set}, binding: {binding}, name: {name:?}, \
                 kind: ::pellucid_shader::BindingKind::{kind:?}, count: {count} }},"
            ),
        );
    }
    line(out, format_args!("    ],\n    push_constants: {:?},\n    blocks: &[", record.push_constants));
    for block in record.blocks.iter().filter(|block| block.used) {
        emit_block(out, block);
    }
    line(out, format_args!("    ],\n    vertex_inputs: &["));
    for model::InputRecord { location, name, semantic, scalar, components } in &record.vertex_inputs {
        line(
            out,
            format_args!(
                "        ::pellucid_shader::VertexInput {{ location: {location}, name: {name:?}, semantic: {semantic:?}, \
                 scalar: ::pellucid_shader::Scalar::{scalar:?}, components: {components} }},"
            ),
        );
    }
    line(
        out,
        format_args!(
            "    ],\n    workgroup: {:?},\n    source_hash: {source_hash:?},\n}};",
            record.workgroup
        ),
    );
}

fn emit_block(out: &mut String, block: &BlockRecord) {
    let BlockRecord { name, kind, layout, .. } = block;
    line(
        out,
        format_args!(
            "        ::pellucid_shader::Block {{ name: {name:?}, struct_name: {:?}, \
             kind: ::pellucid_shader::BlockKind::{kind:?}, size: {}, members: &[",
            layout.to_string(),
            layout.size
        ),
    );
    if let Shape::Struct(StructLayout { fields, .. }) = &layout.shape {
        for Field { name, offset, layout } in fields {
            line(
                out,
                format_args!(
                    "            ::pellucid_shader::Member {{ name: {name:?}, ty: {:?}, offset: {offset}, size: {} }},",
                    layout.to_string(),
                    layout.size
                ),
            );
        }
    }
    line(out, format_args!("        ] }},"));
}

/// The checks of one host struct.
fn host_struct(out: &mut String, host: &HostStruct, record: &Record) -> Result<(), BuildError> {
    let mut found: Vec<(bool, &Layout)> = Vec::new();
    let mut names = Vec::new();
    for block in &record.blocks {
        collect(&block.layout, block.kind == BlockKind::StorageElement, &host.slang, &mut found, &mut names);
    }
    names.sort_unstable();
    names.dedup();
    let Some(&(storage, layout)) = found.first() else {
        return Err(BuildError::NoSuchStruct {
            shader: host.shader.clone(),
            name: host.slang.clone(),
            available: names.join(", "),
        });
    };
    if found.iter().any(|&(_, other)| other != layout) {
        return Err(BuildError::TwoLayouts { shader: host.shader.clone(), name: host.slang.clone() });
    }
    // Elements of a structured buffer lie one behind the other, so the size is exact as soon as one is there.
    let storage = storage || found.iter().any(|&(storage, _)| storage);
    let (rust, slang, size) = (&host.rust, &host.slang, layout.size);
    let what = format!("`{rust}` mirrors `{slang}` of shader `{}`", host.shader);
    line(out, format_args!("\nconst _: () = {{"));
    if let Shape::Struct(StructLayout { fields, .. }) = &layout.shape {
        for field in fields {
            check_field(out, rust, &what, field, storage);
        }
    }
    if storage {
        assertion(
            out,
            format_args!("::core::mem::size_of::<{rust}>() == {size}"),
            &format!("{what}: its size must be exactly {size} bytes"),
        );
    } else {
        let padded = size.next_multiple_of(16);
        assertion(
            out,
            format_args!(
                "::core::mem::size_of::<{rust}>() >= {size} && ::core::mem::size_of::<{rust}>() <= {padded}"
            ),
            &format!("{what}: its size must be {size} to {padded} bytes"),
        );
    }
    line(out, format_args!("}};"));
    Ok(())
}

fn check_field(out: &mut String, rust: &str, what: &str, field: &Field, storage: bool) {
    let Field { name, offset, layout } = field;
    assertion(
        out,
        format_args!("::core::mem::offset_of!({rust}, {name}) == {offset}"),
        &format!("{what}: field `{name}` ({layout}) must be at byte {offset}"),
    );
    let size = layout.size;
    let (condition, must) = match &layout.shape {
        Shape::Array { count, stride, .. } => {
            let whole = count.saturating_mul(*stride);
            (format!("size == {whole}"), format!("be {whole} bytes: {count} elements of {stride}"))
        }
        Shape::Matrix { .. } | Shape::Struct(_) if !storage => {
            let padded = size.next_multiple_of(16);
            (format!("size >= {size} && size <= {padded}"), format!("be {size} to {padded} bytes"))
        }
        _ => (format!("size == {size}"), format!("be {size} bytes")),
    };
    if let Some(scalar) = layout.scalar() {
        let held = format!("host_field_scalar(|value: &{rust}| &value.{name})");
        assertion(
            out,
            format_args!("::pellucid_shader::Scalar::{scalar:?}.is_held_by({held})"),
            &format!("{what}: field `{name}` ({layout}) must hold numbers of type {}", scalar.slang_name()),
        );
    }
    line(out, format_args!("    let size = host_field_size(|value: &{rust}| &value.{name});"));
    assertion(out, format_args!("{condition}"), &format!("{what}: field `{name}` ({layout}) must {must}"));
}

fn assertion(out: &mut String, condition: std::fmt::Arguments<'_>, message: &str) {
    line(out, format_args!("    assert!({condition}, {message:?});"));
}

/// Finds the structs called `name` at any depth, and the names of all.
fn collect<'a>(
    layout: &'a Layout,
    storage: bool,
    name: &str,
    found: &mut Vec<(bool, &'a Layout)>,
    names: &mut Vec<&'a str>,
) {
    match &layout.shape {
        Shape::Struct(structure) => {
            names.push(&structure.name);
            if structure.name == name {
                found.push((storage, layout));
            }
            for field in &structure.fields {
                collect(&field.layout, storage, name, found, names);
            }
        }
        Shape::Array { element, .. } => collect(element, storage, name, found, names),
        _ => {}
    }
}
