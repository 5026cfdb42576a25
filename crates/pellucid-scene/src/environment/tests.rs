use super::*;

fn decode(bytes: &[u8]) -> Result<Equirect, EquirectError> {
    Equirect::decode(bytes, &EquirectLimits::default())
}

fn file(size: &str, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n{size}\n").into_bytes();
    bytes.extend_from_slice(pixels);
    bytes
}

/// 1 is mantissa 128 with exponent 129: 128 * 2^(129 - 136).
const ONE: [u8; 4] = [128, 128, 128, 129];

#[test]
fn plain_pixels_of_any_width() {
    let pixels = [ONE, [255, 0, 64, 128], [128, 64, 32, 145]].concat();
    let picture = decode(&file("-Y 1 +X 3", &pixels)).unwrap();
    assert_eq!((picture.width, picture.height), (3, 1));
    assert_eq!(picture.rgb[0], [1.0; 3]);
    assert_eq!(picture.rgb[1], [255.0 / 256.0, 0.0, 0.25]);
    // Suns go beyond what a half float holds.
    assert_eq!(picture.rgb[2], [65536.0, 32768.0, 16384.0]);
}

#[test]
fn a_narrow_picture_has_no_new_runs() {
    // 2, 2, 0 begins a run-length scanline only where a scanline is 8 to 32767 pixels wide.
    let pixels = [[2, 2, 0, 129], ONE].concat();
    assert_eq!(decode(&file("-Y 1 +X 2", &pixels)).unwrap().rgb[0], [2.0 / 128.0, 2.0 / 128.0, 0.0]);
}

#[test]
fn old_runs_repeat_and_multiply() {
    let mut pixels = vec![];
    pixels.extend(ONE);
    // Repeat 44 times, and then once 256 times.
    pixels.extend([1, 1, 1, 43, 1, 1, 1, 1]);
    pixels.extend([0, 0, 0, 0]);
    let picture = decode(&file("-Y 1 +X 301", &pixels)).unwrap();
    assert!(picture.rgb[..300].iter().all(|texel| *texel == [1.0; 3]));
    assert_eq!(picture.rgb[300], [0.0; 3]);
}

/// One new-style scanline of `width` pixels, all [`ONE`] but for a literal ramp in green.
fn new_scanline(width: u8) -> Vec<u8> {
    let mut line = vec![2, 2, 0, width];
    line.extend([128 + width, 128]);
    line.push(width);
    line.extend((0..width).map(|x| x * 8));
    line.extend([128 + width, 128]);
    line.extend([128 + width, 129]);
    line
}

#[test]
fn new_runs_and_literals() {
    let picture = decode(&file("-Y 2 +X 16", &[new_scanline(16), new_scanline(16)].concat())).unwrap();
    assert_eq!((picture.width, picture.height), (16, 2));
    assert_eq!(picture.rgb[5], [1.0, 40.0 / 128.0, 1.0]);
    assert_eq!(picture.rgb[21], picture.rgb[5]);
}

#[test]
fn exponents_are_exact_to_the_least() {
    for exponent in 1..=255_u8 {
        let expected = 200.0 * 2.0_f64.powi(i32::from(exponent) - 136);
        let found = f64::from(radiance([200, 0, 0, exponent], [1.0; 3])[0]);
        // Below 2^-126 floats round.
        assert!((found - expected).abs() <= expected * 1e-6 + 1e-45, "{exponent}: {found} {expected}");
    }
}

#[test]
fn exposure_and_colour_correction_are_undone() {
    let mut bytes =
        b"#?RGBE\r\n# a comment\nEXPOSURE=2\nEXPOSURE=0.25\nCOLORCORR=1 2 4\n\n-Y 1 +X 1\n".to_vec();
    bytes.extend(ONE);
    assert_eq!(decode(&bytes).unwrap().rgb, [[2.0, 1.0, 0.5]]);
}

#[test]
fn any_orientation_is_turned_upright() {
    // Rows from the top: 1 2 / 3 4, as red mantissas.
    let pixel = |red: u8| [red, 0, 0, 136];
    let picture = |size: &str, order: [u8; 4]| {
        let picture = decode(&file(size, &order.map(pixel).concat())).unwrap();
        picture.rgb.iter().map(|texel| texel[0] as u8).collect::<Vec<_>>()
    };
    assert_eq!(picture("-Y 2 +X 2", [1, 2, 3, 4]), [1, 2, 3, 4]);
    assert_eq!(picture("+Y 2 +X 2", [3, 4, 1, 2]), [1, 2, 3, 4]);
    assert_eq!(picture("-Y 2 -X 2", [2, 1, 4, 3]), [1, 2, 3, 4]);
    assert_eq!(picture("+X 2 -Y 2", [1, 3, 2, 4]), [1, 2, 3, 4]);
    let wide = decode(&file("+X 3 -Y 1", &[pixel(1), pixel(2), pixel(3)].concat())).unwrap();
    assert_eq!((wide.width, wide.height), (3, 1));
}

#[test]
fn what_is_broken_says_where() {
    let header = |result: Result<Equirect, EquirectError>| match result {
        Err(EquirectError::Header { problem, .. }) => problem,
        other => panic!("{other:?}"),
    };
    let pixels = |result: Result<Equirect, EquirectError>| match result {
        Err(EquirectError::Pixels { offset, row, problem }) => (offset, row, problem),
        other => panic!("{other:?}"),
    };
    assert!(matches!(decode(b"P6\n1 1\n255\n"), Err(EquirectError::NotRadiance)));
    assert!(matches!(decode(b""), Err(EquirectError::NotRadiance)));
    assert_eq!(header(decode(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n")), "the header has no end");
    assert_eq!(
        header(decode(b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n")),
        "only the format 32-bit_rle_rgbe is read"
    );
    for size in ["-Y 0 +X 4", "-Y 4 +X", "-Y -4 +X 4", "-Y 4 +X 99999999999", "Y 4 X 4", "-X 4 +X 4"] {
        assert!(!header(decode(&file(size, &ONE))).is_empty(), "{size}");
    }
    let (_, _, problem) = pixels(decode(&file("-Y 1000 +X 1000", &ONE)));
    assert_eq!(problem, "the rows that the header announces aren't there");
    let mut wrong = new_scanline(16);
    wrong[3] = 15;
    let (offset, row, problem) = pixels(decode(&file("-Y 2 +X 16", &[new_scanline(16), wrong].concat())));
    assert_eq!((row, problem), (1, "a scanline's length is not the picture's width"));
    assert!(offset > 40);
    let mut long = new_scanline(16);
    long[4] = 128 + 17;
    assert_eq!(pixels(decode(&file("-Y 1 +X 16", &long))).2, "a run goes past the scanline's end");
    let cut = new_scanline(16);
    assert_eq!(pixels(decode(&file("-Y 1 +X 16", &cut[..cut.len() - 1]))).2, "the file ends here");
    assert_eq!(pixels(decode(&file("-Y 1 +X 9", &[1, 1, 1, 9]))).2, "a scanline begins with a repetition");
    let small = EquirectLimits { pixels: 10, ..EquirectLimits::default() };
    let result = Equirect::decode(&file("-Y 4 +X 4", &[0; 64]), &small);
    assert!(matches!(result, Err(EquirectError::TooLarge { found: 16, limit: 10, .. })));
    let missing = Equirect::load(Path::new("no such file.hdr"), &small);
    assert!(matches!(missing, Err(EquirectError::Read { .. })));
}
