//! Leaves.

use super::{Raster, hex, smoothstep};
use crate::sample::noise::fractal;

/// A split leaf with its outline in alpha: the stalk at the bottom middle, the tip at the top.
pub fn leaf() -> Raster {
    Raster::rgba(512, 512, |uv| {
        let x = (uv.x - 0.5) * 2.0;
        let y = 1.0 - uv.y;
        let side = x.abs();
        // A heart: widest a third of the way up, drawn out to a tip.
        let width = 0.96 * (std::f32::consts::PI * y.powf(0.62)).sin().max(0.0).powf(0.75);
        let mut inside = width - side;
        // Slits that follow the side veins in from the rim.
        let vein = y * 6.2 - 1.9 * side + 0.25 * if x > 0.0 { 1.0 } else { 0.0 };
        let to_slit = (vein.fract() - 0.5).abs();
        let reach = smoothstep(0.38, 0.8, side / width.max(1e-3)) * smoothstep(0.93, 0.7, y);
        inside = inside.min((to_slit - 0.17 * reach) * 0.4 + if reach <= 0.0 { 1.0 } else { 0.0 });
        let alpha = smoothstep(-0.006, 0.006, inside);
        let ribs = smoothstep(0.42, 0.5, (vein.fract() - 0.5).abs()) * smoothstep(0.0, 0.1, width - side);
        let midrib = smoothstep(0.03, 0.008, side);
        let mottle = fractal(uv, [9, 9], 3, 77);
        let green = hex(0x264f2b).lerp(hex(0x3f7038), 0.25 + 0.6 * mottle);
        let color = green.lerp(hex(0x86a55a), 0.7 * midrib + 0.28 * ribs);
        (color, alpha)
    })
}
