//! Colours as people write them.

use glam::Vec3;
use thiserror::Error;

/// Names that [`parse`] knows, with their sRGB bytes: CSS's sixteen basic colours and a few that pictures
/// are set against. Sorted, so that messages are.
const NAMES: [(&str, [u8; 3]); 22] = [
    ("aqua", [0, 255, 255]),
    ("black", [0, 0, 0]),
    ("blue", [0, 0, 255]),
    ("cyan", [0, 255, 255]),
    ("darkgray", [169, 169, 169]),
    ("fuchsia", [255, 0, 255]),
    ("gray", [128, 128, 128]),
    ("green", [0, 128, 0]),
    ("grey", [128, 128, 128]),
    ("lightgray", [211, 211, 211]),
    ("lime", [0, 255, 0]),
    ("magenta", [255, 0, 255]),
    ("maroon", [128, 0, 0]),
    ("navy", [0, 0, 128]),
    ("olive", [128, 128, 0]),
    ("orange", [255, 165, 0]),
    ("purple", [128, 0, 128]),
    ("red", [255, 0, 0]),
    ("silver", [192, 192, 192]),
    ("teal", [0, 128, 128]),
    ("white", [255, 255, 255]),
    ("yellow", [255, 255, 0]),
];

/// A text that is no colour.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{text:?} is no colour; write #rgb, #rrggbb, three linear numbers from 0 to 64 such as 0.2,0.2,0.25, or one of {}",
    names().collect::<Vec<_>>().join(", ")
)]
pub struct ColorError {
    /// What was given, cut to 40 characters.
    pub text: String,
}

/// The names that [`parse`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|&(name, _)| name)
}

/// Reads a colour: `#rgb` or `#rrggbb` (sRGB), a name (see [`names`]), or `r,g,b` as three linear numbers
/// from 0 to 64. The result is linear.
///
/// # Errors
/// [`ColorError`] when it is none of these.
pub fn parse(text: &str) -> Result<Vec3, ColorError> {
    let error = || ColorError { text: text.chars().take(40).collect() };
    if let Some(digits) = text.strip_prefix('#') {
        return hex(digits).map(from_srgb8).ok_or_else(error);
    }
    if let Some(&(_, bytes)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Ok(from_srgb8(bytes));
    }
    let mut numbers = text.split(',').map(|part| part.trim().parse::<f32>().ok());
    let mut next = || numbers.next().flatten().filter(|value| (0.0..=64.0).contains(value)).ok_or_else(error);
    let color = Vec3::new(next()?, next()?, next()?);
    if numbers.next().is_some() { Err(error()) } else { Ok(color) }
}

fn hex(digits: &str) -> Option<[u8; 3]> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    let [_, r, g, b] = value.to_be_bytes();
    match digits.len() {
        6 => Some([r, g, b]),
        // Each digit stands for itself twice: 0xA is 0xAA.
        3 => Some([(value >> 8) as u8 * 17, (value >> 4 & 15) as u8 * 17, (value & 15) as u8 * 17]),
        _ => None,
    }
}

/// Three sRGB bytes as linear light, by the exact curve of IEC 61966-2-1.
#[must_use]
pub fn from_srgb8(bytes: [u8; 3]) -> Vec3 {
    Vec3::from(bytes.map(|byte| {
        let value = f32::from(byte) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_each_form() {
        assert_eq!(parse("#ffffff"), Ok(Vec3::ONE));
        assert_eq!(parse("#FFF"), Ok(Vec3::ONE));
        assert_eq!(parse("#1a2"), parse("#11aa22"));
        assert_eq!(parse("Black"), Ok(Vec3::ZERO));
        assert_eq!(parse("0.5, 1,2"), Ok(Vec3::new(0.5, 1.0, 2.0)));
        // 128/255 on the sRGB curve, worked out by hand.
        assert!((parse("grey").unwrap() - Vec3::splat(0.215_861)).abs().max_element() < 1e-5);
        assert!((parse("#0a0a0a").unwrap().x - 10.0 / 255.0 / 12.92).abs() < 1e-7);
    }

    #[test]
    fn refuses_the_rest() {
        for text in [
            "", "#", "#12", "#1234", "#gggggg", "#+12345", "blu", "1,2", "1,2,3,4", "nan,0,0", "inf,0,0",
            "-1,0,0", "65,0,0",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        assert!(parse("blu").unwrap_err().to_string().contains("blue"));
    }

    proptest! {
        #[test]
        fn never_panics_and_is_finite(text in "\\PC*") {
            if let Ok(color) = parse(&text) { prop_assert!(color.is_finite()); }
        }

        #[test]
        fn three_numbers_come_back(r in 0f32..64.0, g in 0f32..64.0, b in 0f32..64.0) {
            prop_assert_eq!(parse(&format!("{r},{g},{b}")), Ok(Vec3::new(r, g, b)));
        }
    }
}
