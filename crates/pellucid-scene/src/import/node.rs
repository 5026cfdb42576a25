//! Nodes, their hierarchy and the scene's roots.
use super::context::Context;
use super::extensions::Extended;
use super::pointer::Pointer;
use crate::error::{ErrorKind, ImportError};
use crate::{Mesh, Node, Skin, Transform};
use glam::{Mat4, Quat, Vec3};
use gltf_json::Root;
use gltf_json::scene::Node as JsonNode;

/// How many there are of what nodes refer to.
pub(super) struct Counts {
    pub cameras: usize,
    pub lights: usize,
}

/// Builds the nodes. Their hierarchy is a forest afterwards.
pub(super) fn build(
    cx: &Context<'_>,
    root: &Root,
    extended: &Extended,
    counts: &Counts,
) -> Result<Vec<Node>, ImportError> {
    let list = Pointer::ROOT.key("nodes");
    let mut nodes = Vec::with_capacity(root.nodes.len());
    for (index, json) in root.nodes.iter().enumerate() {
        let at = list.index(index);
        let optional = |key: &str, what, index: Option<usize>, count| match index {
            None => Ok(None),
            Some(index) => at.key(key).check_index(what, index, count).map(Some),
        };
        let children: Vec<usize> = json.children.iter().flatten().map(|child| child.value()).collect();
        let at_children = at.key("children");
        for (place, &child) in children.iter().enumerate() {
            at_children.index(place).check_index("node", child, root.nodes.len())?;
        }
        let light = extended.nodes.get(index).and_then(|it| it.extensions.light.as_ref());
        let at_extensions = at.key("extensions");
        let at_light = at_extensions.key("KHR_lights_punctual");
        let light = match light {
            None => None,
            Some(light) => {
                let light = usize::try_from(light.light).unwrap_or(usize::MAX);
                Some(at_light.key("light").check_index("light", light, counts.lights)?)
            }
        };
        let weights = json.weights.clone().unwrap_or_default();
        at.key("weights").check_finite(&weights)?;
        let mesh = optional("mesh", "mesh", json.mesh.map(|it| it.value()), root.meshes.len())?;
        let mut skin = optional("skin", "skin", json.skin.map(|it| it.value()), root.skins.len())?;
        if skin.is_some() && mesh.is_none() {
            cx.warn(&at.key("skin"), "a skin without a mesh does nothing; it is left out");
            skin = None;
        }
        nodes.push(Node {
            name: json.name.clone().unwrap_or_default(),
            parent: None,
            children,
            transform: transform(cx, json, &at)?,
            mesh,
            skin,
            camera: optional("camera", "camera", json.camera.map(|it| it.value()), counts.cameras)?,
            light,
            weights,
        });
    }
    set_parents(&mut nodes)?;
    check_acyclic(&nodes)?;
    Ok(nodes)
}

fn transform(cx: &Context<'_>, json: &JsonNode, at: &Pointer<'_>) -> Result<Transform, ImportError> {
    if let Some(matrix) = &json.matrix {
        let at = at.key("matrix");
        at.check_finite(matrix)?;
        if *matrix == Mat4::IDENTITY.to_cols_array() {
            return Ok(trs(None, None, None));
        }
        let mut matrix = Mat4::from_cols_array(matrix);
        if matrix.row(3) != glam::Vec4::W {
            cx.warn(&at, "the matrix is not affine; its last row is taken as 0, 0, 0, 1");
            for (column, last) in [0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
                matrix.col_mut(column).w = last;
            }
        }
        return Ok(Transform::Matrix(matrix));
    }
    let checked = |key: &str, values: &[f32]| at.key(key).check_finite(values);
    checked("translation", &json.translation.unwrap_or_default())?;
    checked("rotation", &json.rotation.map_or([0.0; 4], |rotation| rotation.0))?;
    checked("scale", &json.scale.unwrap_or_default())?;
    let rotation = match json.rotation {
        None => None,
        Some(rotation) => {
            let rotation = Quat::from_array(rotation.0);
            // In doubles, so that no length is too small or too large.
            let length = rotation.as_dquat().length();
            if length < 1e-30 {
                return Err(at.key("rotation").invalid("a quaternion of length 0 is no rotation"));
            }
            Some((rotation.as_dquat() / length).as_quat())
        }
    };
    Ok(trs(json.translation, rotation, json.scale))
}

fn trs(translation: Option<[f32; 3]>, rotation: Option<Quat>, scale: Option<[f32; 3]>) -> Transform {
    Transform::Trs {
        translation: translation.map_or(Vec3::ZERO, Vec3::from),
        rotation: rotation.unwrap_or(Quat::IDENTITY),
        scale: scale.map_or(Vec3::ONE, Vec3::from),
    }
}

fn set_parents(nodes: &mut [Node]) -> Result<(), ImportError> {
    let list = Pointer::ROOT.key("nodes");
    for parent in 0..nodes.len() {
        let at = list.index(parent);
        let at_children = at.key("children");
        for place in 0..nodes[parent].children.len() {
            let child = nodes[parent].children[place];
            if let Some(first) = nodes[child].parent.replace(parent) {
                let kind =
                    ErrorKind::TwoParents { node: child as u64, first: first as u64, second: parent as u64 };
                return Err(at_children.index(place).error(kind));
            }
        }
    }
    Ok(())
}

/// Every node has at most one parent by now: what can't be reached from a parentless one is on a cycle or
/// below it.
fn check_acyclic(nodes: &[Node]) -> Result<(), ImportError> {
    let mut reached = vec![false; nodes.len()];
    let mut stack: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node].parent.is_none()).collect();
    while let Some(node) = stack.pop() {
        reached[node] = true;
        stack.extend_from_slice(&nodes[node].children);
    }
    let Some(mut node) = reached.iter().position(|reached| !reached) else { return Ok(()) };
    // From below a cycle, as many steps up as there are nodes end on it.
    for _ in 0..nodes.len() {
        node = nodes[node].parent.unwrap_or(node);
    }
    // Of the nodes on it, the first in the file is named.
    let (start, mut first) = (node, node);
    while let Some(parent) = nodes[node].parent.filter(|&parent| parent != start) {
        node = parent;
        first = first.min(node);
    }
    let list = Pointer::ROOT.key("nodes");
    Err(list.index(first).error(ErrorKind::Cycle { node: first as u64 }))
}

/// The default scene's name and roots. Meshes, cameras and lights of nodes that aren't part of it are taken off:
/// such nodes remain as plain transforms, which skins and animations may refer to.
pub(super) fn scene(root: &Root, nodes: &mut [Node]) -> Result<(String, Vec<usize>), ImportError> {
    let list = Pointer::ROOT.key("scenes");
    let at_scene = Pointer::ROOT.key("scene");
    let (scene, index) = match root.scene {
        Some(index) => {
            let index = at_scene.check_index("scene", index.value(), root.scenes.len())?;
            (&root.scenes[index], index)
        }
        None => match root.scenes.first() {
            Some(scene) => (scene, 0),
            // A file without scenes is a library of parts: all of them are shown.
            None => {
                let parentless = (0..nodes.len()).filter(|&node| nodes[node].parent.is_none()).collect();
                return Ok((String::new(), parentless));
            }
        },
    };
    let at = list.index(index);
    let at = at.key("nodes");
    let mut roots = Vec::with_capacity(scene.nodes.len());
    let mut shown = vec![false; nodes.len()];
    for (place, node) in scene.nodes.iter().enumerate() {
        let at = at.index(place);
        let node = at.check_index("node", node.value(), nodes.len())?;
        if nodes[node].parent.is_some() {
            return Err(
                at.invalid(format!("node {node} is another node's child, which a scene's root can't be"))
            );
        }
        if std::mem::replace(&mut shown[node], true) {
            return Err(at.invalid(format!("node {node} is listed twice")));
        }
        roots.push(node);
    }
    let mut stack = roots.clone();
    while let Some(node) = stack.pop() {
        shown[node] = true;
        stack.extend_from_slice(&nodes[node].children);
    }
    for (node, _) in nodes.iter_mut().zip(shown).filter(|(_, shown)| !shown) {
        (node.mesh, node.skin, node.camera, node.light) = (None, None, None, None);
        node.weights.clear();
    }
    Ok((scene.name.clone().unwrap_or_default(), roots))
}

/// Checks what nodes, meshes and skins owe each other.
pub(super) fn check_meshes(nodes: &[Node], meshes: &[Mesh], skins: &[Skin]) -> Result<(), ImportError> {
    let list = Pointer::ROOT.key("nodes");
    let most_joints: Vec<Option<u16>> = meshes.iter().map(most_joint).collect();
    for (index, node) in nodes.iter().enumerate() {
        let at = list.index(index);
        let Some(mesh) = node.mesh else { continue };
        let targets = meshes[mesh].primitives.first().map(|primitive| primitive.targets.len());
        if let Some(targets) =
            targets.filter(|&targets| !node.weights.is_empty() && node.weights.len() != targets)
        {
            let what = "weights (one for each morph target of the mesh)";
            let (found, expected) = (node.weights.len() as u64, targets as u64);
            return Err(at.key("weights").error(ErrorKind::Count { what, found, expected }));
        }
        if let (Some(skin), Some(joint)) = (node.skin, most_joints[mesh]) {
            let count = skins[skin].joints.len();
            if usize::from(joint) >= count {
                let list = Pointer::ROOT.key("meshes");
                let (index, count) = (u64::from(joint), count as u64);
                return Err(list.index(mesh).error(ErrorKind::IndexOutOfRange {
                    what: "joint",
                    index,
                    count,
                }));
            }
        }
    }
    Ok(())
}

fn most_joint(mesh: &Mesh) -> Option<u16> {
    mesh.primitives.iter().flat_map(|primitive| primitive.joints.as_flattened()).max().copied()
}
