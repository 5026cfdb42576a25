//! What lies under a pixel of a model: a ray against every triangle.
use super::brdf::Material;
use super::sphere::{Camera, Seen};
use crate::measure::colour;
use glam::{DMat4, DVec2, DVec3, Mat4};
use pellucid_scene::{AlphaMode, Pose, Primitive, Scene, TextureRef, Wrap};

/// A triangle in the world.
struct Triangle {
    corners: [DVec3; 3],
    normals: [DVec3; 3],
    uvs: [DVec2; 3],
    material: Material,
    /// Multiplies the base colour.
    texture: Option<usize>,
}

/// What a ray meets.
struct Hit {
    distance: f64,
    normal: DVec3,
    material: Material,
}

/// A model as triangles with constant materials, but for base colour textures.
pub struct Model<'a> {
    scene: &'a Scene,
    triangles: Vec<Triangle>,
}

impl<'a> Model<'a> {
    /// The rest pose of a scene; `None` when something in it needs more than opaque materials whose only texture
    /// is one of base colour: vertex colours, light of its own, or a morph target in use.
    #[must_use]
    pub fn plain(scene: &'a Scene) -> Option<Self> {
        let globals = Pose::rest(scene).globals(scene);
        let mut triangles = Vec::new();
        for (node, global) in scene.nodes.iter().zip(&globals) {
            let Some(mesh) = node.mesh else { continue };
            let weights = if node.weights.is_empty() { &scene.meshes[mesh].weights } else { &node.weights };
            if weights.iter().any(|w| *w != 0.0) {
                return None;
            }
            // A skin's vertices are where its joints put them, wherever the node itself is.
            let joints: Option<Vec<Mat4>> = node.skin.map(|skin| {
                let skin = &scene.skins[skin];
                let pairs = skin.joints.iter().zip(&skin.inverse_bind);
                pairs.map(|(joint, inverse)| globals[*joint] * *inverse).collect()
            });
            for primitive in &scene.meshes[mesh].primitives {
                if !primitive.colors.is_empty() {
                    return None;
                }
                let (material, texture) = plain_material(scene, primitive.material)?;
                let place = |vertex: usize| match &joints {
                    Some(joints) => bend(joints, primitive, vertex),
                    None => global.as_dmat4(),
                };
                add(&mut triangles, primitive, place, material, texture);
            }
        }
        Some(Self { scene, triangles })
    }

    /// The nearest triangle along a ray.
    fn hit(&self, origin: DVec3, ray: DVec3) -> Option<Hit> {
        let hits = self.triangles.iter().filter_map(|t| t.intersect(origin, ray).map(|found| (t, found)));
        let (triangle, (distance, u, v)) = hits.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let [a, b, c] = triangle.normals;
        let mut material = triangle.material;
        if let Some(texture) = triangle.texture {
            let [a, b, c] = triangle.uvs;
            material.base *= texel(self.scene, texture, a * (1.0 - u - v) + b * u + c * v);
        }
        Some(Hit { distance, normal: (a * (1.0 - u - v) + b * u + c * v).normalize(), material })
    }

    /// What is seen at every `step`th pixel whose surroundings (two pixels each way) show the same material and
    /// nearly the same normal, with its material. Front faces only.
    #[must_use]
    pub fn seen(&self, camera: &Camera, step: u32) -> Vec<(Seen, Material)> {
        let eye = camera.eye();
        let step = step.max(1);
        let middles = (step / 2..camera.size).step_by(step as usize);
        let around = || (0..25_u8).map(|k| (f64::from(k % 5) - 2.0, f64::from(k / 5) - 2.0));
        middles
            .clone()
            .flat_map(|y| middles.clone().map(move |x| (x, y)))
            .filter_map(|(x, y)| {
                let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let found = self.hit(eye, camera.ray(cx, cy))?;
                let alike = around().all(|(dx, dy)| {
                    self.hit(eye, camera.ray(cx + dx, cy + dy)).is_some_and(|near| {
                        (near.distance - found.distance).abs() < 0.1 * found.distance
                            && near.normal.dot(found.normal) > 0.995
                            && near.material == found.material
                    })
                });
                let view = -camera.ray(cx, cy);
                (alike && found.normal.dot(view) > 0.0)
                    .then_some((Seen { x, y, normal: found.normal, view }, found.material))
            })
            .collect()
    }
}

/// A material's constants and its base colour texture; `None` when it has more than that.
fn plain_material(scene: &Scene, material: Option<usize>) -> Option<(Material, Option<usize>)> {
    let standard = pellucid_scene::Material::default();
    let material = material.map_or(&standard, |k| &scene.materials[k]);
    let others = [
        material.metallic_roughness_texture,
        material.normal_texture,
        material.occlusion_texture,
        material.emissive_texture,
    ];
    let is_plain = others.iter().all(Option::is_none)
        && material.base_color_texture.is_none_or(|TextureRef { uv_set, .. }| uv_set == 0)
        && material.emissive == glam::Vec3::ZERO
        && material.alpha_mode == AlphaMode::Opaque
        && !material.unlit;
    let constants = Material {
        base: material.base_color.truncate().as_dvec3(),
        metallic: material.metallic.into(),
        roughness: material.roughness.into(),
    };
    is_plain.then_some((constants, material.base_color_texture.map(|t| t.texture)))
}

/// The linear colour of the texel at a place: no filter, so it is right where the texture is constant.
fn texel(scene: &Scene, texture: usize, uv: DVec2) -> DVec3 {
    let texture = &scene.textures[texture];
    let image = &scene.images[texture.image];
    let place = |at: f64, size: u32, wrap: Wrap| {
        let turn = match wrap {
            Wrap::Repeat => at.rem_euclid(1.0),
            Wrap::Clamp => at.clamp(0.0, 1.0),
            Wrap::Mirror => 1.0 - (at.rem_euclid(2.0) - 1.0).abs(),
        };
        ((turn * f64::from(size)) as u32).min(size.saturating_sub(1))
    };
    let (x, y) =
        (place(uv.x, image.width, texture.sampler.wrap_u), place(uv.y, image.height, texture.sampler.wrap_v));
    let start = 4 * (y as usize * image.width as usize + x as usize);
    DVec3::from_array(std::array::from_fn(|c| colour::decode(f64::from(image.rgba[start + c]) / 255.0)))
}

/// A vertex's joint matrices, weighted.
fn bend(joints: &[Mat4], primitive: &Primitive, vertex: usize) -> DMat4 {
    let weights = primitive.weights[vertex].to_array();
    let pairs = primitive.joints[vertex].into_iter().zip(weights);
    pairs.fold(DMat4::ZERO, |sum, (joint, weight)| {
        sum + joints[usize::from(joint)].as_dmat4() * f64::from(weight)
    })
}

/// Adds a primitive's triangles.
fn add(
    triangles: &mut Vec<Triangle>,
    primitive: &Primitive,
    place: impl Fn(usize) -> DMat4,
    material: Material,
    texture: Option<usize>,
) {
    let texture = texture.filter(|_| !primitive.uv0.is_empty());
    for corner in primitive.indices.as_chunks::<3>().0 {
        let vertices = corner.map(|k| k as usize);
        triangles.push(Triangle {
            corners: vertices.map(|k| place(k).transform_point3(primitive.positions[k].as_dvec3())),
            normals: vertices.map(|k| {
                let normal_matrix = place(k).inverse().transpose();
                normal_matrix.transform_vector3(primitive.normals[k].as_dvec3()).normalize()
            }),
            uvs: vertices.map(|k| primitive.uv0.get(k).map_or(DVec2::ZERO, |uv| uv.as_dvec2())),
            material,
            texture,
        });
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
        let camera =
            Camera { theta: 30.0, phi: 60.0, radius: 3.0, target: DVec3::ZERO, fov: 45.0, size: 1024 };
        let seen = model.seen(&camera, 512);
        assert!(!seen.is_empty());
        for (seen, material) in seen {
            let expected = camera.hit(f64::from(seen.x) + 0.5, f64::from(seen.y) + 0.5).unwrap();
            assert!((seen.normal - expected).length() < 1e-3, "{} {expected}", seen.normal);
            assert!((material.roughness - 0.5).abs() < 1e-6);
        }
    }

    #[test]
    fn more_than_a_base_colour_is_not_plain() {
        // Its normal maps and its metallic-roughness texture.
        assert!(Model::plain(&scenes::bumps()).is_none());
        assert!(Model::plain(&scenes::vertex_colors()).is_none());
    }
}
