//! A tiny picture, drawn to know that drawing works, not only that a driver says it would.

use super::Check;
use glam::Vec3;
use pellucid::headless::{HeadlessError, PipelineCache, RenderRequest, Session, SessionOptions};
use pellucid::scene::{Aabb, Mesh, Node, Primitive, Scene};
use std::time::Instant;

const SIDE: u32 = 64;

/// Draws a triangle with the adapter that a command without `--adapter` takes.
pub fn draw() -> Check {
    let start = Instant::now();
    let again = "run `pellucid -vv doctor` for more; a newer driver may help";
    match covered_pixels() {
        Err(error) => Check::bad(format!("failed: {error}"), again),
        // A triangle that is framed covers a good part of its picture, and never all of it.
        Ok(covered) if !(SIDE * SIDE / 20..=SIDE * SIDE * 19 / 20).contains(&covered) => {
            Check::bad(format!("is wrong: {covered} of {} pixels are covered", SIDE * SIDE), again)
        }
        Ok(_) => Check::good(format!("drawn in {} ms", start.elapsed().as_millis())),
    }
}

fn covered_pixels() -> Result<u32, HeadlessError> {
    let scene = triangle();
    let options = SessionOptions { pipeline_cache: PipelineCache::Off, ..SessionOptions::default() };
    let mut session = Session::new(&options)?;
    let picture =
        session.render(&RenderRequest { width: SIDE, height: SIDE, ..RenderRequest::new(&scene) })?;
    let alphas = picture.bytes.as_chunks::<4>().0.iter().map(|&[.., alpha]| u32::from(alpha >= 128));
    Ok(alphas.sum())
}

fn triangle() -> Scene {
    let positions = vec![Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
    let primitive = Primitive {
        normals: vec![Vec3::Z; 3],
        tangents: Vec::new(),
        uv0: Vec::new(),
        uv1: Vec::new(),
        colors: Vec::new(),
        joints: Vec::new(),
        weights: Vec::new(),
        indices: vec![0, 1, 2],
        material: None,
        targets: Vec::new(),
        bounds: Aabb { min: Vec3::new(-1.0, -1.0, 0.0), max: Vec3::new(1.0, 1.0, 0.0) },
        positions,
    };
    Scene {
        nodes: vec![Node { mesh: Some(0), ..Node::default() }],
        roots: vec![0],
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        ..Scene::default()
    }
}
