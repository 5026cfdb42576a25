//! Pictures of our own, as stored in `expected/`. `PELLUCID_BLESS=1` stores them anew.
use glam::Vec3;
use pellucid::headless::{Camera, Light, Moment, RenderRequest, Session};
use pellucid::render::Background;
use pellucid::scene::{Equirect, ImportOptions, Scene, import, import_bytes};
use pellucid_golden_tests::golden::Store;
use pellucid_golden_tests::measure::tolerance::Tolerance;
use pellucid_golden_tests::{assets, scenes, stage};
use std::path::Path;

type Failure = Box<dyn std::error::Error>;

/// One expected picture.
struct Case<'a> {
    name: &'a str,
    scene: Scene,
    width: u32,
    height: u32,
    camera: Camera<'a>,
    moment: Moment,
    background: Background,
    /// Whether the environment is black, so that only the scene's own lights count.
    dark: bool,
}

impl<'a> Case<'a> {
    fn new(name: &'a str, scene: Scene, camera: Camera<'a>) -> Self {
        let (width, height) = (256, 256);
        let background = Background::Transparent;
        Self { name, scene, width, height, camera, moment: Moment::Rest, background, dark: false }
    }

    fn at(self, animation: usize, time: f32) -> Self {
        Self { moment: Moment::At { animation, time }, ..self }
    }
}

/// Lavapipe gives the same picture every time; another processor's rounding may not.
const TOLERANCE: Tolerance = Tolerance { channel: 5, pixels: 0.001 };

fn orbit<'a>(theta: f32, phi: f32, radius: f32, target: [f32; 3]) -> Camera<'a> {
    Camera::Orbit { theta, phi, radius: Some(radius), target: Some(Vec3::from_array(target)), fov: 45.0 }
}

/// Scenes made by this project.
fn made_here() -> Result<Vec<Case<'static>>, Failure> {
    let room = import_bytes(&pellucid::sample::room(), None, &ImportOptions::default())?.scene;
    let wide = |case| Case { width: 320, height: 180, ..case };
    let behind = |case| Case { background: Background::Environment, ..case };
    Ok(vec![
        wide(Case::new("room", room.clone(), Camera::Node("Main"))),
        wide(Case::new("room-detail-moving", room, Camera::Node("Detail")).at(0, 0.7)),
        behind(Case::new("spheres", scenes::sphere_grid(), orbit(0.0, 80.0, 7.0, [0.0; 3]))),
        Case::new("alpha-modes", scenes::alpha_modes(), orbit(15.0, 85.0, 5.6, [0.1, -0.1, 0.0])),
        Case::new("patchwork", scenes::patchwork(), orbit(0.0, 85.0, 6.0, [0.55, 0.55, 0.0])),
        Case::new("bumps", scenes::bumps(), orbit(25.0, 70.0, 3.2, [0.0; 3])),
        Case::new("vertex-colors", scenes::vertex_colors(), orbit(0.0, 80.0, 2.8, [0.0; 3])),
        Case { dark: true, ..Case::new("lights", scenes::lights(), orbit(20.0, 60.0, 5.5, [0.0, 0.3, 0.0])) },
        behind(Case::new("crowd", scenes::crowd(), orbit(40.0, 75.0, 4.0, [0.0, 0.5, 0.0]))),
    ])
}

/// Shared models whose licences allow pictures of them (expected/README.md).
fn shared_models(shared: &Path) -> Result<Vec<Case<'static>>, Failure> {
    let load = |file: &str| import(&shared.join("models").join(file), &ImportOptions::default());
    let fox = load("Fox/Fox.glb")?.scene;
    let cameras = load("Cameras/Cameras.gltf")?.scene;
    Ok(vec![
        Case::new("fox-running", fox, orbit(60.0, 80.0, 200.0, [0.0, 40.0, 0.0])).at(2, 0.4),
        Case::new(
            "box-animated",
            load("BoxAnimated/BoxAnimated.glb")?.scene,
            orbit(30.0, 60.0, 6.0, [0.0, 1.0, 0.0]),
        )
        .at(0, 1.9),
        Case::new(
            "morph-cube",
            load("AnimatedMorphCube/AnimatedMorphCube.glb")?.scene,
            orbit(30.0, 60.0, 6.0, [0.0; 3]),
        )
        .at(0, 0.8),
        Case::new(
            "rigged-bent",
            load("RiggedSimple/RiggedSimple.glb")?.scene,
            orbit(90.0, 90.0, 16.0, [0.0, 2.0, 0.0]),
        )
        .at(0, 1.0),
        Case::new("camera-perspective", cameras.clone(), Camera::View(camera_view(&cameras, 0)?)),
        Case::new("camera-parallel", cameras.clone(), Camera::View(camera_view(&cameras, 1)?)),
    ])
}

/// The view of a scene's camera, by its number: the file gives no names.
fn camera_view(scene: &Scene, camera: usize) -> Result<pellucid::scene::View, Failure> {
    let node = scene.nodes.iter().position(|n| n.camera == Some(camera)).ok_or("no such camera")?;
    let globals = pellucid::scene::Pose::rest(scene).globals(scene);
    Ok(pellucid::scene::View::from_camera(&scene.cameras[camera], globals[node], 1.0))
}

fn check(session: &mut Session, cases: &[Case<'_>]) -> Vec<String> {
    let store = Store::of_the_repository();
    let black = Equirect { width: 4, height: 2, rgb: vec![[0.0; 3]; 8] };
    let mut bad = Vec::new();
    for case in cases {
        let request = RenderRequest {
            width: case.width,
            height: case.height,
            camera: case.camera,
            moment: case.moment,
            background: case.background,
            light: if case.dark { Light::Equirect(&black) } else { Light::Studio },
            ..RenderRequest::new(&case.scene)
        };
        let drawn: Result<_, Failure> = (|| {
            let mut uploaded = session.upload(&case.scene)?;
            Ok(stage::draw(session, &mut uploaded, &request)?)
        })();
        let outcome = drawn.and_then(|picture| Ok(store.check(case.name, &picture, TOLERANCE)?));
        if let Err(error) = outcome {
            bad.push(format!("{}: {error}", case.name));
        }
    }
    bad
}

#[test]
fn scenes_made_here_look_as_stored() {
    let mut session = stage::open(false).unwrap();
    let bad = check(&mut session, &made_here().unwrap());
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn shared_models_look_as_stored() {
    let Some(shared) = assets::shared("golden").unwrap() else { return };
    let mut session = stage::open(false).unwrap();
    let bad = check(&mut session, &shared_models(&shared).unwrap());
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn a_frame_drawn_twice_is_the_same() {
    let mut session = stage::open(false).unwrap();
    let scene = scenes::alpha_modes();
    let mut uploaded = session.upload(&scene).unwrap();
    let request = RenderRequest { width: 128, height: 128, ..RenderRequest::new(&scene) };
    let first = stage::draw(&mut session, &mut uploaded, &request).unwrap();
    let again = stage::draw(&mut session, &mut uploaded, &request).unwrap();
    assert!(first == again, "two draws of one frame differ");
    let mut other = stage::open(false).unwrap();
    let mut uploaded = other.upload(&scene).unwrap();
    let elsewhere = stage::draw(&mut other, &mut uploaded, &request).unwrap();
    assert!(first == elsewhere, "two sessions draw one frame differently");
}
