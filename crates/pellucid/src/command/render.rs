//! `pellucid render`.

use super::args::{FormatName, Render, ToneMapName};
use super::console;
use super::failure::{Failure, Kind};
use super::parse::{AnimationChoice, Backdrop};
use super::report::{self, Facts, RenderReport};
use pellucid::headless::{
    Camera, DEFAULT_FOV, HeadlessError, Light, Moment, PipelineCache, RenderRequest, Session, SessionOptions,
    Stages,
};
use pellucid::picture::{self, Format};
use pellucid::platform::files;
use pellucid::render::{Background, Environment, RendererOptions, ToneMap};
use pellucid::scene::{Equirect, EquirectLimits, ImportOptions, Imported, Scene, import};
use std::path::Path;
use std::thread;

/// Import warnings that are printed; `--json` and `pellucid info` have them all.
const MAX_WARNINGS: usize = 10;

pub fn run(args: &Render, quiet: bool, stages: &Stages) -> Result<(), Failure> {
    let to_stdout = args.output == Path::new("-");
    let format = output_format(args, to_stdout)?;
    let camera = camera(args)?;
    if !to_stdout {
        // Better now than after the work.
        files::check_target(&args.output)?;
    }
    let Loaded { mut imported, mut session, environment } = load(args, format, stages)?;
    let warnings = warn(args, &imported, quiet);

    let mut uploaded = session.upload(&imported.scene)?;
    // The device has them now; a picture's last memory peak is lower by their size.
    for image in &mut imported.scene.images {
        image.rgba = Vec::new();
    }
    let scene = &imported.scene;
    let request = RenderRequest {
        moment: moment(args, scene)?,
        camera,
        light: environment.as_ref().map_or(Light::Studio, Light::Prepared),
        width: args.size.0,
        height: args.size.1,
        background: match args.background {
            Backdrop::Environment => Background::Environment,
            // A colour is laid behind the finished picture, so that it comes out as it was written: the
            // renderer would expose and tone-map it.
            Backdrop::Transparent | Backdrop::Color(_) => Background::Transparent,
        },
        exposure: args.exposure,
        tone_map: match args.tonemap {
            ToneMapName::Aces => ToneMap::Aces,
            ToneMapName::None => ToneMap::None,
        },
        pixels: format.pixels(),
        ..RenderRequest::new(scene)
    };
    let mut drawn = session.draw(&mut uploaded, &request)?;
    if let Backdrop::Color(color) = args.background {
        stages.run("background", || picture::over(&mut drawn, color));
    }
    let bytes = stages.run("encode", || picture::encode(&drawn, format))?;
    if to_stdout {
        stages.run("write", || console::print_bytes(&bytes))?;
    } else {
        stages.run("write", || files::write_atomic(&args.output, &bytes))?;
    }

    let validation = args.validation.then(|| session.validation_messages());
    let report = RenderReport::new(Facts {
        output: report::Output::new(args, to_stdout, format, bytes.len()),
        adapter: session.adapter(),
        imported: &imported,
        statistics: drawn.statistics,
        memory: session.device().memory_stats(),
        warnings,
        validation: validation.as_ref(),
        stages,
    });
    if args.json {
        console::print(&report::to_json(&report)?)?;
    } else if !quiet && !to_stdout {
        console::print(&report.line())?;
    }
    let Some(messages) = validation else {
        leave(session, (uploaded, environment));
        return Ok(());
    };
    if messages.total() == 0 {
        return Ok(());
    }
    for text in &messages.texts {
        console::note(&format!("validation: {text}"));
    }
    let message =
        format!("the validation layer reported {} messages; the picture was written", messages.total());
    Err(Failure::new(Kind::Render, message))
}

/// Leaves the device to the process's end (see `main`): destroying every object first would only take time.
/// Under the validation layer all is destroyed in order instead, so that it can tell what was not.
fn leave(session: Session, objects: impl Sized) {
    if let Err(error) = session.device().save_pipeline_cache() {
        tracing::warn!(%error, "the pipeline cache was not written");
    }
    std::mem::forget((objects, session));
}

/// What has to be there before anything can be drawn.
struct Loaded {
    imported: Imported,
    session: Session,
    /// `None` when the studio lights the scene.
    environment: Option<Environment>,
}

/// Starts the device while the files are read: neither needs the other, and each takes a good part of the
/// command's time. The environment is prepared on the device as soon as both are there, the scene or not.
fn load(args: &Render, format: Format, stages: &Stages) -> Result<Loaded, Failure> {
    let options = SessionOptions {
        adapter: args.adapter.clone(),
        validation: args.validation,
        pipeline_cache: if args.no_cache { PipelineCache::Off } else { PipelineCache::User },
        renderer: RendererOptions { anisotropy: args.anisotropy },
        ..SessionOptions::default()
    };
    let (imported, started) = thread::scope(|scope| {
        let picture = args.environment.as_deref().map(|path| {
            let load =
                move || stages.run("environment file", || Equirect::load(path, &EquirectLimits::default()));
            (path, scope.spawn(load))
        });
        let started = scope.spawn(|| {
            let mut session = Session::with_stages(&options, stages.clone())?;
            session.warm(format.pixels())?;
            let Some((path, picture)) = picture else {
                session.prepare_studio()?;
                return Ok((session, None));
            };
            let picture = picture.join().map_err(|_| Failure::internal())?;
            let picture = picture.map_err(|error| Failure::environment(path, &error))?;
            let environment = session.environment(&picture)?;
            Ok((session, Some(environment)))
        });
        let imported = stages.run("import", || import(&args.scene, &ImportOptions::default()));
        (imported, started.join().unwrap_or_else(|_| Err(Failure::internal())))
    });
    // When both fail, the one that is the caller's to mend comes first.
    let imported = imported?;
    let (session, environment) = started?;
    Ok(Loaded { imported, session, environment })
}

fn output_format(args: &Render, to_stdout: bool) -> Result<Format, Failure> {
    if to_stdout && args.json {
        let message = "--json and -o - both want standard output; name a file with -o";
        return Err(Failure::new(Kind::Usage, message));
    }
    match args.format {
        Some(FormatName::Png) => Ok(Format::Png),
        Some(FormatName::Exr) => Ok(Format::Exr),
        Some(FormatName::Bmp) => Ok(Format::Bmp),
        None if to_stdout => Ok(Format::Png),
        None if args.output.is_dir() => {
            // Says "is a folder" rather than that a folder's name has no extension.
            files::check_target(&args.output)?;
            Ok(Format::of_path(&args.output)?)
        }
        None => Ok(Format::of_path(&args.output).map_err(|error| {
            Failure::new(Kind::Usage, format!("{}: {error}, or say --format", args.output.display()))
        })?),
    }
}

fn camera(args: &Render) -> Result<Camera<'_>, Failure> {
    let fov = args.fov.unwrap_or(DEFAULT_FOV);
    match (&args.camera_node, args.camera) {
        (Some(name), _) => Ok(Camera::Node(name)),
        (None, None) => Ok(Camera::Auto { fov }),
        (None, Some(orbit)) if orbit.radius.is_none() && args.target.is_some() => {
            let message =
                "--target needs a radius: write --camera orbit:THETA,PHI,RADIUS, or leave --target out";
            Err(Failure::new(Kind::Usage, message))
        }
        (None, Some(orbit)) => {
            let (theta, phi, radius) = (orbit.theta, orbit.phi, orbit.radius);
            Ok(Camera::Orbit { theta, phi, radius, target: args.target, fov })
        }
    }
}

fn moment(args: &Render, scene: &Scene) -> Result<Moment, Failure> {
    let (choice, time) = match (&args.animation, args.time) {
        (None, None) => return Ok(Moment::Rest),
        (choice, time) => (choice.as_ref(), time.unwrap_or(0.0)),
    };
    let animation = match choice {
        Some(AnimationChoice::Index(index)) => *index,
        Some(AnimationChoice::Name(name)) => {
            let place = scene.animations.iter().position(|animation| animation.name == *name);
            place.ok_or_else(|| HeadlessError::no_animation(name, scene))?
        }
        None => 0,
    };
    Ok(Moment::At { animation, time })
}

/// Prints what the importer left out or corrected, and hands it on for the report.
fn warn(args: &Render, imported: &Imported, quiet: bool) -> Vec<report::Warning> {
    let warnings: Vec<_> = imported.warnings.iter().map(report::Warning::from).collect();
    if !quiet && !args.json {
        for warning in warnings.iter().take(MAX_WARNINGS) {
            console::note(&format!("warning: {}, {}", args.scene.display(), warning.text()));
        }
        if warnings.len() > MAX_WARNINGS {
            let more = warnings.len() - MAX_WARNINGS;
            console::note(&format!("warning: {more} more; `pellucid info` lists them all"));
        }
    }
    warnings
}
