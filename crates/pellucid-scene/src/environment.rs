//! HDR environments: Radiance RGBE pictures (`.hdr`), decoded to linear floats.
//!
//! The format is Greg Ward's ("Real Pixels", Graphics Gems II); run-length encoded scanlines of the 1991
//! format, of the one before it, and plain pixels are read.
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// An equirectangular picture of the light around a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equirect {
    /// Texels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Linear radiance, red, green, blue, `width * height` texels, rows from the top (+Y).
    pub rgb: Vec<[f32; 3]>,
}

/// What a file may ask for.
#[derive(Clone, Copy, Debug)]
pub struct EquirectLimits {
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Pixels of the picture: 12 bytes of memory each.
    pub pixels: u64,
}

impl Default for EquirectLimits {
    fn default() -> Self {
        Self { file_bytes: 1 << 30, pixels: 1 << 28 }
    }
}

/// Why an environment can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EquirectError {
    /// The operating system refused.
    #[error("{}: can't be read: {error}; check that the file is there and readable", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// Larger than the limits.
    #[error("{found} {what} are more than the {limit} allowed; use a smaller picture or raise the limit")]
    TooLarge {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        found: u64,
        /// How many may be.
        limit: u64,
    },
    /// Not Radiance RGBE.
    #[error("is not a Radiance .hdr picture (it would begin with \"#?\"); convert it to .hdr")]
    NotRadiance,
    /// A header line that can't be used.
    #[error("byte {offset}: {problem}; convert the picture to .hdr again")]
    Header {
        /// Where the line begins.
        offset: u64,
        /// What is wrong.
        problem: &'static str,
    },
    /// Scanlines that break off or don't fit.
    #[error("byte {offset}, row {row}: {problem}; the file is damaged: fetch or convert it again")]
    Pixels {
        /// Where reading stopped.
        offset: u64,
        /// The row, from the file's first.
        row: u32,
        /// What is wrong.
        problem: &'static str,
    },
}

impl Equirect {
    /// Reads a `.hdr` file.
    ///
    /// # Errors
    /// See [`EquirectError`].
    pub fn load(path: &Path, limits: &EquirectLimits) -> Result<Self, EquirectError> {
        let read = |error| EquirectError::Read { file: path.to_path_buf(), error };
        let file = File::open(path).map_err(read)?;
        let mut bytes = Vec::new();
        // One byte more than allowed tells "too large" from "just fits", whatever the system says of its length.
        let most = limits.file_bytes.saturating_add(1);
        file.take(most).read_to_end(&mut bytes).map_err(read)?;
        Self::decode(&bytes, limits)
    }

    /// Decodes the bytes of a `.hdr` file.
    ///
    /// # Errors
    /// See [`EquirectError`].
    pub fn decode(bytes: &[u8], limits: &EquirectLimits) -> Result<Self, EquirectError> {
        let check = |what, found, limit| {
            if found > limit { Err(EquirectError::TooLarge { what, found, limit }) } else { Ok(()) }
        };
        check("bytes", bytes.len() as u64, limits.file_bytes)?;
        let mut input = Input { bytes, at: 0, row: 0 };
        let header = read_header(&mut input)?;
        let pixels = u64::from(header.major) * u64::from(header.minor);
        check("pixels", pixels, limits.pixels)?;
        // Each row takes 4 bytes at the very least: a header can't claim more rows than there are bytes.
        if u64::from(header.major) * 4 > (bytes.len() - input.at) as u64 {
            return Err(input.problem("the rows that the header announces aren't there"));
        }
        let mut rgb = vec![
            [0.0; 3];
            usize::try_from(pixels).map_err(|_| EquirectError::TooLarge {
                what: "pixels",
                found: pixels,
                limit: usize::MAX as u64,
            })?
        ];
        let mut scanline = vec![[0_u8; 4]; header.minor as usize];
        for (row, out) in rgb.chunks_exact_mut(header.minor as usize).enumerate() {
            input.row = row as u32;
            read_scanline(&mut input, &mut scanline)?;
            for (texel, &rgbe) in out.iter_mut().zip(&scanline) {
                *texel = radiance(rgbe, header.scale);
            }
        }
        Ok(header.upright(rgb))
    }
}

struct Header {
    /// Scanlines.
    major: u32,
    /// Pixels a scanline.
    minor: u32,
    /// Scanlines are columns.
    columns: bool,
    /// Rows run upwards.
    flip_y: bool,
    /// Columns run leftwards.
    flip_x: bool,
    /// What to multiply by to undo EXPOSURE and COLORCORR.
    scale: [f32; 3],
}

impl Header {
    /// Turns pixels in file order into rows from the top, left to right.
    fn upright(&self, rgb: Vec<[f32; 3]>) -> Equirect {
        let (width, height) = if self.columns { (self.major, self.minor) } else { (self.minor, self.major) };
        if !self.columns && !self.flip_x && !self.flip_y {
            return Equirect { width, height, rgb };
        }
        let (w, h, minor) = (width as usize, height as usize, self.minor as usize);
        let turned = (0..h)
            .flat_map(|y| (0..w).map(move |x| (x, y)))
            .map(|(x, y)| {
                let x = if self.flip_x { w - 1 - x } else { x };
                let y = if self.flip_y { h - 1 - y } else { y };
                rgb[if self.columns { x * minor + y } else { y * minor + x }]
            })
            .collect();
        Equirect { width, height, rgb: turned }
    }
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    row: u32,
}

impl<'a> Input<'a> {
    fn problem(&self, problem: &'static str) -> EquirectError {
        EquirectError::Pixels { offset: self.at as u64, row: self.row, problem }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], EquirectError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| self.problem("the file ends here"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn pixel(&mut self) -> Result<[u8; 4], EquirectError> {
        let taken = self.take(4)?;
        Ok([taken[0], taken[1], taken[2], taken[3]])
    }

    /// The next line without its end, and where it begins.
    fn line(&mut self) -> Option<(usize, &'a [u8])> {
        /// Longer lines are no header.
        const LONGEST: usize = 4096;
        let start = self.at;
        let rest = &self.bytes[start..];
        let length = rest.iter().take(LONGEST).position(|&byte| byte == b'\n')?;
        self.at = start + length + 1;
        Some((start, rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length])))
    }
}

fn read_header(input: &mut Input<'_>) -> Result<Header, EquirectError> {
    if !input.bytes.starts_with(b"#?") {
        return Err(EquirectError::NotRadiance);
    }
    let mut scale = [1.0_f32; 3];
    loop {
        let offset = input.at as u64;
        let error = |problem| EquirectError::Header { offset, problem };
        let Some((_, line)) = input.line() else {
            return Err(error("the header has no end"));
        };
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if text.is_empty() {
            break;
        }
        if let Some(format) = text.strip_prefix("FORMAT=") {
            if format.trim() != "32-bit_rle_rgbe" {
                return Err(error("only the format 32-bit_rle_rgbe is read"));
            }
        } else if let Some(value) = text.strip_prefix("EXPOSURE=") {
            let value = positive(value).ok_or_else(|| error("EXPOSURE is not a positive number"))?;
            scale = scale.map(|scale| scale / value);
        } else if let Some(values) = text.strip_prefix("COLORCORR=") {
            let values: Vec<f32> = values.split_whitespace().map_while(positive).collect();
            let [r, g, b] = values[..] else {
                return Err(error("COLORCORR is not three positive numbers"));
            };
            scale = [scale[0] / r, scale[1] / g, scale[2] / b];
        }
    }
    if !scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) {
        return Err(EquirectError::Header { offset: 0, problem: "EXPOSURE or COLORCORR is out of range" });
    }
    let offset = input.at as u64;
    let error = |problem| EquirectError::Header { offset, problem };
    let (_, line) = input.line().ok_or_else(|| error("the line with the picture's size is missing"))?;
    let line = String::from_utf8_lossy(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [major_axis, major, minor_axis, minor] = words[..] else {
        return Err(error("the picture's size is not of the form -Y 512 +X 1024"));
    };
    let size = |text: &str| text.parse::<u32>().ok().filter(|&size| size > 0 && size <= i32::MAX as u32);
    let (Some(major), Some(minor)) = (size(major), size(minor)) else {
        return Err(error("the picture's size is not two numbers above 0"));
    };
    let (columns, y, x) = match (major_axis.as_bytes(), minor_axis.as_bytes()) {
        ([y, b'Y'], [x, b'X']) => (false, *y, *x),
        ([x, b'X'], [y, b'Y']) => (true, *y, *x),
        _ => return Err(error("the picture's size names no axes X and Y")),
    };
    if !matches!((y, x), (b'+' | b'-', b'+' | b'-')) {
        return Err(error("an axis has no sign"));
    }
    // -Y: the first row is the top one; +X: the first column is the left one.
    Ok(Header { major, minor, columns, flip_y: y == b'+', flip_x: x == b'-', scale })
}

fn positive(text: &str) -> Option<f32> {
    text.trim().parse().ok().filter(|value: &f32| value.is_finite() && *value > 0.0)
}

fn read_scanline(input: &mut Input<'_>, scanline: &mut [[u8; 4]]) -> Result<(), EquirectError> {
    let width = scanline.len();
    let first = input.pixel()?;
    // The 1991 encoding marks a scanline with 2, 2 and its length, which must fit 15 bits.
    let marked = first[0] == 2 && first[1] == 2 && first[2] < 128;
    if marked && (8..0x8000).contains(&width) {
        if usize::from(first[2]) << 8 | usize::from(first[3]) != width {
            return Err(input.problem("a scanline's length is not the picture's width"));
        }
        for channel in 0..4 {
            read_channel(input, scanline, channel)?;
        }
        return Ok(());
    }
    read_pixels(input, scanline, first)
}

/// One channel of a 1991 scanline: runs (length above 128, one value) and literals (length, values).
fn read_channel(
    input: &mut Input<'_>,
    scanline: &mut [[u8; 4]],
    channel: usize,
) -> Result<(), EquirectError> {
    let mut x = 0;
    while x < scanline.len() {
        let code = usize::from(input.take(1)?[0]);
        let (length, run) = if code > 128 { (code - 128, true) } else { (code, false) };
        if length == 0 {
            return Err(input.problem("a run has no length"));
        }
        let Some(span) = scanline.get_mut(x..x + length) else {
            return Err(input.problem("a run goes past the scanline's end"));
        };
        let values = input.take(if run { 1 } else { length })?;
        for (index, pixel) in span.iter_mut().enumerate() {
            pixel[channel] = values[if run { 0 } else { index }];
        }
        x += length;
    }
    Ok(())
}

/// Plain pixels, among which 1, 1, 1, n repeats the last one n times (and 256 n times when it follows another
/// such mark, and so on).
fn read_pixels(input: &mut Input<'_>, scanline: &mut [[u8; 4]], first: [u8; 4]) -> Result<(), EquirectError> {
    let (mut x, mut shift, mut next) = (0, 0_u32, Some(first));
    while x < scanline.len() {
        let pixel = match next.take() {
            Some(pixel) => pixel,
            None => input.pixel()?,
        };
        if pixel[..3] == [1, 1, 1] {
            let Some(before) = x.checked_sub(1).map(|before| scanline[before]) else {
                return Err(input.problem("a scanline begins with a repetition"));
            };
            // A repetition of 2^24 and more is past any scanline's end.
            let length = if shift > 16 { usize::MAX } else { usize::from(pixel[3]) << shift };
            let end = x.saturating_add(length);
            let Some(span) = scanline.get_mut(x..end) else {
                return Err(input.problem("a repetition goes past the scanline's end"));
            };
            span.fill(before);
            x = end;
            shift += 8;
        } else {
            scanline[x] = pixel;
            x += 1;
            shift = 0;
        }
    }
    Ok(())
}

/// Shared-exponent pixel to linear radiance.
fn radiance([r, g, b, e]: [u8; 4], scale: [f32; 3]) -> [f32; 3] {
    if e == 0 {
        return [0.0; 3];
    }
    // 2^(e - 136): mantissas are 256ths. The least ones are below the least normal float, 2^-126.
    let e = u32::from(e);
    let exponent = f32::from_bits(if e > 9 { (e - 9) << 23 } else { 1 << (e + 13) });
    [
        f32::from(r) * exponent * scale[0],
        f32::from(g) * exponent * scale[1],
        f32::from(b) * exponent * scale[2],
    ]
}

#[cfg(test)]
mod tests;
