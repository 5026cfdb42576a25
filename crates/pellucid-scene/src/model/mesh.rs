//! Triangle meshes.
use glam::{Vec2, Vec3, Vec4};

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least corner.
    pub min: Vec3,
    /// Greatest corner.
    pub max: Vec3,
}

/// A mesh.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name, empty when unnamed.
    pub name: String,
    /// Its parts, each with one material.
    pub primitives: Vec<Primitive>,
    /// Default morph weights, one a target.
    pub weights: Vec<f32>,
}

/// A triangle list. Every vertex list is empty or as long as `positions`.
#[derive(Clone, Debug)]
pub struct Primitive {
    /// Positions.
    pub positions: Vec<Vec3>,
    /// Unit normals; always there (flat ones are made when the file has none).
    pub normals: Vec<Vec3>,
    /// Tangent and handedness (`bitangent = cross(normal, tangent.xyz) * w`); there when the material
    /// has a normal map.
    pub tangents: Vec<Vec4>,
    /// First texture coordinates, (0, 0) the top left.
    pub uv0: Vec<Vec2>,
    /// Second texture coordinates.
    pub uv1: Vec<Vec2>,
    /// Linear vertex colours with alpha.
    pub colors: Vec<Vec4>,
    /// Joint indices into the node's skin.
    pub joints: Vec<[u16; 4]>,
    /// Joint weights, summing to 1.
    pub weights: Vec<Vec4>,
    /// Three vertices a triangle, counter-clockwise in front.
    pub indices: Vec<u32>,
    /// Material; `None` is glTF's default material.
    pub material: Option<usize>,
    /// Morph targets.
    pub targets: Vec<MorphTarget>,
    /// Bounds of `positions` (rest pose).
    pub bounds: Aabb,
}

/// Displacements of one morph target; each list is empty or as long as the primitive's `positions`.
#[derive(Clone, Debug, Default)]
pub struct MorphTarget {
    /// Position displacements.
    pub positions: Vec<Vec3>,
    /// Normal displacements.
    pub normals: Vec<Vec3>,
    /// Tangent displacements.
    pub tangents: Vec<Vec3>,
}
