//! 8-bit pictures with straight alpha, and their files.
use std::path::{Path, PathBuf};

/// Why a picture could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file could not be decoded or encoded.
    #[error("{}: {source}", path.display())]
    Image {
        /// The file.
        path: PathBuf,
        /// What the codec said.
        source: image::ImageError,
    },
    /// A folder could not be made or a file not written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The pixel count is not width times height.
    #[error("{width}x{height} needs {} pixels, got {got}", u64::from(*width) * u64::from(*height))]
    Size {
        /// Pixels a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Pixels given.
        got: usize,
    },
    /// Two pictures that should have one size have two.
    #[error("sizes differ: {}x{} and {}x{}", a.0, a.1, b.0, b.1)]
    Mismatch {
        /// Width and height of the first.
        a: (u32, u32),
        /// Width and height of the second.
        b: (u32, u32),
    },
}

/// A picture: sRGB-encoded colour, straight linear alpha, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Takes `width * height` pixels.
    ///
    /// # Errors
    /// [`PictureError::Size`] when their number is another.
    pub fn new(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Result<Self, PictureError> {
        if u64::from(width) * u64::from(height) != pixels.len() as u64 {
            return Err(PictureError::Size { width, height, got: pixels.len() });
        }
        Ok(Self { width, height, pixels })
    }

    /// Takes `width * height * 4` bytes, RGBA.
    ///
    /// # Errors
    /// [`PictureError::Size`] when their number is another.
    pub fn from_bytes(width: u32, height: u32, rgba: &[u8]) -> Result<Self, PictureError> {
        let (chunks, rest) = rgba.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(PictureError::Size { width, height, got: chunks.len() + 1 });
        }
        Self::new(width, height, chunks.to_vec())
    }

    /// Reads a PNG; a picture without alpha is opaque.
    ///
    /// # Errors
    /// [`PictureError::Image`] when it is absent or broken.
    pub fn load(path: &Path) -> Result<Self, PictureError> {
        let image = image::open(path)
            .map_err(|source| PictureError::Image { path: path.to_owned(), source })?
            .into_rgba8();
        let (width, height) = image.dimensions();
        Self::from_bytes(width, height, image.as_raw())
    }

    /// Writes a PNG, making its folder when needed.
    ///
    /// # Errors
    /// [`PictureError::Io`] when the folder can't be made, [`PictureError::Image`] when the file can't be
    /// written.
    pub fn save(&self, path: &Path) -> Result<(), PictureError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| PictureError::Io { path: folder.to_owned(), source })?;
        }
        image::save_buffer(path, self.pixels.as_flattened(), self.width, self.height, image::ColorType::Rgba8)
            .map_err(|source| PictureError::Image { path: path.to_owned(), source })
    }

    /// Pixels a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Pixels, rows from the top.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The colour over mid grey (sRGB 128), blended in encoded values as an image viewer does.
    #[must_use]
    pub fn over_grey(&self) -> Vec<[u8; 3]> {
        self.pixels.iter().map(|&[r, g, b, a]| [r, g, b].map(|c| over(c, a))).collect()
    }

    /// Whether each pixel belongs to the silhouette: alpha at least 128.
    #[must_use]
    pub fn mask(&self) -> Vec<bool> {
        self.pixels.iter().map(|p| p[3] >= 128).collect()
    }

    /// Checks that both have one size.
    ///
    /// # Errors
    /// [`PictureError::Mismatch`] when they have not.
    pub fn same_size(&self, other: &Self) -> Result<(), PictureError> {
        if (self.width, self.height) == (other.width, other.height) {
            Ok(())
        } else {
            Err(PictureError::Mismatch { a: (self.width, self.height), b: (other.width, other.height) })
        }
    }
}

/// `c` of alpha `a` over grey, rounded to nearest.
fn over(c: u8, a: u8) -> u8 {
    let (c, a) = (u32::from(c), u32::from(a));
    // At most 255: both weights sum to 255.
    ((c * a + 128 * (255 - a) + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grey_shows_through_where_alpha_is_low() {
        let picture =
            Picture::new(3, 1, vec![[200, 10, 0, 255], [200, 10, 0, 0], [0, 255, 128, 128]]).unwrap();
        assert_eq!(picture.over_grey(), [[200, 10, 0], [128, 128, 128], [64, 192, 128]]);
        assert_eq!(picture.mask(), [true, false, true]);
    }

    #[test]
    fn sizes_are_checked() {
        assert!(matches!(Picture::new(2, 2, vec![[0; 4]; 3]), Err(PictureError::Size { got: 3, .. })));
        assert!(Picture::from_bytes(1, 1, &[0; 5]).is_err());
    }
}
