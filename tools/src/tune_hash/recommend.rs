//! Which size to take, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::run::Run;

/// A size with its figures, means over the files by ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    megabytes: usize,
    /// The time, as a multiple of the best size's.
    time: f64,
    /// The nodes, as a multiple of the best size's, where they are known.
    nodes: Option<f64>,
    /// By how much the repeats of this size differ at most, as a share of the least; `None` if there is one only.
    spread: Option<f64>,
}

/// The size that is recommended, and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Recommendation {
    /// By size.
    rows: Vec<Row>,
    /// Places in `rows`.
    best: usize,
    chosen: usize,
    tolerance: f64,
    /// The share of the scores that were wrong.
    wrong: f64,
}

/// The smallest size that takes at most `tolerance` (a share) longer than the best one. The times of a file are compared
/// by the least of their repeats, as what else a machine does can only add to them, and those of several files by the
/// geometric mean of the ratios, so that each file counts as much as any other. `None` without runs.
pub(super) fn recommend(runs: &[Run], tolerance: f64) -> Option<Recommendation> {
    let sizes: BTreeSet<_> = runs.iter().map(|run| run.megabytes).collect();
    let mut groups: BTreeMap<String, BTreeMap<usize, Vec<&Run>>> = BTreeMap::new();
    for run in runs {
        groups.entry(run.group()).or_default().entry(run.megabytes).or_default().push(run);
    }
    let mut rows: Vec<_> =
        sizes.iter().map(|&megabytes| Row { megabytes, time: 0.0, nodes: Some(0.0), spread: None }).collect();
    // Logarithms are added up, so that the means are geometric.
    for sizes in groups.values() {
        for row in &mut rows {
            let found = sizes.get(&row.megabytes)?;
            let times: Vec<_> = found.iter().map(|run| run.seconds).collect();
            let (least, most) = bounds(&times);
            row.time += least.ln() / groups.len() as f64;
            let nodes: Option<Vec<_>> = found.iter().map(|run| run.nodes.map(|nodes| nodes as f64)).collect();
            let nodes = nodes.map(|nodes| median(&nodes).max(1.0).ln() / groups.len() as f64);
            row.nodes = row.nodes.zip(nodes).map(|(sum, nodes)| sum + nodes);
            if times.len() > 1 {
                row.spread = Some(row.spread.unwrap_or(0.0).max((most - least) / least));
            }
        }
    }
    let best = (0..rows.len()).min_by(|&one, &other| rows[one].time.total_cmp(&rows[other].time))?;
    let Row { time, nodes, .. } = rows[best];
    for row in &mut rows {
        row.time = (row.time - time).exp();
        row.nodes = row.nodes.zip(nodes).map(|(own, best)| (own - best).exp());
    }
    let chosen = rows.iter().position(|row| row.time <= 1.0 + tolerance)?;
    let sum = |of: fn(&Run) -> usize| runs.iter().map(of).sum::<usize>() as f64;
    let wrong = sum(|run| run.wrong) / sum(|run| run.positions);
    Some(Recommendation { rows, best, chosen, tolerance, wrong })
}

/// The middle one of some numbers, the mean of two if there is none; of none 0.
pub(super) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    let lower = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    f64::midpoint(lower, upper)
}

/// The least and the greatest.
pub(super) fn bounds(numbers: &[f64]) -> (f64, f64) {
    numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &number| {
        (least.min(number), most.max(number))
    })
}

impl Recommendation {
    /// The figures, a row for each size below the headings.
    pub(super) fn rows(&self) -> Vec<String> {
        let mut rows = vec![format!("{:>8} {:>8} {:>8} {:>8}", "MB", "time", "nodes", "spread")];
        for Row { megabytes, time, nodes, spread } in &self.rows {
            let nodes = nodes.map_or("-".to_owned(), |nodes| format!("{nodes:.3}"));
            let spread = spread.map_or("-".to_owned(), |spread| format!("{:.1}%", 100.0 * spread));
            rows.push(format!("{megabytes:>8} {time:>8.3} {nodes:>8} {spread:>8}"));
        }
        rows
    }
}

/// The size with its reason: `8 MB: within 3 % of the best, 16 MB. …`.
impl fmt::Display for Recommendation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (chosen, best) = (self.rows[self.chosen], self.rows[self.best]);
        write!(f, "{} MB: ", chosen.megabytes)?;
        if self.chosen == self.best {
            f.write_str("the best")?;
        } else {
            write!(f, "within {} % of the best, {} MB", 100.0 * self.tolerance, best.megabytes)?;
        }
        let percent = |ratio: f64| 100.0 * (ratio - 1.0);
        if let Some(smaller) = self.chosen.checked_sub(1).map(|index| self.rows[index]) {
            write!(
                f,
                "; {} MB takes {:.0} % longer",
                smaller.megabytes,
                percent(smaller.time / chosen.time)
            )?;
            if let Some((less, more)) = smaller.nodes.zip(chosen.nodes) {
                write!(f, " for {:.0} % more nodes", percent(less / more))?;
            }
        }
        let largest = self.rows[self.rows.len() - 1];
        if largest.megabytes > chosen.megabytes {
            let slower = percent(largest.time / chosen.time);
            let (amount, word) = if slower < 0.0 { (-slower, "less") } else { (slower, "more") };
            write!(f, "; {} MB takes {amount:.0} % {word} time", largest.megabytes)?;
            if let Some((large, own)) = largest.nodes.zip(chosen.nodes) {
                let each = percent(largest.time / chosen.time * own / large);
                let nodes = match percent(large / own).round() {
                    0.0 => "as many nodes".to_owned(),
                    more @ 0.0.. => format!("{more} % more nodes"),
                    fewer => format!("{} % fewer nodes", -fewer),
                };
                write!(f, " for {nodes}, {each:.0} % more for each")?;
            }
        }
        let spread = self.rows.iter().filter_map(|row| row.spread).fold(0.0, f64::max);
        if spread > self.tolerance {
            write!(f, ". The repeats differ by up to {:.0} %", 100.0 * spread)?;
        }
        if self.wrong > 0.0 {
            write!(f, ". {:.1} % of the scores were wrong", 100.0 * self.wrong)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(suite: &str, megabytes: usize, seconds: f64, nodes: u64) -> Run {
        Run {
            setup: String::new(),
            suite: suite.to_owned(),
            warm: false,
            megabytes,
            repeat: 1,
            positions: 1,
            wrong: 0,
            seconds,
            nodes: Some(nodes),
            full: None,
            hits: None,
            overwrites: None,
        }
    }

    #[test]
    fn the_smallest_size_that_is_good_enough_is_taken() {
        let runs = [
            run("a", 1, 1.20, 150),
            run("a", 2, 1.02, 110),
            run("a", 4, 1.00, 100),
            run("a", 64, 1.10, 99),
            run("b", 1, 12.0, 1500),
            run("b", 2, 10.2, 1100),
            run("b", 4, 10.0, 1000),
            run("b", 64, 11.0, 990),
        ];
        let found = recommend(&runs, 0.03).expect("there are runs");
        assert_eq!((found.rows[found.chosen].megabytes, found.rows[found.best].megabytes), (2, 4));
        let said = found.to_string();
        assert_eq!(
            said,
            "2 MB: within 3 % of the best, 4 MB; 1 MB takes 18 % longer for 36 % more nodes; 64 MB takes 8 % more time \
             for 10 % fewer nodes, 20 % more for each"
        );
        let strict = recommend(&runs, 0.0).expect("there are runs");
        assert_eq!(strict.rows[strict.chosen].megabytes, 4);
        assert!(strict.rows()[1].ends_with(" -"), "one repeat has no spread");
        assert!(strict.to_string().starts_with("4 MB: the best; 2 MB takes 2 % longer"), "{strict}");
        assert!(recommend(&[], 0.03).is_none());
        assert!(recommend(&runs[..5], 0.03).is_none(), "a size that lacks a file cannot be compared");
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(&[4.0, 1.0]) - 2.5).abs() < 1e-12);
        assert!(median(&[]).abs() < 1e-12);
        assert_eq!(bounds(&[3.0, 1.0, 2.0]), (1.0, 3.0));
    }
}
