//! A scratch copy of the fixture shaders, and requests to build it.
use pellucid_shader::build::{BuildRequest, Shader, compile};
use pellucid_shader::toolchain;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The fixtures, compiled once for every test that only looks at them.
pub static BUILT: LazyLock<(Scratch, Vec<Shader>)> = LazyLock::new(|| {
    let scratch = Scratch::new();
    let shaders = compile(&scratch.request()).unwrap().shaders;
    (scratch, shaders)
});

pub struct Scratch {
    pub root: TempDir,
}

impl Scratch {
    /// The fixtures, copied.
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shaders");
        copy(&from, &root.path().join("shaders"));
        Self { root }
    }

    /// A folder with one shader that has this text.
    pub fn with_source(text: &str, entry: &str, stage: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let scratch = Self { root };
        fs::create_dir_all(scratch.path("shaders")).unwrap();
        scratch.write("shaders/only.slang", text);
        scratch.write(
            "shaders/shaders.toml",
            &format!("[[shader]]\nname = \"only\"\nfile = \"only.slang\"\nentry = \"{entry}\"\nstage = \"{stage}\"\n"),
        );
        scratch
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// A request with the toolchain of this checkout and nothing of the environment.
    pub fn request(&self) -> BuildRequest {
        BuildRequest {
            shaders_dir: self.path("shaders"),
            manifest: self.path("shaders/shaders.toml"),
            out_dir: self.path("out"),
            artifacts_dir: self.path("artifacts"),
            cache_dir: self.path("cache"),
            toolchain: toolchain::locate(Path::new(env!("CARGO_MANIFEST_DIR"))),
            validator: "spirv-val".into(),
            require_validator: true,
            threads: 2,
        }
    }

    /// As [`Self::request`] on a machine that has no toolchain.
    pub fn request_without_toolchain(&self) -> BuildRequest {
        BuildRequest { toolchain: toolchain::locate_with(None, Path::new("/")), ..self.request() }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        let target = to.join(file.file_name());
        if file.file_type().unwrap().is_dir() {
            copy(&file.path(), &target);
        } else {
            fs::copy(file.path(), target).unwrap();
        }
    }
}

/// The compiled fixture `name`.
pub fn built(name: &str) -> &'static Shader {
    BUILT.1.iter().find(|shader| shader.record.name == name).unwrap()
}
