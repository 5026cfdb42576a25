//! Raster programs: the forward pass in its variants, the background, the present pass.
use super::{Interface, shader};
use crate::gpu::{InstanceRows, ShadingVertex};
use crate::shaders;
use crate::shot::Pixels;
use pellucid_rhi::{
    Blend, ColorTarget, CompareOp, Cull, DepthState, Device, Format, Owned, RasterPipeline,
    RasterPipelineDesc, ResourceError, Shader, Topology, VertexAttribute, VertexBufferLayout, VertexFormat,
};
use pellucid_scene::AlphaMode;
use std::collections::HashMap;
use std::mem::{offset_of, size_of};
use std::sync::{Mutex, PoisonError};

/// Formats and samples of the images that the forward pass draws into.
pub struct Surfaces;

impl Surfaces {
    pub const HDR: Format = Format::Rgba16Float;
    pub const DEPTH: Format = Format::D32Float;
    pub const SAMPLES: u32 = 4;

    /// Format of the picture.
    pub const fn picture(pixels: Pixels) -> Format {
        match pixels {
            Pixels::Srgb8 => Format::Rgba8Unorm,
            Pixels::LinearF32 => Format::Rgba32Float,
        }
    }
}

/// How the forward pass treats alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Coverage {
    Opaque,
    Mask,
    Blend,
}

/// What tells forward pipelines apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ForwardKey {
    pub coverage: Coverage,
    pub double_sided: bool,
    /// The instance's transform mirrors, so its fronts turn clockwise.
    pub mirrored: bool,
}

impl ForwardKey {
    /// The key of a material under a transform. Where nothing is culled, mirroring needs no variant.
    pub fn new(alpha: AlphaMode, double_sided: bool, mirrored: bool) -> Self {
        let coverage = match alpha {
            AlphaMode::Opaque => Coverage::Opaque,
            AlphaMode::Mask { .. } => Coverage::Mask,
            AlphaMode::Blend => Coverage::Blend,
        };
        Self { coverage, double_sided, mirrored: mirrored && !double_sided }
    }
}

/// The raster programs.
pub struct RasterPrograms {
    device: Device,
    /// Sets 0 (environment) and 1 (material), shared by every forward pipeline and the background.
    pub forward: Interface,
    forward_vertex: Owned<Shader>,
    variants: Mutex<HashMap<ForwardKey, Owned<RasterPipeline>>>,
    background: Mutex<Option<Owned<RasterPipeline>>>,
    /// Set 0: the HDR image.
    pub present: Interface,
    presents: Mutex<HashMap<Pixels, Owned<RasterPipeline>>>,
}

impl RasterPrograms {
    /// Makes the layouts; pipelines are made as scenes and shots need them.
    pub fn new(device: &Device) -> Result<Self, ResourceError> {
        let forward = Interface::new(
            device,
            "forward",
            &[
                &shaders::FORWARD_VERTEX,
                &shaders::FORWARD_OPAQUE,
                &shaders::FORWARD_MASK,
                &shaders::FORWARD_BLEND,
                &shaders::BACKGROUND_VERTEX,
                &shaders::BACKGROUND_FRAGMENT,
            ],
        )?;
        let present =
            Interface::new(device, "present", &[&shaders::PRESENT_ENCODED, &shaders::PRESENT_LINEAR])?;
        Ok(Self {
            device: device.clone(),
            forward,
            forward_vertex: shader(device, &shaders::FORWARD_VERTEX)?,
            variants: Mutex::default(),
            background: Mutex::default(),
            present,
            presents: Mutex::default(),
        })
    }

    /// The forward pipeline of a key, made if it is new.
    pub fn forward(&self, key: ForwardKey) -> Result<RasterPipeline, ResourceError> {
        let mut variants = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = variants.get(&key) {
            return Ok(pipeline.get());
        }
        let pipeline = self.make_forward(key)?;
        variants.insert(key, Owned::new(&self.device, pipeline));
        Ok(pipeline)
    }

    fn make_forward(&self, key: ForwardKey) -> Result<RasterPipeline, ResourceError> {
        let (artifact, blend) = match key.coverage {
            Coverage::Opaque => (&shaders::FORWARD_OPAQUE, Blend::Opaque),
            Coverage::Mask => (&shaders::FORWARD_MASK, Blend::Opaque),
            Coverage::Blend => (&shaders::FORWARD_BLEND, Blend::PremultipliedAlpha),
        };
        let fragment = shader(&self.device, artifact)?;
        let float3 = VertexFormat::F32x3;
        let float4 = VertexFormat::F32x4;
        let attribute =
            |location, format, offset: usize| VertexAttribute { location, format, offset: offset as u32 };
        let row = size_of::<[f32; 4]>();
        self.device.create_raster_pipeline(&RasterPipelineDesc {
            name: artifact.name,
            vertex: self.forward_vertex.get(),
            fragment: Some(fragment.get()),
            layouts: &self.forward.layouts(),
            dynamic_uniforms: self.forward.dynamic_uniforms,
            push_constants: self.forward.push_constants,
            vertex_buffers: &[
                VertexBufferLayout {
                    stride: size_of::<[f32; 3]>() as u32,
                    per_instance: false,
                    attributes: &[attribute(0, float3, 0)],
                },
                VertexBufferLayout {
                    stride: size_of::<ShadingVertex>() as u32,
                    per_instance: false,
                    attributes: &[
                        attribute(1, float3, offset_of!(ShadingVertex, normal)),
                        attribute(2, float4, offset_of!(ShadingVertex, tangent)),
                        attribute(3, float4, offset_of!(ShadingVertex, uv)),
                        attribute(4, VertexFormat::Unorm16x4, offset_of!(ShadingVertex, color)),
                    ],
                },
                VertexBufferLayout {
                    stride: size_of::<InstanceRows>() as u32,
                    per_instance: true,
                    attributes: &[
                        attribute(5, float4, 0),
                        attribute(6, float4, row),
                        attribute(7, float4, row * 2),
                    ],
                },
            ],
            topology: Topology::TriangleList,
            cull: match (key.double_sided, key.mirrored) {
                (true, _) => Cull::None,
                (false, false) => Cull::Back,
                (false, true) => Cull::Front,
            },
            depth: Some(DepthState {
                format: Surfaces::DEPTH,
                compare: CompareOp::GreaterOrEqual,
                write: key.coverage != Coverage::Blend,
                bias: [0.0; 2],
            }),
            samples: Surfaces::SAMPLES,
            color: &[ColorTarget { format: Surfaces::HDR, blend, write_mask: 0xf }],
        })
    }

    /// The background pipeline.
    pub fn background(&self) -> Result<RasterPipeline, ResourceError> {
        let mut background = self.background.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = &*background {
            return Ok(pipeline.get());
        }
        let vertex = shader(&self.device, &shaders::BACKGROUND_VERTEX)?;
        let fragment = shader(&self.device, &shaders::BACKGROUND_FRAGMENT)?;
        let pipeline = self.device.create_raster_pipeline(&RasterPipelineDesc {
            name: "background",
            vertex: vertex.get(),
            fragment: Some(fragment.get()),
            layouts: &self.forward.layouts(),
            dynamic_uniforms: self.forward.dynamic_uniforms,
            push_constants: self.forward.push_constants,
            vertex_buffers: &[],
            topology: Topology::TriangleList,
            cull: Cull::None,
            depth: Some(DepthState {
                format: Surfaces::DEPTH,
                compare: CompareOp::GreaterOrEqual,
                write: false,
                bias: [0.0; 2],
            }),
            samples: Surfaces::SAMPLES,
            color: &[ColorTarget::opaque(Surfaces::HDR)],
        })?;
        *background = Some(Owned::new(&self.device, pipeline));
        Ok(pipeline)
    }

    /// The present pipeline for a form of picture.
    pub fn present(&self, pixels: Pixels) -> Result<RasterPipeline, ResourceError> {
        let mut presents = self.presents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = presents.get(&pixels) {
            return Ok(pipeline.get());
        }
        let artifact = match pixels {
            Pixels::Srgb8 => &shaders::PRESENT_ENCODED,
            Pixels::LinearF32 => &shaders::PRESENT_LINEAR,
        };
        let vertex = shader(&self.device, &shaders::PRESENT_VERTEX)?;
        let fragment = shader(&self.device, artifact)?;
        let pipeline = self.device.create_raster_pipeline(&RasterPipelineDesc {
            name: artifact.name,
            vertex: vertex.get(),
            fragment: Some(fragment.get()),
            layouts: &self.present.layouts(),
            dynamic_uniforms: self.present.dynamic_uniforms,
            push_constants: self.present.push_constants,
            vertex_buffers: &[],
            topology: Topology::TriangleList,
            cull: Cull::None,
            depth: None,
            samples: 1,
            color: &[ColorTarget::opaque(Surfaces::picture(pixels))],
        })?;
        presents.insert(pixels, Owned::new(&self.device, pipeline));
        Ok(pipeline)
    }
}
