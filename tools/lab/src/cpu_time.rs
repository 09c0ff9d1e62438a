//! Processor time of this thread or of another process.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Processor time of this thread from an arbitrary start. On a busy machine it is more reliable than wall time.
#[cfg(target_os = "linux")]
pub fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to `time`, which is valid for that, and keeps no pointer to it.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    debug_assert_eq!(result, 0, "every Linux has this clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Wall time from an arbitrary start. No portable clock measures the work of a thread.
#[cfg(not(target_os = "linux"))]
pub fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Processor time of all threads of process `id`, if the system reports it.
#[cfg(target_os = "linux")]
pub fn of_process(id: u32) -> Option<Duration> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: each call writes to the one place it is given, which is valid for that, and keeps no pointer to it.
    let found = unsafe {
        libc::clock_getcpuclockid(libc::pid_t::try_from(id).ok()?, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    if !found {
        return None;
    }
    Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// `None`: no portable clock measures the work of another process.
#[cfg(not(target_os = "linux"))]
pub fn of_process(_id: u32) -> Option<Duration> {
    None
}

/// Processor time of a solver on `threads` threads, from an arbitrary start. With several threads it is the time of
/// the whole process, if the system reports it.
fn of_solver(threads: NonZeroUsize) -> Duration {
    if threads.get() == 1 { now() } else { of_process(std::process::id()).unwrap_or_else(now) }
}

/// The cost of a computation.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Processor time of all threads.
    pub cpu: Duration,
    /// Wall time.
    pub wall: Duration,
}

/// Runs `work` on `threads` threads; returns its result and cost.
pub fn measured<T>(threads: NonZeroUsize, work: impl FnOnce() -> T) -> (T, Taken) {
    let (start, cpu) = (Instant::now(), of_solver(threads));
    let result = work();
    let cpu = of_solver(threads).saturating_sub(cpu);
    (result, Taken { cpu, wall: start.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::now;

    #[test]
    fn work_takes_time() {
        let start = now();
        let mut sum = 0_u64;
        while now() == start {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(now() > start);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_worked_at_least_as_long_as_one_of_its_threads() {
        let thread = now();
        assert!(super::of_process(std::process::id()).is_some_and(|process| process >= thread));
        assert_eq!(super::of_process(u32::MAX), None);
    }
}
