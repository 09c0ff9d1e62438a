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
/// The share of late moves above which a size loses games on time. A few late moves may be those of a busy machine.
const LATE_SHARE: f64 = 0.01;
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
    /// Positions that are left out of times and nodes, as some size reported no depth or no nodes, or did not get the
    /// processor.
    pub skipped: u32,
    /// Positions whose value was proved in time.
    pub solved: u32,
    /// Moves that would lose on time.
    pub late: u32,
    /// Time up to the depth that all sizes reached, summed over the positions.
    pub same_depth_ms: f64,
    /// Nodes up to there.
    pub same_depth_nodes: Option<u64>,
    /// Time of the searches, each from `go` to `bestmove`.
    pub time_ms: f64,
    /// Processor time of the searches.
    pub cpu_ms: Option<f64>,
    /// Nodes of the searches.
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
    /// 1-minute load average of the machine after the game.
    pub load: Option<f64>,
    /// Reason why the size is left out of the run.
    pub fault: Option<String>,
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
    /// Moves that would lose on time, and all moves. A size with a late move is never good.
    pub late: u32,
    pub moves: u32,
    pub verdict: Verdict,
}

impl Size {
    /// Whether the size has so many late moves that it is worse for them.
    pub(super) fn loses_on_time(&self) -> bool {
        f64::from(self.late) > LATE_SHARE * f64::from(self.moves)
    }

    fn is_open(&self) -> bool {
        matches!(self.verdict, Verdict::Open(_))
    }
}

/// All sizes.
#[derive(Debug)]
pub(super) struct Comparison {
    pub games: usize,
    /// By size; none before [`LEAST_GAMES`].
    pub sizes: Vec<Size>,
    /// The place of the fastest of the sizes without late moves.
    pub best: Option<usize>,
}

impl Comparison {
    /// Compares the sizes at which the engine did not fail. `tolerance` is the time, in per cent, that a size may take longer
    /// than the best.
    ///
    /// The time of a size is its nodes up to the depth that all sizes reached, at the speed of its own searches: a
    /// deterministic engine has the same nodes each time, and its speed is known far better than the time of a short search.
    /// Only the way to that depth counts, so a search that ends early gains nothing. Without nodes it is the time itself. Games, not positions, are the observations, as the positions of a game resemble
    /// each other. Errors are jackknife errors of the logarithm of the ratio, widened for the number of sizes and looks
    /// (Bonferroni).
    pub(super) fn of(rows: &[GameFigures], tolerance: Option<f64>) -> Self {
        let tolerance = tolerance.unwrap_or(TOLERANCE) / 100.0;
        let mut sizes: BTreeMap<usize, BTreeMap<u32, &GameFigures>> = BTreeMap::new();
        for row in rows {
            sizes.entry(row.megabytes).or_default().insert(row.game, row);
        }
        sizes.retain(|_, games| games.values().all(|row| row.fault.is_none()));
        // A game counts that all sizes have, with positions to compare, and with nodes if the engine reports nodes.
        let has_nodes = rows.iter().any(|row| row.nodes > Some(0));
        let all: Vec<_> = sizes.values().cloned().collect();
        for games in sizes.values_mut() {
            games.retain(|game, row| {
                let is_compared = row.skipped < row.positions && (row.nodes.is_some() || !has_nodes);
                is_compared && all.iter().all(|other| other.contains_key(game))
            });
        }
        let games = sizes.values().next().map_or(0, BTreeMap::len);
        if games < LEAST_GAMES {
            return Self { games, sizes: Vec::new(), best: None };
        }
        let width = deviations(ERROR_RATE / (2.0 * LOOKS * sizes.len() as f64));
        let sums = |row: &&GameFigures| match (row.same_depth_nodes, row.nodes) {
            (Some(same_depth), Some(nodes)) if has_nodes => [same_depth as f64, row.time_ms, nodes as f64],
            // The ones cancel.
            _ => [row.same_depth_ms, 1.0, 1.0],
        };
        let times: Vec<Vec<Sums>> = sizes.values().map(|games| games.values().map(sums).collect()).collect();
        let logarithms: Vec<_> = times.iter().map(|times| logarithm(total(times))).collect();
        let moves: Vec<[u32; 2]> = sizes
            .values()
            .map(|games| {
                games.values().fold([0; 2], |[late, all], row| [late + row.late, all + row.positions])
            })
            .collect();
        let is_on_time = |place: &usize| moves[*place][0] == 0;
        let by_time = |one: &usize, other: &usize| logarithms[*one].total_cmp(&logarithms[*other]);
        let best = (0..logarithms.len()).filter(is_on_time).min_by(by_time);
        // Where every size is late, the times are shown against the fastest.
        let reference = best.or_else(|| (0..logarithms.len()).min_by(by_time)).unwrap_or(0);
        let found = sizes.keys().zip(&times).zip(&moves).map(|((&megabytes, own), &[late, moves])| {
            let cost = cost(own, &times[reference], width);
            let Estimate { value, error } = cost;
            let mut size = Size { megabytes, cost, late, moves, verdict: Verdict::Good };
            size.verdict = if size.loses_on_time() || value - error > tolerance {
                Verdict::Worse
            } else if late > 0 {
                Verdict::Open(games as u64)
            } else if value + error <= tolerance {
                Verdict::Good
            } else {
                let ratio = error / (tolerance - value).abs().max(1e-3);
                Verdict::Open((games as f64 * (ratio * ratio - 1.0)).ceil().max(1.0) as u64)
            };
            size
        });
        Self { games, sizes: found.collect(), best }
    }

    /// The best size, if the games decide about any other size, and if no open size may be faster by more than `tolerance`, in
    /// per cent.
    pub(super) fn recommended(&self, tolerance: f64) -> Option<usize> {
        let open: Vec<_> = self.sizes.iter().filter(|size| size.is_open()).collect();
        let least_cost = 1.0 / (1.0 + tolerance / 100.0) - 1.0;
        let may_be_faster =
            open.iter().any(|size| size.late == 0 && size.cost.value - size.cost.error < least_cost);
        let is_decided = open.len() + 1 < self.sizes.len() && !may_be_faster;
        is_decided.then_some(self.sizes[self.best?].megabytes)
    }

    /// Whether the verdict about a size without late moves is open: that size may be faster than the best.
    pub(super) fn has_open(&self) -> bool {
        self.sizes.iter().any(|size| size.is_open() && size.late == 0)
    }

    /// Whether every size is told to be as good as the best or worse.
    pub(super) fn is_decided(&self) -> bool {
        !self.sizes.is_empty() && !self.sizes.iter().any(Size::is_open)
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
                    positions: 20,
                    time_ms: 1000.0,
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
        let timed: Vec<_> = apart.clone().into_iter().map(|row| GameFigures { nodes: None, ..row }).collect();
        assert_eq!(verdicts(&timed), [Worse, Good, Good, Worse]);
        // One game without nodes is left out, and the others are still compared by nodes.
        let few = [&timed[..4], &apart[4..]].concat();
        assert_eq!((verdicts(&few), Comparison::of(&few, None).games), (verdicts(&apart), 63));
        // A cost at the tolerance stays open, and a few games settle nothing.
        let Open(more) = verdicts(&rows(64, &[(16, 1.0, 1.0), (64, 1.05, 1.0)]))[1] else { panic!("5 %") };
        assert!(more > 64, "{more}");
        assert!(verdicts(&rows(LEAST_GAMES as u32 - 1, &same)).is_empty());
        let few = Comparison::of(&rows(LEAST_GAMES as u32, &[(16, 1.0, 1.0), (64, 1.03, 1.0)]), Some(5.0));
        assert!(!few.is_decided() && few.games == LEAST_GAMES, "{few:?}");
        let looks = |step| (0..=70).step_by(step).filter(|&games| is_look(games, step)).collect::<Vec<_>>();
        assert_eq!([looks(1), looks(3), looks(10)], [[8, 16, 32, 64], [9, 18, 33, 66], [10, 20, 40, 70]]);
        // A size with late moves is never good, and many of them decide.
        let mut late = rows(64, &same);
        late.iter_mut().filter(|row| row.megabytes == 1).for_each(|row| row.late = 1);
        late[2].late = 1;
        assert_eq!(verdicts(&late), [Worse, Good, Open(64)]);
        for row in &mut late {
            row.late = 1;
        }
        let comparison = Comparison::of(&late, Some(5.0));
        assert_eq!((comparison.best, comparison.recommended(5.0)), (None, None));
        // Sizes with a fault do not count, nor do games without positions to compare.
        late.iter_mut()
            .filter(|row| row.megabytes != 16)
            .for_each(|row| row.fault = Some("crash".to_owned()));
        assert_eq!(Comparison::of(&late, None).sizes.len(), 1);
        for row in &mut late {
            row.skipped = row.positions;
        }
        assert_eq!(Comparison::of(&late, None).games, 0);
        // A game that one size lacks does not count.
        let mut all = rows(20, &[(1, 1.0, 1.0), (64, 1.0, 1.0)]);
        all.pop();
        assert_eq!(Comparison::of(&all, Some(5.0)).games, 19);
    }
}
