//! Comparison of table sizes that searched the same positions.

use std::array;
use std::collections::BTreeMap;

use plumb_arena::statistics::elo::deviations;
use serde::{Deserialize, Serialize};

use crate::result_files::Row;
use crate::tune_hash::Verdict;

/// Default of `--tolerance` in per cent. With 5 to 25 %, another seed changes the verdict of some size. The
/// differences in `tools/hash.md` are smaller than 30 %.
pub(super) const TOLERANCE: f64 = 30.0;
pub(super) const LEAST_GAMES: usize = 8;
/// Number of interim comparisons in a run of up to 256 games: after 8, 16, 32 … games.
const LOOKS: f64 = 6.0;
/// Share of late moves above which a size is judged to lose on time. A busy machine causes a few late moves.
const LATE_SHARE: f64 = 0.01;
/// Probability of a wrong verdict in a run. The quantiles are normal, so errors are more frequent after only 8 games.
const ERROR_RATE: f64 = 0.05;

/// Whether to compare after this number of games: 8, 16, 32 …, or the next multiple of `step`. Fewer comparisons
/// mislead less often, and a resumed run compares after the same games.
pub(super) fn is_look(games: usize, step: usize) -> bool {
    games >= LEAST_GAMES && games - (1 << games.ilog2()) < step
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::tune_hash) struct GameFigures {
    pub game: u32,
    pub megabytes: usize,
    pub positions: u32,
    /// Positions that do not count, because a size reported no depth or no nodes, or got too little CPU time.
    pub skipped: u32,
    pub solved: u32,
    pub late: u32,
    /// Total time to the depth that all sizes reached.
    pub same_depth_ms: f64,
    pub same_depth_nodes: Option<u64>,
    pub time_ms: f64,
    pub cpu_ms: Option<f64>,
    pub nodes: Option<u64>,
    /// Mean filled share of the table at the end of a move.
    pub full: Option<f64>,
    pub full_most: Option<f64>,
    pub memory_mb: Option<f64>,
    /// Time from the start to `readyok`.
    pub start_ms: f64,
    /// Time to clear the table for a new game.
    pub clear_ms: f64,
    pub load: Option<f64>,
    pub fault: Option<String>,
}

impl Row for GameFigures {
    fn key(&self) -> String {
        format!("game {}, {} MB", self.game, self.megabytes)
    }
}

/// A value and half the width of its confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Estimate {
    pub value: f64,
    pub error: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Size {
    pub megabytes: usize,
    /// Additional time to the same depth, as a share.
    pub cost: Estimate,
    /// Number of moves that exceeded their time. A size with such moves is never good.
    pub late: u32,
    pub moves: u32,
    pub verdict: Verdict,
}

impl Size {
    pub(super) fn loses_on_time(&self) -> bool {
        f64::from(self.late) > LATE_SHARE * f64::from(self.moves)
    }

    pub(super) fn is_good(&self) -> bool {
        self.verdict == Verdict::Good
    }

    fn is_open(&self) -> bool {
        matches!(self.verdict, Verdict::Open(_))
    }
}

#[derive(Debug)]
pub(super) struct Comparison {
    pub games: usize,
    /// The sizes, in ascending order; empty before [`LEAST_GAMES`].
    pub sizes: Vec<Size>,
    /// Index of the fastest size without late moves.
    pub best: Option<usize>,
}

impl Comparison {
    /// Compares the sizes at which the engine did not fail. `tolerance` is in per cent.
    ///
    /// The time of a size is its nodes to the depth that all sizes reached, divided by the speed of its searches. A
    /// deterministic engine always has the same nodes, and its speed is known better than the time of a short search.
    /// Without nodes, the measured time counts. The observations are games, because positions of a game resemble each
    /// other. Errors are jackknife errors of the logarithm of the ratio, widened for the number of sizes and
    /// comparisons (Bonferroni).
    pub(super) fn of(rows: &[GameFigures], tolerance: Option<f64>) -> Self {
        let tolerance = tolerance.unwrap_or(TOLERANCE) / 100.0;
        let mut sizes: BTreeMap<usize, BTreeMap<u32, &GameFigures>> = BTreeMap::new();
        for row in rows {
            sizes.entry(row.megabytes).or_default().insert(row.game, row);
        }
        sizes.retain(|_, games| games.values().all(|row| row.fault.is_none()));
        // A game counts if all sizes have positions to compare in it, with nodes if the engine reports nodes.
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
        let mut compared = Vec::new();
        for (&megabytes, games) in &sizes {
            let (mut late, mut moves, mut times) = (0, 0, Vec::new());
            for row in games.values() {
                late += row.late;
                moves += row.positions;
                times.push(sums(row, has_nodes));
            }
            compared.push((megabytes, late, moves, times));
        }
        let logarithms: Vec<_> = compared.iter().map(|(.., times)| logarithm(total(times))).collect();
        let (mut best, mut fastest) = (None, 0);
        for (place, (_, late, ..)) in compared.iter().enumerate() {
            if logarithms[place] < logarithms[fastest] {
                fastest = place;
            }
            if *late == 0 && best.is_none_or(|best: usize| logarithms[place] < logarithms[best]) {
                best = Some(place);
            }
        }
        // If every size has late moves, the reference is the fastest size.
        let reference = &compared[best.unwrap_or(fastest)].3;
        let mut found = Vec::new();
        for (megabytes, late, moves, times) in &compared {
            let cost = cost(times, reference, width);
            let mut size =
                Size { megabytes: *megabytes, cost, late: *late, moves: *moves, verdict: Verdict::Good };
            size.verdict = verdict(&size, games, tolerance);
            found.push(size);
        }
        Self { games, sizes: found, best }
    }

    /// The best size, if another size is decided and no undecided size may be faster by more than `tolerance` (per
    /// cent).
    pub(super) fn recommended(&self, tolerance: f64) -> Option<usize> {
        let least_cost = 1.0 / (1.0 + tolerance / 100.0) - 1.0;
        let mut open = 0;
        for size in self.sizes.iter().filter(|size| size.is_open()) {
            open += 1;
            if size.late == 0 && size.cost.value - size.cost.error < least_cost {
                return None;
            }
        }
        if open + 1 < self.sizes.len() { Some(self.sizes[self.best?].megabytes) } else { None }
    }

    /// Whether a size without late moves is undecided, so it may be faster than the best size.
    pub(super) fn has_open(&self) -> bool {
        self.sizes.iter().any(|size| size.is_open() && size.late == 0)
    }

    pub(super) fn is_decided(&self) -> bool {
        !self.sizes.is_empty() && !self.sizes.iter().any(Size::is_open)
    }
}

/// Nodes to the same depth, time of all searches, nodes of all searches.
type Sums = [f64; 3];

fn sums(row: &GameFigures, has_nodes: bool) -> Sums {
    match (row.same_depth_nodes, row.nodes) {
        (Some(same_depth), Some(nodes)) if has_nodes => [same_depth as f64, row.time_ms, nodes as f64],
        // With 1 for time and nodes, only the measured time counts.
        _ => [row.same_depth_ms, 1.0, 1.0],
    }
}

fn verdict(size: &Size, games: usize, tolerance: f64) -> Verdict {
    let Estimate { value, error } = size.cost;
    if size.loses_on_time() || value - error > tolerance {
        return Verdict::Worse;
    }
    if size.late > 0 {
        return Verdict::Open(games as u64);
    }
    if value + error <= tolerance {
        return Verdict::Good;
    }
    let ratio = error / (tolerance - value).abs().max(1e-3);
    Verdict::Open((games as f64 * (ratio * ratio - 1.0)).ceil().max(1.0) as u64)
}

fn total(games: &[Sums]) -> Sums {
    array::from_fn(|index| games.iter().map(|game| game[index]).sum())
}

/// The logarithm of the time to the same depth.
fn logarithm(sums: Sums) -> f64 {
    let [same_depth, time, nodes] = sums.map(|sum| sum.max(f64::MIN_POSITIVE).ln());
    same_depth + time - nodes
}

/// Share by which the time of `own` exceeds the time of `best`. Each item is a game.
fn cost(own: &[Sums], best: &[Sums], width: f64) -> Estimate {
    let [of_own, of_best] = [own, best].map(total);
    let pairs = own.iter().zip(best);
    let without: Vec<_> =
        pairs.map(|(own, best)| logarithm_without(of_own, own) - logarithm_without(of_best, best)).collect();
    let count = own.len() as f64;
    let mean = without.iter().sum::<f64>() / count;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    let error = ((count - 1.0) / count * squares).sqrt();
    let ratio = (logarithm(of_own) - logarithm(of_best)).exp();
    Estimate { value: ratio - 1.0, error: width * error * ratio }
}

fn logarithm_without(all: Sums, game: &Sums) -> f64 {
    logarithm(array::from_fn(|index| all[index] - game[index]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulated games for sizes, each with a factor of the time per node and a factor of the nodes.
    fn rows(games: u32, sizes: &[(usize, f64, f64)]) -> Vec<GameFigures> {
        let of_game = |game: u32| {
            sizes.iter().enumerate().map(move |(index, &(megabytes, slower, more))| {
                // Noise of 4 % at most, different for each size.
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
        let apart = rows(64, &[(1, 1.0, 1.3), (16, 1.0, 1.0), (64, 0.9, 1.11), (1024, 1.3, 1.0)]);
        assert_eq!(verdicts(&apart), [Worse, Good, Good, Worse]);
        let timed: Vec<_> = apart.clone().into_iter().map(|row| GameFigures { nodes: None, ..row }).collect();
        assert_eq!(verdicts(&timed), [Worse, Good, Good, Worse]);
        // If only some games lack nodes, these games are left out.
        let few = [&timed[..4], &apart[4..]].concat();
        assert_eq!((verdicts(&few), Comparison::of(&few, None).games), (verdicts(&apart), 63));
        // A cost at the tolerance stays undecided, and a few games decide nothing.
        let Open(more) = verdicts(&rows(64, &[(16, 1.0, 1.0), (64, 1.05, 1.0)]))[1] else { panic!("5 %") };
        assert!(more > 64, "{more}");
        assert!(verdicts(&rows(LEAST_GAMES as u32 - 1, &same)).is_empty());
        let few = Comparison::of(&rows(LEAST_GAMES as u32, &[(16, 1.0, 1.0), (64, 1.03, 1.0)]), Some(5.0));
        assert!(!few.is_decided() && few.games == LEAST_GAMES, "{few:?}");
        let looks = |step| (0..=70).step_by(step).filter(|&games| is_look(games, step)).collect::<Vec<_>>();
        assert_eq!([looks(1), looks(3), looks(10)], [[8, 16, 32, 64], [9, 18, 33, 66], [10, 20, 40, 70]]);
        // A size with late moves is never `Good`. Many late moves make it `Worse`, a few leave it `Open`.
        let mut late = rows(64, &same);
        late.iter_mut().filter(|row| row.megabytes == 1).for_each(|row| row.late = 1);
        late[2].late = 1;
        assert_eq!(verdicts(&late), [Worse, Good, Open(64)]);
        for row in &mut late {
            row.late = 1;
        }
        let comparison = Comparison::of(&late, Some(5.0));
        assert_eq!((comparison.best, comparison.recommended(5.0)), (None, None));
        // Sizes with a fault and games without positions do not count.
        late.iter_mut()
            .filter(|row| row.megabytes != 16)
            .for_each(|row| row.fault = Some("crash".to_owned()));
        assert_eq!(Comparison::of(&late, None).sizes.len(), 1);
        for row in &mut late {
            row.skipped = row.positions;
        }
        assert_eq!(Comparison::of(&late, None).games, 0);
        let mut all = rows(20, &[(1, 1.0, 1.0), (64, 1.0, 1.0)]);
        all.pop();
        assert_eq!(Comparison::of(&all, Some(5.0)).games, 19);
    }
}
