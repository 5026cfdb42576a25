//! Device functions that may come by core or by extension: resolved under either name.
use crate::DeviceError;
use ash::vk;
use std::ffi::CStr;

/// Functions of Vulkan 1.2 and 1.3, whatever version the device reports.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    pub(super) begin_rendering: vk::PFN_vkCmdBeginRendering,
    pub(super) end_rendering: vk::PFN_vkCmdEndRendering,
    pub(super) pipeline_barrier2: vk::PFN_vkCmdPipelineBarrier2,
    pub(super) queue_submit2: vk::PFN_vkQueueSubmit2,
    pub(super) wait_semaphores: vk::PFN_vkWaitSemaphores,
    pub(super) semaphore_value: vk::PFN_vkGetSemaphoreCounterValue,
    /// Of `maintenance4`, where the device has it.
    pub(super) buffer_requirements: Option<vk::PFN_vkGetDeviceBufferMemoryRequirements>,
    pub(super) image_requirements: Option<vk::PFN_vkGetDeviceImageMemoryRequirements>,
}

/// The first of some names that the device knows.
fn find(
    instance: &ash::Instance,
    device: vk::Device,
    names: &[&CStr],
) -> Option<unsafe extern "system" fn()> {
    // SAFETY: the device was made by this instance, and the names are NUL-terminated.
    names.iter().find_map(|name| unsafe { instance.get_device_proc_addr(device, name.as_ptr()) })
}

macro_rules! resolve {
    ($instance:ident, $device:ident, $first:ident, $type:ty, $core:literal, $khr:literal) => {{
        let names = if $first { [$khr, $core] } else { [$core, $khr] };
        let found = find($instance, $device, &names);
        // SAFETY: the loader gives the function of that name, whose type this is by the specification; an
        // extension that was promoted unchanged has the same type under both names.
        found.map(|function| unsafe { std::mem::transmute::<unsafe extern "system" fn(), $type>(function) })
    }};
}

fn needed<T>(function: Option<T>, name: &CStr) -> Result<T, DeviceError> {
    function.ok_or_else(|| DeviceError::EntryPoint { name: name.to_string_lossy().into_owned() })
}

macro_rules! require {
    ($instance:ident, $device:ident, $first:ident, $type:ty, $core:literal, $khr:literal) => {
        needed(resolve!($instance, $device, $first, $type, $core, $khr), $core)?
    };
}

impl Functions {
    /// Resolves them; the extensions' names first where the device's version is too old for the core's.
    pub(super) fn load(
        instance: &ash::Instance,
        device: vk::Device,
        maintenance4: bool,
        extension_first: bool,
    ) -> Result<Self, DeviceError> {
        let buffer = resolve!(
            instance,
            device,
            extension_first,
            vk::PFN_vkGetDeviceBufferMemoryRequirements,
            c"vkGetDeviceBufferMemoryRequirements",
            c"vkGetDeviceBufferMemoryRequirementsKHR"
        );
        let image = resolve!(
            instance,
            device,
            extension_first,
            vk::PFN_vkGetDeviceImageMemoryRequirements,
            c"vkGetDeviceImageMemoryRequirements",
            c"vkGetDeviceImageMemoryRequirementsKHR"
        );
        Ok(Self {
            begin_rendering: require!(
                instance,
                device,
                extension_first,
                vk::PFN_vkCmdBeginRendering,
                c"vkCmdBeginRendering",
                c"vkCmdBeginRenderingKHR"
            ),
            end_rendering: require!(
                instance,
                device,
                extension_first,
                vk::PFN_vkCmdEndRendering,
                c"vkCmdEndRendering",
                c"vkCmdEndRenderingKHR"
            ),
            pipeline_barrier2: require!(
                instance,
                device,
                extension_first,
                vk::PFN_vkCmdPipelineBarrier2,
                c"vkCmdPipelineBarrier2",
                c"vkCmdPipelineBarrier2KHR"
            ),
            queue_submit2: require!(
                instance,
                device,
                extension_first,
                vk::PFN_vkQueueSubmit2,
                c"vkQueueSubmit2",
                c"vkQueueSubmit2KHR"
            ),
            wait_semaphores: require!(
                instance,
                device,
                extension_first,
                vk::PFN_vkWaitSemaphores,
                c"vkWaitSemaphores",
                c"vkWaitSemaphoresKHR"
            ),
            semaphore_value: require!(
                instance,
                device,
                extension_first,
                vk::PFN_vkGetSemaphoreCounterValue,
                c"vkGetSemaphoreCounterValue",
                c"vkGetSemaphoreCounterValueKHR"
            ),
            buffer_requirements: buffer.filter(|_| maintenance4),
            image_requirements: image.filter(|_| maintenance4),
        })
    }
}
