//! `EXT_meshopt_compression`: buffer views compressed with meshoptimizer.
//!
//! The decoder is meshoptimizer's own, which checks its input but trusts its arguments; everything it trusts is
//! checked here, so the few calls into it are sound for any file.
#[expect(unsafe_code, reason = "meshoptimizer is C++; this module is all that calls it")]
mod native;

use super::extensions::Meshopt;

/// How a view is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// What is done to decompressed attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
}

/// The most that a byte can stand for: the vertex codec spends at least 2 bits on 256 bytes of one channel, the
/// index codecs far more. What claims to hold more is refused before memory is taken for it.
const MOST_EXPANSION: u64 = 1024;

/// Decompresses a view of `source.count` elements of `source.byte_stride` bytes.
///
/// The caller has checked that their product is the view's length.
pub(super) fn decode(source: &Meshopt, encoded: &[u8]) -> Result<Vec<u8>, String> {
    let mode = match source.mode.as_str() {
        "ATTRIBUTES" => Mode::Attributes,
        "TRIANGLES" => Mode::Triangles,
        "INDICES" => Mode::Indices,
        other => return Err(format!("mode {other:?} is none of ATTRIBUTES, TRIANGLES, INDICES")),
    };
    let filter = match source.filter.as_deref() {
        None | Some("NONE") => Filter::None,
        Some("OCTAHEDRAL") => Filter::Octahedral,
        Some("QUATERNION") => Filter::Quaternion,
        Some("EXPONENTIAL") => Filter::Exponential,
        Some(other) => {
            return Err(format!("filter {other:?} is none of NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL"));
        }
    };
    let stride = usize::try_from(source.byte_stride).map_err(|_| "byteStride is too large".to_owned())?;
    let count = usize::try_from(source.count).map_err(|_| "count is too large".to_owned())?;
    let stride_fits = match (mode, filter) {
        (Mode::Attributes, Filter::None | Filter::Exponential) => {
            (4..=256).contains(&stride) && stride % 4 == 0
        }
        (Mode::Attributes, Filter::Octahedral) => matches!(stride, 4 | 8),
        (Mode::Attributes, Filter::Quaternion) => stride == 8,
        (Mode::Triangles | Mode::Indices, _) => matches!(stride, 2 | 4),
    };
    if !stride_fits {
        return Err(format!("byteStride {stride} is not allowed with this mode and filter"));
    }
    if mode != Mode::Attributes && filter != Filter::None {
        return Err("a filter goes with the mode ATTRIBUTES only".to_owned());
    }
    if mode == Mode::Triangles && !count.is_multiple_of(3) {
        return Err(format!("{count} indices are not whole triangles"));
    }
    let size = count.checked_mul(stride).ok_or("count times byteStride is too large")?;
    if size as u64 / MOST_EXPANSION > encoded.len() as u64 {
        return Err(format!("{} bytes can't hold {size}", encoded.len()));
    }
    native::decode(mode, filter, encoded, count, stride)
        .ok_or_else(|| "the compressed data are damaged or cut off".to_owned())
}

#[cfg(test)]
mod tests;
