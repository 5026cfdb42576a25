//! Meshes and their primitives.
use super::accessor::{Accessor, Source};
use super::context::Place;
use super::material::{Materials, UvPlan};
use super::pointer::Pointer;
use super::{influences, tangents, topology, vertices};
use crate::error::{ErrorKind, ImportError};
use crate::{Mesh, MorphTarget, Primitive};
use glam::{Vec2, Vec3, Vec4};
use gltf_json::accessor::{ComponentType, Type};
use gltf_json::mesh::{Mode, Primitive as JsonPrimitive, Semantic};
use gltf_json::validation::Checked;

/// Builds all meshes.
pub(super) fn build(source: &Source<'_>, materials: &Materials) -> Result<Vec<Mesh>, ImportError> {
    let list = Pointer::ROOT.key("meshes");
    let mut meshes = Vec::with_capacity(source.root.meshes.len());
    for (index, json) in source.root.meshes.iter().enumerate() {
        let at = list.index(index);
        let at_primitives = at.key("primitives");
        let mut primitives = Vec::with_capacity(json.primitives.len());
        let mut targets = None;
        for (index, json) in json.primitives.iter().enumerate() {
            let at = at_primitives.index(index);
            let count = json.targets.as_ref().map_or(0, Vec::len);
            check_count(
                count,
                *targets.get_or_insert(count),
                "morph targets of this primitive and the first",
                &at.key("targets"),
            )?;
            if let Some(primitive) = (Builder { source, json, at }).build(materials)? {
                primitives.push(primitive);
            }
        }
        let weights = json.weights.clone().unwrap_or_default();
        let at_weights = at.key("weights");
        if !weights.is_empty() {
            check_count(
                weights.len(),
                targets.unwrap_or(0),
                "weights (one for each morph target)",
                &at_weights,
            )?;
        }
        at_weights.check_finite(&weights)?;
        meshes.push(Mesh { name: json.name.clone().unwrap_or_default(), primitives, weights });
    }
    Ok(meshes)
}

fn check_count(
    found: usize,
    expected: usize,
    what: &'static str,
    at: &Pointer<'_>,
) -> Result<(), ImportError> {
    if found == expected {
        return Ok(());
    }
    Err(at.error(ErrorKind::Count { what, found: found as u64, expected: expected as u64 }))
}

struct Builder<'a> {
    source: &'a Source<'a>,
    json: &'a JsonPrimitive,
    at: Pointer<'a>,
}

/// Floats, and the smaller types that `KHR_mesh_quantization` adds.
fn quantized(component: ComponentType) -> bool {
    component != ComponentType::U32
}

/// Floats, and normalized unsigned bytes and shorts.
fn unit(component: ComponentType, normalized: bool) -> bool {
    match component {
        ComponentType::F32 => true,
        ComponentType::U8 | ComponentType::U16 => normalized,
        ComponentType::I8 | ComponentType::I16 | ComponentType::U32 => false,
    }
}

const VECTORS: &str = "VEC3 of floats, bytes or shorts";

impl Builder<'_> {
    /// Builds the primitive; `None` when there is nothing to draw.
    fn build(&self, materials: &Materials) -> Result<Option<Primitive>, ImportError> {
        let cx = self.source.cx;
        let mode = match self.json.mode {
            Checked::Valid(mode) => mode,
            Checked::Invalid => return Err(self.at.key("mode").invalid("it is none of glTF's modes")),
        };
        if matches!(mode, Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) {
            cx.warn(&self.at, "points and lines aren't drawn; the primitive is left out");
            return Ok(None);
        }
        let at_material = self.at.key("material");
        let material = match self.json.material {
            None => None,
            Some(index) => {
                Some(at_material.check_index("material", index.value(), materials.materials.len())?)
            }
        };
        let default_plan = UvPlan::default();
        let plan = material.map_or(&default_plan, |material| &materials.plans[material]);
        let mut primitive = self.vertices(material, plan)?;
        primitive.indices = self.indices(mode, primitive.positions.len())?;
        if primitive.indices.is_empty() {
            cx.warn(&self.at, "the primitive has no triangles; it is left out");
            return Ok(None);
        }
        vertices::drop_unused(&mut primitive);
        if primitive.normals.is_empty() {
            // The file's tangents and displaced normals mean nothing without its normals.
            primitive.tangents.clear();
            for target in &mut primitive.targets {
                target.normals.clear();
                target.tangents.clear();
            }
            let corners = primitive.indices.len() as u64;
            cx.charge_vertices(corners).place(&self.at)?;
            cx.charge(corners.saturating_mul(vertices::bytes_per_vertex(&primitive) + 12)).place(&self.at)?;
            vertices::flatten(&mut primitive);
        }
        let normal_map = material.and_then(|material| materials.materials[material].normal_texture);
        if let Some(normal_map) = normal_map.filter(|_| primitive.tangents.is_empty()) {
            // At worst every corner becomes a vertex.
            let corners = primitive.indices.len() as u64;
            cx.charge_vertices(corners.saturating_sub(primitive.positions.len() as u64)).place(&self.at)?;
            cx.charge(corners.saturating_mul(16)).place(&self.at)?;
            if !tangents::generate(&mut primitive, normal_map.uv_set) {
                cx.warn(&self.at, "the material has a normal map, but the primitive no coordinates for it");
            }
        }
        primitive.bounds = vertices::bounds(&primitive.positions);
        Ok(Some(primitive))
    }

    fn attribute(&self, semantic: Semantic) -> Option<usize> {
        self.json.attributes.get(&Checked::Valid(semantic)).map(|index| index.value())
    }

    /// Reads an attribute's accessor and checks its length.
    fn accessor(
        &self,
        index: usize,
        count: Option<usize>,
        at: &Pointer<'_>,
    ) -> Result<Accessor<'_>, ImportError> {
        let accessor = self.source.accessor(index, at)?;
        if let Some(count) = count {
            check_count(accessor.count, count, "vertices of this attribute and POSITION", at)?;
        }
        Ok(accessor)
    }

    fn vertices(&self, material: Option<usize>, plan: &UvPlan) -> Result<Primitive, ImportError> {
        let cx = self.source.cx;
        let at = self.at.key("attributes");
        let mut primitive = vertices::empty(material);
        let at_position = at.key("POSITION");
        let Some(index) = self.attribute(Semantic::Positions) else {
            return Err(at_position.error(ErrorKind::Missing("the primitive's POSITION attribute")));
        };
        let accessor = self.accessor(index, None, &at_position)?;
        cx.charge_vertices(accessor.count as u64).place(&at_position)?;
        primitive.positions = self.vectors(&accessor, &at_position)?;
        let count = primitive.positions.len();
        if u32::try_from(count).is_err() {
            return Err(at_position.invalid("a primitive has at most 4294967295 vertices"));
        }
        if let Some(index) = self.attribute(Semantic::Normals) {
            let at = at.key("NORMAL");
            let accessor = self.accessor(index, Some(count), &at)?;
            primitive.normals = self.vectors(&accessor, &at)?;
            for normal in &mut primitive.normals {
                *normal = unit_vector(*normal, Vec3::Y);
            }
        }
        if let Some(index) = self.attribute(Semantic::Tangents)
            && !primitive.normals.is_empty()
        {
            let at = at.key("TANGENT");
            let accessor = self.accessor(index, Some(count), &at)?;
            accessor.expect(&at, "VEC4 of floats, bytes or shorts", |kind, component, _| {
                kind == Type::Vec4 && quantized(component)
            })?;
            let raw = accessor.floats::<4>(cx, &at)?;
            primitive.tangents =
                raw.iter().zip(&primitive.normals).map(|(raw, normal)| tangent(*raw, *normal)).collect();
        }
        for (set, from) in plan.sets.iter().enumerate() {
            let Some(from) = from else { continue };
            let Some(index) = self.attribute(Semantic::TexCoords(from.set)) else { continue };
            let key = format!("TEXCOORD_{}", from.set);
            let at = at.key(&key);
            let accessor = self.accessor(index, Some(count), &at)?;
            accessor.expect(&at, "VEC2 of floats, bytes or shorts", |kind, component, _| {
                kind == Type::Vec2 && quantized(component)
            })?;
            let uvs: Vec<Vec2> =
                accessor.floats::<2>(cx, &at)?.into_iter().map(|uv| from.apply(Vec2::from(uv))).collect();
            // A transform may take large coordinates out of range.
            if let Some(index) = uvs.iter().position(|uv| !uv.is_finite()) {
                return Err(at.error(ErrorKind::NotFinite { index: index as u64 }));
            }
            *(if set == 0 { &mut primitive.uv0 } else { &mut primitive.uv1 }) = uvs;
        }
        if let Some(index) = self.attribute(Semantic::Colors(0)) {
            let at = at.key("COLOR_0");
            primitive.colors = self.colors(&self.accessor(index, Some(count), &at)?, &at)?;
        }
        self.influences(&mut primitive, count, &at)?;
        primitive.targets = self.targets(count)?;
        self.warn_unread(plan, &at);
        Ok(primitive)
    }

    fn vectors(&self, accessor: &Accessor<'_>, at: &Pointer<'_>) -> Result<Vec<Vec3>, ImportError> {
        accessor.expect(at, VECTORS, |kind, component, _| kind == Type::Vec3 && quantized(component))?;
        Ok(accessor.floats::<3>(self.source.cx, at)?.into_iter().map(Vec3::from).collect())
    }

    fn colors(&self, accessor: &Accessor<'_>, at: &Pointer<'_>) -> Result<Vec<Vec4>, ImportError> {
        let expected = "VEC3 or VEC4 of floats or normalized unsigned bytes or shorts";
        accessor.expect(at, expected, |kind, component, normalized| {
            matches!(kind, Type::Vec3 | Type::Vec4) && unit(component, normalized)
        })?;
        let cx = self.source.cx;
        Ok(match accessor.kind {
            Type::Vec3 => {
                accessor.floats(cx, at)?.into_iter().map(|rgb| Vec3::from_array(rgb).extend(1.0)).collect()
            }
            _ => accessor.floats(cx, at)?.into_iter().map(Vec4::from_array).collect(),
        })
    }

    fn influences(
        &self,
        primitive: &mut Primitive,
        count: usize,
        at: &Pointer<'_>,
    ) -> Result<(), ImportError> {
        let cx = self.source.cx;
        let mut sets = Vec::new();
        for (key, &joints) in &self.json.attributes {
            let Checked::Valid(Semantic::Joints(set)) = *key else { continue };
            let key = format!("JOINTS_{set}");
            let at_joints = at.key(&key);
            let accessor = self.accessor(joints.value(), Some(count), &at_joints)?;
            accessor.expect(
                &at_joints,
                "VEC4 of unsigned bytes or shorts",
                |kind, component, normalized| {
                    kind == Type::Vec4
                        && matches!(component, ComponentType::U8 | ComponentType::U16)
                        && !normalized
                },
            )?;
            let joints = accessor.unsigned::<4>(cx, &at_joints)?;
            let key = format!("WEIGHTS_{set}");
            let at_weights = at.key(&key);
            let Some(weights) = self.attribute(Semantic::Weights(set)) else {
                return Err(at_weights.error(ErrorKind::Missing("the weights of these joints")));
            };
            let accessor = self.accessor(weights, Some(count), &at_weights)?;
            let expected = "VEC4 of floats or normalized unsigned bytes or shorts";
            accessor.expect(&at_weights, expected, |kind, component, normalized| {
                kind == Type::Vec4 && unit(component, normalized)
            })?;
            sets.push((joints, accessor.floats::<4>(cx, &at_weights)?));
        }
        if sets.is_empty() {
            return Ok(());
        }
        if sets.len() > 1 {
            cx.warn(at, "more than four joints move a vertex; the strongest four are kept");
        }
        primitive.joints.reserve_exact(count);
        primitive.weights.reserve_exact(count);
        for vertex in 0..count {
            let sets = sets.iter().map(|(joints, weights)| (joints[vertex], weights[vertex]));
            let (joints, weights) = influences::strongest(sets);
            // Joints are bytes or shorts: they fit.
            primitive.joints.push(joints.map(|joint| joint as u16));
            primitive.weights.push(weights);
        }
        Ok(())
    }

    fn targets(&self, count: usize) -> Result<Vec<MorphTarget>, ImportError> {
        let json = self.json.targets.as_deref().unwrap_or_default();
        let at = self.at.key("targets");
        let limit = self.source.cx.limits.morph_targets;
        if json.len() as u64 > limit {
            let (what, found) = ("morph targets", json.len() as u64);
            return Err(at.error(ErrorKind::Limit { what, found, limit, option: "morph_targets" }));
        }
        let mut targets = Vec::with_capacity(json.len());
        for (index, target) in json.iter().enumerate() {
            let at = at.index(index);
            let read = |index: Option<usize>, key: &str| match index {
                None => Ok(Vec::new()),
                Some(index) => {
                    let at = at.key(key);
                    self.vectors(&self.accessor(index, Some(count), &at)?, &at)
                }
            };
            targets.push(MorphTarget {
                positions: read(target.positions.map(|it| it.value()), "POSITION")?,
                normals: read(target.normals.map(|it| it.value()), "NORMAL")?,
                tangents: read(target.tangents.map(|it| it.value()), "TANGENT")?,
            });
        }
        Ok(targets)
    }

    fn indices(&self, mode: Mode, count: usize) -> Result<Vec<u32>, ImportError> {
        let cx = self.source.cx;
        let at = self.at.key("indices");
        let list = match self.json.indices {
            None => {
                cx.charge_indices(count as u64).place(&self.at)?;
                cx.charge(count as u64 * 4).place(&self.at)?;
                // The caller has checked that vertices are numbered by 32 bits.
                (0..count as u32).collect()
            }
            Some(index) => {
                let accessor = self.source.accessor(index.value(), &at)?;
                accessor.expect(
                    &at,
                    "SCALAR of unsigned bytes, shorts or integers",
                    |kind, component, normalized| {
                        let unsigned =
                            matches!(component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
                        kind == Type::Scalar && unsigned && !normalized
                    },
                )?;
                cx.charge_indices(accessor.count as u64).place(&at)?;
                let indices = accessor.unsigned::<1>(cx, &at)?;
                if let Some(&[index]) = indices.iter().find(|[index]| *index as usize >= count) {
                    let (what, index) = ("vertex", u64::from(index));
                    return Err(at.error(ErrorKind::IndexOutOfRange { what, index, count: count as u64 }));
                }
                indices.into_flattened()
            }
        };
        if matches!(mode, Mode::TriangleStrip | Mode::TriangleFan) {
            // Three indices for each but the first two.
            let more = list.len() as u64 * 2;
            cx.charge_indices(more).place(&self.at)?;
            cx.charge(more * 4).place(&self.at)?;
        }
        let (list, rest) = topology::triangles(mode, list);
        if rest > 0 {
            cx.warn(&self.at, format!("the last {rest} vertices make no triangle; they are left out"));
        }
        Ok(list)
    }

    fn warn_unread(&self, plan: &UvPlan, at: &Pointer<'_>) {
        let cx = self.source.cx;
        for key in self.json.attributes.keys() {
            let (name, why) = match key {
                Checked::Valid(Semantic::TexCoords(set))
                    if *set > 1 && !plan.sets.iter().flatten().any(|source| source.set == *set) =>
                {
                    (format!("TEXCOORD_{set}"), "no texture uses it; it is left out")
                }
                Checked::Valid(Semantic::Colors(set)) if *set > 0 => {
                    (format!("COLOR_{set}"), "only COLOR_0 has a meaning; it is left out")
                }
                _ => continue,
            };
            cx.warn(&at.key(&name), why);
        }
    }
}

/// A vector of length 1, or `fallback` for one that has no direction.
fn unit_vector(vector: Vec3, fallback: Vec3) -> Vec3 {
    if (vector.length_squared() - 1.0).abs() < 1e-6 {
        return vector;
    }
    vector.as_dvec3().try_normalize().map_or(fallback, |vector| vector.as_vec3())
}

/// A file's tangent; one that has no direction beside the normal's is replaced.
fn tangent([x, y, z, w]: [f32; 4], normal: Vec3) -> Vec4 {
    let fallback = tangents::any_tangent(normal).truncate();
    let tangent = unit_vector(Vec3::new(x, y, z), fallback);
    let usable = tangent.cross(normal).length_squared() > 1e-6;
    (if usable { tangent } else { fallback }).extend(if w < 0.0 { -1.0 } else { 1.0 })
}
