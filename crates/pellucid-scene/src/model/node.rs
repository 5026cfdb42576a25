//! Nodes and their transforms.
use glam::{Mat4, Quat, Vec3};

/// A local transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// Translation, rotation, scale: `T * R * S`. What animation changes.
    Trs {
        /// Metres.
        translation: Vec3,
        /// Unit quaternion.
        rotation: Quat,
        /// Scale along each axis; may be negative or zero.
        scale: Vec3,
    },
    /// An affine matrix.
    Matrix(Mat4),
}

impl Default for Transform {
    fn default() -> Self {
        Self::Trs { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

impl Transform {
    /// The matrix, column vectors: `parent_from_local`.
    #[must_use]
    pub fn matrix(&self) -> Mat4 {
        match *self {
            Self::Trs { translation, rotation, scale } => {
                Mat4::from_scale_rotation_translation(scale, rotation, translation)
            }
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// A node.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Name, empty when unnamed.
    pub name: String,
    /// Parent, `None` for a root.
    pub parent: Option<usize>,
    /// Children.
    pub children: Vec<usize>,
    /// Local transform.
    pub transform: Transform,
    /// Mesh.
    pub mesh: Option<usize>,
    /// Skin of the mesh.
    pub skin: Option<usize>,
    /// Camera, looking down the node's -Z.
    pub camera: Option<usize>,
    /// Punctual light, shining down the node's -Z.
    pub light: Option<usize>,
    /// Morph weights that replace the mesh's own; empty when it has none.
    pub weights: Vec<f32>,
}

/// A skin.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Name, empty when unnamed.
    pub name: String,
    /// Nodes that are its joints; vertices refer to positions in this list.
    pub joints: Vec<usize>,
    /// `joint_from_mesh` in the bind pose, one a joint.
    pub inverse_bind: Vec<Mat4>,
}
