//! Models with plain materials, under the peers' light and camera, against the integral: ours has to be nearer
//! to it than either peer. This judges Box and BoxInterleaved, on which the peers disagree, and shows for the
//! others who is right where ours differs from three.js.
use glam::{DVec3, Vec3};
use pellucid::headless::{Camera, Light, RenderRequest};
use pellucid::render::ToneMap;
use pellucid::scene::{Equirect, EquirectLimits, ImportOptions, import};
use pellucid_golden_tests::assets::{self, CASE_FOV};
use pellucid_golden_tests::measure::colour;
use pellucid_golden_tests::peers::JUDGED_BY_INTEGRAL;
use pellucid_golden_tests::reference::cast::Model;
use pellucid_golden_tests::reference::environment::Environment;
use pellucid_golden_tests::reference::integral::reflected_each;
use pellucid_golden_tests::reference::sphere::{Camera as Orbit, Seen};
use pellucid_golden_tests::{Picture, stage};

const SIZE: u32 = 512;

/// Mean difference of a picture from the expected codes, of 255.
fn mean_difference(picture: &Picture, points: &[Seen], expected: &[[f64; 3]]) -> f64 {
    let each = points.iter().zip(expected).flat_map(|(seen, expected)| {
        let [r, g, b, _] = picture.pixels()[(seen.y * SIZE + seen.x) as usize];
        [r, g, b].into_iter().zip(*expected).map(|(c, e)| (f64::from(c) - e).abs())
    });
    each.sum::<f64>() / (3 * points.len()) as f64
}

#[test]
fn nearer_to_the_integral_than_the_peers() {
    let Some(shared) = assets::shared("plain_models").unwrap() else { return };
    let file = shared.join("environments/chinese_garden_1k.hdr");
    let sky = Environment::load(&file).unwrap();
    let mut session = stage::open(false).unwrap();
    let light = session.environment(&Equirect::load(&file, &EquirectLimits::default()).unwrap()).unwrap();
    let (mut judged, mut bad) = (Vec::new(), Vec::new());
    for case in assets::cases(&shared).unwrap() {
        let scene =
            import(&shared.join("models").join(&case.model), &ImportOptions::default()).unwrap().scene;
        let Some(model) = Model::plain(&scene) else { continue };
        let [theta, phi, radius] = case.orbit;
        let target = Vec3::from_array(case.target);
        let orbit = Orbit {
            theta: theta.into(),
            phi: phi.into(),
            radius: radius.into(),
            target: target.as_dvec3(),
            fov: CASE_FOV.into(),
            size: SIZE,
        };
        // A closer grid where little is flat; a texture that is constant nowhere leaves nothing to judge by.
        let grids = [32, 10].into_iter().map(|step| model.seen(&orbit, step));
        let Some(seen) = grids.into_iter().find(|seen| seen.len() >= 20) else {
            println!("{:24} nothing plain enough to judge", case.name);
            continue;
        };
        let points: Vec<Seen> = seen.iter().map(|(seen, _)| *seen).collect();
        let encode = |c: DVec3| c.to_array().map(|v| colour::encode(v.clamp(0.0, 1.0)) * 255.0);
        let expected: Vec<[f64; 3]> = reflected_each(&sky, &seen).into_iter().map(encode).collect();

        let request = RenderRequest {
            width: SIZE,
            height: SIZE,
            camera: Camera::Orbit { theta, phi, radius: Some(radius), target: Some(target), fov: CASE_FOV },
            light: Light::Prepared(&light),
            tone_map: ToneMap::None,
            ..RenderRequest::new(&scene)
        };
        let mut uploaded = session.upload(&scene).unwrap();
        let ours = stage::draw(&mut session, &mut uploaded, &request).unwrap();
        let peer = |peer| Picture::load(&assets::peer_picture(&shared, peer, &case.name, "none")).unwrap();
        let off = |picture: &Picture| mean_difference(picture, &points, &expected);
        let (ours, three, khronos) = (off(&ours), off(&peer("three")), off(&peer("khronos")));
        println!(
            "{:24} {:3} points: mean difference from the integral, of 255: ours {ours:.2}, three.js {three:.2}, \
             Khronos {khronos:.2}",
            case.name,
            points.len()
        );
        if ours.is_nan() || ours > three.min(khronos) {
            bad.push(format!("{}: {ours:.2}/255, a peer {:.2}", case.name, three.min(khronos)));
        }
        judged.push(case.name);
    }
    for name in JUDGED_BY_INTEGRAL {
        assert!(judged.iter().any(|n| n == name), "{name} was not judged: {judged:?}");
    }
    assert!(bad.is_empty(), "farther from the integral than a peer: {}", bad.join(", "));
}
