//! Draws a model file into a PNG: `cargo run --example offscreen -- model.glb picture.png`.

use pellucid::prelude::*;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(model), Some(target)) = (paths.next(), paths.next()) else {
        return Err("usage: offscreen MODEL.glb PICTURE.png".into());
    };
    let imported = import(&model, &ImportOptions::default())?;
    let mut session = Session::new(&SessionOptions::default())?;
    let picture = session.render(&RenderRequest {
        camera: Camera::Orbit { theta: 30.0, phi: 70.0, radius: None, target: None, fov: 45.0 },
        width: 800,
        height: 600,
        ..RenderRequest::new(&imported.scene)
    })?;
    write_atomic(&target, &encode(&picture, Format::Png)?)?;
    println!(
        "{}: {} triangles on {}",
        target.display(),
        picture.statistics.triangles,
        session.adapter().name
    );
    Ok(())
}
