//! Buffers and their memory.
use super::conv;
use super::device::Device;
use super::native::Kind;
use crate::NativeError;
use crate::backend::{BufferParams, MemoryKind};
use crate::fault::Site;
use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

/// A buffer with its memory.
pub(crate) struct Buffer {
    pub(super) raw: vk::Buffer,
    allocation: Allocation,
}

fn create_info(params: &BufferParams) -> vk::BufferCreateInfo<'static> {
    let mut usage = conv::buffer_usage(params.roles);
    if params.memory == MemoryKind::Device {
        // Initial bytes need no role.
        usage |= vk::BufferUsageFlags::TRANSFER_DST;
    }
    vk::BufferCreateInfo::default().size(params.size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE)
}

impl Device {
    fn raw_buffer(&self, info: &vk::BufferCreateInfo<'_>) -> Result<vk::Buffer, NativeError> {
        self.native.create(Site::CreateBuffer, Kind::Buffer, "vkCreateBuffer", |device| {
            // SAFETY: the structure is whole, its size at least 1, its usage not empty.
            unsafe { device.create_buffer(info, None) }
        })
    }

    fn drop_raw_buffer(&self, raw: vk::Buffer) {
        // SAFETY: this device made it, and neither host nor GPU uses it any more.
        unsafe { self.native.device.destroy_buffer(raw, None) };
        self.native.gone(Kind::Buffer);
    }

    fn buffer_requirements(&self, raw: vk::Buffer) -> vk::MemoryRequirements {
        // SAFETY: the buffer is this device's.
        unsafe { self.native.device.get_buffer_memory_requirements(raw) }
    }

    pub(crate) fn buffer_bytes(&self, params: &BufferParams) -> Result<u64, NativeError> {
        let info = create_info(params);
        let Some(query) = self.native.functions.buffer_requirements else {
            let raw = self.raw_buffer(&info)?;
            let size = self.buffer_requirements(raw).size;
            self.drop_raw_buffer(raw);
            return Ok(size);
        };
        let asked = vk::DeviceBufferMemoryRequirements::default().create_info(&info);
        let mut answer = vk::MemoryRequirements2::default();
        // SAFETY: the structures are whole; `maintenance4` is enabled where the function is there.
        unsafe { query(self.native.device.handle(), &asked, &mut answer) };
        Ok(answer.memory_requirements.size)
    }

    pub(crate) fn create_buffer(&self, params: &BufferParams) -> Result<Buffer, NativeError> {
        let raw = self.raw_buffer(&create_info(params))?;
        let desc = AllocationCreateDesc {
            name: params.name.as_str(),
            requirements: self.buffer_requirements(raw),
            location: match params.memory {
                MemoryKind::Device => MemoryLocation::GpuOnly,
                MemoryKind::Upload => MemoryLocation::CpuToGpu,
                MemoryKind::Readback => MemoryLocation::GpuToCpu,
            },
            linear: true,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        };
        let allocation = self.allocate(&desc).inspect_err(|_| self.drop_raw_buffer(raw))?;
        // SAFETY: the memory was allocated for this buffer's requirements and holds nothing else there.
        let memory = unsafe { allocation.memory() };
        let bound = self.native.call(Site::BindMemory, "vkBindBufferMemory", |device| {
            // SAFETY: as above; the buffer is not bound yet.
            unsafe { device.bind_buffer_memory(raw, memory, allocation.offset()) }
        });
        if let Err(error) = bound {
            self.drop_raw_buffer(raw);
            self.free(allocation);
            return Err(error);
        }
        self.set_name(raw, &params.name);
        Ok(Buffer { raw, allocation })
    }

    pub(crate) fn destroy_buffer(&self, buffer: Buffer) {
        self.drop_raw_buffer(buffer.raw);
        self.free(buffer.allocation);
    }

    /// Writes mapped, coherent memory; false when it is not that.
    pub(crate) fn write_buffer(&self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> bool {
        let coherent = vk::MemoryPropertyFlags::HOST_COHERENT;
        let Some(mapped) = buffer.allocation.mapped_ptr() else { return false };
        if !buffer.allocation.memory_properties().contains(coherent) {
            return false;
        }
        debug_assert!(offset + bytes.len() as u64 <= buffer.allocation.size());
        // SAFETY: the facade keeps the range inside of the buffer and apart from every other write and from
        // what the GPU reads.
        unsafe {
            let target = mapped.cast::<u8>().add(offset as usize);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), target.as_ptr(), bytes.len());
        }
        true
    }

    pub(crate) fn read_buffer(&self, buffer: &Buffer, offset: u64, out: &mut [u8]) {
        let Some(mapped) = buffer.allocation.mapped_ptr() else { return };
        debug_assert!(offset + out.len() as u64 <= buffer.allocation.size());
        // SAFETY: the facade keeps the range inside of the buffer and calls after the GPU's write has finished
        // and was made visible to the host (`readback_barrier`); the memory is coherent.
        unsafe {
            let source = mapped.cast::<u8>().add(offset as usize);
            std::ptr::copy_nonoverlapping(source.as_ptr(), out.as_mut_ptr(), out.len());
        }
    }
}
