//! References to other files, and the policy they must keep.
//!
//! A scene may name `data:` URIs, and files in its own folder or below it. Nothing else is followed: no scheme,
//! no absolute path, no `..` past the folder, plain or percent-encoded or by way of a symbolic link.
use crate::error::{ErrorKind, ImportError, UriProblem};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Writers differ about padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What a URI leads to.
#[derive(Debug)]
pub(super) enum Target<'a> {
    /// Base64 text of a `data:` URI.
    Base64(&'a str),
    /// A file, inside the scene's folder.
    File(PathBuf),
}

fn refuse(uri: &str, problem: UriProblem) -> ErrorKind {
    ErrorKind::Uri { uri: shorten(uri), problem }
}

/// A file that a scene refers to and that can't be read.
pub(super) fn unreadable(uri: &str, error: std::io::Error) -> ErrorKind {
    ErrorKind::Reference { uri: shorten(uri), error }
}

fn shorten(uri: &str) -> String {
    // Long enough to recognise, short enough to print.
    const SHOWN: usize = 80;
    let mut shown: String = uri.chars().take(SHOWN).collect();
    if shown.len() < uri.len() {
        shown.push('…');
    }
    shown
}

/// Applies the policy. `folder` is the scene's.
pub(super) fn resolve<'a>(uri: &'a str, folder: Option<&Path>) -> Result<Target<'a>, ErrorKind> {
    let error = |problem| refuse(uri, problem);
    if let Some(data) = strip_prefix_ignoring_case(uri, "data:") {
        let (head, text) = data.split_once(',').ok_or_else(|| error(UriProblem::DataHeader))?;
        let base64 = head.rsplit(';').next().is_some_and(|last| last.eq_ignore_ascii_case("base64"));
        return if base64 { Ok(Target::Base64(text)) } else { Err(error(UriProblem::DataHeader)) };
    }
    if has_scheme(uri) {
        return Err(error(UriProblem::Scheme));
    }
    if uri.is_empty() || uri.contains(['?', '#']) {
        return Err(error(UriProblem::NotAPath));
    }
    let name = decode_percent(uri).ok_or_else(|| error(UriProblem::PercentEncoding))?;
    // Windows' separators and drive letters are refused everywhere: a scene means the same on every system.
    if name.starts_with(['/', '\\']) || has_scheme(&name) {
        return Err(error(UriProblem::Absolute));
    }
    if name.contains('\\') {
        return Err(error(UriProblem::Escape));
    }
    let folder = folder.ok_or_else(|| error(UriProblem::NoFolder))?;
    let mut depth = 0_i64;
    for part in Path::new(&name).components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => depth -= 1,
            Component::RootDir | Component::Prefix(_) => return Err(error(UriProblem::Absolute)),
        }
        if depth < 0 {
            return Err(error(UriProblem::Escape));
        }
    }
    let path = folder.join(&name);
    // Symbolic links: where the path really leads must be below where the folder really is.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = |path: &Path| std::fs::canonicalize(path).map_err(|error| unreadable(uri, error));
    let (real_folder, real) = (real(folder)?, real(&path)?);
    if !real.starts_with(&real_folder) {
        return Err(error(UriProblem::Escape));
    }
    Ok(Target::File(real))
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// A letter, then letters, digits, `+`, `-`, `.`, then a colon (RFC 3986, section 3.1). `C:` counts too.
fn has_scheme(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Strict: each percent sign takes two hex digits, and the result is UTF-8 without NUL.
fn decode_percent(uri: &str) -> Option<String> {
    let bytes = uri.as_bytes();
    for (at, _) in uri.match_indices('%') {
        let digits = bytes.get(at + 1..at + 3)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
    }
    let name = percent_decode_str(uri).decode_utf8().ok()?;
    (!name.contains('\0')).then(|| name.into_owned())
}

/// Bytes that `text` decodes to at most.
pub(super) fn base64_size(text: &str) -> u64 {
    base64::decoded_len_estimate(text.len()) as u64
}

pub(super) fn decode_base64(uri: &str, text: &str) -> Result<Vec<u8>, ErrorKind> {
    // Some writers percent-encode the data's `+`, `/` and `=`.
    let text = if text.contains('%') {
        decode_percent(text).ok_or_else(|| refuse(uri, UriProblem::PercentEncoding))?.into()
    } else {
        std::borrow::Cow::Borrowed(text)
    };
    BASE64.decode(text.as_bytes()).map_err(|_| refuse(uri, UriProblem::Base64))
}

/// Reads a whole file of at most `limit` bytes. The size is checked before memory is taken, and again while
/// reading, for files that grow or don't know their size.
pub(super) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ImportError> {
    let fail = |kind| ImportError::new(kind).in_file(Some(path));
    // Looked at before it is opened: opening a pipe would wait for its writer.
    let found = std::fs::metadata(path).map_err(|error| fail(ErrorKind::Read(error)))?;
    if !found.is_file() {
        return Err(fail(ErrorKind::NotAFile));
    }
    let too_large =
        |found| fail(ErrorKind::Limit { what: "bytes of a file", found, limit, option: "file_bytes" });
    if found.len() > limit {
        return Err(too_large(found.len()));
    }
    let file = File::open(path).map_err(|error| fail(ErrorKind::Read(error)))?;
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or(0));
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| fail(ErrorKind::Read(error)))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
