//! Under the same light as the peers: as near to three.js as the Khronos renderer is; and the same test
//! fails when a mistake is made on purpose.
use glam::Vec3;
use pellucid::headless::{Camera, Light, RenderRequest, Session};
use pellucid::render::{Environment, ToneMap};
use pellucid::scene::{Equirect, EquirectLimits, ImportOptions, Scene, import};
use pellucid_golden_tests::assets::{self, CASE_FOV, Case};
use pellucid_golden_tests::golden::blessing;
use pellucid_golden_tests::measure::flip;
use pellucid_golden_tests::mistake::Mistake;
use pellucid_golden_tests::peers::{RECORD_SLACK, Records, Standing};
use pellucid_golden_tests::sheet::Sheet;
use pellucid_golden_tests::{Picture, stage};
use std::path::{Path, PathBuf};

type Failure = Box<dyn std::error::Error>;

const TONE_MAPS: [(&str, ToneMap); 2] = [("aces", ToneMap::Aces), ("none", ToneMap::None)];
const SIZE: u32 = 512;

/// What the peers had.
struct Peers {
    shared: PathBuf,
    cases: Vec<Case>,
    sky: Equirect,
}

impl Peers {
    fn find(test: &str) -> Result<Option<Self>, Failure> {
        let Some(shared) = assets::shared(test)? else { return Ok(None) };
        let cases = assets::cases(&shared)?;
        let file = shared.join("environments/chinese_garden_1k.hdr");
        let sky = Equirect::load(&file, &EquirectLimits::default())?;
        Ok(Some(Self { shared, cases, sky }))
    }

    fn picture(&self, peer: &str, case: &Case, tone_map: &str) -> Result<Picture, Failure> {
        Ok(Picture::load(&assets::peer_picture(&self.shared, peer, &case.name, tone_map))?)
    }

    fn scene(&self, case: &Case) -> Result<Scene, Failure> {
        Ok(import(&self.shared.join("models").join(&case.model), &ImportOptions::default())?.scene)
    }
}

/// Draws a case with both tone maps.
fn draw(
    session: &mut Session,
    case: &Case,
    scene: &Scene,
    light: &Environment,
) -> Result<[Picture; 2], Failure> {
    let mut uploaded = session.upload(scene)?;
    let [theta, phi, radius] = case.orbit;
    let target = Some(Vec3::from_array(case.target));
    let request = RenderRequest {
        width: SIZE,
        height: SIZE,
        camera: Camera::Orbit { theta, phi, radius: Some(radius), target, fov: CASE_FOV },
        light: Light::Prepared(light),
        ..RenderRequest::new(scene)
    };
    let mut one = |tone_map| stage::draw(session, &mut uploaded, &RenderRequest { tone_map, ..request });
    Ok([one(ToneMap::Aces)?, one(ToneMap::None)?])
}

/// Adds a row with ours, both peers, and where ours differs from three.js.
fn show(
    sheet: &mut Sheet,
    name: &str,
    (standing, bad): (&Standing, bool),
    ours: &Picture,
    three: &Picture,
    khronos: &Picture,
) -> Result<(), Failure> {
    let map = flip::paint(&flip::map(three, ours)?, SIZE, SIZE)?;
    let pictures =
        [("ours", ours), ("three.js", three), ("Khronos", khronos), ("FLIP of ours to three.js", &map)];
    Ok(sheet.row(name, &standing.to_string(), bad, &pictures)?)
}

#[test]
fn as_near_to_three_js_as_khronos_is() {
    let Some(peers) = Peers::find("peers").unwrap() else { return };
    assert_eq!(peers.cases.len(), 19);
    let mut session = stage::open(false).unwrap();
    let light = session.environment(&peers.sky).unwrap();
    let folder: &Path = &assets::reports().join("golden");
    let mut sheet = Sheet::new(folder, "Under the same light as the peers");
    let records = if blessing() { Records::default() } else { Records::load().unwrap() };
    let mut found = Records::default();
    let mut bad = Vec::new();
    for case in &peers.cases {
        let scene = peers.scene(case).unwrap();
        let drawn = draw(&mut session, case, &scene, &light).unwrap();
        for ((tone_map, _), ours) in TONE_MAPS.iter().zip(&drawn) {
            let three = peers.picture("three", case, tone_map).unwrap();
            let khronos = peers.picture("khronos", case, tone_map).unwrap();
            let standing = Standing::new(&case.name, &three, &khronos, ours).unwrap();
            let name = format!("{}-{tone_map}", case.name);
            println!("{name:30} {standing}");
            let faults = standing.faults(records.0.get(&name).copied());
            show(&mut sheet, &name, (&standing, !faults.is_empty()), ours, &three, &khronos).unwrap();
            bad.extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
            found.0.insert(name, standing.ours.flip);
        }
    }
    if blessing() {
        found.store().unwrap();
    } else {
        assert!(found.0.keys().eq(records.0.keys()), "peers-recorded.json names other pictures");
    }
    println!("pictures side by side: {}", sheet.finish("index.html").unwrap().display());
    assert!(bad.is_empty(), "{} of 38 pictures:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn mistakes_are_noticed() {
    let Some(peers) = Peers::find("peers").unwrap() else { return };
    let mut session = stage::open(false).unwrap();
    let records = Records::load().unwrap();
    let mut unnoticed = Vec::new();
    for mistake in Mistake::ALL {
        let mut sky = peers.sky.clone();
        mistake.make(&mut Scene::default(), &mut sky);
        let light = session.environment(&sky).unwrap();
        for case in &peers.cases {
            let mut scene = peers.scene(case).unwrap();
            if !mistake.concerns(&scene) {
                continue;
            }
            mistake.make(&mut scene, &mut Equirect { width: 0, height: 0, rgb: Vec::new() });
            let drawn = draw(&mut session, case, &scene, &light).unwrap();
            for ((tone_map, _), ours) in TONE_MAPS.iter().zip(&drawn) {
                let three = peers.picture("three", case, tone_map).unwrap();
                let khronos = peers.picture("khronos", case, tone_map).unwrap();
                let standing = Standing::new(&case.name, &three, &khronos, ours).unwrap();
                let name = format!("{}-{tone_map}", case.name);
                // A picture that is faulty without the mistake proves nothing: only its record counts.
                let recorded = records.0.get(&name).copied();
                let faults = standing.faults(recorded);
                let noticed = recorded.is_some_and(|r| standing.ours.flip > r + RECORD_SLACK);
                println!("{mistake:?} {name}: {}: {standing}", faults.join("; "));
                if !noticed {
                    unnoticed.push(format!("{mistake:?} in {name}"));
                }
            }
        }
    }
    assert!(unnoticed.is_empty(), "not noticed:\n{}", unnoticed.join("\n"));
}
