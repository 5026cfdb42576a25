//! Small textures: plaster, hammered metal, pictures, dials and ramps.

use glam::{Vec2, Vec3};

use super::{Raster, hex, smoothstep};
use crate::sample::noise::{cellular, fractal, random};

/// Normals of trowelled plaster; the tile is two metres wide.
pub fn plaster() -> Raster {
    Raster::normals(512, |uv| {
        let swell = fractal(uv, [6, 6], 2, 31);
        let strokes = fractal(uv + 0.05 * swell, [14, 22], 3, 37);
        0.0016 * swell + 0.0011 * smoothstep(0.35, 0.75, strokes)
    })
}

/// Normals of metal beaten with a round hammer.
pub fn hammered() -> Raster {
    Raster::normals(256, |uv| {
        let d = cellular(uv, 12, 19);
        0.02 * (d * d).min(0.6)
    })
}

/// A grey ramp that turns u into occlusion. A mesh's second texture coordinates hold its baked openness, which
/// keeps the bake in ordinary glTF without unwrapping anything.
pub fn openness_ramp() -> Raster {
    Raster::grey(256, 4, |uv| (uv.x * 256.0 - 0.5) / 255.0)
}

/// The lamp shade from inside: brightest at the height of the bulb (v from the top edge, 0 to 1).
pub fn lamp_glow() -> Raster {
    Raster::rgb(64, 64, |uv| {
        let fall = (-((uv.y - 0.56) / 0.36).powi(2)).exp();
        let ribs = 0.97 + 0.03 * (uv.x * std::f32::consts::TAU * 8.0).cos();
        hex(0xffe2b4).lerp(hex(0xd98a4a), 1.0 - fall) * (0.45 + 0.55 * fall) * ribs
    })
}

/// A book's spine and boards: cloth with two gilt bands and a title block, that materials tint.
pub fn book_spine() -> Raster {
    Raster::rgb(64, 256, |uv| {
        let cloth = Vec3::splat(0.8 + 0.12 * random((uv.x * 64.0) as i32, (uv.y * 256.0) as i32, 2));
        let band = |at: f32, half: f32| (uv.y - at).abs() < half;
        let title = band(0.3, 0.055) && (0.18..0.82).contains(&uv.x) && (uv.x * 9.0).fract() < 0.72;
        if band(0.1, 0.012) || band(0.14, 0.004) || band(0.88, 0.012) || title {
            hex(0xfff0b8)
        } else {
            cloth
        }
    })
}

/// The clock's dial, on the unit square.
pub fn clock_face() -> Raster {
    Raster::rgb(512, 512, |uv| {
        let p = (uv - 0.5) * 2.0;
        let r = p.length();
        // Fraction of the turn to the nearest of `n` marks, in units of the dial's radius on the rim.
        let mark = |n: f32| {
            let turn = p.y.atan2(p.x) / std::f32::consts::TAU * n;
            (turn - turn.round()).abs() / n * std::f32::consts::TAU * r
        };
        let soft = |inside: f32| smoothstep(-0.004, 0.004, inside);
        let between = |low: f32, high: f32| soft(r - low) * soft(high - r);
        let hours = soft(0.022 - mark(12.0)) * between(0.66, 0.88);
        let minutes = soft(0.007 - mark(60.0)) * between(0.82, 0.88);
        let rings = between(0.905, 0.92) + between(0.3, 0.308);
        let paper = hex(0xf4eedf).lerp(hex(0xe2d6bd), r * r * 0.7);
        paper.lerp(hex(0x24303a), (hours + minutes + rings).min(1.0))
    })
}

/// The framed picture: hills in the evening, a landscape of flat shapes with brush marks.
pub fn landscape() -> Raster {
    Raster::rgb(512, 640, |uv| {
        let brush = fractal(Vec2::new(uv.x, uv.y), [24, 70], 3, 43) - 0.5;
        let sky = hex(0xf0d9b0).lerp(hex(0x7fa3a3), smoothstep(0.62, 0.0, uv.y));
        let sun = Vec2::new(0.64, 0.31);
        let to_sun = Vec2::new(uv.x - sun.x, (uv.y - sun.y) * 1.25).length();
        let mut color = sky.lerp(hex(0xe58b4a), 0.35 * smoothstep(0.4, 0.1, to_sun));
        color = color.lerp(hex(0xf7e3a8), smoothstep(0.104, 0.1, to_sun));
        let ridges = [
            (0.46, 0.10, 2, hex(0x8fa39a)),
            (0.56, 0.11, 3, hex(0x5f8583)),
            (0.66, 0.10, 3, hex(0x3b6464)),
            (0.77, 0.09, 2, hex(0xb06a3c)),
            (0.88, 0.07, 2, hex(0x6d3f2a)),
        ];
        for (i, (base, rise, cells, paint)) in ridges.into_iter().enumerate() {
            let crest = base
                - rise
                    * (fractal(Vec2::new(uv.x * 0.92 + 0.04, 0.5), [cells * 2, 1], 3, 50 + i as u32) - 0.35)
                    * 2.0;
            let shade = paint * (1.06 - 0.5 * (uv.y - crest).clamp(0.0, 0.5));
            color = color.lerp(shade, smoothstep(crest - 0.002, crest + 0.002, uv.y));
        }
        color * (1.0 + 0.22 * brush)
    })
}
