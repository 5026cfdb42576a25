//! Animations.
use super::accessor::Source;
use super::context::Place;
use super::json::NO_NODE;
use super::pointer::Pointer;
use crate::error::{ErrorKind, ImportError};
use crate::{Animation, Channel, ChannelValues, Interpolation, Mesh, Node, Transform};
use glam::{Quat, Vec3};
use gltf_json::accessor::{ComponentType, Type};
use gltf_json::animation::{
    Animation as JsonAnimation, Channel as JsonChannel, Interpolation as Mode, Property, Sampler,
};
use gltf_json::validation::Checked;
use std::collections::HashSet;

/// Builds all animations. Nodes that are animated but hold a matrix get their matrix taken apart.
pub(super) fn build(
    source: &Source<'_>,
    nodes: &mut [Node],
    meshes: &[Mesh],
) -> Result<Vec<Animation>, ImportError> {
    let list = Pointer::ROOT.key("animations");
    let mut animations = Vec::with_capacity(source.root.animations.len());
    for (index, json) in source.root.animations.iter().enumerate() {
        animations.push(animation(source, json, nodes, meshes, &list.index(index))?);
    }
    Ok(animations)
}

fn animation(
    source: &Source<'_>,
    json: &JsonAnimation,
    nodes: &mut [Node],
    meshes: &[Mesh],
    at: &Pointer<'_>,
) -> Result<Animation, ImportError> {
    let list = at.key("channels");
    let mut channels = Vec::with_capacity(json.channels.len());
    let mut seen = HashSet::new();
    for (index, channel) in json.channels.iter().enumerate() {
        let at_channel = list.index(index);
        if let Some(channel) = self::channel(source, json, channel, nodes, meshes, &at_channel, at)? {
            if seen.insert((channel.node, std::mem::discriminant(&channel.values))) {
                channels.push(channel);
            } else {
                source
                    .cx
                    .warn(&at_channel, "an earlier channel moves the same property; this one is left out");
            }
        }
    }
    let last = channels.iter().filter_map(|channel| channel.times.last().copied());
    let duration = last.fold(0.0, f32::max);
    Ok(Animation { name: json.name.clone().unwrap_or_default(), channels, duration })
}

fn channel(
    source: &Source<'_>,
    json: &JsonAnimation,
    channel: &JsonChannel,
    nodes: &mut [Node],
    meshes: &[Mesh],
    at: &Pointer<'_>,
    at_animation: &Pointer<'_>,
) -> Result<Option<Channel>, ImportError> {
    let at_target = at.key("target");
    let sampler = at.key("sampler").check_index("sampler", channel.sampler.value(), json.samplers.len())?;
    let at_samplers = at_animation.key("samplers");
    let at_sampler = at_samplers.index(sampler);
    let sampler = &json.samplers[sampler];
    let node = channel.target.node.value();
    if node == NO_NODE {
        source.cx.warn(&at_target, "the channel moves no node; it is left out");
        return Ok(None);
    }
    let node = at_target.key("node").check_index("node", node, nodes.len())?;
    let Checked::Valid(property) = channel.target.path else {
        source
            .cx
            .warn(&at_target.key("path"), "only nodes' transforms and weights are animated; it is left out");
        return Ok(None);
    };
    let interpolation = match sampler.interpolation {
        Checked::Valid(Mode::Linear) => Interpolation::Linear,
        Checked::Valid(Mode::Step) => Interpolation::Step,
        Checked::Valid(Mode::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => {
            return Err(at_sampler.key("interpolation").invalid("it is none of LINEAR, STEP, CUBICSPLINE"));
        }
    };
    let times = times(source, sampler, &at_sampler)?;
    let keys = match interpolation {
        Interpolation::CubicSpline => times.len().saturating_mul(3),
        Interpolation::Linear | Interpolation::Step => times.len(),
    };
    let values = if property == Property::MorphTargetWeights {
        let mesh = nodes[node].mesh.map(|mesh| &meshes[mesh]);
        let targets =
            mesh.and_then(|mesh| mesh.primitives.first()).map_or(0, |primitive| primitive.targets.len());
        if targets == 0 {
            source.cx.warn(&at_target, "the node has no morph targets; the channel is left out");
            return Ok(None);
        }
        weights(source, sampler, keys, targets, &at_sampler)?
    } else {
        take_apart(source, &mut nodes[node], &at_target);
        transforms(source, sampler, property, interpolation, keys, &at_sampler)?
    };
    Ok(Some(Channel { node, times, interpolation, values }))
}

/// An animated node must hold a translation, rotation and scale (glTF 2.0, section 3.5.3).
fn take_apart(source: &Source<'_>, node: &mut Node, at: &Pointer<'_>) {
    if let Transform::Matrix(matrix) = node.transform {
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        node.transform = if rotation.is_finite() && scale.is_finite() {
            source.cx.warn(at, "the animated node holds a matrix; it is taken apart");
            Transform::Trs { translation, rotation: rotation.normalize(), scale }
        } else {
            source.cx.warn(
                at,
                "the animated node holds a matrix without rotation and scale; only its place is kept",
            );
            Transform::Trs { translation, rotation: Quat::IDENTITY, scale: Vec3::ONE }
        };
    }
}

fn times(source: &Source<'_>, sampler: &Sampler, at: &Pointer<'_>) -> Result<Vec<f32>, ImportError> {
    let at = at.key("input");
    let accessor = source.accessor(sampler.input.value(), &at)?;
    accessor.expect(&at, "SCALAR of floats", |kind, component, _| {
        kind == Type::Scalar && component == ComponentType::F32
    })?;
    source.cx.charge_keys(accessor.count as u64).place(&at)?;
    let times = accessor.floats::<1>(source.cx, &at)?.into_flattened();
    if times.is_empty() {
        return Err(at.error(ErrorKind::Missing("the sampler's first key")));
    }
    if times[0] < 0.0 {
        return Err(at.invalid("a key's time is below 0"));
    }
    // Equal times are forbidden too, but harmless, and some writers make them.
    if let Some(pair) = times.windows(2).position(|pair| pair[1] < pair[0]) {
        let kind = ErrorKind::NotRising { what: "key times", index: pair as u64 + 1 };
        return Err(at.error(kind));
    }
    Ok(times)
}

fn weights(
    source: &Source<'_>,
    sampler: &Sampler,
    keys: usize,
    targets: usize,
    at: &Pointer<'_>,
) -> Result<ChannelValues, ImportError> {
    let at = at.key("output");
    let accessor = source.accessor(sampler.output.value(), &at)?;
    accessor.expect(
        &at,
        "SCALAR of floats or normalized bytes or shorts",
        |kind, component, normalized| kind == Type::Scalar && (component == ComponentType::F32 || normalized),
    )?;
    check_count(accessor.count, keys.saturating_mul(targets), &at)?;
    let values = accessor.floats::<1>(source.cx, &at)?.into_flattened();
    Ok(ChannelValues::Weights { targets, values })
}

fn transforms(
    source: &Source<'_>,
    sampler: &Sampler,
    property: Property,
    interpolation: Interpolation,
    keys: usize,
    at: &Pointer<'_>,
) -> Result<ChannelValues, ImportError> {
    let at = at.key("output");
    let accessor = source.accessor(sampler.output.value(), &at)?;
    if property == Property::Rotation {
        let expected = "VEC4 of floats or normalized bytes or shorts";
        accessor.expect(&at, expected, |kind, component, normalized| {
            kind == Type::Vec4 && (component == ComponentType::F32 || normalized)
        })?;
        check_count(accessor.count, keys, &at)?;
        let raw = accessor.floats::<4>(source.cx, &at)?;
        let rotations = raw.into_iter().map(Quat::from_array);
        // Tangents of splines are no rotations: only plain keys have a length of 1.
        return Ok(ChannelValues::Rotation(if interpolation == Interpolation::CubicSpline {
            rotations.collect()
        } else {
            rotations
                .map(|it| if it.length_squared() > 1e-12 { it.normalize() } else { Quat::IDENTITY })
                .collect()
        }));
    }
    accessor.expect(&at, "VEC3 of floats", |kind, component, _| {
        kind == Type::Vec3 && component == ComponentType::F32
    })?;
    check_count(accessor.count, keys, &at)?;
    let values = accessor.floats::<3>(source.cx, &at)?.into_iter().map(Vec3::from).collect();
    Ok(match property {
        Property::Scale => ChannelValues::Scale(values),
        _ => ChannelValues::Translation(values),
    })
}

fn check_count(found: usize, expected: usize, at: &Pointer<'_>) -> Result<(), ImportError> {
    if found == expected {
        return Ok(());
    }
    let what = "values of the sampler (one a key, with CUBICSPLINE three)";
    Err(at.error(ErrorKind::Count { what, found: found as u64, expected: expected as u64 }))
}
