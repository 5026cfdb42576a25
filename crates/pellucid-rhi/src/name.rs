//! Bounded names that live inline, so that recording never allocates for one.
use crate::MAX_NAME;
use std::ffi::CStr;
use std::fmt;

/// At most [`MAX_NAME`] bytes of UTF-8 without NUL, with a NUL behind them for the native side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name {
    bytes: [u8; MAX_NAME + 1],
    len: u8,
}

impl Name {
    pub(crate) fn new(text: &str) -> Self {
        let mut bytes = [0; MAX_NAME + 1];
        let text = text.split('\0').next().unwrap_or_default();
        let mut len = text.len().min(MAX_NAME);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        Self { bytes, len: len as u8 }
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }

    pub(crate) fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Default for Name {
    fn default() -> Self {
        Self { bytes: [0; MAX_NAME + 1], len: 0 }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_name_is_a_prefix_at_a_boundary(text in "\\PC{0,90}") {
            let name = Name::new(&text);
            prop_assert!(text.starts_with(name.as_str()));
            prop_assert!(name.as_str().len() <= MAX_NAME);
            prop_assert!(text.len() <= MAX_NAME || name.as_str().len() + 4 > MAX_NAME);
            prop_assert_eq!(name.as_c_str().to_bytes(), name.as_str().as_bytes());
        }
    }

    #[test]
    fn a_nul_ends_a_name() {
        assert_eq!(Name::new("before\0after").as_str(), "before");
    }
}
