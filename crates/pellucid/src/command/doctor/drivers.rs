//! The Vulkan drivers that the loader would find: their manifests, by the loader's own search order.

use super::tools;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Manifests listed; a machine with more has them in folders that can be looked into.
const MAX_MANIFESTS: usize = 64;

/// Driver manifests.
#[derive(Debug, Serialize)]
pub struct Drivers {
    /// The environment variable that replaces the search, when one is set.
    overridden_by: Option<&'static str>,
    manifests: Vec<String>,
    /// What to do; null when there are manifests.
    remedy: Option<String>,
}

impl Drivers {
    /// Looks where the loader looks.
    pub fn find() -> Self {
        Self::find_in(|name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
    }

    fn find_in(variable: impl Fn(&str) -> Option<PathBuf>) -> Self {
        // The first replaces the second, which is deprecated; both hold a list of files or folders.
        let set = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"]
            .into_iter()
            .find_map(|name| variable(name).map(|value| (name, value)));
        let (overridden_by, places) = match &set {
            Some((name, value)) => (Some(*name), std::env::split_paths(value).collect()),
            None => (None, standard_places(&variable)),
        };
        let mut manifests: Vec<String> =
            places.iter().flat_map(|place| manifests(place)).take(MAX_MANIFESTS).collect();
        manifests.dedup();
        let remedy = match (manifests.is_empty(), overridden_by) {
            (false, _) => None,
            (true, Some(name)) => Some(format!("{name} names no driver manifest; unset it or correct it")),
            (true, None) => Some(tools::install("mesa-vulkan-drivers, which draws without a GPU too")),
        };
        Self { overridden_by, manifests, remedy }
    }

    pub fn write(&self, out: &mut String) -> std::fmt::Result {
        let by = self.overridden_by.map_or(String::new(), |name| format!(" (by {name})"));
        match &self.remedy {
            Some(remedy) => writeln!(out, "--  Vulkan drivers{by}: none found\n      {remedy}"),
            // Windows keeps its drivers in the registry, which is not searched here.
            None => writeln!(out, "ok  Vulkan drivers{by}: {}", self.manifests.join(", ")),
        }
    }
}

/// The loader's folders, nearest first ("Vulkan loader: driver interface", Linux).
fn standard_places(variable: &impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    let home = |below: &str| variable("HOME").map(|home| home.join(below));
    let list = |name: &str, otherwise: &str| -> Vec<PathBuf> {
        let value = variable(name).unwrap_or_else(|| otherwise.into());
        std::env::split_paths(&value).collect()
    };
    let mut places: Vec<PathBuf> =
        variable("XDG_CONFIG_HOME").or_else(|| home(".config")).into_iter().collect();
    places.extend(list("XDG_CONFIG_DIRS", "/etc/xdg"));
    places.extend(["/usr/local/etc", "/etc"].map(PathBuf::from));
    places.extend(variable("XDG_DATA_HOME").or_else(|| home(".local/share")));
    places.extend(list("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
    places.into_iter().map(|place| place.join("vulkan/icd.d")).collect()
}

/// The manifest that a place is, or those that lie in it, by name.
fn manifests(place: &Path) -> Vec<String> {
    let is_manifest =
        |path: &Path| path.is_file() && path.extension().is_some_and(|extension| extension == "json");
    if is_manifest(place) {
        return vec![place.display().to_string()];
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut found: Vec<String> = entries
        .map(|entry| entry.path())
        .filter(|path| is_manifest(path))
        .take(MAX_MANIFESTS)
        .map(|path| path.display().to_string())
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_manifests_and_says_when_there_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let drivers = folder.path().join("share/vulkan/icd.d");
        std::fs::create_dir_all(&drivers).unwrap();
        for name in ["b.json", "a.json", "readme.txt"] {
            std::fs::write(drivers.join(name), "{}").unwrap();
        }
        let found = |set: &[(&str, PathBuf)]| {
            Drivers::find_in(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone()))
        };
        let empty = folder.path().join("empty");
        let searched = found(&[
            ("XDG_DATA_DIRS", folder.path().join("share")),
            ("XDG_CONFIG_DIRS", empty.clone()),
            ("HOME", empty.clone()),
        ]);
        let names: Vec<_> =
            searched.manifests.iter().filter(|path| path.starts_with(drivers.to_str().unwrap())).collect();
        assert!(
            names.len() == 2 && names[0].ends_with("a.json") && names[1].ends_with("b.json"),
            "{names:?}"
        );

        let named = found(&[("VK_ICD_FILENAMES", empty), ("VK_DRIVER_FILES", drivers.join("a.json"))]);
        assert_eq!((named.overridden_by, named.manifests.len()), (Some("VK_DRIVER_FILES"), 1));

        let wrong = found(&[("VK_DRIVER_FILES", drivers.join("readme.txt"))]);
        assert!(wrong.remedy.unwrap().contains("VK_DRIVER_FILES"));
    }
}
