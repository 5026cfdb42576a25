//! How a picture of ours stands among its peers'.
use crate::measure::{self, Likeness};
use crate::picture::{Picture, PictureError};

/// Least intersection over union with three.js.
pub const LEAST_IOU: f64 = 0.995;

/// Models on whose light the peers disagree so widely that only the integral can judge them.
pub const JUDGED_BY_INTEGRAL: [&str; 2] = ["Box", "BoxInterleaved"];

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

    /// What is wrong with ours; empty when it is as good as a peer.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.ours.iou < LEAST_IOU {
            faults.push(format!("IoU {:.4} is below {LEAST_IOU}", self.ours.iou));
        }
        if self.by_flip && self.ours.flip > self.khronos.flip {
            faults.push(format!("FLIP {:.3} is above Khronos's {:.3}", self.ours.flip, self.khronos.flip));
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
        assert!(standing("Duck", &flat(105, 255)).faults().is_empty());
        assert_eq!(standing("Duck", &flat(140, 255)).faults().len(), 1);
        assert!(standing("Box", &flat(140, 255)).faults().is_empty());
        assert_eq!(standing("Box", &flat(100, 0)).faults().len(), 1);
    }
}
