//! Pellucid's scene: what is drawn, before any GPU knows of it.
//!
//! This crate owns the scene model ([`Scene`] and all it holds), the glTF 2.0 importer ([`import`]), poses and
//! animation ([`Pose`]), bounds ([`scene_bounds`]), views ([`View`]) and HDR environments ([`Equirect`]).
//! Anyone may call it, from any thread: nothing here has global state. [`import`] blocks; it starts threads to
//! decode images and joins them before it returns. All else is a pure function of its arguments: time is an input.
//!
//! It never touches a GPU, never panics on what a file holds, and never follows a file's references out of
//! the file's folder.
#![deny(unsafe_code)]

mod bounds;
mod environment;
mod error;
mod import;
mod model;
mod options;
mod pose;
mod view;

pub use bounds::scene_bounds;
pub use environment::{Equirect, EquirectError, EquirectLimits};
pub use error::{At, ErrorKind, ImportError, UriProblem};
pub use import::{import, import_bytes};
pub use model::*;
pub use options::{ImportOptions, Imported, Limits, Report, Warning};
pub use pose::Pose;
pub use view::View;
