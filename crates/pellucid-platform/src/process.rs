//! What this process has used.

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
