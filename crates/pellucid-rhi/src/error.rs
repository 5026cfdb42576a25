//! Every error of the crate: what was asked, and what the limit or state was.
use crate::handle::ObjectKind;
use crate::{DYNAMIC_UNIFORM_SET, Profile};
use std::time::Duration;
use thiserror::Error;

/// A handle whose object was destroyed, or that belongs to another device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the {kind} handle {index}v{generation} is stale: its object was destroyed or belongs to another device"
)]
pub struct StaleHandle {
    /// Type of the object.
    pub kind: ObjectKind,
    /// Slot.
    pub index: u32,
    /// Generation of the handle.
    pub generation: u32,
}

/// A native call that failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NativeError {
    /// The device or the host is out of memory.
    #[error("{call}: out of {} memory", if *host { "host" } else { "device" })]
    OutOfMemory {
        /// Native call.
        call: &'static str,
        /// Host memory rather than the device's.
        host: bool,
    },
    /// The device was removed, hung or crashed.
    #[error("{call}: the device was lost")]
    DeviceLost {
        /// Native call.
        call: &'static str,
    },
    /// Anything else.
    #[error("{call} failed: {reason}")]
    Failed {
        /// Native call.
        call: &'static str,
        /// The API's code or message.
        reason: String,
    },
}

/// No instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InstanceError {
    /// No Vulkan loader.
    #[error(
        "no Vulkan loader: {reason}; install libvulkan1 and a driver (mesa-vulkan-drivers draws without a GPU)"
    )]
    LoaderMissing {
        /// The system's message.
        reason: String,
    },
    /// The loader is too old.
    #[error("the Vulkan loader is version {found}, 1.3 or later is needed; install a newer libvulkan1")]
    LoaderTooOld {
        /// Version found.
        found: String,
    },
    /// Validation was asked for and isn't installed.
    #[error(
        "the validation layer {layer} is not installed; install vulkan-validationlayers or leave validation off"
    )]
    ValidationLayerMissing {
        /// The layer.
        layer: &'static str,
    },
    /// A native call failed.
    #[error(transparent)]
    Native(#[from] NativeError),
}

/// A required profile that an adapter can't serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetProfile {
    /// The profile.
    pub profile: Profile,
    /// What is missing: extensions, features, entry points, limits or queues.
    pub missing: Vec<String>,
}

fn unmet_text(unmet: &[UnmetProfile]) -> String {
    let each = unmet.iter().map(|u| format!("{:?} lacks {}", u.profile, u.missing.join(", ")));
    each.collect::<Vec<_>>().join("; ")
}

/// No device.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// No adapter of that id.
    #[error("there is no adapter {id}, the instance lists {count}")]
    NoSuchAdapter {
        /// Asked for.
        id: u32,
        /// Adapters listed.
        count: usize,
    },
    /// Required profiles are not served.
    #[error("{adapter} can't serve the required profiles: {}", unmet_text(.unmet))]
    Profiles {
        /// Adapter's name.
        adapter: String,
        /// Each profile and what it lacks.
        unmet: Vec<UnmetProfile>,
    },
    /// The driver lists a feature whose entry point it doesn't have.
    #[error("the driver has no entry point {name}")]
    EntryPoint {
        /// Core name.
        name: String,
    },
    /// A field of the description is out of range.
    #[error("{field} is {value}, it has to be {range}")]
    Invalid {
        /// Field of `DeviceDesc`.
        field: &'static str,
        /// Value given.
        value: u64,
        /// Values allowed.
        range: &'static str,
    },
    /// A native call failed.
    #[error(transparent)]
    Native(#[from] NativeError),
}

/// No adapter fits a request.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectError {
    /// The list is empty.
    #[error("no graphics adapter; install a driver (mesa-vulkan-drivers draws without a GPU)")]
    NoAdapters,
    /// None has that name.
    #[error("no adapter is called {name:?}; there is {}", available.join(", "))]
    NotFound {
        /// Asked for.
        name: String,
        /// Names listed.
        available: Vec<String>,
    },
    /// Only software adapters are left, and a window takes one only by opt-in.
    #[error("only the software adapter {name} is left for a window; allow software rendering to use it")]
    SoftwareWindow {
        /// Its name.
        name: String,
    },
    /// No candidate serves the profiles; the best candidate's reasons.
    #[error("{adapter} can't serve the required profiles: {}", unmet_text(.unmet))]
    Profiles {
        /// The best candidate.
        adapter: String,
        /// Each profile and what it lacks.
        unmet: Vec<UnmetProfile>,
    },
}

/// An object was not created; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResourceError {
    /// The description can't be met by any device.
    #[error("{kind} {name:?}: {reason}")]
    Invalid {
        /// What was asked for.
        kind: ObjectKind,
        /// Its name.
        name: String,
        /// Which field, its value and what it has to be.
        reason: String,
    },
    /// This device can't do it.
    #[error("{kind} {name:?} is not supported by this device: {reason}")]
    Unsupported {
        /// What was asked for.
        kind: ObjectKind,
        /// Its name.
        name: String,
        /// The capability or limit.
        reason: String,
    },
    /// A handle in the description is stale.
    #[error("{name:?}: {stale}")]
    Stale {
        /// Name of what was to be created.
        name: String,
        /// The handle.
        stale: StaleHandle,
    },
    /// The memory budget would be exceeded.
    #[error("{name:?} needs {requested} bytes, {used} of {limit} are in use ({pool})")]
    Budget {
        /// Name of what was to be created.
        name: String,
        /// Which budget.
        pool: &'static str,
        /// Bytes needed.
        requested: u64,
        /// Bytes in use.
        used: u64,
        /// Limit.
        limit: u64,
    },
    /// Too many objects of this kind.
    #[error("there are already {limit} objects of kind {kind}")]
    Capacity {
        /// The kind.
        kind: ObjectKind,
        /// Limit.
        limit: u32,
    },
    /// The device is lost; make a new one.
    #[error("the device was lost; make a new one")]
    DeviceLost,
    /// A native call failed.
    #[error("{name:?}: {source}")]
    Native {
        /// Name of what was to be created.
        name: String,
        /// The call.
        source: NativeError,
    },
}

/// A frame's ring did not take the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RingError {
    /// The ring is full.
    #[error(
        "the frame's {ring} ring is full: {requested} bytes asked for, {used} of {capacity} in use; enlarge it in DeviceDesc"
    )]
    Full {
        /// `uniform` or `vertex`.
        ring: &'static str,
        /// Bytes asked for.
        requested: u64,
        /// Bytes in use.
        used: u64,
        /// Capacity.
        capacity: u64,
    },
    /// A uniform slice holds 1 to 16 384 bytes, a vertex slice at least 1.
    #[error("a {ring} slice of {requested} bytes is not possible (1 to {limit})")]
    Size {
        /// `uniform` or `vertex`.
        ring: &'static str,
        /// Bytes asked for.
        requested: u64,
        /// Most bytes.
        limit: u64,
    },
    /// The alignment is no power of two up to 256.
    #[error("an alignment of {align} is not possible (a power of two up to 256)")]
    Align {
        /// Asked for.
        align: u64,
    },
}

/// A frame could not begin or be submitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// The device is lost; make a new one.
    #[error("the device was lost; make a new one")]
    DeviceLost,
    /// The GPU did not finish in time. The device is lost, its memory is kept until it does finish.
    #[error("the GPU did not finish within {limit:?}: the device is given up as lost")]
    Timeout {
        /// `DeviceDesc::fence_timeout`.
        limit: Duration,
    },
    /// Another frame is open.
    #[error("another frame is open: submit or drop it first")]
    FrameOpen,
    /// Too many command buffers or encoders.
    #[error("{what}: the limit is {limit}")]
    Limit {
        /// What there was too much of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A command buffer was recorded for another frame.
    #[error("command buffer {name:?} was recorded for another frame")]
    ForeignCommandBuffer {
        /// Name of its encoder.
        name: String,
    },
    /// The frame's rings or pools could not be made.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// The frame can't be shown or submitted, the device still works.
    #[error("rendering is unavailable: {0}")]
    RenderingUnavailable(NativeError),
}

/// What was recorded is not valid; the command buffer was not made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{encoder}{}{scope}, command {command}: {cause}", if scope.is_empty() { "" } else { " / " })]
pub struct RecordError {
    /// Name of the encoder.
    pub encoder: Box<str>,
    /// Scopes and pass, outermost first.
    pub scope: Box<str>,
    /// Draws, dispatches, copies and barriers recorded before it in this encoder.
    pub command: u32,
    /// What is wrong.
    pub cause: RecordCause,
}

/// Why a recording is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordCause {
    /// A stale handle.
    #[error(transparent)]
    Stale(#[from] StaleHandle),
    /// A draw or dispatch without a pipeline.
    #[error("no pipeline is set")]
    NoPipeline,
    /// The pipeline uses a set that was not set.
    #[error("the pipeline {pipeline:?} uses set {index}, none is set")]
    MissingSet {
        /// Pipeline's name.
        pipeline: String,
        /// Set.
        index: u32,
    },
    /// The set has another shape than the pipeline's layout.
    #[error("set {index} ({set:?}) does not have the shape that the pipeline {pipeline:?} declares")]
    SetShape {
        /// Pipeline's name.
        pipeline: String,
        /// Set's name.
        set: String,
        /// Set.
        index: u32,
    },
    /// The pipeline uses a dynamic uniform that was not set.
    #[error("the pipeline {pipeline:?} uses dynamic uniform {slot} (set {set}), none is set", set = DYNAMIC_UNIFORM_SET)]
    MissingUniform {
        /// Pipeline's name.
        pipeline: String,
        /// Slot.
        slot: u32,
    },
    /// A uniform slice of another frame.
    #[error("the uniform slice belongs to another frame")]
    ForeignSlice,
    /// Fewer bytes of push constants than the pipeline declares.
    #[error("the pipeline {pipeline:?} declares {needed} bytes of push constants, {given} were given")]
    PushConstants {
        /// Pipeline's name.
        pipeline: String,
        /// Declared.
        needed: u32,
        /// Given.
        given: u32,
    },
    /// The pipeline reads a vertex stream that was not set.
    #[error("the pipeline {pipeline:?} reads vertex stream {slot}, none is set")]
    MissingVertexBuffer {
        /// Pipeline's name.
        pipeline: String,
        /// Slot.
        slot: u32,
    },
    /// An indexed draw without indices.
    #[error("no index buffer is set")]
    MissingIndexBuffer,
    /// The object was created without the role.
    #[error("{name:?} was created without the role {role}")]
    Role {
        /// Object's name.
        name: String,
        /// Missing role.
        role: &'static str,
    },
    /// Outside of the object.
    #[error("{what} of {name:?}: {start} to {end} is outside of {limit}")]
    Range {
        /// What was addressed.
        what: &'static str,
        /// Object's name.
        name: String,
        /// First.
        start: u64,
        /// One past the last.
        end: u64,
        /// What there is.
        limit: u64,
    },
    /// A number out of its range.
    #[error("{what} is {value}, the limit is {limit}")]
    Limit {
        /// What.
        what: &'static str,
        /// Given.
        value: u64,
        /// Limit.
        limit: u64,
    },
    /// An offset, size or pitch that is not a multiple.
    #[error("{what} is {value}, which is not a multiple of {align}")]
    Align {
        /// What.
        what: &'static str,
        /// Given.
        value: u64,
        /// Multiple asked for.
        align: u64,
    },
    /// The pipeline's targets are not the pass's attachments.
    #[error("the pipeline {pipeline:?} does not fit the pass: {reason}")]
    Targets {
        /// Pipeline's name.
        pipeline: String,
        /// The difference.
        reason: String,
    },
    /// An attachment that can't be one.
    #[error("attachment {name:?}: {reason}")]
    Attachment {
        /// View's name.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// A barrier, copy or readback that can't be.
    #[error("{name:?}: {reason}")]
    Use {
        /// Object's name.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// A viewport with a number that is none, or no area.
    #[error("a viewport needs finite numbers and a positive size")]
    Viewport,
    /// Scopes were popped that were not pushed, or were left open.
    #[error("scopes are not balanced")]
    Scopes,
    /// A resource for the recording could not be made.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// A native call failed.
    #[error(transparent)]
    Native(#[from] NativeError),
}

/// A readback gave nothing; the output is untouched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// It was not recorded, or its commands were never submitted.
    #[error("the readback was never submitted")]
    NotSubmitted,
    /// The frame that recorded it is still open.
    #[error("the frame of the readback is not submitted yet")]
    FrameOpen,
    /// The output is too small or its pitch shorter than a row.
    #[error(
        "the output has {given} bytes at a pitch of {row_pitch}, {needed} at a pitch of at least {row_bytes} are needed"
    )]
    Output {
        /// Bytes of the output.
        given: u64,
        /// Pitch given.
        row_pitch: u32,
        /// Bytes needed at that pitch.
        needed: u64,
        /// Bytes of one row.
        row_bytes: u32,
    },
    /// The readback belongs to another device.
    #[error("the readback belongs to another device")]
    ForeignDevice,
    /// The device is lost; make a new one.
    #[error("the device was lost; make a new one")]
    DeviceLost,
    /// The GPU did not finish in time.
    #[error("the GPU did not finish within {limit:?}")]
    Timeout {
        /// The wait's limit.
        limit: Duration,
    },
    /// A native call failed.
    #[error(transparent)]
    Native(#[from] NativeError),
}
