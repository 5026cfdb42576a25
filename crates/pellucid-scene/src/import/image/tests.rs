use super::*;
use ::image::codecs::jpeg::JpegEncoder;
use ::image::codecs::png::PngEncoder;
use ::image::{ExtendedColorType, ImageEncoder};

const WIDTH: u32 = 5;
const HEIGHT: u32 = 3;

fn decode(bytes: &[u8]) -> Result<Image, String> {
    let (format, width, height) = header(bytes)?;
    Encoded { index: 0, name: String::new(), bytes: Cow::Borrowed(bytes), format, width, height }.decode()
}

fn png(pixels: &[u8], color: ExtendedColorType) -> Vec<u8> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(pixels, WIDTH, HEIGHT, color).unwrap();
    bytes
}

fn ramp(channels: u32) -> Vec<u8> {
    (0..WIDTH * HEIGHT * channels).map(|i| (i * 37 % 256) as u8).collect()
}

#[test]
fn pngs_of_every_kind_become_rgba() {
    let grey = ramp(1);
    let expected: Vec<u8> = grey.iter().flat_map(|&g| [g, g, g, 255]).collect();
    assert_eq!(decode(&png(&grey, ExtendedColorType::L8)).unwrap().rgba, expected);
    let grey_alpha = ramp(2);
    let expected: Vec<u8> = grey_alpha.as_chunks().0.iter().flat_map(|&[g, a]| [g, g, g, a]).collect();
    assert_eq!(decode(&png(&grey_alpha, ExtendedColorType::La8)).unwrap().rgba, expected);
    let rgb = ramp(3);
    let expected: Vec<u8> = rgb.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
    assert_eq!(decode(&png(&rgb, ExtendedColorType::Rgb8)).unwrap().rgba, expected);
    let rgba = ramp(4);
    let image = decode(&png(&rgba, ExtendedColorType::Rgba8)).unwrap();
    assert_eq!((image.width, image.height, image.rgba), (WIDTH, HEIGHT, rgba));
}

#[test]
fn sixteen_bits_go_to_the_nearest_of_eight() {
    let wide: Vec<u16> = (0..WIDTH * HEIGHT * 3).map(|i| (i * 1451) as u16).collect();
    let bytes: Vec<u8> = wide.iter().flat_map(|value| value.to_ne_bytes()).collect();
    let image = decode(&png(&bytes, ExtendedColorType::Rgb16)).unwrap();
    for (pixel, wide) in image.rgba.as_chunks::<4>().0.iter().zip(wide.as_chunks::<3>().0) {
        let nearest = wide.map(|value| (f64::from(value) / 65535.0 * 255.0).round() as u8);
        assert_eq!(*pixel, [nearest[0], nearest[1], nearest[2], 255]);
    }
}

#[test]
fn palettes_and_their_transparency() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 4, 1);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Two);
    encoder.set_palette(vec![255, 0, 0, 0, 255, 0, 0, 0, 255]);
    encoder.set_trns(vec![10, 255]);
    // Indices 2, 1, 0, 2 of two bits each.
    encoder.write_header().unwrap().write_image_data(&[0b1001_0010]).unwrap();
    let image = decode(&bytes).unwrap();
    assert_eq!(image.rgba, [[0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 10], [0, 0, 255, 255]].concat());
}

#[test]
fn jpegs_colour_and_grey() {
    let smooth: Vec<u8> =
        (0..32 * 32).flat_map(|i| [(i % 32 * 4) as u8 + 60, (i / 32 * 4) as u8 + 60, 90]).collect();
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 95)
        .write_image(&smooth, 32, 32, ExtendedColorType::Rgb8)
        .unwrap();
    let image = decode(&bytes).unwrap();
    let worst = image
        .rgba
        .as_chunks::<4>()
        .0
        .iter()
        .zip(smooth.as_chunks::<3>().0)
        .map(|(found, expected)| (0..3).map(|c| found[c].abs_diff(expected[c])).max().unwrap());
    assert!(worst.max().unwrap() < 12);
    assert!(image.rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 255));
    let grey: Vec<u8> = (0..32 * 32).map(|i| (i % 32 * 4) as u8 + 60).collect();
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 95).write_image(&grey, 32, 32, ExtendedColorType::L8).unwrap();
    let image = decode(&bytes).unwrap();
    for (pixel, &grey) in image.rgba.as_chunks::<4>().0.iter().zip(&grey) {
        assert!(
            pixel[0].abs_diff(grey) < 8 && pixel[0] == pixel[1] && pixel[1] == pixel[2] && pixel[3] == 255
        );
    }
}

#[test]
fn what_is_no_picture_is_refused() {
    assert!(decode(b"RIFF\x24\0\0\0WEBPVP8 ").unwrap_err().contains("neither a PNG nor a JPEG"));
    assert!(decode(b"").is_err());
    assert!(decode(&[0xFF, 0xD8, 0xFF, 0xE0]).is_err());
    let whole = png(&ramp(4), ExtendedColorType::Rgba8);
    for length in 8..whole.len() - 12 {
        assert!(decode(&whole[..length]).is_err(), "cut to {length} of {}", whole.len());
    }
}

#[test]
fn a_queue_decodes_each_image_once_on_any_number_of_threads() {
    let bytes = png(&ramp(4), ExtendedColorType::Rgba8);
    let images: Vec<Encoded<'_>> = (0..20)
        .map(|index| Encoded {
            index,
            name: index.to_string(),
            bytes: Cow::Borrowed(if index == 13 || index == 7 { &bytes[..60] } else { &bytes[..] }),
            format: Format::Png,
            width: WIDTH,
            height: HEIGHT,
        })
        .collect();
    let queue = Queue::new(&images);
    let done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(|| queue.work())).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(done.iter().map(|(images, _)| images.len()).sum::<usize>(), 20);
    // Of two failures the first in the file is told, whichever thread met it.
    assert_eq!(collect(done).unwrap_err().pointer(), Some("/images/7"));
}
