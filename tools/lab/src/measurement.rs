//! What several commands measure: quantiles of times, and the memory of processes where the system tells: on Linux, in
//! `/proc`.

use std::time::Duration;

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

/// The least time that a `share` of the sorted times does not exceed; zero where there are none.
pub(crate) fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// A row of a table: a name, and times in milliseconds.
pub(crate) fn row(name: &str, times: &[Duration]) -> String {
    let times = times.iter().map(|time| format!(" {:>9.3}", time.as_secs_f64() * 1e3));
    format!("{name:<34}{}", times.collect::<String>())
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

    #[test]
    fn quantiles_are_times_that_were_taken() {
        let times: Vec<_> = (1..=200).map(Duration::from_micros).collect();
        let at = |share| quantile(&times, share).as_micros();
        assert_eq!((at(0.0), at(0.5), at(0.99), at(1.0)), (1, 100, 198, 200));
        assert_eq!(quantile(&[], 0.5), Duration::ZERO);
    }
}
