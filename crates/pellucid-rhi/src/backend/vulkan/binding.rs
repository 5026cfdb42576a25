//! Set layouts, sets from pools, and the dynamic uniforms' set.
use super::buffer::Buffer;
use super::conv;
use super::device::Device;
use super::native::{Kind, failure};
use crate::backend::{SetResource, SetWrite};
use crate::desc::{BindingKind, BindingSlot};
use crate::fault::Site;
use crate::name::Name;
use crate::slots::lock;
use crate::{MAX_DYNAMIC_UNIFORMS, MAX_UNIFORM_RANGE, NativeError};
use ash::vk;
use std::sync::Mutex;

/// A set layout. The facade keeps it alive; a copy is only a number.
#[derive(Clone)]
pub(crate) struct Layout {
    pub(super) raw: vk::DescriptorSetLayout,
}

/// A set and the pool that it came from.
pub(crate) struct Set {
    pub(super) raw: vk::DescriptorSet,
    pool: vk::DescriptorPool,
    /// What it took of the pool.
    counts: [u32; KINDS.len()],
}

/// The set of a ring, with a pool of its own.
pub(crate) struct UniformSet {
    pub(super) raw: vk::DescriptorSet,
    pool: vk::DescriptorPool,
}

/// Sets of one pool, and the kinds of descriptors counted in it.
const POOL_SETS: u32 = 256;
const KINDS: [vk::DescriptorType; 5] = [
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::STORAGE_BUFFER,
    vk::DescriptorType::SAMPLED_IMAGE,
    vk::DescriptorType::STORAGE_IMAGE,
    vk::DescriptorType::SAMPLER,
];
/// Descriptors of each kind in a pool of ordinary sets.
const POOL_COUNTS: [u32; KINDS.len()] = [512, 1024, 2048, 512, 1024];

fn kind_index(kind: BindingKind) -> usize {
    let raw = conv::descriptor(kind);
    KINDS.iter().position(|&each| each == raw).unwrap_or(0)
}

/// A pool and what is left in it.
struct Pool {
    raw: vk::DescriptorPool,
    sets: u32,
    left: [u32; KINDS.len()],
}

/// The device's pools and fixed layouts.
#[derive(Default)]
pub(crate) struct Descriptors {
    pools: Mutex<Vec<Pool>>,
    /// For the gap between a pipeline's own sets and the dynamic uniforms'.
    pub(super) empty: vk::DescriptorSetLayout,
    pub(super) uniforms: vk::DescriptorSetLayout,
}

impl Device {
    fn raw_layout(
        &self,
        bindings: &[vk::DescriptorSetLayoutBinding<'_>],
    ) -> Result<vk::DescriptorSetLayout, NativeError> {
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(bindings);
        self.native.create(Site::CreateLayout, Kind::SetLayout, "vkCreateDescriptorSetLayout", |device| {
            // SAFETY: the structure is whole; binding numbers are there once each.
            unsafe { device.create_descriptor_set_layout(&info, None) }
        })
    }

    fn drop_layout(&self, raw: vk::DescriptorSetLayout) {
        if raw == vk::DescriptorSetLayout::null() {
            return;
        }
        // SAFETY: this device made it, and no pipeline or set is made with it any more.
        unsafe { self.native.device.destroy_descriptor_set_layout(raw, None) };
        self.native.gone(Kind::SetLayout);
    }

    /// The layouts that every pipeline may use.
    pub(super) fn create_descriptors(&self) -> Result<Descriptors, NativeError> {
        let empty = self.raw_layout(&[])?;
        let stages =
            vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT | vk::ShaderStageFlags::COMPUTE;
        let bindings: [_; MAX_DYNAMIC_UNIFORMS as usize] = std::array::from_fn(|binding| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding as u32)
                .descriptor_type(vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC)
                .descriptor_count(1)
                .stage_flags(stages)
        });
        let uniforms = self.raw_layout(&bindings).inspect_err(|_| self.drop_layout(empty))?;
        Ok(Descriptors { pools: Mutex::default(), empty, uniforms })
    }

    pub(super) fn destroy_descriptors(&self) {
        for pool in lock(&self.descriptors.pools).drain(..) {
            self.drop_pool(pool.raw);
        }
        self.drop_layout(self.descriptors.empty);
        self.drop_layout(self.descriptors.uniforms);
    }

    pub(crate) fn create_layout(&self, name: &Name, slots: &[BindingSlot]) -> Result<Layout, NativeError> {
        let binding = |slot: &BindingSlot| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(slot.binding)
                .descriptor_type(conv::descriptor(slot.kind))
                .descriptor_count(slot.count)
                .stage_flags(conv::stages(slot.stages))
        };
        let bindings: Vec<_> = slots.iter().map(binding).collect();
        let raw = self.raw_layout(&bindings)?;
        self.set_name(raw, name);
        Ok(Layout { raw })
    }

    pub(crate) fn destroy_layout(&self, layout: Layout) {
        self.drop_layout(layout.raw);
    }

    fn raw_pool(
        &self,
        sets: u32,
        sizes: &[vk::DescriptorPoolSize],
    ) -> Result<vk::DescriptorPool, NativeError> {
        let info = vk::DescriptorPoolCreateInfo::default()
            .flags(vk::DescriptorPoolCreateFlags::FREE_DESCRIPTOR_SET)
            .max_sets(sets)
            .pool_sizes(sizes);
        let (site, kind) = (Site::CreateDescriptorPool, Kind::DescriptorPool);
        self.native.create(site, kind, "vkCreateDescriptorPool", |device| {
            // SAFETY: the structure is whole, its counts above 0.
            unsafe { device.create_descriptor_pool(&info, None) }
        })
    }

    fn drop_pool(&self, raw: vk::DescriptorPool) {
        // SAFETY: this device made it, and none of its sets is used any more.
        unsafe { self.native.device.destroy_descriptor_pool(raw, None) };
        self.native.gone(Kind::DescriptorPool);
    }

    fn raw_set(
        &self,
        pool: vk::DescriptorPool,
        layout: vk::DescriptorSetLayout,
    ) -> Result<vk::DescriptorSet, vk::Result> {
        let layouts = [layout];
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        // SAFETY: pool and layout are this device's; the pool is used under its lock or by one thread.
        let sets = unsafe { self.native.device.allocate_descriptor_sets(&info) }?;
        self.native.count(Kind::DescriptorSet);
        sets.first().copied().ok_or(vk::Result::ERROR_UNKNOWN)
    }

    /// Takes a set from a pool with room, or from a new one: pools stay, as their number follows the sets'.
    fn take_set(&self, layout: &Layout, slots: &[BindingSlot]) -> Result<Set, NativeError> {
        let mut needed = [0; KINDS.len()];
        slots.iter().for_each(|slot| needed[kind_index(slot.kind)] += slot.count);
        self.native.faults.visit(Site::AllocateSet)?;
        let mut pools = lock(&self.descriptors.pools);
        let has_room = |pool: &Pool| pool.sets > 0 && pool.left.iter().zip(&needed).all(|(l, n)| l >= n);
        // A pool with room by number may still be fragmented: then the next is tried.
        for pool in pools.iter_mut().filter(|pool| has_room(pool)) {
            match self.raw_set(pool.raw, layout.raw) {
                Ok(raw) => {
                    pool.sets -= 1;
                    pool.left.iter_mut().zip(&needed).for_each(|(left, needed)| *left -= needed);
                    return Ok(Set { raw, pool: pool.raw, counts: needed });
                }
                Err(vk::Result::ERROR_FRAGMENTED_POOL | vk::Result::ERROR_OUT_OF_POOL_MEMORY) => {}
                Err(code) => return Err(failure("vkAllocateDescriptorSets", code)),
            }
        }
        let counts: [u32; KINDS.len()] = std::array::from_fn(|i| POOL_COUNTS[i].max(needed[i]));
        let size = |i: usize| vk::DescriptorPoolSize { ty: KINDS[i], descriptor_count: counts[i] };
        let sizes: [_; KINDS.len()] = std::array::from_fn(size);
        let raw_pool = self.raw_pool(POOL_SETS, &sizes)?;
        let mut pool = Pool { raw: raw_pool, sets: POOL_SETS, left: counts };
        let made = self.raw_set(raw_pool, layout.raw);
        if made.is_ok() {
            pool.sets -= 1;
            pool.left.iter_mut().zip(&needed).for_each(|(left, needed)| *left -= needed);
        }
        pools.push(pool);
        let raw = made.map_err(|code| failure("vkAllocateDescriptorSets", code))?;
        Ok(Set { raw, pool: raw_pool, counts: needed })
    }

    pub(crate) fn create_set(
        &self,
        name: &Name,
        layout: &Layout,
        slots: &[BindingSlot],
        writes: &[SetWrite<'_>],
    ) -> Result<Set, NativeError> {
        let set = self.take_set(layout, slots)?;
        self.set_name(set.raw, name);
        let mut buffers = vec![vk::DescriptorBufferInfo::default(); writes.len()];
        let mut images = vec![vk::DescriptorImageInfo::default(); writes.len()];
        for ((write, buffer), image) in writes.iter().zip(&mut buffers).zip(&mut images) {
            match &write.resource {
                SetResource::Buffer { buffer: source, offset, size } => {
                    *buffer = buffer.buffer(source.vulkan().raw).offset(*offset).range(*size);
                }
                SetResource::View(view) => {
                    let layout = if write.kind == BindingKind::StorageTexture {
                        vk::ImageLayout::GENERAL
                    } else {
                        vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL
                    };
                    *image = image.image_view(view.vulkan().raw).image_layout(layout);
                }
                SetResource::Sampler(sampler) => *image = image.sampler(sampler.vulkan().raw),
            }
        }
        let each = writes.iter().zip(&buffers).zip(&images);
        let natives: Vec<_> = each
            .map(|((write, buffer), image)| {
                let native = vk::WriteDescriptorSet::default()
                    .dst_set(set.raw)
                    .dst_binding(write.binding)
                    .dst_array_element(write.element)
                    .descriptor_type(conv::descriptor(write.kind));
                match write.resource {
                    SetResource::Buffer { .. } => native.buffer_info(std::slice::from_ref(buffer)),
                    _ => native.image_info(std::slice::from_ref(image)),
                }
            })
            .collect();
        // SAFETY: the set is new, so nobody uses it; the resources are alive, and the facade has checked their
        // kinds, roles and ranges.
        unsafe { self.native.device.update_descriptor_sets(&natives, &[]) };
        Ok(set)
    }

    pub(crate) fn destroy_set(&self, set: Set) {
        let mut pools = lock(&self.descriptors.pools);
        // SAFETY: this device made it from that pool, which is used under its lock; neither host nor GPU uses
        // the set any more.
        let freed = unsafe { self.native.device.free_descriptor_sets(set.pool, &[set.raw]) };
        if let Err(error) = freed {
            tracing::error!(%error, "a descriptor set was not freed");
        }
        if let Some(pool) = pools.iter_mut().find(|pool| pool.raw == set.pool) {
            pool.sets += 1;
            pool.left.iter_mut().zip(&set.counts).for_each(|(left, count)| *left += count);
        }
        self.native.gone(Kind::DescriptorSet);
    }

    pub(crate) fn create_uniform_set(&self, ring: &Buffer) -> Result<UniformSet, NativeError> {
        let size = vk::DescriptorPoolSize {
            ty: vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
            descriptor_count: MAX_DYNAMIC_UNIFORMS,
        };
        let pool = self.raw_pool(1, &[size])?;
        let made = self.native.faults.visit(Site::AllocateSet).and_then(|()| {
            let made = self.raw_set(pool, self.descriptors.uniforms);
            made.map_err(|code| failure("vkAllocateDescriptorSets", code))
        });
        let raw = made.inspect_err(|_| self.drop_pool(pool))?;
        // The ring is padded by one range, so an offset may be anywhere in it.
        let info = [vk::DescriptorBufferInfo::default().buffer(ring.raw).range(MAX_UNIFORM_RANGE)];
        let writes: [_; MAX_DYNAMIC_UNIFORMS as usize] = std::array::from_fn(|binding| {
            vk::WriteDescriptorSet::default()
                .dst_set(raw)
                .dst_binding(binding as u32)
                .descriptor_type(vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC)
                .buffer_info(&info)
        });
        // SAFETY: the set is new, so nobody uses it; the ring is alive for longer.
        unsafe { self.native.device.update_descriptor_sets(&writes, &[]) };
        self.set_name(raw, &Name::new("dynamic uniforms"));
        Ok(UniformSet { raw, pool })
    }

    pub(crate) fn destroy_uniform_set(&self, set: UniformSet) {
        self.drop_pool(set.pool);
        self.native.gone(Kind::DescriptorSet);
    }
}
