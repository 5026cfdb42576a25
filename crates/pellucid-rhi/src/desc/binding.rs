//! Portable binding: at most four immutable sets, plus dynamic uniforms and push constants.
//!
//! In Slang, set `s` binding `b` is `[[vk::binding(b, s)]]`. The dynamic uniforms (up to
//! [`crate::MAX_DYNAMIC_UNIFORMS`]) are uniform buffers at bindings 0 to 3 of the reserved set
//! [`crate::DYNAMIC_UNIFORM_SET`]; push constants are `[[vk::push_constant]]`.
use crate::{BindingLayout, Buffer, Sampler, TextureView};
use bitflags::bitflags;

bitflags! {
    /// Programmable stages.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct ShaderStages: u32 {
        /// Vertex shader.
        const VERTEX = 1;
        /// Fragment (pixel) shader.
        const FRAGMENT = 1 << 1;
        /// Compute shader.
        const COMPUTE = 1 << 2;
    }
}

/// What a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BindingKind {
    /// Uniform buffer.
    Uniform,
    /// Read-only storage buffer (`StructuredBuffer`, `ByteAddressBuffer`).
    StorageRead,
    /// Writable storage buffer (`RWStructuredBuffer`, `RWByteAddressBuffer`).
    StorageWrite,
    /// Sampled texture.
    Texture,
    /// Writable storage texture (`RWTexture2D` and kin).
    StorageTexture,
    /// Sampler.
    Sampler,
}

/// One binding of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BindingSlot {
    /// Binding number.
    pub binding: u32,
    /// What it holds.
    pub kind: BindingKind,
    /// Array size, 1 when it is no array.
    pub count: u32,
    /// Stages that see it.
    pub stages: ShaderStages,
}

/// The shape of a set.
#[derive(Clone, Copy, Debug)]
pub struct BindingLayoutDesc<'a> {
    /// Debug name, also used in errors.
    pub name: &'a str,
    /// Its bindings, each number once.
    pub slots: &'a [BindingSlot],
}

/// A resource put into a binding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BindingResource {
    /// A range of a uniform or storage buffer; `size` 0 means to the end. Uniform ranges hold at most
    /// 16 384 bytes; offsets are multiples of 256.
    Buffer {
        /// The buffer.
        buffer: Buffer,
        /// First byte.
        offset: u64,
        /// Bytes, or 0 for the rest.
        size: u64,
    },
    /// A texture view, sampled or storage as the layout says.
    Texture(TextureView),
    /// A sampler.
    Sampler(Sampler),
}

impl BindingResource {
    /// A whole buffer.
    #[must_use]
    pub const fn buffer(buffer: Buffer) -> Self {
        Self::Buffer { buffer, offset: 0, size: 0 }
    }
}

/// A resource at a binding (and array element).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindingEntry {
    /// Binding number.
    pub binding: u32,
    /// Array element, 0 when it is no array.
    pub element: u32,
    /// What to bind.
    pub resource: BindingResource,
}

impl BindingEntry {
    /// An entry at element 0.
    #[must_use]
    pub const fn new(binding: u32, resource: BindingResource) -> Self {
        Self { binding, element: 0, resource }
    }
}

/// An immutable set: every element of every slot of its layout, each exactly once.
#[derive(Clone, Copy, Debug)]
pub struct BindingSetDesc<'a> {
    /// Debug name, also used in errors.
    pub name: &'a str,
    /// Its layout.
    pub layout: BindingLayout,
    /// Its resources; the set keeps them alive until it is destroyed and retired.
    pub entries: &'a [BindingEntry],
}
