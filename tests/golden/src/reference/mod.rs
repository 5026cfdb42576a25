//! What a renderer should show, computed slowly in `f64`: a BRDF summed over every texel of an
//! equirectangular environment.
//!
//! It shares no code with the renderer; for models, what a file holds comes from the importer.
pub mod brdf;
pub mod cast;
pub mod environment;
pub mod integral;
pub mod sphere;
