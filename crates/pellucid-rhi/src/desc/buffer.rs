//! Buffers.
use bitflags::bitflags;

bitflags! {
    /// What a buffer may be used for, fixed at creation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct BufferRoles: u32 {
        /// Vertex stream.
        const VERTEX = 1;
        /// Index stream.
        const INDEX = 1 << 1;
        /// Uniform (constant) buffer.
        const UNIFORM = 1 << 2;
        /// Storage buffer, read or written by shaders.
        const STORAGE = 1 << 3;
        /// Indirect draw or dispatch arguments.
        const INDIRECT = 1 << 4;
        /// Source of copies and of readback.
        const COPY_SRC = 1 << 5;
        /// Destination of copies and updates. Initial bytes need no role.
        const COPY_DST = 1 << 6;
    }
}

/// A device-local buffer.
#[derive(Clone, Copy, Debug)]
pub struct BufferDesc<'a> {
    /// Debug name, also used in errors. At most [`crate::MAX_NAME`] bytes are kept.
    pub name: &'a str,
    /// Size in bytes, at least 1.
    pub size: u64,
    /// What the buffer may be used for.
    pub roles: BufferRoles,
}

/// Width of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexFormat {
    /// 16-bit unsigned.
    U16,
    /// 32-bit unsigned.
    U32,
}
