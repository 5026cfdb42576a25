//! What a person sees when a shader is wrong.
use crate::support::Scratch;
use pellucid_shader::build::{BuildError, BuildRequest, compile};
use pellucid_shader::toolchain;
use std::fs;

/// What is said of one shader with this text.
fn complaint(text: &str, stage: &str) -> String {
    let scratch = Scratch::with_source(text, "main_entry", stage);
    let error = compile(&scratch.request()).unwrap_err().to_string();
    assert!(!scratch.path("out/shaders.rs").exists(), "a failed build writes nothing");
    error
}

fn compute(globals: &str, body: &str) -> String {
    format!(
        "{globals}\n[shader(\"compute\")] [numthreads(1,1,1)] void main_entry(uint3 id : SV_DispatchThreadID)\n{{ {body} }}\n"
    )
}

const OUTPUT: &str = "[[vk::binding(0, 0)]] RWStructuredBuffer<float> o;";

#[test]
fn the_compilers_errors_come_with_file_and_line() {
    let error = complaint(&compute(OUTPUT, "\n  o[0] = undefined_name;\n"), "compute");
    assert!(error.contains("shader `only`"), "{error}");
    assert!(error.contains("only.slang:4:10"), "{error}");
    assert!(error.contains("undefined_name"), "{error}");
    let error = complaint("#include \"no/such.slang\"\n", "compute");
    assert!(error.contains("only.slang:1") && error.contains("no/such.slang"), "{error}");
}

#[test]
fn an_include_with_an_error_is_the_one_named() {
    let scratch = Scratch::new();
    let text = scratch.read("shaders/raster/instance.slang").replace("float2 scale;", "float2 scale");
    scratch.write("shaders/raster/instance.slang", &text);
    let error = compile(&scratch.request()).unwrap_err().to_string();
    assert!(error.contains("raster/instance.slang:14"), "{error}");
}

#[test]
fn every_broken_shader_is_told_and_each_mistake_once() {
    let scratch = Scratch::new();
    for (path, good, bad) in [
        ("shaders/raster/instance.slang", "float2 scale;", "float2 scale"),
        ("shaders/compute/reduce.slang", "values[index] = tile", "values[index] = tiles"),
    ] {
        scratch.write(path, &scratch.read(path).replacen(good, bad, 1));
    }
    let error = compile(&scratch.request()).unwrap_err().to_string();
    // Both raster entry points fail by the same mistake.
    assert_eq!(error.matches("instance.slang:14").count(), 1, "{error}");
    assert!(error.contains("`raster_vertex`") && !error.contains("`raster_fragment`"), "{error}");
    assert!(error.contains("`reduce`") && error.contains("compute/reduce.slang:20"), "{error}");
    // The one that was right is kept for the next build.
    assert!(scratch.path("cache/layouts.spv").exists());
}

#[test]
fn an_entry_point_that_is_not_there_is_named() {
    let scratch = Scratch::with_source(&compute(OUTPUT, "o[0] = 1;"), "other_entry", "compute");
    let error = compile(&scratch.request()).unwrap_err().to_string();
    assert!(error.contains("other_entry"), "{error}");
}

#[test]
fn what_the_contract_has_no_place_for_is_refused_by_name() {
    let sampler = "[[vk::binding(1, 0)]] Sampler2D both;";
    let parameter_block =
        "struct P { float4 a; Texture2D t; }; [[vk::binding(0, 1)]] ParameterBlock<P> block;";
    let two = "[[vk::binding(0, 0)]] StructuredBuffer<float> other;";
    let cases = [
        (
            compute(&format!("{OUTPUT} uniform float loose;"), "o[0] = loose;"),
            "`loose`: it is a loose global",
        ),
        (compute(&format!("{OUTPUT} {sampler}"), "o[0] = both.SampleLevel(float2(0), 0).x;"), "`both`"),
        (compute(&format!("{OUTPUT} {parameter_block}"), "o[0] = block.a.x;"), "`block`"),
        (compute(&format!("{OUTPUT} {two}"), "o[0] = other[0];"), "share set 0 binding 0"),
        (
            compute(OUTPUT, "o[0] = extra;").replace("uint3 id", "uniform float extra, uint3 id"),
            "push constants in the module only",
        ),
    ];
    for (text, expected) in cases {
        let error = complaint(&text, "compute");
        assert!(error.contains(expected), "{error}\nshould say {expected}, of\n{text}");
    }
}

#[test]
fn an_include_from_outside_the_folder_is_refused() {
    let scratch = Scratch::with_source(
        &format!("#include \"../outside.slang\"\n{}", compute(OUTPUT, "o[0] = outside;")),
        "main_entry",
        "compute",
    );
    scratch.write("outside.slang", "static const float outside = 1;\n");
    let error = compile(&scratch.request()).unwrap_err();
    assert!(matches!(error, BuildError::Outside { .. }), "{error}");
    assert!(error.to_string().contains("outside.slang"), "{error}");
}

#[test]
fn warnings_are_told_with_their_place() {
    let text = compute(
        &format!("{OUTPUT}\n[[vk::binding(1, 0)]] cbuffer C : register(b4) {{ float q; }};"),
        "float x; o[0] = x + q;",
    );
    let scratch = Scratch::with_source(&text, "main_entry", "compute");
    let report = compile(&scratch.request()).unwrap();
    assert!(report.warnings.iter().any(|warning| warning.contains("only.slang:")), "{:?}", report.warnings);
    // They are kept with the shader, not lost when it is taken from the cache.
    let again = compile(&scratch.request()).unwrap();
    assert!(again.compiled.is_empty());
    assert_eq!(again.warnings, report.warnings);
}

#[test]
fn a_machine_without_toolchain_is_told_what_to_run() {
    let scratch = Scratch::new();
    let error = compile(&scratch.request_without_toolchain()).unwrap_err().to_string();
    assert!(error.contains("cargo xtask setup"), "{error}");
    assert!(error.contains(toolchain::VERSION), "{error}");
}

#[test]
fn a_validator_can_be_required_and_is_heeded() {
    let scratch = Scratch::with_source(&compute(OUTPUT, "o[0] = 1;"), "main_entry", "compute");
    let missing = BuildRequest { validator: "no-such-spirv-val".into(), ..scratch.request() };
    let error = compile(&missing).unwrap_err();
    assert!(matches!(error, BuildError::NoValidator), "{error}");

    let report = compile(&BuildRequest { require_validator: false, ..missing }).unwrap();
    assert!(!report.shaders[0].record.validated);
    assert!(report.warnings.iter().any(|warning| warning.contains("spirv-val is not installed")));

    // A validator that turns up later is still asked, and its word counts.
    let refusing = scratch.path("refusing-val");
    fs::write(
        &refusing,
        "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho 'error: line 7: no good'\nexit 1\n",
    )
    .unwrap();
    #[cfg(unix)]
    fs::set_permissions(&refusing, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let error =
        compile(&BuildRequest { validator: refusing.into(), ..scratch.request() }).unwrap_err().to_string();
    assert!(error.contains("`only`") && error.contains("line 7: no good"), "{error}");

    let report = compile(&scratch.request()).unwrap();
    assert!(report.compiled.is_empty() && report.shaders[0].record.validated);
}

#[test]
fn a_struct_that_is_not_there_is_told_with_those_that_are() {
    let scratch = Scratch::new();
    let manifest = scratch.read("shaders/shaders.toml").replace("slang = \"Light\"", "slang = \"Lamp\"");
    scratch.write("shaders/shaders.toml", &manifest);
    let error = compile(&scratch.request()).unwrap_err().to_string();
    assert!(error.contains("`Lamp`") && error.contains("Frame, Instance, Light, Push"), "{error}");
}

#[test]
fn a_struct_with_two_layouts_has_no_one_mirror() {
    let scratch = Scratch::new();
    let manifest = scratch.read("shaders/shaders.toml")
        + "[[host_struct]]\nslang = \"Inner\"\nshader = \"layouts\"\nrust = \"crate::Inner\"\n";
    scratch.write("shaders/shaders.toml", &manifest);
    let error = compile(&scratch.request()).unwrap_err();
    assert!(matches!(error, BuildError::TwoLayouts { .. }), "{error}");
}
