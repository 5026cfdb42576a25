//! Images, and how they are sampled.

/// What lies beyond the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// The edge texel.
    Clamp,
    /// The image mirrored.
    Mirror,
}

/// How texels are filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Linear (or nearest) magnification.
    pub mag_linear: bool,
    /// Linear (or nearest) minification.
    pub min_linear: bool,
    /// Mips: `None` samples the full image only; else linear (or nearest) between mips.
    pub mip_linear: Option<bool>,
    /// Along u.
    pub wrap_u: Wrap,
    /// Along v.
    pub wrap_v: Wrap,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            mag_linear: true,
            min_linear: true,
            mip_linear: Some(true),
            wrap_u: Wrap::Repeat,
            wrap_v: Wrap::Repeat,
        }
    }
}

/// A texture.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// Name, empty when unnamed.
    pub name: String,
    /// Index into [`crate::Scene::images`].
    pub image: usize,
    /// How it is sampled.
    pub sampler: Sampler,
}

/// A decoded image: 8 bits a channel, four channels, rows from the top, straight alpha.
#[derive(Clone)]
pub struct Image {
    /// Name, empty when unnamed.
    pub name: String,
    /// Texels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height * 4` bytes, RGBA.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({:?}, {}x{})", self.name, self.width, self.height)
    }
}
