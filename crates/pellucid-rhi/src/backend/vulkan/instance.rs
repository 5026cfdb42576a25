//! The loader, the instance, and the validation layer's messages.
use super::adapter::{self, Adapter};
use super::device::Device;
use super::native::failure;
use crate::messages::MessageLog;
use crate::name::Name;
use crate::{
    AdapterId, AdapterInfo, DeviceError, InstanceDesc, InstanceError, NativeError, ValidationMessages,
    backend,
};
use ash::{ext, vk};
use std::ffi::{CStr, c_void};
use std::fmt;
use std::sync::Arc;

const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";
const LAYER_NAME: &str = "VK_LAYER_KHRONOS_validation";

/// What devices keep alive.
pub(super) struct Shared {
    // The loader has to outlive everything that was made with it.
    _entry: ash::Entry,
    pub(super) raw: ash::Instance,
    /// Whether objects and passes can be named.
    pub(super) debug_utils: bool,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    log: Arc<MessageLog>,
}

/// A Vulkan instance.
pub(crate) struct Instance {
    shared: Arc<Shared>,
    adapters: Vec<Adapter>,
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vulkan::Instance({:?})", self.shared.raw.handle())
    }
}

/// Text of a version number.
pub(super) fn version(number: u32) -> String {
    let (major, minor) = (vk::api_version_major(number), vk::api_version_minor(number));
    format!("{major}.{minor}.{}", vk::api_version_patch(number))
}

unsafe extern "system" fn on_message(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    kinds: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the loader passes data that is good during the call.
    let Some(data) = (unsafe { data.as_ref() }) else { return vk::FALSE };
    // SAFETY: the pointer is that of the log, which the instance owns for longer than the messenger.
    let Some(log) = (unsafe { user.cast::<MessageLog>().as_ref() }) else { return vk::FALSE };
    // SAFETY: the text is null or NUL-terminated and good during the call.
    let text = unsafe { data.message_as_c_str() }.unwrap_or_default().to_string_lossy();
    let error = severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR);
    if !kinds.contains(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION) {
        tracing::debug!(target: "pellucid_rhi::driver", "{text}");
    } else if error {
        log.add(true, &text);
        tracing::error!(target: "pellucid_rhi::validation", "{text}");
    } else {
        log.add(false, &text);
        tracing::warn!(target: "pellucid_rhi::validation", "{text}");
    }
    vk::FALSE
}

fn messenger_info(log: &Arc<MessageLog>) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Kind};
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(Severity::WARNING | Severity::ERROR)
        .message_type(Kind::GENERAL | Kind::VALIDATION | Kind::PERFORMANCE)
        .pfn_user_callback(Some(on_message))
        .user_data(Arc::as_ptr(log).cast_mut().cast())
}

/// Whether the validation layer is there, and whether it takes `VK_EXT_validation_features`.
fn find_layer(entry: &ash::Entry) -> Result<bool, InstanceError> {
    // SAFETY: the loader is loaded.
    let layers = unsafe { entry.enumerate_instance_layer_properties() };
    let layers = layers.map_err(|code| failure("vkEnumerateInstanceLayerProperties", code))?;
    if !layers.iter().any(|layer| layer.layer_name_as_c_str() == Ok(LAYER)) {
        return Err(InstanceError::ValidationLayerMissing { layer: LAYER_NAME });
    }
    // SAFETY: as above; the name is NUL-terminated.
    let extensions = unsafe { entry.enumerate_instance_extension_properties(Some(LAYER)) };
    let extensions = extensions.map_err(|code| failure("vkEnumerateInstanceExtensionProperties", code))?;
    let features = ext::validation_features::NAME;
    Ok(extensions.iter().any(|extension| extension.extension_name_as_c_str() == Ok(features)))
}

impl Instance {
    pub(crate) fn new(desc: &InstanceDesc<'_>, most: (u32, u32)) -> Result<Self, InstanceError> {
        // SAFETY: loading the system's Vulkan loader runs its initialisers, which have no other condition.
        let entry = unsafe { ash::Entry::load() };
        let entry = entry.map_err(|error| InstanceError::LoaderMissing { reason: error.to_string() })?;
        // SAFETY: the loader is loaded.
        let found = unsafe { entry.try_enumerate_instance_version() };
        let found = found.map_err(|code| failure("vkEnumerateInstanceVersion", code))?;
        let found = found.unwrap_or(vk::API_VERSION_1_0);
        if found < vk::API_VERSION_1_3 {
            return Err(InstanceError::LoaderTooOld { found: version(found) });
        }
        let features = desc.validation && find_layer(&entry)?;

        let log = Arc::new(MessageLog::default());
        // The loader itself implements debug utils, so asking for it costs no enumeration of every driver's
        // extensions. A loader that doesn't is asked again without.
        let (raw, debug_utils) = match create(&entry, desc, &log, true, features) {
            Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT) if !desc.validation => {
                (create(&entry, desc, &log, false, false), false)
            }
            made => (made, true),
        };
        let raw = raw.map_err(|code| failure("vkCreateInstance", code))?;
        let mut shared = Shared { _entry: entry, raw, debug_utils, messenger: None, log };
        if desc.validation {
            let functions = ext::debug_utils::Instance::new(&shared._entry, &shared.raw);
            // SAFETY: the extension is enabled, and the log outlives the messenger (`Shared::drop`).
            let made = unsafe { functions.create_debug_utils_messenger(&messenger_info(&shared.log), None) };
            let messenger = made.map_err(|code| failure("vkCreateDebugUtilsMessengerEXT", code))?;
            shared.messenger = Some((functions, messenger));
        }
        let adapters =
            adapter::list(&shared.raw, desc.validation, vk::make_api_version(0, most.0, most.1, 0))?;
        Ok(Self { shared: Arc::new(shared), adapters })
    }

    pub(crate) fn adapters(&self) -> Result<Vec<AdapterInfo>, NativeError> {
        let describe = |(index, adapter): (usize, &Adapter)| adapter.info(AdapterId(index as u32));
        Ok(self.adapters.iter().enumerate().map(describe).collect())
    }

    pub(crate) fn create_device(&self, id: AdapterId, name: &str) -> Result<backend::Device, DeviceError> {
        let adapter = self.adapters.get(id.0 as usize);
        let missing = DeviceError::NoSuchAdapter { id: id.0, count: self.adapters.len() };
        let adapter = adapter.ok_or(missing)?;
        let device = Device::new(Arc::clone(&self.shared), adapter, &Name::new(name))?;
        Ok(backend::Device::Vulkan(Box::new(device)))
    }

    pub(crate) fn messages(&self) -> ValidationMessages {
        self.shared.log.read()
    }
}

fn create(
    entry: &ash::Entry,
    desc: &InstanceDesc<'_>,
    log: &Arc<MessageLog>,
    debug_utils: bool,
    features: bool,
) -> Result<ash::Instance, vk::Result> {
    let name = Name::new(desc.app_name);
    let application = vk::ApplicationInfo::default()
        .application_name(name.as_c_str())
        .engine_name(c"Pellucid")
        .api_version(vk::API_VERSION_1_3);
    let extensions = [ext::debug_utils::NAME.as_ptr(), ext::validation_features::NAME.as_ptr()];
    let count = usize::from(debug_utils) + usize::from(debug_utils && features);
    let layers = [LAYER.as_ptr()];
    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_extension_names(&extensions[..count])
        .enabled_layer_names(&layers[..usize::from(desc.validation)]);
    let enabled = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    let mut validation = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enabled);
    let mut messenger = messenger_info(log);
    if desc.validation {
        info = info.push_next(&mut messenger);
    }
    if features {
        info = info.push_next(&mut validation);
    }
    // SAFETY: the structures are whole and live through the call; the names are NUL-terminated.
    unsafe { entry.create_instance(&info, None) }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some((functions, messenger)) = self.messenger.take() {
            // SAFETY: made by this instance, and nothing of it is in use any more.
            unsafe { functions.destroy_debug_utils_messenger(messenger, None) };
        }
        // SAFETY: devices hold this structure, so none is left.
        unsafe { self.raw.destroy_instance(None) };
    }
}
