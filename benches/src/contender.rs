//! Who is measured, and how each is asked for the same picture.
use crate::arguments::Arguments;
use crate::display::Display;
use crate::error::BenchError;
use crate::process::{self, Cost};
use crate::stages::Stages;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is drawn.
#[derive(Debug)]
pub struct Scene {
    /// The file.
    pub model: PathBuf,
    /// An environment for the contenders that light by one.
    pub environment: Option<PathBuf>,
    /// Pixels a side.
    pub size: u32,
    pellucid: PathBuf,
}

impl Scene {
    /// Finds the model, the environment and the program.
    pub fn find(arguments: &Arguments) -> Result<Self, BenchError> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
        let assets =
            std::env::var_os("PELLUCID_ASSETS").map_or_else(|| root.join("../shared"), |a| root.join(a));
        let usual = || assets.join("models/DamagedHelmet/DamagedHelmet.glb");
        let model = arguments.model.clone().unwrap_or_else(usual);
        if !model.is_file() {
            let remedy = "set PELLUCID_ASSETS to the shared assets, or give model=FILE";
            return Err(BenchError::Absent { path: model, remedy });
        }
        let beside = || std::env::current_exe().ok().map(|exe| exe.with_file_name("pellucid"));
        let pellucid =
            std::env::var_os("PELLUCID_BIN").map(PathBuf::from).or_else(beside).unwrap_or_default();
        if !pellucid.is_file() {
            let remedy = "run this through `cargo xtask bench`, which builds it";
            return Err(BenchError::Absent { path: pellucid, remedy });
        }
        let environment = Some(assets.join("environments/chinese_garden_1k.hdr")).filter(|e| e.is_file());
        Ok(Self { model, environment, size: arguments.size, pellucid })
    }
}

/// A folder for the pictures, removed when dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes it.
    pub fn new() -> Result<Self, BenchError> {
        let path = std::env::temp_dir().join(format!("pellucid-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path)
            .map_err(|source| BenchError::Start { program: path.display().to_string(), source })?;
        Ok(Self(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Left behind, it is only a temporary folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// One who is measured.
#[derive(Debug)]
pub struct Contender {
    /// As in the table.
    pub name: String,
    /// What it draws, in a few words.
    pub draws: &'static str,
    /// Whether it is Pellucid, which can say where its time went.
    pub is_ours: bool,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
    picture: PathBuf,
    size: u32,
}

/// Everyone, the rival first.
pub fn all(scene: &Scene, display: &Display, folder: &Path) -> Result<Vec<Contender>, BenchError> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let size = scene.size;
    let picture = folder.join("f3d.png");
    let mut found = vec![Contender {
        name: "f3d".to_owned(),
        draws: "its default lights, no antialiasing",
        is_ours: false,
        program: "f3d".into(),
        arguments: [
            "--output",
            &text(&picture),
            "--resolution",
            &format!("{size},{size}"),
            &text(&scene.model),
        ]
        .map(str::to_owned)
        .to_vec(),
        environment: vec![("DISPLAY", display.name().to_owned()), ("LIBGL_ALWAYS_SOFTWARE", "1".to_owned())],
        picture,
        size,
    }];
    let mut ours = |name: &str, file: &str, draws, extra: &[String]| {
        let picture = folder.join(file);
        let mut arguments =
            ["render", &text(&scene.model), "-o", &text(&picture), "--adapter", "software", "--size"]
                .map(str::to_owned)
                .to_vec();
        arguments.push(format!("{size}x{size}"));
        arguments.extend_from_slice(extra);
        found.push(Contender {
            name: name.to_owned(),
            draws,
            is_ours: true,
            program: scene.pellucid.clone(),
            arguments,
            environment: Vec::new(),
            picture,
            size,
        });
    };
    ours("pellucid", "studio.png", "image-based light from the built-in studio, 4x MSAA, ACES", &[]);
    if let Some(environment) = &scene.environment {
        let extra = ["--environment".to_owned(), text(environment)];
        ours(
            "pellucid, HDR file",
            "garden.png",
            "image-based light from a 1024x512 HDR file, 4x MSAA, ACES",
            &extra,
        );
    }
    Ok(found)
}

impl Contender {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.environment.iter().map(|(k, v)| (k, v)));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Draws once and checks that there is a picture.
    pub fn run(&self) -> Result<Cost, BenchError> {
        // Absent before, so that an old one can't pass for a new one.
        let _ = std::fs::remove_file(&self.picture);
        let (cost, status) = process::run(&mut self.command())?;
        if !status.success() {
            return Err(self.failure(&status.to_string()));
        }
        if png_size(&self.picture) != Some((self.size, self.size)) {
            let (program, path) = (self.name.clone(), self.picture.clone());
            return Err(BenchError::NoPicture { program, path, width: self.size, height: self.size });
        }
        Ok(cost)
    }

    /// Runs once more to hear what it has to say about its failure.
    fn failure(&self, status: &str) -> BenchError {
        let output = self.command().stderr(Stdio::piped()).output();
        let said = output.map(|o| String::from_utf8_lossy(&o.stderr).into_owned()).unwrap_or_default();
        let tail: Vec<&str> = said.lines().rev().take(8).collect();
        let said = tail.into_iter().rev().collect::<Vec<_>>().join("\n");
        BenchError::Failed { program: self.name.clone(), status: status.to_owned(), said }
    }

    /// Draws several times with `--json`; where the time went in the middle one.
    pub fn stages(&self) -> Result<Stages, BenchError> {
        let mut found = Vec::new();
        for _ in 0..5 {
            let output = self.command().arg("--json").stdout(Stdio::piped()).output();
            let output = output.map_err(|source| BenchError::Start { program: self.name.clone(), source })?;
            if !output.status.success() {
                return Err(self.failure(&output.status.to_string()));
            }
            found.push(Stages::parse(&output.stdout)?);
        }
        Ok(Stages::middle(found))
    }
}

/// Width and height in a PNG's header.
fn png_size(path: &Path) -> Option<(u32, u32)> {
    let mut header = [0; 24];
    File::open(path).ok()?.read_exact(&mut header).ok()?;
    let word = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    header.starts_with(b"\x89PNG\r\n\x1a\n").then_some((word(16)?, word(20)?))
}
