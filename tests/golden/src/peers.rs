//! How a picture of ours stands among its peers'.
use crate::assets::{self, AssetError};
use crate::measure::{self, Likeness};
use crate::picture::{Picture, PictureError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Least intersection over union with three.js.
pub const LEAST_IOU: f64 = 0.995;

/// Models that FLIP to three.js can't judge; `tests/plain_models.rs` judges them by the integral, and demands
/// that ours is nearer to it than either peer.
///
/// On the first two the peers disagree widely. On the others three.js is 2 to 4/255 from the integral in large
/// flat areas and Khronos happens to be off the same way in some: ours, within 0.7/255 of the integral, is then
/// the farther one.
pub const JUDGED_BY_INTEGRAL: [&str; 7] = [
    "Box",
    "BoxInterleaved",
    "AnimatedMorphCube",
    "BoxAnimated",
    "BoxTextured",
    "RiggedSimple",
    "TextureSettingsTest",
];

/// How much farther from three.js than last recorded a picture may be: lavapipe repeats itself exactly, so
/// this is for other processors' rounding.
pub const RECORD_SLACK: f64 = 0.002;

/// FLIP to three.js as last recorded, by picture. A picture may come nearer; one that moves away is seen
/// although it may still be nearer than Khronos's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records(pub BTreeMap<String, f64>);

impl Records {
    fn path() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("peers-recorded.json")
    }

    /// The stored ones.
    ///
    /// # Errors
    /// [`AssetError`] when the file is absent or broken.
    pub fn load() -> Result<Self, AssetError> {
        let path = Self::path();
        let parsed = serde_json::from_str(&assets::read_text(&path)?);
        parsed.map(Self).map_err(|error| AssetError::Broken { path, why: error.to_string() })
    }

    /// Stores these, each rounded up to a thousandth.
    ///
    /// # Errors
    /// [`AssetError`] when the file can't be written.
    pub fn store(&self) -> Result<(), AssetError> {
        let path = Self::path();
        let rounded: BTreeMap<&str, f64> =
            self.0.iter().map(|(name, flip)| (name.as_str(), (flip * 1000.0).ceil() / 1000.0)).collect();
        let text = serde_json::to_string_pretty(&rounded)
            .map_err(|error| AssetError::Broken { path: path.clone(), why: error.to_string() })?;
        std::fs::write(&path, text + "\n").map_err(|source| AssetError::Read { path, source })
    }
}

/// Ours and a peer's against three.js.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Ours.
    pub ours: Likeness,
    /// The Khronos renderer's: as near as a right renderer may be expected to come.
    pub khronos: Likeness,
    /// Whether FLIP counts.
    pub by_flip: bool,
}

impl Standing {
    /// Measures.
    ///
    /// # Errors
    /// [`PictureError::Mismatch`] when the sizes differ.
    pub fn new(
        model: &str,
        three: &Picture,
        khronos: &Picture,
        ours: &Picture,
    ) -> Result<Self, PictureError> {
        Ok(Self {
            ours: measure::likeness(three, ours)?,
            khronos: measure::likeness(three, khronos)?,
            by_flip: !JUDGED_BY_INTEGRAL.contains(&model),
        })
    }

    /// What is wrong with ours; empty when it is as good as a peer and as good as it was.
    #[must_use]
    pub fn faults(&self, recorded: Option<f64>) -> Vec<String> {
        let mut faults = Vec::new();
        if self.ours.iou < LEAST_IOU {
            faults.push(format!("IoU {:.4} is below {LEAST_IOU}", self.ours.iou));
        }
        if self.by_flip && self.ours.flip > self.khronos.flip {
            faults.push(format!("FLIP {:.3} is above Khronos's {:.3}", self.ours.flip, self.khronos.flip));
        }
        if let Some(recorded) = recorded.filter(|r| self.ours.flip > r + RECORD_SLACK) {
            faults.push(format!("FLIP {:.3} was {recorded:.3} when last recorded", self.ours.flip));
        }
        faults
    }
}

impl std::fmt::Display for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Likeness { iou, flip, delta_e, gain: [r, g, b] } = self.ours;
        let peer = self.khronos.flip;
        write!(
            f,
            "IoU {iou:.4}  FLIP {flip:.3} (Khronos {peer:.3})  dE {delta_e:.2}  gain {r:.2} {g:.2} {b:.2}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(c: u8, a: u8) -> Picture {
        Picture::new(8, 8, vec![[c, c, c, a]; 64]).unwrap()
    }

    #[test]
    fn farther_than_the_peer_is_a_fault() {
        let (three, khronos) = (flat(100, 255), flat(110, 255));
        let standing = |model, ours: &Picture| Standing::new(model, &three, &khronos, ours).unwrap();
        let faults = |model, ours: &Picture, recorded| standing(model, ours).faults(recorded).len();
        assert_eq!(faults("Duck", &flat(105, 255), None), 0);
        assert_eq!(faults("Duck", &flat(140, 255), None), 1);
        assert_eq!(faults("Box", &flat(140, 255), None), 0);
        assert_eq!(faults("Box", &flat(100, 0), None), 1);
        let flip = standing("Duck", &flat(105, 255)).ours.flip;
        assert_eq!(faults("Duck", &flat(105, 255), Some(flip)), 0);
        assert_eq!(faults("Duck", &flat(105, 255), Some(flip - 0.003)), 1);
    }
}
