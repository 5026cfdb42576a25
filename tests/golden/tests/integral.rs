//! Right, not only alike: spheres under a real sky with a sun, against the BRDF summed over that sky.
use glam::{DVec3, Vec3};
use pellucid::headless::{Camera, Light, RenderRequest, Session};
use pellucid::render::{Environment as Lighting, ToneMap};
use pellucid::scene::Equirect;
use pellucid_golden_tests::measure::colour;
use pellucid_golden_tests::reference::brdf::Material;
use pellucid_golden_tests::reference::environment::Environment;
use pellucid_golden_tests::reference::integral::{FINE, reflected};
use pellucid_golden_tests::reference::sphere::{Camera as Orbit, Seen};
use pellucid_golden_tests::{assets, scenes, stage};
use std::fmt::Write as _;
use std::path::PathBuf;

/// From two sides: one sees the sun's highlight, the other the shade.
const ORBITS: [Orbit; 2] = [
    Orbit { theta: 20.0, phi: 75.0, radius: 3.2, target: DVec3::ZERO, fov: 45.0, size: 256 },
    Orbit { theta: -130.0, phi: 100.0, radius: 3.2, target: DVec3::ZERO, fov: 45.0, size: 256 },
];

/// The colour of the metals.
const METAL: DVec3 = DVec3::new(0.9, 0.8, 0.6);

/// What is compared, and the mean relative error that is allowed.
fn cases() -> [(&'static str, Material, f64); 6] {
    let metal = |roughness| Material { base: METAL, metallic: 1.0, roughness };
    [
        ("diffuse", Material { base: DVec3::splat(0.5), metallic: 0.0, roughness: 1.0 }, 0.03),
        ("metal 0.1", metal(0.1), 0.10),
        ("metal 0.25", metal(0.25), 0.10),
        ("metal 0.5", metal(0.5), 0.10),
        ("metal 0.75", metal(0.75), 0.10),
        ("metal 1", metal(1.0), 0.10),
    ]
}

type Failure = Box<dyn std::error::Error>;

/// Draws a sphere and hands back the colour at what is seen.
fn draw(
    session: &mut Session,
    lighting: &Lighting,
    material: &Material,
    orbit: &Orbit,
    seen: &[Seen],
) -> Result<Vec<DVec3>, Failure> {
    let base = material.base.as_vec3();
    let scene = scenes::sphere(base, material.metallic as f32, material.roughness as f32);
    let mut uploaded = session.upload(&scene)?;
    let request = RenderRequest {
        width: orbit.size,
        height: orbit.size,
        camera: Camera::Orbit {
            theta: orbit.theta as f32,
            phi: orbit.phi as f32,
            radius: Some(orbit.radius as f32),
            target: Some(Vec3::ZERO),
            fov: orbit.fov as f32,
        },
        light: Light::Prepared(lighting),
        tone_map: ToneMap::None,
        ..RenderRequest::new(&scene)
    };
    let pixels = stage::draw_linear(session, &mut uploaded, &request)?;
    seen.iter()
        .map(|s| {
            let [r, g, b, a] = pixels[(s.y * orbit.size + s.x) as usize];
            if (a - 1.0).abs() > 1e-3 {
                return Err(format!("alpha {a} at {}, {} inside the sphere", s.x, s.y).into());
            }
            Ok(Vec3::new(r, g, b).as_dvec3())
        })
        .collect()
}

/// Writes every point down, for plotting: `out/golden/integral.csv`.
fn write_points(points: &[Seen], found: &[Vec<DVec3>], expected: &[Vec<DVec3>]) -> Result<PathBuf, Failure> {
    let path = assets::reports().join("golden/integral.csv");
    let mut text = "case,n.v,normal x,y,z,found r,g,b,expected r,g,b\n".to_owned();
    for (((name, ..), found), expected) in cases().iter().zip(found).zip(expected) {
        for ((seen, found), expected) in points.iter().zip(found).zip(expected) {
            let values =
                [seen.normal, *found, *expected].map(|v| format!("{:.6},{:.6},{:.6}", v.x, v.y, v.z));
            writeln!(text, "{name},{:.4},{}", seen.normal.dot(seen.view), values.join(","))?;
        }
    }
    std::fs::create_dir_all(assets::reports().join("golden"))?;
    std::fs::write(&path, text)?;
    Ok(path)
}

/// Mean over points and channels of the difference over the expected value.
fn mean_relative_error(found: &[DVec3], expected: &[DVec3]) -> f64 {
    let each = found.iter().zip(expected).map(|(f, e)| ((*f - *e).abs() / *e).element_sum() / 3.0);
    each.sum::<f64>() / found.len() as f64
}

fn equirect(sky: &Environment) -> Equirect {
    Equirect { width: sky.width() as u32, height: sky.height() as u32, rgb: sky.to_texels() }
}

#[test]
fn the_reference_itself_has_converged() {
    let Some(shared) = assets::shared("integral").unwrap() else { return };
    let sky = Environment::load(&shared.join("environments/chinese_garden_1k.hdr")).unwrap();
    let materials: Vec<Material> = cases().iter().map(|c| c.1).collect();
    let seen = ORBITS[0].seen(40, 2.0);
    assert!(seen.len() >= 15, "{}", seen.len());
    let (usual, finer) =
        (reflected(&sky, &seen, &materials, FINE), reflected(&sky, &seen, &materials, 2 * FINE));
    for (k, (name, ..)) in cases().iter().enumerate() {
        let pick = |all: &[Vec<DVec3>]| all.iter().map(|radiances| radiances[k]).collect::<Vec<_>>();
        let error = mean_relative_error(&pick(&usual), &pick(&finer));
        println!("{name:12} moves by {:.4} % when cut twice as fine", error * 100.0);
        assert!(error < 0.002, "{name}: {error}");
    }
}

#[test]
fn spheres_reflect_what_the_integral_says() {
    let Some(shared) = assets::shared("integral").unwrap() else { return };
    let sky = Environment::load(&shared.join("environments/chinese_garden_1k.hdr")).unwrap();
    let mut session = stage::open(false).unwrap();
    let lighting = session.environment(&equirect(&sky)).unwrap();
    let materials: Vec<Material> = cases().iter().map(|c| c.1).collect();

    let mut found = vec![Vec::new(); materials.len()];
    let mut expected = vec![Vec::new(); materials.len()];
    let mut points = Vec::new();
    for orbit in &ORBITS {
        let seen = orbit.seen(14, 1.0);
        for radiances in reflected(&sky, &seen, &materials, FINE) {
            for (list, radiance) in expected.iter_mut().zip(radiances) {
                list.push(radiance);
            }
        }
        for (list, material) in found.iter_mut().zip(&materials) {
            list.extend(draw(&mut session, &lighting, material, orbit, &seen).unwrap());
        }
        points.extend(seen);
    }
    assert!(points.len() >= 200, "only {} points", points.len());
    println!("each point: {}", write_points(&points, &found, &expected).unwrap().display());

    let mut bad = Vec::new();
    for ((name, _, allowed), (found, expected)) in cases().iter().zip(found.iter().zip(&expected)) {
        let error = mean_relative_error(found, expected);
        let mean = |list: &[DVec3]| list.iter().sum::<DVec3>();
        let gain = mean(found) / mean(expected);
        println!(
            "{name:12} {} points: mean relative error {:5.2} % (allowed {:.0} %), gain {gain:.3}",
            found.len(),
            error * 100.0,
            allowed * 100.0
        );
        if error.is_nan() || error > *allowed {
            bad.push(format!("{name}: {:.2} %", error * 100.0));
        }
    }
    assert!(bad.is_empty(), "mean relative error beyond what is allowed: {}", bad.join(", "));
}

#[test]
fn a_mirror_shows_the_environment() {
    let Some(shared) = assets::shared("integral").unwrap() else { return };
    let sky = Environment::load(&shared.join("environments/chinese_garden_1k.hdr")).unwrap();
    let mut session = stage::open(false).unwrap();
    let lighting = session.environment(&equirect(&sky)).unwrap();
    let mirror = Material { base: DVec3::ONE, metallic: 1.0, roughness: 0.0 };
    let encode = |c: DVec3| c.to_array().map(|v| colour::encode(v.clamp(0.0, 1.0)) * 255.0);
    for orbit in &ORBITS {
        let seen = orbit.seen(1, 1.0);
        let found = draw(&mut session, &lighting, &mirror, orbit, &seen).unwrap();
        let differences = seen.iter().zip(&found).flat_map(|(s, found)| {
            let reflection = 2.0 * s.normal.dot(s.view) * s.normal - s.view;
            let expected = encode(sky.lookup(reflection));
            encode(*found).into_iter().zip(expected).map(|(f, e)| (f - e).abs())
        });
        let mean = differences.sum::<f64>() / (3 * seen.len()) as f64;
        println!("mirror from {}, {}: mean difference {mean:.3}/255", orbit.theta, orbit.phi);
        assert!(mean <= 0.5, "{mean}/255");
    }
}

#[test]
fn nothing_is_lost_in_a_white_furnace() {
    let mut session = stage::open(false).unwrap();
    let white = Environment::new(128, 64, &[[1.0; 3]; 128 * 64]).unwrap();
    let lighting = session.environment(&equirect(&white)).unwrap();
    let seen = ORBITS[0].seen(1, 1.0);
    let mut bad = Vec::new();
    for metallic in [0.0, 0.5, 1.0] {
        for roughness in [0.0, 0.1, 0.25, 0.5, 0.75, 1.0] {
            let material = Material { base: DVec3::ONE, metallic, roughness };
            let found = draw(&mut session, &lighting, &material, &ORBITS[0], &seen).unwrap();
            let (mut worst, mut at) = (0.0, &seen[0]);
            for (s, found) in seen.iter().zip(&found) {
                let off = (*found - DVec3::ONE).abs().max_element();
                if off.is_nan() || off > worst {
                    (worst, at) = (off, s);
                }
            }
            let n_dot_v = at.normal.dot(at.view);
            println!(
                "metallic {metallic} roughness {roughness}: worst {:.3}/255 at n.v {n_dot_v:.2}",
                worst * 255.0
            );
            if worst.is_nan() || worst > 1.0 / 255.0 {
                bad.push(format!("metallic {metallic} roughness {roughness}: {:.2}/255", worst * 255.0));
            }
        }
    }
    assert!(bad.is_empty(), "lost or made up: {}", bad.join(", "));
}
