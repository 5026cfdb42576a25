//! Textures and views.
use super::conv;
use super::device::Device;
use super::native::{Kind, failure};
use crate::NativeError;
use crate::backend::{TextureParams, ViewParams};
use crate::desc::TextureRoles;
use crate::fault::Site;
use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

/// An image with its memory.
pub(crate) struct Texture {
    pub(super) raw: vk::Image,
    pub(super) aspect: vk::ImageAspectFlags,
    pub(super) texel_bytes: u32,
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

    pub(crate) fn texture_bytes(&self, params: &TextureParams) -> Result<u64, NativeError> {
        let plan = Plan::new(params);
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
        let raw = self.raw_image(&Plan::new(params), params)?;
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
        Ok(Texture { raw, aspect, texel_bytes: params.format.texel_bytes(), allocation })
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
