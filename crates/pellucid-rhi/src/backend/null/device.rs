//! The null device: a timeline that is always finished.
use super::{
    Buffer, CommandPool, ComputePipeline, Layout, RasterPipeline, Sampler, Set, Shader, Texture, UniformSet,
    View,
};
use crate::backend::{BufferParams, PipelineInterface, RasterParams, SetWrite, TextureParams, ViewParams};
use crate::desc::{BindingSlot, Format, SamplerDesc};
use crate::fault::{Faults, Site};
use crate::{FormatSupport, NativeError};
use std::sync::atomic::{AtomicU64, Ordering};

/// A device without a GPU.
#[derive(Default)]
pub(crate) struct Device {
    serial: AtomicU64,
    faults: Faults,
}

/// Bytes of a texture's texels, without padding.
pub(crate) fn texture_bytes(params: &TextureParams) -> u64 {
    let mip = |mip: u32| params.extent.iter().map(|&edge| u64::from((edge >> mip).max(1))).product::<u64>();
    let texels: u64 = (0..params.mips).map(mip).sum();
    let texel = u64::from(params.format.texel_bytes()) * u64::from(params.samples);
    texels * u64::from(params.layers) * texel
}

impl Device {
    #[expect(clippy::unused_self, reason = "the contract's shape")]
    pub(crate) fn format_support(&self, format: Format) -> FormatSupport {
        let (depth, uint) = (format.is_depth(), format == Format::R32Uint);
        FormatSupport {
            sampled: true,
            filterable: !uint && !depth,
            storage: !depth && !format.is_srgb() && format != Format::Bgra8Unorm,
            color: !depth,
            blend: !depth && !uint,
            depth,
            samples4: true,
        }
    }

    #[cfg(feature = "fault-injection")]
    pub(crate) fn faults(&self) -> &Faults {
        &self.faults
    }

    pub(crate) fn create_buffer(&self, _: &BufferParams) -> Result<Buffer, NativeError> {
        self.faults.visit(Site::CreateBuffer).map(|()| Buffer)
    }

    pub(crate) fn create_texture(&self, _: &TextureParams) -> Result<Texture, NativeError> {
        self.faults.visit(Site::CreateTexture).map(|()| Texture)
    }

    pub(crate) fn create_view(&self, _: &ViewParams) -> Result<View, NativeError> {
        self.faults.visit(Site::CreateView).map(|()| View)
    }

    pub(crate) fn create_sampler(&self, _: &SamplerDesc<'_>) -> Result<Sampler, NativeError> {
        self.faults.visit(Site::CreateSampler).map(|()| Sampler)
    }

    pub(crate) fn create_layout(&self, _: &[BindingSlot]) -> Result<Layout, NativeError> {
        self.faults.visit(Site::CreateLayout).map(|()| Layout)
    }

    pub(crate) fn create_set(&self, _: &[SetWrite<'_>]) -> Result<Set, NativeError> {
        self.faults.visit(Site::AllocateSet).map(|()| Set)
    }

    pub(crate) fn create_uniform_set(&self, _: &crate::backend::Buffer) -> Result<UniformSet, NativeError> {
        self.faults.visit(Site::AllocateSet).map(|()| UniformSet)
    }

    pub(crate) fn create_shader(&self, _: &[u32]) -> Result<Shader, NativeError> {
        self.faults.visit(Site::CreateShader).map(|()| Shader)
    }

    pub(crate) fn create_raster_pipeline(&self, _: &RasterParams<'_>) -> Result<RasterPipeline, NativeError> {
        self.faults.visit(Site::CreateRasterPipeline).map(|()| RasterPipeline)
    }

    pub(crate) fn create_compute_pipeline(
        &self,
        _: &PipelineInterface<'_>,
    ) -> Result<ComputePipeline, NativeError> {
        self.faults.visit(Site::CreateComputePipeline).map(|()| ComputePipeline)
    }

    pub(crate) fn create_pool(&self) -> Result<CommandPool, NativeError> {
        self.faults.visit(Site::CreateCommandPool).map(|()| CommandPool)
    }

    pub(crate) fn submit(&self, serial: u64) -> Result<(), NativeError> {
        self.faults.visit(Site::Submit)?;
        self.serial.store(serial, Ordering::Release);
        Ok(())
    }

    pub(crate) fn completed(&self) -> u64 {
        self.serial.load(Ordering::Acquire)
    }
}
