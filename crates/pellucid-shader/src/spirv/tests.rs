//! Modules made by hand, broken in one way each.
use super::*;
use crate::{BindingKind, Scalar, Stage};

/// An opcode and its operands.
type Instruction<'a> = (u16, &'a [u32]);

/// A header with this bound, then instructions given as opcode and operands.
fn module(bound: u32, instructions: &[Instruction<'_>]) -> Vec<u8> {
    let mut words = vec![0x0723_0203, 0x0001_0500, 0, bound, 0];
    for (opcode, operands) in instructions {
        words.push((operands.len() as u32 + 1) << 16 | u32::from(*opcode));
        words.extend(*operands);
    }
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// `main` as a string operand.
const MAIN: [u32; 2] = [u32::from_le_bytes(*b"main"), 0];

fn refusal(bytes: &[u8]) -> SpirvError {
    Module::parse(bytes).unwrap_err()
}

#[test]
fn broken_framing_is_told_apart() {
    let good = module(10, &[]);
    assert!(Module::parse(&good).is_ok());
    assert_eq!(refusal(&good[..18]), SpirvError::Length { bytes: 18 });
    assert_eq!(refusal(&good[..16]), SpirvError::Length { bytes: 16 });
    assert_eq!(refusal(&[0; 20]), SpirvError::Magic { found: 0 });
    assert_eq!(refusal(&module(0, &[])), SpirvError::Bound { bound: 0 });
    assert_eq!(refusal(&module(4_194_304, &[])), SpirvError::Bound { bound: 4_194_304 });

    let mut long = module(10, &[(17, &[1])]);
    long[22] = 3;
    assert_eq!(refusal(&long), SpirvError::InstructionLength { word: 5, opcode: 17, length: 3, left: 2 });
    long[22] = 0;
    assert_eq!(refusal(&long), SpirvError::InstructionLength { word: 5, opcode: 17, length: 0, left: 2 });
    assert_eq!(
        refusal(&module(10, &[(17, &[])])),
        SpirvError::MissingOperand { word: 5, opcode: 17, operand: 0 }
    );
}

#[test]
fn broken_text_and_ids_are_told() {
    let endless = [1, u32::from_le_bytes(*b"abcd")];
    assert_eq!(refusal(&module(10, &[(5, &endless)])), SpirvError::Text { word: 5 });
    let foreign = [1, u32::from_le_bytes([0xff, 0xfe, 0, 0])];
    assert_eq!(refusal(&module(10, &[(5, &foreign)])), SpirvError::Text { word: 5 });
    assert_eq!(refusal(&module(10, &[(22, &[10, 32])])), SpirvError::Id { id: 10, word: 5 });
    assert_eq!(refusal(&module(10, &[(22, &[0, 32])])), SpirvError::Id { id: 0, word: 5 });
    assert_eq!(refusal(&module(10, &[(22, &[1, 32]), (22, &[1, 32])])), SpirvError::Id { id: 1, word: 8 });
}

/// A compute shader whose only global is a variable of this pointee type, whose id is 3.
fn with_global(class: u32, decorations: &[Instruction<'_>], types: &[Instruction<'_>]) -> Vec<u8> {
    let entry = [5, 9, MAIN[0], MAIN[1], 5];
    let pointer = [4, class, 3];
    let variable = [4, 5, class];
    let mut all: Vec<Instruction<'_>> = vec![(15, &entry), (16, &[9, 17, 4, 2, 1])];
    all.extend(decorations);
    all.extend(types);
    all.extend([(32, &pointer[..]), (59, &variable[..])]);
    module(10, &all)
}

/// Set 2, binding 7.
const PLACED: [Instruction<'static>; 2] = [(71, &[5, 34, 2]), (71, &[5, 33, 7])];
const FLOAT: Instruction<'static> = (22, &[1, 32]);
/// A sampled 2D image with id 3.
const IMAGE: Instruction<'static> = (25, &[3, 1, 1, 0, 0, 0, 1, 0]);

#[test]
fn a_resource_is_read_with_its_place_and_kind() {
    let interface =
        Module::parse(&with_global(0, &PLACED, &[FLOAT, IMAGE])).unwrap().interface("main").unwrap();
    assert_eq!((interface.stage, interface.local_size), (Some(Stage::Compute), [4, 2, 1]));
    let [resource] = &interface.resources[..] else { panic!("{interface:?}") };
    assert_eq!((resource.set, resource.binding, resource.count), (2, 7, 1));
    assert_eq!(resource.kind, BindingKind::Texture);
}

#[test]
fn what_cannot_be_bound_is_refused_with_its_reason() {
    let cases: [(&[Instruction<'_>], &str); 6] = [
        (&[FLOAT, (25, &[3, 1, 5, 0, 0, 0, 1, 0])], "a texel buffer"),
        (&[FLOAT, (25, &[3, 1, 6, 0, 0, 0, 2, 0])], "an input attachment"),
        (&[FLOAT, (25, &[2, 1, 1, 0, 0, 0, 1, 0]), (27, &[3, 2])], "a combined texture and sampler"),
        (&[(5341, &[3])], "an acceleration structure"),
        (&[(26, &[2]), (29, &[6, 2]), (29, &[3, 6])], "an array of arrays"),
        (&[(22, &[3, 32])], "no buffer, texture or sampler"),
    ];
    for (types, expected) in cases {
        let error = Module::parse(&with_global(0, &PLACED, types)).unwrap().interface("main").unwrap_err();
        assert_eq!(error, SpirvError::Unsupported { name: "id 5".into(), what: expected });
    }
    let missing = Module::parse(&with_global(0, &PLACED[..1], &[FLOAT, IMAGE])).unwrap().interface("main");
    assert_eq!(missing.unwrap_err(), SpirvError::Undecorated { name: "id 5".into(), missing: "binding" });
}

#[test]
fn types_that_contain_themselves_end() {
    // Inputs whose type is an array of itself, one element long.
    let types: [Instruction<'_>; 3] = [(21, &[1, 32, 0]), (43, &[1, 2, 1]), (28, &[3, 3, 2])];
    let module = Module::parse(&with_global(1, &[(71, &[5, 30, 0])], &types)).unwrap();
    assert_eq!(module.interface("main").unwrap_err(), SpirvError::Depth { limit: 64 });
    // And one that claims four thousand million locations.
    let types: [Instruction<'_>; 3] = [(21, &[1, 32, 0]), (43, &[1, 2, u32::MAX]), (28, &[3, 1, 2])];
    let module = Module::parse(&with_global(1, &[(71, &[5, 30, 0])], &types)).unwrap();
    assert!(matches!(module.interface("main"), Err(SpirvError::NotA { id: 1, .. })));
}

#[test]
fn inputs_take_a_location_each_and_built_ins_none() {
    let types: [Instruction<'_>; 5] =
        [(21, &[1, 32, 0]), (43, &[1, 2, 3]), (22, &[6, 32]), (23, &[7, 6, 2]), (28, &[3, 7, 2])];
    let module = Module::parse(&with_global(1, &[(71, &[5, 30, 4])], &types)).unwrap();
    let input = |location| Input { location, scalar: Scalar::F32, components: 2 };
    assert_eq!(module.interface("main").unwrap().inputs, [input(4), input(5), input(6)]);
    let module = Module::parse(&with_global(1, &[(71, &[5, 11, 28])], &types)).unwrap();
    assert!(module.interface("main").unwrap().inputs.is_empty());
}

#[test]
fn an_unknown_entry_point_is_told_with_those_that_are() {
    let module = Module::parse(&with_global(0, &PLACED, &[FLOAT, IMAGE])).unwrap();
    let error = module.interface("other").unwrap_err();
    assert_eq!(error, SpirvError::NoEntryPoint { entry: "other".into(), available: "main".into() });
}

#[test]
fn source_notes_are_stripped_and_nothing_else() {
    let with = module(10, &[(17, &[1]), (3, &[11, 1]), (4, &[0]), (2, &[0]), FLOAT]);
    assert_eq!(strip_source(&with).unwrap(), module(10, &[(17, &[1]), FLOAT]));
}
