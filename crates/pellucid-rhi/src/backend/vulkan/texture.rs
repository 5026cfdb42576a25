//! Textures and views.
use super::conv;
use super::device::Device;
use super::native::{Kind, failure};
use crate::NativeError;
use crate::backend::{TextureParams, ViewParams};
use crate::desc::{TextureData, TextureRange, TextureRoles};
use crate::fault::Site;
use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

/// An image with its memory.
pub(crate) struct Texture {
    pub(super) raw: vk::Image,
    pub(super) aspect: vk::ImageAspectFlags,
    pub(super) texel_bytes: u32,
    /// Whether the host may copy into it.
    host: bool,
    allocation: Allocation,
}

/// An image view.
pub(crate) struct View {
    pub(super) raw: vk::ImageView,
}

/// An image's creation, and the formats of its views.
struct Plan {
    flags: vk::ImageCreateFlags,
    usage: vk::ImageUsageFlags,
    formats: [vk::Format; 2],
    count: usize,
}

impl Plan {
    fn new(params: &TextureParams) -> Self {
        let mut flags = vk::ImageCreateFlags::empty();
        if params.cube {
            flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
        }
        let own = conv::format(params.format);
        let other = params.view_format.filter(|&other| other != params.format);
        if other.is_some() {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT | vk::ImageCreateFlags::EXTENDED_USAGE;
        }
        let mut usage = conv::image_usage(params.roles);
        if params.samples == 1 {
            // Initial bytes need no role.
            usage |= vk::ImageUsageFlags::TRANSFER_DST;
        }
        let formats = [own, other.map_or(own, conv::format)];
        Self { flags, usage, formats, count: 1 + usize::from(other.is_some()) }
    }

    /// The same, written by the host at first.
    fn by_host(mut self) -> Self {
        self.usage |= vk::ImageUsageFlags::HOST_TRANSFER_EXT;
        self
    }

    fn is_by_host(&self) -> bool {
        self.usage.contains(vk::ImageUsageFlags::HOST_TRANSFER_EXT)
    }

    /// Calls with the creation's structure. A format list lets the driver keep its compression.
    fn with<T>(&self, params: &TextureParams, run: impl FnOnce(&vk::ImageCreateInfo<'_>) -> T) -> T {
        let [width, height, depth] = params.extent;
        let kind = if params.volume { vk::ImageType::TYPE_3D } else { vk::ImageType::TYPE_2D };
        let mut list = vk::ImageFormatListCreateInfo::default().view_formats(&self.formats[..self.count]);
        let mut info = vk::ImageCreateInfo::default()
            .flags(self.flags)
            .image_type(kind)
            .format(self.formats[0])
            .extent(vk::Extent3D { width, height, depth })
            .mip_levels(params.mips)
            .array_layers(params.layers)
            .samples(conv::samples(params.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(self.usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        if self.count > 1 {
            info = info.push_next(&mut list);
        }
        run(&info)
    }
}

impl Device {
    /// How to make a texture, with copies from the host where they are wanted and the format allows them.
    fn plan(&self, params: &TextureParams) -> Plan {
        if params.host_writes && self.host_copy.is_some() {
            let plan = Plan::new(params).by_host();
            if self.check_image(&plan, params).is_ok() && self.samples_as_well(&plan, params) {
                return plan;
            }
        }
        Plan::new(params)
    }

    fn raw_image(&self, plan: &Plan, params: &TextureParams) -> Result<vk::Image, NativeError> {
        self.native.create(Site::CreateTexture, Kind::Image, "vkCreateImage", |device| {
            // SAFETY: the structure is whole, and the device has said that it can make such an image.
            plan.with(params, |info| unsafe { device.create_image(info, None) })
        })
    }

    fn drop_raw_image(&self, raw: vk::Image) {
        // SAFETY: this device made it, and neither host nor GPU uses it any more.
        unsafe { self.native.device.destroy_image(raw, None) };
        self.native.gone(Kind::Image);
    }

    fn image_requirements(&self, raw: vk::Image) -> vk::MemoryRequirements {
        // SAFETY: the image is this device's.
        unsafe { self.native.device.get_image_memory_requirements(raw) }
    }

    /// Whether the driver can make an image of this shape and use.
    fn check_image(&self, plan: &Plan, params: &TextureParams) -> Result<(), NativeError> {
        let kind = if params.volume { vk::ImageType::TYPE_3D } else { vk::ImageType::TYPE_2D };
        let tiling = vk::ImageTiling::OPTIMAL;
        // SAFETY: the physical device is the instance's.
        let limits = unsafe {
            self.instance.raw.get_physical_device_image_format_properties(
                self.adapter.raw,
                plan.formats[0],
                kind,
                tiling,
                plan.usage,
                plan.flags,
            )
        };
        let call = "vkGetPhysicalDeviceImageFormatProperties";
        let limits = limits.map_err(|code| failure(call, code))?;
        let [width, height, depth] = params.extent;
        let most = limits.max_extent;
        let fits = width <= most.width
            && height <= most.height
            && depth <= most.depth
            && params.mips <= limits.max_mip_levels
            && params.layers <= limits.max_array_layers
            && limits.sample_counts.contains(conv::samples(params.samples));
        if fits {
            return Ok(());
        }
        let reason = format!(
            "at most {}x{}x{} with {} mips, {} layers and samples {:?} for this format and use",
            most.width,
            most.height,
            most.depth,
            limits.max_mip_levels,
            limits.max_array_layers,
            limits.sample_counts
        );
        Err(NativeError::Failed { call, reason })
    }

    /// Whether an image that the host may copy into is sampled as fast as one that it may not.
    fn samples_as_well(&self, plan: &Plan, params: &TextureParams) -> bool {
        let kind = if params.volume { vk::ImageType::TYPE_3D } else { vk::ImageType::TYPE_2D };
        let info = vk::PhysicalDeviceImageFormatInfo2::default()
            .format(plan.formats[0])
            .ty(kind)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(plan.usage)
            .flags(plan.flags);
        let mut speed = vk::HostImageCopyDevicePerformanceQueryEXT::default();
        let mut answer = vk::ImageFormatProperties2::default().push_next(&mut speed);
        // SAFETY: the structures are whole, and the device has the extension.
        let known = unsafe {
            let instance = &self.instance.raw;
            instance.get_physical_device_image_format_properties2(self.adapter.raw, &info, &mut answer)
        };
        known.is_ok() && speed.optimal_device_access != 0
    }

    pub(crate) fn texture_bytes(&self, params: &TextureParams) -> Result<u64, NativeError> {
        let plan = self.plan(params);
        self.check_image(&plan, params)?;
        let Some(query) = self.native.functions.image_requirements else {
            let raw = self.raw_image(&plan, params)?;
            let size = self.image_requirements(raw).size;
            self.drop_raw_image(raw);
            return Ok(size);
        };
        Ok(plan.with(params, |info| {
            let asked = vk::DeviceImageMemoryRequirements::default().create_info(info);
            let mut answer = vk::MemoryRequirements2::default();
            // SAFETY: the structures are whole; `maintenance4` is enabled where the function is there.
            unsafe { query(self.native.device.handle(), &asked, &mut answer) };
            answer.memory_requirements.size
        }))
    }

    pub(crate) fn create_texture(&self, params: &TextureParams) -> Result<Texture, NativeError> {
        let plan = self.plan(params);
        let raw = self.raw_image(&plan, params)?;
        let desc = AllocationCreateDesc {
            name: params.name.as_str(),
            requirements: self.image_requirements(raw),
            location: MemoryLocation::GpuOnly,
            linear: false,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        };
        let allocation = self.allocate(&desc).inspect_err(|_| self.drop_raw_image(raw))?;
        // SAFETY: the memory was allocated for this image's requirements and holds nothing else there.
        let memory = unsafe { allocation.memory() };
        let bound = self.native.call(Site::BindMemory, "vkBindImageMemory", |device| {
            // SAFETY: as above; the image is not bound yet.
            unsafe { device.bind_image_memory(raw, memory, allocation.offset()) }
        });
        if let Err(error) = bound {
            self.drop_raw_image(raw);
            self.free(allocation);
            return Err(error);
        }
        self.set_name(raw, &params.name);
        let aspect = conv::aspect(params.format);
        let (texel_bytes, host) = (params.format.texel_bytes(), plan.is_by_host());
        Ok(Texture { raw, aspect, texel_bytes, host, allocation })
    }

    /// Copies from the caller's memory straight into the image.
    pub(crate) fn write_new_texture(
        &self,
        texture: &Texture,
        params: &TextureParams,
        data: &[TextureData<'_>],
    ) -> Result<bool, NativeError> {
        let whole = |part: &TextureData<'_>| part.row_pitch.is_multiple_of(texture.texel_bytes);
        let Some(host_copy) = self.host_copy.as_ref().filter(|_| texture.host && data.iter().all(whole))
        else {
            return Ok(false);
        };
        let layout = vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL;
        let range = TextureRange { base_mip: 0, mips: params.mips, base_layer: 0, layers: params.layers };
        let transition = vk::HostImageLayoutTransitionInfoEXT::default()
            .image(texture.raw)
            .old_layout(vk::ImageLayout::UNDEFINED)
            .new_layout(layout)
            .subresource_range(conv::range(range, texture.aspect));
        self.native.call(Site::HostCopy, "vkTransitionImageLayoutEXT", |_| {
            // SAFETY: the image is new, so nobody uses it; the device takes copies in that layout.
            unsafe { host_copy.transition_image_layout(&[transition]) }
        })?;
        let region = |part: &TextureData<'_>| {
            let [width, height, depth] = params.extent.map(|edge| (edge >> part.mip).max(1));
            vk::MemoryToImageCopyEXT::default()
                .host_pointer(part.bytes.as_ptr().cast())
                .memory_row_length(part.row_pitch / texture.texel_bytes)
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: texture.aspect,
                    mip_level: part.mip,
                    base_array_layer: part.layer,
                    layer_count: 1,
                })
                .image_extent(vk::Extent3D { width, height, depth })
        };
        let regions: Vec<_> = data.iter().map(region).collect();
        let info = vk::CopyMemoryToImageInfoEXT::default()
            .dst_image(texture.raw)
            .dst_image_layout(layout)
            .regions(&regions);
        self.native.call(Site::HostCopy, "vkCopyMemoryToImageEXT", |_| {
            // SAFETY: the image is new and in that layout; the facade has checked that the bytes reach as far
            // as pitch and extent say.
            unsafe { host_copy.copy_memory_to_image(&info) }
        })?;
        Ok(true)
    }

    pub(crate) fn destroy_texture(&self, texture: Texture) {
        self.drop_raw_image(texture.raw);
        self.free(texture.allocation);
    }

    pub(crate) fn create_view(&self, texture: &Texture, params: &ViewParams) -> Result<View, NativeError> {
        // Only what the view's own format can do: an sRGB view of an image with storage use is not storage.
        let mut roles = params.roles;
        if roles.is_empty() {
            roles = TextureRoles::SAMPLED;
        }
        let mut usage = vk::ImageViewUsageCreateInfo::default().usage(conv::image_usage(roles));
        let info = vk::ImageViewCreateInfo::default()
            .image(texture.raw)
            .view_type(conv::view_kind(params.kind))
            .format(conv::format(params.format))
            .subresource_range(conv::range(params.range, texture.aspect))
            .push_next(&mut usage);
        let raw = self.native.create(Site::CreateView, Kind::View, "vkCreateImageView", |device| {
            // SAFETY: the structure is whole; the facade has checked format, kind and range.
            unsafe { device.create_image_view(&info, None) }
        })?;
        self.set_name(raw, &params.name);
        Ok(View { raw })
    }

    pub(crate) fn destroy_view(&self, view: View) {
        // SAFETY: this device made it, and neither host nor GPU uses it any more.
        unsafe { self.native.device.destroy_image_view(view.raw, None) };
        self.native.gone(Kind::View);
    }
}
