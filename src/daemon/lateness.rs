//! Lateness: the time from the hard time limit of a search to its answer. Later moves reserve time for it, in
//! addition to `Move Overhead`.

use std::collections::VecDeque;
use std::time::Duration;

use super::unanswered::AnswerTiming;
use crate::search::Overhead;

/// Cap of a recorded lateness. The reserve is twice the lateness, so with a cap of 50 ms, moves of 100 ms
/// were played without a search. Of 150 games on 9x7 with a dozen programs on two processors, 3 were lost
/// after a proven win or draw.
const LONGEST: Duration = Duration::from_millis(40);

const WINDOW: usize = 256;

/// Late answers are counted among this many latest answers.
const RECENT: usize = 64;

/// Minimum number of late answers for a reserve: a single late answer is an accident.
const LEAST_LATE: usize = 2;

/// Time is reserved if at least one in this many answers is late.
const FREQUENT_ONE_IN: usize = 24;

/// The lateness of recent answers, recorded separately for searches and for move choices by the option
/// `Swindle`.
///
/// With one record, late choices of `Swindle` would shorten the exact search, which could then miss a win. So
/// late choices shorten only choices. Late searches shorten both.
#[derive(Clone, Debug, Default)]
pub(super) struct Lateness {
    search: RecordedAnswers,
    /// Answers after the position was solved, late or in time. Answers in time displace late answers, so
    /// `Swindle` resumes after its time was cut to 0.
    after_solution: RecordedAnswers,
}

impl Lateness {
    pub(super) fn record(&mut self, AnswerTiming { lateness, tolerance, is_solved }: AnswerTiming) {
        if is_solved {
            self.after_solution.record(lateness.unwrap_or_default(), tolerance);
        } else if let Some(lateness) = lateness {
            self.search.record(lateness, tolerance);
        }
    }

    /// Late searches shorten the next search once and the time for `Swindle` twice, because the scheduler
    /// prefers processes that have used less processor time.
    pub(super) fn overhead(&self, set: Option<Duration>) -> Overhead {
        let lateness = self.search.reserve();
        Overhead { set, lateness, swindle_lateness: lateness + self.after_solution.reserve() }
    }
}

/// Recent answers: `None` for an answer within the tolerance.
///
/// Time is reserved after two answers that were late by more than three quarters of `Move Overhead`, however
/// rare they are. At 20 ms a move, with three programs on two processors, one answer in 75 came a time slice
/// of 4 ms late, and 9 of 50 games were lost.
#[derive(Clone, Debug, Default)]
struct RecordedAnswers(VecDeque<Option<LateAnswer>>);

#[derive(Clone, Copy, Debug)]
struct LateAnswer {
    late: Duration,
    /// The answer was late by more than three quarters of `Move Overhead` or of its default.
    nearly_lost: bool,
}

impl RecordedAnswers {
    fn record(&mut self, late: Duration, tolerance: Duration) {
        if self.0.len() == WINDOW {
            self.0.pop_front();
        }
        // The tolerance is half of `Move Overhead` or of its default.
        let answer = LateAnswer { late: late.min(LONGEST), nearly_lost: 2 * late > 3 * tolerance };
        self.0.push_back(if late > tolerance { Some(answer) } else { None });
    }

    /// The time to reserve for the next move: the greater of two times.
    ///
    /// 1. If late answers are frequent, twice the greatest lateness: once for this process and once for the
    ///    arena.
    /// 2. If several answers were nearly lost on time, their median lateness. The greatest could take all the
    ///    time.
    fn reserve(&self) -> Duration {
        let recent = self.0.iter().rev().take(RECENT);
        let least = LEAST_LATE.max(recent.len().div_ceil(FREQUENT_ONE_IN));
        let late = sorted(recent.flatten());
        let nearly_lost = sorted(self.0.iter().flatten().filter(|answer| answer.nearly_lost));
        let mut reserve = Duration::ZERO;
        if late.len() >= least {
            reserve = 2 * late[late.len() - 1];
        }
        if nearly_lost.len() >= LEAST_LATE {
            reserve = reserve.max(nearly_lost[nearly_lost.len() / 2]);
        }
        reserve
    }
}

fn sorted<'a>(answers: impl Iterator<Item = &'a LateAnswer>) -> Vec<Duration> {
    let mut late: Vec<_> = answers.map(|answer| answer.late).collect();
    late.sort_unstable();
    late
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(answers: impl IntoIterator<Item = u64>) -> Duration {
        let mut lateness = RecordedAnswers::default();
        let tolerance = Duration::from_millis(2);
        answers.into_iter().for_each(|micros| lateness.record(Duration::from_micros(micros), tolerance));
        lateness.reserve()
    }

    #[test]
    fn nothing_is_kept_back_on_a_punctual_machine() {
        assert_eq!(after([]), Duration::ZERO);
        assert_eq!(after([50, 1_900, 10, 2_000, 20]), Duration::ZERO);
        assert_eq!(after([50, 30_000, 10]), Duration::ZERO, "one mishap");
        let one_in_32 = (0..200).map(|n| if n % 32 == 0 { 2_900 } else { 10 });
        assert_eq!(after(one_in_32), Duration::ZERO);
    }

    #[test]
    fn two_answers_that_were_nearly_lost_count_however_rare() {
        let answers = |count| (0..count).map(|n| if n % 100 == 50 { 3_100 } else { 10 });
        assert_eq!(after(answers(150)), Duration::ZERO, "one mishap");
        assert_eq!(after(answers(151)), Duration::from_micros(3_100));
        assert_eq!(after(answers(151).chain(std::iter::repeat_n(10, WINDOW))), Duration::ZERO, "long ago");
    }

    #[test]
    fn late_choices_shorten_choices_only_and_late_searches_both() {
        let answer = |late: Option<u64>, is_solved| AnswerTiming {
            lateness: late.map(Duration::from_millis),
            tolerance: Duration::from_millis(4),
            is_solved,
        };
        let kept_back = |lateness: &Lateness| {
            let Overhead { lateness, swindle_lateness, .. } = lateness.overhead(None);
            (lateness.as_millis(), swindle_lateness.as_millis())
        };
        let mut lateness = Lateness::default();
        (0..2).for_each(|_| lateness.record(answer(Some(5), true)));
        assert_eq!(kept_back(&lateness), (0, 10));
        (0..2).for_each(|_| lateness.record(answer(Some(5), false)));
        assert_eq!(kept_back(&lateness), (10, 20));
        // Answers in time count only after a solution.
        (0..2 * FREQUENT_ONE_IN).for_each(|_| lateness.record(answer(None, false)));
        assert_eq!(kept_back(&lateness), (10, 20));
        (0..2 * FREQUENT_ONE_IN).for_each(|_| lateness.record(answer(None, true)));
        assert_eq!(kept_back(&lateness), (10, 10));
    }

    #[test]
    fn frequent_lateness_counts_up_to_a_cap_until_it_is_long_ago() {
        assert_eq!(after([9_000_000, 60_000_000]), 2 * LONGEST, "a suspension");
        assert_eq!(after([8_000, 50, 5_000, 10]), Duration::from_millis(16));
        assert_eq!(after((0..200).map(|n| if n % 10 == 0 { 3_000 } else { 10 })), Duration::from_millis(6));
        let quiet = |count| [2_800, 2_900].into_iter().chain(std::iter::repeat_n(10, count));
        assert_eq!(after(quiet(2 * FREQUENT_ONE_IN - 2)), Duration::from_micros(5_800));
        assert_eq!(after(quiet(2 * FREQUENT_ONE_IN - 1)), Duration::ZERO);
    }
}
