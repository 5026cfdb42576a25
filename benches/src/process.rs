//! One process from start to end, and what it cost.
use crate::error::BenchError;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a process cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// From before it was made until it had been waited for.
    pub wall: Duration,
    /// Processor time of all its threads, in user mode and in the kernel.
    pub cpu: Duration,
    /// The most memory it had resident, in bytes.
    pub peak_memory: u64,
}

/// Runs a command to its end.
///
/// The caller sets its streams; it must not need input.
pub fn run(command: &mut Command) -> Result<(Cost, std::process::ExitStatus), BenchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let child = command.spawn().map_err(|source| BenchError::Start { program: program.clone(), source })?;
    let (status, usage) = native::wait(child.id()).map_err(|source| BenchError::Start { program, source })?;
    Ok((Cost { wall: start.elapsed(), ..usage }, status))
}

#[cfg(target_os = "linux")]
mod native {
    use super::Cost;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    /// Waits for a child and reads its own use of resources: `wait4`, which the standard library lacks. The
    /// child must not be waited for by anything else.
    pub fn wait(id: u32) -> std::io::Result<(ExitStatus, Cost)> {
        let pid = libc::pid_t::try_from(id).map_err(std::io::Error::other)?;
        let mut status = 0;
        // SAFETY: `rusage` holds integers only, for which zeros are valid.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        loop {
            // SAFETY: both pointers are to live locals of the types that wait4 writes.
            let waited = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) };
            if waited == pid {
                break;
            }
            let error = std::io::Error::last_os_error();
            if error.kind() != std::io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        let time = |t: libc::timeval| {
            Duration::from_secs(u64::try_from(t.tv_sec).unwrap_or(0))
                + Duration::from_micros(u64::try_from(t.tv_usec).unwrap_or(0))
        };
        let cost = Cost {
            wall: Duration::ZERO,
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            // Linux counts in units of 1024 bytes.
            peak_memory: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
        };
        Ok((ExitStatus::from_raw(status), cost))
    }
}

#[cfg(not(target_os = "linux"))]
mod native {
    /// The peers are compared on Linux only.
    pub fn wait(_: u32) -> std::io::Result<(std::process::ExitStatus, super::Cost)> {
        Err(std::io::Error::other("the side-by-side benchmark runs on Linux only"))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_measured_and_its_status_seen() {
        let (cost, status) = run(Command::new("sh").args(["-c", "sleep 0.05; exit 7"])).unwrap();
        assert_eq!(status.code(), Some(7));
        assert!(cost.wall >= Duration::from_millis(50), "{cost:?}");
        assert!(cost.cpu < cost.wall, "sleeping costs no processor time: {cost:?}");
        assert!(cost.peak_memory > 100_000, "{cost:?}");
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        assert!(matches!(run(&mut Command::new("no-such-program")), Err(BenchError::Start { .. })));
    }
}
