//! Plain descriptions of what to create: each a struct with public fields and a `name`.
mod barrier;
mod binding;
mod buffer;
mod format;
mod pass;
mod pipeline;
mod texture;

pub use barrier::*;
pub use binding::*;
pub use buffer::*;
pub use format::*;
pub use pass::*;
pub use pipeline::*;
pub use texture::*;
