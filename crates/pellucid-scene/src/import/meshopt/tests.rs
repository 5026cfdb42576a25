use super::*;
use ::meshopt::encoding;

fn source(mode: &str, count: u64, stride: u64, filter: Option<&str>) -> Meshopt {
    Meshopt {
        mode: mode.to_owned(),
        count,
        byte_stride: stride,
        filter: filter.map(str::to_owned),
        ..Meshopt::default()
    }
}

#[test]
fn vertices_come_back() {
    let vertices: Vec<[u8; 12]> =
        (0..100_u8).map(|i| std::array::from_fn(|k| i.wrapping_mul(k as u8 + 1))).collect();
    let encoded = encoding::encode_vertex_buffer(&vertices).unwrap();
    let decoded = decode(&source("ATTRIBUTES", 100, 12, None), &encoded).unwrap();
    assert_eq!(decoded, vertices.as_flattened());
    // Cut off or damaged, it is refused.
    assert!(decode(&source("ATTRIBUTES", 100, 12, None), &encoded[..encoded.len() / 2]).is_err());
    assert!(decode(&source("ATTRIBUTES", 100, 12, None), &[]).is_err());
}

#[test]
fn indices_come_back() {
    let indices: Vec<u32> = (0..60).flat_map(|i| [i, i + 1, i + 2]).collect();
    let encoded = encoding::encode_index_buffer(&indices, 64).unwrap();
    let wide = decode(&source("TRIANGLES", 180, 4, None), &encoded).unwrap();
    // The codec may turn a triangle's corners around.
    let triangles =
        wide.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect::<Vec<_>>();
    for (found, expected) in triangles.as_chunks::<3>().0.iter().zip(indices.as_chunks::<3>().0) {
        let [a, b, c] = *expected;
        assert!([[a, b, c], [b, c, a], [c, a, b]].contains(found), "{found:?} is not {expected:?}");
    }
    let narrow = decode(&source("TRIANGLES", 180, 2, None), &encoded).unwrap();
    assert!(
        narrow
            .as_chunks::<2>()
            .0
            .iter()
            .zip(&triangles)
            .all(|(bytes, wide)| u32::from(u16::from_le_bytes(*bytes)) == *wide)
    );
    let encoded = encoding::encode_index_sequence(&indices, 64).unwrap();
    let decoded = decode(&source("INDICES", 180, 2, None), &encoded).unwrap();
    assert!(
        decoded
            .as_chunks::<2>()
            .0
            .iter()
            .zip(&indices)
            .all(|(bytes, index)| u32::from(u16::from_le_bytes(*bytes)) == *index)
    );
}

#[test]
fn the_octahedral_filter_makes_unit_vectors() {
    // x = y = 0 with one = 127 is straight up.
    let vertices = vec![[0_u8, 0, 127, 7]; 16];
    let encoded = encoding::encode_vertex_buffer(&vertices).unwrap();
    let decoded = decode(&source("ATTRIBUTES", 16, 4, Some("OCTAHEDRAL")), &encoded).unwrap();
    assert_eq!(decoded[..4], [0, 0, 127, 7]);
}

#[test]
fn the_exponential_filter_makes_floats() {
    // Exponent -1 in the high byte, mantissa 3 below: 1.5.
    let vertices = vec![[3_u8, 0, 0, 0xFF]; 16];
    let encoded = encoding::encode_vertex_buffer(&vertices).unwrap();
    let decoded = decode(&source("ATTRIBUTES", 16, 4, Some("EXPONENTIAL")), &encoded).unwrap();
    assert_eq!(decoded[..4], 1.5_f32.to_le_bytes());
}

#[test]
fn what_the_decoder_would_trust_is_checked() {
    for (mode, count, stride, filter) in [
        ("ATTRIBUTES", 1, 0, None),
        ("ATTRIBUTES", 1, 6, None),
        ("ATTRIBUTES", 1, 260, None),
        ("ATTRIBUTES", 1, 12, Some("OCTAHEDRAL")),
        ("ATTRIBUTES", 1, 4, Some("QUATERNION")),
        ("ATTRIBUTES", 1, 4, Some("SOMETHING")),
        ("TRIANGLES", 4, 4, None),
        ("TRIANGLES", 3, 8, None),
        ("TRIANGLES", 3, 4, Some("EXPONENTIAL")),
        ("INDICES", 3, 1, None),
        ("POINTS", 3, 4, None),
        ("ATTRIBUTES", u64::MAX, 256, None),
        ("ATTRIBUTES", 1 << 30, 256, None),
    ] {
        assert!(
            decode(&source(mode, count, stride, filter), &[0xA0; 64]).is_err(),
            "{mode} {count} {stride}"
        );
    }
}
