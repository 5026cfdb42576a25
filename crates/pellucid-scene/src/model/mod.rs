//! What a scene holds, independent of any file format and of any GPU.
//!
//! Everything is indexed by position in its list; an importer guarantees that every index is in range,
//! that nodes form a forest, and that all values are finite.
mod animation;
mod camera;
mod light;
mod material;
mod mesh;
mod node;
mod texture;

pub use animation::*;
pub use camera::*;
pub use light::*;
pub use material::*;
pub use mesh::*;
pub use node::*;
pub use texture::*;

/// A whole scene. Metres, right-handed, Y up.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Name, empty when unnamed.
    pub name: String,
    /// All nodes; parents and children refer into this list.
    pub nodes: Vec<Node>,
    /// Nodes without a parent that are part of the scene.
    pub roots: Vec<usize>,
    /// Meshes, shared by nodes.
    pub meshes: Vec<Mesh>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Textures: an image and how it is sampled.
    pub textures: Vec<Texture>,
    /// Decoded images, shared by textures.
    pub images: Vec<Image>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Punctual lights.
    pub lights: Vec<Light>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Animations.
    pub animations: Vec<Animation>,
}
