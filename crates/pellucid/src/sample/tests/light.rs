//! The baked occlusion.

use glam::Vec3;

use crate::sample::bake::bake;
use crate::sample::mesh::Mesh;
use crate::sample::motion::spin;
use crate::sample::shape::{Block, Patch, block};
use crate::sample::stage::{Alpha, Material, Stage};

/// Bakes a floor of four metres with something on it and returns the floor.
fn floor_with(thing: Option<Mesh>, material: Material) -> Mesh {
    let mut stage = Stage::default();
    let plain = stage.material(Material::default());
    let other = stage.material(material);
    let room = stage.group("Room", None, Vec3::ZERO, 0.0);
    let floor =
        Patch { corner: Vec3::new(-2.0, 0.0, 2.0), right: Vec3::X * 4.0, up: Vec3::NEG_Z * 4.0, cell: 0.25 };
    stage.object("Floor", room, Vec3::ZERO, [(floor.build(), plain)]);
    if let Some(thing) = thing {
        stage.object("Thing", room, Vec3::ZERO, [(thing, other)]);
    }
    bake(&mut stage);
    stage.models[0].parts[0].mesh.clone()
}

fn openness_at(mesh: &Mesh, place: Vec3) -> f32 {
    let nearest = (0..mesh.positions.len())
        .min_by(|a, b| mesh.positions[*a].distance(place).total_cmp(&mesh.positions[*b].distance(place)));
    mesh.openness[nearest.unwrap()]
}

#[test]
fn an_empty_floor_is_open() {
    let floor = floor_with(None, Material::default());
    assert!(floor.openness.iter().all(|open| (*open - 1.0).abs() < 1e-6));
}

#[test]
fn a_floor_is_darker_beside_a_block_and_open_far_from_it() {
    let tall = block(0.8, 1.0, 0.8, 0.0).at(0.0, 0.5, 0.0);
    let floor = floor_with(Some(tall), Material::default());
    let (beside, further) = (openness_at(&floor, Vec3::X * 0.5), openness_at(&floor, Vec3::X));
    assert!(beside < further && further < 1.0, "{beside} {further}");
    // A tall wall beside a point hides nearly half of its sky; half of that comes back by reflection.
    assert!((0.55..0.85).contains(&beside), "{beside}");
    assert!(openness_at(&floor, Vec3::new(2.0, 0.0, 2.0)) > 0.98);
}

#[test]
fn what_is_under_a_block_takes_the_light_of_what_is_around_it() {
    let low = Block { size: Vec3::new(0.8, 0.2, 0.8), radius: 0.0, bands: 1, cell: 0.2 }
        .build()
        .at(0.0, 0.099, 0.0);
    let floor = floor_with(Some(low), Material::default());
    assert!(openness_at(&floor, Vec3::ZERO) > 0.5);
}

#[test]
fn what_moves_leaves_no_shade_behind() {
    let mut stage = Stage::default();
    let plain = stage.material(Material::default());
    let floor =
        Patch { corner: Vec3::new(-1.0, 0.0, 1.0), right: Vec3::X * 2.0, up: Vec3::NEG_Z * 2.0, cell: 0.25 };
    let room = stage.group("Room", None, Vec3::ZERO, 0.0);
    let arm = stage.group("Arm", Some(room), Vec3::ZERO, 0.0);
    stage.object("Floor", room, Vec3::ZERO, [(floor.build(), plain)]);
    stage.object("Block", arm, Vec3::ZERO, [(block(0.5, 0.5, 0.5, 0.0).at(0.0, 0.4, 0.0), plain)]);
    let mut still = stage.clone();
    bake(&mut still);
    assert!(openness_at(&still.models[0].parts[0].mesh, Vec3::ZERO) < 0.9);
    spin(&mut stage, arm, Vec3::Y, 1);
    bake(&mut stage);
    assert!(stage.models[0].parts[0].mesh.openness.iter().all(|open| (*open - 1.0).abs() < 1e-6));
}

#[test]
fn glass_hides_nothing() {
    let tall = block(0.8, 1.0, 0.8, 0.0).at(0.0, 0.5, 0.0);
    let floor = floor_with(Some(tall), Material { alpha: Alpha::Blend, ..Material::default() });
    assert!(floor.openness.iter().all(|open| (*open - 1.0).abs() < 1e-6));
}
