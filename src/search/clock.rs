//! Turning limits and clocks into a soft and a hard bound on the time of one move.

use std::time::Duration;

use super::limits::{Clock, Limits};

/// No move is given less than this, so that there is one.
const LEAST: Duration = Duration::from_millis(1);

/// How long a search may take, counted from the order to search (or from the ponder hit).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Nothing new is begun after this.
    pub soft: Option<Duration>,
    /// Everything is broken off at this.
    pub hard: Option<Duration>,
}

/// The allowance for one move with `empty_cells` cells still empty.
pub(crate) fn allowance(limits: &Limits, overhead: Duration, empty_cells: u32) -> Allowance {
    if limits.infinite {
        return Allowance::default();
    }
    let mut allowance =
        limits.clock.map_or_else(Allowance::default, |clock| on_clock(clock, overhead, empty_cells));
    if let Some(time) = limits.move_time {
        // Of a very short time a quarter is kept back, rather than all of it.
        let hard = time.saturating_sub(overhead).max(time * 3 / 4).max(LEAST);
        allowance.hard = Some(allowance.hard.map_or(hard, |other| other.min(hard)));
    }
    allowance
}

/// The first moves of a game are the hard ones: once the position is solved the rest takes no time. So each takes a
/// fixed share of what is left instead of an even one, and may run well over it to finish a proof.
fn on_clock(clock: Clock, overhead: Duration, empty_cells: u32) -> Allowance {
    let usable = clock.remaining.saturating_sub(overhead).max(LEAST);
    let own_moves_left = empty_cells.div_ceil(2).max(1);
    let horizon = clock.moves_to_go.unwrap_or(own_moves_left).clamp(1, own_moves_left);
    let share = usable.mul_f64((1.0 / f64::from(horizon)).max(0.12));
    let bonus = clock.increment.mul_f64(0.8);
    Allowance {
        soft: Some((share + bonus).min(usable)),
        hard: Some((share * 3 + bonus).min(if horizon == 1 { usable } else { usable / 2 }).max(LEAST)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn milliseconds(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let (remaining, increment) = (milliseconds(remaining), milliseconds(increment));
        Limits { clock: Some(Clock { remaining, increment, moves_to_go }), ..Limits::default() }
    }

    #[test]
    fn move_time_keeps_the_overhead_back() {
        let with = |time| {
            let limits = Limits { move_time: Some(milliseconds(time)), ..Limits::default() };
            allowance(&limits, OVERHEAD, 42).hard.expect("there is one")
        };
        assert_eq!(with(100), milliseconds(90));
        assert_eq!(with(12), milliseconds(9));
        assert_eq!(with(0), milliseconds(1));
    }

    #[test]
    fn no_clock_is_ever_overrun() {
        for remaining in [0, 1, 5, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 5_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    for empty in 1..=42 {
                        let allowed = allowance(&clock(remaining, increment, moves_to_go), OVERHEAD, empty);
                        let limit = milliseconds(remaining.saturating_sub(10).max(1));
                        assert!(allowed.hard.expect("hard") <= limit);
                        assert!(allowed.soft.expect("soft") <= limit);
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
            let hard = allowance(&limits, OVERHEAD, empty).hard.expect("hard");
            remaining = remaining.checked_sub(hard).expect("no move takes more than is left");
            assert!(!remaining.is_zero(), "{empty} empty cells and no time left");
        }
    }

    #[test]
    fn infinite_searches_have_no_clock() {
        let limits = Limits { infinite: true, ..clock(1_000, 0, None) };
        assert_eq!(allowance(&limits, OVERHEAD, 42), Allowance::default());
    }
}
