//! How late this process gets a processor when it has something to do.

use std::collections::VecDeque;
use std::time::Duration;

/// Lateness that every machine shows now and then, and that nothing need be kept back for.
const USUAL: Duration = Duration::from_millis(1);

/// How many of the last observations count: those of some fifty moves.
const WINDOW: usize = 256;

/// Observations for each of which the greatest of all is passed over, as it may be a mishap; beside a first one.
const MISHAP: usize = 128;

/// The lateness seen of late.
///
/// On a machine with enough processors a thread that waits for a point in time runs within a fraction of a millisecond of
/// it. Where other programs want all of them it may be many milliseconds late. It would be as late with the answer to a
/// `go`, and so may be the arena that reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lateness(VecDeque<Duration>);

impl Lateness {
    /// Takes note that the session got a line so long after it was read. Threads that wake each other in turn are mostly on
    /// time even where others are not, so this counts only if it was late.
    pub(super) fn saw_relay(&mut self, late: Duration) {
        if late > USUAL {
            self.saw_alarm(late);
        }
    }

    /// Takes note that the session woke so long after the time that it had asked for.
    pub(super) fn saw_alarm(&mut self, late: Duration) {
        if self.0.len() == WINDOW {
            self.0.pop_front();
        }
        self.0.push_back(late);
    }

    /// The time to keep back on the next move, for two threads that are late: this one and the arena's. None as long as the
    /// machine is no later than usual.
    pub(super) fn reserve(&self) -> Duration {
        let mishaps = 1 + self.0.len() / MISHAP;
        let mut late: Vec<_> = self.0.iter().copied().filter(|&late| late > USUAL).collect();
        late.sort_unstable_by(|a, b| b.cmp(a));
        late.get(mishaps).map_or(Duration::ZERO, |&late| 2 * late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(observations: impl IntoIterator<Item = u64>) -> Duration {
        let mut lateness = Lateness::default();
        observations.into_iter().for_each(|micros| lateness.saw_alarm(Duration::from_micros(micros)));
        lateness.reserve()
    }

    #[test]
    fn nothing_is_kept_back_on_a_machine_that_is_on_time() {
        assert_eq!(after([]), Duration::ZERO);
        assert_eq!(after([50, 900, 10, 1000, 20]), Duration::ZERO);
        assert_eq!(after([50, 900, 30_000, 10]), Duration::ZERO, "one mishap");
        assert_eq!(
            after((0..255).map(|n| if n % 128 == 0 { 30_000 } else { 10 })),
            Duration::ZERO,
            "one in 128"
        );
    }

    #[test]
    fn what_happens_again_counts_until_it_is_long_ago() {
        assert_eq!(after([8_000, 50, 30_000, 10]), Duration::from_millis(16));
        assert_eq!(after((0..300).map(|n| if n % 20 == 0 { 3_000 } else { 10 })), Duration::from_millis(6));
        let quiet = |count| [8_000, 9_000, 7_000, 6_000].into_iter().chain(std::iter::repeat_n(10, count));
        assert_eq!(after(quiet(WINDOW - 5)), Duration::from_millis(14));
        assert_eq!(after(quiet(WINDOW - 3)), Duration::ZERO);
    }

    #[test]
    fn a_line_that_is_passed_on_in_time_says_nothing() {
        let mut lateness = Lateness::default();
        lateness.saw_relay(USUAL);
        assert!(lateness.0.is_empty());
        (0..2).for_each(|_| lateness.saw_relay(Duration::from_millis(5)));
        assert_eq!(lateness.reserve(), Duration::from_millis(10));
    }
}
