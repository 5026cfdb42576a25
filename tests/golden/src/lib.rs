//! What the image tests are made of: pictures, measures between them, reports that a person can look
//! at, and a reference that sums a BRDF over an environment on the CPU.
//!
//! It owns no picture of the renderer's: tests draw (through [`stage`]) and hand pictures to the
//! measures. Everything is called from the test's own thread; [`mod@reference`] starts scoped threads and
//! joins them before it returns. Nothing here reads the clock or the network, and the only files written
//! are reports under `out/` and, when `PELLUCID_BLESS` is set, the stored expected pictures.
#![forbid(unsafe_code)]

pub mod assets;
pub mod golden;
pub mod measure;
pub mod mistake;
pub mod peers;
pub mod picture;
pub mod reference;
pub mod scenes;
pub mod sheet;
pub mod stage;

pub use picture::{Picture, PictureError};
