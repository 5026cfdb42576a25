//! Leaving nothing behind when the user presses Ctrl-C.
//!
//! A program calls [`install`] once. From then on SIGINT, SIGTERM and SIGHUP first remove the temporary
//! files that [`crate::files::write_atomic`] has not yet renamed, and then do what they always do: end the
//! process, with the status a shell expects of a signal. Where there are no such signals [`install`] does
//! nothing, and a file interrupted half-way stays under its temporary name; never under the final one.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Temporary files being written at this moment. At most one a thread that writes, so it needs no bound.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Keeps an interruption from running while it lives: what happens under it happens whole.
pub(crate) struct Pending(MutexGuard<'static, Vec<PathBuf>>);

impl Pending {
    /// Waits for the list. A poisoned one is still a list of paths, so it stays usable.
    pub(crate) fn lock() -> Self {
        Self(PENDING.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Says that this file is to be removed on interruption.
    pub(crate) fn add(&mut self, path: &Path) {
        self.0.push(path.to_owned());
    }

    /// Says that this file is none of ours any more.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.0.retain(|pending| pending != path);
    }

    /// Removes every file in the list; what can't be removed is left, there is nobody to tell.
    #[cfg(unix)]
    fn remove_all(&mut self) {
        for path in self.0.drain(..) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Starts the thread that waits for signals. Call it once, early, from a program and not from a library.
///
/// # Errors
/// When the operating system refuses a handler or a thread.
#[cfg(unix)]
pub fn install() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // Held until the process is gone, so that no rename slips in between.
            let mut pending = Pending::lock();
            pending.remove_all();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            signal_hook::low_level::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// Does nothing here: see the module.
///
/// # Errors
/// Never on this system.
#[cfg(not(unix))]
pub fn install() -> std::io::Result<()> {
    Ok(())
}
