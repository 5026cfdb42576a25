//! Wood: the plank floor and the timber of the furniture.

use glam::Vec2;

use super::{Raster, hex, smoothstep};
use crate::sample::noise::{fractal, random, value};

/// Planks side by side in the floor's tile.
const PLANKS: i32 = 12;

/// One point of the floor.
struct Board {
    /// 0 in early wood to 1 in dark late wood.
    grain: f32,
    /// The plank's own shade, 0 to 1.
    shade: f32,
    /// 1 on the plank, 0 in the joint between two.
    solid: f32,
}

/// Streaks along v: fine pores over slow cathedral figures. `offset` picks another piece of the same tree.
fn grain(uv: Vec2, offset: u32) -> f32 {
    let warp = fractal(uv, [6, 2], 3, offset ^ 71);
    let figure = (0.5 + 0.5 * ((uv.x * 30.0 + warp * 3.5) * std::f32::consts::TAU).sin()).powi(2);
    let pores = fractal(uv, [160, 5], 2, offset ^ 13);
    let drift = fractal(uv, [20, 2], 2, offset ^ 29);
    (0.17 * figure + 0.5 * pores + 0.55 * drift - 0.12).clamp(0.0, 1.0)
}

fn board(uv: Vec2) -> Board {
    let across = uv.x * PLANKS as f32;
    let row = across.floor() as i32;
    // Two boards a row, cut at a place of the row's own.
    let along = (uv.y + random(row, 0, 5)) * 2.0;
    let cut = 1.0 + 0.16 * (random(row, 1, 5) - 0.5);
    let along = along.rem_euclid(2.0);
    let (piece, from, to) = if along < cut { (0, along, cut - along) } else { (1, along - cut, 2.0 - along) };
    let edge = across.fract().min(1.0 - across.fract()) / PLANKS as f32;
    let end = from.min(to) * 0.5;
    let gap = edge.min(end);
    let id = (row * 2 + piece) as u32;
    Board {
        grain: grain(uv, id.wrapping_mul(7919)),
        shade: random(row, piece, 17),
        solid: smoothstep(0.0005, 0.0022, gap),
    }
}

/// The plank floor: base colour, normals, and roughness (grey: metalness is the material's zero). The planks
/// run along v; the tile is [`crate::sample::palette::FLOOR_TILE`] metres wide.
pub fn floor() -> [Raster; 3] {
    let color = Raster::rgb(1024, 1024, |uv| {
        let b = board(uv);
        let light = hex(0xb98a5a).lerp(hex(0x946539), b.shade);
        let dark = hex(0x87592f).lerp(hex(0x633f22), b.shade);
        let wood = light.lerp(dark, smoothstep(0.1, 0.95, b.grain));
        wood.lerp(hex(0x2a1b10), (1.0 - b.solid) * 0.85)
    });
    let normals = Raster::normals(512, |uv| {
        let b = board(uv);
        0.0009 * b.solid - 0.00022 * b.grain + 0.0006 * fractal(uv, [7, 5], 2, 91)
    });
    let roughness = Raster::grey(512, 512, |uv| {
        let b = board(uv);
        0.34 + 0.2 * b.grain + 0.08 * b.shade + 0.25 * (1.0 - b.solid)
    });
    [color, normals, roughness]
}

/// Pale timber that materials tint: base colour and roughness, the grain along u.
pub fn timber() -> [Raster; 2] {
    let figure = |uv: Vec2| {
        let turned = Vec2::new(uv.y, uv.x);
        let flecks = value(turned * Vec2::new(120.0, 24.0), [120, 24], 3);
        (grain(turned, 40_009), flecks)
    };
    let color = Raster::rgb(512, 512, |uv| {
        let (grain, flecks) = figure(uv);
        let wood = hex(0xf2e2cb).lerp(hex(0xb48d66), smoothstep(0.05, 1.0, grain));
        wood * (0.96 + 0.04 * flecks)
    });
    let roughness = Raster::grey(512, 512, |uv| {
        let (grain, flecks) = figure(uv);
        0.36 + 0.18 * grain + 0.05 * flecks
    });
    [color, roughness]
}
