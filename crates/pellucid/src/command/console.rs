//! Standard output and standard error. Writing to a reader that has gone is no failure and no panic.

use super::failure::{Failure, Kind};
use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

/// Writes text and a line's end to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    write(text.as_bytes(), b"\n")
}

/// Writes a file's bytes to standard output, unless that is somebody's terminal.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        return Err(Failure::new(
            Kind::Output,
            "standard output is a terminal; send it to a file or a program, or name a file with -o",
        ));
    }
    write(bytes, b"")
}

fn write(bytes: &[u8], end: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.write_all(end)).and_then(|()| out.flush()) {
        // `pellucid info big.glb | head -1` has got what it wanted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::new(Kind::Output, format!("can't write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Writes a line to standard error. There is nobody to tell when that fails.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(text));
}

/// Text from a file, without what could drive the terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    let drives = |c: char| c.is_control() && c != '\n';
    if text.contains(drives) { text.replace(drives, "\u{fffd}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_cannot_drive_the_terminal() {
        assert_eq!(printable("red \u{1b}[31m\u{7}\r"), "red \u{fffd}[31m\u{fffd}\u{fffd}");
        assert_eq!(printable("two\nlines, naïve"), "two\nlines, naïve");
    }
}
