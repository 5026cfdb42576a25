//! The one public contract for the GPU.
//!
//! **Owns**: the instance, the adapters' list and their admission, devices, every GPU object behind a
//! generation-checked [`handle`](Buffer), budgets, the submission ledger, uploads, readbacks and frames.
//! Native APIs are private backends (`vulkan`, and `null`, which records and executes nothing).
//!
//! **Threads**: [`Instance`] and [`Device`] are `Send + Sync` and may be called from any thread at once.
//! One [`Frame`] is open at a time; its rings and its encoders may be used from several threads, each
//! encoder from one thread at a time (encoders are `Send`).
//!
//! **Never**: guesses a barrier, tracks a draw, allocates or locks in a draw call, panics on bad input or a
//! device's failure, or frees memory that the GPU may still touch.
//!
//! A frame, in short: [`Device::begin_frame`] waits for the slot it reuses, [`Frame::encoder`] records,
//! [`Frame::submit`] hands over and stamps everything destroyed meanwhile. Draw and dispatch calls return
//! nothing: the first error sticks and [`CommandEncoder::finish`] returns it, naming pass and draw.

#[cfg(not(target_pointer_width = "64"))]
compile_error!("Pellucid needs a 64-bit target");

mod adapter;
mod backend;
mod desc;
mod device;
mod encoder;
mod error;
mod fault;
mod frame;
mod handle;
mod instance;
mod messages;
mod name;
mod ring;
mod select;
mod slots;
mod spirv;

pub use adapter::{
    AdapterFeatures, AdapterId, AdapterInfo, AdapterKind, FormatSupport, Limits, Profile, ProfileStatus,
    ProfileSupport,
};
pub use desc::*;
pub use device::{
    Device, DeviceDesc, LiveObjects, MemoryStats, ReadStatus, Readback, SubmissionId, TextureStatus,
};
pub use encoder::{CommandBuffer, CommandEncoder, ComputePass, RasterPass};
pub use error::{
    DeviceError, FrameError, InstanceError, NativeError, ReadError, RecordCause, RecordError, ResourceError,
    RingError, SelectError, StaleHandle, UnmetProfile,
};
#[cfg(feature = "fault-injection")]
pub use fault::{FaultPlan, Site};
pub use frame::{Frame, FrameStatus, FrameTarget, SkipReason, UniformSlice, VertexSlice};
pub use handle::{
    AnyHandle, BindingLayout, BindingSet, Buffer, ComputePipeline, Handle, ObjectKind, Owned, RasterPipeline,
    Sampler, Shader, Texture, TextureView,
};
pub use instance::{BackendChoice, Instance, InstanceDesc};
pub use messages::ValidationMessages;
pub use select::{AdapterRequest, select_adapter};

/// Bytes kept of an object's, pass's or scope's name; the rest is cut at a character's boundary.
pub const MAX_NAME: usize = 64;
/// Bytes of push constants that every pipeline may use.
pub const MAX_PUSH_CONSTANTS: u32 = 128;
/// Dynamic uniforms that a pipeline may use, at bindings 0 to 3 of [`DYNAMIC_UNIFORM_SET`].
pub const MAX_DYNAMIC_UNIFORMS: u32 = 4;
/// The set that holds the dynamic uniforms. It lies past [`MAX_SETS`], so admission asks for
/// `maxBoundDescriptorSets` of at least 5.
pub const DYNAMIC_UNIFORM_SET: u32 = 4;
/// Binding sets that a pipeline may use.
pub const MAX_SETS: usize = 4;
/// Bytes visible through one uniform binding.
pub const MAX_UNIFORM_RANGE: u64 = 16_384;
/// Alignment of uniform and storage offsets in bytes.
pub const STORAGE_ALIGN: u64 = 256;
/// Colour attachments of a raster pass.
pub const MAX_COLOR_ATTACHMENTS: usize = 4;
/// Vertex streams of a raster pipeline.
pub const MAX_VERTEX_BUFFERS: usize = 8;
/// Command buffers of one submission.
pub const MAX_COMMAND_BUFFERS: usize = 64;
/// Threads that may hold an open encoder of one frame at once.
pub const MAX_OPEN_ENCODERS: usize = 64;
/// Nesting of scopes in an encoder.
pub const MAX_SCOPES: usize = 8;
