//! Decorations of ids and of struct members.
use super::module::Instruction;
use super::{SpirvError, opcode};

/// Where a struct member lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberLayout {
    /// Bytes from the start of the struct.
    pub offset: Option<u32>,
    /// Bytes from one column (or row) of a matrix to the next.
    pub matrix_stride: Option<u32>,
    /// Whether the matrix is stored row by row.
    pub row_major: Option<bool>,
    /// Whether it is a built-in value.
    pub built_in: bool,
    /// Whether it is never written.
    pub non_writable: bool,
}

/// What is known of an id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decorations {
    pub set: Option<u32>,
    pub binding: Option<u32>,
    pub location: Option<u32>,
    pub array_stride: Option<u32>,
    pub block: bool,
    pub buffer_block: bool,
    pub built_in: bool,
    pub non_writable: bool,
}

impl Decorations {
    /// Takes `OpDecorate`, whose decoration is operand 1.
    pub(super) fn apply(&mut self, instruction: &Instruction<'_>) -> Result<(), SpirvError> {
        let value = || instruction.operand(2).map(Some);
        match instruction.operand(1)? {
            opcode::DECORATION_DESCRIPTOR_SET => self.set = value()?,
            opcode::DECORATION_BINDING => self.binding = value()?,
            opcode::DECORATION_LOCATION => self.location = value()?,
            opcode::DECORATION_ARRAY_STRIDE => self.array_stride = value()?,
            opcode::DECORATION_BLOCK => self.block = true,
            opcode::DECORATION_BUFFER_BLOCK => self.buffer_block = true,
            opcode::DECORATION_BUILT_IN => self.built_in = true,
            opcode::DECORATION_NON_WRITABLE => self.non_writable = true,
            _ => {}
        }
        Ok(())
    }
}

impl MemberLayout {
    /// Takes `OpMemberDecorate`, whose decoration is operand 2.
    pub(super) fn apply(&mut self, instruction: &Instruction<'_>) -> Result<(), SpirvError> {
        match instruction.operand(2)? {
            opcode::DECORATION_OFFSET => self.offset = Some(instruction.operand(3)?),
            opcode::DECORATION_MATRIX_STRIDE => self.matrix_stride = Some(instruction.operand(3)?),
            opcode::DECORATION_ROW_MAJOR => self.row_major = Some(true),
            opcode::DECORATION_COLUMN_MAJOR => self.row_major = Some(false),
            opcode::DECORATION_BUILT_IN => self.built_in = true,
            opcode::DECORATION_NON_WRITABLE => self.non_writable = true,
            _ => {}
        }
        Ok(())
    }
}
