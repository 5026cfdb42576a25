//! The command line.
use crate::error::BenchError;
use std::path::PathBuf;

/// What `--help` prints.
pub const HELP: &str = "\
usage: cargo xtask bench -- [runs=N] [size=N] [model=FILE]

  runs=N      measured runs of each contender, 3 to 200 (default 15)
  size=N      pixels a side, 16 to 8192 (default 1024)
  model=FILE  what is drawn (default models/DamagedHelmet/DamagedHelmet.glb below PELLUCID_ASSETS)

Takes the pellucid program from PELLUCID_BIN, else from beside this one.";

/// What to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// Measured runs of each contender.
    pub runs: usize,
    /// Pixels a side.
    pub size: u32,
    /// The model, when not the usual one.
    pub model: Option<PathBuf>,
}

impl Arguments {
    /// Reads the words after the program's name; `None` when help was asked for.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Option<Self>, BenchError> {
        let mut found = Self { runs: 15, size: 1024, model: None };
        for word in words {
            match word.split_once('=') {
                Some(("runs", n)) => found.runs = number(n, 3, 200)? as usize,
                Some(("size", n)) => found.size = number(n, 16, 8192)?,
                Some(("model", file)) => found.model = Some(file.into()),
                _ if matches!(word.as_str(), "help" | "-h" | "--help") => return Ok(None),
                _ => return Err(BenchError::Usage(format!("what is {word:?}?"))),
            }
        }
        Ok(Some(found))
    }
}

fn number(text: &str, least: u32, most: u32) -> Result<u32, BenchError> {
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| BenchError::Usage(format!("{text:?} is not a number from {least} to {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Option<Arguments>, BenchError> {
        Arguments::parse(words.iter().map(|w| (*w).to_owned()))
    }

    #[test]
    fn words() {
        let usual = parse(&[]).unwrap().unwrap();
        assert_eq!((usual.runs, usual.size, usual.model), (15, 1024, None));
        let given = parse(&["runs=3", "size=256", "model=a.glb"]).unwrap().unwrap();
        assert_eq!((given.runs, given.size, given.model), (3, 256, Some("a.glb".into())));
        assert_eq!(parse(&["--help"]).unwrap(), None);
        for bad in ["runs=2", "runs=", "size=0", "size=x", "what", "runs"] {
            assert!(parse(&[bad]).is_err(), "{bad}");
        }
    }
}
