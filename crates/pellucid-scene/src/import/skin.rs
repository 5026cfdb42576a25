//! Skins.
use super::accessor::Source;
use super::pointer::Pointer;
use crate::Skin;
use crate::error::{ErrorKind, ImportError};
use glam::Mat4;
use gltf_json::accessor::{ComponentType, Type};

/// Builds all skins.
pub(super) fn build(source: &Source<'_>) -> Result<Vec<Skin>, ImportError> {
    let list = Pointer::ROOT.key("skins");
    let nodes = source.root.nodes.len();
    let mut skins = Vec::with_capacity(source.root.skins.len());
    for (index, json) in source.root.skins.iter().enumerate() {
        let at = list.index(index);
        let at_joints = at.key("joints");
        let mut joints = Vec::with_capacity(json.joints.len());
        for (place, joint) in json.joints.iter().enumerate() {
            joints.push(at_joints.index(place).check_index("node", joint.value(), nodes)?);
        }
        if joints.is_empty() {
            return Err(at_joints.error(ErrorKind::Missing("the skin's first joint")));
        }
        if let Some(skeleton) = json.skeleton {
            at.key("skeleton").check_index("node", skeleton.value(), nodes)?;
        }
        let at_bind = at.key("inverseBindMatrices");
        let inverse_bind = match json.inverse_bind_matrices {
            None => vec![Mat4::IDENTITY; joints.len()],
            Some(index) => {
                let accessor = source.accessor(index.value(), &at_bind)?;
                accessor.expect(&at_bind, "MAT4 of floats", |kind, component, _| {
                    kind == Type::Mat4 && component == ComponentType::F32
                })?;
                if accessor.count < joints.len() {
                    let what = "inverse bind matrices (at least one for each joint)";
                    let (found, expected) = (accessor.count as u64, joints.len() as u64);
                    return Err(at_bind.error(ErrorKind::Count { what, found, expected }));
                }
                let matrices = accessor.floats::<16>(source.cx, &at_bind)?;
                matrices.iter().take(joints.len()).map(Mat4::from_cols_array).collect()
            }
        };
        skins.push(Skin { name: json.name.clone().unwrap_or_default(), joints, inverse_bind });
    }
    Ok(skins)
}
