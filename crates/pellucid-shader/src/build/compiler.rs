//! Runs `slangc` for one entry point.
use super::manifest::ShaderEntry;
use super::{BuildError, hash};
use crate::toolchain::{Toolchain, VERSION};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The options that decide what comes out, the same for every shader.
///
/// SM 6.5 is the portable ceiling (the D3D12 lane runs no higher), and SPIR-V 1.5 is what a Vulkan 1.2 device
/// with the 1.3 extensions takes too. The layout options make a buffer's bytes the same for SPIR-V and DXIL.
pub(super) const OPTIONS: &[&str] = &[
    "-target",
    "spirv",
    "-profile",
    "sm_6_5",
    "-capability",
    "spirv_1_5",
    "-fvk-use-dx-layout",
    "-fvk-use-entrypoint-name",
    "-matrix-layout-column-major",
    "-O2",
    "-g0",
];

/// What a run of the compiler gave.
pub(super) struct Compiled {
    pub spirv: Vec<u8>,
    pub reflection: String,
    /// Absolute paths of the source and every include.
    pub sources: Vec<PathBuf>,
    pub warnings: Vec<String>,
}

/// SHA-256 of everything but the sources that decides what comes out.
pub(super) fn command_hash(entry: &ShaderEntry) -> String {
    let fixed = [FORMAT, VERSION].into_iter().chain(OPTIONS.iter().copied());
    let own = [entry.file.as_str(), entry.entry.as_str(), entry.stage.name()];
    hash::of_parts(fixed.chain(own).map(str::as_bytes))
}

/// Counts up when this crate reads or keeps reflection in another way, so that old cache entries are left.
const FORMAT: &str = "pellucid-shader record 1";

/// Compiles `entry`; includes and imports are looked for from the shader folder and from `common` in it. `work` is
/// a folder for what comes out, in which only this call may use the shader's name.
pub(super) fn compile(
    toolchain: &Toolchain,
    shaders_dir: &Path,
    entry: &ShaderEntry,
    work: &Path,
) -> Result<Compiled, BuildError> {
    let file = |suffix: &str| work.join(format!("{}.{suffix}", entry.name));
    let (spirv, reflection, depfile) = (file("new.spv"), file("new.json"), file("new.d"));
    let output = Command::new(&toolchain.slangc)
        .current_dir(shaders_dir)
        .arg(&entry.file)
        .args(["-I", ".", "-I", "common"])
        .args(OPTIONS)
        .args(["-entry", &entry.entry, "-stage", entry.stage.name()])
        .arg("-reflection-json")
        .arg(&reflection)
        .arg("-depfile")
        .arg(&depfile)
        .arg("-o")
        .arg(&spirv)
        .output()
        .map_err(|error| BuildError::Start { program: toolchain.slangc.clone(), error })?;
    let diagnostics = tidy(&String::from_utf8_lossy(&output.stderr));
    if !output.status.success() || !spirv.is_file() {
        let diagnostics =
            if diagnostics.is_empty() { format!("slangc ended with {}", output.status) } else { diagnostics };
        return Err(BuildError::Compile { shader: entry.name.clone(), diagnostics });
    }
    let bytes = |path: &Path| fs::read(path).map_err(|error| BuildError::io("read", path, error));
    let text = |path: &Path| fs::read_to_string(path).map_err(|error| BuildError::io("read", path, error));
    let compiled = Compiled {
        spirv: bytes(&spirv)?,
        reflection: text(&reflection)?,
        sources: parse_depfile(&text(&depfile)?),
        warnings: split_warnings(&diagnostics),
    };
    for path in [&spirv, &reflection, &depfile] {
        // Left behind, the file is only in the way of nobody.
        let _ = fs::remove_file(path);
    }
    Ok(compiled)
}

/// The prerequisites of a depfile: `target: a b\ c`.
fn parse_depfile(text: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        let Some((_, list)) = line.split_once(": ") else { continue };
        let mut path = String::new();
        let mut characters = list.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' if characters.peek() == Some(&' ') => path.extend(characters.next()),
                ' ' => paths.extend(Some(std::mem::take(&mut path)).filter(|path| !path.is_empty())),
                other => path.push(other),
            }
        }
        paths.extend(Some(path).filter(|path| !path.is_empty()));
    }
    paths.sort();
    paths.dedup();
    paths.into_iter().map(PathBuf::from).collect()
}

/// Drops the lines that only close a frame, and repeats.
fn tidy(diagnostics: &str) -> String {
    let lines: Vec<&str> = diagnostics
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.bytes().all(|byte| byte == b'-' || byte == b'\''))
        .collect();
    lines.join("\n")
}

/// One text a warning; the same warning once.
fn split_warnings(diagnostics: &str) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    for line in diagnostics.lines() {
        match warnings.last_mut() {
            Some(last) if !line.starts_with("warning") => {
                last.push('\n');
                last.push_str(line);
            }
            _ => warnings.push(line.to_owned()),
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    warnings.retain(|warning| seen.insert(warning.clone()));
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depfiles_are_split_at_bare_spaces_only() {
        let paths = parse_depfile("out.spv: /a/one.slang /a/with\\ space.slang /a/one.slang\n");
        assert_eq!(paths, [PathBuf::from("/a/one.slang"), PathBuf::from("/a/with space.slang")]);
        assert!(parse_depfile("").is_empty());
    }

    #[test]
    fn warnings_keep_their_lines_and_come_once() {
        let text = "warning[E1]: a\n --> f.slang:1:2\nwarning[E2]: b\n --> f.slang:3:4\nwarning[E1]: a\n --> f.slang:1:2";
        let warnings = split_warnings(&tidy(&format!("{text}\n---'\n\n")));
        assert_eq!(warnings, ["warning[E1]: a\n --> f.slang:1:2", "warning[E2]: b\n --> f.slang:3:4"]);
    }
}
