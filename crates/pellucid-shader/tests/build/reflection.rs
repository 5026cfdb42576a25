//! What the build step says of the fixture shaders, exactly.
use crate::support::{BUILT, built};
use pellucid_shader::build::{BlockRecord, Layout, Shape, StructLayout};
use pellucid_shader::spirv::Module;
use pellucid_shader::{BindingKind, BlockKind, Scalar};

fn bindings(name: &str) -> Vec<(u32, u32, &'static str, BindingKind, u32)> {
    let shader = built(name);
    shader.record.bindings.iter().map(|b| (b.set, b.binding, b.name.as_str(), b.kind, b.count)).collect()
}

fn block(shader: &str, name: &str) -> &'static BlockRecord {
    built(shader).record.blocks.iter().find(|block| block.name == name).unwrap()
}

fn fields(layout: &Layout) -> Vec<(&str, u32, u32, String)> {
    let Shape::Struct(StructLayout { fields, .. }) = &layout.shape else { panic!("{layout} is no struct") };
    fields.iter().map(|f| (f.name.as_str(), f.offset, f.layout.size, f.layout.to_string())).collect()
}

fn field<'a>(layout: &'a Layout, name: &str) -> &'a Layout {
    let Shape::Struct(StructLayout { fields, .. }) = &layout.shape else { panic!("{layout} is no struct") };
    &fields.iter().find(|field| field.name == name).unwrap().layout
}

#[test]
fn bindings_are_those_in_use() {
    use BindingKind::{Sampler, StorageRead, StorageTexture, StorageWrite, Texture, Uniform};
    assert_eq!(bindings("raster_vertex"), [(0, 0, "frame", Uniform, 1), (0, 1, "instances", StorageRead, 1)]);
    assert_eq!(
        bindings("raster_fragment"),
        [
            (0, 0, "frame", Uniform, 1),
            (1, 0, "albedo", Texture, 8),
            (1, 1, "linear_sampler", Sampler, 1),
            (1, 2, "shadow_sampler", Sampler, 1),
            (1, 3, "shadows", Texture, 1),
            (1, 4, "sky", Texture, 1),
            (1, 5, "raw", StorageRead, 1),
        ]
    );
    assert_eq!(
        bindings("reduce"),
        [
            (2, 0, "values", StorageWrite, 1),
            (2, 1, "image", StorageTexture, 1),
            (2, 2, "layers", StorageTexture, 1),
            (2, 3, "raw", StorageWrite, 1),
        ]
    );
    assert_eq!(
        bindings("layouts"),
        [
            (0, 0, "uniforms", Uniform, 1),
            (0, 1, "elements", StorageRead, 1),
            (0, 2, "results", StorageWrite, 2)
        ]
    );
}

#[test]
fn push_constants_and_workgroups_are_known() {
    let push = |name| built(name).record.push_constants;
    assert_eq!(push("raster_vertex"), Some(12));
    assert_eq!(push("raster_fragment"), None);
    assert_eq!(push("reduce"), Some(8));
    let workgroup = |name| built(name).record.workgroup;
    assert_eq!(workgroup("reduce"), [8, 8, 1]);
    assert_eq!(workgroup("layouts"), [32, 2, 1]);
    assert_eq!(workgroup("raster_vertex"), [0, 0, 0]);
}

#[test]
fn vertex_inputs_are_those_in_use() {
    let inputs: Vec<_> = built("raster_vertex")
        .record
        .vertex_inputs
        .iter()
        .map(|i| (i.location, i.name.as_str(), i.semantic.as_str(), i.scalar, i.components))
        .collect();
    assert!(inputs.contains(&(0, "position", "POSITION", Scalar::F32, 3)), "{inputs:?}");
    assert!(inputs.contains(&(2, "uv", "TEXCOORD", Scalar::F32, 2)), "{inputs:?}");
    assert!(inputs.contains(&(3, "joints", "JOINTS", Scalar::U32, 4)), "{inputs:?}");
    assert!(inputs.contains(&(4, "tint", "COLOR", Scalar::F32, 4)), "{inputs:?}");
    assert!(built("raster_fragment").record.vertex_inputs.is_empty());
}

#[test]
fn uniform_blocks_follow_the_packing_of_constant_buffers() {
    let frame = block("raster_vertex", "frame");
    assert_eq!((frame.kind, frame.used, frame.layout.size), (BlockKind::Uniform, true, 296));
    let expected = [
        ("clip_from_world", 0, 64, "float4x4"),
        ("eye", 64, 12, "float3"),
        ("exposure", 76, 4, "float"),
        ("lights", 80, 128, "Light[4]"),
        ("rotation", 208, 44, "float3x3"),
        ("size", 256, 8, "uint2"),
        ("weights", 272, 24, "float2[2]"),
    ];
    assert_eq!(
        fields(&frame.layout),
        expected.map(|(name, offset, size, ty)| (name, offset, size, ty.to_owned()))
    );
    let Shape::Array { element, count, stride } = &field(&frame.layout, "lights").shape else { panic!() };
    assert_eq!((*count, *stride, element.size), (4, 32, 32));
    assert_eq!(fields(element)[2], ("color", 16, 16, "float4".to_owned()));
    let push = block("raster_vertex", "push");
    assert_eq!(
        (push.kind, push.layout.to_string().as_str(), push.layout.size),
        (BlockKind::PushConstant, "Push", 12)
    );
    assert_eq!(block("reduce", "Settings").layout.to_string(), "Settings");
}

#[test]
fn structured_buffers_are_packed_without_gaps() {
    let uniform = &block("layouts", "uniforms").layout;
    let element = block("layouts", "elements");
    assert_eq!(element.kind, BlockKind::StorageElement);
    assert_eq!(element.layout.size, 268);
    let offsets = |layout: &Layout| fields(layout).iter().map(|field| field.1).collect::<Vec<_>>();
    assert_eq!(offsets(uniform), [0, 252, 256]);
    assert_eq!(offsets(&element.layout), [0, 192, 196]);
    assert_eq!(offsets(field(uniform, "inner")), [0, 48, 112, 160, 164, 176, 208]);
    assert_eq!(offsets(field(&element.layout, "inner")), [0, 36, 84, 132, 136, 140, 156]);
}

#[test]
fn unused_blocks_are_kept_for_host_structs_but_not_listed_as_used() {
    let push = block("raster_fragment", "push");
    assert!(!push.used);
}

#[test]
fn modules_are_spirv_1_5_without_source_notes_and_pass_validation() {
    for shader in &BUILT.1 {
        let module = Module::parse(&shader.spirv).unwrap();
        assert_eq!(module.version(), (1, 5), "{}", shader.record.name);
        assert!(shader.record.validated, "{}", shader.record.name);
        assert_eq!(module.entry_points()[0].name, shader.record.entry);
    }
}

#[test]
fn sources_are_named_from_the_shader_folder() {
    let paths: Vec<_> = built("raster_vertex").record.sources.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(paths, ["common/frame.slang", "raster/instance.slang", "raster/raster.slang"]);
}
