//! pellucid.
