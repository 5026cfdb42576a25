//! Comparing with a stored picture: how far a channel may be off, and in how many pixels.
use crate::picture::{Picture, PictureError};

/// What may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Greatest difference of a channel that counts as none, of 255.
    pub channel: u8,
    /// Fraction of all pixels that may exceed it, 0 to 1.
    pub pixels: f64,
}

/// How two pictures differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The greatest difference of any channel, of 255.
    pub worst: u8,
    /// Fraction of pixels with a channel beyond the tolerance.
    pub beyond: f64,
    /// Each pixel's greatest channel difference, eight times amplified, as an opaque grey picture; pixels
    /// beyond the tolerance are red.
    pub picture: Picture,
}

/// Compares channel by channel. Colour counts by how much of it shows: it is weighted by alpha, so the
/// colour of a fully transparent pixel can't differ.
///
/// # Errors
/// [`PictureError::Mismatch`] when the sizes differ.
pub fn difference(expected: &Picture, actual: &Picture, channel: u8) -> Result<Difference, PictureError> {
    expected.same_size(actual)?;
    let shown = |[r, g, b, a]: [u8; 4]| {
        let weigh = |c: u8| ((u32::from(c) * u32::from(a) + 127) / 255) as u8;
        [weigh(r), weigh(g), weigh(b), a]
    };
    let (mut worst, mut beyond) = (0, 0_u64);
    let pixels: Vec<[u8; 4]> = expected
        .pixels()
        .iter()
        .zip(actual.pixels())
        .map(|(&a, &b)| {
            let off = shown(a).iter().zip(shown(b)).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0);
            worst = worst.max(off);
            let grey = off.saturating_mul(8);
            if off > channel {
                beyond += 1;
                [255, 255 - grey, 255 - grey, 255]
            } else {
                [grey, grey, grey, 255]
            }
        })
        .collect();
    let count = pixels.len().max(1) as f64;
    Ok(Difference {
        worst,
        beyond: beyond as f64 / count,
        picture: Picture::new(expected.width(), expected.height(), pixels)?,
    })
}

impl Difference {
    /// Whether it stays within `tolerance`; it must have been made with the tolerance's channel.
    #[must_use]
    pub fn within(&self, tolerance: Tolerance) -> bool {
        self.beyond <= tolerance.pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_beyond() {
        let a = Picture::new(2, 2, vec![[10, 10, 10, 255]; 4]).unwrap();
        let mut pixels = a.pixels().to_vec();
        pixels[1] = [10, 15, 10, 255];
        pixels[2] = [10, 16, 10, 255];
        let b = Picture::new(2, 2, pixels).unwrap();
        let found = difference(&a, &b, 5).unwrap();
        assert_eq!(found.worst, 6);
        assert!((found.beyond - 0.25).abs() < 1e-12);
        assert!(found.within(Tolerance { channel: 5, pixels: 0.25 }));
        assert!(!found.within(Tolerance { channel: 5, pixels: 0.2 }));
    }

    #[test]
    fn hidden_colour_is_no_difference() {
        let a = Picture::new(1, 1, vec![[255, 0, 0, 0]]).unwrap();
        let b = Picture::new(1, 1, vec![[0, 255, 0, 0]]).unwrap();
        assert_eq!(difference(&a, &b, 0).unwrap().worst, 0);
    }
}
