//! Poses: every node's transform and morph weights at one moment.
use crate::{Animation, Channel, ChannelValues, Interpolation, Mesh, Node, Scene, Transform};
use glam::{Mat4, Quat, Vec3};
use std::ops::{Add, Mul};

/// Every node's local transform and morph weights at one moment.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// Local transforms, one a node.
    pub locals: Vec<Transform>,
    /// Morph weights, one list a node; empty for a node whose mesh has no targets.
    pub weights: Vec<Vec<f32>>,
    /// Nodes, parents before children.
    order: Vec<usize>,
}

impl Pose {
    /// The pose that the scene's file holds, no animation applied.
    #[must_use]
    pub fn rest(scene: &Scene) -> Self {
        let weights = scene.nodes.iter().map(|node| rest_weights(scene, node)).collect();
        Self {
            locals: scene.nodes.iter().map(|node| node.transform).collect(),
            weights,
            order: parents_first(&scene.nodes),
        }
    }

    /// The pose of animation number `animation` at `time` seconds.
    ///
    /// Time loops: beyond the animation's duration it starts again, so that `duration` itself gives the last
    /// key and a moment later the first. Negative times count back from the end. What the animation doesn't
    /// change, and an animation that isn't there, give the rest pose.
    #[must_use]
    pub fn at(scene: &Scene, animation: usize, time: f32) -> Self {
        let mut pose = Self::rest(scene);
        pose.apply(scene, animation, time);
        pose
    }

    /// Applies animation number `animation` at `time` seconds (see [`Pose::at`]) over this pose, which must be
    /// of the same scene. Channels of nodes that aren't there are skipped.
    pub fn apply(&mut self, scene: &Scene, animation: usize, time: f32) {
        let Some(animation) = scene.animations.get(animation) else { return };
        let time = looped(animation, time);
        for channel in &animation.channels {
            self.apply_channel(channel, time);
        }
    }

    fn apply_channel(&mut self, channel: &Channel, time: f32) {
        let Some(key) = Key::find(&channel.times, time) else { return };
        let mode = channel.interpolation;
        let Some(local) = self.locals.get_mut(channel.node) else { return };
        match &channel.values {
            ChannelValues::Translation(values) => {
                if let (Transform::Trs { translation, .. }, Some(v)) = (local, key.value(mode, values)) {
                    *translation = v;
                }
            }
            ChannelValues::Scale(values) => {
                if let (Transform::Trs { scale, .. }, Some(v)) = (local, key.value(mode, values)) {
                    *scale = v;
                }
            }
            ChannelValues::Rotation(values) => {
                if let (Transform::Trs { rotation, .. }, Some(v)) = (local, key.value(mode, values)) {
                    // A spline may pass through zero, where there is no direction to keep.
                    let unit = v.normalize();
                    *rotation = if unit.is_finite() { unit } else { Quat::IDENTITY };
                }
            }
            ChannelValues::Weights { targets, values } => {
                let Some(weights) = self.weights.get_mut(channel.node) else { return };
                for (target, weight) in weights.iter_mut().enumerate().take(*targets) {
                    if let Some(v) = key.value_strided(mode, values, *targets, target) {
                        *weight = v;
                    }
                }
            }
        }
    }

    /// Every node's `world_from_node`, in the scene's node order.
    #[must_use]
    pub fn globals(&self, scene: &Scene) -> Vec<Mat4> {
        let mut out = Vec::new();
        self.globals_into(scene, &mut out);
        out
    }

    /// As [`Pose::globals`], into a list that is reused.
    pub fn globals_into(&self, scene: &Scene, out: &mut Vec<Mat4>) {
        out.clear();
        out.resize(scene.nodes.len(), Mat4::IDENTITY);
        for &node in &self.order {
            let (Some(entry), Some(local)) = (scene.nodes.get(node), self.locals.get(node)) else { continue };
            let parent = entry.parent.and_then(|parent| out.get(parent).copied());
            let local = local.matrix();
            out[node] = parent.map_or(local, |parent| parent * local);
        }
    }

    /// One matrix a joint of the skin, `world_from_mesh`: the joint's global transform times its inverse bind
    /// matrix. `out` is emptied first, and stays empty when there is no such skin. The skinned node's own
    /// transform plays no part (glTF 2.0, section 3.7.3.3).
    pub fn joint_matrices(scene: &Scene, skin: usize, globals: &[Mat4], out: &mut Vec<Mat4>) {
        out.clear();
        let Some(skin) = scene.skins.get(skin) else { return };
        out.extend(skin.joints.iter().enumerate().map(|(joint, &node)| {
            let global = globals.get(node).copied().unwrap_or(Mat4::IDENTITY);
            skin.inverse_bind.get(joint).map_or(global, |bind| global * *bind)
        }));
    }
}

fn rest_weights(scene: &Scene, node: &Node) -> Vec<f32> {
    let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { return Vec::new() };
    let targets = target_count(mesh);
    let from = if node.weights.is_empty() { &mesh.weights } else { &node.weights };
    (0..targets).map(|target| from.get(target).copied().unwrap_or(0.0)).collect()
}

fn target_count(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0)
}

/// Nodes ordered so that parents come before children, without recursion. Nodes of a cycle (which no importer
/// makes, but a program might) are left out rather than followed forever.
fn parents_first(nodes: &[Node]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node].parent.is_none()).collect();
    let mut next = 0;
    while next < order.len() && order.len() <= nodes.len() {
        let parent = order[next];
        next += 1;
        // Only children that agree about their parent: each is then listed once.
        order.extend(
            nodes[parent]
                .children
                .iter()
                .copied()
                .filter(|&child| nodes.get(child).is_some_and(|node| node.parent == Some(parent))),
        );
    }
    order
}

/// The time within the animation: itself up to the duration, then from the start again.
fn looped(animation: &Animation, time: f32) -> f32 {
    let duration = animation.duration;
    if !time.is_finite() || duration <= 0.0 {
        0.0
    } else if (0.0..=duration).contains(&time) {
        time
    } else {
        time.rem_euclid(duration)
    }
}

/// The keys around a moment.
struct Key {
    before: usize,
    after: usize,
    /// 0 at `before`, 1 at `after`.
    t: f32,
    /// Seconds between them.
    span: f32,
}

/// What can be interpolated linearly.
trait Value: Copy + Add<Output = Self> + Mul<f32, Output = Self> {
    /// Between two values; rotations go along the great arc.
    fn mix(self, other: Self, t: f32) -> Self {
        self * (1.0 - t) + other * t
    }
}
impl Value for f32 {}
impl Value for Vec3 {}
impl Value for Quat {
    fn mix(self, other: Self, t: f32) -> Self {
        self.slerp(other, t)
    }
}

impl Key {
    fn find(times: &[f32], time: f32) -> Option<Self> {
        let last = times.len().checked_sub(1)?;
        let after = times.partition_point(|&key| key <= time);
        if after == 0 {
            return Some(Self { before: 0, after: 0, t: 0.0, span: 0.0 });
        }
        let before = after - 1;
        if before == last {
            return Some(Self { before: last, after: last, t: 0.0, span: 0.0 });
        }
        let span = times[after] - times[before];
        let t = if span > 0.0 { ((time - times[before]) / span).clamp(0.0, 1.0) } else { 0.0 };
        Some(Self { before, after, t, span })
    }

    fn value<T: Value>(&self, mode: Interpolation, values: &[T]) -> Option<T> {
        self.value_strided(mode, values, 1, 0)
    }

    /// Element `index` of keys that hold `stride` values each.
    fn value_strided<T: Value>(
        &self,
        mode: Interpolation,
        values: &[T],
        stride: usize,
        index: usize,
    ) -> Option<T> {
        // A cubic key holds all in-tangents, then all values, then all out-tangents (glTF 2.0, 3.11).
        let cubic = |key: usize, part: usize| values.get((key * 3 + part) * stride + index).copied();
        let plain = |key: usize| values.get(key * stride + index).copied();
        let exact = self.before == self.after;
        match mode {
            Interpolation::CubicSpline if exact => cubic(self.before, 1),
            Interpolation::CubicSpline => {
                let (t, t2) = (self.t, self.t * self.t);
                let t3 = t2 * t;
                let out_tangent = cubic(self.before, 2)? * self.span;
                let in_tangent = cubic(self.after, 0)? * self.span;
                Some(
                    cubic(self.before, 1)? * (2.0 * t3 - 3.0 * t2 + 1.0)
                        + out_tangent * (t3 - 2.0 * t2 + t)
                        + cubic(self.after, 1)? * (3.0 * t2 - 2.0 * t3)
                        + in_tangent * (t3 - t2),
                )
            }
            Interpolation::Linear if !exact => Some(plain(self.before)?.mix(plain(self.after)?, self.t)),
            Interpolation::Linear | Interpolation::Step => plain(self.before),
        }
    }
}

#[cfg(test)]
mod tests;
