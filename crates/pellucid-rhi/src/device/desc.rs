//! Plain descriptions and reports of a device.
use crate::Profile;
use std::path::Path;
use std::time::Duration;

/// How to make a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceDesc<'a> {
    /// Debug name.
    pub name: &'a str,
    /// Profiles that it has to serve, beside `PortableRaster`.
    pub required: &'a [Profile],
    /// Frames that the host may prepare while the GPU works: 1 to 3.
    pub frame_slots: u32,
    /// Bytes of uniforms in one frame.
    pub uniform_ring_bytes: u64,
    /// Bytes of vertices and indices in one frame.
    pub vertex_ring_bytes: u64,
    /// Most bytes of staging memory for uploads and updates; at least 1 MiB. Larger data goes in pieces.
    pub staging_bytes: u64,
    /// Most bytes of memory for all resources, rings and staging; `None` takes three quarters of the largest
    /// device-local heap.
    pub budget_bytes: Option<u64>,
    /// How long to wait for the GPU before the device is given up as lost.
    pub fence_timeout: Duration,
    /// Whether initial bytes are written straight into memory that host and GPU share, where the adapter is
    /// integrated or software. Without it they are staged, as they are for any other adapter.
    pub host_writes: bool,
    /// Folder of the pipeline cache's file. A damaged file is ignored with a warning.
    pub pipeline_cache: Option<&'a Path>,
}

impl Default for DeviceDesc<'_> {
    fn default() -> Self {
        Self {
            name: "pellucid",
            required: &[Profile::PortableRaster, Profile::Compute],
            frame_slots: 2,
            uniform_ring_bytes: 4 << 20,
            vertex_ring_bytes: 8 << 20,
            staging_bytes: 64 << 20,
            budget_bytes: None,
            fence_timeout: Duration::from_secs(10),
            host_writes: true,
            pipeline_cache: None,
        }
    }
}

/// A submission. Later ones are larger; the one queue finishes them in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubmissionId {
    pub(crate) serial: u64,
}

/// Whether a texture's initial bytes have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureStatus {
    /// They have, or there were none.
    Ready,
    /// They are on their way. Commands submitted meanwhile see them all the same.
    Pending,
}

/// Memory in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryStats {
    /// Charged to the budget: resources, rings, staging and readbacks, by the driver's sizes.
    pub used: u64,
    /// The budget.
    pub limit: u64,
    /// Most that was ever charged.
    pub peak: u64,
    /// Of `used`, staging memory.
    pub staging: u64,
    /// Most staging memory.
    pub staging_limit: u64,
    /// Of `used`, readbacks that are not dropped and retired yet.
    pub readback: u64,
    /// Held by the allocator beyond what is allocated from it.
    pub allocator_slack: u64,
}

/// Good handles of each type, and native objects of every kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // The names are the objects'.
pub struct LiveObjects {
    pub buffers: u32,
    pub textures: u32,
    pub texture_views: u32,
    pub samplers: u32,
    pub binding_layouts: u32,
    pub binding_sets: u32,
    pub shaders: u32,
    pub raster_pipelines: u32,
    pub compute_pipelines: u32,
    /// Native objects of every kind, the device's own (but not itself) among them; 0 on the
    /// null backend.
    pub native: u64,
}
