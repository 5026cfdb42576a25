//! What Pellucid's programs need of the operating system apart from graphics: files that are whole or not
//! there at all, the user's cache folder, and what the process has used. Windows and input come later.
//!
//! **Owns** the list of temporary files that are being written, so that an interrupted program can remove
//! them. **Called** from any thread; nothing here keeps a lock while it waits for a disk, but for the one
//! rename that puts a finished file in its place. **Never** draws, never knows a graphics type, never reads
//! an environment variable except those that say where the user's cache lies, and never deletes a file it
//! did not make.
#![forbid(unsafe_code)]

pub mod files;
pub mod interrupt;
pub mod process;
