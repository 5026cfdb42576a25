//! Places in the JSON, built on the stack and spelt out only when something is wrong.
use crate::error::{ErrorKind, ImportError};

/// One step of a JSON pointer, linked to those before it.
#[derive(Clone, Copy)]
pub(super) struct Pointer<'a> {
    parent: Option<&'a Pointer<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Pointer<'a> {
    /// The whole document.
    pub(super) const ROOT: Pointer<'static> = Pointer { parent: None, step: Step::Root };

    /// A member of this object.
    pub(super) fn key(&'a self, key: &'a str) -> Pointer<'a> {
        Pointer { parent: Some(self), step: Step::Key(key) }
    }

    /// An element of this array.
    pub(super) fn index(&'a self, index: usize) -> Pointer<'a> {
        Pointer { parent: Some(self), step: Step::Index(index) }
    }

    /// Whether this place, or (`up` = 1) the one above it and so on, is a member of this name.
    pub(super) fn is_key(&self, key: &str, up: usize) -> bool {
        let place = (0..up).try_fold(self, |place, _| place.parent);
        matches!(place, Some(Pointer { step: Step::Key(found), .. }) if *found == key)
    }

    /// An error at this place.
    pub(super) fn error(&self, kind: ErrorKind) -> ImportError {
        ImportError::at(self.to_string(), kind)
    }

    /// An error about a value that glTF doesn't allow here.
    pub(super) fn invalid(&self, why: impl Into<String>) -> ImportError {
        self.error(ErrorKind::Invalid(why.into()))
    }

    /// Checks an index of this place against the length of the list it refers into.
    pub(super) fn check_index(
        &self,
        what: &'static str,
        index: usize,
        count: usize,
    ) -> Result<usize, ImportError> {
        if index < count {
            return Ok(index);
        }
        Err(self.error(ErrorKind::IndexOutOfRange { what, index: index as u64, count: count as u64 }))
    }

    /// Checks numbers of this place for NaN and infinity.
    pub(super) fn check_finite(&self, values: &[f32]) -> Result<(), ImportError> {
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(index) => Err(self.error(ErrorKind::NotFinite { index: index as u64 })),
        }
    }
}

impl std::fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut steps = Vec::new();
        let mut place = Some(self);
        while let Some(pointer) = place {
            steps.push(pointer.step);
            place = pointer.parent;
        }
        for step in steps.iter().rev() {
            match step {
                Step::Root => {}
                Step::Key(key) => write!(f, "/{}", escape(key))?,
                Step::Index(index) => write!(f, "/{index}")?,
            }
        }
        Ok(())
    }
}

/// Escapes a key for a JSON pointer (RFC 6901, section 3).
pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
