//! What to draw and what comes back.
use crate::RenderError;
use glam::Vec3;
use pellucid_scene::View;

/// What is behind the scene.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Background {
    /// Nothing: alpha 0.
    #[default]
    Transparent,
    /// A linear colour, exposed and tone mapped like the scene.
    Color(Vec3),
    /// The environment.
    Environment,
}

/// How scene-linear colour becomes display colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ToneMap {
    /// Stephen Hill's fit of the ACES reference and output transforms.
    #[default]
    Aces,
    /// Clamped to 0..1.
    None,
}

/// The form of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Pixels {
    /// Four bytes a pixel: sRGB-encoded colour, straight alpha.
    #[default]
    Srgb8,
    /// Four floats a pixel: linear colour after exposure, no tone map, premultiplied alpha.
    LinearF32,
}

/// One picture to draw.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// From where.
    pub view: View,
    /// What is behind.
    pub background: Background,
    /// Exposure in stops: colour is multiplied by 2 to this power.
    pub exposure: f32,
    /// Tone map.
    pub tone_map: ToneMap,
    /// Form of the picture.
    pub pixels: Pixels,
}

impl Shot {
    /// A shot with a transparent background, exposure 0, ACES and 8-bit pixels.
    #[must_use]
    pub fn new(width: u32, height: u32, view: View) -> Self {
        Self {
            width,
            height,
            view,
            background: Background::Transparent,
            exposure: 0.0,
            tone_map: ToneMap::Aces,
            pixels: Pixels::Srgb8,
        }
    }

    pub(crate) fn check(&self, limit: u32) -> Result<(), RenderError> {
        let (width, height) = (self.width, self.height);
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(RenderError::Size { width, height, limit });
        }
        if !(-64.0..=64.0).contains(&self.exposure) {
            return Err(RenderError::Shot {
                what: "exposure",
                value: self.exposure,
                range: "from -64 to 64 stops",
            });
        }
        if let Background::Color(color) = self.background
            && !(color.is_finite() && color.min_element() >= 0.0)
        {
            return Err(RenderError::Shot {
                what: "background colour",
                value: color.min_element(),
                range: "finite and not negative",
            });
        }
        let matrix = self.view.proj * self.view.view;
        if !matrix.is_finite() || !self.view.eye.is_finite() {
            let value = f32::NAN;
            return Err(RenderError::Shot { what: "view", value, range: "a finite matrix" });
        }
        Ok(())
    }
}

/// What a draw did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStatistics {
    /// Draw calls of the scene.
    pub draws: u32,
    /// Instances drawn; more than `draws` where equal meshes were batched.
    pub instances: u32,
    /// Triangles drawn, every instance counted.
    pub triangles: u64,
    /// Instances outside the view.
    pub culled: u32,
    /// Lights used, those taken out of the environment among them.
    pub lights: u32,
    /// Lights beyond the limit, not used.
    pub lights_dropped: u32,
}

/// A picture.
#[derive(Clone)]
pub struct Picture {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Its form.
    pub pixels: Pixels,
    /// Rows from the top without padding: `width * height` times 4 bytes ([`Pixels::Srgb8`]) or 16
    /// ([`Pixels::LinearF32`], native-endian floats).
    pub bytes: Vec<u8>,
    /// What was drawn.
    pub statistics: DrawStatistics,
}

impl Picture {
    /// The colours as floats; `None` unless the picture is [`Pixels::LinearF32`].
    #[must_use]
    pub fn floats(&self) -> Option<Vec<[f32; 4]>> {
        match self.pixels {
            Pixels::Srgb8 => None,
            Pixels::LinearF32 => Some(bytemuck::pod_collect_to_vec(&self.bytes)),
        }
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({}x{}, {:?}, {:?})", self.width, self.height, self.pixels, self.statistics)
    }
}
