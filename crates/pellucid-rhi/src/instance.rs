//! The instance: which backend, which adapters.
use crate::backend::{null, vulkan};
use crate::{AdapterId, AdapterInfo, Device, DeviceDesc, DeviceError, InstanceError, ValidationMessages};

/// Which native API.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BackendChoice {
    /// The platform's own choice: Vulkan in this version.
    #[default]
    Auto,
    /// Vulkan.
    Vulkan,
    /// No GPU at all: records and executes nothing, readbacks give zeros. For tests of a program's own logic
    /// and for timing it without a driver.
    Null,
}

/// How to make an instance.
#[derive(Clone, Copy, Debug, Default)]
pub struct InstanceDesc<'a> {
    /// The program's name, for drivers and captures.
    pub app_name: &'a str,
    /// Which native API.
    pub backend: BackendChoice,
    /// Whether to run under the native validation layer, with synchronization validation where it has that.
    pub validation: bool,
}

/// The entry to a native API: its adapters.
#[derive(Debug)]
pub struct Instance {
    native: Native,
    adapters: Vec<AdapterInfo>,
}

#[derive(Debug)]
enum Native {
    Vulkan(vulkan::Instance),
    Null,
}

impl Instance {
    /// Loads the native API and lists its adapters.
    ///
    /// # Errors
    /// There is no loader or it is too old, validation was asked for and isn't installed, or a native call
    /// failed.
    pub fn new(desc: &InstanceDesc<'_>) -> Result<Self, InstanceError> {
        Self::as_if(desc, (1, 3))
    }

    /// As [`Instance::new`], with Vulkan devices taken for this version at most, 1.1 to 1.3. What newer versions
    /// have in their core then comes by extension, as it does under a capture layer that lowers the version.
    ///
    /// # Errors
    /// As [`Instance::new`].
    pub fn as_if(desc: &InstanceDesc<'_>, version: (u32, u32)) -> Result<Self, InstanceError> {
        match desc.backend {
            BackendChoice::Auto | BackendChoice::Vulkan => {
                let native = vulkan::Instance::new(desc, version)?;
                let adapters = native.adapters()?;
                Ok(Self { native: Native::Vulkan(native), adapters })
            }
            BackendChoice::Null => Ok(Self { native: Native::Null, adapters: vec![null::adapter()] }),
        }
    }

    /// The adapters, in the driver's order. See [`crate::select_adapter`].
    #[must_use]
    pub fn adapters(&self) -> &[AdapterInfo] {
        &self.adapters
    }

    /// Creates a device of an adapter, for the profiles that the description requires.
    ///
    /// # Errors
    /// A typed refusal that names what is missing, a field out of range, or a native failure.
    pub fn create_device(&self, adapter: AdapterId, desc: &DeviceDesc<'_>) -> Result<Device, DeviceError> {
        let info = self.adapters.get(adapter.0 as usize);
        let info = info.ok_or(DeviceError::NoSuchAdapter { id: adapter.0, count: self.adapters.len() })?;
        Device::admit(info, desc)?;
        let backend = match &self.native {
            Native::Vulkan(native) => native.create_device(adapter, desc.name)?,
            Native::Null => crate::backend::Device::default(),
        };
        Device::new(backend, info.clone(), desc)
    }

    /// What the validation layer has reported so far. Empty without validation.
    #[must_use]
    pub fn validation_messages(&self) -> ValidationMessages {
        match &self.native {
            Native::Vulkan(native) => native.messages(),
            Native::Null => ValidationMessages::default(),
        }
    }
}
