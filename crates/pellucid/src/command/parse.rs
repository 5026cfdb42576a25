//! Readers of option values. Each takes any text at all and gives a value within its bounds or a sentence
//! that says what would have been one.

use glam::Vec3;

/// Largest width or height of a picture, in pixels.
pub const MAX_SIZE: u32 = 16_384;

/// Where `--camera` puts the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// Degrees about +Y, measured from +Z.
    pub theta: f32,
    /// Degrees down from +Y.
    pub phi: f32,
    /// Metres from the target; `None` is as far as the whole scene needs.
    pub radius: Option<f32>,
}

/// What `--background` asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backdrop {
    /// Nothing: alpha 0.
    Transparent,
    /// The environment.
    Environment,
    /// A linear colour.
    Color(Vec3),
}

/// Which animation `--animation` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnimationChoice {
    /// By its place in the file.
    Index(usize),
    /// By its name.
    Name(String),
}

/// `WxH`, each from 1 to [`MAX_SIZE`].
pub fn size(text: &str) -> Result<(u32, u32), String> {
    let expected = || format!("write WIDTHxHEIGHT in pixels, each from 1 to {MAX_SIZE}, such as 1280x720");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(expected)?;
    let side = |text: &str| {
        // `parse` alone would take a plus sign.
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let side = text.parse::<u32>().ok().filter(|side| digits && (1..=MAX_SIZE).contains(side));
        side.ok_or_else(expected)
    };
    Ok((side(width)?, side(height)?))
}

/// `orbit:THETA,PHI,RADIUS`, or without `,RADIUS`.
pub fn orbit(text: &str) -> Result<Orbit, String> {
    let expected = || {
        "write orbit:THETA,PHI,RADIUS: degrees about +Y from +Z (-36000 to 36000), degrees down from +Y (0 to \
         180), metres (above 0); without ,RADIUS the whole scene is framed"
            .to_owned()
    };
    let numbers = text.strip_prefix("orbit:").ok_or_else(expected)?;
    let mut numbers = numbers.split(',').map(|part| finite(part).ok());
    let (Some(theta), Some(phi)) = (numbers.next().flatten(), numbers.next().flatten()) else {
        return Err(expected());
    };
    let radius = match numbers.next() {
        None => None,
        Some(Some(radius)) if radius > 0.0 && radius <= 1e9 => Some(radius),
        Some(_) => return Err(expected()),
    };
    let fits = numbers.next().is_none() && theta.abs() <= 36_000.0 && (0.0..=180.0).contains(&phi);
    if fits { Ok(Orbit { theta, phi, radius }) } else { Err(expected()) }
}

/// `X,Y,Z` in metres.
pub fn point(text: &str) -> Result<Vec3, String> {
    let expected = || "write X,Y,Z: three numbers in metres from -1e9 to 1e9".to_owned();
    let mut numbers = text.split(',').map(|part| finite(part).ok().filter(|value| value.abs() <= 1e9));
    let mut next = || numbers.next().flatten().ok_or_else(expected);
    let point = Vec3::new(next()?, next()?, next()?);
    if numbers.next().is_some() { Err(expected()) } else { Ok(point) }
}

/// A vertical field of view in degrees, from 1 to 170.
pub fn fov(text: &str) -> Result<f32, String> {
    within(text, 1.0, 170.0, "degrees")
}

/// Exposure stops, from -32 to 32.
pub fn exposure(text: &str) -> Result<f32, String> {
    within(text, -32.0, 32.0, "stops")
}

/// A moment of an animation, in seconds.
pub fn time(text: &str) -> Result<f32, String> {
    within(text, -1e6, 1e6, "seconds")
}

/// `transparent`, `environment` or a colour.
pub fn backdrop(text: &str) -> Result<Backdrop, String> {
    match text {
        "transparent" => Ok(Backdrop::Transparent),
        "environment" => Ok(Backdrop::Environment),
        color => pellucid::color::parse(color)
            .map(Backdrop::Color)
            .map_err(|error| format!("{error}; or transparent; or environment")),
    }
}

/// A number is an index, anything else a name; a name that is a number is written `=3`.
pub fn animation(text: &str) -> Result<AnimationChoice, String> {
    if let Some(name) = text.strip_prefix('=') {
        return Ok(AnimationChoice::Name(name.to_owned()));
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().map(AnimationChoice::Index).map_err(|_| "the index is too large".to_owned());
    }
    Ok(AnimationChoice::Name(text.to_owned()))
}

fn finite(text: &str) -> Result<f32, String> {
    let value = text.trim().parse::<f32>().map_err(|_| "write a number".to_owned())?;
    if value.is_finite() { Ok(value) } else { Err("write a finite number".to_owned()) }
}

fn within(text: &str, least: f32, most: f32, unit: &str) -> Result<f32, String> {
    finite(text)
        .ok()
        .filter(|value| (least..=most).contains(value))
        .ok_or_else(|| format!("write a number of {unit} from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sizes() {
        assert_eq!(size("1280x720"), Ok((1280, 720)));
        assert_eq!(size("1X16384"), Ok((1, 16384)));
        for text in [
            "",
            "x",
            "1",
            "1x",
            "x1",
            "0x1",
            "1x0",
            "16385x1",
            "1x1x1",
            "+1x1",
            "1 x1",
            "-1x1",
            "1.0x1",
            "99999999999x1",
            "axb",
        ] {
            assert!(size(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn orbits() {
        assert_eq!(orbit("orbit:30,60,2.38"), Ok(Orbit { theta: 30.0, phi: 60.0, radius: Some(2.38) }));
        assert_eq!(orbit("orbit:-90,0"), Ok(Orbit { theta: -90.0, phi: 0.0, radius: None }));
        for text in [
            "",
            "orbit",
            "orbit:",
            "30,60,2",
            "orbit:30",
            "orbit:30,60,",
            "orbit:30,60,0",
            "orbit:30,60,-1",
            "orbit:30,60,2,1",
            "orbit:nan,60,2",
            "orbit:30,181,2",
            "orbit:30,-1,2",
            "orbit:30,60,inf",
            "orbit:1e30,60,1",
            "orbit:a,b,c",
        ] {
            assert!(orbit(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn numbers_and_points() {
        assert_eq!(point("1,-2.5,0"), Ok(Vec3::new(1.0, -2.5, 0.0)));
        for text in ["", "1", "1,2", "1,2,3,4", "1,2,nan", "1,2,1e10", "1;2;3"] {
            assert!(point(text).is_err(), "{text:?}");
        }
        assert_eq!(fov("45"), Ok(45.0));
        assert!(fov("0").is_err() && fov("180").is_err() && fov("NaN").is_err());
        assert!(exposure("33").is_err() && exposure("-inf").is_err() && exposure("").is_err());
        assert!(time("1e7").is_err() && time("-2.5") == Ok(-2.5));
    }

    #[test]
    fn animations_by_index_or_name() {
        assert_eq!(animation("2"), Ok(AnimationChoice::Index(2)));
        assert_eq!(animation("=2"), Ok(AnimationChoice::Name("2".into())));
        assert_eq!(animation("Run"), Ok(AnimationChoice::Name("Run".into())));
        assert!(animation("99999999999999999999999").is_err());
    }

    #[test]
    fn backdrops() {
        assert_eq!(backdrop("transparent"), Ok(Backdrop::Transparent));
        assert_eq!(backdrop("environment"), Ok(Backdrop::Environment));
        assert_eq!(backdrop("#fff"), Ok(Backdrop::Color(Vec3::ONE)));
        assert!(backdrop("trans").unwrap_err().contains("transparent"));
    }

    proptest! {
        #[test]
        fn no_text_panics_and_no_value_is_out_of_bounds(text in "\\PC*") {
            if let Ok((width, height)) = size(&text) {
                prop_assert!((1..=MAX_SIZE).contains(&width) && (1..=MAX_SIZE).contains(&height));
            }
            for text in [text.clone(), format!("orbit:{text}")] {
                if let Ok(orbit) = orbit(&text) {
                    prop_assert!(orbit.theta.is_finite() && orbit.radius.is_none_or(|radius| radius > 0.0));
                }
            }
            if let Ok(point) = point(&text) { prop_assert!(point.is_finite()); }
            if let Ok(fov) = fov(&text) { prop_assert!((1.0..=170.0).contains(&fov)); }
            if let Ok(exposure) = exposure(&text) { prop_assert!(exposure.abs() <= 32.0); }
            if let Ok(time) = time(&text) { prop_assert!(time.is_finite()); }
            let _ = (backdrop(&text), animation(&text));
        }

        #[test]
        fn what_is_written_is_read(theta in -360f32..360.0, phi in 0f32..180.0, radius in 0.01f32..100.0) {
            let read = orbit(&format!("orbit:{theta},{phi},{radius}"));
            prop_assert_eq!(read, Ok(Orbit { theta, phi, radius: Some(radius) }));
        }
    }
}
