//! The draw list: culled, batched and sorted.
use super::frustum::Frustum;
use crate::RenderError;
use crate::gpu::InstanceRows;
use crate::pipelines::{Coverage, ForwardKey, RasterPrograms};
use crate::scene::{GpuScene, Placement};
use crate::shot::DrawStatistics;
use glam::{Mat4, Vec3};
use pellucid_rhi::{BindingSet, IndexFormat, RasterPass, RasterPipeline};

/// One draw call.
#[derive(Clone, Copy, Debug)]
struct Draw {
    key: ForwardKey,
    pipeline: RasterPipeline,
    material: BindingSet,
    first_index: u32,
    indices: u32,
    base_vertex: i32,
    deformed: bool,
    first_instance: u32,
    instances: u32,
}

/// A visible placement on its way into the list.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    key: ForwardKey,
    material: usize,
    part: usize,
    placement: usize,
    /// Distance along the view direction, for what blends.
    depth: f32,
}

/// The draws of a view, and the instances they read.
#[derive(Default)]
pub(crate) struct DrawList {
    candidates: Vec<Candidate>,
    draws: Vec<Draw>,
    /// In drawing order; uploaded before the pass.
    pub instances: Vec<InstanceRows>,
    pub statistics: DrawStatistics,
}

impl DrawList {
    /// Builds the list anew. Opaque and masked surfaces are sorted by state so that equal meshes with equal
    /// materials become one instanced draw; blended ones are sorted back to front.
    pub fn build(
        &mut self,
        scene: &GpuScene,
        programs: &RasterPrograms,
        globals: &[Mat4],
        view: &pellucid_scene::View,
    ) -> Result<(), RenderError> {
        self.candidates.clear();
        self.draws.clear();
        self.instances.clear();
        self.statistics = DrawStatistics::default();
        let clip_from_world = view.proj * view.view;
        let frustum = Frustum::new(clip_from_world);
        for (index, placement) in scene.geometry.placements.iter().enumerate() {
            self.consider(scene, globals, index, placement, &frustum, view);
        }
        self.candidates.sort_by(|a, b| {
            let blended = |c: &Candidate| c.key.coverage == Coverage::Blend;
            match (blended(a), blended(b)) {
                (true, true) => b.depth.total_cmp(&a.depth).then(a.placement.cmp(&b.placement)),
                _ => (a.key, a.material, a.part, a.placement).cmp(&(b.key, b.material, b.part, b.placement)),
            }
        });
        let mut previous: Option<Candidate> = None;
        for &candidate in &self.candidates {
            let placement = &scene.geometry.placements[candidate.placement];
            let first_instance = self.instances.len() as u32;
            let world_from_local = world_from_local(placement, globals);
            self.instances.push(InstanceRows::new(world_from_local));
            let part = &scene.geometry.parts[candidate.part];
            self.statistics.instances += 1;
            self.statistics.triangles += u64::from(part.indices / 3);
            let same = previous.is_some_and(|p| {
                (p.key, p.material, p.part) == (candidate.key, candidate.material, candidate.part)
            });
            previous = Some(candidate);
            if let Some(draw) = self.draws.last_mut()
                && same
                && placement.deformed_vertex.is_none()
            {
                draw.instances += 1;
                continue;
            }
            self.draws.push(Draw {
                key: candidate.key,
                pipeline: programs.forward(candidate.key)?,
                material: scene.materials.list[candidate.material].set.get(),
                first_index: part.first_index,
                indices: part.indices,
                base_vertex: placement.deformed_vertex.unwrap_or(part.vertex) as i32,
                deformed: placement.deformed_vertex.is_some(),
                first_instance,
                instances: 1,
            });
        }
        self.statistics.draws = self.draws.len() as u32;
        Ok(())
    }

    fn consider(
        &mut self,
        scene: &GpuScene,
        globals: &[Mat4],
        index: usize,
        placement: &Placement,
        frustum: &Frustum,
        view: &pellucid_scene::View,
    ) {
        let part = &scene.geometry.parts[placement.part];
        let Some(material) = scene.materials.list.get(part.material) else { return };
        let world_from_local = world_from_local(placement, globals);
        let bounds = part.bounds.transformed(&world_from_local);
        // The bounds are those at rest: what bends may have left them, so it is always drawn.
        if placement.deformed_vertex.is_none() && !frustum.sees(bounds) {
            self.statistics.culled += 1;
            return;
        }
        let mirrored = world_from_local.determinant() < 0.0;
        self.candidates.push(Candidate {
            key: ForwardKey::new(material.alpha_mode, material.double_sided, mirrored),
            material: part.material,
            part: placement.part,
            placement: index,
            depth: -view.view.transform_point3(bounds.center()).z,
        });
    }

    /// Whether a draw blends, and so must follow the background.
    fn blends(draw: &Draw) -> bool {
        draw.key.coverage == Coverage::Blend
    }

    /// Records the draws that blend, or those that don't.
    pub fn record(&self, pass: &mut RasterPass<'_>, scene: &GpuScene, blended: bool) {
        let geometry = &scene.geometry;
        let (Some(positions), Some(shading), Some(indices), Some(instances)) =
            (&geometry.positions, &geometry.shading, &geometry.indices, &scene.instances)
        else {
            return;
        };
        pass.set_index_buffer(indices.get(), 0, IndexFormat::U32);
        pass.set_vertex_buffer(2, instances.get(), 0);
        let mut pipeline = None;
        let mut material = None;
        let mut deformed = None;
        for draw in self.draws.iter().filter(|draw| Self::blends(draw) == blended) {
            if pipeline.replace(draw.pipeline) != Some(draw.pipeline) {
                pass.set_pipeline(draw.pipeline);
            }
            if material.replace(draw.material) != Some(draw.material) {
                pass.set_binding_set(1, draw.material);
            }
            if deformed.replace(draw.deformed) != Some(draw.deformed) {
                let (positions, shading) = match (&scene.deformer, draw.deformed) {
                    (Some(deformer), true) => (deformer.positions.get(), deformer.shading.get()),
                    _ => (positions.get(), shading.get()),
                };
                pass.set_vertex_buffer(0, positions, 0);
                pass.set_vertex_buffer(1, shading, 0);
            }
            pass.draw_indexed(
                draw.first_index..draw.first_index + draw.indices,
                draw.base_vertex,
                draw.first_instance..draw.first_instance + draw.instances,
            );
        }
    }
}

/// A skin's joints place their vertices in the world by themselves (glTF 2.0, section 3.7.3.3).
fn world_from_local(placement: &Placement, globals: &[Mat4]) -> Mat4 {
    if placement.skinned { Mat4::IDENTITY } else { globals[placement.node] }
}

/// Where the camera is, for shading: a point, or for an orthographic view a direction (w = 0).
pub(crate) fn eye(view: &pellucid_scene::View) -> glam::Vec4 {
    let perspective = view.proj.w_axis.w == 0.0;
    if perspective {
        view.eye.extend(1.0)
    } else {
        let backwards = view.view.inverse().transform_vector3(Vec3::Z);
        backwards.normalize_or(Vec3::Z).extend(0.0)
    }
}
