//! Takes the source-language notes out of a module.
use super::SpirvError;
use super::module::Instructions;
use super::opcode;

/// The module without `OpSource`, `OpSourceContinued` and `OpSourceExtension`.
///
/// Slang names itself there by a number that validators older than Slang (Debian 12's, and the validation
/// layer's built from the same source) refuse the whole module for. Nothing depends on the notes.
///
/// # Errors
/// The bytes are no module.
pub fn strip_source(bytes: &[u8]) -> Result<Vec<u8>, SpirvError> {
    let instructions = Instructions::new(bytes)?;
    let mut out = Vec::with_capacity(bytes.len());
    out.extend(instructions.header().iter().flat_map(|word| word.to_le_bytes()));
    for instruction in instructions.iter() {
        let instruction = instruction?;
        if !matches!(instruction.opcode, opcode::SOURCE | opcode::SOURCE_CONTINUED | opcode::SOURCE_EXTENSION)
        {
            out.extend(instruction.words().iter().flat_map(|word| word.to_le_bytes()));
        }
    }
    Ok(out)
}
