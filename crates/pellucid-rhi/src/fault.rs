//! Fallible native calls by name, and (with `fault-injection`) the plan that makes one of them fail.
//!
//! Both backends announce each such call through [`Faults::visit`]; nothing else may call the native API.
#[cfg(feature = "fault-injection")]
use crate::NativeError;
#[cfg(feature = "fault-injection")]
use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

/// A kind of native call that may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Each variant is the call of its name.
pub enum Site {
    AllocateMemory,
    BindMemory,
    CreateBuffer,
    CreateTexture,
    CreateView,
    CreateSampler,
    CreateLayout,
    CreateDescriptorPool,
    AllocateSet,
    CreateShader,
    CreatePipelineLayout,
    CreateRasterPipeline,
    CreateComputePipeline,
    CreatePipelineCache,
    CreateCommandPool,
    ResetCommandPool,
    AllocateCommands,
    BeginCommands,
    EndCommands,
    CreateTimeline,
    Submit,
    WaitTimeline,
    QueryTimeline,
    WaitIdle,
    HostCopy,
}

#[cfg(feature = "fault-injection")]
impl Site {
    /// Every site.
    pub const ALL: [Self; 25] = [
        Self::AllocateMemory,
        Self::BindMemory,
        Self::CreateBuffer,
        Self::CreateTexture,
        Self::CreateView,
        Self::CreateSampler,
        Self::CreateLayout,
        Self::CreateDescriptorPool,
        Self::AllocateSet,
        Self::CreateShader,
        Self::CreatePipelineLayout,
        Self::CreateRasterPipeline,
        Self::CreateComputePipeline,
        Self::CreatePipelineCache,
        Self::CreateCommandPool,
        Self::ResetCommandPool,
        Self::AllocateCommands,
        Self::BeginCommands,
        Self::EndCommands,
        Self::CreateTimeline,
        Self::Submit,
        Self::WaitTimeline,
        Self::QueryTimeline,
        Self::WaitIdle,
        Self::HostCopy,
    ];
}

/// Which visits of a site fail, and how.
#[cfg(feature = "fault-injection")]
#[derive(Clone, Debug)]
pub struct FaultPlan {
    /// The site.
    pub site: Site,
    /// Visits from now on that still succeed.
    pub skip: u64,
    /// Visits after them that fail.
    pub count: u64,
    /// What they fail with.
    pub error: NativeError,
}

/// Counts visits and fails the planned ones. Without the feature it is empty and costs nothing.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    #[cfg(feature = "fault-injection")]
    visits: [AtomicU64; Site::ALL.len()],
    #[cfg(feature = "fault-injection")]
    plan: Mutex<Option<FaultPlan>>,
}

#[cfg(feature = "fault-injection")]
impl Faults {
    pub(crate) fn visit(&self, site: Site) -> Result<(), NativeError> {
        self.visits[site as usize].fetch_add(1, Ordering::Relaxed);
        let mut plan = crate::slots::lock(&self.plan);
        let Some(plan) = plan.as_mut().filter(|plan| plan.site == site) else { return Ok(()) };
        if plan.skip > 0 {
            plan.skip -= 1;
            return Ok(());
        }
        if plan.count == 0 {
            return Ok(());
        }
        plan.count -= 1;
        Err(plan.error.clone())
    }

    pub(crate) fn set(&self, plan: Option<FaultPlan>) {
        *crate::slots::lock(&self.plan) = plan;
    }

    pub(crate) fn visits(&self, site: Site) -> u64 {
        self.visits[site as usize].load(Ordering::Relaxed)
    }
}

#[cfg(not(feature = "fault-injection"))]
impl Faults {
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the shape of the feature's own")]
    pub(crate) const fn visit(&self, _site: Site) -> Result<(), crate::NativeError> {
        Ok(())
    }
}
