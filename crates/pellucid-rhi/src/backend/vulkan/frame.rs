//! Command pools and submissions.
use super::device::Device;
use super::encoder::Encoder;
use super::native::Kind;
use crate::MAX_COMMAND_BUFFERS;
use crate::NativeError;
use crate::backend::Commands;
use crate::fault::Site;
use crate::name::Name;
use ash::vk;
use std::sync::Arc;

/// A pool and the command buffers that were taken from it: reset together, used again in order.
pub(crate) struct CommandPool {
    raw: vk::CommandPool,
    buffers: Vec<vk::CommandBuffer>,
    used: usize,
}

impl Device {
    pub(crate) fn create_pool(&self) -> Result<CommandPool, NativeError> {
        let info = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::TRANSIENT)
            .queue_family_index(self.family);
        let (site, kind) = (Site::CreateCommandPool, Kind::CommandPool);
        let raw = self.native.create(site, kind, "vkCreateCommandPool", |device| {
            // SAFETY: the structure is whole, and the family is the device's.
            unsafe { device.create_command_pool(&info, None) }
        })?;
        Ok(CommandPool { raw, buffers: Vec::new(), used: 0 })
    }

    pub(crate) fn destroy_pool(&self, pool: CommandPool) {
        // SAFETY: this device made it, and none of its commands is recorded or in flight.
        unsafe { self.native.device.destroy_command_pool(pool.raw, None) };
        self.native.gone(Kind::CommandPool);
    }

    pub(crate) fn reset_pool(&self, pool: &mut CommandPool) -> Result<(), NativeError> {
        if pool.used == 0 {
            return Ok(());
        }
        self.native.call(Site::ResetCommandPool, "vkResetCommandPool", |device| {
            // SAFETY: none of its commands is recorded or in flight.
            unsafe { device.reset_command_pool(pool.raw, vk::CommandPoolResetFlags::empty()) }
        })?;
        pool.used = 0;
        Ok(())
    }

    fn next_buffer(&self, pool: &mut CommandPool) -> Result<vk::CommandBuffer, NativeError> {
        if pool.used == pool.buffers.len() {
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(pool.raw)
                .level(vk::CommandBufferLevel::PRIMARY)
                .command_buffer_count(1);
            let made = self.native.call(Site::AllocateCommands, "vkAllocateCommandBuffers", |device| {
                // SAFETY: the pool is this device's and used by this thread alone.
                unsafe { device.allocate_command_buffers(&info) }
            })?;
            pool.buffers.extend(made);
        }
        let missing = || NativeError::Failed { call: "vkAllocateCommandBuffers", reason: "none".to_owned() };
        pool.buffers.get(pool.used).copied().ok_or_else(missing)
    }

    pub(crate) fn begin_encoder(&self, mut pool: CommandPool, name: &Name) -> Result<Encoder, NativeError> {
        let begun = self.next_buffer(&mut pool).and_then(|raw| {
            let info =
                vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            self.native.call(Site::BeginCommands, "vkBeginCommandBuffer", |device| {
                // SAFETY: the buffer is in its initial state: new, or its pool was reset.
                unsafe { device.begin_command_buffer(raw, &info) }
            })?;
            Ok(raw)
        });
        match begun {
            Ok(raw) => {
                pool.used += 1;
                self.set_name(raw, name);
                Ok(Encoder::new(Arc::clone(&self.native), self.debug.clone(), raw, pool))
            }
            Err(error) => {
                self.destroy_pool(pool);
                Err(error)
            }
        }
    }

    pub(crate) fn submit(&self, commands: &[Commands], serial: u64) -> Result<(), NativeError> {
        let mut buffers = [vk::CommandBuffer::null(); MAX_COMMAND_BUFFERS + 1];
        let mut count = 0;
        for command in commands {
            if let (Commands::Vulkan(raw), Some(place)) = (command, buffers.get_mut(count)) {
                *place = *raw;
                count += 1;
            }
        }
        self.queue_submit(&buffers[..count], serial)
    }
}
