//! How late this process gets a processor when it has something to do.

use std::collections::VecDeque;
use std::time::Duration;

/// Lateness that every machine shows now and then, and that nothing need be kept back for.
const USUAL: Duration = Duration::from_millis(1);

/// How many of the last observations count: those of a dozen moves.
const WINDOW: usize = 64;

/// Which of the observations counts, from the greatest, which may be a single mishap.
const RANK: usize = 2;

/// The lateness seen of late.
///
/// On a machine with enough processors a thread that waits for a line or a point in time runs within a fraction of a
/// millisecond of it. Where other programs want all of them it may be many milliseconds late. It would be as late with the
/// answer to a `go`, and so may be the arena that reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lateness(VecDeque<Duration>);

impl Lateness {
    /// Takes note that the session ran so long after what it waited for.
    pub(super) fn saw(&mut self, late: Duration) {
        if self.0.len() == WINDOW {
            self.0.pop_front();
        }
        self.0.push_back(late);
    }

    /// The time to keep back on the next move, for two threads that are late: this one and the arena's. None as long as the
    /// machine is no later than usual.
    pub(super) fn reserve(&self) -> Duration {
        let mut greatest = [Duration::ZERO; RANK];
        for &late in &self.0 {
            if late > greatest[RANK - 1] {
                greatest[RANK - 1] = late;
                greatest.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
        let late = greatest[RANK - 1];
        if late > USUAL { 2 * late } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(observations: impl IntoIterator<Item = u64>) -> Duration {
        let mut lateness = Lateness::default();
        observations.into_iter().for_each(|micros| lateness.saw(Duration::from_micros(micros)));
        lateness.reserve()
    }

    #[test]
    fn nothing_is_kept_back_on_a_machine_that_is_on_time() {
        assert_eq!(after([]), Duration::ZERO);
        assert_eq!(after([50, 900, 10, 1000, 20]), Duration::ZERO);
        assert_eq!(after([50, 900, 30_000, 10]), Duration::ZERO, "one mishap");
    }

    #[test]
    fn what_happens_twice_counts_until_it_is_long_ago() {
        assert_eq!(after([8_000, 50, 30_000, 10]), Duration::from_millis(16));
        let quiet = |count| [8_000, 9_000].into_iter().chain(std::iter::repeat_n(10, count));
        assert_eq!(after(quiet(WINDOW - 2)), Duration::from_millis(16));
        assert_eq!(after(quiet(WINDOW - 1)), Duration::ZERO);
    }
}
