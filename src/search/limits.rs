//! Limits and settings of a search, and time management.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

/// The limits of one search.
///
/// `mate` overrides `depth`. Below full strength `mate` is ignored. An infinite search has no time limit.
///
/// ```
/// use plumb::search::Limits;
/// use std::time::Duration;
///
/// let mut limits = Limits::default().with_search_moves([2, 3]);
/// limits.move_time = Some(Duration::from_millis(100));
/// assert_eq!(limits.search_moves, [2, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The root moves to consider, as columns from 0; empty for all legal moves.
    pub search_moves: Vec<u32>,
    /// Depth in plies, at least 1. A depth that reaches the end of the game solves the position.
    pub depth: Option<u32>,
    /// Greatest number of nodes. Reproducible with one thread, an empty table and memory, and full strength
    /// or a seed. Each further thread may exceed the limit by a few hundred nodes.
    pub nodes: Option<u64>,
    /// Search only for a win within this many plies, at least 1. Without a win, the result is the best move of a short
    /// search.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The playing clock for time management.
    pub clock: Option<Clock>,
    /// Whether the search answers only after it is stopped.
    pub infinite: bool,
    /// Whether to ponder: the opponent is still thinking, and time counts from the ponder hit.
    pub ponder: bool,
}

impl Limits {
    /// These limits with at most this many [`nodes`](Self::nodes).
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// These limits for these [root moves](Self::search_moves), as columns from 0.
    #[must_use]
    pub fn with_search_moves(self, columns: impl IntoIterator<Item = u32>) -> Self {
        Self { search_moves: columns.into_iter().collect(), ..self }
    }
}

/// The playing clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time for the rest of the game, or until the next time control.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control. `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The settings of a search in addition to its limits. Set them field by field:
///
/// ```
/// use plumb::search::{Settings, Strength};
/// use std::num::NonZeroUsize;
///
/// let mut settings = Settings::default();
/// settings.threads = NonZeroUsize::new(2).expect("two is not zero");
/// settings.strength = Strength::Level(7.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Number of best moves to search and report.
    pub multi_pv: NonZeroUsize,
    /// Playing strength.
    pub strength: Strength,
    /// Number of threads of the exact search. The depth-limited search runs on one thread.
    pub threads: NonZeroUsize,
    /// Whether to play from the opening book.
    pub own_book: bool,
    /// Whether to choose, among the moves that keep a theoretical draw or loss, the best move against a
    /// fallible opponent. Ignored below full strength, with `MultiPV`, in an infinite search, and with a limit
    /// on depth or mate distance.
    pub swindle: bool,
    /// Seed of the random choices below full strength. Without a seed they differ each time.
    pub seed: Option<NonZeroU32>,
}

impl Settings {
    /// The book requires full strength, no mate limit, and no depth limit below the number of empty cells.
    pub(crate) fn plays_book(&self, limits: &Limits, empty_cells: u32) -> bool {
        let is_to_the_end = limits.mate.is_none() && limits.depth.is_none_or(|depth| depth >= empty_cells);
        self.own_book && self.strength == Strength::Full && is_to_the_end
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: NonZeroUsize::MIN,
            strength: Strength::Full,
            threads: NonZeroUsize::MIN,
            own_book: true,
            swindle: false,
            seed: None,
        }
    }
}

/// Playing strength.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Strength {
    /// Full strength.
    #[default]
    Full,
    /// Weakened: from 0.0, the weakest, to below 20.0, like the option `Skill Level`. Values outside are clamped; NaN
    /// is not allowed. See [`level_for_elo`](super::strength::level_for_elo).
    Level(f64),
}

const MIN_TIME: Duration = Duration::from_millis(1);

pub(crate) const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);

/// With `movetime`, the reserve for late answers takes at most half of the search time plus this duration,
/// and never the last 1/32. A short search may get no processor at all on a busy machine.
const LATENESS_BEYOND_HALF: Duration = Duration::from_millis(15);

/// Longest clock time: 136 years, so that sums of times do not overflow.
const MAX_CLOCK: Duration = Duration::from_secs(u32::MAX as u64);

/// Longest grace period after the hard time bound, in which the search itself can still answer.
const MAX_ANSWER_GRACE: Duration = Duration::from_millis(1);

/// Factor by which the nodes of a proof fall from one move of a side to its next, two plies later. Mean nodes
/// of 40 balanced 7x6 positions, empty table, by stones: 8: 1,024,000; 10: 438,000; 12: 154,000; 14: 66,000;
/// 16: 27,000; 18: 9,100; 20: 4,900; 22: 2,600; 24: 1,200.
const PROOF_COST_FACTOR: f64 = 0.42;

/// With more empty cells than this (fewer than 8 stones on 7x6), the expected cost of a proof no longer
/// rises. A proof there seldom succeeds within one move.
const MAX_PROOF_CELLS: u32 = 34;

/// Time kept back on each move for communication with the arena.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overhead {
    /// The user's value (`Move Overhead`), kept back in full as long as a millisecond remains. `None` means
    /// 10 ms, but at most a quarter of `movetime`.
    pub set: Option<Duration>,
    /// Additional reserve after late answers on a busy machine. It shortens `movetime` by at most half of the
    /// search time plus 15 ms.
    pub lateness: Duration,
    /// Additional time reserve for the choice by [`Settings::swindle`](super::Settings::swindle).
    pub swindle_lateness: Duration,
}

impl Overhead {
    /// No overhead, for callers that use the result in the same process.
    pub const NONE: Self =
        Self { set: Some(Duration::ZERO), lateness: Duration::ZERO, swindle_lateness: Duration::ZERO };

    fn search_part_of_move(self, time: Duration) -> Duration {
        let planned = time.saturating_sub(self.move_overhead(time)).max(MIN_TIME);
        let least = (planned / 32).max((planned / 2).saturating_sub(LATENESS_BEYOND_HALF));
        planned.saturating_sub(self.lateness).max(least)
    }

    fn move_overhead(self, time: Duration) -> Duration {
        self.set.unwrap_or_else(|| DEFAULT_OVERHEAD.min(time / 4))
    }

    fn search_part_of_clock(self, remaining: Duration) -> Duration {
        remaining.saturating_sub(self.set.unwrap_or(DEFAULT_OVERHEAD) + self.lateness).max(MIN_TIME)
    }
}

/// The time that a search may take, from its start or from the ponder hit. `None` for no bound.
///
/// ```
/// use plumb::search::{Limits, Overhead, TimeBudget};
/// use std::time::Duration;
///
/// let mut limits = Limits::default();
/// limits.move_time = Some(Duration::from_millis(100));
/// let budget = TimeBudget::new(&limits, Overhead::default(), 42);
/// assert_eq!(budget.hard, Some(Duration::from_millis(90)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// The time at which the search is aborted. The search ends earlier once the position is solved, and on a
    /// clock at a known score or an only move.
    pub hard: Option<Duration>,
    /// The latest end of the choice by [`Settings::swindle`](super::Settings::swindle), at most the hard
    /// bound.
    pub swindle: Option<Duration>,
    /// The latest time of the answer. After that the caller answers with the best move so far.
    pub answer: Option<Duration>,
    /// Delay after the hard bound that is not late: half of `Move Overhead` or its default.
    pub tolerance: Duration,
}

impl TimeBudget {
    /// The budget for one move. Infinite searches have no bounds.
    #[must_use]
    pub fn new(limits: &Limits, overhead: Overhead, empty_cells: u32) -> Self {
        if limits.infinite {
            return Self::default();
        }
        let on_clock = limits.clock.map(|clock| Self::on_clock(clock, overhead, empty_cells));
        let for_move = limits.move_time.map(|time| {
            Self::until(overhead.search_part_of_move(time), time, overhead.move_overhead(time), overhead)
        });
        match (on_clock, for_move) {
            (Some(a), Some(b)) => Self {
                hard: a.hard.min(b.hard),
                swindle: a.swindle.min(b.swindle),
                answer: a.answer.min(b.answer),
                tolerance: a.tolerance.min(b.tolerance),
            },
            (a, b) => a.or(b).unwrap_or_default(),
        }
    }

    /// `hard` ends the search. The move is late after `limit`.
    fn until(hard: Duration, limit: Duration, move_overhead: Duration, overhead: Overhead) -> Self {
        let grace = MAX_ANSWER_GRACE.min(limit.saturating_sub(hard) / 4);
        Self {
            hard: Some(hard),
            swindle: Some(hard.saturating_sub(overhead.swindle_lateness)),
            answer: Some(hard + grace),
            tolerance: move_overhead / 2,
        }
    }

    /// Divides the clock among the remaining moves, in proportion to the expected nodes of a proof. A move
    /// may use its full share, because no time is needed after a proof.
    ///
    /// Chosen by games without a book, 16 MB, balanced openings of 8 stones, at 1+0.01 / 3+0.03 (seconds +
    /// increment). Elo against two other schedules, in matches of 800 games:
    ///
    /// - this schedule: +62 ± 11 / +12 ± 5
    /// - at least 12 % of the clock, up to three times that for a proof: +23 ± 12 / +12 ± 5
    /// - even shares: -86 ± 13 / -24 ± 7
    ///
    /// Against Fairy-Stockfish at 1+0.01, 400 games each: +344 ± 39 (7 lost), with the second schedule +308 ±
    /// 39 (21 lost).
    fn on_clock(clock: Clock, overhead: Overhead, empty_cells: u32) -> Self {
        let [remaining, increment] = [clock.remaining, clock.increment].map(|time| time.min(MAX_CLOCK));
        let usable = overhead.search_part_of_clock(remaining);
        let own_moves_left = empty_cells.div_ceil(2).max(1);
        let horizon = clock.moves_to_go.unwrap_or(own_moves_left).clamp(1, own_moves_left);
        let costs = (0..horizon).map(|moves| expected_proof_cost(empty_cells.saturating_sub(2 * moves)));
        let part = expected_proof_cost(empty_cells) / costs.sum::<f64>();
        // A user's `Move Overhead` shortens the increment too. The default does not, because a fifth of the
        // increment stays unused.
        let set = overhead.set.unwrap_or_default();
        // The overhead of a later move, less the increment that comes before it.
        let each = set.max(DEFAULT_OVERHEAD).saturating_sub(increment);
        let share = usable.saturating_sub(each * (horizon - 1)).mul_f64(part);
        let hard = (share + increment.saturating_sub(set).mul_f64(0.8)).min(usable).max(MIN_TIME);
        Self::until(hard, remaining, overhead.set.unwrap_or(DEFAULT_OVERHEAD), overhead)
    }
}

fn expected_proof_cost(empty_cells: u32) -> f64 {
    let moves_made = f64::from(MAX_PROOF_CELLS.saturating_sub(empty_cells)) / 2.0;
    PROOF_COST_FACTOR.powf(moves_made)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: Overhead =
        Overhead { set: None, lateness: Duration::ZERO, swindle_lateness: Duration::ZERO };

    fn milliseconds(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    fn set(value: u64) -> Overhead {
        Overhead { set: Some(milliseconds(value)), ..DEFAULT }
    }

    fn late(value: u64) -> Overhead {
        Overhead { lateness: milliseconds(value), ..DEFAULT }
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let (remaining, increment) = (milliseconds(remaining), milliseconds(increment));
        Limits { clock: Some(Clock { remaining, increment, moves_to_go }), ..Limits::default() }
    }

    fn move_time(time: u64, overhead: Overhead) -> u128 {
        let limits = Limits { move_time: Some(milliseconds(time)), ..Limits::default() };
        let budget = TimeBudget::new(&limits, overhead, 42);
        let (hard, answer) = budget.hard.zip(budget.answer).expect("both are bounded");
        assert!(hard <= answer && answer <= milliseconds(time.max(1)));
        hard.as_micros()
    }

    #[test]
    fn overhead_and_lateness_are_kept_back_of_a_fixed_time() {
        for (time, overhead, microseconds) in [
            (100, DEFAULT, 90_000),
            (12, DEFAULT, 9_000),
            (0, DEFAULT, 1_000),
            (20, set(0), 20_000),
            (20, set(10), 10_000),
            (20, set(19), 1_000),
            (20, set(20), 1_000),
            (20, set(100), 1_000),
            // The reserve for late answers leaves at least 1/32 of the time for the search.
            (20, late(4), 11_000),
            (20, late(100), 468),
            (100, late(80), 30_000),
            (100, late(20), 70_000),
            (20, Overhead { lateness: milliseconds(3), ..set(5) }, 12_000),
        ] {
            assert_eq!(move_time(time, overhead), microseconds, "{time} ms, {overhead:?}");
        }
    }

    #[test]
    fn overhead_and_lateness_are_kept_back_on_a_clock() {
        for (overhead, left) in [(set(0), 1_000), (set(400), 600), (set(5_000), 1), (late(90), 900)] {
            let hard = TimeBudget::new(&clock(1_000, 0, Some(1)), overhead, 42).hard;
            assert_eq!(hard, Some(milliseconds(left)), "{overhead:?}");
        }
    }

    #[test]
    fn the_lateness_of_choices_shortens_only_them() {
        let overhead = |late| Overhead { swindle_lateness: milliseconds(late), ..DEFAULT };
        let limits = Limits { move_time: Some(milliseconds(100)), ..Limits::default() };
        for (late, choice) in [(0, 90), (30, 60), (80, 10), (200, 0)] {
            let budget = TimeBudget::new(&limits, overhead(late), 42);
            assert_eq!((budget.hard, budget.swindle), (Some(milliseconds(90)), Some(milliseconds(choice))));
        }
        let both = Limits { move_time: limits.move_time, ..clock(1_000, 0, Some(1)) };
        let budget = TimeBudget::new(&both, overhead(30), 42);
        assert_eq!((budget.hard, budget.swindle), (Some(milliseconds(90)), Some(milliseconds(60))));
    }

    #[test]
    fn a_move_may_use_four_fifths_of_the_increment() {
        for (overhead, base) in [(DEFAULT, 10), (set(400), 410)] {
            let hard = |increment| {
                TimeBudget::new(&clock(60_000, increment, Some(40)), overhead, 42).hard.expect("hard")
            };
            let more = hard(base + 1_000).checked_sub(hard(base)).expect("more time");
            assert!(more.as_micros().abs_diff(800_000) <= 1, "{more:?}");
        }
    }

    #[test]
    fn no_clock_is_ever_overrun() {
        for remaining in [0, 1, 5, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 5_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    for empty in 1..=42 {
                        let allowed =
                            TimeBudget::new(&clock(remaining, increment, moves_to_go), DEFAULT, empty);
                        let limit = milliseconds(remaining.saturating_sub(10).max(1));
                        assert!(allowed.hard.expect("hard") <= limit);
                        assert!(allowed.answer.expect("answer") <= milliseconds(remaining.max(1)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_on_the_clock_leaves_time_for_every_move() {
        for (cells, time, increment, overhead, lag) in [
            (42, 10_000, 0, DEFAULT, 9),
            (42, 5_000, 0, set(100), 90),
            (42, 60_000, 0, set(1_000), 900),
            (56, 3_000, 30, set(100), 90),
            (100, 10_000, 0, DEFAULT, 9),
        ] {
            let mut remaining = milliseconds(time);
            for empty in (1..=cells).rev().step_by(2) {
                let limits = Limits {
                    clock: Some(Clock { remaining, increment: milliseconds(increment), moves_to_go: None }),
                    ..Limits::default()
                };
                let hard = TimeBudget::new(&limits, overhead, empty).hard.expect("hard");
                let left = remaining.checked_sub(hard + milliseconds(lag));
                remaining = left
                    .unwrap_or_else(|| panic!("{empty} empty cells of {cells}: {remaining:?} left"))
                    + milliseconds(increment);
            }
        }
    }

    #[test]
    fn infinite_searches_have_no_clock() {
        let limits = Limits { infinite: true, ..clock(1_000, 0, None) };
        assert_eq!(TimeBudget::new(&limits, DEFAULT, 42), TimeBudget::default());
        assert_eq!(TimeBudget::new(&Limits::default(), DEFAULT, 42), TimeBudget::default());
    }
}
