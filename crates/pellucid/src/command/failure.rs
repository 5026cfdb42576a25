//! What went wrong, as the shell and a person are told.

use pellucid::headless::HeadlessError;
use pellucid::picture::PictureError;
use pellucid::platform::files::WriteError;
use pellucid::render::RenderError;
use pellucid::rhi::{InstanceError, NativeError, ResourceError};
use pellucid::scene::{EquirectError, ImportError};
use std::path::Path;

/// Whose fault it is; its number is the command's exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Drawing failed, or Pellucid itself is at fault.
    Render = 1,
    /// The command line can't be meant that way.
    Usage = 2,
    /// An input file is missing or broken.
    Input = 3,
    /// The output can't be written.
    Output = 4,
    /// There is no usable GPU, driver or adapter.
    Gpu = 5,
}

impl Kind {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Render => "render",
            Self::Usage => "usage",
            Self::Input => "input",
            Self::Output => "output",
            Self::Gpu => "gpu",
        }
    }
}

/// Why the command ends without success.
#[derive(Debug)]
pub struct Failure {
    /// Whose fault it is.
    pub kind: Kind,
    /// What failed and where, in one line.
    pub message: String,
    /// What else to do, when the message doesn't say it.
    pub hint: Option<&'static str>,
}

impl Failure {
    /// A failure whose message says what to do.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// A thread that panicked: its message is on standard error already.
    pub fn internal() -> Self {
        let hint = Some("this is a fault in Pellucid, please report it with the file that causes it");
        Self { kind: Kind::Render, message: "an internal error occurred".into(), hint }
    }

    /// An environment picture that can't be read; names the file, which some of the errors don't.
    pub fn environment(path: &Path, error: &EquirectError) -> Self {
        let message = match error {
            EquirectError::Read { .. } => error.to_string(),
            _ => format!("{}: {error}", path.display()),
        };
        Self::new(Kind::Input, message)
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        Self::new(Kind::Input, error.to_string())
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::new(Kind::Output, error.to_string())
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        let kind = match error {
            PictureError::Extension { .. } => Kind::Usage,
            _ => Kind::Render,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<HeadlessError> for Failure {
    fn from(error: HeadlessError) -> Self {
        let (kind, hint) = match error {
            // The loader's way to say that no driver it found works is a code without a word of help.
            HeadlessError::Instance(InstanceError::Native(_)) => {
                let hint =
                    "no working Vulkan driver? `pellucid doctor` says which are there and what to install";
                (Kind::Gpu, Some(hint))
            }
            HeadlessError::Instance(_) | HeadlessError::Select(_) | HeadlessError::Device(_) => {
                (Kind::Gpu, Some("`pellucid doctor` says what this machine can draw with"))
            }
            HeadlessError::Camera { .. }
            | HeadlessError::Animation { .. }
            | HeadlessError::Size { .. }
            | HeadlessError::Number { .. } => (Kind::Usage, None),
            HeadlessError::Render(RenderError::Resource(
                ResourceError::Budget { .. }
                | ResourceError::Native { source: NativeError::OutOfMemory { .. }, .. },
            )) => (
                Kind::Render,
                Some("ask for a smaller --size, or free memory: other programs, a smaller scene"),
            ),
            // The scene asks for what can't be drawn: no driver is to blame.
            HeadlessError::Render(
                RenderError::ImageSize { .. } | RenderError::TooMany { .. } | RenderError::Shot { .. },
            ) => (Kind::Input, None),
            _ => (Kind::Render, Some("`-v` tells more; `pellucid doctor` checks the driver")),
        };
        Self { kind, message: error.to_string(), hint }
    }
}
