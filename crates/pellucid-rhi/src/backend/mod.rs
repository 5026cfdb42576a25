//! The private contract between the facade and the native APIs.
//!
//! The facade has checked every argument, holds every object alive for as long as the GPU may touch it, and
//! charges budgets; a backend translates and reports failures. Objects are closed enums, so a call costs a
//! predictable branch and no indirection. A backend never sees an object of another one: handles carry their
//! device, and a device has one backend; [`mismatch`] stands where the types can't say so.
//!
//! To add a backend: a variant in each enum here, and a folder with the files of the others.
use crate::desc::{
    BindingKind, BindingSlot, ColorTarget, Cull, DepthState, Format, Load, SamplerDesc, ShaderStages, Store,
    TextureData, TextureRange, Topology, VertexBufferLayout, ViewKind,
};
use crate::name::Name;
use crate::{BufferRoles, FormatSupport, NativeError, TextureRoles};
use std::time::Duration;

mod encoder;
pub(crate) mod null;
pub(crate) mod vulkan;

pub(crate) use encoder::Encoder;

/// Where a buffer's memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryKind {
    /// With the GPU.
    Device,
    /// Mapped, written by the host once and read by the GPU.
    Upload,
    /// Mapped, written by the GPU and read by the host.
    Readback,
}

/// A buffer to create.
pub(crate) struct BufferParams {
    pub(crate) name: Name,
    pub(crate) size: u64,
    pub(crate) roles: BufferRoles,
    pub(crate) memory: MemoryKind,
}

/// The unchanging facts of a texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureParams {
    pub(crate) name: Name,
    pub(crate) volume: bool,
    pub(crate) cube: bool,
    pub(crate) format: Format,
    pub(crate) view_format: Option<Format>,
    /// Width, height, depth.
    pub(crate) extent: [u32; 3],
    pub(crate) layers: u32,
    pub(crate) mips: u32,
    pub(crate) samples: u32,
    pub(crate) roles: TextureRoles,
    /// Whether its first bytes may be written by [`Device::write_new_texture`].
    pub(crate) host_writes: bool,
}

/// A view to create.
pub(crate) struct ViewParams {
    pub(crate) name: Name,
    pub(crate) kind: ViewKind,
    pub(crate) format: Format,
    pub(crate) range: TextureRange,
    /// What views of this format may be used for.
    pub(crate) roles: TextureRoles,
}

/// One element of a set to write.
pub(crate) struct SetWrite<'a> {
    pub(crate) binding: u32,
    pub(crate) element: u32,
    pub(crate) kind: BindingKind,
    pub(crate) resource: SetResource<'a>,
}

/// What an element holds.
pub(crate) enum SetResource<'a> {
    Buffer { buffer: &'a Buffer, offset: u64, size: u64 },
    View(&'a View),
    Sampler(&'a Sampler),
}

/// What both kinds of pipeline are reached through.
pub(crate) struct PipelineInterface<'a> {
    pub(crate) name: Name,
    pub(crate) layouts: &'a [Layout],
    pub(crate) dynamic_uniforms: bool,
}

/// A raster pipeline to create.
pub(crate) struct RasterParams<'a> {
    pub(crate) interface: PipelineInterface<'a>,
    pub(crate) vertex: &'a Shader,
    pub(crate) fragment: Option<&'a Shader>,
    pub(crate) vertex_buffers: &'a [VertexBufferLayout<'a>],
    pub(crate) topology: Topology,
    pub(crate) cull: Cull,
    pub(crate) depth: Option<DepthState>,
    pub(crate) samples: u32,
    pub(crate) color: &'a [ColorTarget],
}

/// A colour attachment of a pass.
#[derive(Clone, Copy)]
pub(crate) struct ColorParams<'a> {
    pub(crate) view: &'a View,
    pub(crate) format: Format,
    pub(crate) load: Load<[f32; 4]>,
    pub(crate) store: Store,
    pub(crate) resolve: Option<&'a View>,
}

/// The depth attachment of a pass.
#[derive(Clone, Copy)]
pub(crate) struct DepthParams<'a> {
    pub(crate) view: &'a View,
    pub(crate) load: Load<f32>,
    pub(crate) store: Store,
    pub(crate) read_only: bool,
}

/// A raster pass to begin.
pub(crate) struct PassParams<'a> {
    pub(crate) color: [Option<ColorParams<'a>>; crate::MAX_COLOR_ATTACHMENTS],
    pub(crate) depth: Option<DepthParams<'a>>,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// Rows of one mip of one layer (or slices of a volume) in a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureRegion {
    pub(crate) mip: u32,
    pub(crate) layer: u32,
    /// First row and slice.
    pub(crate) y: u32,
    pub(crate) z: u32,
    /// Width, rows, slices.
    pub(crate) extent: [u32; 3],
    pub(crate) buffer_offset: u64,
    pub(crate) row_pitch: u32,
}

/// Raster or compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BindPoint {
    Raster,
    Compute,
}

/// How much memory the backend's allocator holds, and how much of that is used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AllocatorUse {
    pub(crate) reserved: u64,
    pub(crate) allocated: u64,
}

/// How a submission's wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Done,
    TimedOut,
}

impl Default for Device {
    fn default() -> Self {
        Self::Null(Box::default())
    }
}

#[cold]
#[expect(clippy::panic, reason = "a handle names its device, and a device has one backend")]
fn mismatch() -> ! {
    panic!("objects of two backends met")
}

macro_rules! objects {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            pub(crate) enum $name {
                Vulkan(vulkan::$name),
                Null(null::$name),
            }

            impl $name {
                fn vulkan(&self) -> &vulkan::$name {
                    match self {
                        Self::Vulkan(object) => object,
                        Self::Null(_) => mismatch(),
                    }
                }

                fn into_vulkan(self) -> vulkan::$name {
                    match self {
                        Self::Vulkan(object) => object,
                        Self::Null(_) => mismatch(),
                    }
                }
            }
        )*
    };
}

objects! {
    Buffer;
    Texture;
    View;
    Sampler;
    /// Cheap to copy, like `Shader`: pipelines are made without holding a lock.
    #[derive(Clone)]
    Layout;
    Set;
    #[derive(Clone)]
    Shader;
    RasterPipeline;
    ComputePipeline;
    /// The four dynamic uniforms over a frame slot's ring.
    UniformSet;
}

/// Memory of commands, used by one encoder at a time.
pub(crate) enum CommandPool {
    Vulkan(vulkan::CommandPool),
    Null(null::CommandPool),
}

impl CommandPool {
    fn into_vulkan(self) -> vulkan::CommandPool {
        match self {
            Self::Vulkan(pool) => pool,
            Self::Null(_) => mismatch(),
        }
    }
}

/// Finished commands; good until their pool is reset.
#[derive(Clone, Copy)]
pub(crate) enum Commands {
    Vulkan(ash::vk::CommandBuffer),
    Null,
}

/// A device of any backend.
pub(crate) enum Device {
    Vulkan(Box<vulkan::Device>),
    Null(Box<null::Device>),
}

/// Calls a method of the backend's device and wraps what it makes.
macro_rules! create {
    ($self:ident, $object:ident, $method:ident($($arg:expr),* => $($null:expr),*)) => {
        match $self {
            Self::Vulkan(device) => device.$method($($arg),*).map($object::Vulkan),
            Self::Null(device) => device.$method($($null),*).map($object::Null),
        }
    };
}

macro_rules! destroy {
    ($($method:ident($object:ident);)*) => {
        $(pub(crate) fn $method(&self, object: $object) {
            if let Self::Vulkan(device) = self {
                device.$method(object.into_vulkan());
            }
        })*
    };
}

impl Device {
    pub(crate) fn format_support(&self, format: Format) -> FormatSupport {
        match self {
            Self::Vulkan(device) => device.format_support(format),
            Self::Null(device) => device.format_support(format),
        }
    }

    /// Pitch that rows of texels in a buffer must be a multiple of, beside their texel.
    pub(crate) fn row_align(&self) -> u32 {
        1
    }

    /// Bytes of memory that the buffer will take, from the driver.
    pub(crate) fn buffer_bytes(&self, params: &BufferParams) -> Result<u64, NativeError> {
        match self {
            Self::Vulkan(device) => device.buffer_bytes(params),
            Self::Null(_) => Ok(params.size),
        }
    }

    pub(crate) fn create_buffer(&self, params: &BufferParams) -> Result<Buffer, NativeError> {
        create!(self, Buffer, create_buffer(params => params))
    }

    /// Writes mapped memory. The facade hands out disjoint ranges.
    pub(crate) fn write_buffer(&self, buffer: &Buffer, offset: u64, bytes: &[u8]) {
        if let Self::Vulkan(device) = self {
            device.write_buffer(buffer.vulkan(), offset, bytes);
        }
    }

    /// Writes a new buffer's first bytes where its memory is the host's too; false where it is not.
    pub(crate) fn write_new_buffer(&self, buffer: &Buffer, bytes: &[u8]) -> bool {
        match self {
            Self::Vulkan(device) => device.write_buffer(buffer.vulkan(), 0, bytes),
            Self::Null(_) => true,
        }
    }

    /// Writes a new texture's first bytes from the host, which leaves all of it in use `Sampled`; false where
    /// that is not possible and they have to be staged. Several threads may be at it, each with its texture.
    pub(crate) fn write_new_texture(
        &self,
        texture: &Texture,
        params: &TextureParams,
        data: &[TextureData<'_>],
    ) -> Result<bool, NativeError> {
        match self {
            Self::Vulkan(device) => device.write_new_texture(texture.vulkan(), params, data),
            Self::Null(_) => Ok(false),
        }
    }

    /// Reads mapped memory that the GPU has finished writing.
    pub(crate) fn read_buffer(&self, buffer: &Buffer, offset: u64, out: &mut [u8]) {
        match self {
            Self::Vulkan(device) => device.read_buffer(buffer.vulkan(), offset, out),
            Self::Null(_) => out.fill(0),
        }
    }

    /// Bytes of memory that the texture will take, from the driver; refuses what the driver can't make.
    pub(crate) fn texture_bytes(&self, params: &TextureParams) -> Result<u64, NativeError> {
        match self {
            Self::Vulkan(device) => device.texture_bytes(params),
            Self::Null(_) => Ok(null::texture_bytes(params)),
        }
    }

    pub(crate) fn create_texture(&self, params: &TextureParams) -> Result<Texture, NativeError> {
        create!(self, Texture, create_texture(params => params))
    }

    pub(crate) fn create_view(&self, texture: &Texture, params: &ViewParams) -> Result<View, NativeError> {
        create!(self, View, create_view(texture.vulkan(), params => params))
    }

    pub(crate) fn create_sampler(&self, desc: &SamplerDesc<'_>) -> Result<Sampler, NativeError> {
        create!(self, Sampler, create_sampler(desc => desc))
    }

    pub(crate) fn create_layout(&self, name: &Name, slots: &[BindingSlot]) -> Result<Layout, NativeError> {
        create!(self, Layout, create_layout(name, slots => slots))
    }

    pub(crate) fn create_set(
        &self,
        name: &Name,
        layout: &Layout,
        slots: &[BindingSlot],
        writes: &[SetWrite<'_>],
    ) -> Result<Set, NativeError> {
        create!(self, Set, create_set(name, layout.vulkan(), slots, writes => writes))
    }

    pub(crate) fn create_uniform_set(&self, ring: &Buffer) -> Result<UniformSet, NativeError> {
        create!(self, UniformSet, create_uniform_set(ring.vulkan() => ring))
    }

    pub(crate) fn create_shader(
        &self,
        name: &Name,
        stage: ShaderStages,
        entry: &str,
        spirv: &[u32],
    ) -> Result<Shader, NativeError> {
        create!(self, Shader, create_shader(name, stage, entry, spirv => spirv))
    }

    pub(crate) fn create_raster_pipeline(
        &self,
        params: &RasterParams<'_>,
    ) -> Result<RasterPipeline, NativeError> {
        create!(self, RasterPipeline, create_raster_pipeline(params => params))
    }

    pub(crate) fn create_compute_pipeline(
        &self,
        interface: &PipelineInterface<'_>,
        shader: &Shader,
    ) -> Result<ComputePipeline, NativeError> {
        create!(self, ComputePipeline, create_compute_pipeline(interface, shader.vulkan() => interface))
    }

    pub(crate) fn create_pool(&self) -> Result<CommandPool, NativeError> {
        create!(self, CommandPool, create_pool(=>))
    }

    /// Makes the pool's memory free for new commands. The GPU has finished its old ones.
    pub(crate) fn reset_pool(&self, pool: &mut CommandPool) -> Result<(), NativeError> {
        match (self, pool) {
            (Self::Vulkan(device), CommandPool::Vulkan(pool)) => device.reset_pool(pool),
            _ => Ok(()),
        }
    }

    /// Begins recording. The pool comes back with [`Encoder::finish`] or [`Encoder::abandon`]; when this
    /// fails it is gone.
    pub(crate) fn begin_encoder(&self, pool: CommandPool, name: &Name) -> Result<Encoder, NativeError> {
        match (self, pool) {
            (Self::Vulkan(device), CommandPool::Vulkan(pool)) => {
                device.begin_encoder(pool, name).map(Encoder::Vulkan)
            }
            _ => Ok(Encoder::Null),
        }
    }

    /// Submits in order; the timeline reaches `serial` when all is finished.
    pub(crate) fn submit(&self, commands: &[Commands], serial: u64) -> Result<(), NativeError> {
        match self {
            Self::Vulkan(device) => device.submit(commands, serial),
            Self::Null(device) => device.submit(serial),
        }
    }

    /// The serial that the timeline has reached.
    pub(crate) fn completed(&self) -> Result<u64, NativeError> {
        match self {
            Self::Vulkan(device) => device.completed(),
            Self::Null(device) => Ok(device.completed()),
        }
    }

    /// Waits until the timeline has reached `serial`.
    pub(crate) fn wait(&self, serial: u64, timeout: Duration) -> Result<Wait, NativeError> {
        match self {
            Self::Vulkan(device) => device.wait(serial, timeout),
            Self::Null(_) => Ok(Wait::Done),
        }
    }

    /// Waits for everything, before everything is destroyed. A lost device has nothing to wait for.
    pub(crate) fn wait_idle(&self) {
        if let Self::Vulkan(device) = self {
            device.wait_idle();
        }
    }

    /// The pipeline cache's bytes.
    pub(crate) fn pipeline_cache(&self) -> Result<Vec<u8>, NativeError> {
        match self {
            Self::Vulkan(device) => device.pipeline_cache(),
            Self::Null(_) => Ok(Vec::new()),
        }
    }

    /// What tells this device's pipeline cache from any other's: a file name without a folder.
    pub(crate) fn pipeline_cache_key(&self) -> String {
        match self {
            Self::Vulkan(device) => device.pipeline_cache_key(),
            Self::Null(_) => "null".to_owned(),
        }
    }

    /// Starts the pipeline cache with these bytes of an earlier run, or empty.
    pub(crate) fn load_pipeline_cache(&self, bytes: &[u8]) -> Result<(), NativeError> {
        match self {
            Self::Vulkan(device) => device.load_pipeline_cache(bytes),
            Self::Null(_) => Ok(()),
        }
    }

    pub(crate) fn allocator_use(&self) -> AllocatorUse {
        match self {
            Self::Vulkan(device) => device.allocator_use(),
            Self::Null(_) => AllocatorUse::default(),
        }
    }

    /// Native objects alive.
    pub(crate) fn native_objects(&self) -> u64 {
        match self {
            Self::Vulkan(device) => device.native_objects(),
            Self::Null(_) => 0,
        }
    }

    /// Makes a call that the validation layer has to report, to prove that it listens.
    pub(crate) fn provoke_validation(&self) {
        if let Self::Vulkan(device) = self {
            device.provoke_validation();
        }
    }

    #[cfg(feature = "fault-injection")]
    pub(crate) fn faults(&self) -> &crate::fault::Faults {
        match self {
            Self::Vulkan(device) => device.faults(),
            Self::Null(device) => device.faults(),
        }
    }

    destroy! {
        destroy_buffer(Buffer);
        destroy_texture(Texture);
        destroy_view(View);
        destroy_sampler(Sampler);
        destroy_layout(Layout);
        destroy_set(Set);
        destroy_uniform_set(UniformSet);
        destroy_shader(Shader);
        destroy_raster_pipeline(RasterPipeline);
        destroy_compute_pipeline(ComputePipeline);
        destroy_pool(CommandPool);
    }
}
