//! The calls into meshoptimizer.
use super::{Filter, Mode};
use meshopt::ffi;

/// Decodes `count` elements of `stride` bytes; `None` when the data are damaged.
///
/// What the decoders trust their caller for is asserted: vertices of 4 to 256 bytes in steps of 4, indices of 2
/// or 4 bytes and whole triangles, and the strides that filters work on.
pub(super) fn decode(
    mode: Mode,
    filter: Filter,
    encoded: &[u8],
    count: usize,
    stride: usize,
) -> Option<Vec<u8>> {
    let size = count.checked_mul(stride)?;
    if size == 0 {
        return Some(Vec::new());
    }
    // Words rather than bytes, so that the memory is aligned for what filters and indices are.
    let mut words = vec![0_u32; size.div_ceil(4)];
    let output = words.as_mut_ptr().cast();
    let (input, length) = (encoded.as_ptr(), encoded.len());
    let code = match mode {
        Mode::Attributes => {
            assert!((4..=256).contains(&stride) && stride.is_multiple_of(4), "checked by the caller");
            // SAFETY: `output` has room for `count * stride` bytes, which is all that is written; reads end at
            // `input + length`, which is where `encoded` ends; the stride is one that the decoder takes.
            unsafe { ffi::meshopt_decodeVertexBuffer(output, count, stride, input, length) }
        }
        Mode::Triangles => {
            assert!(matches!(stride, 2 | 4) && count.is_multiple_of(3), "checked by the caller");
            // SAFETY: as above; output is aligned to 4 bytes, and the count is one that the decoder takes.
            unsafe { ffi::meshopt_decodeIndexBuffer(output, count, stride, input, length) }
        }
        Mode::Indices => {
            assert!(matches!(stride, 2 | 4), "checked by the caller");
            // SAFETY: as above.
            unsafe { ffi::meshopt_decodeIndexSequence(output, count, stride, input, length) }
        }
    };
    if code != 0 {
        return None;
    }
    match filter {
        Filter::None => {}
        Filter::Octahedral => {
            assert!(matches!(stride, 4 | 8), "checked by the caller");
            // SAFETY: `output` holds `count` elements of `stride` bytes, aligned to 4, a stride the filter takes.
            unsafe { ffi::meshopt_decodeFilterOct(output, count, stride) };
        }
        Filter::Quaternion => {
            assert!(stride == 8, "checked by the caller");
            // SAFETY: as above.
            unsafe { ffi::meshopt_decodeFilterQuat(output, count, stride) };
        }
        Filter::Exponential => {
            assert!(stride.is_multiple_of(4), "checked by the caller");
            // SAFETY: as above.
            unsafe { ffi::meshopt_decodeFilterExp(output, count, stride) };
        }
    }
    Some(bytemuck::cast_slice(&words)[..size].to_vec())
}
