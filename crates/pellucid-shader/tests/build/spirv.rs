//! The reader on real modules, whole and damaged.
use crate::support::BUILT;
use pellucid_shader::spirv::{Module, strip_source};
use proptest::prelude::*;

/// Everything that can be asked of bytes; the answers don't matter, that they come does.
fn ask(bytes: &[u8]) {
    let _ = strip_source(bytes);
    if let Ok(module) = Module::parse(bytes) {
        for entry in module.entry_points() {
            let _ = module.interface(&entry.name);
        }
    }
}

#[test]
fn every_prefix_of_a_module_is_read_or_refused() {
    let spirv = &BUILT.1[0].spirv;
    for end in 0..spirv.len() {
        ask(&spirv[..end]);
    }
}

#[test]
fn stripping_twice_changes_nothing() {
    for shader in &BUILT.1 {
        assert_eq!(strip_source(&shader.spirv).unwrap(), shader.spirv);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_modules_do_not_panic(
        which in 0..4usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u32>(), 0..3u8), 1..8),
    ) {
        let mut bytes = BUILT.1[which].spirv.clone();
        let words = bytes.len() / 4;
        for (place, value, how) in damage {
            let at = place.index(words) * 4;
            let old = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let new = match how {
                // Anything, a small id or length, another operand behind the same opcode.
                0 => value,
                1 => value % 64,
                _ => (value & 0xffff_0000) | (old & 0xffff),
            };
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
        ask(&bytes);
    }

    #[test]
    fn random_words_behind_a_header_do_not_panic(words in prop::collection::vec(any::<u32>(), 0..64), bound in 1..100u32) {
        let mut bytes = Vec::new();
        for word in [0x0723_0203, 0x0001_0500, 0, bound, 0].into_iter().chain(words) {
            bytes.extend(u32::to_le_bytes(word));
        }
        ask(&bytes);
    }
}
