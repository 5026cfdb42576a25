//! Cameras.

/// A camera, looking down -Z of its node, +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name, empty when unnamed.
    pub name: String,
    /// How it projects.
    pub projection: Projection,
}

/// How a camera projects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Perspective.
    Perspective {
        /// Vertical field of view in radians.
        yfov: f32,
        /// Width over height, when the camera fixes it.
        aspect: Option<f32>,
        /// Near plane in metres, above 0.
        near: f32,
        /// Far plane in metres; `None` is infinite.
        far: Option<f32>,
    },
    /// Orthographic.
    Orthographic {
        /// Half the width in metres.
        xmag: f32,
        /// Half the height in metres.
        ymag: f32,
        /// Near plane in metres.
        near: f32,
        /// Far plane in metres.
        far: f32,
    },
}
