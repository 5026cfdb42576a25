//! Mip chains on the CPU, for software adapters: there a compute shader is the same processor with more between
//! it and the texels. The filter is the shader's (`shaders/texture/mip.slang`): an exact box, also where sizes
//! are odd, of linear light.
use super::textures::Encoding;
use pellucid_rhi::full_mip_chain;
use std::sync::LazyLock;

/// Levels 1 and up of an RGBA8 image.
pub(crate) fn chain(rgba: &[u8], width: u32, height: u32, encoding: Encoding) -> Vec<Vec<u8>> {
    let mut levels: Vec<Vec<u8>> = Vec::new();
    let mut size = [width as usize, height as usize];
    for _ in 1..full_mip_chain(width, height) {
        let finer = levels.last().map_or(rgba, Vec::as_slice);
        let next = size.map(|side| (side / 2).max(1));
        let even = size.iter().all(|side| side % 2 == 0);
        levels.push(match (encoding, even) {
            (Encoding::Linear, true) => halve_linear(finer, size),
            (Encoding::Srgb, true) => halve_srgb(finer, size),
            (_, false) => filter(finer, size, next, encoding),
        });
        size = next;
    }
    levels
}

fn halve_linear(finer: &[u8], size: [usize; 2]) -> Vec<u8> {
    halve(finer, size, |a, b, c, d| {
        std::array::from_fn(|i| {
            ((u16::from(a[i]) + u16::from(b[i]) + u16::from(c[i]) + u16::from(d[i]) + 2) / 4) as u8
        })
    })
}

fn halve_srgb(finer: &[u8], size: [usize; 2]) -> Vec<u8> {
    let tables = &*SRGB;
    let light = |code: u8| u32::from(tables.decode[usize::from(code)]);
    halve(finer, size, |a, b, c, d| {
        let color = |i: usize| {
            let sum = light(a[i]) + light(b[i]) + light(c[i]) + light(d[i]);
            tables.encode[(sum >> (18 - ENCODE_BITS)) as usize]
        };
        let alpha = (u16::from(a[3]) + u16::from(b[3]) + u16::from(c[3]) + u16::from(d[3]) + 2) / 4;
        [color(0), color(1), color(2), alpha as u8]
    })
}

/// Makes each texel of the coarser level of two by two of the finer, both of whose sides are even.
fn halve(
    finer: &[u8],
    [width, height]: [usize; 2],
    average: impl Fn(&[u8; 4], &[u8; 4], &[u8; 4], &[u8; 4]) -> [u8; 4],
) -> Vec<u8> {
    let mut coarser = vec![0; width / 2 * (height / 2) * 4];
    let (finer, _) = finer.as_chunks::<4>();
    let (out, _) = coarser.as_chunks_mut::<4>();
    for (pair, out) in finer.chunks_exact(width * 2).zip(out.chunks_exact_mut(width / 2)) {
        let (upper, lower) = pair.split_at(width);
        let (upper, _) = upper.as_chunks::<2>();
        let (lower, _) = lower.as_chunks::<2>();
        for (([a, b], [c, d]), out) in upper.iter().zip(lower).zip(out) {
            *out = average(a, b, c, d);
        }
    }
    coarser
}

/// The box filter for any sizes: a texel of the coarser level covers parts of up to three by three.
fn filter(finer: &[u8], size: [usize; 2], next: [usize; 2], encoding: Encoding) -> Vec<u8> {
    let tables = &*SRGB;
    let spans = |axis: usize| -> Vec<Vec<(usize, f32)>> {
        let scale = size[axis] as f32 / next[axis] as f32;
        (0..next[axis])
            .map(|at| {
                let (begin, end) = (at as f32 * scale, (at + 1) as f32 * scale);
                (begin as usize..size[axis])
                    .map(|texel| (texel, end.min(texel as f32 + 1.0) - begin.max(texel as f32)))
                    .take_while(|&(_, weight)| weight > 1e-4)
                    .collect()
            })
            .collect()
    };
    let (columns, rows) = (spans(0), spans(1));
    let mut coarser = Vec::with_capacity(next[0] * next[1] * 4);
    for row in &rows {
        for column in &columns {
            let mut sum = [0.0f32; 4];
            let mut area = 0.0;
            for &(y, height) in row {
                for &(x, width) in column {
                    let weight = width * height;
                    let texel = &finer[(y * size[0] + x) * 4..][..4];
                    for (c, (sum, &value)) in sum.iter_mut().zip(texel).enumerate() {
                        let linear = match encoding {
                            Encoding::Srgb if c < 3 => {
                                f32::from(tables.decode[usize::from(value)]) / 65_535.0
                            }
                            Encoding::Srgb | Encoding::Linear => f32::from(value) / 255.0,
                        };
                        *sum += linear * weight;
                    }
                    area += weight;
                }
            }
            for (c, sum) in sum.into_iter().enumerate() {
                let value = sum / area;
                coarser.push(match encoding {
                    Encoding::Srgb if c < 3 => {
                        tables.encode[((value * 65_535.0) as usize * 4) >> (18 - ENCODE_BITS)]
                    }
                    Encoding::Srgb | Encoding::Linear => (value * 255.0 + 0.5) as u8,
                });
            }
        }
    }
    coarser
}

/// Bits of linear light that the encoding table tells apart: enough that neighbouring codes near black, where
/// the curve is steepest, each have an entry.
const ENCODE_BITS: u32 = 13;

struct Tables {
    /// Linear light in 16 bits of each code.
    decode: [u16; 256],
    /// The code nearest to the middle of each entry.
    encode: Vec<u8>,
}

static SRGB: LazyLock<Tables> = LazyLock::new(|| {
    let decode = |code: f64| if code <= 0.04045 { code / 12.92 } else { ((code + 0.055) / 1.055).powf(2.4) };
    let encode = |linear: f64| {
        if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
    };
    let entries = 1usize << ENCODE_BITS;
    Tables {
        decode: std::array::from_fn(|code| (decode(code as f64 / 255.0) * 65_535.0).round() as u16),
        encode: (0..entries)
            .map(|entry| (encode((entry as f64 + 0.5) / entries as f64) * 255.0).round() as u8)
            .collect(),
    }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_colours_stay() {
        for encoding in [Encoding::Linear, Encoding::Srgb] {
            for (width, height) in [(16, 16), (7, 5), (1, 9), (6, 3)] {
                for code in 0..=255u8 {
                    let image = vec![code; width as usize * height as usize * 4];
                    for level in chain(&image, width, height, encoding) {
                        assert!(level.iter().all(|&c| c.abs_diff(code) <= 1), "{encoding:?} {code}");
                    }
                }
            }
        }
    }

    #[test]
    fn colour_is_averaged_in_linear_light() {
        let image: Vec<u8> = [[0, 0, 0, 0], [255; 4], [0, 0, 0, 0], [255; 4]].concat();
        assert_eq!(chain(&image, 2, 2, Encoding::Srgb), vec![vec![188, 188, 188, 128]]);
        assert_eq!(chain(&image, 2, 2, Encoding::Linear), vec![vec![128; 4]]);
    }

    #[test]
    fn odd_sizes_weigh_by_area() {
        let image: Vec<u8> = [0u8, 90, 240].iter().flat_map(|&v| [v; 4]).collect();
        // One texel covers all three equally.
        assert_eq!(chain(&image, 3, 1, Encoding::Linear), vec![vec![110; 4]]);
        let image: Vec<u8> = [0u8, 50, 100, 150, 200].iter().flat_map(|&v| [v; 4]).collect();
        let first = &chain(&image, 5, 1, Encoding::Linear)[0];
        // Each covers two and a half: (0 + 50 + 100 / 2) / 2.5 and (100 / 2 + 150 + 200) / 2.5.
        assert_eq!(first, &[vec![40u8; 4], vec![160; 4]].concat());
    }

    #[test]
    fn chains_end_at_one_texel() {
        let levels = chain(&vec![9; 40 * 3 * 4], 40, 3, Encoding::Linear);
        assert_eq!(levels.iter().map(Vec::len).collect::<Vec<_>>(), [20 * 4, 10 * 4, 5 * 4, 2 * 4, 4]);
    }
}
