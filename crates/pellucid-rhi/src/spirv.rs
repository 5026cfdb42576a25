//! Reads of a SPIR-V module what the facade checks before a driver sees it: entry points and resources.
//!
//! From the SPIR-V specification, sections 2.3 (module layout) and 3 (opcodes and decorations).
use crate::ShaderStages;
use std::collections::HashMap;

const MAGIC: u32 = 0x0723_0203;
const OP_SOURCE: u32 = 3;
const OP_ENTRY_POINT: u32 = 15;
const OP_DECORATE: u32 = 71;
const DECORATION_BINDING: u32 = 33;
const DECORATION_SET: u32 = 34;

/// A resource variable of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Resource {
    pub(crate) set: u32,
    pub(crate) binding: u32,
}

/// An entry point of a module.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EntryPoint {
    /// Empty for a stage outside of [`ShaderStages`].
    pub(crate) stage: ShaderStages,
    pub(crate) name: String,
    /// Resources that it may use, in order. A module before SPIR-V 1.4 doesn't tell: none then.
    pub(crate) resources: Vec<Resource>,
}

/// The words of a module: little-endian, as the file has them.
pub(crate) fn words(bytes: &[u8]) -> Option<Vec<u32>> {
    let (words, rest) = bytes.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    (rest.is_empty() && words.len() > 5 && words[0] == MAGIC).then_some(words)
}

/// Calls the source language unknown. It is a remark for debuggers that no driver needs, but validators of old
/// refuse a module for a language that is younger than they are, as Slang is.
pub(crate) fn forget_language(words: &mut [u32]) {
    let mut at = 5;
    while let Some(&word) = words.get(at) {
        let (length, opcode) = ((word >> 16) as usize, word & 0xffff);
        if opcode == OP_SOURCE
            && length > 1
            && let Some(language) = words.get_mut(at + 1)
        {
            *language = 0;
        }
        at += length.max(1);
    }
}

/// Reads the entry points of a module, or says why it is none.
pub(crate) fn entry_points(words: &[u32]) -> Result<Vec<EntryPoint>, &'static str> {
    let mut sets: HashMap<u32, u32> = HashMap::new();
    let mut bindings: HashMap<u32, u32> = HashMap::new();
    let mut entries = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let (length, opcode) = ((words[at] >> 16) as usize, words[at] & 0xffff);
        let operands = words.get(at + 1..at + length).filter(|_| length > 0);
        let operands = operands.ok_or("an instruction runs past the module's end")?;
        match (opcode, operands) {
            (OP_ENTRY_POINT, [model, _, rest @ ..]) => {
                let stage = match model {
                    0 => ShaderStages::VERTEX,
                    4 => ShaderStages::FRAGMENT,
                    5 => ShaderStages::COMPUTE,
                    _ => ShaderStages::empty(),
                };
                let bytes: Vec<u8> = rest.iter().flat_map(|word| word.to_le_bytes()).collect();
                let end = bytes.iter().position(|&byte| byte == 0).ok_or("a name has no end")?;
                let name = String::from_utf8_lossy(&bytes[..end]).into_owned();
                entries.push((stage, name, &rest[end / 4 + 1..]));
            }
            (OP_DECORATE, [id, DECORATION_SET, set]) => {
                sets.insert(*id, *set);
            }
            (OP_DECORATE, [id, DECORATION_BINDING, binding]) => {
                bindings.insert(*id, *binding);
            }
            _ => {}
        }
        at += length;
    }
    let resource = |id: &u32| Some(Resource { set: *sets.get(id)?, binding: *bindings.get(id)? });
    let entry = |(stage, name, interface): (ShaderStages, String, &[u32])| {
        let mut resources: Vec<Resource> = interface.iter().filter_map(resource).collect();
        resources.sort_unstable();
        resources.dedup();
        EntryPoint { stage, name, resources }
    };
    Ok(entries.into_iter().map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(body: &[u32]) -> Vec<u8> {
        let head = [MAGIC, 0x0001_0500, 0, 100, 0];
        head.iter().chain(body).flat_map(|word| word.to_le_bytes()).collect()
    }

    fn op(code: u32, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![((operands.len() as u32 + 1) << 16) | code];
        words.extend(operands);
        words
    }

    #[test]
    fn entries_and_their_resources() {
        let name = |text: &[u8; 4]| u32::from_le_bytes(*text);
        let mut body = op(OP_ENTRY_POINT, &[5, 1, name(b"main"), 0, 7, 8]);
        body.extend(op(OP_ENTRY_POINT, &[4, 2, name(b"ps\0\0"), 9]));
        body.extend(op(OP_DECORATE, &[7, DECORATION_SET, 2]));
        body.extend(op(OP_DECORATE, &[7, DECORATION_BINDING, 3]));
        let entries = entry_points(&words(&module(&body)).unwrap()).unwrap();
        let entry = |stage, name: &str, resources| EntryPoint { stage, name: name.to_owned(), resources };
        assert_eq!(
            entries,
            [
                entry(ShaderStages::COMPUTE, "main", vec![Resource { set: 2, binding: 3 }]),
                entry(ShaderStages::FRAGMENT, "ps", vec![]),
            ]
        );
    }

    #[test]
    fn the_source_language_is_forgotten() {
        let mut body = op(OP_SOURCE, &[11, 450]);
        body.extend(op(OP_DECORATE, &[11, DECORATION_SET, 11]));
        let mut words = words(&module(&body)).unwrap();
        forget_language(&mut words);
        let mut expected = op(OP_SOURCE, &[0, 450]);
        expected.extend(op(OP_DECORATE, &[11, DECORATION_SET, 11]));
        assert_eq!(words[5..], expected);
    }

    #[test]
    fn what_is_no_module() {
        assert_eq!(words(b"not SPIR-V at all, but long enough.."), None);
        assert_eq!(words(&module(&[0])[..23]), None);
        assert!(entry_points(&words(&module(&[(9 << 16) | OP_DECORATE])).unwrap()).is_err());
        assert!(entry_points(&words(&module(&[0])).unwrap()).is_err());
        let endless = op(OP_ENTRY_POINT, &[5, 1, u32::MAX]);
        assert!(entry_points(&words(&module(&endless)).unwrap()).is_err());
    }
}
