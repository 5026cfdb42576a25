//! A bounds-checked reader of SPIR-V modules: the types, decorations, variables and entry points that a
//! pipeline layout depends on. It reads untrusted bytes: every count is checked against what is there, every
//! walk over types is bounded, and a bad module is an error.
//!
//! Source: the SPIR-V specification, sections 2.3 (physical layout) and 3 (binary form).
mod decorations;
mod interface;
mod module;
mod opcode;
mod strip;
#[cfg(test)]
mod tests;

pub use decorations::MemberLayout;
pub use interface::{Input, Interface, Resource};
pub use module::{EntryPoint, Module, Type, Variable};
pub use strip::strip_source;

/// Why bytes are not a module that this reader takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpirvError {
    /// The length is no multiple of four, or there is no whole header.
    #[error("{bytes} bytes are no SPIR-V module: it is made of 4-byte words, 5 of them the header")]
    Length {
        /// Bytes given.
        bytes: usize,
    },
    /// The first word isn't SPIR-V's number.
    #[error("the first word is {found:#010x}, not SPIR-V's 0x07230203")]
    Magic {
        /// The word.
        found: u32,
    },
    /// The id bound is zero or beyond the specification's limit.
    #[error("the id bound is {bound}; it must be 1 to 4194303")]
    Bound {
        /// The bound.
        bound: u32,
    },
    /// An instruction has no words or more than are left.
    #[error("the instruction at word {word} (opcode {opcode}) is {length} words long, {left} are left")]
    InstructionLength {
        /// Index of its first word.
        word: usize,
        /// Its opcode.
        opcode: u16,
        /// Its length.
        length: usize,
        /// Words left in the module.
        left: usize,
    },
    /// An instruction is shorter than its opcode needs.
    #[error("the instruction at word {word} (opcode {opcode}) ends before its operand {operand}")]
    MissingOperand {
        /// Index of its first word.
        word: usize,
        /// Its opcode.
        opcode: u16,
        /// The operand, from 0.
        operand: usize,
    },
    /// A string has no end or is no UTF-8.
    #[error("the string in the instruction at word {word} has no end or is not UTF-8")]
    Text {
        /// Index of the instruction's first word.
        word: usize,
    },
    /// An id is out of bounds or defined twice.
    #[error("id {id} at word {word} is out of bounds or defined twice")]
    Id {
        /// The id.
        id: u32,
        /// Index of the instruction's first word.
        word: usize,
    },
    /// An id should be a type, constant or variable of some sort and isn't.
    #[error("id {id} should be {expected}")]
    NotA {
        /// The id.
        id: u32,
        /// What was needed.
        expected: &'static str,
    },
    /// Types nest deeper than any real module's.
    #[error("the types nest deeper than {limit} levels")]
    Depth {
        /// The limit.
        limit: u32,
    },
    /// The entry point isn't there.
    #[error("there is no entry point `{entry}`; there are: {available}")]
    NoEntryPoint {
        /// What was asked for.
        entry: String,
        /// What is there.
        available: String,
    },
    /// A resource lacks a decoration.
    #[error("the resource `{name}` has no {missing}")]
    Undecorated {
        /// Name of the variable, or its id.
        name: String,
        /// The decoration.
        missing: &'static str,
    },
    /// A resource of a kind that pipelines don't take.
    #[error("the resource `{name}` is {what}, which is not supported")]
    Unsupported {
        /// Name of the variable, or its id.
        name: String,
        /// What it is.
        what: &'static str,
    },
}
