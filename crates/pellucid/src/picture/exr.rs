//! OpenEXR, 32-bit float, losslessly compressed.

use super::{Format, PictureError};
use exr::prelude::{Encoding, Image, Layer, LayerAttributes, SpecificChannels, Vec2, WritableImage as _};

/// Scene-linear light with premultiplied alpha, as the format defines both; Rec. 709 primaries, its default.
pub(super) fn encode(width: u32, height: u32, bytes: &[u8]) -> Result<Vec<u8>, PictureError> {
    let floats = bytes.as_chunks::<4>().0;
    let columns = width as usize;
    // `encode` of the module above has compared the bytes' length with the size.
    let pixel = |at: Vec2<usize>| {
        let first = (at.y() * columns + at.x()) * 4;
        let value = |channel: usize| f32::from_ne_bytes(floats[first + channel]);
        (value(0), value(1), value(2), value(3))
    };
    let layer = Layer::new(
        (columns, height as usize),
        LayerAttributes::default(),
        Encoding::SMALL_FAST_LOSSLESS,
        SpecificChannels::rgba(pixel),
    );
    let mut file = std::io::Cursor::new(Vec::new());
    Image::from_layer(layer)
        .write()
        .non_parallel()
        .to_buffered(&mut file)
        .map_err(|error| PictureError::Encoder { format: Format::Exr, reason: error.to_string() })?;
    Ok(file.into_inner())
}

#[cfg(test)]
mod tests {
    use exr::prelude::*;

    #[test]
    fn comes_back_bit_for_bit() {
        // Beyond a half float's range, a subnormal and a negative number among them.
        let pixels: Vec<f32> = [78_848.0, 1e-40, -0.25, 1.0].into_iter().cycle().take(4 * 7 * 3).collect();
        let native: Vec<u8> = pixels.iter().flat_map(|value| value.to_ne_bytes()).collect();
        let bytes = super::encode(7, 3, &native).unwrap();
        let read = read()
            .no_deep_data()
            .largest_resolution_level()
            .rgba_channels(
                |size, _| (size.width(), Vec::<f32>::new(), vec![[0f32; 4]; size.area()]),
                |store, at, (r, g, b, a): (f32, f32, f32, f32)| {
                    store.2[at.y() * store.0 + at.x()] = [r, g, b, a]
                },
            )
            .first_valid_layer()
            .all_attributes()
            .from_buffered(std::io::Cursor::new(bytes))
            .unwrap();
        assert_eq!(read.layer_data.size, Vec2(7, 3));
        assert_eq!(read.layer_data.channel_data.pixels.2.as_flattened(), pixels);
    }
}
