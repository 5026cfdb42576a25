//! Scenes made in code: one feature each, small, the same every time.
mod alpha;
mod crowd;
mod lights;
pub mod shapes;
mod spheres;
mod surfaces;

pub use alpha::alpha_modes;
pub use crowd::crowd;
pub use lights::lights;
pub use spheres::{sphere, sphere_grid};
pub use surfaces::{bumps, patchwork, vertex_colors};

use glam::{Mat4, Vec3};
use pellucid_scene::{
    Image, Light, Material, Mesh, Node, Primitive, Sampler, Scene, Texture, TextureRef, Transform,
};

/// A scene being put together.
#[derive(Debug, Default)]
pub struct Builder {
    scene: Scene,
}

impl Builder {
    /// Adds a material.
    pub fn material(&mut self, material: Material) -> usize {
        self.scene.materials.push(material);
        self.scene.materials.len() - 1
    }

    /// Adds a texture with its own image.
    pub fn texture(&mut self, image: Image, sampler: Sampler) -> TextureRef {
        self.scene.images.push(image);
        let image = self.scene.images.len() - 1;
        self.scene.textures.push(Texture { name: String::new(), image, sampler });
        TextureRef { texture: self.scene.textures.len() - 1, uv_set: 0 }
    }

    /// Adds a mesh of one primitive.
    pub fn mesh(&mut self, primitive: Primitive, material: usize) -> usize {
        let primitive = Primitive { material: Some(material), ..primitive };
        self.scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        self.scene.meshes.len() - 1
    }

    /// Places a mesh.
    pub fn place(&mut self, mesh: usize, transform: Mat4) {
        self.node(Node { mesh: Some(mesh), transform: Transform::Matrix(transform), ..Node::default() });
    }

    /// Adds a primitive with a material of its own, at a position.
    pub fn put(&mut self, primitive: Primitive, material: Material, at: Vec3) {
        let material = self.material(material);
        let mesh = self.mesh(primitive, material);
        self.place(mesh, Mat4::from_translation(at));
    }

    /// Places a light.
    pub fn light(&mut self, light: Light, transform: Mat4) {
        self.scene.lights.push(light);
        let light = Some(self.scene.lights.len() - 1);
        self.node(Node { light, transform: Transform::Matrix(transform), ..Node::default() });
    }

    fn node(&mut self, node: Node) {
        self.scene.nodes.push(node);
        self.scene.roots.push(self.scene.nodes.len() - 1);
    }

    /// The scene.
    #[must_use]
    pub fn finish(self) -> Scene {
        self.scene
    }
}

/// An image painted texel by texel.
#[must_use]
pub fn paint(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
    let rgba =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
    Image { name: String::new(), width, height, rgba }
}
