//! All meshes in two vertex streams and one index buffer, and where each is placed.
use crate::RenderError;
use crate::gpu::ShadingVertex;
use glam::{Vec2, Vec3, Vec4};
use pellucid_rhi::{Buffer, BufferDesc, BufferRoles, Device, Owned};
use pellucid_scene::{Aabb, Primitive, Scene};

/// A primitive's place in the buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// First index.
    pub first_index: u32,
    /// Indices.
    pub indices: u32,
    /// First vertex.
    pub vertex: u32,
    /// Vertices.
    pub vertices: u32,
    /// Index into the GPU's materials.
    pub material: usize,
    /// Bounds at rest, in the mesh's space.
    pub bounds: Aabb,
}

/// One primitive drawn at one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// The node.
    pub node: usize,
    /// Index into [`Geometry::parts`].
    pub part: usize,
    /// First vertex in the deformed streams, when the node bends the primitive.
    pub deformed_vertex: Option<u32>,
    /// Whether a skin places it, rather than the node.
    pub skinned: bool,
}

/// Vertices and indices.
pub(crate) struct Geometry {
    pub positions: Option<Owned<Buffer>>,
    pub shading: Option<Owned<Buffer>>,
    pub indices: Option<Owned<Buffer>>,
    pub parts: Vec<Part>,
    pub placements: Vec<Placement>,
    /// First part of each mesh; one more entry at the end.
    pub mesh_parts: Vec<usize>,
    /// Vertices of the deformed streams.
    pub deformed_vertices: u32,
}

/// Draw arguments are 32-bit, base vertices signed.
const LARGEST: u64 = i32::MAX as u64;

impl Geometry {
    pub fn new(device: &Device, scene: &Scene) -> Result<Self, RenderError> {
        let count = |of: fn(&Primitive) -> usize| -> u64 {
            scene.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|p| of(p) as u64).sum()
        };
        let vertices = count(|p| p.positions.len());
        let indices = count(|p| p.indices.len());
        for (what, count) in [("vertices", vertices), ("indices", indices)] {
            if count > LARGEST {
                return Err(RenderError::TooMany { what, count, limit: LARGEST });
            }
        }
        let mut positions: Vec<Vec3> = Vec::with_capacity(vertices as usize);
        let mut shading: Vec<ShadingVertex> = Vec::with_capacity(vertices as usize);
        let mut index_list: Vec<u32> = Vec::with_capacity(indices as usize);
        let mut parts = Vec::new();
        let mut mesh_parts = Vec::with_capacity(scene.meshes.len() + 1);
        for mesh in &scene.meshes {
            mesh_parts.push(parts.len());
            for primitive in &mesh.primitives {
                parts.push(Part {
                    first_index: index_list.len() as u32,
                    indices: primitive.indices.len() as u32,
                    vertex: positions.len() as u32,
                    vertices: primitive.positions.len() as u32,
                    material: primitive.material.unwrap_or(scene.materials.len()),
                    bounds: primitive.bounds,
                });
                positions.extend_from_slice(&primitive.positions);
                shading.extend((0..primitive.positions.len()).map(|i| shading_vertex(primitive, i)));
                index_list.extend_from_slice(&primitive.indices);
            }
        }
        mesh_parts.push(parts.len());
        let (placements, deformed_vertices) = place(scene, &parts, &mesh_parts)?;
        let vertex = BufferRoles::VERTEX | BufferRoles::STORAGE;
        Ok(Self {
            positions: upload(device, "positions", vertex, bytemuck::cast_slice(&positions))?,
            shading: upload(device, "shading vertices", vertex, bytemuck::cast_slice(&shading))?,
            indices: upload(device, "indices", BufferRoles::INDEX, bytemuck::cast_slice(&index_list))?,
            parts,
            placements,
            mesh_parts,
            deformed_vertices,
        })
    }
}

/// A buffer with these bytes, none for no bytes.
pub(crate) fn upload(
    device: &Device,
    name: &str,
    roles: BufferRoles,
    bytes: &[u8],
) -> Result<Option<Owned<Buffer>>, RenderError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let desc = BufferDesc { name, size: bytes.len() as u64, roles: roles | BufferRoles::COPY_DST };
    Ok(Some(Owned::new(device, device.create_buffer_init(&desc, bytes)?)))
}

fn shading_vertex(primitive: &Primitive, i: usize) -> ShadingVertex {
    let uv0 = primitive.uv0.get(i).copied().unwrap_or(Vec2::ZERO);
    let uv1 = primitive.uv1.get(i).copied().unwrap_or(Vec2::ZERO);
    let color = primitive.colors.get(i).copied().unwrap_or(Vec4::ONE);
    ShadingVertex {
        normal: primitive.normals.get(i).copied().unwrap_or(Vec3::Y).into(),
        tangent: primitive.tangents.get(i).copied().unwrap_or(Vec4::ZERO).into(),
        uv: [uv0.x, uv0.y, uv1.x, uv1.y],
        color: color.clamp(Vec4::ZERO, Vec4::ONE).to_array().map(|c| (c * 65_535.0 + 0.5) as u16),
    }
}

/// Every primitive at every node that is part of the scene, with room for those that bend.
fn place(scene: &Scene, parts: &[Part], mesh_parts: &[usize]) -> Result<(Vec<Placement>, u32), RenderError> {
    let mut placements = Vec::new();
    let mut deformed = 0u64;
    let mut stack: Vec<usize> = scene.roots.iter().rev().copied().collect();
    while let Some(index) = stack.pop() {
        let node = scene.nodes.get(index).ok_or(RenderError::Dangling {
            what: "node",
            index,
            count: scene.nodes.len(),
        })?;
        stack.extend(node.children.iter().rev());
        let Some(mesh) = node.mesh else { continue };
        let source = scene.meshes.get(mesh).ok_or(RenderError::Dangling {
            what: "mesh",
            index: mesh,
            count: scene.meshes.len(),
        })?;
        for (primitive, part) in source.primitives.iter().zip(mesh_parts[mesh]..) {
            if primitive.indices.is_empty() {
                continue;
            }
            let skinned = node.skin.is_some() && !primitive.joints.is_empty();
            let bends = skinned || !primitive.targets.is_empty();
            let deformed_vertex = bends.then_some(deformed as u32);
            if bends {
                deformed += u64::from(parts[part].vertices);
            }
            placements.push(Placement { node: index, part, deformed_vertex, skinned });
        }
    }
    if deformed > LARGEST {
        let what = "vertices that bend";
        return Err(RenderError::TooMany { what, count: deformed, limit: LARGEST });
    }
    Ok((placements, deformed as u32))
}
