//! Textures painted by code: every one tiles where it is meant to repeat, and is the same on every call.

mod cloth;
mod flat;
mod foliage;
mod wood;

pub use cloth::{linen, rug};
pub use flat::{book_spine, clock_face, hammered, lamp_glow, landscape, openness_ramp, plaster};
pub use foliage::leaf;
pub use wood::{floor, timber};

use glam::{Vec2, Vec3};
use image::ExtendedColorType;

/// An 8-bit image, rows from the top.
#[derive(Clone, Debug)]
pub struct Raster {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// What the bytes are: grey, RGB or RGBA.
    pub kind: ExtendedColorType,
    /// `width * height` pixels.
    pub bytes: Vec<u8>,
}

fn to_byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// Calls `shade` with each pixel's centre, from 0 to 1.
fn each_pixel(width: u32, height: u32, mut shade: impl FnMut(Vec2)) {
    for y in 0..height {
        for x in 0..width {
            shade(Vec2::new((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32));
        }
    }
}

impl Raster {
    /// Paints a grey image.
    pub fn grey(width: u32, height: u32, shade: impl Fn(Vec2) -> f32) -> Self {
        let mut bytes = Vec::with_capacity((width * height) as usize);
        each_pixel(width, height, |uv| bytes.push(to_byte(shade(uv))));
        Self { width, height, kind: ExtendedColorType::L8, bytes }
    }

    /// Paints an RGB image, in the encoding of the file (sRGB for colours).
    pub fn rgb(width: u32, height: u32, shade: impl Fn(Vec2) -> Vec3) -> Self {
        let mut bytes = Vec::with_capacity((width * height * 3) as usize);
        each_pixel(width, height, |uv| bytes.extend(shade(uv).to_array().map(to_byte)));
        Self { width, height, kind: ExtendedColorType::Rgb8, bytes }
    }

    /// Paints an RGBA image with straight alpha.
    pub fn rgba(width: u32, height: u32, shade: impl Fn(Vec2) -> (Vec3, f32)) -> Self {
        let mut bytes = Vec::with_capacity((width * height * 4) as usize);
        each_pixel(width, height, |uv| {
            let (color, alpha) = shade(uv);
            bytes.extend(color.extend(alpha).to_array().map(to_byte));
        });
        Self { width, height, kind: ExtendedColorType::Rgba8, bytes }
    }

    /// The tangent-space normal map (glTF's convention: +Y up in the image) of a tiling height field given in
    /// units of the tile's width.
    pub fn normals(size: u32, height: impl Fn(Vec2) -> f32) -> Self {
        let n = size as usize;
        let mut field = Vec::with_capacity(n * n);
        each_pixel(size, size, |uv| field.push(height(uv)));
        let mut bytes = Vec::with_capacity(n * n * 3);
        for y in 0..n {
            for x in 0..n {
                let at = |i: usize, j: usize| field[(j % n) * n + i % n];
                // Central differences; a pixel is 1 / size wide. Image rows run down, +Y runs up.
                let slope_x = (at(x + 1, y) - at(x + n - 1, y)) * 0.5 * size as f32;
                let slope_y = (at(x, y + n - 1) - at(x, y + 1)) * 0.5 * size as f32;
                let normal = Vec3::new(-slope_x, -slope_y, 1.0).normalize();
                bytes.extend((normal * 0.5 + 0.5).to_array().map(to_byte));
            }
        }
        Self { width: size, height: size, kind: ExtendedColorType::Rgb8, bytes }
    }
}

/// An sRGB colour from its hexadecimal digits.
fn hex(rgb: u32) -> Vec3 {
    let channel = |shift: u32| ((rgb >> shift) & 255) as f32 / 255.0;
    Vec3::new(channel(16), channel(8), channel(0))
}

/// 0 below `low`, 1 above `high`, smooth between.
fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
