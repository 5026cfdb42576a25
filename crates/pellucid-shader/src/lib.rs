//! pellucid-shader.
