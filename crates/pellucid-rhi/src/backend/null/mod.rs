//! The backend without a GPU: everything succeeds at once, records and executes nothing, and readbacks give
//! zeros. What the facade checks can be tested on it, and a program's own time measured.
mod adapter;
mod device;

pub(crate) use adapter::adapter;
pub(crate) use device::{Device, texture_bytes};

macro_rules! nothing {
    ($($name:ident),*) => {
        $(
            /// Nothing behind it.
            #[derive(Clone)]
            pub(crate) struct $name;
        )*
    };
}

nothing!(
    Buffer,
    Texture,
    View,
    Sampler,
    Layout,
    Set,
    Shader,
    RasterPipeline,
    ComputePipeline,
    UniformSet,
    CommandPool
);
