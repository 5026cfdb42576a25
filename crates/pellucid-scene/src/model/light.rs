//! Punctual lights (`KHR_lights_punctual`).
use glam::Vec3;

/// A light at (or along the -Z of) its node.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name, empty when unnamed.
    pub name: String,
    /// Linear colour times intensity: lux for directional lights, candela for the others.
    pub intensity: Vec3,
    /// Distance in metres beyond which it gives nothing; `None` is infinite.
    pub range: Option<f32>,
    /// Its kind.
    pub kind: LightKind,
}

/// The kind of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// Parallel light.
    Directional,
    /// From a point, everywhere.
    Point,
    /// From a point, within a cone.
    Spot {
        /// Half angle in radians where it begins to fall off.
        inner: f32,
        /// Half angle in radians where it ends.
        outer: f32,
    },
}
