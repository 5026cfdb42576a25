//! The end of objects, one by one, and of the device with all that is left.
use super::entries::{Key, Tables};
use super::ledger::Ledger;
use super::samplers::SamplerCache;
use super::staging::Staging;
use super::uploads::Uploads;
use super::{Natives, Parts, parked};
use crate::backend;
use crate::slots::lock;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

impl Parts {
    /// Destroys what the ledger has let go and what was only held by that.
    pub(super) fn retire(&self, ledger: &mut Ledger) {
        while let Some(key) = ledger.retired() {
            self.release(ledger, key);
        }
    }

    /// Gives up one reference to an object; with the last, the object goes, and its references after it.
    pub(crate) fn release(&self, ledger: &mut Ledger, key: Key) {
        use crate::ObjectKind as Kind;
        if !self.tables.release(key) {
            return;
        }
        let (backend, tables, index) = (&self.backend, &self.tables, key.index);
        let mut holds: Box<[Key]> = Box::default();
        match key.kind {
            Kind::Buffer => {
                if let Some(entry) = tables.buffers.take(index, ledger) {
                    backend.destroy_buffer(entry.native);
                    self.budget.refund(entry.charge);
                    if entry.readback {
                        self.readback_bytes.fetch_sub(entry.charge, Ordering::Relaxed);
                    }
                }
            }
            Kind::Texture => {
                if let Some(entry) = tables.textures.take(index, ledger) {
                    backend.destroy_texture(entry.native);
                    self.budget.refund(entry.charge);
                }
            }
            Kind::TextureView => {
                if let Some(entry) = tables.views.take(index, ledger) {
                    backend.destroy_view(entry.native);
                    self.release(ledger, Key { kind: Kind::Texture, index: entry.texture });
                }
            }
            Kind::Sampler => {
                if let Some(entry) = tables.samplers.take(index, ledger) {
                    self.samplers.release(backend, &entry.key);
                }
            }
            Kind::BindingLayout => {
                if let Some(entry) = tables.layouts.take(index, ledger) {
                    backend.destroy_layout(entry.native);
                }
            }
            Kind::BindingSet => {
                if let Some(entry) = tables.sets.take(index, ledger) {
                    backend.destroy_set(entry.native);
                    holds = entry.holds;
                }
            }
            Kind::Shader => {
                if let Some(entry) = tables.shaders.take(index, ledger) {
                    backend.destroy_shader(entry.native);
                }
            }
            Kind::RasterPipeline => {
                if let Some(entry) = tables.raster.take(index, ledger) {
                    backend.destroy_raster_pipeline(entry.native);
                    holds = entry.interface.holds;
                }
            }
            Kind::ComputePipeline => {
                if let Some(entry) = tables.compute.take(index, ledger) {
                    backend.destroy_compute_pipeline(entry.native);
                    holds = entry.interface.holds;
                }
            }
        }
        // At most two levels deep: a set holds views, a view its texture.
        for &held in &holds {
            self.release(ledger, held);
        }
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let hung = self.hung.load(Ordering::Acquire);
        let newest = lock(&self.ledger).submitted();
        if !self.is_lost() {
            if let Err(error) = self.save_pipeline_cache() {
                tracing::warn!(%error, "the pipeline cache was not written");
            }
            if let Err(error) = self.wait_serial(newest, self.fence_timeout) {
                self.note(&error);
            }
        }
        let empty = Natives {
            backend: backend::Device::default(),
            tables: Tables::new(0),
            samplers: SamplerCache::default(),
            uploads: Mutex::new(Uploads::new(Staging::new(0))),
            frame_slots: Box::default(),
        };
        let natives = std::mem::replace(&mut self.natives, empty);
        if hung || self.hung.load(Ordering::Acquire) {
            parked::park(natives, newest);
        } else {
            natives.tear_down();
        }
    }
}

impl Natives {
    /// Destroys everything. The GPU is done with it or gone.
    pub(super) fn tear_down(mut self) {
        let backend = &self.backend;
        backend.wait_idle();
        for slot in &mut self.frame_slots {
            slot.drain(backend);
        }
        let (pools, staging) = lock(&self.uploads).drain();
        pools.into_iter().for_each(|pool| backend.destroy_pool(pool));
        staging.into_iter().for_each(|buffer| backend.destroy_buffer(buffer));
        let tables = &mut self.tables;
        tables.raster.drain().for_each(|entry| backend.destroy_raster_pipeline(entry.native));
        tables.compute.drain().for_each(|entry| backend.destroy_compute_pipeline(entry.native));
        tables.shaders.drain().for_each(|entry| backend.destroy_shader(entry.native));
        tables.sets.drain().for_each(|entry| backend.destroy_set(entry.native));
        tables.layouts.drain().for_each(|entry| backend.destroy_layout(entry.native));
        tables.samplers.drain().for_each(|entry| self.samplers.release(backend, &entry.key));
        tables.views.drain().for_each(|entry| backend.destroy_view(entry.native));
        tables.textures.drain().for_each(|entry| backend.destroy_texture(entry.native));
        tables.buffers.drain().for_each(|entry| backend.destroy_buffer(entry.native));
    }
}
