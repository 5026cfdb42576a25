//! pellucid-rhi.
