//! The one seam to the driver: every fallible call, by site, counted and failable.
//!
//! `create` counts an object up, `destroy_*` counts it down; what is left at the end is a leak.
use super::functions::Functions;
use crate::NativeError;
use crate::fault::{Faults, Site};
use ash::vk;
use std::sync::atomic::{AtomicU64, Ordering};

/// A device's functions, live objects and faults.
pub(super) struct Native {
    pub(super) device: ash::Device,
    pub(super) functions: Functions,
    pub(super) faults: Faults,
    live: [AtomicU64; Kind::COUNT],
}

/// Kinds of native objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Memory,
    Buffer,
    Image,
    View,
    Sampler,
    SetLayout,
    DescriptorPool,
    DescriptorSet,
    ShaderModule,
    PipelineLayout,
    Pipeline,
    PipelineCache,
    CommandPool,
    Semaphore,
}

impl Kind {
    const COUNT: usize = Self::Semaphore as usize + 1;
}

/// A driver's result in this crate's words.
pub(super) fn failure(call: &'static str, code: vk::Result) -> NativeError {
    match code {
        vk::Result::ERROR_OUT_OF_HOST_MEMORY => NativeError::OutOfMemory { call, host: true },
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => NativeError::OutOfMemory { call, host: false },
        vk::Result::ERROR_DEVICE_LOST => NativeError::DeviceLost { call },
        other => NativeError::Failed { call, reason: format!("{other:?}") },
    }
}

impl Native {
    pub(super) fn new(device: ash::Device, functions: Functions) -> Self {
        Self { device, functions, faults: Faults::default(), live: Default::default() }
    }

    /// Makes a call that creates nothing.
    pub(super) fn call<T>(
        &self,
        site: Site,
        call: &'static str,
        run: impl FnOnce(&ash::Device) -> Result<T, vk::Result>,
    ) -> Result<T, NativeError> {
        self.faults.visit(site)?;
        run(&self.device).map_err(|code| failure(call, code))
    }

    /// Makes a call that creates an object.
    pub(super) fn create<T>(
        &self,
        site: Site,
        kind: Kind,
        call: &'static str,
        run: impl FnOnce(&ash::Device) -> Result<T, vk::Result>,
    ) -> Result<T, NativeError> {
        let made = self.call(site, call, run)?;
        self.count(kind);
        Ok(made)
    }

    /// Counts an object that was made by other means.
    pub(super) fn count(&self, kind: Kind) {
        self.live[kind as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// An object is gone.
    pub(super) fn gone(&self, kind: Kind) {
        self.live[kind as usize].fetch_sub(1, Ordering::Relaxed);
    }

    /// Objects alive, of every kind.
    pub(super) fn live(&self) -> u64 {
        self.live.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }
}
