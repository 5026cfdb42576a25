//! Sessions as a program uses them: on whatever adapter the machine has, one without hardware included.
#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

use pellucid::headless::{HeadlessError, PipelineCache};
use pellucid::prelude::*;
use pellucid::render::RenderError;
use pellucid::rhi::{ResourceError, SelectError};

fn room() -> Scene {
    import_bytes(&pellucid::sample::room(), None, &ImportOptions::default()).unwrap().scene
}

fn options() -> SessionOptions {
    SessionOptions { pipeline_cache: PipelineCache::Off, ..SessionOptions::default() }
}

fn small(scene: &Scene) -> RenderRequest<'_> {
    RenderRequest { camera: Camera::Node("Main"), width: 96, height: 64, ..RenderRequest::new(scene) }
}

#[test]
fn a_session_moves_between_threads_and_draws_the_same_each_way() {
    let scene = room();
    let mut session = std::thread::spawn(|| Session::new(&options()).unwrap()).join().unwrap();
    let once = session.render(&small(&scene)).unwrap();
    assert_eq!((once.width, once.height, once.bytes.len()), (96, 64, 96 * 64 * 4));
    assert!(once.statistics.triangles > 1000);

    let studio = session.environment(&pellucid::render::studio()).unwrap();
    let mut uploaded = session.upload(&scene).unwrap();
    let prepared = RenderRequest { light: Light::Prepared(&studio), ..small(&scene) };
    for _ in 0..2 {
        assert_eq!(session.draw(&mut uploaded, &prepared).unwrap().bytes, once.bytes);
    }
    let moved = RenderRequest { moment: Moment::At { animation: 0, time: 3.0 }, ..prepared };
    assert_ne!(session.draw(&mut uploaded, &moved).unwrap().bytes, once.bytes);
    assert_eq!(session.draw(&mut uploaded, &prepared).unwrap().bytes, once.bytes, "and back at rest");
}

#[test]
fn a_refused_picture_leaves_the_session_as_it_was() {
    let scene = room();
    let mut session = Session::new(&SessionOptions { memory_budget: Some(256 << 20), ..options() }).unwrap();
    let before = session.render(&small(&scene)).unwrap();
    let large = RenderRequest { width: 4096, height: 4096, ..small(&scene) };
    match session.render(&large) {
        Err(HeadlessError::Render(RenderError::Resource(ResourceError::Budget { limit, .. }))) => {
            assert_eq!(limit, 256 << 20);
        }
        other => panic!("{:?}", other.map(|picture| picture.statistics)),
    }
    assert!(session.device().memory_stats().peak <= 256 << 20);
    for request in [
        RenderRequest { width: 0, ..small(&scene) },
        RenderRequest { camera: Camera::Node("Nobody"), ..small(&scene) },
        RenderRequest { exposure: f32::NAN, ..small(&scene) },
        RenderRequest { moment: Moment::At { animation: 99, time: 0.0 }, ..small(&scene) },
    ] {
        assert!(session.render(&request).is_err());
    }
    assert_eq!(session.render(&small(&scene)).unwrap().bytes, before.bytes);
}

#[test]
fn an_adapter_that_is_not_there_is_named_with_those_that_are() {
    let asked = SessionOptions { adapter: Some("Voodoo 2".into()), ..options() };
    match Session::new(&asked).err().unwrap() {
        HeadlessError::Select(SelectError::NotFound { name, available }) => {
            assert_eq!(name, "Voodoo 2");
            assert!(!available.is_empty());
        }
        other => panic!("{other}"),
    }
}

#[test]
fn an_empty_scene_shows_its_background() {
    let scene = Scene::default();
    let mut session = Session::new(&options()).unwrap();
    for (background, alpha) in [(Background::Environment, 255), (Background::Transparent, 0)] {
        let picture = session.render(&RenderRequest {
            background,
            width: 32,
            height: 32,
            ..RenderRequest::new(&scene)
        });
        let picture = picture.unwrap();
        assert!(picture.bytes.chunks_exact(4).all(|pixel| pixel[3] == alpha), "{background:?}");
    }
}
