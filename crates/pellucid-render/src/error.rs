//! What can go wrong while drawing.
use pellucid_rhi::{FrameError, ReadError, RecordError, ResourceError, SkipReason};
use thiserror::Error;

/// Nothing was drawn, or nothing was uploaded.
#[derive(Debug, Error)]
pub enum RenderError {
    /// A picture of this size is not possible.
    #[error("a picture of {width} by {height} pixels is not possible here: each side has to be 1 to {limit}")]
    Size {
        /// Asked for.
        width: u32,
        /// Asked for.
        height: u32,
        /// Largest side.
        limit: u32,
    },
    /// A number of the shot is not finite or out of range.
    #[error("the shot's {what} is {value}, it has to be {range}")]
    Shot {
        /// Field.
        what: &'static str,
        /// Its value.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
    /// The environment has no texels or the wrong number of them.
    #[error("an environment of {width} by {height} texels with {texels} colours can't be used")]
    Environment {
        /// Texels a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Colours given.
        texels: usize,
    },
    /// An image is larger than the device's textures.
    #[error(
        "image {name:?} is {width} by {height} texels, this device takes {limit} a side; make it smaller"
    )]
    ImageSize {
        /// Its name.
        name: String,
        /// Texels a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Largest side.
        limit: u32,
    },
    /// The scene has more than 32-bit indices can address.
    #[error("the scene has too many {what} for one draw list: {count}, at most {limit}")]
    TooMany {
        /// What.
        what: &'static str,
        /// How many.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The scene refers to something that it doesn't have; importers never make such a scene.
    #[error("the scene refers to {what} {index}, it has {count}")]
    Dangling {
        /// What.
        what: &'static str,
        /// Index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The pose was made for another scene.
    #[error("the pose has {found} nodes, the scene {expected}: make the pose from the scene it is used with")]
    Pose {
        /// In the pose.
        found: usize,
        /// In the scene.
        expected: usize,
    },
    /// The frame was skipped.
    #[error("the frame was skipped: {0:?}")]
    Skipped(SkipReason),
    /// An object could not be made.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// A frame could not begin or be submitted.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A command was refused.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The picture could not be read back.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A frame's ring was full.
    #[error(transparent)]
    Ring(#[from] pellucid_rhi::RingError),
    /// A handle was stale.
    #[error(transparent)]
    Stale(#[from] pellucid_rhi::StaleHandle),
}
