//! Checks of descriptions, by the portable rules and the adapter's limits, before anything is made.
use crate::backend::TextureParams;
use crate::desc::{
    BufferDesc, Filter, Format, SamplerDesc, TextureData, TextureDesc, TextureDimension, TextureRange,
    TextureRoles, TextureViewDesc, ViewKind, full_mip_chain,
};
use crate::handle::ObjectKind;
use crate::name::Name;
use crate::{FormatSupport, Limits, ResourceError, StaleHandle};

/// Errors about one object to be made.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) kind: ObjectKind,
    pub(crate) name: &'a str,
}

impl<'a> Subject<'a> {
    pub(crate) const fn new(kind: ObjectKind, name: &'a str) -> Self {
        Self { kind, name }
    }

    fn text(self) -> String {
        Name::new(self.name).as_str().to_owned()
    }

    pub(crate) fn invalid(self, reason: impl Into<String>) -> ResourceError {
        ResourceError::Invalid { kind: self.kind, name: self.text(), reason: reason.into() }
    }

    pub(crate) fn unsupported(self, reason: impl Into<String>) -> ResourceError {
        ResourceError::Unsupported { kind: self.kind, name: self.text(), reason: reason.into() }
    }

    pub(crate) fn stale(self, stale: StaleHandle) -> ResourceError {
        ResourceError::Stale { name: self.text(), stale }
    }

    pub(crate) fn require(self, ok: bool, reason: impl FnOnce() -> String) -> Result<(), ResourceError> {
        if ok { Ok(()) } else { Err(self.invalid(reason())) }
    }

    fn support(self, ok: bool, reason: impl FnOnce() -> String) -> Result<(), ResourceError> {
        if ok { Ok(()) } else { Err(self.unsupported(reason())) }
    }
}

pub(crate) fn buffer(desc: &BufferDesc<'_>) -> Result<(), ResourceError> {
    let subject = Subject::new(ObjectKind::Buffer, desc.name);
    subject.require(desc.size > 0, || "its size is 0, it has to be at least 1".into())?;
    subject.require(desc.size <= 1 << 40, || format!("its size is {}, the limit is 2^40", desc.size))?;
    subject.require(!desc.roles.is_empty(), || "it has no role".into())
}

/// A texture's description as the backend takes it.
pub(crate) fn texture(
    desc: &TextureDesc<'_>,
    limits: &Limits,
    support: impl Fn(Format) -> FormatSupport,
    with_data: bool,
) -> Result<TextureParams, ResourceError> {
    let subject = Subject::new(ObjectKind::Texture, desc.name);
    let TextureDesc { dimension, format, view_format, width, height, layers, mips, samples, roles, .. } =
        *desc;
    subject.require(width > 0 && height > 0 && layers > 0, || {
        format!("its extent is {width}x{height}x{layers}, each has to be at least 1")
    })?;
    let volume = dimension == TextureDimension::D3;
    let edge = if volume { limits.texture_3d } else { limits.texture_2d };
    let depth = if volume { layers } else { 1 };
    subject.support(width.max(height).max(depth) <= edge, || {
        format!("its extent is {width}x{height}x{depth}, this device's limit is {edge}")
    })?;
    subject.support(volume || layers <= limits.texture_layers, || {
        format!("it has {layers} layers, this device's limit is {}", limits.texture_layers)
    })?;
    let chain = full_mip_chain(width.max(depth), height);
    subject.require((1..=chain).contains(&mips), || {
        format!("it has {mips} mips, it has to have 1 to {chain}")
    })?;
    subject.require(matches!(samples, 1 | 4), || format!("it has {samples} samples, 1 or 4 are possible"))?;
    subject.require(!roles.is_empty(), || "it has no role".into())?;
    if dimension == TextureDimension::Cube {
        subject.require(width == height && layers.is_multiple_of(6), || {
            format!("a cube needs square faces and a multiple of 6 layers, not {width}x{height} and {layers}")
        })?;
    }
    let attachments = TextureRoles::COLOR_ATTACHMENT | TextureRoles::DEPTH_ATTACHMENT;
    subject
        .require(!volume || !roles.intersects(attachments), || "a volume can't be an attachment".into())?;
    if samples > 1 {
        let plain = dimension == TextureDimension::D2 && mips == 1 && layers == 1;
        subject.require(plain, || "4 samples need a 2D texture with one mip and one layer".into())?;
        subject.require(roles.intersects(attachments), || "4 samples need an attachment role".into())?;
        let forbidden = TextureRoles::STORAGE | TextureRoles::COPY_DST | TextureRoles::COPY_SRC;
        subject.require(!roles.intersects(forbidden), || {
            "4 samples exclude storage and copies: resolve into another texture".into()
        })?;
    }
    subject.require(!with_data || samples == 1, || "4 samples take no initial bytes".into())?;
    subject.require(!with_data || !format.is_depth(), || "depth takes no initial bytes".into())?;
    if let Some(other) = view_format {
        subject.require(!format.is_depth() && !other.is_depth(), || "depth takes no view format".into())?;
        subject.require(other.texel_bytes() == format.texel_bytes(), || {
            format!("texels of {format:?} and of the view format {other:?} differ in size")
        })?;
    }
    let able = |role: TextureRoles, has: fn(&FormatSupport) -> bool, word: &str, either: bool| {
        let ok = !roles.contains(role)
            || has(&support(format))
            || either && view_format.is_some_and(|other| has(&support(other)));
        subject.support(ok, || format!("{format:?} can't be {word}"))
    };
    able(TextureRoles::SAMPLED, |s| s.sampled, "sampled", false)?;
    able(TextureRoles::STORAGE, |s| s.storage, "a storage texture (give a view format that can)", true)?;
    able(TextureRoles::COLOR_ATTACHMENT, |s| s.color, "a colour attachment", true)?;
    able(TextureRoles::DEPTH_ATTACHMENT, |s| s.depth, "a depth attachment", false)?;
    subject
        .support(samples == 1 || support(format).samples4, || format!("{format:?} can't have 4 samples"))?;
    Ok(TextureParams {
        name: Name::new(desc.name),
        volume,
        cube: dimension == TextureDimension::Cube,
        format,
        view_format,
        extent: [width, height, depth],
        layers: if volume { 1 } else { layers },
        mips,
        samples,
        roles,
        host_writes: with_data,
    })
}

/// Initial bytes: every subresource, or mip 0 of every layer, each once and complete.
pub(crate) fn texture_data(params: &TextureParams, data: &[TextureData<'_>]) -> Result<(), ResourceError> {
    let subject = Subject::new(ObjectKind::Texture, params.name.as_str());
    let (layers, mips) = (params.layers as usize, params.mips as usize);
    let mut seen = vec![false; layers * mips];
    for part in data {
        let TextureData { mip, layer, row_pitch, bytes } = *part;
        subject.require((mip as usize) < mips && (layer as usize) < layers, || {
            format!("initial bytes for mip {mip} of layer {layer}, there are {mips} mips and {layers} layers")
        })?;
        let index = mip as usize * layers + layer as usize;
        subject.require(!seen[index], || format!("initial bytes for mip {mip} of layer {layer} twice"))?;
        seen[index] = true;
        let [width, height, depth] = params.extent.map(|edge| u64::from((edge >> mip).max(1)));
        let row = width * u64::from(params.format.texel_bytes());
        subject.require(u64::from(row_pitch) >= row, || {
            format!("mip {mip} of layer {layer}: the row pitch is {row_pitch}, a row has {row} bytes")
        })?;
        let needed = u64::from(row_pitch) * (height * depth - 1) + row;
        subject.require(bytes.len() as u64 >= needed, || {
            format!("mip {mip} of layer {layer}: {} bytes are given, {needed} are needed", bytes.len())
        })?;
    }
    let first = seen.iter().take(layers).all(|&seen| seen);
    let rest = seen.iter().skip(layers).filter(|&&seen| seen).count();
    subject.require(first && (rest == 0 || rest == layers * (mips - 1)), || {
        "initial bytes are for every mip of every layer, or for mip 0 of every layer".into()
    })
}

/// A range without open ends, inside of the texture.
pub(crate) fn resolve(range: TextureRange, params: &TextureParams) -> Option<TextureRange> {
    let end = |base: u32, count: u32, all: u32| {
        let count = if count == u32::MAX { all.checked_sub(base)? } else { count };
        (count > 0 && base.checked_add(count)? <= all).then_some(count)
    };
    Some(TextureRange {
        mips: end(range.base_mip, range.mips, params.mips)?,
        layers: end(range.base_layer, range.layers, params.layers)?,
        ..range
    })
}

/// What a view of this format may be used for, of what its texture may.
pub(crate) fn view_roles(params: &TextureParams, support: FormatSupport) -> TextureRoles {
    let mut roles = params.roles;
    roles.set(TextureRoles::STORAGE, roles.contains(TextureRoles::STORAGE) && support.storage);
    roles.set(TextureRoles::SAMPLED, roles.contains(TextureRoles::SAMPLED) && support.sampled);
    roles
        .set(TextureRoles::COLOR_ATTACHMENT, roles.contains(TextureRoles::COLOR_ATTACHMENT) && support.color);
    roles & !(TextureRoles::COPY_SRC | TextureRoles::COPY_DST)
}

/// A view's format and resolved range.
pub(crate) fn view(
    desc: &TextureViewDesc<'_>,
    texture: &TextureParams,
) -> Result<(Format, TextureRange), ResourceError> {
    let subject = Subject::new(ObjectKind::TextureView, desc.name);
    let format = desc.format.unwrap_or(texture.format);
    subject.require(format == texture.format || Some(format) == texture.view_format, || {
        format!(
            "its format is {format:?}, the texture {:?} allows {:?} and {:?}",
            texture.name, texture.format, texture.view_format
        )
    })?;
    let range = resolve(desc.range, texture).ok_or_else(|| {
        subject.invalid(format!(
            "its range {:?} is outside of the texture's {} mips and {} layers",
            desc.range, texture.mips, texture.layers
        ))
    })?;
    let layers = range.layers;
    let attachments = TextureRoles::COLOR_ATTACHMENT | TextureRoles::DEPTH_ATTACHMENT;
    let ok = match desc.kind {
        // One layer of many may be attached, but not bound: binding checks that again.
        ViewKind::D2 => {
            !texture.volume && layers == 1 && (texture.layers == 1 || texture.roles.intersects(attachments))
        }
        ViewKind::D2Array => !texture.volume && texture.samples == 1,
        ViewKind::Cube => texture.cube && layers == 6,
        ViewKind::CubeArray => texture.cube && layers.is_multiple_of(6),
        ViewKind::D3 => texture.volume,
    };
    subject.require(ok, || {
        format!(
            "{layers} layers of the texture {:?} (of {} layers{}) can't be viewed as {:?}",
            texture.name,
            texture.layers,
            if texture.cube { ", a cube" } else { "" },
            desc.kind
        )
    })?;
    Ok((format, range))
}

pub(crate) fn sampler(desc: &SamplerDesc<'_>) -> Result<(), ResourceError> {
    let subject = Subject::new(ObjectKind::Sampler, desc.name);
    let most = desc.max_anisotropy;
    subject
        .require((1..=16).contains(&most), || format!("its anisotropy is {most}, it has to be 1 to 16"))?;
    let linear = [desc.mag, desc.min, desc.mip].iter().all(|&filter| filter == Filter::Linear);
    subject.require(most == 1 || linear, || "anisotropy needs linear filters".into())?;
    let [low, high] = desc.lod;
    subject.require(low.is_finite() && high.is_finite() && low >= 0.0 && low <= high, || {
        format!("its levels of detail are {low} to {high}, they have to be finite, from 0 up and in order")
    })
}
