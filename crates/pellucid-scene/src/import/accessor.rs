//! Accessors: typed arrays in buffer views.
use super::buffer::{View, range};
use super::context::{Context, Place};
use super::pointer::Pointer;
use crate::error::{ErrorKind, ImportError};
use gltf_json::Root;
use gltf_json::accessor::{ComponentType, Type};
use gltf_json::validation::Checked;

/// Where accessors find their data.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub cx: &'a Context<'a>,
    pub root: &'a Root,
    pub views: &'a [View<'a>],
}

/// An accessor whose ranges have been checked: reading it can't fail but for its values.
pub(super) struct Accessor<'a> {
    pub count: usize,
    pub kind: Type,
    pub component: ComponentType,
    pub normalized: bool,
    /// Bytes of the first element to the last, and the distance between elements; `None` is all zeros.
    base: Option<(&'a [u8], usize)>,
    sparse: Option<Sparse<'a>>,
}

struct Sparse<'a> {
    indices: Vec<usize>,
    /// Elements packed tightly.
    values: &'a [u8],
}

impl<'a> Source<'a> {
    /// Checks accessor `index`, which `at` refers to.
    pub(super) fn accessor(&self, index: usize, at: &Pointer<'_>) -> Result<Accessor<'a>, ImportError> {
        at.check_index("accessor", index, self.root.accessors.len())?;
        let accessor = &self.root.accessors[index];
        let list = Pointer::ROOT.key("accessors");
        let at = list.index(index);
        let Checked::Valid(component) = accessor.component_type else {
            return Err(at.key("componentType").invalid("the component type is none of glTF's"));
        };
        let component = component.0;
        let Checked::Valid(kind) = accessor.type_ else {
            return Err(at.key("type").invalid("the type is none of glTF's"));
        };
        if accessor.normalized && matches!(component, ComponentType::F32 | ComponentType::U32) {
            return Err(at.key("normalized").invalid("only bytes and shorts can be normalized"));
        }
        let limits = self.cx.limits;
        let count = accessor.count.0;
        let (limit, option) = match accessor.buffer_view {
            Some(_) => (limits.accessor_count, "accessor_count"),
            // Nothing in the file pays for these: a line of JSON asks for any number of zeros.
            None => (limits.unbacked_count, "unbacked_count"),
        };
        if count > limit {
            let kind = ErrorKind::Limit { what: "elements of an accessor", found: count, limit, option };
            return Err(at.key("count").error(kind));
        }
        let element = element_size(kind, component);
        let offset = accessor.byte_offset.unwrap_or_default().0;
        let base = match accessor.buffer_view {
            None => None,
            Some(view) => Some(self.base(view.value(), offset, count, element, component, &at)?),
        };
        let sparse = match &accessor.sparse {
            None => None,
            Some(sparse) => Some(self.sparse(sparse, count, element, component, &at.key("sparse"))?),
        };
        // Fits: it is below a limit that fits, or backed by as many bytes.
        let count =
            usize::try_from(count).map_err(|_| at.key("count").invalid("more than memory can hold"))?;
        Ok(Accessor { count, kind, component, normalized: accessor.normalized, base, sparse })
    }

    fn view(&self, index: usize, at: &Pointer<'_>) -> Result<&'a View<'a>, ImportError> {
        let index = at.key("bufferView").check_index("buffer view", index, self.views.len())?;
        Ok(&self.views[index])
    }

    fn base(
        &self,
        view: usize,
        offset: u64,
        count: u64,
        element: usize,
        component: ComponentType,
        at: &Pointer<'_>,
    ) -> Result<(&'a [u8], usize), ImportError> {
        let view = self.view(view, at)?;
        let stride = match view.stride {
            None => element,
            Some(stride) if (4..=252).contains(&stride) && stride % 4 == 0 && stride >= element => stride,
            Some(stride) => {
                let kind = ErrorKind::Stride { stride: stride as u64, element: element as u64 };
                return Err(at.error(kind));
            }
        };
        check_aligned(view, offset, component.size()).place(&at.key("byteOffset"))?;
        let length = match count.checked_sub(1) {
            None => 0,
            Some(gaps) => gaps.saturating_mul(stride as u64).saturating_add(element as u64),
        };
        let bytes = range(&view.bytes, "the accessor", offset, length).place(at)?;
        Ok((bytes, stride))
    }

    fn sparse(
        &self,
        sparse: &gltf_json::accessor::sparse::Sparse,
        count: u64,
        element: usize,
        component: ComponentType,
        at: &Pointer<'_>,
    ) -> Result<Sparse<'a>, ImportError> {
        let changed = sparse.count.0;
        if changed > count {
            let what = "sparse elements (at most as many as the accessor has)";
            return Err(at.key("count").error(ErrorKind::Count { what, found: changed, expected: count }));
        }
        let at_indices = at.key("indices");
        let Checked::Valid(index_type) = sparse.indices.component_type else {
            return Err(at_indices.key("componentType").invalid("sparse indices are unsigned integers"));
        };
        let index_type = index_type.0;
        let view = self.view(sparse.indices.buffer_view.value(), &at_indices)?;
        let offset = sparse.indices.byte_offset.0;
        check_aligned(view, offset, index_type.size()).place(&at_indices.key("byteOffset"))?;
        let length = changed.saturating_mul(index_type.size() as u64);
        let bytes = range(&view.bytes, "the list of sparse indices", offset, length).place(&at_indices)?;
        self.cx.charge(changed.saturating_mul(size_of::<usize>() as u64)).place(at)?;
        let indices: Vec<usize> =
            bytes.chunks_exact(index_type.size()).map(|bytes| unsigned(bytes) as usize).collect();
        for (at, pair) in indices.windows(2).enumerate() {
            if pair[0] >= pair[1] {
                let kind = ErrorKind::NotRising { what: "sparse indices", index: at as u64 + 1 };
                return Err(at_indices.error(kind));
            }
        }
        if let Some(&last) = indices.last().filter(|&&last| last as u64 >= count) {
            let kind = ErrorKind::IndexOutOfRange { what: "element", index: last as u64, count };
            return Err(at_indices.error(kind));
        }
        let at_values = at.key("values");
        let view = self.view(sparse.values.buffer_view.value(), &at_values)?;
        let offset = sparse.values.byte_offset.0;
        check_aligned(view, offset, component.size()).place(&at_values.key("byteOffset"))?;
        let length = changed.saturating_mul(element as u64);
        let values = range(&view.bytes, "the list of sparse values", offset, length).place(&at_values)?;
        Ok(Sparse { indices, values })
    }
}

fn check_aligned(view: &View<'_>, offset: u64, alignment: usize) -> Result<(), ErrorKind> {
    let offset = view.offset.saturating_add(offset);
    let alignment = alignment as u64;
    if offset.is_multiple_of(alignment) { Ok(()) } else { Err(ErrorKind::Misaligned { offset, alignment }) }
}

/// Bytes of an element. Columns of matrices of bytes and shorts begin at multiples of 4 (glTF 2.0, 3.6.2.4);
/// nothing that is read here has such a type, yet its extent is checked.
fn element_size(kind: Type, component: ComponentType) -> usize {
    match kind {
        Type::Mat2 => 2 * (2 * component.size()).next_multiple_of(4),
        Type::Mat3 => 3 * (3 * component.size()).next_multiple_of(4),
        Type::Scalar | Type::Vec2 | Type::Vec3 | Type::Vec4 | Type::Mat4 => {
            kind.multiplicity() * component.size()
        }
    }
}

/// A little-endian unsigned number of up to 4 bytes.
fn unsigned(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

impl Accessor<'_> {
    /// Refuses what the use at `at` can't take.
    pub(super) fn expect(
        &self,
        at: &Pointer<'_>,
        expected: &'static str,
        fits: impl FnOnce(Type, ComponentType, bool) -> bool,
    ) -> Result<(), ImportError> {
        if fits(self.kind, self.component, self.normalized) {
            return Ok(());
        }
        let normalized = if self.normalized { "normalized " } else { "" };
        let found = format!("{:?} of {normalized}{:?}", self.kind, self.component);
        Err(at.error(ErrorKind::AccessorType { found, expected }))
    }

    /// All elements as `N` numbers each, normalized where the accessor says so. The type must have `N`
    /// components or more. Refuses NaN and infinity.
    pub(super) fn floats<const N: usize>(
        &self,
        cx: &Context<'_>,
        at: &Pointer<'_>,
    ) -> Result<Vec<[f32; N]>, ImportError> {
        let out = match (self.component, self.normalized) {
            (ComponentType::F32, _) => self.gather(cx, at, |bytes: [u8; 4]| f32::from_le_bytes(bytes))?,
            (ComponentType::U32, _) => {
                self.gather(cx, at, |bytes: [u8; 4]| u32::from_le_bytes(bytes) as f32)?
            }
            (ComponentType::U16, false) => {
                self.gather(cx, at, |bytes| f32::from(u16::from_le_bytes(bytes)))?
            }
            (ComponentType::I16, false) => {
                self.gather(cx, at, |bytes| f32::from(i16::from_le_bytes(bytes)))?
            }
            (ComponentType::U8, false) => self.gather(cx, at, |[byte]: [u8; 1]| f32::from(byte))?,
            (ComponentType::I8, false) => self.gather(cx, at, |[byte]: [u8; 1]| f32::from(byte as i8))?,
            // The divisions and the clamp of glTF 2.0, section 3.6.2.2.
            (ComponentType::U16, true) => {
                self.gather(cx, at, |bytes| f32::from(u16::from_le_bytes(bytes)) / 65535.0)?
            }
            (ComponentType::I16, true) => {
                self.gather(cx, at, |bytes| (f32::from(i16::from_le_bytes(bytes)) / 32767.0).max(-1.0))?
            }
            (ComponentType::U8, true) => self.gather(cx, at, |[byte]: [u8; 1]| f32::from(byte) / 255.0)?,
            (ComponentType::I8, true) => {
                self.gather(cx, at, |[byte]: [u8; 1]| (f32::from(byte as i8) / 127.0).max(-1.0))?
            }
        };
        if self.component == ComponentType::F32
            && let Some(index) = out.iter().position(|element| !element.iter().all(|value| value.is_finite()))
        {
            return Err(at.error(ErrorKind::NotFinite { index: index as u64 }));
        }
        Ok(out)
    }

    /// All elements as `N` unsigned integers each. The component type must be unsigned.
    pub(super) fn unsigned<const N: usize>(
        &self,
        cx: &Context<'_>,
        at: &Pointer<'_>,
    ) -> Result<Vec<[u32; N]>, ImportError> {
        match self.component {
            ComponentType::U8 => self.gather(cx, at, |[byte]: [u8; 1]| u32::from(byte)),
            ComponentType::U16 => self.gather(cx, at, |bytes| u32::from(u16::from_le_bytes(bytes))),
            ComponentType::U32 => self.gather(cx, at, u32::from_le_bytes),
            ComponentType::I8 | ComponentType::I16 | ComponentType::F32 => {
                Err(at.error(ErrorKind::AccessorType {
                    found: format!("of {:?}", self.component),
                    expected: "an unsigned integer type",
                }))
            }
        }
    }

    /// Reads the first `N` components, of `SIZE` bytes each, of every element.
    fn gather<T: Copy + Default, const N: usize, const SIZE: usize>(
        &self,
        cx: &Context<'_>,
        at: &Pointer<'_>,
        read: impl Fn([u8; SIZE]) -> T,
    ) -> Result<Vec<[T; N]>, ImportError> {
        cx.charge(self.count as u64 * size_of::<[T; N]>() as u64).place(at)?;
        let element = |bytes: &[u8]| {
            let mut parts = bytes.as_chunks::<SIZE>().0.iter();
            std::array::from_fn(|_| parts.next().map_or_else(T::default, |part| read(*part)))
        };
        let mut out = match self.base {
            None => vec![[T::default(); N]; self.count],
            // The last element may end before a whole stride does, which chunks() allows for.
            Some((bytes, stride)) => bytes.chunks(stride).take(self.count).map(element).collect(),
        };
        if let Some(sparse) = &self.sparse {
            let size = element_size(self.kind, self.component);
            for (&index, bytes) in sparse.indices.iter().zip(sparse.values.chunks_exact(size)) {
                out[index] = element(bytes);
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests;
