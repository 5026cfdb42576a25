//! Just enough of version numbers to say whether an installed package is recent enough.

use std::fmt;

/// The leading dotted numbers of a version, compared number by number; a missing part counts as 0.
///
/// Of a Debian version this is the upstream part: `1:25.0.7-2~bpo12+1` is 25.0.7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 3]);

impl Version {
    /// A version from its parts.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self([major, minor, patch])
    }

    /// Reads the first version in a text; `None` when it doesn't start with a number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = match text.split_once(':') {
            Some((epoch, rest)) if !epoch.is_empty() && epoch.bytes().all(|b| b.is_ascii_digit()) => rest,
            _ => text,
        };
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let mut parts = [0; 3];
        for (index, (slot, part)) in parts.iter_mut().zip(text[..end].split('.')).enumerate() {
            match part.parse() {
                Ok(number) => *slot = number,
                Err(_) if index == 0 => return None,
                Err(_) => break,
            }
        }
        Some(Self(parts))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_versions() {
        assert_eq!(Version::parse("25.0.7-2~bpo12+1"), Some(Version::new(25, 0, 7)));
        assert_eq!(Version::parse("1:2.3-4"), Some(Version::new(2, 3, 0)));
        assert_eq!(Version::parse("22.3.6-1+deb12u2"), Some(Version::new(22, 3, 6)));
        assert_eq!(Version::parse("1.3.239.0-1"), Some(Version::new(1, 3, 239)));
        assert_eq!(Version::parse("(none)"), None);
        assert_eq!(Version::parse(""), None);
        assert_eq!(Version::parse("99999999999"), None);
    }

    #[test]
    fn numbers_compare_as_numbers() {
        assert!(Version::parse("25.0.7") > Version::parse("9.99.99"));
        assert!(Version::parse("22.3.6") < Version::parse("25"));
        assert_eq!(Version::parse("25"), Version::parse("25.0.0~rc1"));
    }
}
