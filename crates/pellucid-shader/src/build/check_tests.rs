//! A reflection that differs from the module in any one thing is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails here fails its test")]
use super::super::manifest::ShaderEntry;
use super::super::model::StructLayout;
use super::super::{compiler, reflection};
use super::*;
use crate::toolchain;
use std::path::Path;

struct Sample {
    module: Module,
    interface: Interface,
    reflection: Reflection,
    stage: Stage,
}

impl Sample {
    fn new(file: &str, entry: &str, stage: Stage) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let toolchain = toolchain::locate(root).unwrap_or_else(|error| panic!("{error}"));
        let work = tempfile::tempdir().unwrap();
        let shader = ShaderEntry { name: "sample".into(), file: file.into(), entry: entry.into(), stage };
        let compiled =
            compiler::compile(&toolchain, &root.join("tests/fixtures/shaders"), &shader, work.path())
                .unwrap();
        let module = Module::parse(&compiled.spirv).unwrap();
        let interface = module.interface(entry).unwrap();
        let reflection = reflection::parse(&compiled.reflection, entry, stage).unwrap();
        Self { module, interface, reflection, stage }
    }

    /// What is said after `change`.
    fn complaint(&self, change: impl FnOnce(&mut Reflection)) -> String {
        let mut reflection = self.reflection.clone();
        change(&mut reflection);
        assert_ne!(reflection, self.reflection, "nothing was changed");
        match join(&self.module, &self.interface, &reflection, self.stage) {
            Ok(_) => panic!("the change went unseen"),
            Err(message) => message,
        }
    }
}

/// The fields of a parameter's struct.
fn fields<'a>(reflection: &'a mut Reflection, parameter: &str) -> &'a mut StructLayout {
    let parameter = reflection.parameters.iter_mut().find(|known| known.name == parameter).unwrap();
    let Some(Layout { shape: Shape::Struct(layout), .. }) = &mut parameter.content else {
        panic!("no struct")
    };
    layout
}

#[test]
fn every_difference_in_a_raster_shader_is_seen() {
    let sample = Sample::new("raster/raster.slang", "vertex_main", Stage::Vertex);
    assert!(join(&sample.module, &sample.interface, &sample.reflection, sample.stage).is_ok());
    assert!(join(&sample.module, &sample.interface, &sample.reflection, Stage::Fragment).is_err());

    let said = sample.complaint(|it| fields(it, "frame").fields[1].offset = 68);
    assert!(said.contains("`frame`") && said.contains("`eye`") && said.contains("68"), "{said}");
    let said = sample.complaint(|it| fields(it, "frame").fields[2].layout.shape = Shape::Scalar(Scalar::U32));
    assert!(said.contains("`frame`"), "{said}");
    let said = sample.complaint(|it| {
        fields(it, "frame").fields.pop();
    });
    assert!(said.contains("`frame`"), "{said}");
    // The columns of the 3x3 matrix 12 bytes apart instead of 16.
    let said = sample.complaint(|it| fields(it, "frame").fields[4].layout.size = 36);
    assert!(said.contains("float3x3"), "{said}");
    let said = sample.complaint(|it| {
        let Shape::Array { stride, .. } = &mut fields(it, "frame").fields[3].layout.shape else { panic!() };
        *stride = 48;
    });
    assert!(said.contains("Light[4]") && said.contains("48"), "{said}");
    let said = sample.complaint(|it| {
        let instances = it.parameters.iter_mut().find(|known| known.name == "instances").unwrap();
        instances.content.as_mut().unwrap().size = 96;
    });
    assert!(said.contains("`instances`") && said.contains("96"), "{said}");
    let said = sample.complaint(|it| fields(it, "push").fields[1].offset = 8);
    assert!(said.contains("`push`") && said.contains("`scale`"), "{said}");
    let said = sample.complaint(|it| it.inputs.retain(|input| input.name != "uv"));
    assert!(said.contains("location 2"), "{said}");
    let said = sample.complaint(|it| it.inputs[0].components = 4);
    assert!(said.contains("`position`"), "{said}");
}

#[test]
fn every_difference_in_bindings_is_seen() {
    let sample = Sample::new("raster/raster.slang", "fragment_main", Stage::Fragment);
    let parameter = |it: &mut Reflection, name: &str, change: fn(&mut super::super::model::Parameter)| {
        change(it.parameters.iter_mut().find(|known| known.name == name).unwrap());
    };
    let said = sample.complaint(|it| parameter(it, "albedo", |it| it.count = 4));
    assert!(said.contains("`albedo`") && said.contains("8 elements"), "{said}");
    let said = sample.complaint(|it| parameter(it, "sky", |it| it.kind = BindingKind::Sampler));
    assert!(said.contains("`sky`"), "{said}");
    // The module must not write what the reflection calls read-only; the other way round is the optimiser's.
    let said = sample.complaint(|it| parameter(it, "sky", |it| it.kind = BindingKind::StorageTexture));
    assert!(said.contains("`sky`"), "{said}");
    let said = sample.complaint(|it| parameter(it, "raw", |it| it.place = Some((1, 9))));
    assert!(said.contains("set 1 binding 5"), "{said}");
    let said = sample.complaint(|it| parameter(it, "unused", |it| it.place = Some((1, 4))));
    assert!(said.contains("share set 1 binding 4"), "{said}");
}

#[test]
fn the_workgroup_must_agree() {
    let sample = Sample::new("compute/reduce.slang", "reduce", Stage::Compute);
    let said = sample.complaint(|it| it.workgroup = [64, 1, 1]);
    assert!(said.contains("[8, 8, 1]") && said.contains("[64, 1, 1]"), "{said}");
}
