//! Tangents where the file has none: `MikkTSpace`, as normal maps are baked for (glTF 2.0, section 3.7.2.1).
use super::vertices::reorder;
use crate::Primitive;
use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec2, Vec3, Vec4};

/// Makes tangents for the coordinates that the normal map uses. A vertex whose corners get different tangents
/// is split.
///
/// Returns false, with tangents merely at right angles to the normals, when the primitive has no such
/// coordinates.
pub(super) fn generate(primitive: &mut Primitive, uv_set: u32) -> bool {
    let uvs = if uv_set == 0 { &primitive.uv0 } else { &primitive.uv1 };
    if uvs.is_empty() {
        primitive.tangents = primitive.normals.iter().copied().map(any_tangent).collect();
        return false;
    }
    let mut corners = Corners {
        positions: &primitive.positions,
        normals: &primitive.normals,
        uvs,
        triangles: primitive.indices.as_chunks().0,
        tangents: vec![None; primitive.indices.len()],
    };
    // The error type has no values; without tangents, corners fall back below.
    let _ = generate_tangents(&mut corners);
    let tangents = corners.tangents;
    split(primitive, &tangents);
    true
}

/// A tangent at right angles to a normal.
pub(super) fn any_tangent(normal: Vec3) -> Vec4 {
    normal.any_orthonormal_vector().extend(1.0)
}

/// Gives each vertex its corners' tangent, and a copy of itself for each further tangent they have.
fn split(primitive: &mut Primitive, tangents: &[Option<Vec4>]) {
    const NONE: u32 = u32::MAX;
    let count = primitive.positions.len();
    // `next[v]` is the next copy of the vertex that `v` is a copy of.
    let mut next = vec![NONE; count];
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut chosen: Vec<Option<Vec4>> = vec![None; count];
    for (index, &tangent) in primitive.indices.iter_mut().zip(tangents) {
        let Some(tangent) = tangent else { continue };
        let mut vertex = *index as usize;
        loop {
            match chosen[vertex] {
                None => {
                    chosen[vertex] = Some(tangent);
                    break;
                }
                Some(found) if found == tangent => break,
                Some(_) if next[vertex] != NONE => vertex = next[vertex] as usize,
                Some(_) => {
                    let copy = order.len();
                    next[vertex] = copy as u32;
                    next.push(NONE);
                    order.push(*index);
                    chosen.push(Some(tangent));
                    vertex = copy;
                    break;
                }
            }
        }
        *index = vertex as u32;
    }
    if order.len() > count {
        reorder(primitive, &order);
    }
    primitive.tangents = chosen
        .iter()
        .zip(&primitive.normals)
        .map(|(tangent, normal)| tangent.unwrap_or_else(|| any_tangent(*normal)))
        .collect();
}

struct Corners<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    uvs: &'a [Vec2],
    triangles: &'a [[u32; 3]],
    tangents: Vec<Option<Vec4>>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.triangles[face][corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.positions[self.vertex(face, corner)].to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.normals[self.vertex(face, corner)].to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.uvs[self.vertex(face, corner)].to_array()
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, corner: usize) {
        let normal = self.normals[self.vertex(face, corner)];
        self.tangents[face * 3 + corner] = tangent.and_then(|tangent| {
            let [x, y, z, sign] = tangent.tangent_encoded();
            // MikkTSpace takes v to point up; in glTF it points down.
            let tangent = Vec3::new(x, y, z);
            let usable = tangent.is_finite() && tangent.cross(normal).length_squared() > 1e-12;
            usable.then(|| tangent.extend(-sign))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::vertices::empty;
    use super::*;

    /// A quad in the XY plane whose picture is upright: u to the right, v down.
    fn quad(mirrored: bool) -> Primitive {
        let u = |u: f32| if mirrored { 1.0 - u } else { u };
        Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
            normals: vec![Vec3::Z; 4],
            uv0: vec![
                Vec2::new(u(0.0), 1.0),
                Vec2::new(u(1.0), 1.0),
                Vec2::new(u(1.0), 0.0),
                Vec2::new(u(0.0), 0.0),
            ],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..empty(None)
        }
    }

    #[test]
    fn an_upright_picture_has_its_tangent_to_the_right() {
        let mut quad = quad(false);
        assert!(generate(&mut quad, 0));
        assert_eq!(quad.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
        // cross(normal, tangent) * w is up in the picture, which a normal map's green means.
        assert_eq!(Vec3::Z.cross(Vec3::X), Vec3::Y);
    }

    #[test]
    fn a_mirrored_picture_has_the_other_handedness() {
        let mut quad = quad(true);
        assert!(generate(&mut quad, 0));
        assert_eq!(quad.tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4]);
    }

    #[test]
    fn a_mirror_seam_splits_its_vertices() {
        // Two quads share an edge, and the right one's picture is the left one's in a mirror.
        let mut seam = quad(false);
        seam.positions.extend([Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 1.0, 0.0)]);
        seam.normals = vec![Vec3::Z; 6];
        seam.uv0.extend([Vec2::new(0.0, 1.0), Vec2::new(0.0, 0.0)]);
        seam.indices.extend([1, 4, 5, 1, 5, 2]);
        assert!(generate(&mut seam, 0));
        assert_eq!(seam.positions.len(), 8, "both vertices of the seam are doubled");
        for (corner, &index) in seam.indices.iter().enumerate() {
            let right = if corner < 6 { 1.0 } else { -1.0 };
            assert_eq!(seam.tangents[index as usize], Vec4::new(right, 0.0, 0.0, right));
        }
    }

    #[test]
    fn extreme_numbers_give_usable_tangents() {
        // Every combination of extremes in positions and coordinates: differences overflow and vanish.
        let extremes = [0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, 1.0];
        for a in extremes {
            for b in extremes {
                for c in extremes {
                    let mut quad = quad(false);
                    quad.positions[0] = Vec3::new(a, b, c);
                    quad.positions[2] = Vec3::new(c, a, b);
                    quad.uv0[1] = Vec2::new(b, c);
                    quad.uv0[3] = Vec2::new(a, b);
                    assert!(generate(&mut quad, 0));
                    assert_eq!(quad.tangents.len(), quad.positions.len());
                    for (tangent, normal) in quad.tangents.iter().zip(&quad.normals) {
                        assert!(tangent.is_finite() && tangent.truncate().cross(*normal).length() > 1e-6);
                    }
                }
            }
        }
    }

    #[test]
    fn without_coordinates_tangents_are_at_right_angles() {
        let mut quad = quad(false);
        quad.uv0.clear();
        assert!(!generate(&mut quad, 0));
        assert!(quad.tangents.iter().all(|tangent| tangent.truncate().dot(Vec3::Z) == 0.0));
    }
}
