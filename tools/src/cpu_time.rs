//! The clock of the work that this thread has done.

use std::time::Duration;

/// Processor time that this thread has taken, from an arbitrary start: on a machine that others work on as well, it
/// says more than the time of day.
#[cfg(target_os = "linux")]
pub(crate) fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to `time`, which is valid for that, and keeps no pointer to it.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    debug_assert_eq!(result, 0, "every Linux has this clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Time that has passed, from an arbitrary start; no portable clock counts the thread's own work.
#[cfg(not(target_os = "linux"))]
pub(crate) fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
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
}
