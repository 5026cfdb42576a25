//! From a pose and a view to draw calls.
mod frustum;
mod lights;
mod list;
mod targets;

pub(crate) use lights::gather as gather_lights;
pub(crate) use list::{DrawList, eye};
pub(crate) use targets::Targets;
