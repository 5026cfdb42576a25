//! The build step, with the real compiler on shaders that stand in `tests/fixtures/shaders`.
mod errors;
mod host_structs;
mod incremental;
mod packaged;
mod reflection;
mod spirv;
mod support;
