//! Compiled shaders and the step that makes them.
//!
//! **Owns** the description of a compiled shader ([`Artifact`]), and, behind features, the place of the
//! pinned Slang toolchain (`toolchain`), a SPIR-V reader (`spirv`) and the build step (`build`) that turns a
//! folder of Slang sources and its `shaders.toml` into artifacts and generated Rust.
//!
//! **Called by** build scripts and `cargo xtask` (feature `build`), on any thread; the artifacts themselves
//! are plain `static` data that any thread reads.
//!
//! **Never** talks to a GPU, never compiles when a program runs, and never lets a module and its reflection
//! disagree: what an [`Artifact`] says has been compared with the SPIR-V it holds.
#![forbid(unsafe_code)]

mod artifact;
#[cfg(feature = "build")]
pub mod build;
mod host;
#[cfg(feature = "spirv")]
pub mod spirv;
#[cfg(feature = "toolchain")]
pub mod toolchain;

pub use artifact::{Artifact, Binding, BindingKind, Block, BlockKind, Member, Scalar, Stage, VertexInput};
pub use host::HostNumbers;
