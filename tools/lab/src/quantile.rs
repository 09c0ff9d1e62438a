//! Quantiles of times.

use std::time::Duration;

/// The least time that a `share` of the sorted times does not exceed; zero where there are none.
pub(crate) fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_times_that_were_taken() {
        let times: Vec<_> = (1..=200).map(Duration::from_micros).collect();
        let at = |share| quantile(&times, share).as_micros();
        assert_eq!((at(0.0), at(0.5), at(0.99), at(1.0)), (1, 100, 198, 200));
        assert_eq!(quantile(&[], 0.5), Duration::ZERO);
    }
}
