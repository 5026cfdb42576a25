//! Tells the command which build flavour it is (docs/architecture.md, "Build flavours"). Code can't see the name
//! of a Cargo profile; the folder that Cargo builds in bears it: `TARGET/PROFILE/build/pellucid-HASH/out`.

use std::path::{Component, Path};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    // A profile of somebody else's stands between debug and release.
    let known = |name: &&str| ["debug", "profile", "release"].contains(name);
    let flavour = profile_folder(Path::new(&out)).filter(known).unwrap_or("development");
    println!("cargo::rustc-env=PELLUCID_FLAVOUR={flavour}");
}

fn profile_folder(out: &Path) -> Option<&str> {
    let mut components = out.components().rev();
    components.find(|component| *component == Component::Normal("build".as_ref()))?;
    components.next()?.as_os_str().to_str()
}
