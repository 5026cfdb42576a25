//! What this process has used, and how it ends.

/// The most memory this process has had resident, in bytes; `None` where the system doesn't say.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        kibibytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
    }
    #[cfg(not(target_os = "linux"))]
    {
        None
    }
}

/// Memory that could be taken now without pushing anything out, in bytes; `None` where the system doesn't say.
#[must_use]
pub fn available_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        kibibytes(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
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

/// A line of `/proc/PID/status` or `/proc/meminfo` (proc(5)), which count in units of 1024 bytes.
#[cfg(any(target_os = "linux", test))]
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_system_counts() {
        let read = |text| kibibytes(text, "VmHWM:");
        assert_eq!(read("VmPeak:\t  9 kB\nVmHWM:\t  1234 kB\nVmRSS: 1 kB\n"), Some(1234 * 1024));
        assert_eq!(read("VmHWM:\t-3 kB\n"), None);
        assert_eq!(read("VmHWM:\t99999999999999999999 kB\n"), None);
        assert_eq!(read(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_more_than_the_buffer_it_touched() {
        let touched = vec![1u8; 32 << 20];
        assert!(peak_memory().unwrap() > touched.len() as u64);
        assert!(available_memory().unwrap() > 1 << 20);
    }
}
