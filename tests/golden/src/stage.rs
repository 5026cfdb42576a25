//! Where tests draw: one session on the software adapter, so that pictures depend on nothing but the code.
use crate::picture::{Picture, PictureError};
use pellucid::headless::{HeadlessError, PipelineCache, RenderRequest, Session, SessionOptions};
use pellucid::render::{GpuScene, Pixels};

/// Why nothing was drawn.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The session failed.
    #[error(transparent)]
    Session(#[from] HeadlessError),
    /// The picture is not what was asked for.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// Another pixel form came back.
    #[error("asked for {wanted:?} pixels, got {got:?}")]
    Form {
        /// Asked for.
        wanted: Pixels,
        /// Came back.
        got: Pixels,
    },
}

/// Opens a session on lavapipe. Pipelines are compiled afresh: a test must not depend on what ran before.
///
/// # Errors
/// [`StageError::Session`] when there is no such adapter, or validation is asked for and not installed.
pub fn open(validation: bool) -> Result<Session, StageError> {
    let adapter = Some("software".to_owned());
    let pipeline_cache = PipelineCache::Off;
    Ok(Session::new(&SessionOptions { adapter, validation, pipeline_cache, ..SessionOptions::default() })?)
}

/// Draws 8-bit pixels.
///
/// # Errors
/// [`StageError`].
pub fn draw(
    session: &mut Session,
    scene: &mut GpuScene,
    request: &RenderRequest<'_>,
) -> Result<Picture, StageError> {
    let wanted = Pixels::Srgb8;
    let drawn = session.draw(scene, &RenderRequest { pixels: wanted, ..*request })?;
    if drawn.pixels != wanted {
        return Err(StageError::Form { wanted, got: drawn.pixels });
    }
    Ok(Picture::from_bytes(drawn.width, drawn.height, &drawn.bytes)?)
}

/// Draws scene-linear floats: premultiplied colour and alpha.
///
/// # Errors
/// [`StageError`].
pub fn draw_linear(
    session: &mut Session,
    scene: &mut GpuScene,
    request: &RenderRequest<'_>,
) -> Result<Vec<[f32; 4]>, StageError> {
    let wanted = Pixels::LinearF32;
    let drawn = session.draw(scene, &RenderRequest { pixels: wanted, ..*request })?;
    let got = drawn.pixels;
    drawn.floats().ok_or(StageError::Form { wanted, got })
}
