//! The standing lamp: a brass foot and stem, a glowing shade and the point light in it.

use glam::{Vec2, Vec3};

use crate::sample::mesh::Mesh;
use crate::sample::palette::Palette;
use crate::sample::shape::{lathe, rod, spline, tube};
use crate::sample::stage::{Fixture, Node, NodeId, Stage};

pub fn build(stage: &mut Stage, palette: &Palette, room: NodeId, place: Vec3) {
    let lamp = stage.group("Lamp", Some(room), place, 0.0);
    let p = Vec2::new;
    let mut stand = lathe(&[p(0.0, 0.0), p(0.145, 0.0)], 48);
    stand.append(&lathe(&spline(&[p(0.145, 0.0), p(0.15, 0.006), p(0.145, 0.013), p(0.13, 0.017)], 2), 26));
    stand.append(&lathe(
        &spline(&[p(0.13, 0.017), p(0.06, 0.024), p(0.025, 0.04), p(0.013, 0.09), p(0.011, 0.14)], 4),
        26,
    ));
    stand.append(&rod(Vec3::new(0.0, 0.13, 0.0), Vec3::new(0.0, 1.5, 0.0), 0.011, 14));
    for y in [0.62, 1.36] {
        let knuckle =
            [p(0.011, -0.022), p(0.0165, -0.016), p(0.0185, 0.0), p(0.0165, 0.016), p(0.011, 0.022)];
        stand.append(&lathe(&spline(&knuckle, 2), 16).at(0.0, y, 0.0));
    }
    // Three spokes carry the shade, and a finial ends the stem.
    for k in 0..3 {
        let (sin, cos) = (std::f32::consts::TAU * k as f32 / 3.0).sin_cos();
        stand.append(&rod(Vec3::new(0.0, 1.66, 0.0), Vec3::new(sin * 0.142, 1.66, cos * 0.142), 0.0028, 8));
    }
    stand.append(&rod(Vec3::new(0.0, 1.57, 0.0), Vec3::new(0.0, 1.67, 0.0), 0.006, 12));
    let finial = [p(0.006, 0.0), p(0.011, 0.008), p(0.013, 0.017), p(0.008, 0.027), p(0.0, 0.03)];
    stand.append(&lathe(&spline(&finial, 2), 14).at(0.0, 1.665, 0.0));
    stage.object("Lamp stand", lamp, Vec3::ZERO, [(stand, palette.brass)]);

    let (low, high, wide, narrow) = (1.4, 1.68, 0.215, 0.145);
    let side: Vec<Vec2> = (0..=6).map(|i| p(wide, low).lerp(p(narrow, high), i as f32 / 6.0)).collect();
    let slant = p(wide, low).distance(p(narrow, high));
    let shade = lathe(&side, 26).uv_mapped(Vec2::new(1.0, 1.0 / slant), Vec2::new(0.0, 1.0));
    stage.object("Lamp shade", lamp, Vec3::ZERO, [(shade, palette.shade)]);
    let ring = |radius: f32, y: f32| {
        let path: Vec<Vec3> = (0..=26)
            .map(|i| {
                let (sin, cos) = (std::f32::consts::TAU * (i % 26) as f32 / 26.0).sin_cos();
                Vec3::new(radius * sin, y, radius * cos)
            })
            .collect();
        tube(&path, |_| 0.0026, 6)
    };
    let trim = Mesh::join([ring(wide, low), ring(narrow, high)]);
    stage.object("Lamp trim", lamp, Vec3::ZERO, [(trim, palette.brass)]);

    let bulb =
        [p(0.0, -0.045), p(0.026, -0.036), p(0.036, -0.01), p(0.03, 0.018), p(0.016, 0.045), p(0.014, 0.06)];
    let bulb = lathe(&spline(&bulb, 2), 18).at(0.0, 1.51, 0.0);
    stage.object("Bulb", lamp, Vec3::ZERO, [(bulb, palette.bulb)]);
    stage.node(Node {
        name: "Lamp light".to_owned(),
        parent: Some(lamp),
        translation: Vec3::new(0.0, 1.52, 0.0),
        fixture: Fixture::Point(Vec3::new(1.0, 0.72, 0.42), 2.8, 6.0),
        ..Node::default()
    });
}
