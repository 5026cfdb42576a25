//! What the checks of host structs ask of Rust types.
use crate::Scalar;

/// A Rust type that holds shader numbers of one type and nothing else: numbers, arrays of them, and, with the
/// feature `glam`, vectors and matrices. The generated checks of `[[host_struct]]` need it of every field but
/// structs.
#[diagnostic::on_unimplemented(
    message = "the shader build doesn't know which numbers `{Self}` holds",
    note = "use numbers, arrays of them or glam's types (feature `glam` of pellucid-shader), or implement `HostNumbers`"
)]
pub trait HostNumbers {
    /// The type of its numbers.
    const SCALAR: Scalar;
}

impl<T: HostNumbers, const N: usize> HostNumbers for [T; N] {
    const SCALAR: Scalar = T::SCALAR;
}

/// Says of each type which numbers it holds.
macro_rules! holds {
    ($($scalar:ident: $($ty:ty),+;)+) => {
        $($(impl HostNumbers for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
        })+)+
    };
}

holds! {
    I8: i8;
    U8: u8;
    I16: i16;
    U16: u16;
    I32: i32;
    U32: u32;
    I64: i64;
    U64: u64;
    F32: f32;
    F64: f64;
}

#[cfg(feature = "glam")]
holds! {
    I32: glam::IVec2, glam::IVec3, glam::IVec4;
    U32: glam::UVec2, glam::UVec3, glam::UVec4;
    F32: glam::Vec2, glam::Vec3, glam::Vec3A, glam::Vec4, glam::Quat, glam::Mat2, glam::Mat3, glam::Mat3A, glam::Mat4;
}
