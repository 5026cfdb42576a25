//! Skins and morph targets, by compute, before the passes that draw.
use super::geometry::{Geometry, upload};
use crate::RenderError;
use crate::gpu::{DeformParameters, Influence, MorphVertex, NO_SKIN, ShadingVertex};
use crate::pipelines::ComputePrograms;
use glam::{Mat4, Vec3, Vec4};
use pellucid_rhi::{
    Barrier, BindingEntry, BindingResource, BindingSet, Buffer, BufferDesc, BufferRoles, CommandEncoder,
    Device, Owned, ShaderStages, Use,
};
use pellucid_scene::{Pose, Primitive, Scene};
use std::collections::HashMap;

/// One primitive that bends at one node.
struct Job {
    node: usize,
    skin: Option<usize>,
    /// All but the bases of joints and weights, which every frame lays out anew.
    parameters: DeformParameters,
}

/// What bends in a scene.
pub(crate) struct Deformer {
    jobs: Vec<Job>,
    /// Vertices as they are drawn.
    pub positions: Owned<Buffer>,
    pub shading: Owned<Buffer>,
    joints: Owned<Buffer>,
    weights: Owned<Buffer>,
    set: Owned<BindingSet>,
    _targets: Owned<Buffer>,
    _influences: Owned<Buffer>,
    /// Kept between frames so that a frame needs no allocation.
    rows: Vec<[f32; 4]>,
    weight_list: Vec<f32>,
    matrices: Vec<Mat4>,
}

impl Deformer {
    /// `None` when nothing in the scene bends.
    pub fn new(
        device: &Device,
        programs: &ComputePrograms,
        scene: &Scene,
        geometry: &Geometry,
    ) -> Result<Option<Self>, RenderError> {
        let (Some(positions), Some(shading)) = (&geometry.positions, &geometry.shading) else {
            return Ok(None);
        };
        let mut gathered = Gathered::default();
        let mut jobs = Vec::new();
        for placement in &geometry.placements {
            let Some(output_vertex) = placement.deformed_vertex else { continue };
            let node = &scene.nodes[placement.node];
            let part = geometry.parts[placement.part];
            let Some(primitive) = primitive(scene, geometry, placement.part, node.mesh) else { continue };
            let (target_base, skin_vertex) = gathered.add(placement.part, primitive);
            jobs.push(Job {
                node: placement.node,
                skin: node.skin.filter(|_| placement.skinned),
                parameters: DeformParameters {
                    vertices: part.vertices,
                    targets: primitive.targets.len() as u32,
                    joint_base: NO_SKIN,
                    weight_base: 0,
                    source_vertex: part.vertex,
                    output_vertex,
                    target_base,
                    skin_vertex,
                },
            });
        }
        if jobs.is_empty() {
            return Ok(None);
        }
        let skin_joints = |job: &Job| job.skin.map_or(0, |skin| scene.skins[skin].joints.len());
        let joint_rows: usize = jobs.iter().map(|job| skin_joints(job) * 3).sum();
        let weights: usize = jobs.iter().map(|job| job.parameters.targets as usize).sum();
        let empty = |name, roles, size: usize| -> Result<Owned<Buffer>, RenderError> {
            // A binding needs some buffer, even where the shader won't read it.
            let size = size.max(64) as u64;
            Ok(Owned::new(device, device.create_buffer(&BufferDesc { name, size, roles })?))
        };
        let drawn = BufferRoles::VERTEX | BufferRoles::STORAGE;
        let changing = BufferRoles::STORAGE | BufferRoles::COPY_DST;
        let count = geometry.deformed_vertices as usize;
        let out_positions = empty("deformed positions", drawn, count * size_of::<[f32; 3]>())?;
        let out_shading = empty("deformed shading vertices", drawn, count * size_of::<ShadingVertex>())?;
        let joints = empty("joints", changing, joint_rows * size_of::<[f32; 4]>())?;
        let weights = empty("morph weights", changing, weights * size_of::<f32>())?;
        let fixed = |name, bytes: &[u8], element: usize| -> Result<Owned<Buffer>, RenderError> {
            match upload(device, name, BufferRoles::STORAGE, bytes)? {
                Some(buffer) => Ok(buffer),
                None => empty(name, BufferRoles::STORAGE, element),
            }
        };
        let targets = bytemuck::cast_slice(&gathered.targets);
        let targets = fixed("morph targets", targets, size_of::<MorphVertex>())?;
        let influences = bytemuck::cast_slice(&gathered.influences);
        let influences = fixed("joint influences", influences, size_of::<Influence>())?;
        let buffers =
            [positions, shading, &out_positions, &out_shading, &targets, &influences, &joints, &weights];
        let entries: Vec<BindingEntry> = buffers
            .iter()
            .zip(0u32..)
            .map(|(buffer, slot)| BindingEntry::new(slot, BindingResource::buffer(buffer.get())))
            .collect();
        let set = programs.deform()?.bind(device, 0, &entries)?;
        Ok(Some(Self {
            jobs,
            positions: out_positions,
            shading: out_shading,
            joints,
            weights,
            set,
            _targets: targets,
            _influences: influences,
            rows: Vec::new(),
            weight_list: Vec::new(),
            matrices: Vec::new(),
        }))
    }

    /// Records the pose's bending; the deformed streams can be drawn from afterwards.
    pub fn record(
        &mut self,
        programs: &ComputePrograms,
        encoder: &mut CommandEncoder<'_>,
        scene: &Scene,
        pose: &Pose,
        globals: &[Mat4],
    ) -> Result<(), RenderError> {
        self.rows.clear();
        self.weight_list.clear();
        for job in &mut self.jobs {
            job.parameters.weight_base = self.weight_list.len() as u32;
            let targets = job.parameters.targets as usize;
            let given = pose.weights.get(job.node).map_or(&[][..], Vec::as_slice);
            self.weight_list.extend((0..targets).map(|i| given.get(i).copied().unwrap_or(0.0)));
            if let Some(skin) = job.skin {
                job.parameters.joint_base = (self.rows.len() / 3) as u32;
                self.matrices.clear();
                Pose::joint_matrices(scene, skin, globals, &mut self.matrices);
                for matrix in &self.matrices {
                    self.rows.extend([0, 1, 2].map(|row| matrix.row(row).to_array()));
                }
            }
        }
        let read = Use::StorageRead(ShaderStages::COMPUTE);
        let written = Use::StorageWrite(ShaderStages::COMPUTE);
        encoder.push_scope("deform");
        for (buffer, bytes) in [
            (&self.joints, bytemuck::cast_slice::<_, u8>(&self.rows)),
            (&self.weights, bytemuck::cast_slice(&self.weight_list)),
        ] {
            if !bytes.is_empty() {
                encoder.barriers(&[Barrier::buffer(buffer.get(), read, Use::CopyDst)]);
                encoder.update_buffer(buffer.get(), 0, bytes);
                encoder.barriers(&[Barrier::buffer(buffer.get(), Use::CopyDst, read)]);
            }
        }
        encoder.barriers(&[
            Barrier::buffer(*self.positions, Use::Vertex, written),
            Barrier::buffer(*self.shading, Use::Vertex, written),
        ]);
        let program = programs.deform()?;
        let mut pass = encoder.compute_pass("deform");
        for job in &self.jobs {
            let size = [job.parameters.vertices, 1, 1];
            program.dispatch(&mut pass, &[(0, self.set.get())], &job.parameters, size);
        }
        pass.end();
        encoder.barriers(&[
            Barrier::buffer(*self.positions, written, Use::Vertex),
            Barrier::buffer(*self.shading, written, Use::Vertex),
        ]);
        encoder.pop_scope();
        Ok(())
    }
}

fn primitive<'a>(
    scene: &'a Scene,
    geometry: &Geometry,
    part: usize,
    mesh: Option<usize>,
) -> Option<&'a Primitive> {
    let mesh = mesh?;
    scene.meshes[mesh].primitives.get(part - geometry.mesh_parts[mesh])
}

/// Targets and influences of every primitive that bends, each once however many nodes share it.
#[derive(Default)]
struct Gathered {
    targets: Vec<MorphVertex>,
    influences: Vec<Influence>,
    of_part: HashMap<usize, (u32, u32)>,
}

impl Gathered {
    fn add(&mut self, part: usize, primitive: &Primitive) -> (u32, u32) {
        if let Some(&found) = self.of_part.get(&part) {
            return found;
        }
        let bases = (self.targets.len() as u32, self.influences.len() as u32);
        let vertices = primitive.positions.len();
        let at = |list: &[Vec3], i: usize| list.get(i).copied().unwrap_or(Vec3::ZERO).to_array();
        for target in &primitive.targets {
            self.targets.extend((0..vertices).map(|i| MorphVertex {
                position: at(&target.positions, i),
                normal: at(&target.normals, i),
                tangent: at(&target.tangents, i),
            }));
        }
        if !primitive.joints.is_empty() {
            self.influences.extend((0..vertices).map(|i| Influence {
                joints: primitive.joints.get(i).copied().unwrap_or_default(),
                weights: primitive.weights.get(i).copied().unwrap_or(Vec4::X).to_array(),
            }));
        }
        self.of_part.insert(part, bases);
        bases
    }
}
