use super::*;
use crate::Limits;
use std::borrow::Cow;

/// Runs `test` on accessor 0 of a document with these accessors, each view given with its stride.
fn with<T>(accessors: &str, views: &[(&[u8], Option<usize>)], test: impl FnOnce(Source<'_>) -> T) -> T {
    let text = format!(r#"{{"asset": {{"version": "2.0"}}, "accessors": [{accessors}]}}"#);
    let root: Root = serde_json::from_str(&text).unwrap();
    let views: Vec<View<'_>> = views
        .iter()
        .map(|&(bytes, stride)| View { bytes: Cow::Borrowed(bytes), stride, offset: 0 })
        .collect();
    let limits = Limits::default();
    let cx = Context::new(&limits);
    test(Source { cx: &cx, root: &root, views: &views })
}

fn floats<const N: usize>(
    accessor: &str,
    views: &[(&[u8], Option<usize>)],
) -> Result<Vec<[f32; N]>, ImportError> {
    with(accessor, views, |source| source.accessor(0, &Pointer::ROOT)?.floats::<N>(source.cx, &Pointer::ROOT))
}

fn accessor(component: u32, normalized: bool, count: u32, kind: &str, more: &str) -> String {
    format!(
        r#"{{"bufferView": 0, "componentType": {component}, "normalized": {normalized}, "count": {count}, "type": "{kind}"{more}}}"#
    )
}

#[test]
fn every_component_type_normalized_or_not() {
    let read = |component, normalized, bytes: &[u8]| {
        floats::<2>(&accessor(component, normalized, 2, "VEC2", ""), &[(bytes, None)]).unwrap()
    };
    let signed_bytes = [0, 127, 0x80, 0x81];
    assert_eq!(read(5120, false, &signed_bytes), [[0.0, 127.0], [-128.0, -127.0]]);
    assert_eq!(read(5120, true, &signed_bytes), [[0.0, 1.0], [-1.0, -1.0]]);
    assert_eq!(read(5121, false, &[0, 1, 128, 255]), [[0.0, 1.0], [128.0, 255.0]]);
    assert_eq!(read(5121, true, &[0, 51, 102, 255]), [[0.0, 0.2], [0.4, 1.0]]);
    let shorts = [0x00, 0x00, 0xFF, 0x7F, 0x00, 0x80, 0x01, 0x80];
    assert_eq!(read(5122, false, &shorts), [[0.0, 32767.0], [-32768.0, -32767.0]]);
    assert_eq!(read(5122, true, &shorts), [[0.0, 1.0], [-1.0, -1.0]]);
    assert_eq!(read(5123, false, &shorts), [[0.0, 32767.0], [32768.0, 32769.0]]);
    assert_eq!(read(5123, true, &[0, 0, 0xFF, 0xFF, 0x33, 0x33, 0x66, 0x66]), [[0.0, 1.0], [0.2, 0.4]]);
    let integers: Vec<u8> =
        [0_u32, 1, 70_000, 1 << 24].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(read(5125, false, &integers), [[0.0, 1.0], [70_000.0, 16_777_216.0]]);
    let reals: Vec<u8> = [0.5_f32, -2.0, 1e-40, 3e38].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(read(5126, false, &reals), [[0.5, -2.0], [1e-40, 3e38]]);
}

#[test]
fn strides_interleave_and_the_last_element_may_be_short() {
    // Three elements of 3 bytes, 8 apart, from byte 1 on: 1 + 2 * 8 + 3 bytes are enough.
    let bytes: Vec<u8> = (0..20).collect();
    let read = floats::<3>(&accessor(5121, false, 3, "VEC3", r#", "byteOffset": 1"#), &[(&bytes, Some(8))]);
    assert_eq!(read.unwrap(), [[1.0, 2.0, 3.0], [9.0, 10.0, 11.0], [17.0, 18.0, 19.0]]);
    let read = floats::<3>(&accessor(5121, false, 3, "VEC3", r#", "byteOffset": 2"#), &[(&bytes, Some(8))]);
    assert!(matches!(
        read.unwrap_err().kind,
        ErrorKind::OutOfBounds { start: 2, end: 21, available: 20, .. }
    ));
}

#[test]
fn sparse_elements_replace_those_of_the_view() {
    let sparse = r#", "sparse": {"count": 2,
        "indices": {"bufferView": 1, "byteOffset": 1, "componentType": 5121},
        "values": {"bufferView": 2, "byteOffset": 2}}"#;
    let views: [(&[u8], _); 3] =
        [(&[1, 2, 3, 4, 5, 6], None), (&[99, 0, 2], None), (&[99, 99, 10, 20, 30, 40], None)];
    let read = floats::<2>(&accessor(5121, false, 3, "VEC2", sparse), &views);
    assert_eq!(read.unwrap(), [[10.0, 20.0], [3.0, 4.0], [30.0, 40.0]]);
}

#[test]
fn sparse_elements_without_a_view_replace_zeros() {
    let json = r#"{"componentType": 5121, "count": 3, "type": "SCALAR", "sparse": {"count": 1,
        "indices": {"bufferView": 0, "componentType": 5123}, "values": {"bufferView": 1}}}"#;
    assert_eq!(floats::<1>(json, &[(&[1, 0], None), (&[7], None)]).unwrap(), [[0.0], [7.0], [0.0]]);
}

#[test]
fn unsigned_integers_of_all_sizes() {
    let read = |component, bytes: &[u8]| {
        with(&accessor(component, false, 2, "SCALAR", ""), &[(bytes, None)], |source| {
            source.accessor(0, &Pointer::ROOT)?.unsigned::<1>(source.cx, &Pointer::ROOT)
        })
    };
    assert_eq!(read(5121, &[1, 255]).unwrap(), [[1], [255]]);
    assert_eq!(read(5123, &[1, 0, 255, 255]).unwrap(), [[1], [65535]]);
    assert_eq!(read(5125, &[1, 0, 0, 0, 255, 255, 255, 255]).unwrap(), [[1], [u32::MAX]]);
    assert!(matches!(read(5122, &[0; 4]).unwrap_err().kind, ErrorKind::AccessorType { .. }));
}

#[test]
fn more_components_than_asked_for_are_skipped() {
    let read = floats::<3>(&accessor(5121, false, 2, "VEC4", ""), &[(&[1, 2, 3, 4, 5, 6, 7, 8], None)]);
    assert_eq!(read.unwrap(), [[1.0, 2.0, 3.0], [5.0, 6.0, 7.0]]);
}

#[test]
fn no_elements_need_no_bytes() {
    assert_eq!(floats::<3>(&accessor(5126, false, 0, "VEC3", ""), &[(&[], None)]).unwrap(), [[0.0; 3]; 0]);
}

#[test]
fn matrices_of_small_numbers_are_padded() {
    assert_eq!(element_size(Type::Mat2, ComponentType::U8), 8);
    assert_eq!(element_size(Type::Mat3, ComponentType::I8), 12);
    assert_eq!(element_size(Type::Mat3, ComponentType::U16), 24);
    assert_eq!(element_size(Type::Mat3, ComponentType::F32), 36);
    assert_eq!(element_size(Type::Mat4, ComponentType::U8), 16);
}
