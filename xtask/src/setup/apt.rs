//! Installs packages on Debian, with Mesa from the backports suite where the release's own is too old.
//!
//! No mirror is written down here: the one that the machine is set up with is used for backports too.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::exec;
use crate::os::Os;
use crate::setup::elevation::Elevation;
use crate::setup::needs::{Family, Need};
use crate::setup::probe;
use crate::version::Version;

/// The source file that the set-up adds, and the only file outside the project that it writes.
const SOURCE: &str = "/etc/apt/sources.list.d/pellucid-backports.sources";

/// The key that Debian signs its suites with, as the `debian-archive-keyring` package installs it.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// One thing to do, for the machine or, without the right to, for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Run `apt-get` with these arguments.
    AptGet(Vec<String>),
    /// Write [`SOURCE`].
    AddSource(String),
}

/// What apt knows of this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Apt {
    /// The mirror that the release's main component comes from.
    mirror: Option<String>,
    /// Whether the backports suite is among the sources.
    backports: bool,
    /// The Mesa that a plain install would give.
    mesa: Option<Version>,
}

impl Apt {
    /// Asks apt.
    fn read(codename: &str) -> Result<Self, Error> {
        let format = "$(CREATED_BY) $(RELEASE) $(COMPONENT) $(REPO_URI)";
        let targets = exec::read(Command::new("apt-get").args(["indextargets", "--format", format]))?;
        let policy =
            exec::read(Command::new("apt-cache").env("LC_ALL", "C").args(["policy", "mesa-vulkan-drivers"]))?;
        Ok(Self::parse(codename, &targets, &policy))
    }

    /// Reads what `apt-get indextargets` and `apt-cache policy` said.
    fn parse(codename: &str, targets: &str, policy: &str) -> Self {
        let mut apt = Self::default();
        let backports = format!("{codename}-backports");
        for line in targets.lines() {
            let mut words = line.split_whitespace();
            if let (Some("Packages"), Some(release), Some("main"), Some(uri)) =
                (words.next(), words.next(), words.next(), words.next())
            {
                // A machine may name its suite by codename or as "stable"; updates and security end otherwise.
                if [codename, "stable", "testing", "unstable", "sid"].contains(&release)
                    && apt.mirror.is_none()
                {
                    apt.mirror = Some(uri.to_owned());
                }
                apt.backports |= release == backports || release == "stable-backports";
            }
        }
        apt.mesa =
            policy.lines().find_map(|line| line.trim().strip_prefix("Candidate:")).and_then(Version::parse);
        apt
    }

    /// What to do so that every missing thing is there. An update of the package lists has gone before.
    fn plan(&self, codename: &str, missing: &[Need]) -> Result<Vec<Action>, Error> {
        let mut actions = Vec::new();
        let install = |extra: &[&str], packages: &[&str]| {
            let words = ["install", "-y", "--no-install-recommends"].iter().chain(extra).chain(packages);
            Action::AptGet(words.map(|word| (*word).to_owned()).collect())
        };
        let recent = self.mesa.is_some_and(|version| version >= probe::MESA);
        let from_backports = missing.contains(&Need::Lavapipe) && !recent;
        let packages: Vec<_> = missing
            .iter()
            .filter(|need| !(from_backports && **need == Need::Lavapipe))
            .flat_map(|need| need.packages(Family::Debian))
            .copied()
            .collect();
        if !packages.is_empty() {
            actions.push(install(&[], &packages));
        }
        if from_backports {
            let suite = format!("{codename}-backports");
            if !self.backports {
                let Some(mirror) = &self.mirror else {
                    return Err(Error::Missing(format!(
                        "apt has no lists of {codename}'s main component on this machine, so there is no mirror to \
                         take {suite} from. As root, type `apt-get update`, then run `cargo xtask setup` again; if \
                         that changes nothing, {codename} is missing from apt's sources."
                    )));
                };
                actions.push(Action::AddSource(source(mirror, &suite)));
                actions.push(Action::AptGet(vec!["update".into()]));
            }
            actions.push(install(&["-t", &suite], Need::Lavapipe.packages(Family::Debian)));
        }
        Ok(actions)
    }
}

/// The text of a deb822 source file for one suite.
fn source(mirror: &str, suite: &str) -> String {
    format!(
        "# Added by Pellucid's `cargo xtask setup`, for a recent mesa-vulkan-drivers.\n\
         Types: deb\nURIs: {mirror}\nSuites: {suite}\nComponents: main\nSigned-By: {KEYRING}\n"
    )
}

/// Installs what is missing, or says what a person with the right to must type.
pub fn install(os: &Os, missing: &[Need]) -> Result<(), Error> {
    let elevation = Elevation::of_this_process()?;
    let codename = os.codename.as_deref().unwrap_or("sid");
    if elevation == Elevation::None {
        let plan = Apt::read(codename)?.plan(codename, missing)?;
        return Err(Error::Missing(by_hand(&plan)));
    }
    // A third party's broken source makes `update` fail although Debian's lists are fine, so it decides nothing.
    if let Err(error) = apt_get(elevation, &["update".into()]) {
        eprintln!("warning: {error}; going on with the package lists that are there");
    }
    for action in Apt::read(codename)?.plan(codename, missing)? {
        match action {
            Action::AptGet(arguments) => apt_get(elevation, &arguments)?,
            Action::AddSource(text) => add_source(elevation, &text)?,
        }
    }
    Ok(())
}

/// Runs `apt-get` without questions.
fn apt_get(elevation: Elevation, arguments: &[String]) -> Result<(), Error> {
    let mut command = elevation.command("env")?;
    exec::run(command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(arguments))
}

/// Puts the source file in place, showing what it holds.
fn add_source(elevation: Elevation, text: &str) -> Result<(), Error> {
    // Written to a file of our own first: `install` then puts it there whole, and by sudo where that is needed.
    let draft = std::env::temp_dir().join(format!("pellucid-backports-{}.sources", std::process::id()));
    fs::write(&draft, text).map_err(Error::io("write", &draft))?;
    print!("The new source file holds\n{text}");
    let placed = elevation
        .command("install")
        .and_then(|mut command| exec::run(command.args(["-m", "644"]).arg(&draft).arg(Path::new(SOURCE))));
    let removed = fs::remove_file(&draft).map_err(Error::io("remove", &draft));
    placed.and(removed)
}

/// The commands to type, for somebody whom the machine lets.
fn by_hand(plan: &[Action]) -> String {
    let mut text =
        "Packages are missing, and this user may not install them (neither root nor sudo). As root, type\n  \
                    apt-get update\n"
            .to_owned();
    for action in plan {
        match action {
            Action::AptGet(arguments) => text += &format!("  apt-get {}\n", arguments.join(" ")),
            Action::AddSource(source) => {
                text += &format!("  cat > {SOURCE} <<'END'\n{source}END\n");
            }
        }
    }
    text + "Then run `cargo xtask setup` again."
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGETS: &str = "\
Packages bookworm-updates main mirror://one/debian/
Packages bookworm main mirror://one/debian/
Translations bookworm main mirror://one/debian/
Packages bookworm-security main mirror://two/security/
";

    const OLD: &str =
        "mesa-vulkan-drivers:\n  Installed: (none)\n  Candidate: 22.3.6-1+deb12u2\n  Version table:\n";

    fn words(action: &Action) -> String {
        match action {
            Action::AptGet(arguments) => arguments.join(" "),
            Action::AddSource(_) => "source".into(),
        }
    }

    #[test]
    fn the_mirror_is_the_releases_own() {
        let apt = Apt::parse("bookworm", TARGETS, OLD);
        assert_eq!(apt.mirror.as_deref(), Some("mirror://one/debian/"));
        assert!(!apt.backports);
        assert_eq!(apt.mesa, Some(Version::new(22, 3, 6)));
    }

    #[test]
    fn backports_are_added_when_needed() {
        let apt = Apt::parse("bookworm", TARGETS, OLD);
        let plan = apt.plan("bookworm", &[Need::VulkanLoader, Need::Lavapipe, Need::Pip]).unwrap();
        assert_eq!(
            plan.iter().map(words).collect::<Vec<_>>(),
            [
                "install -y --no-install-recommends libvulkan1 python3-pip",
                "source",
                "update",
                "install -y --no-install-recommends -t bookworm-backports mesa-vulkan-drivers",
            ]
        );
        let Action::AddSource(text) = &plan[1] else { panic!("no source in {plan:?}") };
        assert!(text.contains("\nURIs: mirror://one/debian/\nSuites: bookworm-backports\n"), "{text}");
        assert!(text.contains("\nSigned-By: "));
        assert!(by_hand(&plan).contains("-t bookworm-backports mesa-vulkan-drivers"));
    }

    #[test]
    fn backports_that_are_there_are_used() {
        let targets = format!("{TARGETS}Packages bookworm-backports main mirror://three/\n");
        let plan = Apt::parse("bookworm", &targets, OLD).plan("bookworm", &[Need::Lavapipe]).unwrap();
        assert_eq!(
            plan.iter().map(words).collect::<Vec<_>>(),
            ["install -y --no-install-recommends -t bookworm-backports mesa-vulkan-drivers"]
        );
    }

    #[test]
    fn a_recent_release_needs_no_backports() {
        let apt = Apt::parse("trixie", "Packages trixie main mirror://one/\n", "  Candidate: 25.0.7-2\n");
        let plan = apt.plan("trixie", &[Need::Lavapipe, Need::SpirvVal]).unwrap();
        assert_eq!(
            plan.iter().map(words).collect::<Vec<_>>(),
            ["install -y --no-install-recommends mesa-vulkan-drivers spirv-tools"]
        );
    }

    #[test]
    fn without_a_mirror_there_is_a_clear_refusal() {
        let error = Apt::parse("bookworm", "", "").plan("bookworm", &[Need::Lavapipe]).unwrap_err();
        assert!(error.to_string().contains("bookworm-backports"), "{error}");
        assert_eq!(error.exit_code(), 3);
    }
}
