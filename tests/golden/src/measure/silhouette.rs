//! Silhouettes: where a picture's alpha is at least one half.
use crate::picture::Picture;

/// Intersection over union of both silhouettes; 1 when both are empty.
#[must_use]
pub fn iou(a: &Picture, b: &Picture) -> f64 {
    let (mut both, mut either) = (0_u64, 0_u64);
    for (a, b) in a.mask().into_iter().zip(b.mask()) {
        both += u64::from(a && b);
        either += u64::from(a || b);
    }
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

/// Pixels in either silhouette.
#[must_use]
pub fn union(a: &Picture, b: &Picture) -> Vec<bool> {
    a.mask().into_iter().zip(b.mask()).map(|(a, b)| a || b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(alpha: &[u8]) -> Picture {
        let pixels = alpha.iter().map(|&a| [0, 0, 0, a]).collect();
        Picture::new(alpha.len() as u32, 1, pixels).unwrap()
    }

    #[test]
    fn counts() {
        let (a, b) = (picture(&[255, 128, 127, 0]), picture(&[255, 0, 255, 0]));
        assert!((iou(&a, &b) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(union(&a, &b), [true, true, true, false]);
        assert!((iou(&picture(&[0]), &picture(&[1])) - 1.0).abs() < 1e-12);
    }
}
