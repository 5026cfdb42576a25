//! Typed, generation-checked handles, and their RAII form.
use crate::{Device, StaleHandle};
use std::fmt;
use std::num::NonZeroU32;
use std::ops::Deref;

/// Slot, generation and device. Live generations are odd, so zero is free for `Option`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RawHandle {
    pub(crate) index: u32,
    pub(crate) generation: NonZeroU32,
    pub(crate) device: u32,
}

impl fmt::Debug for RawHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}@{}", self.index, self.generation, self.device)
    }
}

mod sealed {
    pub trait Sealed {}
}

/// Any of the handles of this crate.
pub trait Handle: Copy + Into<AnyHandle> + sealed::Sealed {}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident, $text:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// `Copy`; after [`Device::destroy`] every use of it is refused as stale.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub(crate) RawHandle);

            impl From<$name> for AnyHandle {
                fn from(handle: $name) -> Self {
                    Self::$name(handle)
                }
            }

            impl sealed::Sealed for $name {}
            impl Handle for $name {}
        )*

        /// A handle of any type, as [`Device::destroy`] takes it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // Each variant is the handle of its name.
        pub enum AnyHandle {
            $($name($name),)*
        }

        /// The types of objects.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // Each variant is the object of its name.
        pub enum ObjectKind {
            $($name,)*
        }

        impl fmt::Display for ObjectKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$name => $text,)*
                })
            }
        }

        impl AnyHandle {
            /// The type of object that it stands for.
            #[must_use]
            pub const fn kind(self) -> ObjectKind {
                match self {
                    $(Self::$name(_) => ObjectKind::$name,)*
                }
            }

            pub(crate) const fn raw(self) -> RawHandle {
                match self {
                    $(Self::$name(handle) => handle.0,)*
                }
            }
        }
    };
}

handles! {
    /// A buffer.
    Buffer, "buffer";
    /// A texture.
    Texture, "texture";
    /// A view of a texture.
    TextureView, "texture view";
    /// A sampler.
    Sampler, "sampler";
    /// The shape of a binding set.
    BindingLayout, "binding layout";
    /// An immutable set of bound resources.
    BindingSet, "binding set";
    /// A compiled shader.
    Shader, "shader";
    /// A raster pipeline.
    RasterPipeline, "raster pipeline";
    /// A compute pipeline.
    ComputePipeline, "compute pipeline";
}

impl AnyHandle {
    pub(crate) const fn stale(self) -> StaleHandle {
        let raw = self.raw();
        StaleHandle { kind: self.kind(), index: raw.index, generation: raw.generation.get() }
    }
}

/// Destroys its object when dropped. It dereferences to the handle.
#[derive(Debug)]
pub struct Owned<T: Handle> {
    /// `None` once released.
    device: Option<Device>,
    handle: T,
}

impl<T: Handle> Owned<T> {
    /// Takes charge of an object.
    #[must_use]
    pub fn new(device: &Device, handle: T) -> Self {
        Self { device: Some(device.clone()), handle }
    }

    /// The handle, still owned here.
    #[must_use]
    pub fn get(&self) -> T {
        self.handle
    }

    /// Gives the handle away without destroying its object.
    #[must_use]
    pub fn release(mut self) -> T {
        self.device = None;
        self.handle
    }
}

impl<T: Handle> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.handle
    }
}

impl<T: Handle> Drop for Owned<T> {
    fn drop(&mut self) {
        if let Some(device) = &self.device {
            // Stale here means that the user destroyed it by its handle: nothing is left to do.
            let _ = device.destroy(self.handle);
        }
    }
}
