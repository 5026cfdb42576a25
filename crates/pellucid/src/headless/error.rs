//! Why a picture wasn't drawn.

use pellucid_render::RenderError;
use pellucid_rhi::{DeviceError, InstanceError, SelectError};
use pellucid_scene::Scene;
use thiserror::Error;

/// Why a session didn't start or a picture wasn't drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HeadlessError {
    /// The graphics API isn't there.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// No adapter will do.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// The adapter gives no device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The renderer failed.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// No node with a camera has the name.
    #[error("no camera is called {wanted:?}; the scene has: {available}")]
    Camera {
        /// The name, cut to 80 characters.
        wanted: String,
        /// The names there are, at most 20 of them.
        available: String,
    },
    /// There is no such animation.
    #[error("there is no animation {wanted:?}; the scene has: {available}")]
    Animation {
        /// Its name or number.
        wanted: String,
        /// The names there are, in order, at most 20 of them.
        available: String,
    },
    /// The picture's size.
    #[error(
        "{width}x{height} pixels: width and height have to be from 1 to {limit}, the limit of {of}; ask for a smaller picture"
    )]
    Size {
        /// Asked for.
        width: u32,
        /// Asked for.
        height: u32,
        /// The most.
        limit: u32,
        /// Who sets the limit.
        of: &'static str,
    },
    /// A number out of its range.
    #[error("the {what} is {value}; it has to be {range}")]
    Number {
        /// Which.
        what: &'static str,
        /// Its value.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
}

impl HeadlessError {
    /// That a scene has no animation of this name, listing those it has.
    #[must_use]
    pub fn no_animation(wanted: &str, scene: &Scene) -> Self {
        let names = scene.animations.iter().map(|animation| &animation.name);
        Self::Animation { wanted: shorten(wanted), available: listed(names) }
    }
}

/// Names that an error lists before it says how many more there are.
const MAX_LISTED: usize = 20;

/// A name for a message, bounded in length.
pub(super) fn shorten(name: &str) -> String {
    name.chars().take(80).collect()
}

/// Names for a message: quoted, bounded in number and length.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let mut names = names.map(|name| format!("{:?}", shorten(name)));
    let first: Vec<String> = names.by_ref().take(MAX_LISTED).collect();
    let more = names.count();
    match (first.is_empty(), more) {
        (true, _) => "none".to_owned(),
        (false, 0) => first.join(", "),
        (false, more) => format!("{} and {more} more", first.join(", ")),
    }
}
