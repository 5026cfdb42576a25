//! What a program that draws pictures of files needs, in one `use`.

pub use crate::headless::{Camera, Light, Moment, RenderRequest, Session, SessionOptions};
pub use crate::picture::{Format, encode};
pub use crate::platform::files::write_atomic;
pub use crate::render::{Background, Environment, GpuScene, Picture, Pixels, ToneMap};
pub use crate::scene::{Equirect, ImportOptions, Imported, Scene, import, import_bytes};
