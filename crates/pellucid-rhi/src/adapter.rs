//! What an adapter is and what it can do.
use std::fmt;

/// Position of an adapter in its instance's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AdapterId(pub(crate) u32);

impl AdapterId {
    /// Position in the list.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// What kind of machine an adapter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AdapterKind {
    /// A GPU with its own memory.
    Discrete,
    /// A GPU that shares the host's memory.
    Integrated,
    /// A GPU lent to a virtual machine.
    Virtual,
    /// The CPU.
    Software,
    /// Anything else, the null backend among it.
    Other,
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Software => "software",
            Self::Other => "other",
        })
    }
}

/// A set of abilities that a device is created for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Rasterisation, textures and portable sets: what the renderer needs at least.
    PortableRaster,
    /// Compute with the portable guarantees: 256 invocations a group, 64 in z, 65 535 groups an axis.
    Compute,
    /// What the render graph needs to order queues.
    OrderedGraph,
    /// One device-wide heap addressed by indices.
    Bindless,
    /// Task and mesh shaders.
    MeshShading,
    /// Ray queries in any shader.
    RayQuery,
    /// Ray-tracing pipelines.
    RayPipeline,
    /// GPU timestamps.
    GpuTiming,
    /// GPU and CPU timestamps on one clock.
    CalibratedTiming,
    /// BC1 to BC7 textures.
    BlockCompression,
    /// HDR10 surfaces.
    Hdr10,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 11] = [
        Self::PortableRaster,
        Self::Compute,
        Self::OrderedGraph,
        Self::Bindless,
        Self::MeshShading,
        Self::RayQuery,
        Self::RayPipeline,
        Self::GpuTiming,
        Self::CalibratedTiming,
        Self::BlockCompression,
        Self::Hdr10,
    ];
}

/// Whether a profile may be required of an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileSupport {
    /// It may: its conformance suite passes on this backend and the device has what it takes.
    Supported,
    /// It may not, for lack of these extensions, features, limits, queues or of this version's own work.
    Missing(Vec<String>),
}

/// A profile and whether it is supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileStatus {
    /// The profile.
    pub profile: Profile,
    /// Supported or why not.
    pub support: ProfileSupport,
}

/// Limits of an adapter, in texels, bytes or pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Largest width or height of a 2D texture.
    pub texture_2d: u32,
    /// Largest edge of a 3D texture.
    pub texture_3d: u32,
    /// Most array layers.
    pub texture_layers: u32,
    /// Binding sets that a pipeline may use, the dynamic uniforms' one counted.
    pub bound_sets: u32,
    /// Bytes of push constants.
    pub push_constants: u32,
    /// Bytes of one uniform binding.
    pub uniform_range: u64,
    /// Bytes of one storage binding.
    pub storage_range: u64,
    /// Most samplers of different descriptions.
    pub samplers: u32,
    /// Largest anisotropy, 1 when there is none.
    pub anisotropy: f32,
    /// Invocations of one compute group.
    pub group_invocations: u32,
    /// Invocations of one compute group along each axis.
    pub group_size: [u32; 3],
    /// Groups of one dispatch along each axis.
    pub groups: [u32; 3],
    /// Bytes of the largest device-local heap.
    pub device_memory: u64,
    /// Nanoseconds of a timestamp's tick, 0 when there are none.
    pub timestamp_period: f32,
}

/// Abilities beyond the profiles that may be there or not; a created device has all that it lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterFeatures {
    /// Anisotropic filtering.
    pub anisotropy: bool,
    /// BC1 to BC7 formats.
    pub block_compression: bool,
    /// Null descriptors read zero.
    pub null_descriptor: bool,
    /// Out-of-range buffer reads are exactly zero (rather than some value of the buffer).
    pub exact_robustness: bool,
    /// Storage textures are read without a format in the shader.
    pub storage_read_without_format: bool,
    /// Storage textures are written without a format in the shader.
    pub storage_write_without_format: bool,
    /// Each granted feature and where it comes from, as `dynamicRendering: VK_KHR_dynamic_rendering`.
    pub granted: Vec<String>,
}

/// An adapter of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct AdapterInfo {
    /// To create a device with.
    pub id: AdapterId,
    /// The driver's name of the device.
    pub name: String,
    /// PCI vendor id, or the API's own registry's.
    pub vendor: u32,
    /// Device id of the vendor.
    pub device: u32,
    /// Kind.
    pub kind: AdapterKind,
    /// Driver's name and version.
    pub driver: String,
    /// API version, as `Vulkan 1.3.281`.
    pub api_version: String,
    /// Limits.
    pub limits: Limits,
    /// Optional abilities.
    pub features: AdapterFeatures,
    /// Every profile, supported or why not.
    pub profiles: Vec<ProfileStatus>,
}

impl AdapterInfo {
    /// What the adapter lacks for a profile; empty when it is supported.
    #[must_use]
    pub fn missing(&self, profile: Profile) -> &[String] {
        match self.profiles.iter().find(|status| status.profile == profile) {
            Some(ProfileStatus { support: ProfileSupport::Missing(missing), .. }) => missing,
            _ => &[],
        }
    }

    /// Whether it serves a profile.
    #[must_use]
    pub fn supports(&self, profile: Profile) -> bool {
        self.profiles.iter().any(|s| s.profile == profile && s.support == ProfileSupport::Supported)
    }
}

/// What a format may be used for on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormatSupport {
    /// Sampled.
    pub sampled: bool,
    /// Sampled with linear filters.
    pub filterable: bool,
    /// Storage texture.
    pub storage: bool,
    /// Colour attachment.
    pub color: bool,
    /// Colour attachment with blending.
    pub blend: bool,
    /// Depth attachment.
    pub depth: bool,
    /// Attachments with 4 samples.
    pub samples4: bool,
}
