//! Cloth: upholstery and curtain linen, and the rug.

use glam::{Vec2, Vec3};

use super::{Raster, hex, smoothstep};
use crate::sample::noise::{fractal, random, value};

/// Height of a plain weave, in tile widths, with `threads` each way in the tile: warp and weft take turns on
/// top.
fn weave_height(uv: Vec2, threads: i32) -> f32 {
    let p = uv * threads as f32;
    let (i, j) = (p.x.floor() as i32, p.y.floor() as i32);
    let local = p - p.floor() - 0.5;
    let over = if (i + j).rem_euclid(2) == 0 { local } else { Vec2::new(local.y, local.x) };
    let round = (0.25 - over.x * over.x).max(0.0).sqrt();
    let bow = 0.7 + 0.3 * (over.y * std::f32::consts::PI).cos();
    let slub = 0.8 + 0.4 * value(p * 0.5, [threads / 2, threads / 2], 23);
    round * bow * slub / threads as f32
}

/// Heathered linen that materials tint: base colour (near white) and the normals of its weave.
pub fn linen() -> [Raster; 2] {
    const THREADS: i32 = 64;
    let color = Raster::grey(512, 512, |uv| {
        let thread = |axis: f32, seed| random((axis * THREADS as f32).floor() as i32, 0, seed);
        let warp = thread(uv.x, 3);
        let weft = thread(uv.y, 4);
        let fibre = value(uv * Vec2::splat(128.0), [128, 128], 9);
        let depth = weave_height(uv, THREADS) * THREADS as f32;
        0.74 + 0.06 * warp + 0.06 * weft + 0.05 * fibre + 0.16 * depth
    });
    let normals = Raster::normals(512, |uv| weave_height(uv, THREADS) * 0.55);
    [color, normals]
}

/// Rows and columns of knots of the rug's picture.
const KNOTS: [u32; 2] = [160, 240];

/// The rug: a bordered kilim of stepped diamonds, not tiling.
pub fn rug() -> Raster {
    Raster::rgb(640, 960, |uv| {
        let knots = Vec2::new(KNOTS[0] as f32, KNOTS[1] as f32);
        let knot = (uv * knots).floor();
        let wool = kilim(knot, knots);
        // Each knot catches the light in its own way, and the rows show.
        let (x, y) = (knot.x as i32, knot.y as i32);
        let row = (uv.y * knots.y).fract();
        let rows = 0.9 + 0.1 * (row * std::f32::consts::PI).sin();
        let wear = fractal(uv, [5, 7], 3, 3);
        wool * rows * (0.92 + 0.1 * random(x, y, 8)) * (0.9 + 0.16 * wear)
    })
}

fn kilim(knot: Vec2, knots: Vec2) -> Vec3 {
    let (cream, rust, teal, ochre, ink) =
        (hex(0xe6d9bf), hex(0xa44f35), hex(0x3f6c6b), hex(0xc8963f), hex(0x2c2f38));
    let edge = (knot.x).min(knots.x - 1.0 - knot.x).min(knot.y).min(knots.y - 1.0 - knot.y);
    match edge as i32 {
        0..=3 => return ink,
        4..=5 => return cream,
        6..=17 => {
            // A running zigzag that turns the corner with the border.
            let along = if (knot.x).min(knots.x - 1.0 - knot.x) < 18.0 { knot.y } else { knot.x };
            let phase = (along as i32).rem_euclid(16) - 8;
            let tooth = phase.abs() + 4 + (edge as i32 - 6) / 2;
            return if tooth < 10 { ochre } else { rust };
        }
        18..=19 => return cream,
        20..=22 => return ink,
        _ => {}
    }
    // The field: diamonds stepped two knots at a time on a half-drop grid.
    let centre = (knots - 1.0) * 0.5;
    let p = (knot - centre).abs();
    let cell = Vec2::new(38.0, 48.0);
    let shifted = Vec2::new(p.x + cell.x * 0.5, p.y + cell.y * 0.5);
    let index = (shifted / cell).floor();
    let local = (shifted - index * cell - cell * 0.5).abs();
    let step = |v: f32| (v / 2.0).floor() * 2.0;
    let diamond = step(local.x) / (cell.x * 0.5) + step(local.y) / (cell.y * 0.5);
    let alternate = (index.x + index.y) as i32 % 2 == 0;
    let (core, ring) = if alternate { (rust, ochre) } else { (teal, cream) };
    if diamond < 0.22 {
        ink
    } else if diamond < 0.4 {
        ring
    } else if diamond < 0.72 {
        core
    } else if diamond < 0.86 {
        cream
    } else {
        hex(0x8f8a78).lerp(teal, 0.55 + 0.1 * smoothstep(0.9, 1.6, diamond))
    }
}
