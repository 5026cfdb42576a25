//! The build step, with the real compiler on shaders that stand in `tests/fixtures/shaders`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails here fails its test")]
mod errors;
mod host_structs;
mod incremental;
mod packaged;
mod reflection;
mod spirv;
mod support;
