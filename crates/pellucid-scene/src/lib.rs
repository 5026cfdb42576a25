//! pellucid-scene.
