//! pellucid-platform.
