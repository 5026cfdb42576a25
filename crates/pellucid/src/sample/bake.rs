//! Baked ambient occlusion: how open each vertex is to light from around it, found by casting rays.
//!
//! A renderer without global illumination lights a room's corners like its middle. The room therefore carries
//! its own occlusion, which glTF applies to indirect light only, so that later shadows do not darken twice.

use std::collections::HashMap;
use std::f32::consts::TAU;

use glam::{Mat3A, Mat4, Vec3, Vec3A};

use super::mesh::{Mesh, place_key};
use super::parallel;
use super::stage::{Alpha, Stage, Track};

/// Farther than this a surface occludes nothing, in metres.
const REACH: f32 = 1.7;
/// Rays a vertex, spread by their cosine.
const RAYS: u32 = 40;
/// How much of the light that a near surface hides it gives back by its own reflection.
const ALBEDO: f32 = 0.4;
/// Start of the rays above the surface, in metres: more than the gap between things that touch.
const LIFT: f32 = 0.004;
/// A vertex is buried in something solid when more than this share of its rays meet the inner side of a closed
/// surface first, nearer than [`INSIDE`].
const BURIED: f32 = 0.3;
/// See [`BURIED`]; in metres.
const INSIDE: f32 = 0.3;
/// Openness where nothing around tells.
const UNKNOWN: f32 = 0.6;
/// Copies of an instanced model that are looked at; their mean is baked.
const COPIES: usize = 3;

/// Fills every part's openness.
pub fn bake(stage: &mut Stage) {
    let globals = stage.globals();
    let moving = moving(stage);
    // For each model, where its copies stand. A skinned model stands where its skin's root does.
    let mut places: Vec<Vec<Mat4>> = vec![Vec::new(); stage.models.len()];
    let mut still: Vec<Vec<Mat4>> = places.clone();
    for (index, node) in stage.nodes.iter().enumerate() {
        if let Some(model) = node.model {
            let place = match node.skin {
                Some(skin) => {
                    let skin = &stage.skins[skin.0];
                    globals[skin.joints[0].0] * skin.inverse_binds[0]
                }
                None => globals[index],
            };
            places[model.0].push(place);
            if !moving[index] {
                still[model.0].push(place);
            }
        }
    }
    let tree = Tree::new(occluders(stage, &still));
    let rays = cosine_rays();
    for (model, places) in stage.models.iter_mut().zip(&places) {
        let stride = places.len().div_ceil(COPIES).max(1);
        for part in &mut model.parts {
            if !stage.materials[part.material.0].baked {
                continue;
            }
            let (surface, vertices) = distinct(&part.mesh);
            let found = parallel::map(&surface, 64, |(position, normal)| {
                let (mut sum, mut count) = (0.0, 0.0);
                for place in places.iter().step_by(stride) {
                    let normal = place.transform_vector3(*normal).normalize_or(Vec3::Y);
                    if let Some(open) =
                        tree.openness(place.transform_point3(*position).into(), normal.into(), &rays)
                    {
                        sum += open;
                        count += 1.0;
                    }
                }
                (count > 0.0).then(|| sum / count)
            });
            let found = vertices.into_iter().map(|vertex| found[vertex]).collect();
            part.mesh.openness = spread(&part.mesh, found);
        }
    }
}

/// The different places and normals of a mesh, and which of them each vertex has: about a quarter of the vertices
/// differ in texture coordinates only.
fn distinct(mesh: &Mesh) -> (Vec<(Vec3, Vec3)>, Vec<usize>) {
    let mut seen = HashMap::new();
    let mut surface = Vec::new();
    let vertices = mesh.positions.iter().zip(&mesh.normals).map(|(position, normal)| {
        let key = (place_key(*position), (*normal * 1e3).round().as_ivec3().to_array());
        *seen.entry(key).or_insert_with(|| {
            surface.push((*position, *normal));
            surface.len() - 1
        })
    });
    let vertices = vertices.collect();
    (surface, vertices)
}

/// Gives buried vertices the mean of those around them, ring by ring: where a leg goes into a table top, the
/// visible part of the leg must not fade to the black of its hidden end.
fn spread(mesh: &Mesh, mut found: Vec<Option<f32>>) -> Vec<f32> {
    // Vertices in one place count as one.
    let mut groups: HashMap<[i32; 3], usize> = HashMap::new();
    let group_of: Vec<usize> = mesh
        .positions
        .iter()
        .map(|p| {
            let next = groups.len();
            *groups.entry(place_key(*p)).or_insert(next)
        })
        .collect();
    while found.iter().any(Option::is_none) {
        let mut sums = vec![(0.0f32, 0.0f32); groups.len()];
        let mut add = |to: usize, from: Option<f32>| {
            if let Some(open) = from {
                sums[to].0 += open;
                sums[to].1 += 1.0;
            }
        };
        for (vertex, open) in found.iter().enumerate() {
            add(group_of[vertex], *open);
        }
        for corner in mesh.indices.chunks_exact(3) {
            for k in 0..3 {
                let (a, b) = (corner[k] as usize, corner[(k + 1) % 3] as usize);
                add(group_of[a], found[b]);
                add(group_of[b], found[a]);
            }
        }
        let mut changed = false;
        for (vertex, open) in found.iter_mut().enumerate() {
            let (sum, count) = sums[group_of[vertex]];
            if open.is_none() && count > 0.0 {
                *open = Some(sum / count);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    found.into_iter().map(|open| open.unwrap_or(UNKNOWN)).collect()
}

/// For each node, whether an animation carries it about: the shade of such a thing must not stay behind on the
/// wall. What only bends in its place (a skinned curtain) counts as still.
fn moving(stage: &Stage) -> Vec<bool> {
    let mut moving = vec![false; stage.nodes.len()];
    for channel in &stage.channels {
        moving[channel.node.0] |= matches!(channel.track, Track::Rotation(_));
    }
    for (index, node) in stage.nodes.iter().enumerate() {
        moving[index] |= node.parent.is_some_and(|parent| moving[parent.0]);
    }
    moving
}

/// Every opaque triangle that stands still.
fn occluders(stage: &Stage, places: &[Vec<Mat4>]) -> Vec<Face> {
    let mut faces = Vec::new();
    for (model, places) in stage.models.iter().zip(places) {
        for part in &model.parts {
            let material = &stage.materials[part.material.0];
            if material.alpha != Alpha::Opaque {
                continue;
            }
            for place in places {
                for corner in part.mesh.indices.chunks_exact(3) {
                    let at = |k: usize| place.transform_point3(part.mesh.positions[corner[k] as usize]);
                    faces.push(Face {
                        corners: [at(0), at(1), at(2)].map(Vec3A::from),
                        closed: !material.double_sided,
                    });
                }
            }
        }
    }
    faces
}

/// Directions about +Z with a cosine density: a Hammersley set, the same for all vertices so that neighbours
/// agree.
fn cosine_rays() -> Vec<Vec3A> {
    (0..RAYS)
        .map(|i| {
            let u = (i as f32 + 0.5) / RAYS as f32;
            let turn = (i.reverse_bits() >> 8) as f32 / (1u32 << 24) as f32 * TAU;
            let radius = u.sqrt();
            Vec3A::new(radius * turn.cos(), radius * turn.sin(), (1.0 - u).sqrt())
        })
        .collect()
}

/// A triangle that hides light.
#[derive(Clone, Copy)]
struct Face {
    corners: [Vec3A; 3],
    /// Part of a solid's surface: whoever sees its back is inside.
    closed: bool,
}

impl Face {
    /// The mean of its corners.
    fn middle(&self) -> Vec3A {
        (self.corners[0] + self.corners[1] + self.corners[2]) / 3.0
    }
}

/// An axis-aligned box.
#[derive(Clone, Copy)]
struct Bounds {
    low: Vec3A,
    high: Vec3A,
}

impl Bounds {
    const EMPTY: Self = Self { low: Vec3A::INFINITY, high: Vec3A::NEG_INFINITY };

    fn with(self, face: &Face) -> Self {
        face.corners
            .iter()
            .fold(self, |b, corner| Self { low: b.low.min(*corner), high: b.high.max(*corner) })
    }

    fn union(self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Half of its surface, nothing when empty.
    fn area(&self) -> f32 {
        let size = (self.high - self.low).max(Vec3A::ZERO);
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}

/// Moves the faces that `first` picks to the front, and returns their count.
fn partition(faces: &mut [Face], first: impl Fn(&Face) -> bool) -> usize {
    let mut count = 0;
    for i in 0..faces.len() {
        if first(&faces[i]) {
            faces.swap(count, i);
            count += 1;
        }
    }
    count
}

/// A node of the tree over the triangles: a leaf when `count` is not zero.
struct Branch {
    low: Vec3A,
    high: Vec3A,
    /// First triangle of a leaf, or the second child of an inner node (the first follows it).
    link: u32,
    count: u32,
    /// Along which an inner node is split.
    axis: u32,
}

/// Slices of a node that may be cut between.
const BINS: usize = 12;

/// A bounding volume hierarchy.
struct Tree {
    faces: Vec<Face>,
    branches: Vec<Branch>,
}

impl Tree {
    fn new(mut faces: Vec<Face>) -> Self {
        let mut branches = Vec::new();
        if !faces.is_empty() {
            Self::split(&mut faces, 0, 0, &mut branches);
        }
        Self { faces, branches }
    }

    /// Splits where the surface area heuristic says that rays cost least, looking at [`BINS`] slices of the longest
    /// axis; where that leaves one side empty, at the median.
    fn split(faces: &mut [Face], start: u32, depth: u32, branches: &mut Vec<Branch>) {
        let bounds = faces.iter().fold(Bounds::EMPTY, |bounds, face| bounds.with(face));
        let index = branches.len();
        let count = faces.len() as u32;
        branches.push(Branch { low: bounds.low, high: bounds.high, link: start, count, axis: 0 });
        if faces.len() <= 4 {
            return;
        }
        let middles = faces.iter().map(Face::middle);
        let (low, high) =
            middles.fold((Vec3A::INFINITY, Vec3A::NEG_INFINITY), |(l, h), m| (l.min(m), h.max(m)));
        let size = high - low;
        let axis = if size.x >= size.y && size.x >= size.z { 0 } else { usize::from(size.y < size.z) + 1 };
        let bin = |face: &Face| {
            let at = (face.middle()[axis] - low[axis]) / size[axis].max(1e-9);
            ((at * BINS as f32) as usize).min(BINS - 1)
        };
        let mut bins = [(Bounds::EMPTY, 0u32); BINS];
        for face in faces.iter() {
            let (bounds, count) = &mut bins[bin(face)];
            *bounds = bounds.with(face);
            *count += 1;
        }
        let cost = |bins: &[(Bounds, u32)]| {
            let whole =
                bins.iter().fold((Bounds::EMPTY, 0), |(b, n), (bounds, count)| (b.union(bounds), n + count));
            whole.0.area() * whole.1 as f32
        };
        let best = (1..BINS)
            .map(|cut| (cut, cost(&bins[..cut]) + cost(&bins[cut..])))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(BINS / 2, |(cut, _)| cut);
        let mut middle = partition(faces, |face| bin(face) < best);
        // The median also bounds the depth, and with it the stack of a ray.
        if middle == 0 || middle == faces.len() || depth > 24 {
            middle = faces.len() / 2;
            faces.select_nth_unstable_by(middle, |a, b| a.middle()[axis].total_cmp(&b.middle()[axis]));
        }
        let (first, second) = faces.split_at_mut(middle);
        Self::split(first, start, depth + 1, branches);
        branches[index].link = branches.len() as u32;
        branches[index].count = 0;
        branches[index].axis = axis as u32;
        Self::split(second, start + middle as u32, depth + 1, branches);
    }

    /// How open a surface point is, 0 to 1, or `None` inside something solid.
    fn openness(&self, position: Vec3A, normal: Vec3A, rays: &[Vec3A]) -> Option<f32> {
        let (tangent, bitangent) = normal.any_orthonormal_pair();
        let frame = Mat3A::from_cols(tangent, bitangent, normal);
        let origin = position + normal * LIFT;
        let (mut hidden, mut inside) = (0.0, 0.0);
        for ray in rays {
            let (distance, behind) = self.nearest(origin, frame * *ray);
            let near = 1.0 - distance / REACH;
            hidden += near * near.sqrt();
            if behind && distance < INSIDE {
                inside += 1.0;
            }
        }
        if inside > BURIED * rays.len() as f32 {
            return None;
        }
        let seen = 1.0 - hidden / rays.len() as f32;
        // Light bounced between surfaces of one brightness: the geometric series of what stays hidden.
        Some(seen / (1.0 - (1.0 - seen) * ALBEDO))
    }

    /// Distance to the nearest triangle, at most [`REACH`], and whether that is the inner side of a solid.
    fn nearest(&self, origin: Vec3A, direction: Vec3A) -> (f32, bool) {
        let inverse = direction.recip();
        let (mut nearest, mut behind) = (REACH, false);
        let mut stack = [0u32; 64];
        let mut depth = usize::from(!self.branches.is_empty());
        while depth > 0 {
            depth -= 1;
            let index = stack[depth];
            let branch = &self.branches[index as usize];
            let (a, b) = ((branch.low - origin) * inverse, (branch.high - origin) * inverse);
            let enter = a.min(b).max_element().max(0.0);
            if enter > a.max(b).min_element().min(nearest) {
                continue;
            }
            if branch.count == 0 {
                // The half that the ray comes to first is looked at first, and shortens it for the other.
                let (near, far) = if direction[branch.axis as usize] < 0.0 {
                    (branch.link, index + 1)
                } else {
                    (index + 1, branch.link)
                };
                stack[depth] = far;
                stack[depth + 1] = near;
                depth += 2;
                continue;
            }
            for face in &self.faces[branch.link as usize..(branch.link + branch.count) as usize] {
                if let Some((distance, back)) = hit(&face.corners, origin, direction)
                    && distance < nearest
                {
                    (nearest, behind) = (distance, back && face.closed);
                }
            }
        }
        (nearest, behind)
    }
}

/// Where a ray meets a triangle, and whether from the back (Möller and Trumbore, 1997).
fn hit(triangle: &[Vec3A; 3], origin: Vec3A, direction: Vec3A) -> Option<(f32, bool)> {
    let (edge1, edge2) = (triangle[1] - triangle[0], triangle[2] - triangle[0]);
    let p = direction.cross(edge2);
    let determinant = edge1.dot(p);
    if determinant.abs() < 1e-12 {
        return None;
    }
    let scale = determinant.recip();
    let from = origin - triangle[0];
    let u = from.dot(p) * scale;
    let q = from.cross(edge1);
    let v = direction.dot(q) * scale;
    let distance = edge2.dot(q) * scale;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some((distance, determinant < 0.0))
}
