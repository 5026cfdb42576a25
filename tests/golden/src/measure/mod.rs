//! How alike two pictures are.
//!
//! All measures but [`silhouette::iou`] look at both pictures over mid grey and average over the union of
//! their silhouettes, so empty background neither flatters nor punishes.
pub mod colour;
pub mod flip;
pub mod silhouette;
pub mod tolerance;

use crate::picture::{Picture, PictureError};

/// Everything measured between two pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// Silhouettes' intersection over union, 0 to 1.
    pub iou: f64,
    /// Mean FLIP, 0 to 1.
    pub flip: f64,
    /// Mean difference in CIELAB (1976).
    pub delta_e: f64,
    /// Mean linear colour of the test over that of the reference, each channel.
    pub gain: [f64; 3],
}

/// Measures `test` against `reference`.
///
/// # Errors
/// [`PictureError::Mismatch`] when their sizes differ.
pub fn likeness(reference: &Picture, test: &Picture) -> Result<Likeness, PictureError> {
    reference.same_size(test)?;
    let mask = silhouette::union(reference, test);
    Ok(Likeness {
        iou: silhouette::iou(reference, test),
        flip: flip::mean(&flip::map(reference, test)?, &mask),
        delta_e: colour::delta_e(reference, test, &mask),
        gain: colour::gain(reference, test, &mask),
    })
}
