//! golden.
