//! Which operating system this is, from `os-release`.

use std::fs;

/// What the set-up needs to know about the system it runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Os {
    /// `ID`, as in `debian`; the compiler's name of the system where there is no os-release.
    pub id: String,
    /// `ID_LIKE`, split at blanks.
    pub like: Vec<String>,
    /// `VERSION_ID` before its first point, where it is a number.
    pub version: Option<u32>,
    /// `VERSION_CODENAME`, as in `bookworm`.
    pub codename: Option<String>,
    /// `PRETTY_NAME`, for messages.
    pub name: String,
}

impl Os {
    /// Reads the system's os-release; never fails.
    pub fn read() -> Self {
        let text =
            ["/etc/os-release", "/usr/lib/os-release"].iter().find_map(|path| fs::read_to_string(path).ok());
        Self::parse(&text.unwrap_or_default())
    }

    /// Parses os-release's lines: `KEY=value`, the value perhaps in quotes, `#` starting a comment.
    pub fn parse(text: &str) -> Self {
        let value = |key: &str| {
            text.lines().find_map(|line| {
                let (name, value) = line.trim().split_once('=')?;
                (name == key).then(|| value.trim_matches(|c| c == '"' || c == '\'').to_owned())
            })
        };
        let id = value("ID").filter(|id| !id.is_empty()).unwrap_or_else(|| std::env::consts::OS.to_owned());
        Self {
            like: value("ID_LIKE").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
            version: value("VERSION_ID").and_then(|v| v.split('.').next()?.parse().ok()),
            codename: value("VERSION_CODENAME").filter(|name| !name.is_empty()),
            name: value("PRETTY_NAME").unwrap_or_else(|| id.clone()),
            id,
        }
    }

    /// Whether the set-up may install packages here by itself: Debian 12 or later.
    ///
    /// Debian's testing and unstable have no version number; they are later than 12.
    pub fn is_supported_debian(&self) -> bool {
        self.id == "debian" && self.version.is_none_or(|version| version >= 12)
    }

    /// Whether the system is this one or derives from it.
    pub fn is_like(&self, id: &str) -> bool {
        self.id == id || self.like.iter().any(|like| like == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookworm() {
        let os = Os::parse(
            "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n\
             VERSION=\"12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\n",
        );
        assert_eq!(os.id, "debian");
        assert_eq!(os.version, Some(12));
        assert_eq!(os.codename.as_deref(), Some("bookworm"));
        assert_eq!(os.name, "Debian GNU/Linux 12 (bookworm)");
        assert!(os.is_supported_debian());
    }

    #[test]
    fn others() {
        let bullseye = Os::parse("ID=debian\nVERSION_ID=\"11\"\nVERSION_CODENAME=bullseye\n");
        assert!(!bullseye.is_supported_debian());
        let sid = Os::parse("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux forky/sid\"\n");
        assert!(sid.is_supported_debian() && sid.codename.is_none());
        let mint = Os::parse("# a comment\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_ID=\"22.1\"\n");
        assert!(!mint.is_supported_debian() && mint.is_like("ubuntu") && mint.is_like("debian"));
        assert_eq!(mint.version, Some(22));
        let nothing = Os::parse("");
        assert_eq!(nothing.id, std::env::consts::OS);
        assert!(!nothing.is_supported_debian());
    }
}
