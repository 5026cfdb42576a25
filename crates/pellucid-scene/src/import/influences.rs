//! Joints and weights: any number of sets to the four that count most.
use glam::Vec4;

/// The strongest four influences of a vertex, their weights summing to 1. `sets` holds joints and weights of
/// every pair of `JOINTS_n` and `WEIGHTS_n`, four at a time.
///
/// Joints without weight are set to 0, so that they can't be out of range. A vertex without any weight follows
/// its first joint.
pub(super) fn strongest(sets: impl Iterator<Item = ([u32; 4], [f32; 4])>) -> ([u32; 4], Vec4) {
    let mut best: [(f32, u32); 4] = [(0.0, 0); 4];
    let mut first = None;
    for (joints, weights) in sets {
        first.get_or_insert(joints[0]);
        for (joint, weight) in joints.into_iter().zip(weights) {
            // Insertion into four places, strongest first; equals keep their order.
            if let Some(place) = best.iter().position(|&(found, _)| weight > found) {
                best[place..].rotate_right(1);
                best[place] = (weight, joint);
            }
        }
    }
    let sum: f32 = best.iter().map(|&(weight, _)| weight).sum();
    if sum <= 0.0 || !sum.is_finite() {
        return ([first.unwrap_or(0), 0, 0, 0], Vec4::X);
    }
    (best.map(|(_, joint)| joint), Vec4::from(best.map(|(weight, _)| weight)) / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_four_of_eight_are_kept() {
        let sets = [([1, 2, 3, 4], [0.1, 0.3, 0.0, 0.05]), ([5, 6, 7, 8], [0.2, 0.25, 0.04, 0.06])];
        let (joints, weights) = strongest(sets.into_iter());
        assert_eq!(joints, [2, 6, 5, 1]);
        let expected = Vec4::new(0.3, 0.25, 0.2, 0.1) / 0.85;
        assert!(weights.abs_diff_eq(expected, 1e-6), "{weights}");
        assert!((weights.element_sum() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn weightless_joints_are_harmless() {
        let (joints, weights) = strongest([([9, 60000, 60000, 60000], [1.0, 0.0, 0.0, 0.0])].into_iter());
        assert_eq!((joints, weights), ([9, 0, 0, 0], Vec4::X));
        let (joints, weights) = strongest([([9, 8, 7, 6], [0.0; 4])].into_iter());
        assert_eq!((joints, weights), ([9, 0, 0, 0], Vec4::X));
    }
}
