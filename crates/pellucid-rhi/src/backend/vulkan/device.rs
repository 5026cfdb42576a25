//! The device: its queue, timeline, allocator and pipeline cache.
use super::adapter::Adapter;
use super::binding::Descriptors;
use super::conv;
use super::functions::Functions;
use super::instance::Shared;
use super::native::{Kind, Native, failure};
use crate::backend::{AllocatorUse, Wait};
use crate::fault::Site;
use crate::name::Name;
use crate::slots::lock;
use crate::{DeviceError, Format, FormatSupport, NativeError};
use ash::{ext, vk};
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, Allocator, AllocatorCreateDesc};
use gpu_allocator::{AllocationSizes, AllocatorDebugSettings};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// First and largest block of device and host memory that the allocator takes at a time.
const DEVICE_BLOCK: u64 = 64 << 20;
const HOST_BLOCK: u64 = 16 << 20;
const LARGEST_BLOCK: u64 = 256 << 20;

/// A Vulkan device.
pub(crate) struct Device {
    pub(super) native: Arc<Native>,
    pub(super) instance: Arc<Shared>,
    pub(super) adapter: Adapter,
    pub(super) debug: Option<Arc<ext::debug_utils::Device>>,
    pub(super) family: u32,
    /// Copies from the host, where they are possible and wanted.
    pub(super) host_copy: Option<ext::host_image_copy::Device>,
    queue: vk::Queue,
    timeline: vk::Semaphore,
    /// `None` only while the device is being torn down.
    allocator: Mutex<Option<Allocator>>,
    pub(super) descriptors: Descriptors,
    pub(super) cache: Mutex<vk::PipelineCache>,
}

impl Device {
    pub(super) fn new(instance: Arc<Shared>, adapter: &Adapter, name: &Name) -> Result<Self, DeviceError> {
        let family = adapter.family.unwrap_or(0);
        let raw = create(&instance, adapter, family)?;
        let debug =
            instance.debug_utils.then(|| Arc::new(ext::debug_utils::Device::new(&instance.raw, &raw)));
        // SAFETY: the device was made with one queue of this family.
        let queue = unsafe { raw.get_device_queue(family, 0) };
        let functions = Functions::load(
            &instance.raw,
            raw.handle(),
            adapter.maintenance4.is_some(),
            adapter.version < vk::API_VERSION_1_3,
        );
        let functions = functions.inspect_err(|_| {
            // SAFETY: nothing was made with the device yet.
            unsafe { raw.destroy_device(None) };
        })?;
        let native = Arc::new(Native::new(raw, functions));
        let host_copy =
            adapter.host_copy.then(|| ext::host_image_copy::Device::new(&instance.raw, &native.device));
        let mut device = Self {
            native,
            instance,
            adapter: adapter.clone(),
            debug,
            family,
            host_copy,
            queue,
            timeline: vk::Semaphore::null(),
            allocator: Mutex::new(None),
            descriptors: Descriptors::default(),
            cache: Mutex::new(vk::PipelineCache::null()),
        };
        // From here on, dropping the device destroys what there is of it.
        device.timeline = device.create_timeline()?;
        device.allocator = Mutex::new(Some(device.create_allocator()?));
        device.descriptors = device.create_descriptors()?;
        device.set_name(device.native.device.handle(), name);
        Ok(device)
    }

    fn create_timeline(&self) -> Result<vk::Semaphore, NativeError> {
        let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        self.native.create(Site::CreateTimeline, Kind::Semaphore, "vkCreateSemaphore", |device| {
            // SAFETY: the structures are whole; timeline semaphores are enabled.
            unsafe { device.create_semaphore(&info, None) }
        })
    }

    fn create_allocator(&self) -> Result<Allocator, NativeError> {
        let sizes = AllocationSizes::new(DEVICE_BLOCK, HOST_BLOCK)
            .with_max_device_memblock_size(LARGEST_BLOCK)
            .with_max_host_memblock_size(LARGEST_BLOCK);
        let desc = AllocatorCreateDesc {
            instance: self.instance.raw.clone(),
            device: self.native.device.clone(),
            physical_device: self.adapter.raw,
            debug_settings: AllocatorDebugSettings::default(),
            buffer_device_address: false,
            allocation_sizes: sizes,
        };
        let failed = |error: gpu_allocator::AllocationError| NativeError::Failed {
            call: "allocator",
            reason: error.to_string(),
        };
        Allocator::new(&desc).map_err(failed)
    }

    /// Names an object, where somebody can see it.
    pub(super) fn set_name<T: vk::Handle>(&self, object: T, name: &Name) {
        let Some(debug) = &self.debug else { return };
        if name.is_empty() {
            return;
        }
        let info =
            vk::DebugUtilsObjectNameInfoEXT::default().object_handle(object).object_name(name.as_c_str());
        // SAFETY: the object is alive, and the caller is the only one that knows it yet. A failure only loses
        // the name.
        let _ = unsafe { debug.set_debug_utils_object_name(&info) };
    }

    /// Takes memory for a buffer or image.
    pub(super) fn allocate(&self, desc: &AllocationCreateDesc<'_>) -> Result<Allocation, NativeError> {
        use gpu_allocator::AllocationError as Error;
        self.native.faults.visit(Site::AllocateMemory)?;
        let mut allocator = lock(&self.allocator);
        let Some(allocator) = allocator.as_mut() else {
            return Err(NativeError::DeviceLost { call: "vkAllocateMemory" });
        };
        let made = allocator.allocate(desc).map_err(|error| match error {
            Error::OutOfMemory => NativeError::OutOfMemory { call: "vkAllocateMemory", host: false },
            other => NativeError::Failed { call: "vkAllocateMemory", reason: other.to_string() },
        })?;
        self.native.count(Kind::Memory);
        Ok(made)
    }

    /// Gives memory back.
    pub(super) fn free(&self, allocation: Allocation) {
        if let Some(allocator) = lock(&self.allocator).as_mut() {
            if let Err(error) = allocator.free(allocation) {
                tracing::error!(%error, "memory was not freed");
            }
            self.native.gone(Kind::Memory);
        }
    }

    pub(crate) fn allocator_use(&self) -> AllocatorUse {
        lock(&self.allocator).as_ref().map_or_else(AllocatorUse::default, |allocator| {
            let report = allocator.generate_report();
            AllocatorUse { reserved: report.total_capacity_bytes, allocated: report.total_allocated_bytes }
        })
    }

    pub(crate) fn format_support(&self, format: Format) -> FormatSupport {
        use vk::FormatFeatureFlags as Has;
        let raw = conv::format(format);
        // SAFETY: the physical device is the instance's.
        let properties =
            unsafe { self.instance.raw.get_physical_device_format_properties(self.adapter.raw, raw) };
        let has = |flag: Has| properties.optimal_tiling_features.contains(flag);
        let (color, depth) = (has(Has::COLOR_ATTACHMENT), has(Has::DEPTH_STENCIL_ATTACHMENT));
        let usage = if depth {
            vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
        } else {
            vk::ImageUsageFlags::COLOR_ATTACHMENT
        };
        // SAFETY: as above.
        let image = unsafe {
            self.instance.raw.get_physical_device_image_format_properties(
                self.adapter.raw,
                raw,
                vk::ImageType::TYPE_2D,
                vk::ImageTiling::OPTIMAL,
                usage,
                vk::ImageCreateFlags::empty(),
            )
        };
        let four = image.is_ok_and(|image| image.sample_counts.contains(vk::SampleCountFlags::TYPE_4));
        FormatSupport {
            sampled: has(Has::SAMPLED_IMAGE),
            filterable: has(Has::SAMPLED_IMAGE_FILTER_LINEAR),
            storage: has(Has::STORAGE_IMAGE),
            color,
            blend: has(Has::COLOR_ATTACHMENT_BLEND),
            depth,
            samples4: (color || depth) && four,
        }
    }

    /// Submits; the facade's ledger keeps two threads from doing it at once.
    pub(super) fn queue_submit(&self, buffers: &[vk::CommandBuffer], serial: u64) -> Result<(), NativeError> {
        let mut infos = [vk::CommandBufferSubmitInfo::default(); crate::MAX_COMMAND_BUFFERS + 1];
        for (info, &buffer) in infos.iter_mut().zip(buffers) {
            *info = info.command_buffer(buffer);
        }
        let signal = [vk::SemaphoreSubmitInfo::default()
            .semaphore(self.timeline)
            .value(serial)
            .stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)];
        let submit = vk::SubmitInfo2::default()
            .command_buffer_infos(&infos[..buffers.len()])
            .signal_semaphore_infos(&signal);
        self.native.call(Site::Submit, "vkQueueSubmit2", |_| {
            // SAFETY: the queue is this device's and used by one thread at a time; the command buffers are
            // finished and not in flight; the serial is larger than all before.
            let code =
                unsafe { (self.native.functions.queue_submit2)(self.queue, 1, &submit, vk::Fence::null()) };
            code.result()
        })
    }

    pub(crate) fn completed(&self) -> Result<u64, NativeError> {
        self.native.call(Site::QueryTimeline, "vkGetSemaphoreCounterValue", |device| {
            let mut value = 0;
            // SAFETY: the semaphore is this device's timeline.
            let code = unsafe {
                (self.native.functions.semaphore_value)(device.handle(), self.timeline, &mut value)
            };
            code.result().map(|()| value)
        })
    }

    pub(crate) fn wait(&self, serial: u64, timeout: Duration) -> Result<Wait, NativeError> {
        let (semaphores, values) = ([self.timeline], [serial]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        let nanoseconds = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX);
        self.native.call(Site::WaitTimeline, "vkWaitSemaphores", |device| {
            // SAFETY: the semaphore is this device's timeline.
            let code =
                unsafe { (self.native.functions.wait_semaphores)(device.handle(), &info, nanoseconds) };
            match code {
                vk::Result::SUCCESS => Ok(Wait::Done),
                vk::Result::TIMEOUT => Ok(Wait::TimedOut),
                other => Err(other),
            }
        })
    }

    pub(crate) fn pipeline_cache_key(&self) -> String {
        let properties = &self.adapter.properties;
        let uuid: String = properties.pipeline_cache_uuid.iter().map(|byte| format!("{byte:02x}")).collect();
        let (vendor, device, driver) =
            (properties.vendor_id, properties.device_id, properties.driver_version);
        format!("vulkan-{vendor:08x}-{device:08x}-{driver:08x}-{uuid}")
    }

    pub(crate) fn load_pipeline_cache(&self, bytes: &[u8]) -> Result<(), NativeError> {
        let info = vk::PipelineCacheCreateInfo::default().initial_data(bytes);
        let cache = self.native.create(
            Site::CreatePipelineCache,
            Kind::PipelineCache,
            "vkCreatePipelineCache",
            // SAFETY: the bytes are an earlier run's of this very driver, by checksum and file name; the driver
            // checks its own header.
            |device| unsafe { device.create_pipeline_cache(&info, None) },
        )?;
        *lock(&self.cache) = cache;
        Ok(())
    }

    pub(crate) fn pipeline_cache(&self) -> Result<Vec<u8>, NativeError> {
        let cache = *lock(&self.cache);
        // SAFETY: the cache is this device's.
        let data = unsafe { self.native.device.get_pipeline_cache_data(cache) };
        data.map_err(|code| failure("vkGetPipelineCacheData", code))
    }

    pub(crate) fn wait_idle(&self) {
        let idle = self.native.call(Site::WaitIdle, "vkDeviceWaitIdle", |device| {
            // SAFETY: no other thread uses the device any more.
            unsafe { device.device_wait_idle() }
        });
        if let Err(error) = idle {
            tracing::debug!(%error, "at the device's end");
        }
    }

    pub(crate) fn native_objects(&self) -> u64 {
        self.native.live()
    }

    #[cfg(feature = "fault-injection")]
    pub(crate) fn faults(&self) -> &crate::fault::Faults {
        &self.native.faults
    }

    /// Resets no fences, which the specification forbids and drivers ignore.
    pub(crate) fn provoke_validation(&self) {
        // SAFETY: invalid by the letter, with no effect: the count is 0, so nothing is read.
        let _ = unsafe { self.native.device.reset_fences(&[]) };
    }
}

fn create(instance: &Shared, adapter: &Adapter, family: u32) -> Result<ash::Device, DeviceError> {
    let has = &adapter.features;
    let features = vk::PhysicalDeviceFeatures {
        robust_buffer_access: vk::TRUE,
        independent_blend: has.independent_blend,
        image_cube_array: has.image_cube_array,
        sampler_anisotropy: has.sampler_anisotropy,
        texture_compression_bc: has.texture_compression_bc,
        vertex_pipeline_stores_and_atomics: has.vertex_pipeline_stores_and_atomics,
        fragment_stores_and_atomics: has.fragment_stores_and_atomics,
        shader_storage_image_extended_formats: has.shader_storage_image_extended_formats,
        shader_storage_image_read_without_format: has.shader_storage_image_read_without_format,
        shader_storage_image_write_without_format: has.shader_storage_image_write_without_format,
        ..vk::PhysicalDeviceFeatures::default()
    };
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let mut sync = vk::PhysicalDeviceSynchronization2Features::default().synchronization2(true);
    let mut timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
    let mut scalar = vk::PhysicalDeviceScalarBlockLayoutFeatures::default().scalar_block_layout(true);
    let mut draw = vk::PhysicalDeviceShaderDrawParametersFeatures::default().shader_draw_parameters(true);
    let mut four = vk::PhysicalDeviceMaintenance4Features::default().maintenance4(true);
    let mut image = vk::PhysicalDeviceImageRobustnessFeatures::default().robust_image_access(true);
    let mut robust = vk::PhysicalDeviceRobustness2FeaturesEXT::default()
        .null_descriptor(adapter.null_descriptor)
        .robust_buffer_access2(adapter.buffer_robustness2);
    let mut host = vk::PhysicalDeviceHostImageCopyFeaturesEXT::default().host_image_copy(true);
    let names: Vec<_> = adapter.device_extensions().into_iter().map(std::ffi::CStr::as_ptr).collect();
    let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
    let mut info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .enabled_features(&features)
        .push_next(&mut rendering)
        .push_next(&mut sync)
        .push_next(&mut timeline)
        .push_next(&mut scalar)
        .push_next(&mut draw);
    if adapter.maintenance4.is_some() {
        info = info.push_next(&mut four);
    }
    if adapter.image_robustness.is_some() {
        info = info.push_next(&mut image);
    }
    if adapter.null_descriptor || adapter.buffer_robustness2 {
        info = info.push_next(&mut robust);
    }
    if adapter.host_copy {
        info = info.push_next(&mut host);
    }
    // SAFETY: the structures are whole and live through the call; what they ask for was found on the device
    // (admission has refused it otherwise).
    let made = unsafe { instance.raw.create_device(adapter.raw, &info, None) };
    made.map_err(|code| failure("vkCreateDevice", code).into())
}

impl Drop for Device {
    fn drop(&mut self) {
        self.destroy_descriptors();
        let cache = *lock(&self.cache);
        let device = &self.native.device;
        // SAFETY: the device is idle or lost, and nothing of it is used any more; null handles are ignored.
        unsafe {
            device.destroy_pipeline_cache(cache, None);
            device.destroy_semaphore(self.timeline, None);
        }
        // The allocator's blocks go before the device.
        drop(lock(&self.allocator).take());
        // SAFETY: everything that was made with the device is destroyed.
        unsafe { self.native.device.destroy_device(None) };
    }
}
