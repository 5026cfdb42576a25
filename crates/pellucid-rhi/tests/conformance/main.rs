//! The contract, tried on every backend: the null one where the facade alone decides, Vulkan under its
//! validation layer, whose every message is a failure.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod common;
mod compute;
mod frames;
mod lifetime;
mod raster;
mod refusals;
mod system;
mod textures;
mod transfers;
