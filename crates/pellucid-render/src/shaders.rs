//! The compiled shaders (`build.rs` makes them from `shaders/`).
#![allow(missing_docs)] // Generated: each module is the shader of its name in shaders/shaders.toml.
include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
