//! Devices that were given up while the GPU may still run: their memory is kept until it has finished.
use super::Natives;
use crate::slots::lock;
use std::sync::Mutex;

static PARKED: Mutex<Vec<(Natives, u64)>> = Mutex::new(Vec::new());

/// Keeps a hung device until its timeline reaches `serial`.
pub(crate) fn park(natives: Natives, serial: u64) {
    tracing::error!("a device that did not finish in time is kept with its memory until it does");
    lock(&PARKED).push((natives, serial));
}

/// Tears down the parked devices that have finished (or are gone).
pub(crate) fn reap() {
    let mut parked = lock(&PARKED);
    let mut waiting = Vec::new();
    for (natives, serial) in parked.drain(..) {
        if natives.backend.completed().is_ok_and(|completed| completed < serial) {
            waiting.push((natives, serial));
        } else {
            natives.tear_down();
        }
    }
    *parked = waiting;
}
