//! The list of what has to be installed, and what each thing is called on the systems we know.

use std::process::Command;

use crate::exec;
use crate::os::Os;
use crate::setup::probe;

/// A family of systems that name their packages alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Debian, and what derives from it.
    Debian,
    /// Fedora, Red Hat and theirs.
    Fedora,
    /// Arch and theirs.
    Arch,
    /// openSUSE and SUSE.
    Suse,
}

impl Family {
    /// The family that a system belongs to, if we know it.
    pub fn of(os: &Os) -> Option<Self> {
        let like = |ids: &[&str]| ids.iter().any(|id| os.is_like(id));
        if like(&["debian", "ubuntu"]) {
            Some(Self::Debian)
        } else if like(&["fedora", "rhel"]) {
            Some(Self::Fedora)
        } else if like(&["arch"]) {
            Some(Self::Arch)
        } else if like(&["suse", "opensuse"]) {
            Some(Self::Suse)
        } else {
            None
        }
    }

    /// How this family installs packages.
    pub fn installer(self) -> &'static str {
        match self {
            Self::Debian => "apt-get install --no-install-recommends",
            Self::Fedora => "dnf install",
            Self::Arch => "pacman -S --needed",
            Self::Suse => "zypper install",
        }
    }
}

/// Something that has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A C and C++ compiler and linker.
    Compiler,
    /// The Vulkan loader.
    VulkanLoader,
    /// Mesa's software Vulkan driver.
    Lavapipe,
    /// Khronos' validation layer.
    ValidationLayer,
    /// The SPIR-V validator.
    SpirvVal,
    /// Python with pip, to fetch wheels.
    Pip,
    /// Python, to unpack wheels that are there already.
    Python,
}

impl Need {
    /// What is always needed; pip and Python only when a wheel has to be fetched or unpacked.
    pub const ALWAYS: [Self; 5] =
        [Self::Compiler, Self::VulkanLoader, Self::Lavapipe, Self::ValidationLayer, Self::SpirvVal];

    /// What it is and what for.
    pub fn what(self) -> &'static str {
        match self {
            Self::Compiler => "a C++ compiler, for the mesh decoder and the image comparison",
            Self::VulkanLoader => "the Vulkan loader",
            Self::Lavapipe => "lavapipe of Mesa 25.0 or later, to draw without a GPU",
            Self::ValidationLayer => "the Vulkan validation layer, for tests",
            Self::SpirvVal => "spirv-val, for tests",
            Self::Pip => "Python with pip, to fetch the shader compiler",
            Self::Python => "Python, to unpack the shader compiler",
        }
    }

    /// What was found (with a version where one is known), or what is wrong.
    pub fn probe(self) -> Result<String, String> {
        let absent = || "not installed".to_owned();
        match self {
            Self::Compiler => probe::program("c++", &["--version"]).ok_or_else(absent),
            Self::VulkanLoader => probe::vulkan_loader().ok_or_else(absent),
            Self::Lavapipe => probe::lavapipe(),
            Self::ValidationLayer => probe::validation_layer().ok_or_else(absent),
            Self::SpirvVal => probe::program("spirv-val", &["--version"]).ok_or_else(absent),
            Self::Pip => exec::read(Command::new("python3").args(["-m", "pip", "--version"]))
                .map_err(|error| error.to_string()),
            Self::Python => probe::program("python3", &["--version"]).ok_or_else(absent),
        }
    }

    /// The packages that hold it.
    pub fn packages(self, family: Family) -> &'static [&'static str] {
        use Family::{Arch, Debian, Fedora, Suse};
        match (self, family) {
            (Self::Compiler, Debian) => &["g++"],
            (Self::Compiler, Fedora | Suse) => &["gcc-c++"],
            (Self::Compiler, Arch) => &["gcc"],
            (Self::VulkanLoader, Debian) => &["libvulkan1"],
            (Self::VulkanLoader, Fedora) => &["vulkan-loader"],
            (Self::VulkanLoader, Arch) => &["vulkan-icd-loader"],
            (Self::VulkanLoader, Suse) => &["libvulkan1"],
            (Self::Lavapipe, Debian | Fedora) => &["mesa-vulkan-drivers"],
            (Self::Lavapipe, Arch) => &["vulkan-swrast"],
            (Self::Lavapipe, Suse) => &["libvulkan_lvp"],
            (Self::ValidationLayer, Debian) => &["vulkan-validationlayers"],
            (Self::ValidationLayer, Fedora) => &["vulkan-validation-layers"],
            (Self::ValidationLayer, Arch) => &["vulkan-validation-layers"],
            (Self::ValidationLayer, Suse) => &["vulkan-validationlayers"],
            (Self::SpirvVal, _) => &["spirv-tools"],
            (Self::Pip, Debian | Fedora | Suse) => &["python3-pip"],
            (Self::Pip, Arch) => &["python-pip"],
            (Self::Python, Debian | Fedora | Suse) => &["python3"],
            (Self::Python, Arch) => &["python"],
        }
    }
}

/// What to type on a system where the set-up installs nothing by itself.
pub fn instructions(os: &Os, missing: &[(Need, String)]) -> String {
    let mut text = format!("{} lacks:\n", os.name);
    for (need, found) in missing {
        text += &format!("  {} ({found})\n", need.what());
    }
    match Family::of(os) {
        Some(family) => {
            let packages: Vec<_> =
                missing.iter().flat_map(|(need, _)| need.packages(family)).copied().collect();
            text += &format!(
                "The set-up installs packages by itself on Debian 12 and later only. Here, type\n  sudo {} {}\n",
                family.installer(),
                packages.join(" ")
            );
            if missing.iter().any(|(need, _)| *need == Need::Lavapipe) {
                text += "and see to it that the Mesa this gives is 25.0 or later (a backports suite, or a newer \
                         release of your system).\n";
            }
        }
        None => text += "Install these with your system's package manager.\n",
    }
    text + "Then run `cargo xtask setup` again."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_gets_a_command_it_knows() {
        let missing =
            [(Need::Compiler, "not installed".to_owned()), (Need::Lavapipe, "Mesa 22 is too old".to_owned())];
        let on =
            |id: &str| instructions(&Os::parse(&format!("ID={id}\nPRETTY_NAME=\"Some {id}\"\n")), &missing);
        assert!(on("ubuntu").contains("apt-get install --no-install-recommends g++ mesa-vulkan-drivers"));
        assert!(on("fedora").contains("sudo dnf install gcc-c++ mesa-vulkan-drivers"));
        assert!(on("arch").contains("sudo pacman -S --needed gcc vulkan-swrast"));
        assert!(on("opensuse").contains("sudo zypper install gcc-c++ libvulkan_lvp"));
        let unknown = on("plan9");
        assert!(unknown.starts_with("Some plan9 lacks:") && unknown.contains("package manager"), "{unknown}");
        assert!(unknown.contains("Mesa 22 is too old") && unknown.contains("cargo xtask setup"));
    }
}
