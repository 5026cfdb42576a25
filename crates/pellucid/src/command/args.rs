//! The command line, as clap reads it.

use super::parse::{self, AnimationChoice, Backdrop, Orbit};
use clap::{ArgAction, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use glam::Vec3;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit status:
  0  done
  1  drawing failed, or a fault in Pellucid itself
  2  the command line can't be meant that way
  3  an input file is missing or broken
  4  the output can't be written
  5  no usable GPU, driver or adapter (see `pellucid doctor`)";

/// Draws glTF scenes natively, with or without a GPU.
#[derive(Debug, Parser)]
#[command(name = "pellucid", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Says more on standard error: -v what happens, -vv details, -vvv everything. RUST_LOG overrides it.
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Says nothing but errors.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Draws a scene into a picture.
    Render(Box<Render>),
    /// Says what a scene file holds.
    Info(Info),
    /// Says what this machine can draw with, and what to do when it can't.
    Doctor(Doctor),
    /// Writes a sample scene: a furnished room made by code.
    Sample(Sample),
    /// Prints a script that completes this command in a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Writes the manual pages.
    Man {
        /// Folder for one page a command; without it the main page goes to standard output.
        #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        output: Option<PathBuf>,
    },
}

/// Draws a scene into a picture.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Render {
    /// The scene: a .glb or .gltf file.
    #[arg(value_hint = ValueHint::FilePath)]
    pub scene: PathBuf,
    /// The picture: a .png, .exr or .bmp file, or - for standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// The picture's format, when the output's extension doesn't say it.
    #[arg(long)]
    pub format: Option<FormatName>,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1024x1024", value_parser = parse::size)]
    pub size: (u32, u32),

    /// The eye, on a sphere around the target: orbit:THETA,PHI,RADIUS. THETA degrees about +Y measured from
    /// +Z, PHI degrees down from +Y, RADIUS in metres. Without ,RADIUS the whole scene is framed from there;
    /// without --camera, from three quarters of the front.
    #[arg(long, value_name = "ORBIT", value_parser = parse::orbit, help_heading = "Camera")]
    pub camera: Option<Orbit>,
    /// What the orbit is around, in metres (the middle of the scene when not given).
    #[arg(
        long,
        value_name = "X,Y,Z",
        value_parser = parse::point,
        allow_hyphen_values = true,
        requires = "camera",
        help_heading = "Camera"
    )]
    pub target: Option<Vec3>,
    /// Vertical field of view in degrees, 1 to 170 (45 when not given).
    #[arg(long, value_name = "DEGREES", value_parser = parse::fov, help_heading = "Camera")]
    pub fov: Option<f32>,
    /// Looks through the camera of the node with this name.
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["camera", "target", "fov"],
        help_heading = "Camera"
    )]
    pub camera_node: Option<String>,

    /// Lights the scene with this equirectangular Radiance picture (a built-in neutral studio when not given).
    #[arg(long, value_name = "FILE.hdr", value_hint = ValueHint::FilePath, help_heading = "Look")]
    pub environment: Option<PathBuf>,
    /// What is seen where nothing is: transparent, environment, #rrggbb, a colour's name, or three linear
    /// numbers r,g,b.
    #[arg(long, value_name = "WHAT", default_value = "transparent", value_parser = parse::backdrop, help_heading = "Look")]
    pub background: Backdrop,
    /// Exposure in stops: light is multiplied by 2 to this power.
    #[arg(
        long,
        value_name = "EV",
        default_value = "0",
        value_parser = parse::exposure,
        allow_negative_numbers = true,
        help_heading = "Look"
    )]
    pub exposure: f32,
    /// How bright light is brought into the display's range; an .exr picture always stays linear.
    #[arg(long, default_value = "aces", help_heading = "Look")]
    pub tonemap: ToneMapName,

    /// Moment of the animation in seconds; it starts again after its end. Without it the pose is the file's.
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = parse::time,
        allow_negative_numbers = true,
        help_heading = "Animation"
    )]
    pub time: Option<f32>,
    /// The animation, by name or by place from 0 (=NAME for a name that is a number); the first when not given.
    #[arg(long, value_name = "NAME|INDEX", value_parser = parse::animation, help_heading = "Animation")]
    pub animation: Option<AnimationChoice>,

    /// Draws with the adapter whose name contains this, or with a software adapter.
    #[arg(long, value_name = "NAME|software", help_heading = "Device")]
    pub adapter: Option<String>,
    /// Has the validation layer watch; what it reports makes the command fail.
    #[arg(long, help_heading = "Device")]
    pub validation: bool,
    /// Largest anisotropy of textures: 8 on a GPU and 1 on a software adapter unless given. At 1 all drivers choose
    /// mips alike, for comparing their pictures.
    #[arg(long, value_name = "1..16", value_parser = clap::value_parser!(u32).range(1..=16), help_heading = "Device")]
    pub anisotropy: Option<u32>,
    /// Neither reads nor writes compiled pipelines in the user's cache folder.
    #[arg(long, help_heading = "Device")]
    pub no_cache: bool,

    /// Prints what was done, and how long each stage took, as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Says what a scene file holds.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Info {
    /// The scene: a .glb or .gltf file.
    #[arg(value_hint = ValueHint::FilePath)]
    pub scene: PathBuf,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

/// Says what this machine can draw with.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Doctor {
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

/// Writes a sample scene.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Sample {
    /// The .glb file, or - for standard output.
    #[arg(short, long, value_name = "FILE.glb", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// A picture format's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// 8 bits a channel, sRGB, straight alpha.
    Png,
    /// 32-bit float, linear, premultiplied alpha.
    Exr,
    /// 8 bits a channel, sRGB, straight alpha, uncompressed.
    Bmp,
}

/// A tone map's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ToneMapName {
    /// The ACES filmic curve.
    Aces,
    /// None: what is brighter than white is white.
    None,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }
}
