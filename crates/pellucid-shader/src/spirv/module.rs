//! The module: instructions, and the tables made of them.
use super::decorations::{Decorations, MemberLayout};
use super::{SpirvError, opcode};
use crate::{Scalar, Stage};
use std::collections::{BTreeMap, BTreeSet};

/// One instruction, its length already checked.
pub(super) struct Instruction<'a> {
    pub word: usize,
    pub opcode: u16,
    words: &'a [u32],
}

impl<'a> Instruction<'a> {
    /// The whole instruction.
    pub(super) const fn words(&self) -> &'a [u32] {
        self.words
    }

    /// Operand `index`, counted behind the first word.
    pub(super) fn operand(&self, index: usize) -> Result<u32, SpirvError> {
        self.words.get(index + 1).copied().ok_or(SpirvError::MissingOperand {
            word: self.word,
            opcode: self.opcode,
            operand: index,
        })
    }

    /// Every operand from `index` on; empty when there is none.
    pub(super) fn operands_from(&self, index: usize) -> &'a [u32] {
        self.words.get(index + 1..).unwrap_or_default()
    }

    /// The string that begins at operand `index`, and the operand behind it.
    fn text(&self, index: usize) -> Result<(String, usize), SpirvError> {
        let bad = SpirvError::Text { word: self.word };
        let bytes: Vec<u8> = self.operands_from(index).iter().flat_map(|word| word.to_le_bytes()).collect();
        let Some(end) = bytes.iter().position(|&byte| byte == 0) else { return Err(bad) };
        let text = std::str::from_utf8(&bytes[..end]).map_err(|_| bad)?;
        Ok((text.to_owned(), index + end / 4 + 1))
    }
}

/// The instructions of a module, in order; ends at the first error.
pub(super) struct Instructions {
    words: Vec<u32>,
}

impl Instructions {
    pub(super) fn new(bytes: &[u8]) -> Result<Self, SpirvError> {
        if !bytes.len().is_multiple_of(4) || bytes.len() < 20 {
            return Err(SpirvError::Length { bytes: bytes.len() });
        }
        let words: Vec<u32> = bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        if words[0] != opcode::MAGIC {
            return Err(SpirvError::Magic { found: words[0] });
        }
        if words[3] == 0 || words[3] > opcode::MAX_BOUND {
            return Err(SpirvError::Bound { bound: words[3] });
        }
        Ok(Self { words })
    }

    pub(super) fn header(&self) -> &[u32] {
        &self.words[..5]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Result<Instruction<'_>, SpirvError>> {
        let mut word = 5;
        std::iter::from_fn(move || {
            let first = *self.words.get(word)?;
            let (length, opcode) = ((first >> 16) as usize, (first & 0xffff) as u16);
            let left = self.words.len() - word;
            if length == 0 || length > left {
                let error = SpirvError::InstructionLength { word, opcode, length, left };
                word = self.words.len();
                return Some(Err(error));
            }
            let instruction = Instruction { word, opcode, words: &self.words[word..word + length] };
            word += length;
            Some(Ok(instruction))
        })
    }
}

/// A type, as far as layouts need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number or a truth value.
    Scalar(Scalar),
    /// A vector.
    Vector {
        /// Component type's id.
        component: u32,
        /// Components.
        count: u32,
    },
    /// A matrix.
    Matrix {
        /// Column type's id.
        column: u32,
        /// Columns.
        count: u32,
    },
    /// An image.
    Image {
        /// Dimensionality, by SPIR-V's number.
        dim: u32,
        /// 1 when it is sampled, 2 when it is storage.
        sampled: u32,
    },
    /// A sampler.
    Sampler,
    /// An image and a sampler in one.
    SampledImage,
    /// An array of known length.
    Array {
        /// Element type's id.
        element: u32,
        /// Length constant's id.
        length: u32,
    },
    /// An array without end.
    RuntimeArray {
        /// Element type's id.
        element: u32,
    },
    /// A struct.
    Struct {
        /// Member types' ids.
        members: Vec<u32>,
    },
    /// A pointer.
    Pointer {
        /// Storage class, by SPIR-V's number.
        class: u32,
        /// Pointee type's id.
        pointee: u32,
    },
    /// An acceleration structure.
    AccelerationStructure,
}

/// A variable outside functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its pointer type's id.
    pub pointer: u32,
    /// Storage class, by SPIR-V's number.
    pub class: u32,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Its function's id.
    pub function: u32,
    /// Its stage; `None` for a stage this crate doesn't know.
    pub stage: Option<Stage>,
    /// Its name.
    pub name: String,
    /// Ids of the variables it touches (all of them from SPIR-V 1.4 on).
    pub interface: Vec<u32>,
    /// Invocations of a workgroup, when the module says.
    pub local_size: Option<[u32; 3]>,
}

/// A module that was read.
#[derive(Clone, Debug, Default)]
pub struct Module {
    version: (u8, u8),
    capabilities: BTreeSet<u32>,
    pub(super) names: BTreeMap<u32, String>,
    pub(super) types: BTreeMap<u32, Type>,
    pub(super) constants: BTreeMap<u32, u32>,
    pub(super) variables: BTreeMap<u32, Variable>,
    pub(super) decorations: BTreeMap<u32, Decorations>,
    pub(super) members: BTreeMap<(u32, u32), MemberLayout>,
    entry_points: Vec<EntryPoint>,
}

impl Module {
    /// Reads a module up to its first function, where everything that layouts need has been said.
    ///
    /// # Errors
    /// The bytes are no well-formed module. What functions do isn't looked at (spirv-val's work), but the
    /// lengths of their instructions are.
    pub fn parse(bytes: &[u8]) -> Result<Self, SpirvError> {
        let instructions = Instructions::new(bytes)?;
        let (version, bound) = (instructions.header()[1], instructions.header()[3]);
        let mut module =
            Self { version: ((version >> 16 & 0xff) as u8, (version >> 8 & 0xff) as u8), ..Self::default() };
        let mut modes = Vec::new();
        let mut in_functions = false;
        for instruction in instructions.iter() {
            let instruction = instruction?;
            in_functions |= instruction.opcode == opcode::FUNCTION;
            if !in_functions {
                module.take(&instruction, bound, &mut modes)?;
            }
        }
        for (function, size) in modes {
            for entry in module.entry_points.iter_mut().filter(|entry| entry.function == function) {
                entry.local_size = Some(size);
            }
        }
        Ok(module)
    }

    fn take(
        &mut self,
        instruction: &Instruction<'_>,
        bound: u32,
        modes: &mut Vec<(u32, [u32; 3])>,
    ) -> Result<(), SpirvError> {
        let operand = |index| instruction.operand(index);
        match instruction.opcode {
            opcode::CAPABILITY => {
                self.capabilities.insert(operand(0)?);
            }
            opcode::NAME => {
                self.names.insert(operand(0)?, instruction.text(1)?.0);
            }
            opcode::MEMBER_NAME => {
                instruction.text(2)?;
            }
            opcode::ENTRY_POINT => {
                let (name, behind) = instruction.text(2)?;
                let stage = match operand(0)? {
                    opcode::MODEL_VERTEX => Some(Stage::Vertex),
                    opcode::MODEL_FRAGMENT => Some(Stage::Fragment),
                    opcode::MODEL_COMPUTE => Some(Stage::Compute),
                    _ => None,
                };
                let interface = instruction.operands_from(behind).to_vec();
                self.entry_points.push(EntryPoint {
                    function: operand(1)?,
                    stage,
                    name,
                    interface,
                    local_size: None,
                });
            }
            opcode::EXECUTION_MODE if operand(1)? == opcode::MODE_LOCAL_SIZE => {
                modes.push((operand(0)?, [operand(2)?, operand(3)?, operand(4)?]));
            }
            opcode::DECORATE => self.decorations.entry(operand(0)?).or_default().apply(instruction)?,
            opcode::MEMBER_DECORATE => {
                self.members.entry((operand(0)?, operand(1)?)).or_default().apply(instruction)?;
            }
            opcode::CONSTANT => {
                self.check_id(instruction, operand(1)?, bound)?;
                self.constants.insert(operand(1)?, operand(2)?);
            }
            opcode::VARIABLE => {
                self.check_id(instruction, operand(1)?, bound)?;
                self.variables.insert(operand(1)?, Variable { pointer: operand(0)?, class: operand(2)? });
            }
            _ => {
                if let Some(value) = read_type(instruction)? {
                    let id = operand(0)?;
                    self.check_id(instruction, id, bound)?;
                    self.types.insert(id, value);
                }
            }
        }
        Ok(())
    }

    /// That `id` is new and in bounds.
    fn check_id(&self, instruction: &Instruction<'_>, id: u32, bound: u32) -> Result<(), SpirvError> {
        let known = self.types.contains_key(&id)
            || self.constants.contains_key(&id)
            || self.variables.contains_key(&id);
        if id == 0 || id >= bound || known {
            return Err(SpirvError::Id { id, word: instruction.word });
        }
        Ok(())
    }

    /// SPIR-V's version, major and minor.
    #[must_use]
    pub const fn version(&self) -> (u8, u8) {
        self.version
    }

    /// The capabilities it declares, by SPIR-V's numbers, ascending.
    pub fn capabilities(&self) -> impl Iterator<Item = u32> {
        self.capabilities.iter().copied()
    }

    /// Its entry points.
    #[must_use]
    pub fn entry_points(&self) -> &[EntryPoint] {
        &self.entry_points
    }

    /// The type `id`.
    ///
    /// # Errors
    /// `id` is no type of [`Type`]'s sorts.
    pub fn ty(&self, id: u32) -> Result<&Type, SpirvError> {
        self.types.get(&id).ok_or(SpirvError::NotA { id, expected: "a type" })
    }

    /// The value of the 32-bit constant `id`.
    ///
    /// # Errors
    /// `id` is no constant.
    pub fn constant(&self, id: u32) -> Result<u32, SpirvError> {
        self.constants.get(&id).copied().ok_or(SpirvError::NotA { id, expected: "a constant" })
    }

    /// Where member `index` of the struct `id` lies.
    #[must_use]
    pub fn member(&self, id: u32, index: u32) -> MemberLayout {
        self.members.get(&(id, index)).copied().unwrap_or_default()
    }

    /// Bytes from one element of the array type `id` to the next.
    #[must_use]
    pub fn array_stride(&self, id: u32) -> Option<u32> {
        self.decorations.get(&id).and_then(|decorations| decorations.array_stride)
    }
}

/// The type that an instruction declares, if it declares one that layouts need.
fn read_type(instruction: &Instruction<'_>) -> Result<Option<Type>, SpirvError> {
    let operand = |index| instruction.operand(index);
    Ok(Some(match instruction.opcode {
        opcode::TYPE_BOOL => Type::Scalar(Scalar::Bool),
        opcode::TYPE_INT => Type::Scalar(match (operand(1)?, operand(2)?) {
            (8, 0) => Scalar::U8,
            (8, _) => Scalar::I8,
            (16, 0) => Scalar::U16,
            (16, _) => Scalar::I16,
            (32, 0) => Scalar::U32,
            (32, _) => Scalar::I32,
            (64, 0) => Scalar::U64,
            (64, _) => Scalar::I64,
            _ => return Ok(None),
        }),
        opcode::TYPE_FLOAT => Type::Scalar(match operand(1)? {
            16 => Scalar::F16,
            32 => Scalar::F32,
            64 => Scalar::F64,
            _ => return Ok(None),
        }),
        opcode::TYPE_VECTOR => Type::Vector { component: operand(1)?, count: operand(2)? },
        opcode::TYPE_MATRIX => Type::Matrix { column: operand(1)?, count: operand(2)? },
        opcode::TYPE_IMAGE => Type::Image { dim: operand(2)?, sampled: operand(6)? },
        opcode::TYPE_SAMPLER => Type::Sampler,
        opcode::TYPE_SAMPLED_IMAGE => Type::SampledImage,
        opcode::TYPE_ARRAY => Type::Array { element: operand(1)?, length: operand(2)? },
        opcode::TYPE_RUNTIME_ARRAY => Type::RuntimeArray { element: operand(1)? },
        opcode::TYPE_STRUCT => Type::Struct { members: instruction.operands_from(1).to_vec() },
        opcode::TYPE_POINTER => Type::Pointer { class: operand(1)?, pointee: operand(2)? },
        opcode::TYPE_ACCELERATION_STRUCTURE => Type::AccelerationStructure,
        _ => return Ok(None),
    }))
}
