//! Which sizes are as good as the best, by the figures of games in which all had the same positions.

use std::array;
use std::collections::BTreeMap;

use plumb_arena::statistics::elo::deviations;
use serde::{Deserialize, Serialize};

use crate::result_files::Row;
use crate::tune_hash::Verdict;

/// The default of `--tolerance` under a time control, in per cent: 0.38 of a doubling of the time. From 5 to 25 % there is
/// always a size near by, which one seed calls as good as the best and another does not; beyond, only tables that leave the
/// processes no cache cost more (`tools/studies/README.md`).
pub(super) const TOLERANCE: f64 = 30.0;
/// The fewest games that sizes are compared by.
pub(super) const LEAST_GAMES: usize = 8;
/// The looks at the figures in a run of up to 256 games, each after twice the games of the one before.
const LOOKS: f64 = 6.0;
/// The probability that a run without any difference calls a size worse, or calls a worse size as good. The quantile is that
/// of the normal distribution, with which the first looks (8 games) err somewhat more often.
const ERROR_RATE: f64 = 0.05;

/// Whether there is a look at the figures after so many games, which come by `step` at a time: once there are 8, 16, 32 …
/// Fewer looks mislead less often, and a resumed run has those of an unbroken one.
pub(super) fn is_look(games: usize, step: usize) -> bool {
    games >= LEAST_GAMES && games - (1 << games.ilog2()) < step
}

/// The figures of one size in one game: a row of the file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::tune_hash) struct GameFigures {
    /// The number of the game, from 1.
    pub game: u32,
    pub megabytes: usize,
    /// Positions that were searched.
    pub positions: u32,
    /// Positions whose value was proved in time.
    pub solved: u32,
    /// Time up to the depth that all sizes reached, summed over the positions.
    pub same_depth_ms: f64,
    /// Nodes up to there.
    pub same_depth_nodes: Option<u64>,
    /// Time that the positions had: that to its `bestmove` where the search proved the value, else that of the longest search
    /// of any size, so that an engine which gives up early gains nothing.
    pub given_ms: f64,
    /// Nodes of all searches.
    pub nodes: Option<u64>,
    /// The filled share of the table at the end of a move, from 0 to 1: the mean.
    pub full: Option<f64>,
    /// The greatest filled share in the game.
    pub full_most: Option<f64>,
    /// Memory of the process at the end of the game.
    pub memory_mb: Option<f64>,
    /// Time from the start of the process to `readyok`.
    pub start_ms: f64,
    /// Time for a new game after this one: the table is cleared.
    pub clear_ms: f64,
}

impl Row for GameFigures {
    fn key(&self) -> String {
        format!("game {}, {} MB", self.game, self.megabytes)
    }
}

/// A value and its error, the half of its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Estimate {
    pub value: f64,
    pub error: f64,
}

/// A size beside the best one.
#[derive(Clone, Debug)]
pub(super) struct Size {
    pub megabytes: usize,
    /// How much longer it takes to the same depth than the best size, as a share.
    pub cost: Estimate,
    pub verdict: Verdict,
}

/// All sizes.
#[derive(Debug)]
pub(super) struct Comparison {
    pub games: usize,
    /// By size; none before [`LEAST_GAMES`].
    pub sizes: Vec<Size>,
    /// The place of the best in `sizes`.
    pub best: usize,
}

impl Comparison {
    /// Compares the sizes. `tolerance` is the time, in per cent, that a size may take longer than the best.
    ///
    /// The time of a size is its nodes up to the depth that all sizes reached, at the speed of its searches as a whole: a
    /// deterministic engine has the same nodes each time, and its speed is known far better than the time of a short search.
    /// Without nodes it is the time itself. Games, not positions, are the observations, as the positions of a game resemble
    /// each other. Errors are jackknife errors of the logarithm of the ratio, widened for the number of sizes and looks
    /// (Bonferroni).
    pub(super) fn of(rows: &[GameFigures], tolerance: Option<f64>) -> Self {
        let tolerance = tolerance.unwrap_or(TOLERANCE) / 100.0;
        let mut sizes: BTreeMap<usize, BTreeMap<u32, &GameFigures>> = BTreeMap::new();
        for row in rows {
            sizes.entry(row.megabytes).or_default().insert(row.game, row);
        }
        // A game counts that all sizes have.
        let all: Vec<_> = sizes.values().cloned().collect();
        for games in sizes.values_mut() {
            games.retain(|game, _| all.iter().all(|other| other.contains_key(game)));
        }
        let games = sizes.values().next().map_or(0, BTreeMap::len);
        if games < LEAST_GAMES {
            return Self { games, sizes: Vec::new(), best: 0 };
        }
        let width = deviations(ERROR_RATE / (2.0 * LOOKS * sizes.len() as f64));
        let has_nodes = rows.iter().all(|row| row.nodes.is_some() && row.same_depth_nodes.is_some());
        let sums = |row: &&GameFigures| match (row.same_depth_nodes, row.nodes) {
            (Some(same_depth), Some(nodes)) if has_nodes => [same_depth as f64, row.given_ms, nodes as f64],
            // The ones cancel.
            _ => [row.same_depth_ms, 1.0, 1.0],
        };
        let times: Vec<Vec<Sums>> = sizes.values().map(|games| games.values().map(sums).collect()).collect();
        let logarithms: Vec<_> = times.iter().map(|times| logarithm(total(times))).collect();
        let best = (0..logarithms.len()).min_by(|&one, &other| logarithms[one].total_cmp(&logarithms[other]));
        let best = best.unwrap_or(0);
        let found = sizes.keys().zip(&times).map(|(&megabytes, own)| {
            let cost = cost(own, &times[best], width);
            let Estimate { value, error } = cost;
            let verdict = if value - error > tolerance {
                Verdict::Worse
            } else if value + error <= tolerance {
                Verdict::Good
            } else {
                let ratio = error / (tolerance - value).abs().max(1e-3);
                Verdict::Open((games as f64 * (ratio * ratio - 1.0)).ceil().max(1.0) as u64)
            };
            Size { megabytes, cost, verdict }
        });
        Self { games, sizes: found.collect(), best }
    }

    /// Whether every size is told to be as good as the best or worse.
    pub(super) fn is_decided(&self) -> bool {
        !self.sizes.is_empty() && !self.sizes.iter().any(|size| matches!(size.verdict, Verdict::Open(_)))
    }
}

/// Nodes up to the same depth, time of all searches, nodes of all searches: those of games, or their sums.
type Sums = [f64; 3];

fn total(games: &[Sums]) -> Sums {
    array::from_fn(|index| games.iter().map(|game| game[index]).sum())
}

/// The logarithm of the time up to the same depth.
fn logarithm(sums: Sums) -> f64 {
    let [same_depth, time, nodes] = sums.map(|sum| sum.max(f64::MIN_POSITIVE).ln());
    same_depth + time - nodes
}

/// By how much the time of `own` exceeds that of `best`, as a share; both by game.
fn cost(own: &[Sums], best: &[Sums], width: f64) -> Estimate {
    let [of_own, of_best] = [own, best].map(total);
    let without = |all: Sums, game: &Sums| logarithm(array::from_fn(|index| all[index] - game[index]));
    let pairs = own.iter().zip(best);
    let without: Vec<_> = pairs.map(|(own, best)| without(of_own, own) - without(of_best, best)).collect();
    let count = own.len() as f64;
    let mean = without.iter().sum::<f64>() / count;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    let error = ((count - 1.0) / count * squares).sqrt();
    let ratio = (logarithm(of_own) - logarithm(of_best)).exp();
    Estimate { value: ratio - 1.0, error: width * error * ratio }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games whose times to the same depth are these multiples of 100 ms, more or less, by size; of the second number the
    /// factor by which the engine is slower, and of the third by how much it searches more nodes.
    fn rows(games: u32, sizes: &[(usize, f64, f64)]) -> Vec<GameFigures> {
        let of_game = |game: u32| {
            sizes.iter().enumerate().map(move |(index, &(megabytes, slower, more))| {
                // Noise of 4 % at most, another one for each size.
                let noise = f64::from((game * 7 + index as u32 * 5) % 9) / 100.0 - 0.04;
                let length = f64::from(game % 3 + 1);
                GameFigures {
                    game,
                    megabytes,
                    same_depth_ms: 100.0 * length * slower * more * (1.0 + noise),
                    same_depth_nodes: Some((1e6 * length * more) as u64),
                    given_ms: 1000.0,
                    nodes: Some((1e7 / slower * (1.0 + noise)) as u64),
                    ..GameFigures::default()
                }
            })
        };
        (1..=games).flat_map(of_game).collect()
    }

    fn verdicts(rows: &[GameFigures]) -> Vec<Verdict> {
        Comparison::of(rows, Some(5.0)).sizes.iter().map(|size| size.verdict).collect()
    }

    #[test]
    fn sizes_are_good_worse_or_open() {
        use Verdict::{Good, Open, Worse};
        let same = [(1, 1.0, 1.0), (16, 1.0, 1.0), (64, 1.0, 1.0)];
        assert_eq!(verdicts(&rows(64, &same)), [Good, Good, Good]);
        // Slower searches, and more of them, count alike.
        let apart = rows(64, &[(1, 1.0, 1.3), (16, 1.0, 1.0), (64, 0.9, 1.11), (1024, 1.3, 1.0)]);
        assert_eq!(verdicts(&apart), [Worse, Good, Good, Worse]);
        // An engine without nodes is compared by time.
        let timed: Vec<_> = apart.into_iter().map(|row| GameFigures { nodes: None, ..row }).collect();
        assert_eq!(verdicts(&timed), [Worse, Good, Good, Worse]);
        // A cost at the tolerance stays open, and a few games settle nothing.
        let Open(more) = verdicts(&rows(64, &[(16, 1.0, 1.0), (64, 1.05, 1.0)]))[1] else { panic!("5 %") };
        assert!(more > 64, "{more}");
        assert!(verdicts(&rows(LEAST_GAMES as u32 - 1, &same)).is_empty());
        let few = Comparison::of(&rows(LEAST_GAMES as u32, &[(16, 1.0, 1.0), (64, 1.03, 1.0)]), Some(5.0));
        assert!(!few.is_decided() && few.games == LEAST_GAMES, "{few:?}");
        let looks = |step| (0..=70).step_by(step).filter(|&games| is_look(games, step)).collect::<Vec<_>>();
        assert_eq!([looks(1), looks(3), looks(10)], [[8, 16, 32, 64], [9, 18, 33, 66], [10, 20, 40, 70]]);
        // A game that one size lacks does not count.
        let mut all = rows(20, &[(1, 1.0, 1.0), (64, 1.0, 1.0)]);
        all.pop();
        assert_eq!(Comparison::of(&all, Some(5.0)).games, 19);
    }
}
