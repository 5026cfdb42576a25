//! The room as data, before it is written: nodes, meshes, materials, motion.

use glam::{Mat4, Quat, Vec3, Vec4};

use super::mesh::Mesh;
use super::paint::Raster;

/// Index into [`Stage::textures`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureId(pub usize);
/// Index into [`Stage::materials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialId(pub usize);
/// Index into [`Stage::models`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelId(pub usize);
/// Index into [`Stage::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(pub usize);
/// Index into [`Stage::skins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinId(pub usize);

/// An image and how it is sampled (always trilinear).
#[derive(Clone, Debug)]
pub struct Texture {
    /// Its name in the file.
    pub name: &'static str,
    /// The pixels.
    pub raster: Raster,
    /// Repeats, or holds its edge.
    pub repeat: bool,
}

/// What alpha means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Alpha {
    /// Nothing.
    #[default]
    Opaque,
    /// Cut out at one half.
    Mask,
    /// Blended.
    Blend,
}

/// A glTF metallic-roughness material. All of them take the baked occlusion but those that glow or are glass.
#[derive(Clone, Debug)]
pub struct Material {
    /// Its name in the file.
    pub name: &'static str,
    /// Linear factor.
    pub color: Vec4,
    /// sRGB base colour.
    pub color_texture: Option<TextureId>,
    /// 0 or 1.
    pub metallic: f32,
    /// Perceptual roughness, a factor on the texture.
    pub roughness: f32,
    /// Roughness in green; blue is multiplied by `metallic`.
    pub roughness_texture: Option<TextureId>,
    /// Tangent-space normals and their scale.
    pub normal: Option<(TextureId, f32)>,
    /// Linear emitted colour, 0 to 1.
    pub emissive: Vec3,
    /// Factor on it beyond 1 (`KHR_materials_emissive_strength`).
    pub emissive_strength: f32,
    /// sRGB emitted colour.
    pub emissive_texture: Option<TextureId>,
    /// What alpha means.
    pub alpha: Alpha,
    /// Shades its back too.
    pub double_sided: bool,
    /// Takes the baked occlusion in the second texture coordinates.
    pub baked: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: "",
            color: Vec4::ONE,
            color_texture: None,
            metallic: 0.0,
            roughness: 0.6,
            roughness_texture: None,
            normal: None,
            emissive: Vec3::ZERO,
            emissive_strength: 1.0,
            emissive_texture: None,
            alpha: Alpha::Opaque,
            double_sided: false,
            baked: true,
        }
    }
}

impl Material {
    /// Reads the first texture coordinates.
    pub fn textured(&self) -> bool {
        self.color_texture.is_some()
            || self.roughness_texture.is_some()
            || self.normal.is_some()
            || self.emissive_texture.is_some()
    }
}

/// A mesh and the material it wears.
#[derive(Clone, Debug)]
pub struct Part {
    /// The triangles.
    pub mesh: Mesh,
    /// The material.
    pub material: MaterialId,
    /// The same vertices in another shape, when the model has a morph target.
    pub target: Option<Mesh>,
}

/// A glTF mesh: parts drawn together.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name in the file.
    pub name: String,
    /// Its primitives.
    pub parts: Vec<Part>,
}

/// Something a node holds besides a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Fixture {
    /// Nothing.
    #[default]
    None,
    /// A perspective camera: vertical field of view in radians.
    Camera(f32),
    /// A point light: linear colour, candela, range in metres.
    Point(Vec3, f32, f32),
    /// A directional light along -Z: linear colour, lux.
    Directional(Vec3, f32),
}

/// A node; its parent comes before it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its name in the file.
    pub name: String,
    /// None at the root.
    pub parent: Option<NodeId>,
    /// Metres.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Scale; zero (the default) stands for 1.
    pub scale: f32,
    /// What it draws.
    pub model: Option<ModelId>,
    /// What bends the model.
    pub skin: Option<SkinId>,
    /// What else it holds.
    pub fixture: Fixture,
}

impl Node {
    /// The node's own transform.
    pub fn local(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(
            Vec3::splat(self.scale_or_one()),
            self.rotation,
            self.translation,
        )
    }

    /// Its scale.
    pub fn scale_or_one(&self) -> f32 {
        if self.scale == 0.0 { 1.0 } else { self.scale }
    }
}

/// A chain of joints under one root.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Its name in the file.
    pub name: String,
    /// The joints, the first of them above the others.
    pub joints: Vec<NodeId>,
    /// From the model's space to each joint's, in the pose it was modelled in.
    pub inverse_binds: Vec<Mat4>,
}

/// What an animation channel moves, with its values.
#[derive(Clone, Debug)]
pub enum Track {
    /// Unit quaternions.
    Rotation(Vec<Quat>),
    /// Morph weights, one a key.
    Weight(Vec<f32>),
}

/// How values between keys are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Held.
    Step,
    /// Straight, or along the great arc.
    Linear,
    /// Hermite: each key is an in-tangent, a value and an out-tangent.
    Cubic,
}

/// One channel of the room's one animation.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What moves.
    pub node: NodeId,
    /// How.
    pub interpolation: Interpolation,
    /// Seconds, ascending.
    pub times: Vec<f32>,
    /// One value a time, or three for [`Interpolation::Cubic`].
    pub track: Track,
}

/// Everything in the file.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// Images.
    pub textures: Vec<Texture>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Meshes.
    pub models: Vec<Model>,
    /// Nodes, parents first.
    pub nodes: Vec<Node>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Motion.
    pub channels: Vec<Channel>,
}

impl Stage {
    /// Adds a texture.
    pub fn texture(&mut self, name: &'static str, raster: Raster) -> TextureId {
        self.textures.push(Texture { name, raster, repeat: true });
        TextureId(self.textures.len() - 1)
    }

    /// Adds a material.
    pub fn material(&mut self, material: Material) -> MaterialId {
        self.materials.push(material);
        MaterialId(self.materials.len() - 1)
    }

    /// Adds a mesh of one or more parts.
    pub fn model(&mut self, name: &str, parts: impl IntoIterator<Item = (Mesh, MaterialId)>) -> ModelId {
        let parts = parts.into_iter().map(|(mesh, material)| Part { mesh, material, target: None }).collect();
        self.models.push(Model { name: name.to_owned(), parts });
        ModelId(self.models.len() - 1)
    }

    /// Adds a node.
    pub fn node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    /// Adds a node without a model, to hang others from.
    pub fn group(&mut self, name: &str, parent: Option<NodeId>, translation: Vec3, yaw: f32) -> NodeId {
        let rotation = Quat::from_rotation_y(yaw);
        self.node(Node { name: name.to_owned(), parent, translation, rotation, ..Node::default() })
    }

    /// Adds a model and a node of the same name that draws it once.
    pub fn object(
        &mut self,
        name: &str,
        parent: NodeId,
        translation: Vec3,
        parts: impl IntoIterator<Item = (Mesh, MaterialId)>,
    ) -> NodeId {
        let model = Some(self.model(name, parts));
        self.node(Node { name: name.to_owned(), parent: Some(parent), translation, model, ..Node::default() })
    }

    /// Each node's transform to the world, at rest.
    pub fn globals(&self) -> Vec<Mat4> {
        let mut globals: Vec<Mat4> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let local = node.local();
            globals.push(node.parent.map_or(local, |parent| globals[parent.0] * local));
        }
        globals
    }
}
