//! Why an import failed, where, and what to do about it.
use std::fmt;
use std::path::{Path, PathBuf};

/// An import that failed.
///
/// `Display` prints the file, the place in it, what is wrong and what to do, on one line.
#[derive(Debug)]
pub struct ImportError {
    /// The file concerned (the scene's, or the one it refers to); `None` for bytes in memory.
    pub file: Option<PathBuf>,
    /// Where in that file.
    pub at: At,
    /// What is wrong.
    pub kind: ErrorKind,
}

/// A place in a scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The file as a whole.
    Whole,
    /// A byte offset from the file's start.
    Byte(u64),
    /// A JSON pointer (RFC 6901) into the scene's JSON, such as `/meshes/0/primitives/1/indices`.
    Pointer(String),
}

impl ImportError {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self { file: None, at: At::Whole, kind }
    }

    pub(crate) fn at(pointer: impl Into<String>, kind: ErrorKind) -> Self {
        Self { file: None, at: At::Pointer(pointer.into()), kind }
    }

    pub(crate) fn byte(offset: usize, kind: ErrorKind) -> Self {
        Self { file: None, at: At::Byte(offset as u64), kind }
    }

    /// Names the file unless one is named already.
    pub(crate) fn in_file(mut self, file: Option<&Path>) -> Self {
        if self.file.is_none() {
            self.file = file.map(Path::to_path_buf);
        }
        self
    }

    /// The JSON pointer, when the place is one.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        match &self.at {
            At::Pointer(pointer) => Some(pointer),
            At::Whole | At::Byte(_) => None,
        }
    }

    /// The byte offset, when the place is one.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self.at {
            At::Byte(offset) => Some(offset),
            At::Whole | At::Pointer(_) => None,
        }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}", file.display())?,
            None => f.write_str("scene in memory")?,
        }
        match &self.at {
            At::Whole => {}
            At::Byte(offset) => write!(f, ", byte {offset}")?,
            At::Pointer(pointer) => write!(f, ", {pointer}")?,
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::Read(error) | ErrorKind::Reference { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// What is wrong with a scene.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused.
    #[error("can't be read: {0}; check that the file is there and readable")]
    Read(#[source] std::io::Error),
    /// A file that the scene refers to can't be read.
    #[error("refers to {uri:?}, which can't be read: {error}; put that file where the scene expects it")]
    Reference {
        /// The URI, shortened.
        uri: String,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// A directory, device or socket.
    #[error("is not a regular file; name the file itself")]
    NotAFile,
    /// Neither a GLB nor JSON.
    #[error("is neither binary glTF (it would begin with \"glTF\") nor JSON; export it as glTF 2.0")]
    NotGltf,
    /// Less there than a length says.
    #[error(
        "{what} needs {needed} bytes but {available} are there; the file is cut off or corrupt: fetch or export it again"
    )]
    Truncated {
        /// What is cut off.
        what: &'static str,
        /// Bytes it needs.
        needed: u64,
        /// Bytes that are there.
        available: u64,
    },
    /// A GLB whose layout is wrong.
    #[error("broken GLB: {0}; export the file again")]
    Glb(&'static str),
    /// A version that isn't read.
    #[error("is glTF version {found:?}; only 2.0 is read: convert it with its exporter")]
    Version {
        /// The version found.
        found: String,
    },
    /// Text that isn't UTF-8.
    #[error("the JSON is not UTF-8; export the file again")]
    Utf8,
    /// JSON that can't be parsed, or a value of the wrong type.
    #[error("broken JSON: {0}; export the file again")]
    Json(String),
    /// More than the limits allow.
    #[error(
        "{found} {what} are more than the {limit} allowed; raise `Limits::{option}` if the file is trusted"
    )]
    Limit {
        /// What there are too many of.
        what: &'static str,
        /// How many there are (or at least how many).
        found: u64,
        /// How many may be.
        limit: u64,
        /// The field of [`crate::Limits`] that says so.
        option: &'static str,
    },
    /// An extension without which the file can't be shown right.
    #[error("requires the extension {name}, which isn't supported; export the file without it")]
    RequiredExtension {
        /// Its name.
        name: String,
    },
    /// An index past the end of its list.
    #[error("refers to {what} {index}, but there are {count}; export the file again")]
    IndexOutOfRange {
        /// What the index is of.
        what: &'static str,
        /// The index.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// A property that must be there.
    #[error("{0} is missing; export the file again")]
    Missing(&'static str),
    /// A value outside what glTF allows.
    #[error("is not valid: {0}; correct the value or export the file again")]
    Invalid(String),
    /// A NaN or an infinity.
    #[error("element {index} is not a finite number; correct it in the tool that made the file")]
    NotFinite {
        /// Which element.
        index: u64,
    },
    /// A node that is its own ancestor.
    #[error("node {node} is its own ancestor; the hierarchy must be a tree")]
    Cycle {
        /// One of the nodes.
        node: u64,
    },
    /// A node below two nodes.
    #[error("node {node} is a child of both node {first} and node {second}; the hierarchy must be a tree")]
    TwoParents {
        /// The child.
        node: u64,
        /// Its first parent.
        first: u64,
        /// Its second parent.
        second: u64,
    },
    /// A byte range past the end of what holds it.
    #[error(
        "{what} covers bytes {start} to {end}, but only {available} bytes are there; export the file again"
    )]
    OutOfBounds {
        /// What covers them.
        what: &'static str,
        /// First byte.
        start: u64,
        /// One past the last byte (saturated).
        end: u64,
        /// Bytes there are.
        available: u64,
    },
    /// Data that doesn't start on a multiple of its component's size.
    #[error("byte offset {offset} is not a multiple of {alignment}; export the file again")]
    Misaligned {
        /// The offset, from the buffer's start.
        offset: u64,
        /// The component's size.
        alignment: u64,
    },
    /// A stride that glTF forbids.
    #[error(
        "a byte stride of {stride} is not allowed for elements of {element} bytes; use a multiple of 4 from the element's size to 252"
    )]
    Stride {
        /// The stride.
        stride: u64,
        /// Bytes of an element.
        element: u64,
    },
    /// An accessor of the wrong type for its use.
    #[error("is {found}, but {expected} is needed; export the file again")]
    AccessorType {
        /// What it is.
        found: String,
        /// What would do.
        expected: &'static str,
    },
    /// Two numbers that must agree.
    #[error("{what}: {found} found, {expected} expected; export the file again")]
    Count {
        /// What is counted.
        what: &'static str,
        /// What there are.
        found: u64,
        /// What there should be.
        expected: u64,
    },
    /// Sparse indices or key times that don't rise.
    #[error("{what} must rise, but element {index} doesn't; export the file again")]
    NotRising {
        /// What must rise.
        what: &'static str,
        /// Which element.
        index: u64,
    },
    /// A reference to another file that the policy refuses.
    #[error("the URI {uri:?} {problem}")]
    Uri {
        /// The URI, shortened.
        uri: String,
        /// Why it is refused.
        problem: UriProblem,
    },
    /// An image that can't be decoded.
    #[error("the image can't be decoded: {0}; convert it to PNG or JPEG again")]
    Image(String),
    /// Meshopt data that can't be decoded.
    #[error("EXT_meshopt_compression: {0}; compress the file again")]
    Meshopt(String),
}

/// Why a URI is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UriProblem {
    /// It has a scheme other than `data:`.
    #[error("has a scheme; only data: and paths beside the scene are followed")]
    Scheme,
    /// It is absolute.
    #[error("is absolute; only paths beside the scene are followed")]
    Absolute,
    /// It leaves the scene's folder.
    #[error("leaves the scene's folder; put the file beside the scene")]
    Escape,
    /// A percent sign without two hex digits, a NUL, or bytes that aren't UTF-8.
    #[error("is not correctly percent-encoded")]
    PercentEncoding,
    /// It has a query or a fragment, or is empty.
    #[error("names no file; a query or fragment has no meaning here")]
    NotAPath,
    /// The scene has no folder to look in.
    #[error("names a file, but the scene was given without a folder; pass one or use a GLB")]
    NoFolder,
    /// A `data:` URI without base64 data.
    #[error("is a data URI that isn't base64; export the file again")]
    DataHeader,
    /// Base64 that can't be decoded.
    #[error("holds base64 that can't be decoded; export the file again")]
    Base64,
}
