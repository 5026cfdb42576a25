//! Colour differences.
use crate::picture::Picture;

/// sRGB's decoding (IEC 61966-2-1).
#[must_use]
pub fn decode(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// sRGB's encoding; the inverse of [`decode`].
#[must_use]
pub fn encode(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// All 256 decoded values.
fn table() -> [f64; 256] {
    std::array::from_fn(|code| decode(code as f64 / 255.0))
}

/// CIELAB (D65) of a linear sRGB colour.
#[must_use]
pub fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
    // Rows divided by the white point, so white is exactly (1, 1, 1).
    let rows = [
        [0.412_456, 0.357_576, 0.180_437],
        [0.212_673, 0.715_152, 0.072_175],
        [0.019_334, 0.119_192, 0.950_304],
    ];
    let [x, y, z] = rows.map(|row| {
        let t = (row[0] * r + row[1] * g + row[2] * b) / (row[0] + row[1] + row[2]);
        let delta: f64 = 6.0 / 29.0;
        if t > delta.powi(3) { t.cbrt() } else { t / (3.0 * delta * delta) + 4.0 / 29.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Mean distance in CIELAB over the mask, both over mid grey.
#[must_use]
pub fn delta_e(reference: &Picture, test: &Picture, mask: &[bool]) -> f64 {
    let table = table();
    let lab = |pixel: [u8; 3]| lab(pixel.map(|c| table[usize::from(c)]));
    let (mut sum, mut count) = (0.0, 0_u64);
    for ((a, b), _) in
        reference.over_grey().into_iter().zip(test.over_grey()).zip(mask).filter(|(_, inside)| **inside)
    {
        if a != b {
            let (a, b) = (lab(a), lab(b));
            sum += a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        }
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Mean linear colour of `test` over that of `reference`, each channel, over the mask. A channel that is
/// black in both has gain 1.
#[must_use]
pub fn gain(reference: &Picture, test: &Picture, mask: &[bool]) -> [f64; 3] {
    let table = table();
    let sums = |picture: &Picture| {
        let mut sums = [0.0; 3];
        for (pixel, _) in picture.over_grey().into_iter().zip(mask).filter(|(_, inside)| **inside) {
            for (sum, c) in sums.iter_mut().zip(pixel) {
                *sum += table[usize::from(c)];
            }
        }
        sums
    };
    let (reference, test) = (sums(reference), sums(test));
    std::array::from_fn(|c| if reference[c] == test[c] { 1.0 } else { test[c] / reference[c] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfer_curves_are_inverse() {
        for code in 0..=255 {
            let value = f64::from(code) / 255.0;
            assert!((encode(decode(value)) - value).abs() < 1e-6, "{code}");
        }
    }

    #[test]
    fn lab_of_known_colours() {
        let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.05);
        assert!(near(lab([1.0; 3]), [100.0, 0.0, 0.0]));
        assert!(near(lab([1.0, 0.0, 0.0]), [53.24, 80.09, 67.20]));
        assert!(near(lab([0.0, 0.0, 1.0]), [32.30, 79.19, -107.86]));
    }

    #[test]
    fn gain_is_a_ratio_of_linear_means() {
        let flat = |c| Picture::new(2, 1, vec![[c, c, 0, 255]; 2]).unwrap();
        let gain = gain(&flat(188), &flat(255), &[true, true]);
        assert!((gain[0] - 1.0 / decode(188.0 / 255.0)).abs() < 1e-9);
        assert!((gain[2] - 1.0).abs() < 1e-12);
    }
}
