//! What the figures of many positions come to.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// The figures of one file.
#[derive(Debug, Default)]
pub(super) struct Summary {
    times: Vec<Duration>,
    nodes: u64,
    mismatches: usize,
}

impl Summary {
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

    /// What they come to.
    pub(super) fn figures(&self) -> Figures {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        let count = self.times.len() as f64;
        let nodes = self.nodes as f64;
        let total = self.times.iter().sum::<Duration>().as_secs_f64();
        let ratio = |of: f64, to: f64| (to > 0.0).then(|| of / to);
        let micros = |share| quantile(&sorted, share).as_secs_f64() * 1e6;
        Figures {
            positions: self.times.len(),
            mismatches: self.mismatches,
            mean_us: ratio(total * 1e6, count).unwrap_or(0.0),
            median_us: micros(0.5),
            p99_us: micros(0.99),
            max_us: micros(1.0),
            mean_nodes: ratio(nodes, count),
            ns_per_node: ratio(total * 1e9, nodes),
            kpos_per_s: ratio(nodes / 1e3, total),
        }
    }
}

/// A row of the table: numbers of positions, processor times in microseconds, and ratios where they are defined.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    positions: usize,
    mismatches: usize,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    max_us: f64,
    mean_nodes: Option<f64>,
    ns_per_node: Option<f64>,
    kpos_per_s: Option<f64>,
}

impl Figures {
    /// The names of the columns that [`fmt::Display`] fills; times are in microseconds.
    pub(super) const HEADINGS: &str = concat!(
        "positions mismatches      mean µs    median µs       p99 µs       max µs",
        "   mean nodes  ns/node   kpos/s"
    );
}

/// The least time that a `share` of the sorted times does not exceed; zero where there are none.
fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// The row as text, with a dash for what is not defined.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>9} {:>10}", self.positions, self.mismatches)?;
        for micros in [self.mean_us, self.median_us, self.p99_us, self.max_us] {
            write!(f, " {micros:>12.1}")?;
        }
        let text = |ratio: Option<f64>, digits: usize| {
            ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.digits$}"))
        };
        write!(f, " {:>12}", text(self.mean_nodes, 1))?;
        write!(f, " {:>8} {:>8}", text(self.ns_per_node, 1), text(self.kpos_per_s, 0))
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
        let row = summary.figures().to_string();
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!(words, ["3", "1", "3000.0", "2000.0", "6000.0", "6000.0", "30000.0", "100.0", "10000"]);
        assert_eq!(row.chars().count(), Figures::HEADINGS.chars().count());
        assert_eq!(
            Summary::default().figures().to_string().chars().count(),
            Figures::HEADINGS.chars().count()
        );
    }
}
