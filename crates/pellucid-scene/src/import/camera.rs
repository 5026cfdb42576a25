//! Cameras.
use super::pointer::Pointer;
use crate::error::{ErrorKind, ImportError};
use crate::{Camera, Projection};
use gltf_json::Root;
use gltf_json::camera::{Camera as JsonCamera, Type};
use gltf_json::validation::Checked;

/// Builds all cameras.
pub(super) fn build(root: &Root) -> Result<Vec<Camera>, ImportError> {
    let list = Pointer::ROOT.key("cameras");
    root.cameras
        .iter()
        .enumerate()
        .map(|(index, json)| {
            let projection = projection(json, &list.index(index))?;
            Ok(Camera { name: json.name.clone().unwrap_or_default(), projection })
        })
        .collect()
}

/// Checks one number.
fn number(at: &Pointer<'_>, value: f32, fits: bool, rule: &str) -> Result<f32, ImportError> {
    at.check_finite(&[value])?;
    if fits { Ok(value) } else { Err(at.invalid(format!("{value} is not {rule}"))) }
}

fn projection(json: &JsonCamera, at: &Pointer<'_>) -> Result<Projection, ImportError> {
    match json.type_ {
        Checked::Valid(Type::Perspective) => {
            let at = at.key("perspective");
            let Some(json) = &json.perspective else {
                return Err(at.error(ErrorKind::Missing("the camera's perspective")));
            };
            let (yfov, near) = (json.yfov, json.znear);
            let field = yfov > 0.0 && yfov < std::f32::consts::PI;
            let far = |far: f32| number(&at.key("zfar"), far, far > near, "beyond znear");
            let aspect = |ratio: f32| number(&at.key("aspectRatio"), ratio, ratio > 0.0, "above 0");
            Ok(Projection::Perspective {
                yfov: number(&at.key("yfov"), yfov, field, "between 0 and pi")?,
                aspect: json.aspect_ratio.map(aspect).transpose()?,
                near: number(&at.key("znear"), near, near > 0.0, "above 0")?,
                far: json.zfar.map(far).transpose()?,
            })
        }
        Checked::Valid(Type::Orthographic) => {
            let at = at.key("orthographic");
            let Some(json) = &json.orthographic else {
                return Err(at.error(ErrorKind::Missing("the camera's orthographic projection")));
            };
            let near = json.znear;
            Ok(Projection::Orthographic {
                xmag: number(&at.key("xmag"), json.xmag, json.xmag != 0.0, "different from 0")?,
                ymag: number(&at.key("ymag"), json.ymag, json.ymag != 0.0, "different from 0")?,
                near: number(&at.key("znear"), near, near >= 0.0, "0 or more")?,
                far: number(&at.key("zfar"), json.zfar, json.zfar > near, "beyond znear")?,
            })
        }
        Checked::Invalid => Err(at.key("type").invalid("it is neither perspective nor orthographic")),
    }
}
