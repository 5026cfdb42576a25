//! Pictures as files' bytes: PNG and BMP of display-ready pictures, OpenEXR of scene-linear ones.

mod bmp;
mod exr;
mod over;
mod png;

pub use over::over;

use pellucid_render::{Picture, Pixels};
use std::path::Path;
use thiserror::Error;

/// A file format for pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 8 bits a channel, sRGB, straight alpha, lossless.
    Png,
    /// 32-bit floats, scene-linear, premultiplied alpha, lossless: what compositors take.
    Exr,
    /// 8 bits a channel, sRGB, straight alpha, uncompressed.
    Bmp,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Png, Self::Exr, Self::Bmp];

    /// Its name and its files' extension.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Exr => "exr",
            Self::Bmp => "bmp",
        }
    }

    /// What a file's extension, in any case, says.
    ///
    /// # Errors
    /// [`PictureError::Extension`], which lists the formats.
    pub fn of_path(path: &Path) -> Result<Self, PictureError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let named = |format: &Self| extension.eq_ignore_ascii_case(format.name());
        Self::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| PictureError::Extension { extension: extension.chars().take(40).collect() })
    }

    /// What the renderer has to give for this format.
    #[must_use]
    pub const fn pixels(self) -> Pixels {
        match self {
            Self::Png | Self::Bmp => Pixels::Srgb8,
            Self::Exr => Pixels::LinearF32,
        }
    }
}

/// Why a picture wasn't encoded.
#[derive(Debug, Error)]
pub enum PictureError {
    /// An extension that stands for no format.
    #[error("no picture format is called {extension:?}; use .png, .exr or .bmp")]
    Extension {
        /// The extension, cut to 40 characters.
        extension: String,
    },
    /// A linear picture for an 8-bit format or the other way round.
    #[error("a picture of this kind can't be a .{} file; draw it with `Format::pixels`", format.name())]
    Kind {
        /// The format.
        format: Format,
    },
    /// The size is 0, too large for the format, or not the size of the data.
    #[error("{width}x{height} pixels in {bytes} bytes can't be a .{} file", format.name())]
    Size {
        /// The format.
        format: Format,
        /// Pixels a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes given.
        bytes: usize,
    },
    /// The encoder failed.
    #[error("can't encode the .{} file: {reason}", format.name())]
    Encoder {
        /// The format.
        format: Format,
        /// What it said.
        reason: String,
    },
}

/// The bytes of a picture's file.
///
/// # Errors
/// [`PictureError`]; a picture drawn with [`Format::pixels`] encodes unless it is too large for the format.
pub fn encode(picture: &Picture, format: Format) -> Result<Vec<u8>, PictureError> {
    let Picture { width, height, ref bytes, .. } = *picture;
    if picture.pixels != format.pixels() {
        return Err(PictureError::Kind { format });
    }
    let needed = u64::from(width) * u64::from(height) * bytes_per_pixel(picture.pixels);
    if width == 0 || height == 0 || needed != bytes.len() as u64 {
        return Err(PictureError::Size { format, width, height, bytes: bytes.len() });
    }
    match format {
        Format::Png => png::encode(width, height, bytes),
        Format::Exr => exr::encode(width, height, bytes),
        Format::Bmp => bmp::encode(width, height, bytes),
    }
}

const fn bytes_per_pixel(pixels: Pixels) -> u64 {
    match pixels {
        Pixels::Srgb8 => 4,
        Pixels::LinearF32 => 16,
    }
}
