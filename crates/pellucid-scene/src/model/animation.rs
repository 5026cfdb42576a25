//! Keyframe animation.
use glam::{Quat, Vec3};

/// An animation.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// Name, empty when unnamed.
    pub name: String,
    /// What it changes.
    pub channels: Vec<Channel>,
    /// Seconds until its last key.
    pub duration: f32,
}

/// One property of one node over time.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The node.
    pub node: usize,
    /// Key times in seconds, rising.
    pub times: Vec<f32>,
    /// How values between keys are found.
    pub interpolation: Interpolation,
    /// Values: one a key, or with cubic splines three (in-tangent, value, out-tangent).
    pub values: ChannelValues,
}

/// How values between keys are found (glTF 2.0, appendix C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The earlier key's.
    Step,
    /// Linear, spherical for rotations.
    Linear,
    /// Cubic Hermite spline.
    CubicSpline,
}

/// The values of a channel.
#[derive(Clone, Debug)]
pub enum ChannelValues {
    /// Translations in metres.
    Translation(Vec<Vec3>),
    /// Unit quaternions.
    Rotation(Vec<Quat>),
    /// Scales.
    Scale(Vec<Vec3>),
    /// Morph weights, the targets of a key side by side.
    Weights {
        /// Weights a key.
        targets: usize,
        /// All keys' values.
        values: Vec<f32>,
    },
}
