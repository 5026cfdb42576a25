use super::*;

fn transform(offset: [f32; 2], rotation: f32, scale: [f32; 2]) -> UvSource {
    let transform = TextureTransform { offset, rotation, scale, tex_coord: None };
    UvSource { set: 0, transform: Some(transform) }
}

#[test]
fn transforms_scale_then_turn_then_move() {
    let source = transform([0.1, 0.2], 0.0, [2.0, 3.0]);
    assert!(source.apply(Vec2::new(0.5, 0.5)).abs_diff_eq(Vec2::new(1.1, 1.7), 1e-6));
    // A quarter turn counter-clockwise, v pointing down: right goes to up, which is -v.
    let source = transform([0.0, 0.0], std::f32::consts::FRAC_PI_2, [2.0, 1.0]);
    assert!(source.apply(Vec2::X).abs_diff_eq(Vec2::new(0.0, -2.0), 1e-6));
    assert!(source.apply(Vec2::Y).abs_diff_eq(Vec2::new(1.0, 0.0), 1e-6));
}

#[test]
fn plain_coordinates_keep_their_sets() {
    let plan = UvPlan::new(&[UvSource::plain(1)]);
    assert_eq!(plan, UvPlan::default());
    assert_eq!(plan.set_of(&UvSource::plain(1)), Some(1));
}

#[test]
fn two_combinations_fit_and_a_third_does_not() {
    let (a, b, c) = (UvSource::plain(3), transform([0.5, 0.0], 0.0, [1.0; 2]), UvSource::plain(0));
    let plan = UvPlan::new(&[a, b, a, c]);
    assert_eq!([a, b, c].map(|source| plan.set_of(&source)), [Some(0), Some(1), None]);
}
