//! A primitive while it is built: vertex lists that are duplicated, split and thinned together.
use crate::{Aabb, MorphTarget, Primitive};
use glam::{Vec2, Vec3, Vec4};

/// Keeps `order`'s vertices of one list, in that order; an empty list stays empty.
fn pick<T: Copy>(list: &mut Vec<T>, order: &[u32]) {
    if !list.is_empty() {
        *list = order.iter().map(|&vertex| list[vertex as usize]).collect();
    }
}

/// Rearranges all vertex lists: new vertex `i` is old vertex `order[i]`. Indices are the caller's to set.
pub(super) fn reorder(primitive: &mut Primitive, order: &[u32]) {
    pick(&mut primitive.positions, order);
    pick(&mut primitive.normals, order);
    pick(&mut primitive.tangents, order);
    pick(&mut primitive.uv0, order);
    pick(&mut primitive.uv1, order);
    pick(&mut primitive.colors, order);
    pick(&mut primitive.joints, order);
    pick(&mut primitive.weights, order);
    for target in &mut primitive.targets {
        pick(&mut target.positions, order);
        pick(&mut target.normals, order);
        pick(&mut target.tangents, order);
    }
}

/// Gives every corner of every triangle a vertex of its own.
pub(super) fn unshare(primitive: &mut Primitive) {
    let order = std::mem::take(&mut primitive.indices);
    reorder(primitive, &order);
    primitive.indices = (0..order.len() as u32).collect();
}

/// Bytes of one vertex in all lists.
pub(super) fn bytes_per_vertex(primitive: &Primitive) -> u64 {
    fn of<T>(list: &[T]) -> u64 {
        if list.is_empty() { 0 } else { size_of::<T>() as u64 }
    }
    let targets: u64 = primitive
        .targets
        .iter()
        .map(|target| of(&target.positions) + of(&target.normals) + of(&target.tangents))
        .sum();
    of::<Vec3>(&primitive.positions)
        + of::<Vec3>(&primitive.normals)
        + of::<Vec4>(&primitive.tangents)
        + of::<Vec2>(&primitive.uv0)
        + of::<Vec2>(&primitive.uv1)
        + of::<Vec4>(&primitive.colors)
        + of(&primitive.joints)
        + of::<Vec4>(&primitive.weights)
        + targets
}

/// Drops vertices that no triangle uses, when they are most of them: some writers cut one large mesh into many
/// primitives that all name the same accessors.
pub(super) fn drop_unused(primitive: &mut Primitive) {
    let count = primitive.positions.len();
    if primitive.indices.len() >= count / 2 {
        return;
    }
    const UNUSED: u32 = u32::MAX;
    let mut renumbered = vec![UNUSED; count];
    let mut order = Vec::new();
    for index in &mut primitive.indices {
        let number = &mut renumbered[*index as usize];
        if *number == UNUSED {
            *number = order.len() as u32;
            order.push(*index);
        }
        *index = *number;
    }
    reorder(primitive, &order);
}

/// Flat normals, for a primitive that has none: each triangle's own (glTF 2.0, section 3.7.2.1). Vertices are
/// unshared. A morph target's normals become what its own triangles' differ by.
pub(super) fn flatten(primitive: &mut Primitive) {
    unshare(primitive);
    primitive.normals = face_normals(&primitive.positions);
    for target in &mut primitive.targets {
        if target.positions.is_empty() {
            continue;
        }
        let moved: Vec<Vec3> =
            primitive.positions.iter().zip(&target.positions).map(|(base, offset)| *base + *offset).collect();
        let normals = face_normals(&moved);
        target.normals = normals.iter().zip(&primitive.normals).map(|(moved, base)| *moved - *base).collect();
    }
}

fn face_normals(corners: &[Vec3]) -> Vec<Vec3> {
    corners
        .as_chunks::<3>()
        .0
        .iter()
        .flat_map(|&[a, b, c]| {
            // In doubles: the cross product of a small triangle's edges is too small for floats, and a large one's
            // edges are too long.
            let [a, b, c] = [a, b, c].map(|corner| corner.as_dvec3());
            [(b - a).cross(c - a).try_normalize().map_or(Vec3::Y, |normal| normal.as_vec3()); 3]
        })
        .collect()
}

/// The bounds of the positions.
pub(super) fn bounds(positions: &[Vec3]) -> Aabb {
    Aabb::around(positions.iter().copied()).unwrap_or(Aabb { min: Vec3::ZERO, max: Vec3::ZERO })
}

/// A primitive without vertices.
pub(super) fn empty(material: Option<usize>) -> Primitive {
    Primitive {
        positions: Vec::new(),
        normals: Vec::new(),
        tangents: Vec::new(),
        uv0: Vec::new(),
        uv1: Vec::new(),
        colors: Vec::new(),
        joints: Vec::new(),
        weights: Vec::new(),
        indices: Vec::new(),
        material,
        targets: Vec::<MorphTarget>::new(),
        bounds: bounds(&[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quad() -> Primitive {
        Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..empty(None)
        }
    }

    #[test]
    fn flat_normals_face_the_front() {
        let mut quad = quad();
        quad.targets = vec![MorphTarget {
            positions: vec![Vec3::ZERO, -Vec3::X, -Vec3::X + Vec3::Z, Vec3::Z],
            ..Default::default()
        }];
        flatten(&mut quad);
        assert_eq!(quad.positions.len(), 6);
        assert_eq!(quad.normals, [Vec3::Z; 6]);
        assert_eq!(quad.indices, [0, 1, 2, 3, 4, 5]);
        // The second triangle becomes (0,0,0), (0,1,1), (0,1,1): degenerate, so +Y.
        assert_eq!(quad.targets[0].normals[3], Vec3::Y - Vec3::Z);
    }

    #[test]
    fn triangles_of_any_size_have_normals() {
        let corners = [Vec3::ZERO, Vec3::X * 1e-25, Vec3::Y * 1e-25];
        assert_eq!(face_normals(&corners), [Vec3::Z; 3]);
        let corners = [Vec3::X, Vec3::Y, Vec3::NEG_X].map(|corner| corner * f32::MAX);
        assert_eq!(face_normals(&corners), [Vec3::Z; 3]);
    }

    #[test]
    fn unused_vertices_go() {
        let mut quad = quad();
        quad.positions.extend([Vec3::NAN; 20]);
        quad.uv0 = (0..24).map(|i| Vec2::splat(i as f32)).collect();
        quad.indices = vec![3, 2, 0];
        drop_unused(&mut quad);
        assert_eq!(quad.positions, [Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::ZERO]);
        assert_eq!(quad.uv0, [Vec2::splat(3.0), Vec2::splat(2.0), Vec2::ZERO]);
        assert_eq!(quad.indices, [0, 1, 2]);
    }
}
