//! Bounds of a whole pose.
use crate::{Aabb, Pose, Primitive, Scene};
use glam::{Mat4, Vec3};

/// Vertices placed exactly before boxes' corners must do: a few milliseconds of work.
const EXACT_VERTICES: usize = 4 << 20;

impl Aabb {
    /// The smallest box around points; `None` when there are none.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(Self { min: first, max: first }, |bounds, point| Self {
            min: bounds.min.min(point),
            max: bounds.max.max(point),
        }))
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Its middle.
    #[must_use]
    pub fn center(self) -> Vec3 {
        self.min.midpoint(self.max)
    }

    /// Its eight corners.
    #[must_use]
    pub fn corners(self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |bit: usize, min: f32, max: f32| if corner >> bit & 1 == 0 { min } else { max };
            Vec3::new(
                pick(0, self.min.x, self.max.x),
                pick(1, self.min.y, self.max.y),
                pick(2, self.min.z, self.max.z),
            )
        })
    }

    /// The smallest box around this one's corners moved by `matrix`.
    #[must_use]
    pub fn transformed(self, matrix: &Mat4) -> Self {
        Self::around(self.corners().map(|corner| matrix.transform_point3(corner))).unwrap_or(self)
    }
}

/// World bounds of all meshes that hang below the scene's roots, skinned and morphed as `pose` says.
///
/// Exact up to four million vertices (counted once for each node that shows them); past that, boxes of the rest
/// pose stand for further primitives, which may be larger than what they hold and know no morphs. What is so far
/// away that floats don't reach it is left out. `None` when nothing is left.
#[must_use]
pub fn scene_bounds(scene: &Scene, pose: &Pose) -> Option<Aabb> {
    let globals = pose.globals(scene);
    let mut skins: Vec<Option<Vec<Mat4>>> = vec![None; scene.skins.len()];
    let mut stack = scene.roots.clone();
    let mut seen = vec![false; scene.nodes.len()];
    let mut exact_left = EXACT_VERTICES;
    let mut bounds: Option<Aabb> = None;
    while let Some(index) = stack.pop() {
        let Some(node) = scene.nodes.get(index) else { continue };
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        stack.extend_from_slice(&node.children);
        let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
        let joints = node.skin.and_then(|skin| Some((skin, skins.get_mut(skin)?)));
        let joints = joints.map_or(&[][..], |(skin, matrices)| {
            matrices.get_or_insert_with(|| {
                let mut matrices = Vec::new();
                Pose::joint_matrices(scene, skin, &globals, &mut matrices);
                matrices
            })
        });
        let weights = pose.weights.get(index).map_or(&[][..], Vec::as_slice);
        for primitive in &mesh.primitives {
            let shown = primitive_bounds(primitive, &globals[index], weights, joints, &mut exact_left);
            bounds = match (bounds, shown) {
                (Some(a), Some(b)) => Some(a.union(b)),
                (a, b) => a.or(b),
            };
        }
    }
    bounds
}

fn primitive_bounds(
    primitive: &Primitive,
    global: &Mat4,
    weights: &[f32],
    joints: &[Mat4],
    exact_left: &mut usize,
) -> Option<Aabb> {
    if primitive.positions.is_empty() {
        return None;
    }
    let skinned = !joints.is_empty() && !primitive.joints.is_empty();
    let morphed = weights.iter().any(|&weight| weight != 0.0) && !primitive.targets.is_empty();
    let count = primitive.positions.len();
    if count > *exact_left {
        // A skinned vertex lies between where its joints alone would take it.
        let places = if skinned { joints } else { std::slice::from_ref(global) };
        let boxes = places.iter().map(|place| primitive.bounds.transformed(place));
        return boxes.filter(|moved| moved.min.is_finite() && moved.max.is_finite()).reduce(Aabb::union);
    }
    *exact_left = exact_left.saturating_sub(count);
    let placed = (0..count).map(|vertex| {
        let mut position = primitive.positions[vertex];
        if morphed {
            for (target, &weight) in primitive.targets.iter().zip(weights) {
                position += target.positions.get(vertex).copied().unwrap_or(Vec3::ZERO) * weight;
            }
        }
        if skinned { skin(primitive, vertex, position, joints) } else { global.transform_point3(position) }
    });
    Aabb::around(placed.filter(|position| position.is_finite()))
}

/// Linear blend skinning of one vertex into the world.
fn skin(primitive: &Primitive, vertex: usize, position: Vec3, joints: &[Mat4]) -> Vec3 {
    let (Some(indices), Some(weights)) = (primitive.joints.get(vertex), primitive.weights.get(vertex)) else {
        return position;
    };
    indices.iter().zip(weights.to_array()).fold(Vec3::ZERO, |sum, (&joint, weight)| {
        joints.get(usize::from(joint)).map_or(sum, |matrix| sum + matrix.transform_point3(position) * weight)
    })
}

#[cfg(test)]
pub(crate) mod tests;
