//! What the sample room promises: a valid file, sound geometry, motion, and nothing for the importer to warn of.

mod document;
mod file;
mod geometry;
mod import;
mod light;

use std::sync::OnceLock;

/// The room, made once for all tests.
fn room() -> &'static [u8] {
    static ROOM: OnceLock<Vec<u8>> = OnceLock::new();
    ROOM.get_or_init(super::room)
}
