//! Buffers and buffer views.
use super::context::{Context, Place};
use super::extensions::{Extended, Meshopt};
use super::meshopt;
use super::pointer::Pointer;
use super::uri::{self, Target};
use crate::error::{ErrorKind, ImportError};
use gltf_json::Root;
use std::borrow::Cow;
use std::path::Path;

/// A buffer's bytes; `None` for a fallback that compressed views replace.
pub(super) type Buffer<'a> = Option<Cow<'a, [u8]>>;

/// A view's bytes.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub bytes: Cow<'a, [u8]>,
    pub stride: Option<usize>,
    /// Where it begins in its buffer: alignment counts from there.
    pub offset: u64,
}

/// Loads every buffer that holds something.
pub(super) fn load<'a>(
    cx: &Context<'_>,
    root: &Root,
    extended: &Extended,
    bin: Option<&'a [u8]>,
    folder: Option<&Path>,
) -> Result<Vec<Buffer<'a>>, ImportError> {
    let list = Pointer::ROOT.key("buffers");
    let mut buffers = Vec::with_capacity(root.buffers.len());
    for (index, buffer) in root.buffers.iter().enumerate() {
        let at = list.index(index);
        let length = buffer.byte_length.0;
        let fallback = extended.buffers.get(index).and_then(|it| it.extensions.meshopt.as_ref());
        let bytes: Cow<'a, [u8]> = match (&buffer.uri, bin) {
            _ if fallback.is_some_and(|it| it.fallback) => {
                buffers.push(None);
                continue;
            }
            (Some(uri), _) => Cow::Owned(fetch(cx, uri, folder, Some(length), &at.key("uri"))?),
            (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
            (None, _) => {
                return Err(at.error(ErrorKind::Missing(
                    "the buffer's uri (and the file has no binary chunk for it)",
                )));
            }
        };
        if (bytes.len() as u64) < length {
            let (needed, available) = (length, bytes.len() as u64);
            return Err(at.error(ErrorKind::Truncated { what: "the buffer", needed, available }));
        }
        // A GLB's chunk is padded, and a file may be longer: what is beyond the length is no one's.
        let length = usize::try_from(length).unwrap_or(bytes.len());
        buffers.push(Some(match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length]),
            Cow::Owned(mut bytes) => {
                bytes.truncate(length);
                Cow::Owned(bytes)
            }
        }));
    }
    Ok(buffers)
}

/// Reads what a URI leads to. `needed` is what it must hold at least: less is found before it is decoded.
pub(super) fn fetch(
    cx: &Context<'_>,
    uri: &str,
    folder: Option<&Path>,
    needed: Option<u64>,
    at: &Pointer<'_>,
) -> Result<Vec<u8>, ImportError> {
    match uri::resolve(uri, folder).place(at)? {
        Target::Base64(text) => {
            let most = uri::base64_size(text);
            if let Some(needed) = needed.filter(|&needed| needed > most) {
                let kind = ErrorKind::Truncated { what: "the data URI", needed, available: most };
                return Err(at.error(kind));
            }
            cx.charge(most).place(at)?;
            cx.count_read(text.len() as u64);
            uri::decode_base64(uri, text).place(at)
        }
        Target::File(path) => {
            // What names the file is more use to a person than the file alone.
            let name = |error: ImportError| match error.kind {
                ErrorKind::Read(error) => at.error(uri::unreadable(uri, error)),
                kind => at.error(kind).in_file(error.file.as_deref()),
            };
            let bytes =
                uri::read_file(&path, cx.limits.file_bytes.min(cx.limits.decoded_bytes)).map_err(name)?;
            cx.charge(bytes.len() as u64).place(at)?;
            cx.count_read(bytes.len() as u64);
            Ok(bytes)
        }
    }
}

/// Checks every view, and decompresses those that are compressed.
pub(super) fn views<'a>(
    cx: &Context<'_>,
    root: &Root,
    extended: &Extended,
    buffers: &'a [Buffer<'_>],
) -> Result<Vec<View<'a>>, ImportError> {
    let list = Pointer::ROOT.key("bufferViews");
    let mut views = Vec::with_capacity(root.buffer_views.len());
    for (index, view) in root.buffer_views.iter().enumerate() {
        let at = list.index(index);
        let stride = view.byte_stride.map(|stride| stride.0);
        if let Some(compressed) =
            extended.buffer_views.get(index).and_then(|it| it.extensions.meshopt.as_ref())
        {
            let at = at.key("extensions");
            views.push(decompress(cx, compressed, view.byte_length.0, stride, buffers, &at)?);
            continue;
        }
        let buffer = at.key("buffer").check_index("buffer", view.buffer.value(), buffers.len())?;
        let Some(buffer) = &buffers[buffer] else {
            let what =
                "the buffer is a fallback without data, and this view has none of its own: compressed data";
            return Err(at.error(ErrorKind::Missing(what)));
        };
        let offset = view.byte_offset.unwrap_or_default().0;
        let bytes = range(buffer, "the view", offset, view.byte_length.0).place(&at)?;
        views.push(View { bytes: Cow::Borrowed(bytes), stride, offset });
    }
    Ok(views)
}

/// The bytes from `start`, `length` of them.
pub(super) fn range<'a>(
    bytes: &'a [u8],
    what: &'static str,
    start: u64,
    length: u64,
) -> Result<&'a [u8], ErrorKind> {
    let end = start.checked_add(length);
    let bounds = end.and_then(|end| Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?));
    bounds.and_then(|bounds| bytes.get(bounds)).ok_or(ErrorKind::OutOfBounds {
        what,
        start,
        end: end.unwrap_or(u64::MAX),
        available: bytes.len() as u64,
    })
}

fn decompress<'a>(
    cx: &Context<'_>,
    source: &Meshopt,
    view_length: u64,
    view_stride: Option<usize>,
    buffers: &[Buffer<'_>],
    at: &Pointer<'_>,
) -> Result<View<'a>, ImportError> {
    let at = at.key("EXT_meshopt_compression");
    let wide = usize::try_from(source.buffer).unwrap_or(usize::MAX);
    let buffer = at.key("buffer").check_index("buffer", wide, buffers.len())?;
    let Some(buffer) = &buffers[buffer] else {
        return Err(at.key("buffer").error(ErrorKind::Missing("the data of this fallback buffer")));
    };
    let encoded = range(buffer, "the compressed data", source.byte_offset, source.byte_length).place(&at)?;
    let size = source.count.saturating_mul(source.byte_stride);
    if size != view_length {
        let what = "bytes of the decompressed view (count times byteStride)";
        return Err(at.error(ErrorKind::Count { what, found: size, expected: view_length }));
    }
    cx.charge(size).place(&at)?;
    let bytes = meshopt::decode(source, encoded).map_err(|why| at.error(ErrorKind::Meshopt(why)))?;
    Ok(View { bytes: Cow::Owned(bytes), stride: view_stride, offset: 0 })
}
