//! BMP with a version 4 header, which says where alpha lies and that colours are sRGB.

use super::{Format, PictureError};

const FILE_HEADER: u32 = 14;
const INFO_HEADER: u32 = 108;
/// `LCS_sRGB`: the bytes spell "sRGB" backwards.
const SRGB: u32 = 0x7352_4742;
const BITFIELDS: u32 = 3;
/// 72 dots an inch, in pixels a metre.
const DENSITY: u32 = 2835;

/// Straight-alpha sRGB, rows from the bottom as every reader expects.
pub(super) fn encode(width: u32, height: u32, rgba: &[u8]) -> Result<Vec<u8>, PictureError> {
    let too_large = || PictureError::Size { format: Format::Bmp, width, height, bytes: rgba.len() };
    let offset = FILE_HEADER + INFO_HEADER;
    let pixels = u32::try_from(rgba.len()).map_err(|_| too_large())?;
    let total = pixels.checked_add(offset).ok_or_else(too_large)?;
    // Width and height are signed in the file.
    let (signed_width, signed_height) =
        (i32::try_from(width).map_err(|_| too_large())?, i32::try_from(height).map_err(|_| too_large())?);

    let mut bytes = Vec::with_capacity(total as usize);
    bytes.extend_from_slice(b"BM");
    for word in [total, 0, offset, INFO_HEADER] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(&signed_width.to_le_bytes());
    bytes.extend_from_slice(&signed_height.to_le_bytes());
    // One plane of 32 bits a pixel.
    bytes.extend_from_slice(&[1, 0, 32, 0]);
    for word in [BITFIELDS, pixels, DENSITY, DENSITY, 0, 0] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    for mask in [0x00FF_0000_u32, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000, SRGB] {
        bytes.extend_from_slice(&mask.to_le_bytes());
    }
    // End points and gamma, unused with sRGB.
    bytes.resize(offset as usize, 0);
    for row in rgba.chunks_exact(width as usize * 4).rev() {
        for pixel in row.as_chunks::<4>().0 {
            let [r, g, b, a] = *pixel;
            bytes.extend_from_slice(&[b, g, r, a]);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn another_decoder_reads_it_as_it_was() {
        let pixels: Vec<u8> = (0..4 * 5 * 3).map(|value| (value * 37 % 256) as u8).collect();
        let bytes = super::encode(5, 3, &pixels).unwrap();
        let read = image::load_from_memory_with_format(&bytes, image::ImageFormat::Bmp).unwrap();
        assert_eq!((read.width(), read.height()), (5, 3));
        assert_eq!(read.into_rgba8().into_raw(), pixels);
    }
}
