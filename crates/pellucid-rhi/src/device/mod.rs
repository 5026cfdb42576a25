//! The device: every object, budget and submission, and the calls that make and end them.
mod binding;
mod budget;
pub(crate) mod cache;
mod check;
mod desc;
pub(crate) mod entries;
pub(crate) mod ledger;
mod parked;
mod pipelines;
mod readback;
mod resources;
mod retire;
mod samplers;
pub(crate) mod staging;
mod uploads;

use crate::backend::{self, Wait};
use crate::frame::FrameSlot;
use crate::select::unmet;
use crate::slots::lock;
use crate::{
    AdapterInfo, AnyHandle, DeviceError, Format, FormatSupport, FrameError, NativeError, Profile, StaleHandle,
};
use budget::Budget;
use cache::CacheFile;
use entries::{Key, Tables};
use ledger::Ledger;
use samplers::SamplerCache;
use staging::Staging;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use uploads::Uploads;

pub use desc::{DeviceDesc, LiveObjects, MemoryStats, SubmissionId, TextureStatus};
pub use readback::{ReadStatus, Readback};

pub(crate) use check::resolve as resolve_range;
pub(crate) use readback::ReadTicket;

/// Everything native, which is torn down together or kept together.
pub(crate) struct Natives {
    pub(crate) backend: backend::Device,
    pub(crate) tables: Tables,
    pub(crate) samplers: SamplerCache,
    pub(crate) uploads: Mutex<Uploads>,
    pub(crate) frame_slots: Box<[FrameSlot]>,
}

/// What the clones of a [`Device`] share.
pub(crate) struct Parts {
    pub(crate) natives: Natives,
    pub(crate) ledger: Mutex<Ledger>,
    pub(crate) budget: Budget,
    pub(crate) readback_bytes: AtomicU64,
    info: AdapterInfo,
    formats: [FormatSupport; Format::ALL.len()],
    shapes: Mutex<HashMap<Box<[crate::BindingSlot]>, u32>>,
    pub(crate) frames: AtomicU64,
    pub(crate) tag: u32,
    pub(crate) fence_timeout: Duration,
    pub(crate) host_writes: bool,
    /// No call may reach the native device any more.
    lost: AtomicBool,
    /// The device is lost for a wait beyond its limit: the GPU may still run.
    hung: AtomicBool,
    cache: Option<CacheFile>,
}

impl std::ops::Deref for Parts {
    type Target = Natives;

    fn deref(&self) -> &Natives {
        &self.natives
    }
}

/// A device. Clones share it; it ends with the last clone, after the GPU has finished.
#[derive(Clone)]
pub struct Device {
    pub(crate) parts: Arc<Parts>,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({} on {})", self.parts.tag, self.parts.info.name)
    }
}

fn field(field: &'static str, value: u64, ok: bool, range: &'static str) -> Result<(), DeviceError> {
    if ok { Ok(()) } else { Err(DeviceError::Invalid { field, value, range }) }
}

impl Device {
    /// Whether an adapter and a description fit.
    pub(crate) fn admit(info: &AdapterInfo, desc: &DeviceDesc<'_>) -> Result<(), DeviceError> {
        let slots = u64::from(desc.frame_slots);
        field("frame_slots", slots, (1..=3).contains(&slots), "1 to 3")?;
        let ring = |bytes: u64| (crate::MAX_UNIFORM_RANGE..=1 << 31).contains(&bytes);
        let range = "16384 to 2147483648";
        field("uniform_ring_bytes", desc.uniform_ring_bytes, ring(desc.uniform_ring_bytes), range)?;
        field("vertex_ring_bytes", desc.vertex_ring_bytes, ring(desc.vertex_ring_bytes), range)?;
        field("staging_bytes", desc.staging_bytes, desc.staging_bytes >= 1 << 20, "at least 1048576")?;
        // Every device draws; what is asked for beyond that is up to the caller.
        let mut required = desc.required.to_vec();
        if !required.contains(&Profile::PortableRaster) {
            required.push(Profile::PortableRaster);
        }
        let unmet = unmet(info, &required);
        if unmet.is_empty() {
            Ok(())
        } else {
            Err(DeviceError::Profiles { adapter: info.name.clone(), unmet })
        }
    }

    pub(crate) fn new(
        backend: backend::Device,
        info: AdapterInfo,
        desc: &DeviceDesc<'_>,
    ) -> Result<Self, DeviceError> {
        static TAGS: AtomicU32 = AtomicU32::new(1);
        parked::reap();
        let cache = desc.pipeline_cache.map(|folder| CacheFile::new(folder, &backend.pipeline_cache_key()));
        let bytes = cache.as_ref().and_then(CacheFile::load).unwrap_or_default();
        backend.load_pipeline_cache(&bytes)?;
        let tag = TAGS.fetch_add(1, Ordering::Relaxed);
        let limit = desc.budget_bytes.unwrap_or(info.limits.device_memory / 4 * 3);
        let slot = || FrameSlot::new(desc.uniform_ring_bytes, desc.vertex_ring_bytes);
        let formats = Format::ALL.map(|format| backend.format_support(format));
        let natives = Natives {
            backend,
            tables: Tables::new(tag),
            samplers: SamplerCache::default(),
            uploads: Mutex::new(Uploads::new(Staging::new(desc.staging_bytes))),
            frame_slots: (0..desc.frame_slots).map(|_| slot()).collect(),
        };
        let parts = Parts {
            natives,
            ledger: Mutex::default(),
            budget: Budget::new(limit),
            readback_bytes: AtomicU64::new(0),
            info,
            formats,
            shapes: Mutex::default(),
            frames: AtomicU64::new(0),
            tag,
            fence_timeout: desc.fence_timeout,
            host_writes: desc.host_writes,
            lost: AtomicBool::new(false),
            hung: AtomicBool::new(false),
            cache,
        };
        Ok(Self { parts: Arc::new(parts) })
    }

    /// The adapter it was made of.
    #[must_use]
    pub fn info(&self) -> &AdapterInfo {
        &self.parts.info
    }

    /// What a format may be used for.
    #[must_use]
    pub fn format_support(&self, format: Format) -> FormatSupport {
        self.parts.formats[format as usize]
    }

    /// Destroys an object. Legal at any time: what is recorded or in flight keeps it until it is finished,
    /// and so do the objects made with it.
    ///
    /// # Errors
    /// The handle was stale already, belongs to another device, or is that of a frame's vertex ring.
    pub fn destroy(&self, handle: impl Into<AnyHandle>) -> Result<(), StaleHandle> {
        let handle = handle.into();
        let mut ledger = lock(&self.parts.ledger);
        let is_ring = |buffer: crate::Buffer| {
            self.parts.tables.buffers.get(buffer.0, &*ledger).is_some_and(|entry| entry.ring)
        };
        if matches!(handle, AnyHandle::Buffer(buffer) if is_ring(buffer)) || !self.parts.tables.kill(handle) {
            return Err(handle.stale());
        }
        ledger.destroyed(Key { kind: handle.kind(), index: handle.raw().index });
        self.parts.retire(&mut ledger);
        Ok(())
    }

    /// Collects what the GPU has finished and submits uploads that are waiting. Never blocks.
    ///
    /// # Errors
    /// The device was lost.
    pub fn poll(&self) -> Result<(), FrameError> {
        let parts = &self.parts;
        parts.check()?;
        let flushed = parts.flush_uploads(&mut lock(&parts.uploads));
        parts.collect().and(flushed).map_err(|error| parts.failed(error))
    }

    /// Waits until everything submitted, waiting uploads too, is finished.
    ///
    /// # Errors
    /// The device was lost, or did not finish within its limit and is lost now.
    pub fn wait_idle(&self) -> Result<(), FrameError> {
        let parts = &self.parts;
        parts.check()?;
        let flushed = parts.flush_uploads(&mut lock(&parts.uploads));
        flushed.map_err(|error| parts.failed(error))?;
        let newest = lock(&parts.ledger).submitted();
        let waited = parts.wait_serial(newest, parts.fence_timeout).and_then(|()| parts.collect());
        waited.map_err(|error| parts.failed(error))
    }

    /// Waits for a submission; false when `timeout` has passed first, which loses nothing.
    ///
    /// # Errors
    /// The device was lost.
    pub fn wait(&self, submission: SubmissionId, timeout: Duration) -> Result<bool, FrameError> {
        let parts = &self.parts;
        parts.check()?;
        let serial = submission.serial.min(lock(&parts.ledger).submitted());
        let done = parts.backend.wait(serial, timeout).map_err(|error| parts.failed(error))?;
        parts.collect().map_err(|error| parts.failed(error))?;
        Ok(done == Wait::Done)
    }

    /// Memory in use.
    #[must_use]
    pub fn memory_stats(&self) -> MemoryStats {
        let parts = &self.parts;
        let (staging, staging_limit) = {
            let uploads = lock(&parts.uploads);
            (uploads.staging.bytes(), uploads.staging.limit())
        };
        let allocator = parts.backend.allocator_use();
        MemoryStats {
            used: parts.budget.used(),
            limit: parts.budget.limit(),
            peak: parts.budget.peak(),
            staging,
            staging_limit,
            readback: parts.readback_bytes.load(Ordering::Relaxed),
            allocator_slack: allocator.reserved.saturating_sub(allocator.allocated),
        }
    }

    /// Gives staging memory that is idle back to the budget, for example after a level has loaded.
    pub fn trim_staging(&self) {
        let parts = &self.parts;
        lock(&parts.uploads).staging.trim(&parts.backend, &parts.budget);
    }

    /// Good handles of each type, rings' own buffers not counted.
    #[must_use]
    pub fn live_objects(&self) -> LiveObjects {
        let tables = &self.parts.tables;
        let rings = self.parts.frame_slots.iter().filter(|slot| slot.is_warm()).count();
        LiveObjects {
            buffers: tables.buffers.live() - rings as u32,
            textures: tables.textures.live(),
            texture_views: tables.views.live(),
            samplers: tables.samplers.live(),
            binding_layouts: tables.layouts.live(),
            binding_sets: tables.sets.live(),
            shaders: tables.shaders.live(),
            raster_pipelines: tables.raster.live(),
            compute_pipelines: tables.compute.live(),
            native: self.parts.backend.native_objects(),
        }
    }

    /// Writes the pipeline cache's file now; it is written at the device's end too. The file is replaced
    /// whole. Does nothing when the device has no cache folder.
    ///
    /// # Errors
    /// The file can't be written, or the driver doesn't give its bytes.
    pub fn save_pipeline_cache(&self) -> std::io::Result<()> {
        self.parts.save_pipeline_cache()
    }

    /// Makes a native call that the validation layer has to report. A suite that trusts the layer's silence
    /// calls this first.
    #[doc(hidden)]
    pub fn provoke_validation(&self) {
        self.parts.backend.provoke_validation();
    }

    /// Sets or clears the plan by which a native call fails.
    #[cfg(feature = "fault-injection")]
    pub fn set_fault_plan(&self, plan: Option<crate::FaultPlan>) {
        self.parts.backend.faults().set(plan);
    }

    /// How often a site was visited.
    #[cfg(feature = "fault-injection")]
    #[must_use]
    pub fn site_visits(&self, site: crate::Site) -> u64 {
        self.parts.backend.faults().visits(site)
    }
}

impl Parts {
    pub(crate) fn limits(&self) -> &crate::Limits {
        &self.info.limits
    }

    /// Refuses every call on a lost device.
    pub(crate) fn check(&self) -> Result<(), FrameError> {
        if self.is_lost() { Err(FrameError::DeviceLost) } else { Ok(()) }
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Notes a loss.
    pub(crate) fn note(&self, error: &NativeError) {
        if matches!(error, NativeError::DeviceLost { .. }) && !self.lost.swap(true, Ordering::AcqRel) {
            tracing::error!(device = self.info.name, %error, "the device was lost");
        }
    }

    /// The public form of a native failure of a submission or wait.
    pub(crate) fn failed(&self, error: NativeError) -> FrameError {
        self.note(&error);
        match error {
            NativeError::DeviceLost { .. } if self.hung.load(Ordering::Acquire) => {
                FrameError::Timeout { limit: self.fence_timeout }
            }
            NativeError::DeviceLost { .. } => FrameError::DeviceLost,
            other => FrameError::RenderingUnavailable(other),
        }
    }

    /// Waits for a serial; beyond the limit the device counts as lost and hung.
    pub(crate) fn wait_serial(&self, serial: u64, limit: Duration) -> Result<(), NativeError> {
        if serial <= lock(&self.ledger).completed() {
            return Ok(());
        }
        match self.backend.wait(serial, limit)? {
            Wait::Done => {
                lock(&self.ledger).reached(serial);
                Ok(())
            }
            Wait::TimedOut => {
                self.hung.store(true, Ordering::Release);
                Err(NativeError::DeviceLost { call: "a fence wait beyond its limit" })
            }
        }
    }

    /// Takes in what the GPU has finished.
    pub(crate) fn collect(&self) -> Result<(), NativeError> {
        let completed = self.backend.completed()?;
        {
            let mut ledger = lock(&self.ledger);
            ledger.reached(completed);
            self.retire(&mut ledger);
        }
        lock(&self.uploads).collect(completed);
        Ok(())
    }

    fn save_pipeline_cache(&self) -> std::io::Result<()> {
        let Some(cache) = &self.cache else { return Ok(()) };
        let bytes = self.backend.pipeline_cache().map_err(std::io::Error::other)?;
        cache.save(&bytes)
    }
}
