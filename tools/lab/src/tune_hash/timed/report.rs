//! The recommendation under a time control: a sentence, a table, pictures and a page.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::comparison::{Comparison, Estimate, GameFigures, LEAST_GAMES, Size, Verdict};
use crate::output::print;
use crate::tune_hash::plot::{Chart, Curve, Ends, Scale, publish};

/// The settings in the header of the results.
#[derive(Serialize, Deserialize)]
pub(in crate::tune_hash) struct Settings {
    pub engine: String,
    pub control: String,
    pub concurrency: NonZeroUsize,
    pub threads: NonZeroUsize,
    pub openings: String,
    pub seed: u64,
    pub sizes: Vec<usize>,
    /// The engine's own default of `Hash`.
    pub default: Option<usize>,
}

/// The engine and its conditions: `Plumb 1.0, st=0.1, 2 at a time, threads 1, 8 random moves`.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, control, concurrency, threads, openings, .. } = self;
        write!(f, "{engine}, {control}, {concurrency} at a time, threads {threads}, openings: {openings}")
    }
}

/// The figures of a size in all games.
struct Total {
    megabytes: usize,
    /// The share of the positions whose value was proved in time.
    solved: f64,
    /// Million nodes a second.
    speed: Option<f64>,
    full: Option<f64>,
    full_most: Option<f64>,
    memory_mb: Option<f64>,
    start_ms: f64,
    clear_ms: f64,
}

impl Total {
    /// The totals by size.
    fn of(rows: &[GameFigures], sizes: &[usize]) -> Vec<Self> {
        let total = |&megabytes: &usize| {
            let own: Vec<_> = rows.iter().filter(|row| row.megabytes == megabytes).collect();
            let sum = |of: &dyn Fn(&GameFigures) -> f64| own.iter().map(|row| of(row)).sum::<f64>();
            let mean = |of: &dyn Fn(&GameFigures) -> Option<f64>| {
                let values: Option<Vec<_>> = own.iter().map(|row| of(row)).collect();
                values.map(|values| values.iter().sum::<f64>() / own.len().max(1) as f64)
            };
            let positions = sum(&|row| row.positions.into()).max(1.0);
            let nodes: Option<u64> = own.iter().map(|row| row.nodes).sum();
            Self {
                megabytes,
                solved: sum(&|row| row.solved.into()) / positions,
                speed: nodes.map(|nodes| nodes as f64 / sum(&|row| row.given_ms).max(1e-3) / 1e3),
                full: mean(&|row| row.full),
                full_most: mean(&|row| row.full_most),
                memory_mb: mean(&|row| row.memory_mb),
                start_ms: mean(&|row| Some(row.start_ms)).unwrap_or_default(),
                clear_ms: mean(&|row| Some(row.clear_ms)).unwrap_or_default(),
            }
        };
        sizes.iter().map(total).collect()
    }
}

/// Draws the pictures, and writes and prints the recommendation. `tolerance` is in per cent.
pub(in crate::tune_hash) fn conclude(
    rows: &[GameFigures],
    settings: &Settings,
    tolerance: f64,
    out: &Path,
) -> Result<()> {
    let comparison = Comparison::of(rows, tolerance / 100.0);
    let totals = Total::of(rows, &settings.sizes);
    let positions: u32 =
        rows.iter().filter(|row| row.megabytes == settings.sizes[0]).map(|row| row.positions).sum();
    let setup = format!("{settings}; {} games, {positions} positions", comparison.games);
    let sentence = sentence(&comparison, tolerance, settings.default);
    let note = "Vertical lines: 95 % with all sizes and looks taken together; of the filling, up to the fullest of a game.";
    print(format_args!("{setup}"))?;
    let (table, charts) = (table(&comparison, &totals), charts(&comparison, &totals));
    publish(out, &setup, &[sentence], &table, &charts, note)
}

/// The table: a row for each size below the headings.
fn table(comparison: &Comparison, totals: &[Total]) -> Vec<String> {
    let mut rows = vec![format!(
        "{:>6} {:>7} {:>14} {:>6} {:>5} {:>5} {:>7} {:>8} {:>8}",
        "MB", "solved", "time", "Mn/s", "full", "most", "memory", "start ms", "clear ms"
    )];
    let per_cent =
        |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.0}%", 100.0 * share));
    for total in totals {
        let size = comparison.sizes.iter().find(|size| size.megabytes == total.megabytes);
        let time = size.map_or("-".to_owned(), |size| {
            let Estimate { value, error } = size.cost;
            format!("{:+.1} ± {:.1}%", 100.0 * value, 100.0 * error)
        });
        let speed = total.speed.map_or("-".to_owned(), |speed| format!("{speed:.2}"));
        let memory = total.memory_mb.map_or("-".to_owned(), |memory| format!("{memory:.0}"));
        rows.push(format!(
            "{:>6} {:>6.1}% {time:>14} {speed:>6} {:>5} {:>5} {memory:>7} {:>8.0} {:>8.0}",
            total.megabytes,
            100.0 * total.solved,
            per_cent(total.full),
            per_cent(total.full_most),
            total.start_ms,
            total.clear_ms
        ));
    }
    rows
}

/// The number of games up to which more of them are advised: an hour or so at 20 ms a move.
const MOST_MORE: usize = 2000;

/// The recommendation: a range of sizes, what the others cost, and what cannot be told.
fn sentence(comparison: &Comparison, tolerance: f64, default: Option<usize>) -> String {
    let Comparison { games, sizes, best } = comparison;
    if sizes.is_empty() {
        let more = LEAST_GAMES.saturating_sub(*games);
        return format!("cannot tell from {games} games: {more} more are the least");
    }
    if let [only] = &sizes[..] {
        return format!("{} MB: there is no other size to compare it with", only.megabytes);
    }
    let with = |wanted: fn(&Verdict) -> bool| sizes.iter().filter(move |size| wanted(&size.verdict));
    let good: Vec<_> = with(|verdict| *verdict == Verdict::Good).map(|size| size.megabytes).collect();
    let measured: Vec<_> = sizes.iter().map(|size| size.megabytes).collect();
    let mut parts = Vec::new();
    if !good.is_empty() {
        let best = sizes[*best].megabytes;
        let within = format!("within {tolerance} % of the best, {best} MB");
        let is_default = default.is_some_and(|default| good.contains(&default));
        let default = default.filter(|_| is_default).map(|default| format!("; {default} MB is the default"));
        parts.push(match &good[..] {
            [one] if *one == best => format!("{best} MB: the best"),
            _ => format!("{}: {within}{}", ranges(&good, &measured), default.unwrap_or_default()),
        });
    }
    let worse = |size: &Size| format!("{} MB takes {} longer", size.megabytes, percentage(size.cost));
    parts.extend(with(|verdict| *verdict == Verdict::Worse).map(worse));
    parts.extend(sizes.iter().filter_map(|size| match size.verdict {
        Verdict::Open(more) => {
            let remedy = if more > MOST_MORE {
                format!("it is too near to {tolerance} %")
            } else {
                format!("about {more} more games would")
            };
            Some(format!(
                "cannot tell about {} MB ({} longer): {remedy}",
                size.megabytes,
                percentage(size.cost)
            ))
        }
        _ => None,
    }));
    parts.join(". ").replace(". cannot", ". Cannot")
}

/// A share with its error: `17 ± 3 %`.
fn percentage(Estimate { value, error }: Estimate) -> String {
    format!("{:.0} ± {:.0} %", 100.0 * value, 100.0 * error)
}

/// Sizes as ranges of those that were measured: `any size from 1 to 64 MB`, `4 MB, any size from 64 to 256 MB`.
fn ranges(good: &[usize], measured: &[usize]) -> String {
    let places: Vec<_> = measured.iter().map(|size| good.contains(size)).collect();
    let runs = places.chunk_by(|one, other| one == other);
    let mut start = 0;
    let mut found = Vec::new();
    for run in runs {
        let sizes = &measured[start..start + run.len()];
        start += run.len();
        match (run[0], sizes) {
            (true, [one]) => found.push(format!("{one} MB")),
            (true, [first, .., last]) => found.push(format!("any size from {first} to {last} MB")),
            _ => {}
        }
    }
    found.join(" and ")
}

fn charts(comparison: &Comparison, totals: &[Total]) -> Vec<Chart> {
    let curve = |name: &str, of: &dyn Fn(&Total) -> Option<(f64, Ends)>| Curve {
        name: name.to_owned(),
        points: totals
            .iter()
            .filter_map(|total| of(total).map(|(value, spread)| (total.megabytes, value, spread)))
            .collect(),
    };
    let plain = |value: f64| (value, (value, value));
    let time = |total: &Total| {
        let Estimate { value, error } =
            comparison.sizes.iter().find(|size| size.megabytes == total.megabytes)?.cost;
        Some((1.0 + value, (1.0 + value - error, 1.0 + value + error)))
    };
    let full = |total: &Total| {
        let (mean, most) = (100.0 * total.full?, 100.0 * total.full_most?);
        Some((mean, (mean, most)))
    };
    let charts = [
        (
            "time.svg",
            "Time to the same depth, as a multiple of the best size's",
            Scale::Ratio,
            vec![curve("time", &time)],
        ),
        (
            "solved.svg",
            "Positions whose value was proved in time",
            Scale::PerCent,
            vec![curve("solved", &|total| Some(plain(100.0 * total.solved)))],
        ),
        (
            "speed.svg",
            "Million nodes per second",
            Scale::Plain,
            vec![curve("speed", &|total| total.speed.map(plain))],
        ),
        (
            "full.svg",
            "How full the table was at the end of a move",
            Scale::PerCent,
            vec![curve("filling", &full)],
        ),
        (
            "start.svg",
            "Milliseconds to start with the table, and to clear it for a new game",
            Scale::Plain,
            vec![
                curve("start", &|total| Some(plain(total.start_ms))),
                curve("clear", &|total| Some(plain(total.clear_ms))),
            ],
        ),
    ];
    charts.map(|(file, title, scale, curves)| Chart { file, title, scale, curves }).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(megabytes: usize, cost: f64, verdict: Verdict) -> Size {
        Size { megabytes, cost: Estimate { value: cost, error: 0.02 }, verdict }
    }

    #[test]
    fn the_recommendation_is_a_range_with_what_the_others_cost() {
        use Verdict::{Good, Open, Worse};
        let sizes = vec![
            size(1, 0.3, Worse),
            size(4, 0.01, Good),
            size(16, 0.0, Good),
            size(64, 0.02, Good),
            size(256, 0.05, Open(120)),
            size(1024, 0.17, Worse),
        ];
        let said = |sizes: &[Size], default| {
            let best = sizes.iter().position(|size| size.cost.value.abs() < 1e-9).unwrap_or(0);
            sentence(&Comparison { games: 16, sizes: sizes.to_vec(), best }, 5.0, default)
        };
        assert_eq!(
            said(&sizes, Some(64)),
            "any size from 4 to 64 MB: within 5 % of the best, 16 MB; 64 MB is the default. 1 MB takes 30 ± 2 % longer. 1024 \
             MB takes 17 ± 2 % longer. Cannot tell about 256 MB (5 ± 2 % longer): about 120 more games would"
        );
        let apart = [size(1, 0.0, Good), size(4, 0.3, Worse), size(16, 0.0, Good)];
        assert_eq!(
            said(&apart, None),
            "1 MB and 16 MB: within 5 % of the best, 1 MB. 4 MB takes 30 ± 2 % longer"
        );
        assert_eq!(said(&apart[..2], None), "1 MB: the best. 4 MB takes 30 ± 2 % longer");
        let near = [size(1, 0.0, Good), size(4, 0.05, Open(2001))];
        assert_eq!(
            said(&near, None),
            "1 MB: the best. Cannot tell about 4 MB (5 ± 2 % longer): it is too near to 5 %"
        );
        assert_eq!(said(&[], None), "cannot tell from 16 games: 0 more are the least");
    }
}
