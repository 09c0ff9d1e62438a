//! What the figures of many positions come to.

use std::fmt;
use std::time::Duration;

/// The figures of one file.
#[derive(Debug, Default)]
pub(super) struct Summary {
    times: Vec<Duration>,
    nodes: u64,
    mismatches: usize,
}

impl Summary {
    /// The names of the columns that [`fmt::Display`] fills; times are in microseconds.
    pub(super) const HEADINGS: &str = concat!(
        "positions mismatches      mean µs    median µs       p99 µs       max µs",
        "   mean nodes  ns/node   kpos/s"
    );

    /// Takes note of one position.
    pub(super) fn add(&mut self, time: Duration, nodes: u64, mismatch: bool) {
        self.times.push(time);
        self.nodes += nodes;
        self.mismatches += usize::from(mismatch);
    }

    /// Number of scores that were not as expected.
    pub(super) fn mismatches(&self) -> usize {
        self.mismatches
    }

    fn total(&self) -> Duration {
        self.times.iter().sum()
    }
}

/// The least time that a `share` of the sorted times does not exceed; zero where there are none.
fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// The row of a table. There is a dash for what no nodes or positions leave undefined.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        let count = self.times.len();
        write!(f, "{count:>9} {:>10}", self.mismatches)?;
        let total = self.total().as_secs_f64();
        let mean = if count > 0 { total / count as f64 } else { 0.0 };
        let [median, late, max] = [0.5, 0.99, 1.0].map(|share| quantile(&sorted, share).as_secs_f64());
        for seconds in [mean, median, late, max] {
            write!(f, " {:>12.1}", seconds * 1e6)?;
        }
        let ratio = |of: f64, to: f64, digits: usize| {
            if to > 0.0 { format!("{:.digits$}", of / to) } else { "-".to_owned() }
        };
        let nodes = self.nodes as f64;
        write!(f, " {:>12}", ratio(nodes, count as f64, 1))?;
        write!(f, " {:>8} {:>8}", ratio(total * 1e9, nodes, 1), ratio(nodes / 1e3, total, 0))
    }
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

    #[test]
    fn a_row_stands_below_its_headings() {
        let mut summary = Summary::default();
        for micros in [1000, 2000, 6000] {
            summary.add(Duration::from_micros(micros), 30_000, micros == 2000);
        }
        let row = summary.to_string();
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!(words, ["3", "1", "3000.0", "2000.0", "6000.0", "6000.0", "30000.0", "100.0", "10000"]);
        assert_eq!(row.chars().count(), Summary::HEADINGS.chars().count());
        assert_eq!(Summary::default().to_string().chars().count(), Summary::HEADINGS.chars().count());
    }
}
