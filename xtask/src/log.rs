//! Cleans a log so that it can be kept with the project: no terminal codes, no addresses, no folders of the machine
//! it was made on, and no package manager's chatter.

/// Turns lines of raw output into lines worth keeping.
pub struct Filter {
    /// Folders of this machine and what to write instead, longest first.
    folders: Vec<(String, &'static str)>,
    left_out: usize,
}

/// Progress that says nothing afterwards, by how the line starts once blanks are gone.
const CHATTER: [&str; 13] = [
    "Get:",
    "Hit:",
    "Ign:",
    "Selecting previously unselected",
    "Preparing to unpack",
    "Unpacking ",
    "Setting up ",
    "(Reading database",
    "debconf: ",
    "Processing triggers",
    "Downloaded ",
    "Compiling ",
    "update-alternatives: ",
];

/// Endings by which a bare host name is known. File names don't end so.
const HOST_ENDINGS: [&str; 6] = [".org", ".com", ".net", ".io", ".dev", ".internal"];

impl Filter {
    /// A filter that hides these folders.
    pub fn new(folders: impl IntoIterator<Item = (String, &'static str)>) -> Self {
        let mut folders: Vec<_> = folders.into_iter().filter(|(folder, _)| folder.len() > 1).collect();
        folders.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
        Self { folders, left_out: 0 }
    }

    /// The lines to write for one raw line: none, or the line itself, after a note on what was left out before it.
    pub fn line(&mut self, raw: &str) -> Vec<String> {
        let text = self.clean(raw);
        if CHATTER.iter().any(|start| text.trim_start().starts_with(start)) {
            self.left_out += 1;
            return Vec::new();
        }
        let mut lines = self.finish();
        lines.push(text);
        lines
    }

    /// The note on what was left out at the end, if anything was.
    pub fn finish(&mut self) -> Vec<String> {
        match std::mem::take(&mut self.left_out) {
            0 => Vec::new(),
            1 => vec!["  [1 line of progress left out]".into()],
            count => vec![format!("  [{count} lines of progress left out]")],
        }
    }

    fn clean(&self, raw: &str) -> String {
        // A progress bar redraws its line; only the last drawing counts.
        let drawn = raw.trim_end_matches(['\r', '\n']).rsplit('\r').next().unwrap_or_default();
        let mut text = without_terminal_codes(drawn);
        for (folder, instead) in &self.folders {
            text = text.replace(folder, instead);
        }
        without_addresses(&text).trim_end().to_owned()
    }
}

/// Removes escape sequences of the form ESC `[` … letter, and other control characters.
fn without_terminal_codes(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if c == '\u{1b}' && characters.next_if_eq(&'[').is_some() {
            for code in characters.by_ref() {
                if ('@'..='~').contains(&code) {
                    break;
                }
            }
        } else if !c.is_control() || c == '\t' {
            kept.push(c);
        }
    }
    kept
}

/// Replaces URLs and host names, word by word; crates.io stays, since cargo calls the registry so.
fn without_addresses(text: &str) -> String {
    let separators = |c: char| c.is_whitespace() || "()[]<>'\",;".contains(c);
    let mut kept = String::with_capacity(text.len());
    for piece in text.split_inclusive(separators) {
        let word = piece.trim_end_matches(separators);
        let rest = &piece[word.len()..];
        let bare = word.trim_end_matches(['.', ':', '/']);
        if let Some(at) = word.find("://") {
            let scheme =
                word[..at].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |before| before + 1);
            kept.push_str(&word[..scheme]);
            kept.push_str("<address>");
        } else if bare != "crates.io" && HOST_ENDINGS.iter().any(|ending| bare.ends_with(ending)) {
            kept.push_str("<host>");
        } else {
            kept.push_str(word);
        }
        kept.push_str(rest);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(raw: &[&str]) -> Vec<String> {
        let mut filter =
            Filter::new([("/somewhere/main".to_owned(), "<project>"), ("/".to_owned(), "<never>")]);
        let mut kept: Vec<_> = raw.iter().flat_map(|line| filter.line(line)).collect();
        kept.extend(filter.finish());
        kept
    }

    #[test]
    fn addresses_and_folders_go() {
        assert_eq!(
            lines(&[
                "URIs: ftp://mirror.example.org/debian/",
                "Looking in indexes: ftp://a.b.net/simple, (from deb.example.com)",
                "Could not resolve 'files.example.io'.",
                "index=sparse+ftp://x.y.dev/",
                "$ /somewhere/main/target/room.png in /etc/apt",
                "Updating crates.io index",
            ]),
            [
                "URIs: <address>",
                "Looking in indexes: <address>, (from <host>)",
                "Could not resolve '<host>'.",
                "index=sparse+<address>",
                "$ <project>/target/room.png in /etc/apt",
                "Updating crates.io index",
            ]
        );
    }

    #[test]
    fn terminal_codes_and_redrawn_bars_go() {
        assert_eq!(
            lines(&["\u{1b}[1m\u{1b}[92mbold\u{1b}[0m", "10%\r50%\r100% done\r"]),
            ["bold", "100% done"]
        );
        assert_eq!(lines(&["\u{1b}[", "a\u{7}b"]), ["", "ab"]);
    }

    #[test]
    fn chatter_is_counted() {
        assert_eq!(
            lines(&["   Compiling a v1", "   Compiling b v1", "Finished", "Setting up gcc"]),
            ["  [2 lines of progress left out]", "Finished", "  [1 line of progress left out]"]
        );
    }
}
