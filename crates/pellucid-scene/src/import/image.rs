//! Images: found, sized, and decoded on several threads.
use super::buffer::{View, fetch};
use super::context::{Context, Place};
use super::pointer::Pointer;
use crate::Image;
use crate::error::{ErrorKind, ImportError};
use gltf_json::Root;
use std::borrow::Cow;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// An image that is to be decoded: its size is known and paid for.
pub(super) struct Encoded<'a> {
    /// Its index in the file.
    index: usize,
    name: String,
    bytes: Cow<'a, [u8]>,
    format: Format,
    width: u32,
    height: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Png,
    Jpeg,
}

/// An image that is decoded, or why it isn't; by its place in the scene.
pub(super) type Decoded = (usize, Result<Image, ImportError>);

/// The most bytes of raw scanlines that a byte of PNG can stand for (deflate's bound is 1032), and the most
/// pixels that a byte of JPEG can. A header that claims more is refused before memory is taken for it.
const PNG_EXPANSION: u64 = 1100;
const JPEG_EXPANSION: u64 = 4096;

/// Finds the images `used`, and checks their sizes.
pub(super) fn find<'a>(
    cx: &Context<'_>,
    root: &Root,
    used: &[usize],
    views: &'a [View<'_>],
    folder: Option<&Path>,
) -> Result<Vec<Encoded<'a>>, ImportError> {
    let list = Pointer::ROOT.key("images");
    if used.len() as u64 > cx.limits.images {
        let (found, limit) = (used.len() as u64, cx.limits.images);
        return Err(list.error(ErrorKind::Limit { what: "images", found, limit, option: "images" }));
    }
    used.iter()
        .map(|&index| {
            let at = list.index(index);
            let json = &root.images[index];
            let bytes = match (json.buffer_view, &json.uri) {
                (Some(view), _) => {
                    let view = at.key("bufferView").check_index("buffer view", view.value(), views.len())?;
                    Cow::Borrowed(views[view].bytes.as_ref())
                }
                (None, Some(uri)) => Cow::Owned(fetch(cx, uri, folder, None, &at.key("uri"))?),
                (None, None) => return Err(at.error(ErrorKind::Missing("the image's bufferView or uri"))),
            };
            let (format, width, height) = header(&bytes).map_err(|why| at.error(ErrorKind::Image(why)))?;
            let pixels = u64::from(width) * u64::from(height);
            if pixels > cx.limits.image_pixels {
                let (what, limit) = ("pixels of an image", cx.limits.image_pixels);
                return Err(at.error(ErrorKind::Limit {
                    what,
                    found: pixels,
                    limit,
                    option: "image_pixels",
                }));
            }
            let least = match format {
                // One bit a pixel is the least that a PNG stores.
                Format::Png => pixels / 8 / PNG_EXPANSION,
                Format::Jpeg => pixels / JPEG_EXPANSION,
            };
            if least > bytes.len() as u64 {
                let why = format!("{} bytes can't hold {width} x {height} pixels", bytes.len());
                return Err(at.error(ErrorKind::Image(why)));
            }
            cx.charge(pixels.saturating_mul(4)).place(&at)?;
            let name = json.name.clone().unwrap_or_default();
            Ok(Encoded { index, name, bytes, format, width, height })
        })
        .collect()
}

/// The format by its first bytes (a `mimeType` is a hint that is often wrong), and the size by its header.
fn header(bytes: &[u8]) -> Result<(Format, u32, u32), String> {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
    let (format, width, height) = if bytes.starts_with(PNG) {
        // The first chunk is IHDR, which begins with the size.
        let header = bytes.get(12..24).filter(|header| header.starts_with(b"IHDR"));
        let header = header.ok_or("the PNG has no header")?;
        let number = |at: usize| header[at..].first_chunk().map_or(0, |four| u32::from_be_bytes(*four));
        (Format::Png, number(4), number(8))
    } else if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), jpeg_options(ColorSpace::RGBA));
        decoder.decode_headers().map_err(|error| one_line(&error))?;
        let info = decoder.info().ok_or("the JPEG has no header")?;
        (Format::Jpeg, u32::from(info.width), u32::from(info.height))
    } else {
        let start: Vec<String> = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        return Err(format!("it begins with {:?}, neither a PNG nor a JPEG", start.join(" ")));
    };
    if width == 0 || height == 0 {
        return Err("it has no pixels".to_owned());
    }
    Ok((format, width, height))
}

/// Images shared out among threads, the largest first.
pub(super) struct Queue<'a> {
    images: &'a [Encoded<'a>],
    order: Vec<usize>,
    next: AtomicUsize,
}

impl<'a> Queue<'a> {
    pub(super) fn new(images: &'a [Encoded<'a>]) -> Self {
        let mut order: Vec<usize> = (0..images.len()).collect();
        order.sort_by_key(|&image| {
            std::cmp::Reverse(u64::from(images[image].width) * u64::from(images[image].height))
        });
        Self { images, order, next: AtomicUsize::new(0) }
    }

    /// Leaves what nobody has begun undone.
    pub(super) fn cancel(&self) {
        self.next.store(self.order.len(), Ordering::Relaxed);
    }

    /// Decodes images until none are left. Any number of threads may be here at once: each holds one image's
    /// decoder at a time, which bounds the memory beside the pixels.
    pub(super) fn work(&self) -> (Vec<Decoded>, Duration) {
        let started = Instant::now();
        let mut done = Vec::new();
        while let Some(&image) = self.order.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let encoded = &self.images[image];
            // Decoders are others' code: should one panic, this image fails and nothing else does.
            let result = catch_unwind(AssertUnwindSafe(|| encoded.decode()))
                .unwrap_or_else(|_| Err("the decoder failed".to_owned()));
            let list = Pointer::ROOT.key("images");
            done.push((image, result.map_err(|why| list.index(encoded.index).error(ErrorKind::Image(why)))));
        }
        (done, started.elapsed())
    }
}

/// All threads' images in the scene's order; or the first one's failure.
pub(super) fn collect(decoded: Vec<(Vec<Decoded>, Duration)>) -> Result<Vec<Image>, ImportError> {
    let mut all: Vec<Decoded> = decoded.into_iter().flat_map(|(images, _)| images).collect();
    all.sort_by_key(|(image, _)| *image);
    all.into_iter().map(|(_, image)| image).collect()
}

impl Encoded<'_> {
    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    fn decode(&self) -> Result<Image, String> {
        let rgba = match self.format {
            Format::Png => self.decode_png()?,
            Format::Jpeg => self.decode_jpeg()?,
        };
        Ok(Image { name: self.name.clone(), width: self.width, height: self.height, rgba })
    }

    fn size(&self) -> usize {
        self.width as usize * self.height as usize * 4
    }

    fn decode_jpeg(&self) -> Result<Vec<u8>, String> {
        let decode = |space| {
            let options = jpeg_options(space);
            JpegDecoder::new_with_options(ZCursor::new(self.bytes.as_ref()), options).decode()
        };
        // Not every kind of JPEG goes to RGBA in one step.
        let pixels = match decode(ColorSpace::RGBA) {
            Ok(pixels) if pixels.len() == self.size() => pixels,
            _ => decode(ColorSpace::RGB).map_err(|error| one_line(&error))?,
        };
        self.expand(pixels)
    }

    fn decode_png(&self) -> Result<Vec<u8>, String> {
        // Palettes, and the working memory of the decoder: scanlines and deflate's window.
        let working = 1 << 20;
        let limits = png::Limits { bytes: self.width as usize * 32 + working };
        let mut decoder = png::Decoder::new_with_limits(Cursor::new(self.bytes.as_ref()), limits);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().map_err(|error| one_line(&error))?;
        let size = reader.output_buffer_size().ok_or("it is too large")?;
        // Two channels or four, of one byte or two: never more than twice the pixels.
        if size > self.size() * 2 {
            return Err("its header contradicts itself".to_owned());
        }
        let mut pixels = vec![0; size];
        let info = reader.next_frame(&mut pixels).map_err(|error| one_line(&error))?;
        if (info.width, info.height) != (self.width, self.height) {
            return Err("its first frame is not the whole picture".to_owned());
        }
        if info.bit_depth == png::BitDepth::Sixteen {
            let pairs = pixels.as_chunks::<2>().0;
            // The nearest of 255 steps.
            let narrow =
                |pair: &[u8; 2]| ((u32::from(u16::from_be_bytes(*pair)) * 255 + 32767) / 65535) as u8;
            pixels = pairs.iter().map(narrow).collect();
        }
        self.expand(pixels)
    }

    /// Grey, grey with alpha, or RGB to RGBA.
    fn expand(&self, pixels: Vec<u8>) -> Result<Vec<u8>, String> {
        let count = self.size() / 4;
        match pixels.len().checked_div(count) {
            Some(4) if pixels.len() == count * 4 => Ok(pixels),
            Some(3) => Ok(pixels.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()),
            Some(2) => Ok(pixels.as_chunks().0.iter().flat_map(|&[grey, a]| [grey, grey, grey, a]).collect()),
            Some(1) => Ok(pixels.iter().flat_map(|&grey| [grey, grey, grey, 255]).collect()),
            _ => Err("it has a number of channels that isn't known".to_owned()),
        }
    }
}

/// A decoder's message on one line, and no longer than a person reads.
fn one_line(error: &dyn std::fmt::Display) -> String {
    const LONGEST: usize = 200;
    let text = error.to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST).collect()
}

fn jpeg_options(space: ColorSpace) -> DecoderOptions {
    let most = usize::from(u16::MAX);
    DecoderOptions::default().jpeg_set_out_colorspace(space).set_max_width(most).set_max_height(most)
}

#[cfg(test)]
mod tests;
