//! Pellucid: a real-time graphics engine core over native Vulkan (and later Direct3D 12).
//!
//! This crate is the door: it re-exports the engine's crates, and adds what a program needs to get from a
//! file to a picture. The `pellucid` command is built on it and on nothing else.
//!
//! - [`scene`]: scenes, cameras, animation; glTF import.
//! - [`render`]: a scene and a view become an image.
//! - [`rhi`]: the explicit GPU contract underneath.
//! - [`platform`]: whole-or-nothing files, the cache folder.
//! - [`headless`]: a device and a renderer without a window; [`picture`]: PNG, OpenEXR and BMP.
//! - [`sample`]: a furnished room made by code, to draw when there is no file at hand.
//!
//! **Owns** no GPU object of its own but in a [`headless::Session`]. **Called** from any thread; a session is
//! `Send` and used by one thread at a time. **Never** opens a window, installs a logger or a signal handler
//! (the command does), and never reads the clock but to say how long a step took.
//!
//! ```no_run
//! use pellucid::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let imported = import("chair.glb".as_ref(), &ImportOptions::default())?;
//! let mut session = Session::new(&SessionOptions::default())?;
//! let picture = session.render(&RenderRequest::new(&imported.scene))?;
//! write_atomic("chair.png".as_ref(), &encode(&picture, Format::Png)?)?;
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

pub mod color;
pub mod headless;
pub mod picture;
pub mod prelude;
pub mod sample;

pub use pellucid_platform as platform;
pub use pellucid_render as render;
pub use pellucid_rhi as rhi;
pub use pellucid_scene as scene;
