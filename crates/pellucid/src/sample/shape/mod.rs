//! The shapes that furniture is made of.

mod block;
mod lathe;
mod patch;
mod tube;

pub use block::{Block, block, pillow};
pub use lathe::{lathe, spline};
pub use patch::{Patch, wall_with_opening};
pub use tube::{arc, rod, tube};
