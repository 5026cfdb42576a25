//! Explicit barriers.
use super::{CommandEncoder, Core};
use crate::RecordCause;
use crate::desc::{Barrier, BarrierTarget, BufferRoles, TextureRoles, Use};
use crate::device::ledger::FrameToken;
use crate::device::{Parts, resolve_range};
use crate::handle::AnyHandle;
use crate::name::Name;

impl CommandEncoder<'_> {
    /// Orders everything recorded before against everything after, for these resources. All barriers of one
    /// call are one native barrier, unless there are very many.
    pub fn barriers(&mut self, barriers: &[Barrier]) {
        if self.core.is_free() {
            record(&mut self.core, &self.device.parts, self.token, barriers);
        }
    }
}

pub(super) fn record(core: &mut Core, parts: &Parts, token: &FrameToken, barriers: &[Barrier]) {
    for barrier in barriers {
        if !core.is_good() {
            return;
        }
        let (from, to) = (barrier.from, barrier.to);
        match barrier.target {
            BarrierTarget::Buffer(buffer) => {
                let entry = parts.tables.buffers.get(buffer.0, token);
                let entry = entry.ok_or_else(|| AnyHandle::from(buffer).stale().into());
                let checked = entry.and_then(|entry| {
                    buffer_use(from, true, entry.roles, &entry.name)?;
                    buffer_use(to, false, entry.roles, &entry.name)
                });
                if core.check(checked).is_some() {
                    core.native.buffer_barrier(from, to);
                }
            }
            BarrierTarget::Texture(texture, range) => {
                let entry = parts.tables.textures.get(texture.0, token);
                let entry = entry.ok_or_else(|| AnyHandle::from(texture).stale().into());
                let checked = entry.and_then(|entry| {
                    let params = &entry.params;
                    texture_use(from, true, params.roles, &params.name)?;
                    texture_use(to, false, params.roles, &params.name)?;
                    let range = resolve_range(range, params)
                        .ok_or_else(|| bad(&params.name, "the barrier's range is outside of the texture"))?;
                    Ok((entry, range))
                });
                if let Some((entry, range)) = core.check(checked) {
                    core.native.texture_barrier(&entry.native, range, from, to);
                }
            }
        }
    }
    core.native.flush_barriers();
    core.commands += 1;
}

fn bad(name: &Name, reason: &'static str) -> RecordCause {
    RecordCause::Use { name: name.as_str().to_owned(), reason }
}

fn role(has: bool, name: &Name, word: &'static str) -> Result<(), RecordCause> {
    if has { Ok(()) } else { Err(RecordCause::Role { name: name.as_str().to_owned(), role: word }) }
}

/// A use by shaders names a stage.
fn has_stage(used: Use, name: &Name) -> Result<(), RecordCause> {
    match used {
        Use::Uniform(stages)
        | Use::Sampled(stages)
        | Use::StorageRead(stages)
        | Use::StorageWrite(stages)
            if stages.is_empty() =>
        {
            Err(bad(name, "a use by shaders names no stage"))
        }
        _ => Ok(()),
    }
}

fn buffer_use(used: Use, from: bool, roles: BufferRoles, name: &Name) -> Result<(), RecordCause> {
    has_stage(used, name)?;
    let (needed, word) = match used {
        Use::Undefined if from => return Ok(()),
        Use::Undefined => return Err(bad(name, "a barrier can't end in Undefined")),
        Use::Vertex => (BufferRoles::VERTEX, "VERTEX"),
        Use::Index => (BufferRoles::INDEX, "INDEX"),
        Use::Indirect => (BufferRoles::INDIRECT, "INDIRECT"),
        Use::Uniform(_) => (BufferRoles::UNIFORM, "UNIFORM"),
        Use::StorageRead(_) | Use::StorageWrite(_) => (BufferRoles::STORAGE, "STORAGE"),
        Use::CopySrc => (BufferRoles::COPY_SRC, "COPY_SRC"),
        // Initial bytes need no role.
        Use::CopyDst if from => return Ok(()),
        Use::CopyDst => (BufferRoles::COPY_DST, "COPY_DST"),
        Use::Sampled(_) | Use::ColorAttachment | Use::DepthWrite | Use::DepthRead | Use::Present => {
            return Err(bad(name, "a buffer has no such use"));
        }
    };
    role(roles.contains(needed), name, word)
}

fn texture_use(used: Use, from: bool, roles: TextureRoles, name: &Name) -> Result<(), RecordCause> {
    has_stage(used, name)?;
    let (needed, word) = match used {
        Use::Undefined if from => return Ok(()),
        Use::Undefined => return Err(bad(name, "a barrier can't end in Undefined")),
        // Initial bytes end in this use without the role.
        Use::Sampled(_) if from => return Ok(()),
        Use::Sampled(_) => (TextureRoles::SAMPLED, "SAMPLED"),
        Use::StorageRead(_) | Use::StorageWrite(_) => (TextureRoles::STORAGE, "STORAGE"),
        Use::ColorAttachment => (TextureRoles::COLOR_ATTACHMENT, "COLOR_ATTACHMENT"),
        Use::DepthWrite | Use::DepthRead => (TextureRoles::DEPTH_ATTACHMENT, "DEPTH_ATTACHMENT"),
        Use::CopySrc => (TextureRoles::COPY_SRC, "COPY_SRC"),
        Use::CopyDst => (TextureRoles::COPY_DST, "COPY_DST"),
        Use::Present => return Err(bad(name, "only a surface's image is presented")),
        Use::Vertex | Use::Index | Use::Indirect | Use::Uniform(_) => {
            return Err(bad(name, "a texture has no such use"));
        }
    };
    role(roles.contains(needed), name, word)
}
