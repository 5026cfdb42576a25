//! The compiled shaders (`build.rs` makes them from `shaders/`).
#![allow(
    missing_docs,
    clippy::double_comparisons,
    reason = "generated: each item is the shader of its name in shaders.toml, its checks compare ranges"
)]
include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
