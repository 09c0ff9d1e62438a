//! The most memory that this process has taken, where the system tells.

/// Begins anew, as far as the system can.
#[cfg(target_os = "linux")]
pub(crate) fn reset() {
    // Where that is not allowed, the peak is that since the process began. See proc(5), `clear_refs`.
    let _not_allowed = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most that was in memory since the process began or [`reset`], in MB of 2^20 bytes.
#[cfg(target_os = "linux")]
pub(crate) fn megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes.div_ceil(1024))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn reset() {}

#[cfg(not(target_os = "linux"))]
pub(crate) fn megabytes() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_was_touched_counts() {
        let before = megabytes().expect("Linux tells");
        let touched = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(megabytes().expect("Linux tells") >= before.min(64) && megabytes() >= Some(64));
        drop(touched);
        reset();
        assert!(megabytes().is_some_and(|peak| peak > 0));
    }
}
