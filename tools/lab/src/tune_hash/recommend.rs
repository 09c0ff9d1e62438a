//! Which size to take, and why.

use std::collections::{BTreeMap, BTreeSet};

use crate::plot::seconds_label;
use serde::{Deserialize, Serialize};

use crate::output::{or_dash, table};
use crate::result_files;

/// One size on one file, once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    /// Who solved, and how.
    pub setup: String,
    pub suite: String,
    /// Whether the table was kept from one position to the next.
    pub warm: bool,
    pub megabytes: usize,
    /// From 1.
    pub repeat: u32,
    pub positions: usize,
    /// How many of them got a wrong score, or none; some engines guess even at the end of the game.
    pub wrong: usize,
    pub seconds: f64,
    pub nodes: Option<u64>,
    /// How full the table was in the end, from 0 to 1: the mean over the positions.
    pub full: Option<f64>,
    /// The share of looks at the table that found the position.
    pub hits: Option<f64>,
    /// The share of stores that lost another position.
    pub overwrites: Option<f64>,
}

impl Run {
    /// The series of the run: file, and cold or warm.
    fn group(&self) -> String {
        format!("{}{}", self.suite, if self.warm { ", warm" } else { "" })
    }
}

impl result_files::Row for Run {
    fn key(&self) -> String {
        let Self { megabytes, repeat, .. } = self;
        format!("{}, {megabytes} MB, repeat {repeat}", self.group())
    }
}

/// The least work of a size, in seconds, that a recommendation may rest on.
const LEAST_WORK: f64 = 1.0;
/// What a clock that saw no time pass counts as, in seconds, since ratios are compared.
pub(super) const LEAST_TIME: f64 = 1e-9;
/// The repeats that are advised where there are fewer.
const REPEATS: usize = 5;

/// A size with its figures, means over the files by ratios.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Row {
    megabytes: usize,
    /// The time, as a multiple of the best size's.
    time: f64,
    /// The nodes, as a multiple of the best size's, where they are known.
    nodes: Option<f64>,
    /// By how much the repeats of this size differ at most, as a share of the least; `None` if there is one only.
    spread: Option<f64>,
}

/// The answer of a run that solves.
pub(super) struct Recommendation {
    /// The size with its reason: `8 MB: within 3 % of the best, 16 MB; …`.
    pub sentence: String,
    /// The size, if the runs decide.
    pub size: Option<usize>,
    pub rows: Vec<Row>,
}

/// The smallest size that takes at most `tolerance` (a share) longer than the best one. The times of a file are compared
/// by the least of their repeats, as what else a machine does can only add to them, and those of several files by the
/// geometric mean of the ratios, so that each file counts as much as any other. If the runs were short, or differ more
/// from repeat to repeat than from size to size, it is the `default`. `None` without runs, or if a size lacks a file.
pub(super) fn recommend(runs: &[Run], tolerance: f64, default: &str) -> Option<Recommendation> {
    let sizes: BTreeSet<_> = runs.iter().map(|run| run.megabytes).collect();
    let groups = groups(runs);
    // Means of logarithms are those of geometric means.
    let row = |megabytes: usize| {
        let found: Vec<_> = groups.values().map(|sizes| sizes.get(&megabytes)).collect::<Option<_>>()?;
        let times =
            found.iter().map(|runs| runs.iter().map(|run| run.seconds.max(LEAST_TIME)).collect::<Vec<_>>());
        let nodes = found.iter().map(|runs| -> Option<f64> {
            let nodes = runs.iter().map(|run| Some(run.nodes? as f64)).collect::<Option<Vec<_>>>()?;
            Some(median(&nodes).max(1.0).ln())
        });
        let spread = |times: Vec<f64>| (times.len() > 1).then(|| most(&times) / least(&times) - 1.0);
        Some(Row {
            megabytes,
            time: times.clone().map(|times| least(&times).ln()).sum::<f64>() / groups.len() as f64,
            nodes: nodes.sum::<Option<f64>>().map(|sum| sum / groups.len() as f64),
            spread: times.filter_map(spread).reduce(f64::max),
        })
    };
    let mut rows: Vec<_> = sizes.into_iter().map(row).collect::<Option<_>>()?;
    let best = (0..rows.len()).min_by(|&one, &other| rows[one].time.total_cmp(&rows[other].time))?;
    let Row { time, nodes, .. } = rows[best];
    for row in &mut rows {
        row.time = (row.time - time).exp();
        row.nodes = row.nodes.zip(nodes).map(|(own, best)| (own - best).exp());
    }
    let chosen = rows.iter().position(|row| row.time <= 1.0 + tolerance)?;
    let sum = |of: fn(&Run) -> usize| runs.iter().map(of).sum::<usize>() as f64;
    let wrong = sum(|run| run.wrong) / sum(|run| run.positions);
    let repeats = groups.values().flat_map(BTreeMap::values).map(Vec::len).min()?;
    let doubt = doubt(runs, &rows);
    let size = (doubt.is_none() && rows.len() > 1).then_some(rows[chosen].megabytes);
    let sentence = match doubt {
        Some(doubt) => {
            let advice = if repeats < REPEATS { format!(" or `--repeat {REPEATS}`") } else { String::new() };
            format!("{default}; too short to tell: use more positions{advice} ({doubt})")
        }
        None => reason(&rows, chosen, best, tolerance, repeats),
    };
    let wrong = Some(wrong).filter(|wrong| *wrong > 0.0);
    let wrong = wrong.map(|wrong| format!(". {:.1} % of the scores were wrong", 100.0 * wrong));
    Some(Recommendation { sentence: sentence + &wrong.unwrap_or_default(), size, rows })
}

/// The table of the figures.
pub(super) fn table_of(rows: &[Row]) -> Vec<String> {
    let row = |&Row { megabytes, time, nodes, spread }: &Row| {
        vec![
            megabytes.to_string(),
            format!("{time:.3}"),
            or_dash(nodes, |nodes| format!("{nodes:.3}")),
            or_dash(spread, |spread| format!("{:.1}%", 100.0 * spread)),
        ]
    };
    table("      MB|    time|   nodes|  spread", rows.iter().map(row))
}

/// The runs by series and size.
pub(super) fn groups(runs: &[Run]) -> BTreeMap<String, BTreeMap<usize, Vec<&Run>>> {
    let mut groups: BTreeMap<_, BTreeMap<_, Vec<_>>> = BTreeMap::new();
    for run in runs {
        groups.entry(run.group()).or_default().entry(run.megabytes).or_default().push(run);
    }
    groups
}

/// Why the figures of several sizes are no reason to prefer one.
fn doubt(runs: &[Run], rows: &[Row]) -> Option<String> {
    if rows.len() < 2 {
        return None;
    }
    let of = |row: &Row| {
        runs.iter().filter(|run| run.megabytes == row.megabytes).map(|run| run.seconds).sum::<f64>()
    };
    let work = rows.iter().map(of).fold(f64::INFINITY, f64::min);
    if work < LEAST_WORK {
        return Some(format!("{} of work a size, less than {LEAST_WORK} s", seconds_label(work)));
    }
    // The best size takes 1.
    let (repeats, sizes) = (spread(rows), rows.iter().map(|row| row.time - 1.0).fold(0.0, f64::max));
    (repeats > sizes).then(|| {
        let [repeats, sizes] = [repeats, sizes].map(|share| 100.0 * share);
        format!("repeats of one size differ by up to {repeats:.0} %, the sizes by {sizes:.0} %")
    })
}

/// By how much the repeats of any size differ at most, as a share of the least.
fn spread(rows: &[Row]) -> f64 {
    rows.iter().filter_map(|row| row.spread).fold(0.0, f64::max)
}

/// The middle one of some numbers, the mean of two if there is none; of none 0.
pub(super) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    let lower = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    f64::midpoint(lower, upper)
}

/// The least of some numbers; infinite for none.
pub(super) fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The greatest of some numbers; infinite for none.
pub(super) fn most(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The size at the place `chosen` with its reason; `repeats` is how often each size had its turn at each file.
fn reason(rows: &[Row], chosen: usize, best: usize, tolerance: f64, repeats: usize) -> String {
    let Row { megabytes, time, nodes, .. } = rows[chosen];
    if rows.len() == 1 {
        return format!("{megabytes} MB: there is no other size to compare it with");
    }
    let within = format!("within {} % of the best, {} MB", 100.0 * tolerance, rows[best].megabytes);
    let within = if chosen == best { "the best" } else { &within };
    let mut said = vec![format!("{megabytes} MB: {within}")];
    if let Some(smaller) = chosen.checked_sub(1).map(|index| rows[index]) {
        let longer = compare(smaller.time / time, "longer", "less", "as long");
        said.push(format!("; {} MB takes {longer}", smaller.megabytes));
        if let Some((own, nodes)) = smaller.nodes.zip(nodes) {
            said.push(format!(" for {} nodes", compare(own / nodes, "more", "fewer", "as many")));
        }
    }
    if let Some(largest) = rows.last().filter(|row| row.megabytes > megabytes) {
        let ratio = largest.time / time;
        let more = compare(ratio, "more", "less", "as much");
        said.push(format!("; {} MB takes {more} time", largest.megabytes));
        if let Some((own, nodes)) = largest.nodes.zip(nodes) {
            let each = compare(ratio * nodes / own, "more", "less", "as much");
            let nodes = compare(own / nodes, "more", "fewer", "as many");
            said.push(format!(" for {nodes} nodes, {each} for each"));
        }
    }
    let spread = spread(rows);
    if spread > tolerance {
        said.push(format!(". The repeats differ by up to {:.0} %", 100.0 * spread));
    }
    if repeats == 1 {
        said.push(". One repeat does not show how much the times vary".to_owned());
    }
    said.concat()
}

/// A ratio in words: `12 % more`, `3 % fewer`, or `same` if it is 1 as far as whole per cent show.
fn compare(ratio: f64, more: &str, less: &str, same: &str) -> String {
    match (100.0 * (ratio - 1.0)).round() {
        0.0 => same.to_owned(),
        per_cent @ 0.0.. => format!("{per_cent} % {more}"),
        per_cent => format!("{} % {less}", -per_cent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(suite: &str, megabytes: usize, seconds: f64, nodes: u64) -> Run {
        let (suite, nodes) = (suite.to_owned(), Some(nodes));
        Run { suite, megabytes, repeat: 1, positions: 1, seconds, nodes, ..Run::default() }
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
        let found = recommend(&runs, 0.03, "").expect("there are runs");
        assert_eq!(found.size, Some(2));
        assert_eq!(
            found.sentence,
            "2 MB: within 3 % of the best, 4 MB; 1 MB takes 18 % longer for 36 % more nodes; 64 MB takes 8 % more time \
             for 10 % fewer nodes, 20 % more for each. One repeat does not show how much the times vary"
        );
        let strict = recommend(&runs, 0.0, "").expect("there are runs");
        assert!(table_of(&strict.rows)[1].ends_with(" -"), "one repeat has no spread");
        assert!(strict.sentence.starts_with("4 MB: the best; 2 MB takes 2 % longer"), "{}", strict.sentence);
        assert!(recommend(&[], 0.03, "").is_none());
        assert!(recommend(&runs[..5], 0.03, "").is_none(), "a size that lacks a file cannot be compared");
    }

    #[test]
    fn noise_is_no_reason() {
        let said =
            |runs: &[Run]| recommend(runs, 0.03, "64 MB, the default").expect("there are runs").sentence;
        let short = "64 MB, the default; too short to tell: use more positions or `--repeat 5`";
        let few = [run("a", 1, 6e-4, 150), run("a", 4, 5e-4, 150)];
        assert_eq!(recommend(&few, 0.03, "").and_then(|found| found.size), None);
        assert_eq!(said(&few), format!("{short} (500 µs of work a size, less than 1 s)"));
        let mut repeats = vec![run("a", 1, 1.0, 100), run("a", 4, 1.1, 100)];
        repeats.push(Run { repeat: 2, ..run("a", 1, 1.2, 100) });
        repeats.push(Run { repeat: 2, ..run("a", 4, 1.15, 100) });
        let spread = "repeats of one size differ by up to 20 %, the sizes by 10 %";
        assert_eq!(said(&repeats), format!("{short} ({spread})"));
        // A difference that is larger than the spread is one.
        repeats[1].seconds = 1.3;
        repeats[3].seconds = 1.35;
        assert_eq!(
            said(&repeats),
            "1 MB: the best; 4 MB takes 30 % more time for as many nodes, 30 % more for each. The repeats differ by up \
             to 20 %"
        );
        // More repeats than are advised do not help.
        let many = (1..=5).flat_map(|repeat| [1, 4].map(|size| Run { repeat, ..run("a", size, 0.01, 1) }));
        assert!(said(&many.collect::<Vec<_>>()).contains("use more positions (50 ms"));
        assert!(said(&[1, 4].map(|size| run("a", size, 0.0, 1))).contains("(0 s of work a size"));
        assert_eq!(said(&[run("a", 1, 1e-3, 1)]), "1 MB: there is no other size to compare it with");
    }

    #[test]
    fn differences_have_one_direction() {
        let said = [0.988, 0.996, 1.004, 1.12].map(|ratio| compare(ratio, "more", "less", "as much"));
        assert_eq!(said, ["1 % less", "as much", "as much", "12 % more"]);
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(&[4.0, 1.0]) - 2.5).abs() < 1e-12);
        assert!(median(&[]).abs() < 1e-12);
        assert_eq!((least(&[3.0, 1.0, 2.0]), most(&[3.0, 1.0, 2.0])), (1.0, 3.0));
    }
}
