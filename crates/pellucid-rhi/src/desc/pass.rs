//! Raster passes and copies.
use crate::{Buffer, Texture, TextureView};

/// What an attachment holds when the pass begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load<T> {
    /// What was there.
    Load,
    /// This value.
    Clear(T),
    /// Nothing that matters.
    DontCare,
}

/// What becomes of an attachment when the pass ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// It is kept.
    Store,
    /// It is lost.
    Discard,
}

/// A colour attachment, in use `ColorAttachment` (its resolve target too).
#[derive(Clone, Copy, Debug)]
pub struct ColorAttachment {
    /// One mip of one layer.
    pub view: TextureView,
    /// Contents at the start. Integer formats are cleared to the nearest integers.
    pub load: Load<[f32; 4]>,
    /// Contents at the end.
    pub store: Store,
    /// A single-sample view that receives the average of the samples at the end.
    pub resolve: Option<TextureView>,
}

/// A depth attachment, in use `DepthWrite` or, when read only, `DepthRead`.
#[derive(Clone, Copy, Debug)]
pub struct DepthAttachment {
    /// One mip of one layer.
    pub view: TextureView,
    /// Contents at the start.
    pub load: Load<f32>,
    /// Contents at the end.
    pub store: Store,
    /// Whether the pass only tests.
    pub read_only: bool,
}

/// A raster pass. Viewport and scissor start as the whole of its attachments.
#[derive(Clone, Copy, Debug)]
pub struct RasterPassDesc<'a> {
    /// Scope name in captures and errors.
    pub name: &'a str,
    /// Colour attachments, at most 4.
    pub color: &'a [ColorAttachment],
    /// Depth attachment.
    pub depth: Option<DepthAttachment>,
}

/// A viewport in pixels from the top left; depth from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// A rectangle in pixels from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Width; 0 draws nothing.
    pub width: u32,
    /// Height; 0 draws nothing.
    pub height: u32,
}

/// A copy between buffers.
#[derive(Clone, Copy, Debug)]
pub struct BufferCopy {
    /// Source, in use `CopySrc`.
    pub src: Buffer,
    /// First byte of the source.
    pub src_offset: u64,
    /// Destination, in use `CopyDst`.
    pub dst: Buffer,
    /// First byte of the destination.
    pub dst_offset: u64,
    /// Bytes.
    pub size: u64,
}

/// One mip of one layer, copied whole between textures of the same format and extent.
#[derive(Clone, Copy, Debug)]
pub struct TextureCopy {
    /// Source, in use `CopySrc`.
    pub src: Texture,
    /// Source mip and layer.
    pub src_at: (u32, u32),
    /// Destination, in use `CopyDst`.
    pub dst: Texture,
    /// Destination mip and layer.
    pub dst_at: (u32, u32),
}
