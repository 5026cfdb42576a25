//! pellucid-render.
