//! What this process has used, and how it ends.

/// The most memory this process has had resident, in bytes; `None` where the system doesn't say.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        high_water_mark(&std::fs::read_to_string("/proc/self/status").ok()?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        None
    }
}

/// Ends the process now. Nothing is dropped, no other thread is waited for, and what drivers and libraries have
/// registered to tidy up at a process's end doesn't run: the system takes back all that they hold, and faster.
/// What was written through [`std::io::stdout`] has to be flushed before. Where there is no such call this is
/// [`std::process::exit`].
pub fn end(status: u8) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(i32::from(status));
    #[cfg(not(unix))]
    std::process::exit(i32::from(status))
}

/// Finds `VmHWM` in the text of `/proc/PID/status` (proc(5)), which counts in units of 1024 bytes.
#[cfg(any(target_os = "linux", test))]
fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_high_water_mark() {
        assert_eq!(high_water_mark("VmPeak:\t  9 kB\nVmHWM:\t  1234 kB\nVmRSS: 1 kB\n"), Some(1234 * 1024));
        assert_eq!(high_water_mark("VmHWM:\t-3 kB\n"), None);
        assert_eq!(high_water_mark("VmHWM:\t99999999999999999999 kB\n"), None);
        assert_eq!(high_water_mark(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_more_than_the_buffer_it_touched() {
        let touched = vec![1u8; 32 << 20];
        assert!(peak_memory().unwrap() > touched.len() as u64);
    }
}
