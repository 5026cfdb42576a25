//! What can go wrong in the build step.
use crate::spirv::SpirvError;
use crate::toolchain::ToolchainError;
use std::io;
use std::path::{Path, PathBuf};

/// Why shaders were not built. Each text is what the person at the build sees.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Cargo's environment isn't there.
    #[error("{variable} is not set: call this from a Cargo build script")]
    NotACargoBuild {
        /// The variable.
        variable: &'static str,
    },
    /// A file operation failed.
    #[error("cannot {what} {path}: {error}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// `shaders.toml` is wrong.
    #[error("{path}: {message}")]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong and where.
        message: String,
    },
    /// No compiler, and no packaged artifacts either.
    #[error("no shader compiler: {0}")]
    Toolchain(#[from] ToolchainError),
    /// The compiler couldn't be started.
    #[error("cannot start {program}: {error}")]
    Start {
        /// The program.
        program: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The compiler refused a shader.
    #[error("shader `{shader}` does not compile:\n{diagnostics}")]
    Compile {
        /// The shader's name.
        shader: String,
        /// What the compiler said, with files and lines.
        diagnostics: String,
    },
    /// Several shaders failed, each in its own way.
    #[error("{}", one_by_one(.errors))]
    Several {
        /// Why, in the manifest's order.
        errors: Vec<BuildError>,
    },
    /// A shader includes a file that its package couldn't carry.
    #[error("shader `{shader}` includes {path}, which is outside the shader folder {folder}")]
    Outside {
        /// The shader's name.
        shader: String,
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The compiler's reflection isn't understood.
    #[error("shader `{shader}`: {message}")]
    Reflection {
        /// The shader's name.
        shader: String,
        /// What was met.
        message: String,
    },
    /// The module isn't understood.
    #[error("shader `{shader}`: its SPIR-V is not usable: {error}")]
    Spirv {
        /// The shader's name.
        shader: String,
        /// The cause.
        error: SpirvError,
    },
    /// Reflection and module disagree.
    #[error("shader `{shader}`: its SPIR-V and its reflection disagree: {message}")]
    Disagree {
        /// The shader's name.
        shader: String,
        /// On what.
        message: String,
    },
    /// The validator refused a module.
    #[error("shader `{shader}`: spirv-val refuses it:\n{diagnostics}")]
    Invalid {
        /// The shader's name.
        shader: String,
        /// What the validator said.
        diagnostics: String,
    },
    /// There is no validator, and one is required.
    #[error("spirv-val is not installed, and PELLUCID_REQUIRE_SPIRV_VAL asks for it: install `spirv-tools`")]
    NoValidator,
    /// A host struct's name isn't in the shader.
    #[error("shaders.toml: shader `{shader}` has no struct `{name}` in its buffers; there are: {available}")]
    NoSuchStruct {
        /// The shader's name.
        shader: String,
        /// The struct's name.
        name: String,
        /// What there is.
        available: String,
    },
    /// One struct lies in memory in two ways.
    #[error(
        "shaders.toml: struct `{name}` of shader `{shader}` has one layout in a uniform buffer and another in a \
         storage buffer: a single Rust struct cannot mirror both, so name two structs in the shader"
    )]
    TwoLayouts {
        /// The shader's name.
        shader: String,
        /// The struct's name.
        name: String,
    },
    /// Packaged artifacts don't fit the sources or are damaged.
    #[error("stale artifacts: {message}: run `cargo xtask shaders --package`")]
    Stale {
        /// What doesn't fit.
        message: String,
    },
}

fn one_by_one(errors: &[BuildError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl BuildError {
    /// All of these as one. Entry points of one file fail with the same words, which are told once.
    pub(super) fn all(mut errors: Vec<Self>) -> Option<Self> {
        let mut told: Vec<String> = Vec::new();
        errors.retain(|error| match error {
            Self::Compile { diagnostics, .. } if told.contains(diagnostics) => false,
            Self::Compile { diagnostics, .. } => {
                told.push(diagnostics.clone());
                true
            }
            _ => true,
        });
        if errors.len() > 1 { Some(Self::Several { errors }) } else { errors.pop() }
    }

    pub(super) fn io(what: &'static str, path: &Path, error: io::Error) -> Self {
        Self::Io { what, path: path.to_path_buf(), error }
    }
}
