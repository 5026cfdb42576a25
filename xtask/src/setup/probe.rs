//! Looks for what building, drawing and testing need. Only reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::exec;
use crate::version::Version;

/// The oldest Mesa whose lavapipe does what Pellucid asks of it.
pub const MESA: Version = Version::new(25, 0, 0);

/// The Vulkan version that such a lavapipe reports in its manifest.
const LAVAPIPE_API: Version = Version::new(1, 4, 0);

/// Where loaders look for shared libraries on the Linux systems we know of.
const LIBRARY_FOLDERS: [&str; 6] = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
    "/lib",
];

/// Where the Vulkan loader looks for manifests, below each of which are `icd.d` and `explicit_layer.d`.
const VULKAN_FOLDERS: [&str; 3] = ["/usr/share/vulkan", "/etc/vulkan", "/usr/local/share/vulkan"];

/// The Vulkan loader.
pub fn vulkan_loader() -> Option<String> {
    LIBRARY_FOLDERS
        .iter()
        .map(|folder| format!("{folder}/libvulkan.so.1"))
        .find(|path| Path::new(path).exists())
}

/// A lavapipe that is recent enough: its version, or what was found instead.
pub fn lavapipe() -> Result<String, String> {
    let Some(manifest) = manifest("icd.d", "lvp_icd") else { return Err("not installed".into()) };
    // The package says which Mesa it is; the manifest only which Vulkan. So the package first, where there is dpkg.
    if let Some(version) = package_version("mesa-vulkan-drivers") {
        let recent = Version::parse(&version).is_some_and(|version| version >= MESA);
        return if recent {
            Ok(format!("Mesa {version}"))
        } else {
            Err(format!("Mesa {version} is too old"))
        };
    }
    let api = fs::read_to_string(&manifest).ok().and_then(|text| json_string(&text, "api_version"));
    match api.as_deref().and_then(Version::parse) {
        Some(version) if version >= LAVAPIPE_API => Ok(format!("Vulkan {version}")),
        Some(version) => Err(format!("it offers Vulkan {version} only, so its Mesa is older than {MESA}")),
        None => Err(format!("{} does not say which Vulkan it offers", manifest.display())),
    }
}

/// Khronos' validation layer.
pub fn validation_layer() -> Option<String> {
    manifest("explicit_layer.d", "VkLayer_khronos_validation").map(|path| path.display().to_string())
}

/// A program, with the first line of what it says when asked for its version.
pub fn program(name: &str, version_arguments: &[&str]) -> Option<String> {
    exec::find(name)?;
    let said = exec::read(Command::new(name).args(version_arguments)).ok()?;
    said.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// The installed version of a Debian package, where there is dpkg and the package.
pub fn package_version(package: &str) -> Option<String> {
    exec::find("dpkg-query")?;
    let said = exec::read(Command::new("dpkg-query").args([
        "-W",
        "-f",
        "${db:Status-Status} ${Version}\n",
        package,
    ]))
    .ok()?;
    said.lines().find_map(|line| line.strip_prefix("installed ")).map(str::to_owned)
}

/// A Vulkan manifest whose file name starts so.
fn manifest(kind: &str, prefix: &str) -> Option<PathBuf> {
    VULKAN_FOLDERS.iter().find_map(|folder| {
        fs::read_dir(Path::new(folder).join(kind)).ok()?.flatten().map(|entry| entry.path()).find(|path| {
            path.file_name().is_some_and(|name| {
                let name = name.to_string_lossy();
                name.starts_with(prefix) && name.ends_with(".json")
            })
        })
    })
}

/// The value of the first member of this name that is a string without escapes; enough for Vulkan's manifests.
fn json_string(text: &str, member: &str) -> Option<String> {
    let after = text.split_once(&format!("\"{member}\""))?.1.trim_start().strip_prefix(':')?.trim_start();
    let value = after.strip_prefix('"')?.split_once('"')?.0;
    Some(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_manifest() {
        let text = "{\n \"ICD\": {\n  \"api_version\" : \"1.4.305\",\n  \"library_path\": \"libvulkan_lvp.so\"\n }\n}";
        assert_eq!(json_string(text, "api_version").as_deref(), Some("1.4.305"));
        assert_eq!(json_string(text, "version"), None);
        assert_eq!(json_string("{\"api_version\": 1", "api_version"), None);
    }
}
