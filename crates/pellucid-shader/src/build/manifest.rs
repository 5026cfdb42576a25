//! `shaders.toml`: which entry points are compiled, and which Rust structs mirror their memory.
use super::BuildError;
use crate::Stage;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path};

/// The most shaders in one manifest.
pub const MAX_SHADERS: usize = 4096;

/// `shaders.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Entry points.
    #[serde(default, rename = "shader")]
    pub shaders: Vec<ShaderEntry>,
    /// Rust structs that mirror shader memory.
    #[serde(default, rename = "host_struct")]
    pub host_structs: Vec<HostStruct>,
}

/// One entry point.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShaderEntry {
    /// Name, in `snake_case`: it becomes the Rust static in upper case.
    pub name: String,
    /// Source file, relative to the manifest's folder.
    pub file: String,
    /// Entry point.
    pub entry: String,
    /// Stage.
    pub stage: Stage,
}

/// One Rust struct.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostStruct {
    /// Name of the struct in Slang; the variable's when the struct has none.
    pub slang: String,
    /// The shader whose memory is looked at.
    pub shader: String,
    /// Path of the Rust struct, such as `crate::gpu::FrameUniforms`.
    pub rust: String,
}

impl Manifest {
    /// Reads and checks the manifest at `path`.
    ///
    /// # Errors
    /// It can't be read, is no TOML of this form, or names something twice or badly; the text gives the place.
    pub fn read(path: &Path) -> Result<Self, BuildError> {
        let text = fs::read_to_string(path).map_err(|error| BuildError::io("read", path, error))?;
        let bad = |message: String| BuildError::Manifest { path: path.to_path_buf(), message };
        let manifest: Self = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
        manifest.check().map_err(bad)?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), String> {
        if self.shaders.len() > MAX_SHADERS {
            return Err(format!("{} shaders; at most {MAX_SHADERS} are taken", self.shaders.len()));
        }
        let mut names = BTreeSet::new();
        for shader in &self.shaders {
            let name = &shader.name;
            if !is_snake_case(name) {
                return Err(format!(
                    "shader name `{name}` is not snake_case (a-z, 0-9 and _, a letter first)"
                ));
            }
            if !names.insert(name.as_str()) {
                return Err(format!("shader `{name}` is there twice"));
            }
            let inside =
                Path::new(&shader.file).components().all(|part| matches!(part, Component::Normal(_)));
            if shader.file.is_empty() || !inside || shader.file.contains('\\') {
                return Err(format!(
                    "shader `{name}`: file `{}` must be a path below the shader folder, with `/`",
                    shader.file
                ));
            }
            if !is_identifier(&shader.entry) {
                return Err(format!("shader `{name}`: entry `{}` is no identifier", shader.entry));
            }
        }
        let mut mirrors = BTreeSet::new();
        for host in &self.host_structs {
            if !names.contains(host.shader.as_str()) {
                return Err(format!("host_struct `{}`: there is no shader `{}`", host.slang, host.shader));
            }
            if !host.rust.split("::").all(is_identifier) {
                return Err(format!("host_struct `{}`: `{}` is no Rust path", host.slang, host.rust));
            }
            if !mirrors.insert((&host.slang, &host.shader, &host.rust)) {
                return Err(format!("host_struct `{}` of `{}` is there twice", host.slang, host.shader));
            }
        }
        Ok(())
    }
}

fn is_snake_case(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && name.len() <= 64
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Manifest, String> {
        let manifest: Manifest = toml::from_str(text).map_err(|error| error.to_string())?;
        manifest.check().map(|()| manifest)
    }

    fn shader(name: &str, file: &str, entry: &str, stage: &str) -> String {
        format!(
            "[[shader]]\nname = \"{name}\"\nfile = \"{file}\"\nentry = \"{entry}\"\nstage = \"{stage}\"\n"
        )
    }

    #[test]
    fn a_whole_manifest_is_read() {
        let text = shader("one", "a/b.slang", "main_vertex", "vertex")
            + "[[host_struct]]\nslang = \"Frame\"\nshader = \"one\"\nrust = \"crate::gpu::Frame\"\n";
        let manifest = parse(&text).unwrap();
        assert_eq!(manifest.shaders[0].stage, Stage::Vertex);
        assert_eq!(manifest.host_structs[0].rust, "crate::gpu::Frame");
        assert_eq!(parse("").unwrap(), Manifest::default());
    }

    #[test]
    fn each_mistake_is_named() {
        let good = shader("one", "a.slang", "main", "compute");
        let cases = [
            (shader("One", "a.slang", "main", "compute"), "snake_case"),
            (shader("one", "../a.slang", "main", "compute"), "below the shader folder"),
            (shader("one", "/a.slang", "main", "compute"), "below the shader folder"),
            (shader("one", "", "main", "compute"), "below the shader folder"),
            (shader("one", "a.slang", "ma in", "compute"), "no identifier"),
            (shader("one", "a.slang", "main", "pixel"), "pixel"),
            (good.clone() + &good, "there twice"),
            (good.clone() + "[[host_struct]]\nslang=\"S\"\nshader=\"two\"\nrust=\"S\"\n", "no shader `two`"),
            (good.clone() + "[[host_struct]]\nslang=\"S\"\nshader=\"one\"\nrust=\"a b\"\n", "no Rust path"),
            (good + "[[shadre]]\nname=\"x\"\n", "shadre"),
        ];
        for (text, expected) in cases {
            let error = parse(&text).unwrap_err();
            assert!(error.contains(expected), "{error} should say {expected}");
        }
    }
}
