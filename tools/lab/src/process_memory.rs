//! The memory of processes, where the system tells: on Linux, in `/proc`.

/// Begins the measurement of [`peak_megabytes`] anew, as far as the system can.
pub(crate) fn reset_peak() {
    // Where that is not allowed, the peak is that since the process began. See proc(5), `clear_refs`.
    let _not_allowed = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most that this process had in memory since it began or [`reset_peak`], in MB of 2^20 bytes.
pub(crate) fn peak_megabytes() -> Option<u64> {
    kibibytes("self", "VmHWM:").map(|size| size.div_ceil(1024))
}

/// The resident memory of a process.
pub(crate) fn resident_kibibytes(process: u32) -> Option<u64> {
    kibibytes(&process.to_string(), "VmRSS:")
}

fn kibibytes(process: &str, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_was_touched_counts() {
        let before = peak_megabytes().expect("Linux tells");
        let touched = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(peak_megabytes().expect("Linux tells") >= before.min(64) && peak_megabytes() >= Some(64));
        drop(touched);
        reset_peak();
        assert!(peak_megabytes().is_some_and(|peak| peak > 0));
    }
}
