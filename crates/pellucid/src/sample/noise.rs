//! Repeatable randomness: integer hashes and noise that tiles. Nothing here keeps state, so the same arguments
//! give the same room.

use glam::Vec2;

/// A well-mixed 32-bit hash of three integers: a linear mix, then PCG's output permutation (Jarzynski and Olano,
/// JCGT 2020).
pub fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mixed = (x as u32)
        .wrapping_mul(0x9e37_79b1)
        .wrapping_add((y as u32).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d));
    let state = (mixed ^ (mixed >> 15)).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// A hash as a number from 0 to just below 1.
pub fn random(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / (1u32 << 24) as f32
}

/// Value noise from 0 to 1 that repeats every `period` lattice cells along each axis.
pub fn value(p: Vec2, period: [i32; 2], seed: u32) -> f32 {
    let cell = p.floor();
    let t = p - cell;
    let t = t * t * (Vec2::splat(3.0) - t * 2.0);
    let wrap = |at: f32, period: i32| {
        let here = (at as i32).rem_euclid(period);
        (here, if here + 1 == period { 0 } else { here + 1 })
    };
    let (x0, x1) = wrap(cell.x, period[0]);
    let (y0, y1) = wrap(cell.y, period[1]);
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let low = mix(random(x0, y0, seed), random(x1, y0, seed), t.x);
    let high = mix(random(x0, y1, seed), random(x1, y1, seed), t.x);
    mix(low, high, t.y)
}

/// Sum of `octaves` of [`value`], each twice as fine and half as strong, from 0 to 1. `uv` runs from 0 to 1
/// over the tile, which the coarsest octave divides into `cells`.
pub fn fractal(uv: Vec2, cells: [i32; 2], octaves: u32, seed: u32) -> f32 {
    let mut sum = 0.0;
    let mut weight = 0.5;
    let mut period = cells;
    for octave in 0..octaves {
        sum += weight
            * value(uv * Vec2::new(period[0] as f32, period[1] as f32), period, seed ^ (octave * 0x9e37));
        weight *= 0.5;
        period = [period[0] * 2, period[1] * 2];
    }
    sum / (1.0 - 2.0 * weight)
}

/// Distance, in cells, to the nearest of one random point a cell, tiling every `cells` (Worley's F1).
pub fn cellular(uv: Vec2, cells: i32, seed: u32) -> f32 {
    let p = uv * cells as f32;
    let cell = p.floor();
    let mut nearest = f32::INFINITY;
    for j in -1..=1 {
        for i in -1..=1 {
            let (x, y) = (cell.x as i32 + i, cell.y as i32 + j);
            let (wrapped_x, wrapped_y) = (x.rem_euclid(cells), y.rem_euclid(cells));
            let jitter =
                Vec2::new(random(wrapped_x, wrapped_y, seed), random(wrapped_x, wrapped_y, seed ^ 0x5bd1));
            nearest = nearest.min(p.distance(Vec2::new(x as f32, y as f32) + jitter * 0.8 + 0.1));
        }
    }
    nearest
}
