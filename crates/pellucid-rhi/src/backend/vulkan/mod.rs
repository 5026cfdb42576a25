//! Vulkan, by ash. A 1.3 loader; of the device, each feature by core or by extension (`adapter.rs`).
//!
//! Everything here relies on what the facade promises: objects are alive while they are used, mapped ranges
//! are disjoint, pools and encoders are used by one thread at a time, submissions are serialised.
mod adapter;
mod binding;
mod buffer;
mod conv;
mod device;
mod encoder;
mod frame;
mod functions;
mod instance;
mod native;
mod pipeline;
mod sampler;
mod texture;

pub(crate) use binding::{Layout, Set, UniformSet};
pub(crate) use buffer::Buffer;
pub(crate) use device::Device;
pub(crate) use encoder::Encoder;
pub(crate) use frame::CommandPool;
pub(crate) use instance::Instance;
pub(crate) use pipeline::{ComputePipeline, RasterPipeline, Shader};
pub(crate) use sampler::Sampler;
pub(crate) use texture::{Texture, View};
