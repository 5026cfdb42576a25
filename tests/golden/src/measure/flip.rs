//! FLIP (Andersson et al. 2020, "FLIP: A Difference Evaluator for Alternating Images"), LDR, at the
//! authors' default of 67 pixels a degree.
use crate::picture::{Picture, PictureError};
use nv_flip::{DEFAULT_PIXELS_PER_DEGREE, FlipImageRgb8};

/// The FLIP error of each pixel over mid grey, 0 to 1.
///
/// # Errors
/// [`PictureError::Mismatch`] when the sizes differ.
pub fn map(reference: &Picture, test: &Picture) -> Result<Vec<f32>, PictureError> {
    reference.same_size(test)?;
    let image = |picture: &Picture| {
        FlipImageRgb8::with_data(picture.width(), picture.height(), picture.over_grey().as_flattened())
    };
    Ok(nv_flip::flip(image(reference), image(test), DEFAULT_PIXELS_PER_DEGREE).to_vec())
}

/// Mean of `map` where `mask` is set; 0 when it is set nowhere.
#[must_use]
pub fn mean(map: &[f32], mask: &[bool]) -> f64 {
    let (mut sum, mut count) = (0.0, 0_u64);
    for (&value, _) in map.iter().zip(mask).filter(|(_, inside)| **inside) {
        sum += f64::from(value);
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// The map as an opaque picture in FLIP's usual colours (magma).
///
/// # Errors
/// [`PictureError::Size`] when the map is not of that size.
pub fn paint(map: &[f32], width: u32, height: u32) -> Result<Picture, PictureError> {
    if map.len() as u64 != u64::from(width) * u64::from(height) {
        return Err(PictureError::Size { width, height, got: map.len() });
    }
    let painted = nv_flip::FlipImageFloat::with_data(width, height, map)
        .apply_color_lut(&nv_flip::magma_lut())
        .to_vec();
    let pixels = painted.as_chunks::<3>().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
    Picture::new(width, height, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pictures_have_no_error_and_black_on_white_the_greatest() {
        let flat = |c| Picture::new(16, 16, vec![[c, c, c, 255]; 256]).unwrap();
        let mask = vec![true; 256];
        assert!(mean(&map(&flat(90), &flat(90)).unwrap(), &mask) < 1e-6);
        let most = map(&flat(0), &flat(255)).unwrap();
        assert!(mean(&most, &mask) > 0.9);
        let painted = paint(&most, 16, 16).unwrap();
        assert!(painted.pixels()[0][0] > 200, "magma ends in yellow");
        assert!(paint(&most, 16, 15).is_err());
    }
}
