//! Lateness: the time from the end of a search's time to its answer, and the time to keep back for it.

use std::collections::VecDeque;
use std::time::Duration;

/// Cap of a recorded lateness: no time kept back helps a process that is suspended for seconds. Twice this leaves a move of
/// 100 ms a tenth of its time, enough to find again on a busy machine what was proved a move before. With 50 ms, moves were
/// made without a search, and 3 of 150 such games on 9x7, with a dozen programs on two processors, lost after a proven win
/// or draw.
const LONGEST: Duration = Duration::from_millis(40);

/// Number of answers that are remembered.
const WINDOW: usize = 64;

/// Least number of late answers among those remembered that has consequences: one alone is a mishap.
const LEAST_LATE: usize = 2;

/// Late answers have consequences if at least one in this many is late: on a busy machine two searches share a
/// processor now and then, even if there is one for each.
const RARE: usize = 24;

/// The lateness of the last answers that used up their time, by what the engine was doing when the time ended.
///
/// The choice among moves that are equally good in theory uses up its time at nearly every move, the exact search seldom.
/// With one record for both, the time kept back after late choices would lack the exact search of later moves, which then
/// gives results away. So what is late shortens its own kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Lateness {
    /// Of answers at whose time the position was not solved.
    pub(super) search: LateAnswers,
    /// Of answers at whose time it was, so that only the choice among equally good moves was under way.
    pub(super) choice: LateAnswers,
}

/// The lateness of the last answers of one kind; `None` for each that was tolerable.
///
/// With a processor for each search an answer is late by a fraction of a millisecond. If other programs compete for the
/// processors it may be many milliseconds, and the arena reads the answer as late again.
#[derive(Clone, Debug, Default)]
pub(super) struct LateAnswers(VecDeque<Option<Duration>>);

impl LateAnswers {
    /// Records the lateness of an answer, of which `tolerance` has no consequences.
    pub(super) fn record(&mut self, late: Duration, tolerance: Duration) {
        if self.0.len() == WINDOW {
            self.0.pop_front();
        }
        self.0.push_back((late > tolerance).then_some(late.min(LONGEST)));
    }

    /// Time to keep back on the next move, on top of the overhead: twice the greatest lateness, once for this process and
    /// once for the arena. Zero unless several of the last answers were intolerably late.
    pub(super) fn time_kept_back(&self) -> Duration {
        let late = self.0.iter().flatten();
        let count = late.clone().count();
        if count < LEAST_LATE || count * RARE < self.0.len() {
            return Duration::ZERO;
        }
        late.max().map_or(Duration::ZERO, |&late| 2 * late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(answers: impl IntoIterator<Item = u64>) -> Duration {
        let mut lateness = LateAnswers::default();
        let tolerance = Duration::from_millis(2);
        answers.into_iter().for_each(|micros| lateness.record(Duration::from_micros(micros), tolerance));
        lateness.time_kept_back()
    }

    #[test]
    fn nothing_is_kept_back_on_a_punctual_machine() {
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
    fn the_time_kept_back_after_a_suspension_is_capped() {
        assert_eq!(after([9_000_000, 60_000_000]), 2 * LONGEST);
    }

    #[test]
    fn frequent_lateness_counts_until_it_is_long_ago() {
        assert_eq!(after([8_000, 50, 5_000, 10]), Duration::from_millis(16));
        assert_eq!(after((0..200).map(|n| if n % 10 == 0 { 3_000 } else { 10 })), Duration::from_millis(6));
        let quiet = |count| [8_000, 9_000].into_iter().chain(std::iter::repeat_n(10, count));
        assert_eq!(after(quiet(2 * RARE - 2)), Duration::from_millis(18));
        assert_eq!(after(quiet(2 * RARE - 1)), Duration::ZERO);
    }
}
