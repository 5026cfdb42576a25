//! Compiles the renderer's Slang sources, or takes the compiled ones that a package carries.
use std::process::ExitCode;

fn main() -> ExitCode {
    pellucid_shader::build::from_cargo()
}
