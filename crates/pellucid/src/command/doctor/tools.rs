//! Programs that help and that nothing needs.

use serde::Serialize;
use std::path::{Path, PathBuf};

/// A program and where it is.
#[derive(Debug, Serialize)]
pub struct Tool {
    pub name: &'static str,
    pub purpose: &'static str,
    /// Null when it isn't on the PATH.
    pub path: Option<String>,
    pub remedy: String,
}

/// Name, purpose, Debian's package.
const TOOLS: [(&str, &str, &str); 3] = [
    ("vulkaninfo", "the driver's own report", "vulkan-tools"),
    ("spirv-val", "checks compiled shaders when Pellucid is built", "spirv-tools"),
    ("renderdoccmd", "records a frame's GPU work", "renderdoc"),
];

/// Looks for every tool on the PATH.
pub fn look() -> Vec<Tool> {
    let folders: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let tool = |(name, purpose, package)| Tool {
        name,
        purpose,
        path: find(name, &folders).map(|path| path.display().to_string()),
        remedy: install(package),
    };
    TOOLS.map(tool).into()
}

/// How a package is installed here, by Debian's name for it.
pub fn install(package: &str) -> String {
    if Path::new("/etc/debian_version").exists() {
        format!("install it with: apt-get install {package}")
    } else {
        format!("install what Debian calls {package}")
    }
}

fn find(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders.iter().map(|folder| folder.join(&name)).find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn only_programs_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spirv-val");
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let folders = [PathBuf::from("/nowhere"), folder.path().to_owned()];
        assert_eq!(find("spirv-val", &folders), None);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find("spirv-val", &folders), Some(path));
    }
}
