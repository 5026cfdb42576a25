//! What lies under a pixel of a model: a ray against every triangle.
use super::brdf::Material;
use super::sphere::{Camera, Seen};
use glam::{DMat4, DVec3};
use pellucid_scene::{AlphaMode, Pose, Primitive, Scene};

/// A triangle in the world.
struct Triangle {
    corners: [DVec3; 3],
    normals: [DVec3; 3],
    material: Material,
}

/// A model as triangles with plain materials.
pub struct Model(Vec<Triangle>);

impl Model {
    /// The rest pose of a scene, `None` when something in it needs more than plain opaque materials: a texture,
    /// vertex colours, light of its own, a skin or a morph target.
    #[must_use]
    pub fn plain(scene: &Scene) -> Option<Self> {
        let globals = Pose::rest(scene).globals(scene);
        let mut triangles = Vec::new();
        for (node, global) in scene.nodes.iter().zip(&globals) {
            let Some(mesh) = node.mesh else { continue };
            let weights = if node.weights.is_empty() { &scene.meshes[mesh].weights } else { &node.weights };
            if node.skin.is_some() || weights.iter().any(|w| *w != 0.0) {
                return None;
            }
            for primitive in &scene.meshes[mesh].primitives {
                if !primitive.colors.is_empty() {
                    return None;
                }
                add(&mut triangles, primitive, global.as_dmat4(), plain_material(scene, primitive.material)?);
            }
        }
        Some(Self(triangles))
    }

    /// The nearest triangle along a ray: distance, interpolated unit normal, material.
    fn hit(&self, origin: DVec3, ray: DVec3) -> Option<(f64, DVec3, usize)> {
        let hits = self.0.iter().enumerate().filter_map(|(k, triangle)| {
            let (distance, u, v) = triangle.intersect(origin, ray)?;
            let [a, b, c] = triangle.normals;
            Some((distance, (a * (1.0 - u - v) + b * u + c * v).normalize(), k))
        });
        hits.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// What is seen at every `step`th pixel whose surroundings (two pixels each way) show the same material and
    /// nearly the same normal, with its material. Front faces only.
    #[must_use]
    pub fn seen(&self, camera: &Camera, step: u32) -> Vec<(Seen, Material)> {
        let eye = camera.eye();
        let step = step.max(1);
        let middles = (step / 2..camera.size).step_by(step as usize);
        middles
            .clone()
            .flat_map(|y| middles.clone().map(move |x| (x, y)))
            .filter_map(|(x, y)| {
                let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let (distance, normal, k) = self.hit(eye, camera.ray(cx, cy))?;
                let around = [(-2.0, -2.0), (2.0, -2.0), (-2.0, 2.0), (2.0, 2.0)];
                let alike = around.iter().all(|(dx, dy)| {
                    self.hit(eye, camera.ray(cx + dx, cy + dy)).is_some_and(|(d, n, j)| {
                        (d - distance).abs() < 0.1 * distance
                            && n.dot(normal) > 0.995
                            && self.0[j].material == self.0[k].material
                    })
                });
                let view = -camera.ray(cx, cy);
                (alike && normal.dot(view) > 0.0).then_some((Seen { x, y, normal, view }, self.0[k].material))
            })
            .collect()
    }
}

/// A material's constants; `None` when it has more than that.
fn plain_material(scene: &Scene, material: Option<usize>) -> Option<Material> {
    let standard = pellucid_scene::Material::default();
    let material = material.map_or(&standard, |k| &scene.materials[k]);
    let textures = [
        material.base_color_texture,
        material.metallic_roughness_texture,
        material.normal_texture,
        material.occlusion_texture,
        material.emissive_texture,
    ];
    let is_plain = textures.iter().all(Option::is_none)
        && material.emissive == glam::Vec3::ZERO
        && material.alpha_mode == AlphaMode::Opaque
        && !material.unlit;
    is_plain.then(|| Material {
        base: material.base_color.truncate().as_dvec3(),
        metallic: material.metallic.into(),
        roughness: material.roughness.into(),
    })
}

/// Adds a primitive's triangles.
fn add(triangles: &mut Vec<Triangle>, primitive: &Primitive, global: DMat4, material: Material) {
    let normal_matrix = global.inverse().transpose();
    for corner in primitive.indices.as_chunks::<3>().0 {
        let corners = corner.map(|k| global.transform_point3(primitive.positions[k as usize].as_dvec3()));
        let normals = corner
            .map(|k| normal_matrix.transform_vector3(primitive.normals[k as usize].as_dvec3()).normalize());
        triangles.push(Triangle { corners, normals, material });
    }
}

impl Triangle {
    /// Distance and barycentric coordinates of the second and third corner (Möller and Trumbore 1997).
    fn intersect(&self, origin: DVec3, ray: DVec3) -> Option<(f64, f64, f64)> {
        let [a, b, c] = self.corners;
        let (ab, ac) = (b - a, c - a);
        let p = ray.cross(ac);
        let determinant = ab.dot(p);
        if determinant.abs() < 1e-14 {
            return None;
        }
        let s = (origin - a) / determinant;
        let u = s.dot(p);
        let q = s.cross(ab);
        let (v, distance) = (ray.dot(q), ac.dot(q));
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some((distance, u, v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes;

    #[test]
    fn a_fine_sphere_is_the_sphere() {
        let scene = scenes::sphere(glam::Vec3::ONE, 0.0, 0.5);
        let model = Model::plain(&scene).unwrap();
        let camera = Camera { theta: 30.0, phi: 60.0, radius: 3.0, target: DVec3::ZERO, fov: 45.0, size: 1024 };
        let seen = model.seen(&camera, 512);
        assert!(!seen.is_empty());
        for (seen, material) in seen {
            let expected = camera.hit(f64::from(seen.x) + 0.5, f64::from(seen.y) + 0.5).unwrap();
            assert!((seen.normal - expected).length() < 1e-3, "{} {expected}", seen.normal);
            assert!((material.roughness - 0.5).abs() < 1e-6);
        }
    }

    #[test]
    fn textures_are_not_plain() {
        assert!(Model::plain(&scenes::bumps()).is_none());
        assert!(Model::plain(&scenes::vertex_colors()).is_none());
    }
}
