//! Turning limits and clocks into bounds on the time of one move.

use std::time::Duration;

use super::limits::{Clock, Limits};

/// The least time a move is given, so that there is one.
const LEAST: Duration = Duration::from_millis(1);

/// Time kept back on a move where the user has set none.
const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);

/// Time after the hard bound in which a search that has noticed it can still report its own answer.
const ANSWER_GRACE: Duration = Duration::from_millis(1);

/// Time kept back on a move, in which the answer travels to the arena.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overhead {
    /// The value that the user has set: kept back in full, as long as a millisecond remains. `None` for the default: 10 ms,
    /// but at most a quarter of a fixed time for the move.
    pub set: Option<Duration>,
    /// How late this process was lately when it wanted a processor: kept back as well.
    pub lateness: Duration,
}

impl Overhead {
    /// The part of `time` for one move that is left for the search: at least a millisecond, or on a machine that is too late
    /// for that, a thirty-second of what it would be otherwise.
    fn taken_from(self, time: Duration) -> Duration {
        let planned = time.saturating_sub(self.kept_of(time)).max(LEAST);
        planned.saturating_sub(self.lateness).max(planned / 32)
    }

    /// The part of `time` for one move that is always kept back.
    fn kept_of(self, time: Duration) -> Duration {
        self.set.unwrap_or_else(|| DEFAULT_OVERHEAD.min(time / 4))
    }

    /// The part of the time on a clock that is left for the search, at least a millisecond.
    fn taken_from_clock(self, remaining: Duration) -> Duration {
        remaining.saturating_sub(self.set.unwrap_or(DEFAULT_OVERHEAD) + self.lateness).max(LEAST)
    }
}

/// How long a search may take, counted from the `go` or from the ponder hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// The search begins nothing new after this.
    pub soft: Option<Duration>,
    /// The search is broken off at this.
    pub hard: Option<Duration>,
    /// The answer is given at this, by whoever can, even if the search thread has not noticed the hard bound.
    pub answer: Option<Duration>,
    /// The delay of the answer that the time kept back in any case allows for: half of it, as the other half is for the
    /// arena. A longer delay counts as lateness.
    pub tolerance: Duration,
}

impl Allowance {
    /// The allowance for one move with `empty_cells` cells still empty. Nothing is bounded in an infinite search, nor
    /// where `limits` hold neither a time nor a clock.
    #[must_use]
    pub fn new(limits: &Limits, overhead: Overhead, empty_cells: u32) -> Self {
        if limits.infinite {
            return Self::default();
        }
        let on_clock = limits.clock.map(|clock| Self::on_clock(clock, overhead, empty_cells));
        let for_move = limits
            .move_time
            .map(|time| Self::until(None, overhead.taken_from(time), time, overhead.kept_of(time)));
        match (on_clock, for_move) {
            (Some(a), Some(b)) => Self {
                soft: a.soft,
                hard: a.hard.min(b.hard),
                answer: a.answer.min(b.answer),
                tolerance: a.tolerance.min(b.tolerance),
            },
            (a, b) => a.or(b).unwrap_or_default(),
        }
    }

    /// The allowance with these bounds, where the move is late after `limit` and so much is `kept` back in any case.
    fn until(soft: Option<Duration>, hard: Duration, limit: Duration, kept: Duration) -> Self {
        let grace = ANSWER_GRACE.min(limit.saturating_sub(hard) / 4);
        Self { soft, hard: Some(hard), answer: Some(hard + grace), tolerance: kept / 2 }
    }

    /// The first moves of a game are the hard ones: once the position is solved the rest takes no time. So each takes a
    /// fixed share of what is left instead of an even one, and may run well over it to finish a proof.
    fn on_clock(clock: Clock, overhead: Overhead, empty_cells: u32) -> Self {
        let usable = overhead.taken_from_clock(clock.remaining);
        let own_moves_left = empty_cells.div_ceil(2).max(1);
        let horizon = clock.moves_to_go.unwrap_or(own_moves_left).clamp(1, own_moves_left);
        let share = usable.mul_f64((1.0 / f64::from(horizon)).max(0.12));
        let bonus = clock.increment.mul_f64(0.8);
        let soft = (share + bonus).min(usable);
        let hard = (share * 3 + bonus).min(if horizon == 1 { usable } else { usable / 2 }).max(LEAST);
        Self::until(Some(soft), hard, clock.remaining, overhead.set.unwrap_or(DEFAULT_OVERHEAD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: Overhead = Overhead { set: None, lateness: Duration::ZERO };

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

    /// The hard bound of `go movetime` with so many milliseconds, in microseconds.
    fn move_time(time: u64, overhead: Overhead) -> u128 {
        let limits = Limits { move_time: Some(milliseconds(time)), ..Limits::default() };
        let allowance = Allowance::new(&limits, overhead, 42);
        let (hard, answer) = allowance.hard.zip(allowance.answer).expect("both are bounded");
        assert!(hard <= answer && answer <= milliseconds(time.max(1)));
        hard.as_micros()
    }

    #[test]
    fn the_default_overhead_is_at_most_a_quarter_of_a_fixed_time() {
        assert_eq!(move_time(100, DEFAULT), 90_000);
        assert_eq!(move_time(12, DEFAULT), 9_000);
        assert_eq!(move_time(0, DEFAULT), 1_000);
    }

    #[test]
    fn an_overhead_that_was_set_is_kept_back_in_full() {
        for (overhead, expected) in
            [(0, 20_000), (5, 15_000), (10, 10_000), (19, 1_000), (20, 1_000), (100, 1_000)]
        {
            assert_eq!(move_time(20, set(overhead)), expected, "{overhead} ms");
        }
        let bounds = |overhead| Allowance::new(&clock(1_000, 0, Some(1)), set(overhead), 42).hard;
        assert_eq!(bounds(0), Some(milliseconds(1_000)));
        assert_eq!(bounds(400), Some(milliseconds(600)));
        assert_eq!(bounds(5_000), Some(milliseconds(1)));
    }

    #[test]
    fn what_was_measured_is_kept_back_beside_the_overhead() {
        assert_eq!(move_time(20, late(4)), 11_000);
        assert_eq!(move_time(20, late(100)), 468, "a thirty-second of the time is searched");
        assert_eq!(move_time(20, Overhead { lateness: milliseconds(3), ..set(5) }), 12_000);
        let hard = Allowance::new(&clock(1_000, 0, Some(1)), late(90), 42).hard;
        assert_eq!(hard, Some(milliseconds(900)));
    }

    #[test]
    fn no_clock_is_ever_overrun() {
        for remaining in [0, 1, 5, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 5_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    for empty in 1..=42 {
                        let allowed =
                            Allowance::new(&clock(remaining, increment, moves_to_go), DEFAULT, empty);
                        let limit = milliseconds(remaining.saturating_sub(10).max(1));
                        assert!(allowed.hard.expect("hard") <= limit);
                        assert!(allowed.soft.expect("soft") <= limit);
                        assert!(allowed.answer.expect("answer") <= milliseconds(remaining.max(1)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_on_the_clock_leaves_time_for_every_move() {
        let mut remaining = milliseconds(10_000);
        for empty in (1..=42).rev().step_by(2) {
            let limits = Limits {
                clock: Some(Clock { remaining, increment: Duration::ZERO, moves_to_go: None }),
                ..Limits::default()
            };
            let hard = Allowance::new(&limits, DEFAULT, empty).hard.expect("hard");
            remaining = remaining.checked_sub(hard).expect("no move takes more than is left");
            assert!(!remaining.is_zero(), "{empty} empty cells and no time left");
        }
    }

    #[test]
    fn infinite_searches_have_no_clock() {
        let limits = Limits { infinite: true, ..clock(1_000, 0, None) };
        assert_eq!(Allowance::new(&limits, DEFAULT, 42), Allowance::default());
        assert_eq!(Allowance::new(&Limits::default(), DEFAULT, 42), Allowance::default());
    }
}
