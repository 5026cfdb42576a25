//! What a scene becomes on the GPU: vertices, materials, textures, and what bends.
mod deform;
mod geometry;
mod materials;
mod mip_pass;
mod mips;
mod textures;

pub(crate) use deform::Deformer;
pub(crate) use geometry::{Geometry, Placement};
pub(crate) use materials::Materials;
pub(crate) use mip_pass::MipChains;
pub(crate) use textures::Textures;

use crate::RenderError;
use crate::gpu::InstanceRows;
use pellucid_rhi::{Buffer, BufferDesc, BufferRoles, Device, Owned};

/// A scene on the GPU. It keeps nothing of the [`pellucid_scene::Scene`] it was made of, which is needed again
/// for its nodes and lights when drawing.
pub struct GpuScene {
    pub(crate) geometry: Geometry,
    pub(crate) materials: Materials,
    pub(crate) deformer: Option<Deformer>,
    /// Rows of every instance, in the order of the draw list.
    pub(crate) instances: Option<Owned<Buffer>>,
    /// Nodes of the scene it was made of.
    pub(crate) nodes: usize,
    _textures: Textures,
}

impl GpuScene {
    pub(crate) fn new(
        device: &Device,
        geometry: Geometry,
        materials: Materials,
        deformer: Option<Deformer>,
        textures: Textures,
        nodes: usize,
    ) -> Result<Self, RenderError> {
        let count = geometry.placements.len();
        let instances = if count == 0 {
            None
        } else {
            let buffer = device.create_buffer(&BufferDesc {
                name: "instances",
                size: (count * size_of::<InstanceRows>()) as u64,
                roles: BufferRoles::VERTEX | BufferRoles::COPY_DST,
            })?;
            Some(Owned::new(device, buffer))
        };
        Ok(Self { geometry, materials, deformer, instances, nodes, _textures: textures })
    }
}

impl std::fmt::Debug for GpuScene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GpuScene({} instances)", self.geometry.placements.len())
    }
}
