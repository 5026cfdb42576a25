//! Adapters: what each can do, by core or by extension, and what it lacks for each profile.
use super::instance::version;
use super::native::failure;
use crate::{
    AdapterFeatures, AdapterId, AdapterInfo, AdapterKind, Limits, NativeError, Profile, ProfileStatus,
    ProfileSupport,
};
use ash::{ext, khr, vk};
use std::ffi::CStr;

/// Where a feature comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Via {
    Core,
    Extension(&'static CStr),
}

/// A physical device and what was found out about it.
#[derive(Clone)]
pub(super) struct Adapter {
    pub(super) raw: vk::PhysicalDevice,
    pub(super) properties: vk::PhysicalDeviceProperties,
    driver: String,
    /// What the device reports, at most the version that the instance asked for.
    pub(super) version: u32,
    extensions: Vec<vk::ExtensionProperties>,
    pub(super) family: Option<u32>,
    timestamp_bits: u32,
    memory: vk::PhysicalDeviceMemoryProperties,
    pub(super) features: vk::PhysicalDeviceFeatures,
    pub(super) dynamic_rendering: Option<Via>,
    pub(super) synchronization2: Option<Via>,
    pub(super) timeline: Option<Via>,
    pub(super) scalar_layout: Option<Via>,
    pub(super) draw_parameters: bool,
    pub(super) maintenance4: Option<Via>,
    pub(super) format_list: Option<Via>,
    pub(super) image_robustness: Option<Via>,
    pub(super) host_copy: bool,
    pub(super) null_descriptor: bool,
    pub(super) buffer_robustness2: bool,
}

/// Lists the instance's devices, taken for version `most` at most.
pub(super) fn list(
    instance: &ash::Instance,
    validated: bool,
    most: u32,
) -> Result<Vec<Adapter>, NativeError> {
    // SAFETY: the instance is alive.
    let devices = unsafe { instance.enumerate_physical_devices() };
    let devices = devices.map_err(|code| failure("vkEnumeratePhysicalDevices", code))?;
    devices.into_iter().map(|raw| Adapter::read(instance, raw, validated, most)).collect()
}

impl Adapter {
    fn read(
        instance: &ash::Instance,
        raw: vk::PhysicalDevice,
        validated: bool,
        most: u32,
    ) -> Result<Self, NativeError> {
        // SAFETY: the physical device is the instance's, here and in the next calls.
        let properties = unsafe { instance.get_physical_device_properties(raw) };
        // SAFETY: as above.
        let memory = unsafe { instance.get_physical_device_memory_properties(raw) };
        // SAFETY: as above.
        let families = unsafe { instance.get_physical_device_queue_family_properties(raw) };
        // SAFETY: as above.
        let extensions = unsafe { instance.enumerate_device_extension_properties(raw) };
        let extensions = extensions.map_err(|code| failure("vkEnumerateDeviceExtensionProperties", code))?;
        let both = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let family = families.iter().position(|family| family.queue_flags.contains(both));
        let mut adapter = Self {
            raw,
            properties,
            driver: version(properties.driver_version),
            version: properties.api_version.min(most.min(vk::API_VERSION_1_3)),
            extensions,
            family: family.map(|index| index as u32),
            timestamp_bits: family.map_or(0, |index| families[index].timestamp_valid_bits),
            memory,
            features: vk::PhysicalDeviceFeatures::default(),
            dynamic_rendering: None,
            synchronization2: None,
            timeline: None,
            scalar_layout: None,
            draw_parameters: false,
            maintenance4: None,
            format_list: None,
            image_robustness: None,
            host_copy: false,
            null_descriptor: false,
            buffer_robustness2: false,
        };
        if adapter.version >= vk::API_VERSION_1_1 {
            adapter.read_features(instance, validated);
        }
        Ok(adapter)
    }

    pub(super) fn has(&self, name: &CStr) -> bool {
        self.extensions.iter().any(|extension| extension.extension_name_as_c_str() == Ok(name))
    }

    /// Where a feature of core `since` and of an extension would come from.
    fn via(&self, since: u32, extension: &'static CStr) -> Option<Via> {
        if self.version >= since {
            Some(Via::Core)
        } else {
            self.has(extension).then_some(Via::Extension(extension))
        }
    }

    /// Asks for the features whose structures this device knows.
    fn read_features(&mut self, instance: &ash::Instance, validated: bool) {
        let (v12, v13) = (vk::API_VERSION_1_2, vk::API_VERSION_1_3);
        let rendering = self.via(v13, khr::dynamic_rendering::NAME);
        let sync = self.via(v13, khr::synchronization2::NAME);
        let timeline = self.via(v12, khr::timeline_semaphore::NAME);
        let scalar = self.via(v12, ext::scalar_block_layout::NAME);
        let four = self.via(v13, khr::maintenance4::NAME);
        let image = self.via(v13, ext::image_robustness::NAME);
        let robust = self.has(ext::robustness2::NAME);
        // Where the GPU has memory of its own, staging is faster than the host's own writes.
        let shares = matches!(
            self.properties.device_type,
            vk::PhysicalDeviceType::CPU | vk::PhysicalDeviceType::INTEGRATED_GPU
        );
        // Layers of old don't know the extension, and would take what the host copies for never written.
        let host = !validated && shares && self.version >= v13 && self.has(ext::host_image_copy::NAME);

        let mut has_rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default();
        let mut has_sync = vk::PhysicalDeviceSynchronization2Features::default();
        let mut has_timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default();
        let mut has_scalar = vk::PhysicalDeviceScalarBlockLayoutFeatures::default();
        let mut has_four = vk::PhysicalDeviceMaintenance4Features::default();
        let mut has_image = vk::PhysicalDeviceImageRobustnessFeatures::default();
        let mut has_robust = vk::PhysicalDeviceRobustness2FeaturesEXT::default();
        let mut has_host = vk::PhysicalDeviceHostImageCopyFeaturesEXT::default();
        let mut has_draw = vk::PhysicalDeviceShaderDrawParametersFeatures::default();
        let mut chain = vk::PhysicalDeviceFeatures2::default().push_next(&mut has_draw);
        if rendering.is_some() {
            chain = chain.push_next(&mut has_rendering);
        }
        if sync.is_some() {
            chain = chain.push_next(&mut has_sync);
        }
        if timeline.is_some() {
            chain = chain.push_next(&mut has_timeline);
        }
        if scalar.is_some() {
            chain = chain.push_next(&mut has_scalar);
        }
        if four.is_some() {
            chain = chain.push_next(&mut has_four);
        }
        if image.is_some() {
            chain = chain.push_next(&mut has_image);
        }
        if robust {
            chain = chain.push_next(&mut has_robust);
        }
        if host {
            chain = chain.push_next(&mut has_host);
        }
        // SAFETY: the structures are whole, and each is known to the device by version or extension.
        unsafe { instance.get_physical_device_features2(self.raw, &mut chain) };
        self.features = chain.features;

        let on = |via: Option<Via>, flag: vk::Bool32| via.filter(|_| flag != 0);
        self.dynamic_rendering = on(rendering, has_rendering.dynamic_rendering);
        self.synchronization2 = on(sync, has_sync.synchronization2);
        self.timeline = on(timeline, has_timeline.timeline_semaphore);
        self.scalar_layout = on(scalar, has_scalar.scalar_block_layout);
        self.maintenance4 = on(four, has_four.maintenance4);
        self.image_robustness = on(image, has_image.robust_image_access);
        self.format_list = self.via(v12, khr::image_format_list::NAME);
        self.draw_parameters = has_draw.shader_draw_parameters != 0;
        self.host_copy = has_host.host_image_copy != 0 && self.copies_to_sampled(instance);
        self.null_descriptor = has_robust.null_descriptor != 0;
        self.buffer_robustness2 = has_robust.robust_buffer_access2 != 0;

        if self.via(v12, khr::driver_properties::NAME).is_some() {
            let mut driver = vk::PhysicalDeviceDriverProperties::default();
            let mut chain = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
            // SAFETY: as above.
            unsafe { instance.get_physical_device_properties2(self.raw, &mut chain) };
            let name = driver.driver_name_as_c_str().map(CStr::to_string_lossy).unwrap_or_default();
            let info = driver.driver_info_as_c_str().map(CStr::to_string_lossy).unwrap_or_default();
            self.driver = format!("{name} {info}").trim().to_owned();
        }
    }

    /// Whether the host may copy into an image that is in the layout for sampling.
    fn copies_to_sampled(&self, instance: &ash::Instance) -> bool {
        let mut layouts = [vk::ImageLayout::UNDEFINED; 64];
        let mut host = vk::PhysicalDeviceHostImageCopyPropertiesEXT::default().copy_dst_layouts(&mut layouts);
        let mut chain = vk::PhysicalDeviceProperties2::default().push_next(&mut host);
        // SAFETY: the structures are whole, and the device has the extension.
        unsafe { instance.get_physical_device_properties2(self.raw, &mut chain) };
        layouts.contains(&vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL)
    }

    /// Extensions to enable: those that features come from, and what those ask for.
    pub(super) fn device_extensions(&self) -> Vec<&'static CStr> {
        let features = [
            self.dynamic_rendering,
            self.synchronization2,
            self.timeline,
            self.scalar_layout,
            self.maintenance4,
            self.image_robustness,
            self.format_list,
        ];
        let mut names: Vec<&'static CStr> = features
            .into_iter()
            .filter_map(|via| match via {
                Some(Via::Extension(name)) => Some(name),
                _ => None,
            })
            .collect();
        if self.version < vk::API_VERSION_1_2 && names.contains(&khr::dynamic_rendering::NAME) {
            names.push(khr::depth_stencil_resolve::NAME);
            names.push(khr::create_renderpass2::NAME);
        }
        if self.null_descriptor || self.buffer_robustness2 {
            names.push(ext::robustness2::NAME);
        }
        if self.host_copy {
            names.push(ext::host_image_copy::NAME);
        }
        names
    }

    /// Bytes of the largest device-local heap.
    fn device_memory(&self) -> u64 {
        let heaps = self.memory.memory_heaps_as_slice().iter();
        let local = heaps.filter(|heap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL));
        local.map(|heap| heap.size).max().unwrap_or(0)
    }

    fn limits(&self) -> Limits {
        let limits = &self.properties.limits;
        let ticks = self.timestamp_bits > 0;
        Limits {
            texture_2d: limits.max_image_dimension2_d.min(limits.max_framebuffer_width),
            texture_3d: limits.max_image_dimension3_d,
            texture_layers: limits.max_image_array_layers,
            bound_sets: limits.max_bound_descriptor_sets,
            push_constants: limits.max_push_constants_size,
            uniform_range: limits.max_uniform_buffer_range.into(),
            storage_range: limits.max_storage_buffer_range.into(),
            samplers: limits.max_sampler_allocation_count,
            anisotropy: if self.features.sampler_anisotropy != 0 {
                limits.max_sampler_anisotropy
            } else {
                1.0
            },
            group_invocations: limits.max_compute_work_group_invocations,
            group_size: limits.max_compute_work_group_size,
            groups: limits.max_compute_work_group_count,
            device_memory: self.device_memory(),
            timestamp_period: if ticks { limits.timestamp_period } else { 0.0 },
        }
    }

    fn granted(&self) -> Vec<String> {
        let text = |via: Via| match via {
            Via::Core => format!("core {}", version(self.version)),
            Via::Extension(name) => name.to_string_lossy().into_owned(),
        };
        let robust = Via::Extension(ext::robustness2::NAME);
        [
            ("dynamicRendering", self.dynamic_rendering),
            ("synchronization2", self.synchronization2),
            ("timelineSemaphore", self.timeline),
            ("scalarBlockLayout", self.scalar_layout),
            ("shaderDrawParameters", self.draw_parameters.then_some(Via::Core)),
            ("maintenance4", self.maintenance4),
            ("imageFormatList", self.format_list),
            ("robustImageAccess", self.image_robustness),
            ("hostImageCopy", self.host_copy.then_some(Via::Extension(ext::host_image_copy::NAME))),
            ("nullDescriptor", self.null_descriptor.then_some(robust)),
            ("robustBufferAccess2", self.buffer_robustness2.then_some(robust)),
        ]
        .into_iter()
        .filter_map(|(name, via)| Some(format!("{name}: {}", text(via?))))
        .collect()
    }

    pub(super) fn info(&self, id: AdapterId) -> AdapterInfo {
        let kind = match self.properties.device_type {
            vk::PhysicalDeviceType::DISCRETE_GPU => AdapterKind::Discrete,
            vk::PhysicalDeviceType::INTEGRATED_GPU => AdapterKind::Integrated,
            vk::PhysicalDeviceType::VIRTUAL_GPU => AdapterKind::Virtual,
            vk::PhysicalDeviceType::CPU => AdapterKind::Software,
            _ => AdapterKind::Other,
        };
        let name = self.properties.device_name_as_c_str().map(CStr::to_string_lossy).unwrap_or_default();
        let features = &self.features;
        AdapterInfo {
            id,
            name: name.into_owned(),
            vendor: self.properties.vendor_id,
            device: self.properties.device_id,
            kind,
            driver: self.driver.clone(),
            api_version: format!("Vulkan {}", version(self.properties.api_version)),
            limits: self.limits(),
            features: AdapterFeatures {
                anisotropy: features.sampler_anisotropy != 0,
                block_compression: features.texture_compression_bc != 0,
                null_descriptor: self.null_descriptor,
                exact_robustness: self.buffer_robustness2,
                storage_read_without_format: features.shader_storage_image_read_without_format != 0,
                storage_write_without_format: features.shader_storage_image_write_without_format != 0,
                granted: self.granted(),
            },
            profiles: Profile::ALL
                .map(|profile| {
                    let missing = self.missing(profile);
                    let supported = missing.is_empty();
                    let support =
                        if supported { ProfileSupport::Supported } else { ProfileSupport::Missing(missing) };
                    ProfileStatus { profile, support }
                })
                .to_vec(),
        }
    }

    /// What the device lacks for a profile, and what this version of the crate lacks.
    fn missing(&self, profile: Profile) -> Vec<String> {
        let mut missing = Vec::new();
        let lacks = |missing: &mut Vec<String>, has: bool, what: &str| {
            if !has {
                missing.push(what.to_owned());
            }
        };
        let extension = |missing: &mut Vec<String>, name: &CStr| {
            lacks(missing, self.has(name), &format!("extension {}", name.to_string_lossy()));
        };
        let later = |missing: &mut Vec<String>| missing.push("not implemented by this version".to_owned());
        match profile {
            Profile::PortableRaster => self.missing_raster(&mut missing),
            Profile::Compute => self.missing_compute(&mut missing),
            Profile::OrderedGraph => later(&mut missing),
            Profile::Bindless => {
                extension(&mut missing, ext::descriptor_buffer::NAME);
                later(&mut missing);
            }
            Profile::MeshShading => {
                extension(&mut missing, ext::mesh_shader::NAME);
                later(&mut missing);
            }
            Profile::RayQuery => {
                extension(&mut missing, khr::acceleration_structure::NAME);
                extension(&mut missing, khr::ray_query::NAME);
                later(&mut missing);
            }
            Profile::RayPipeline => {
                extension(&mut missing, khr::acceleration_structure::NAME);
                extension(&mut missing, khr::ray_tracing_pipeline::NAME);
                later(&mut missing);
            }
            Profile::GpuTiming => {
                lacks(&mut missing, self.timestamp_bits > 0, "timestamps on the graphics queue");
                later(&mut missing);
            }
            Profile::CalibratedTiming => {
                let has =
                    self.has(ext::calibrated_timestamps::NAME) || self.has(khr::calibrated_timestamps::NAME);
                lacks(&mut missing, has, "extension VK_KHR_calibrated_timestamps");
                later(&mut missing);
            }
            Profile::BlockCompression => {
                lacks(
                    &mut missing,
                    self.features.texture_compression_bc != 0,
                    "feature textureCompressionBC",
                );
                later(&mut missing);
            }
            Profile::Hdr10 => {
                extension(&mut missing, khr::swapchain::NAME);
                extension(&mut missing, ext::hdr_metadata::NAME);
                later(&mut missing);
            }
        }
        missing
    }

    fn missing_raster(&self, missing: &mut Vec<String>) {
        let mut need = |has: bool, what: &str| {
            if !has {
                missing.push(what.to_owned());
            }
        };
        need(self.version >= vk::API_VERSION_1_1, "Vulkan 1.1");
        need(self.family.is_some(), "a queue with graphics and compute");
        let features = [
            (self.dynamic_rendering, "dynamicRendering", "1.3", khr::dynamic_rendering::NAME),
            (self.synchronization2, "synchronization2", "1.3", khr::synchronization2::NAME),
            (self.timeline, "timelineSemaphore", "1.2", khr::timeline_semaphore::NAME),
            (self.scalar_layout, "scalarBlockLayout", "1.2", ext::scalar_block_layout::NAME),
            (self.format_list, "image format lists", "1.2", khr::image_format_list::NAME),
        ];
        for (via, feature, core, extension) in features {
            let extension = extension.to_string_lossy();
            need(via.is_some(), &format!("feature {feature} (Vulkan {core} or {extension})"));
        }
        need(self.draw_parameters, "feature shaderDrawParameters");
        need(self.features.robust_buffer_access != 0, "feature robustBufferAccess");
        need(self.features.independent_blend != 0, "feature independentBlend");
        need(self.features.image_cube_array != 0, "feature imageCubeArray");

        let limits = &self.properties.limits;
        let four = vk::SampleCountFlags::TYPE_4;
        need(
            limits.framebuffer_color_sample_counts.contains(four),
            "limit framebufferColorSampleCounts of 4",
        );
        need(
            limits.framebuffer_depth_sample_counts.contains(four),
            "limit framebufferDepthSampleCounts of 4",
        );
        let mut least = |name: &str, has: u64, least: u64| {
            need(has >= least, &format!("limit {name} of {least} (it is {has})"));
        };
        // Sets 0 to 3, and 4 for the dynamic uniforms.
        least("maxBoundDescriptorSets", limits.max_bound_descriptor_sets.into(), 5);
        least("maxPushConstantsSize", limits.max_push_constants_size.into(), 128);
        least("maxUniformBufferRange", limits.max_uniform_buffer_range.into(), 16_384);
        let dynamic = limits.max_descriptor_set_uniform_buffers_dynamic;
        least("maxDescriptorSetUniformBuffersDynamic", dynamic.into(), 4);
        least("maxColorAttachments", limits.max_color_attachments.into(), 4);
        least("maxImageDimension2D", limits.max_image_dimension2_d.into(), 4096);
        least("maxVertexInputBindings", limits.max_vertex_input_bindings.into(), 8);
        least("maxVertexInputAttributes", limits.max_vertex_input_attributes.into(), 16);
        let mut most = |name: &str, has: u64, most: u64| {
            need(has <= most, &format!("limit {name} of at most {most} (it is {has})"));
        };
        most("minUniformBufferOffsetAlignment", limits.min_uniform_buffer_offset_alignment, 256);
        most("minStorageBufferOffsetAlignment", limits.min_storage_buffer_offset_alignment, 256);
    }

    fn missing_compute(&self, missing: &mut Vec<String>) {
        let limits = &self.properties.limits;
        let mut least = |name: &str, has: u32, least: u32| {
            if has < least {
                missing.push(format!("limit {name} of {least} (it is {has})"));
            }
        };
        let size = limits.max_compute_work_group_size;
        least("maxComputeWorkGroupInvocations", limits.max_compute_work_group_invocations, 256);
        least("maxComputeWorkGroupSize[0]", size[0], 256);
        least("maxComputeWorkGroupSize[1]", size[1], 256);
        least("maxComputeWorkGroupSize[2]", size[2], 64);
        for (axis, &count) in limits.max_compute_work_group_count.iter().enumerate() {
            least(&format!("maxComputeWorkGroupCount[{axis}]"), count, 65_535);
        }
        if self.family.is_none() {
            missing.push("a queue with graphics and compute".to_owned());
        }
    }
}
