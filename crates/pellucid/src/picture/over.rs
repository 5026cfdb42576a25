//! A finished picture laid over a plain colour.

use glam::Vec3;
use pellucid_render::{Picture, Pixels};

/// Steps of the table that takes linear light to sRGB bytes. The curve's steepest byte is 1/3295 wide
/// (1 / (255 * 12.92)), so that this many steps give every byte at least twice.
const STEPS: usize = 8192;

/// Lays the picture over a linear colour and makes it opaque. The colour comes out as it is, neither exposed
/// nor tone-mapped; what is half covered is mixed in linear light. Values of an 8-bit picture are clamped.
pub fn over(picture: &mut Picture, color: Vec3) {
    match picture.pixels {
        Pixels::Srgb8 => over_srgb8(&mut picture.bytes, color),
        Pixels::LinearF32 => over_linear(&mut picture.bytes, color),
    }
}

fn over_srgb8(bytes: &mut [u8], color: Vec3) {
    let encode: Vec<u8> = (0..=STEPS).map(|step| to_srgb8(step as f32 / STEPS as f32)).collect();
    let decode: [f32; 256] = std::array::from_fn(|byte| crate::color::from_srgb8([byte as u8; 3]).x);
    let color = color.clamp(Vec3::ZERO, Vec3::ONE);
    let plain = color.to_array().map(to_srgb8);
    for [rgb @ .., alpha] in bytes.as_chunks_mut::<4>().0 {
        if *alpha == 0 {
            *rgb = plain;
        } else if *alpha < 255 {
            let covered = f32::from(*alpha) / 255.0;
            for (channel, behind) in rgb.iter_mut().zip(color.to_array()) {
                let mixed = decode[usize::from(*channel)] * covered + behind * (1.0 - covered);
                *channel = encode[(mixed * STEPS as f32 + 0.5) as usize];
            }
        }
        *alpha = 255;
    }
}

fn over_linear(bytes: &mut [u8], color: Vec3) {
    for pixel in bytes.as_chunks_mut::<16>().0 {
        let floats = pixel.as_chunks_mut::<4>().0;
        let open = 1.0 - f32::from_ne_bytes(floats[3]);
        for (channel, behind) in floats.iter_mut().zip(color.to_array()) {
            *channel = (f32::from_ne_bytes(*channel) + behind * open).to_ne_bytes();
        }
        floats[3] = 1.0_f32.to_ne_bytes();
    }
}

/// Linear light from 0 to 1 on the curve of IEC 61966-2-1.
fn to_srgb8(value: f32) -> u8 {
    let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_render::DrawStatistics;

    fn picture(pixels: Pixels, bytes: Vec<u8>) -> Picture {
        Picture { width: 1, height: 1, pixels, bytes, statistics: DrawStatistics::default() }
    }

    #[test]
    fn a_written_colour_comes_out_as_written() {
        for byte in 0..=255 {
            let mut drawn = picture(Pixels::Srgb8, vec![9, 9, 9, 0]);
            over(&mut drawn, crate::color::from_srgb8([byte, 255 - byte, 7]));
            assert_eq!(drawn.bytes, [byte, 255 - byte, 7, 255]);
        }
    }

    #[test]
    fn what_is_opaque_stays_and_what_is_half_open_is_mixed_in_linear_light() {
        let mut drawn = picture(Pixels::Srgb8, vec![1, 128, 254, 255, 255, 255, 255, 128]);
        over(&mut drawn, Vec3::ZERO);
        // 128/255 of white is 0.502 in linear light: 188 on the curve, not 128.
        assert_eq!(drawn.bytes, [1, 128, 254, 255, 188, 188, 188, 255]);
    }

    #[test]
    fn every_byte_survives_almost_full_cover() {
        for byte in 0..=255_u8 {
            let mut drawn = picture(Pixels::Srgb8, vec![byte, byte, byte, 254]);
            over(&mut drawn, crate::color::from_srgb8([byte; 3]));
            assert_eq!(drawn.bytes, [byte, byte, byte, 255], "mixing a colour with itself is itself");
        }
    }

    #[test]
    fn linear_pictures_are_premultiplied() {
        let bytes = |values: [f32; 4]| values.into_iter().flat_map(f32::to_ne_bytes).collect::<Vec<u8>>();
        let mut drawn = picture(Pixels::LinearF32, bytes([2.0, 0.25, 0.0, 0.25]));
        over(&mut drawn, Vec3::new(4.0, 1.0, 0.0));
        assert_eq!(drawn.bytes, bytes([5.0, 1.0, 0.0, 1.0]));
    }
}
