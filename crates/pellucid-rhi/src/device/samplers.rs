//! Samplers of equal descriptions share one native sampler: there are few of those (2 048 on Direct3D 12).
use crate::backend;
use crate::desc::{AddressMode, CompareOp, Filter, SamplerDesc};
use crate::{NativeError, slots};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex};

/// A sampler's description without its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SamplerKey {
    filters: [Filter; 3],
    address: [AddressMode; 3],
    anisotropy: u32,
    compare: Option<CompareOp>,
    /// Bits of the floats.
    lod: [u32; 2],
}

impl SamplerKey {
    pub(crate) fn new(desc: &SamplerDesc<'_>) -> Self {
        Self {
            filters: [desc.mag, desc.min, desc.mip],
            address: desc.address,
            anisotropy: desc.max_anisotropy,
            compare: desc.compare,
            lod: desc.lod.map(f32::to_bits),
        }
    }
}

/// Native samplers and how many handles share each.
#[derive(Default)]
pub(crate) struct SamplerCache(Mutex<HashMap<SamplerKey, (Arc<backend::Sampler>, u32)>>);

impl SamplerCache {
    /// Shares the native sampler of a description, or makes it.
    pub(crate) fn acquire(
        &self,
        device: &backend::Device,
        desc: &SamplerDesc<'_>,
    ) -> Result<SamplerKey, NativeError> {
        let key = SamplerKey::new(desc);
        match slots::lock(&self.0).entry(key) {
            Entry::Occupied(mut entry) => entry.get_mut().1 += 1,
            Entry::Vacant(entry) => {
                entry.insert((Arc::new(device.create_sampler(desc)?), 1));
            }
        }
        Ok(key)
    }

    /// The native sampler, for the time of a call by somebody who keeps a handle of it alive.
    pub(crate) fn get(&self, key: &SamplerKey) -> Option<Arc<backend::Sampler>> {
        slots::lock(&self.0).get(key).map(|(sampler, _)| Arc::clone(sampler))
    }

    /// Gives up one share and destroys the native sampler with the last.
    pub(crate) fn release(&self, device: &backend::Device, key: &SamplerKey) {
        let mut cache = slots::lock(&self.0);
        let Some((_, shares)) = cache.get_mut(key) else { return };
        *shares -= 1;
        if *shares == 0
            && let Some((sampler, _)) = cache.remove(key)
            && let Some(sampler) = Arc::into_inner(sampler)
        {
            device.destroy_sampler(sampler);
        }
    }
}
