//! How late this process answers when the time for a move is over.

use std::collections::VecDeque;
use std::time::Duration;

/// The greatest lateness that counts: a process that was stopped for seconds would be late whatever it keeps back.
const LONGEST: Duration = Duration::from_millis(50);

/// How many of the last answers count.
const WINDOW: usize = 64;

/// Answers for each of which one may be late without consequences, as on a busy machine two searches meet on one processor
/// now and then though there is one for each.
const RARE: usize = 24;

/// How long after the end of the time of a search the last answers were given, of those that used up their time; `None` for
/// each that was tolerable.
///
/// On a machine with a processor for each search that is a fraction of a millisecond. Where other programs want the same
/// processors it may be many milliseconds, and the arena that waits for the answer is as late in reading it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lateness(VecDeque<Option<Duration>>);

impl Lateness {
    /// Takes note of an answer so long after the end of its search's time, where so much is tolerable.
    pub(super) fn saw(&mut self, late: Duration, tolerance: Duration) {
        if self.0.len() == WINDOW {
            self.0.pop_front();
        }
        self.0.push_back((late > tolerance).then_some(late.min(LONGEST)));
    }

    /// The time to keep back on the next move beside what is always kept back: twice the greatest lateness, for this process
    /// and for the arena. None unless several of the last answers were later than is tolerable.
    pub(super) fn reserve(&self) -> Duration {
        let late = self.0.iter().flatten();
        let count = late.clone().count();
        if count < 2 || count * RARE < self.0.len() {
            return Duration::ZERO;
        }
        late.max().map_or(Duration::ZERO, |&late| 2 * late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(answers: impl IntoIterator<Item = u64>) -> Duration {
        let mut lateness = Lateness::default();
        let tolerance = Duration::from_millis(2);
        answers.into_iter().for_each(|micros| lateness.saw(Duration::from_micros(micros), tolerance));
        lateness.reserve()
    }

    #[test]
    fn nothing_is_kept_back_on_a_machine_that_is_on_time() {
        assert_eq!(after([]), Duration::ZERO);
        assert_eq!(after([50, 1_900, 10, 2_000, 20]), Duration::ZERO);
        assert_eq!(after([50, 30_000, 10]), Duration::ZERO, "one mishap");
        assert_eq!(
            after((0..200).map(|n| if n % 32 == 0 { 30_000 } else { 10 })),
            Duration::ZERO,
            "one in 32"
        );
    }

    #[test]
    fn a_process_that_was_stopped_does_not_play_in_haste_for_ever() {
        assert_eq!(after([9_000_000, 60_000_000]), 2 * LONGEST);
    }

    #[test]
    fn what_happens_often_counts_until_it_is_long_ago() {
        assert_eq!(after([8_000, 50, 5_000, 10]), Duration::from_millis(16));
        assert_eq!(after((0..200).map(|n| if n % 10 == 0 { 3_000 } else { 10 })), Duration::from_millis(6));
        let quiet = |count| [8_000, 9_000].into_iter().chain(std::iter::repeat_n(10, count));
        assert_eq!(after(quiet(2 * RARE - 2)), Duration::from_millis(18));
        assert_eq!(after(quiet(2 * RARE - 1)), Duration::ZERO);
    }
}
