//! The numbers of SPIR-V that the reader knows.

pub(super) const MAGIC: u32 = 0x0723_0203;
pub(super) const MAX_BOUND: u32 = 4_194_303;

pub(super) const SOURCE_CONTINUED: u16 = 2;
pub(super) const SOURCE: u16 = 3;
pub(super) const SOURCE_EXTENSION: u16 = 4;
pub(super) const NAME: u16 = 5;
pub(super) const MEMBER_NAME: u16 = 6;
pub(super) const ENTRY_POINT: u16 = 15;
pub(super) const EXECUTION_MODE: u16 = 16;
pub(super) const CAPABILITY: u16 = 17;
pub(super) const TYPE_BOOL: u16 = 20;
pub(super) const TYPE_INT: u16 = 21;
pub(super) const TYPE_FLOAT: u16 = 22;
pub(super) const TYPE_VECTOR: u16 = 23;
pub(super) const TYPE_MATRIX: u16 = 24;
pub(super) const TYPE_IMAGE: u16 = 25;
pub(super) const TYPE_SAMPLER: u16 = 26;
pub(super) const TYPE_SAMPLED_IMAGE: u16 = 27;
pub(super) const TYPE_ARRAY: u16 = 28;
pub(super) const TYPE_RUNTIME_ARRAY: u16 = 29;
pub(super) const TYPE_STRUCT: u16 = 30;
pub(super) const TYPE_POINTER: u16 = 32;
pub(super) const CONSTANT: u16 = 43;
pub(super) const FUNCTION: u16 = 54;
pub(super) const VARIABLE: u16 = 59;
pub(super) const DECORATE: u16 = 71;
pub(super) const MEMBER_DECORATE: u16 = 72;
pub(super) const TYPE_ACCELERATION_STRUCTURE: u16 = 5341;

pub(super) const MODE_LOCAL_SIZE: u32 = 17;

pub(super) const MODEL_VERTEX: u32 = 0;
pub(super) const MODEL_FRAGMENT: u32 = 4;
pub(super) const MODEL_COMPUTE: u32 = 5;

pub(super) const CLASS_UNIFORM_CONSTANT: u32 = 0;
pub(super) const CLASS_INPUT: u32 = 1;
pub(super) const CLASS_UNIFORM: u32 = 2;
pub(super) const CLASS_PUSH_CONSTANT: u32 = 9;
pub(super) const CLASS_STORAGE_BUFFER: u32 = 12;

pub(super) const DECORATION_BLOCK: u32 = 2;
pub(super) const DECORATION_BUFFER_BLOCK: u32 = 3;
pub(super) const DECORATION_ROW_MAJOR: u32 = 4;
pub(super) const DECORATION_COLUMN_MAJOR: u32 = 5;
pub(super) const DECORATION_ARRAY_STRIDE: u32 = 6;
pub(super) const DECORATION_MATRIX_STRIDE: u32 = 7;
pub(super) const DECORATION_BUILT_IN: u32 = 11;
pub(super) const DECORATION_NON_WRITABLE: u32 = 24;
pub(super) const DECORATION_LOCATION: u32 = 30;
pub(super) const DECORATION_BINDING: u32 = 33;
pub(super) const DECORATION_DESCRIPTOR_SET: u32 = 34;
pub(super) const DECORATION_OFFSET: u32 = 35;

pub(super) const DIM_BUFFER: u32 = 5;
pub(super) const DIM_SUBPASS: u32 = 6;
