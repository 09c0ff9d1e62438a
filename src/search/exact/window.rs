//! Window schedules: which null window to search next.

use crate::score::Score;

/// The order of null windows between a lower and an upper bound of a score.
///
/// Quick wins and losses are cheap to find. So [`horizon`](Self::horizon) schedules with a node budget come
/// first:
///
/// 1. The *sign* of the score: win, draw or loss.
/// 2. The ends of the window that the sign leaves open: "is there a win this fast?" and "is every line lost
///    this fast?", two scores further each time, within a node budget for each end.
///
/// An open window is then searched from the [middle](Self::from_middle): win or not, loss or not, bisection. If the
/// last search for the sign took many nodes, growing steps replace the bisection, because the win comes late.
/// An expected score is searched outwards from [the guess](Self::near).
#[derive(Clone, Debug)]
pub(crate) struct WindowSchedule {
    /// Node budget of the last null window. `None` if unlimited.
    pub(crate) budget: Option<u64>,
    order: Order,
    last: Option<Question>,
}

#[derive(Clone, Debug)]
enum Order {
    /// First the sign of the score, then both ends of the window in turn. `sign` is the node budget of each
    /// search for the sign. `above` and `below` are the budgets left for the ends.
    Horizon { sign: u64, above: u64, below: u64 },
    /// Both ends of the window in turn, without a budget, down to `least_win` and up to `greatest_loss`.
    Ends { least_win: Score, greatest_loss: Score },
    /// Growing steps, outwards from `guess` or zero. `step` has the direction (`true` for up) and the next
    /// length, or `None` for bisection.
    Steps { guess: Option<Score>, step: Option<(bool, Score)> },
    /// The last search exceeded its budget, so further searches would too.
    GivenUp,
}

pub(crate) const HORIZON_BUDGETS: [u64; 3] = [250, 1_000, 4_000];

const HORIZON_STEP: Score = 2;

/// If the last search for the sign takes this many nodes, the score is expected to be near zero.
const LONG_SEARCH: u64 = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Guess,
    Sign,
    /// Whether the score reaches the upper bound. `Horizon` steps by two, so it asks for one less.
    Above,
    /// Whether the score exceeds the lower bound. `Horizon` asks for one more.
    Below,
    /// Whether the score reaches a step from the last bound, or the middle of the window.
    Step,
}

impl WindowSchedule {
    pub(crate) fn horizon(budget: u64) -> Self {
        let order = Order::Horizon { sign: budget, above: budget, below: budget };
        Self { budget: Some(budget), order, last: None }
    }

    /// Stops when the score is exact, or known to be below `least_win` and above `greatest_loss`.
    pub(crate) fn at_ends(least_win: Score, greatest_loss: Score) -> Self {
        Self { budget: None, order: Order::Ends { least_win, greatest_loss }, last: None }
    }

    pub(crate) fn all(guess: Option<Score>) -> impl Iterator<Item = Self> {
        let horizons = HORIZON_BUDGETS.into_iter().filter(move |_| guess.is_none()).map(Self::horizon);
        horizons.chain([guess.map_or_else(|| Self::from_middle(None), Self::near)])
    }

    pub(crate) fn from_middle(budget: Option<u64>) -> Self {
        Self { budget, order: Order::Steps { guess: None, step: None }, last: None }
    }

    pub(crate) fn near(guess: Score) -> Self {
        Self { budget: None, order: Order::Steps { guess: Some(guess), step: None }, last: None }
    }

    /// The next `beta`, above `lower` and at most `upper`. `None` at the end of the schedule.
    pub(crate) fn next(&mut self, lower: Score, upper: Score) -> Option<Score> {
        if lower >= upper {
            return None;
        }
        let is_sign_open = lower <= 0 && upper >= 0;
        let (question, beta) = match self.order {
            Order::Horizon { sign: 1.., .. } | Order::Steps { guess: None, .. } if is_sign_open => {
                (Question::Sign, middle(lower, upper))
            }
            // Past zero, windows from the middle do better, so horizon windows stop there.
            Order::Horizon { above, below, .. } => {
                // Moves `beta` two scores towards zero, but not past zero.
                match end_to_ask(self.last, above > 0 && upper >= 0, below > 0 && lower <= 0)? {
                    Question::Above => {
                        (Question::Above, (upper + 1 - HORIZON_STEP).max(lower + 1).max(upper.min(1)))
                    }
                    end => (end, (lower + HORIZON_STEP).min(upper).min(0.max(lower + 1))),
                }
            }
            Order::Ends { least_win, greatest_loss } => {
                let end = end_to_ask(self.last, upper >= least_win, lower <= greatest_loss)?;
                (end, if end == Question::Above { upper } else { lower + 1 })
            }
            Order::Steps { guess: Some(guess), .. } if self.last.is_none() => {
                (Question::Guess, guess.clamp(lower + 1, upper))
            }
            Order::Steps { step, .. } => {
                let beta = match step {
                    Some((true, step)) => upper.min(lower + step),
                    Some((false, step)) => (lower + 1).max(upper + 1 - step),
                    None => middle(lower, upper),
                };
                (Question::Step, beta)
            }
            Order::GivenUp => return None,
        };
        self.last = Some(question);
        self.budget = self.nodes_left().copied().or(self.budget);
        Some(beta)
    }

    pub(crate) fn answered(&mut self, nodes: u64, reached: bool) {
        match &mut self.order {
            Order::Horizon { .. } if self.last != Some(Question::Sign) => {
                if let Some(left) = self.nodes_left() {
                    *left = left.saturating_sub(nodes);
                }
            }
            Order::Steps { step, .. } => {
                *step = match self.last {
                    Some(Question::Sign) if nodes < LONG_SEARCH => None,
                    Some(Question::Guess | Question::Sign) => Some((reached, 1)),
                    _ => step.filter(|&(up, _)| up == reached).map(|(up, step)| (up, 2 * step)),
                };
            }
            _ => {}
        }
    }

    pub(crate) fn exceeded_budget(&mut self) {
        match self.nodes_left() {
            Some(left) => *left = 0,
            None => self.order = Order::GivenUp,
        }
    }

    fn nodes_left(&mut self) -> Option<&mut u64> {
        let Order::Horizon { sign, above, below } = &mut self.order else { return None };
        Some(match self.last? {
            Question::Above => above,
            Question::Below => below,
            Question::Sign | Question::Guess | Question::Step => sign,
        })
    }
}

fn end_to_ask(last: Option<Question>, above: bool, below: bool) -> Option<Question> {
    let asks_above = above && (last != Some(Question::Above) || !below);
    if !above && !below {
        return None;
    }
    Some(if asks_above { Question::Above } else { Question::Below })
}

/// A `beta` that decides the sign of the score if the sign is open, otherwise halfway.
fn middle(lower: Score, upper: Score) -> Score {
    match (lower < 0, upper > 0) {
        // Decides win or not first, then loss or not.
        (_, true) if lower <= 0 => 1,
        (true, false) if upper == 0 => 0,
        _ => lower + (upper - lower + 1) / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(
        mut schedule: WindowSchedule,
        score: Score,
        affordable: impl Fn(Score) -> bool,
    ) -> (Score, Score, usize) {
        let (mut lower, mut upper) = (-18, 18);
        let mut probes = 0;
        while let Some(beta) = schedule.next(lower, upper) {
            assert!(lower < beta && beta <= upper, "beta {beta} in {lower}..={upper}");
            probes += 1;
            assert!(probes < 200, "the schedule ends");
            if affordable(beta) {
                schedule.answered(0, score >= beta);
                (lower, upper) = if score >= beta { (beta, upper) } else { (lower, beta - 1) };
            } else {
                schedule.exceeded_budget();
            }
        }
        (lower, upper, probes)
    }

    #[test]
    fn schedules_converge_on_every_score() {
        for score in -18..=18 {
            let (lower, upper, probes) = run(WindowSchedule::from_middle(None), score, |_| true);
            assert_eq!((lower, upper), (score, score));
            assert!(probes <= 7);
            assert_eq!(run(WindowSchedule::at_ends(Score::MIN, Score::MAX), score, |_| true).0, score);
            let (lower, upper, _) = run(WindowSchedule::horizon(1), score, |_| true);
            assert_eq!((lower, upper), (score, score));
            for guess in -20..=20 {
                let (lower, upper, probes) = run(WindowSchedule::near(guess), score, |_| true);
                assert_eq!((lower, upper), (score, score));
                assert!(probes <= 12, "{probes} probes from {guess} to {score}");
            }
            assert!(run(WindowSchedule::near(score), score, |_| true).2 <= 2);
        }
    }

    #[test]
    fn horizons_end_at_their_budget() {
        let (lower, upper, _) = run(WindowSchedule::horizon(1), 0, |beta| beta.abs() > 9);
        assert_eq!((lower, upper), (-10, 10));
        let (lower, upper, _) = run(WindowSchedule::horizon(1), 3, |beta| beta == 1 || beta > 9);
        assert_eq!((lower, upper), (1, 10));
    }

    #[test]
    fn from_the_middle_the_first_probe_over_budget_is_the_last() {
        let (lower, upper, probes) = run(WindowSchedule::from_middle(Some(1)), 5, |beta| beta != 10);
        assert_eq!((lower, upper, probes), (1, 18, 2));
    }

    #[test]
    fn ends_are_probed_as_far_as_asked() {
        let (lower, upper, _) = run(WindowSchedule::at_ends(15, -14), 0, |_| true);
        assert_eq!((lower, upper), (-13, 14));
        let (lower, upper, _) = run(WindowSchedule::at_ends(10, Score::MIN), 0, |_| true);
        assert_eq!((lower, upper), (-18, 9));
    }

    fn windows(mut schedule: WindowSchedule, score: Score) -> Vec<Score> {
        let (mut lower, mut upper) = (-18, 18);
        let mut windows = Vec::new();
        while let Some(beta) = schedule.next(lower, upper) {
            windows.push(beta);
            (lower, upper) = if score >= beta { (beta, upper) } else { (lower, beta - 1) };
            schedule.answered(LONG_SEARCH, score >= beta);
        }
        assert_eq!((lower, upper), (score, score));
        windows
    }

    #[test]
    fn a_winner_found_late_and_a_guess_are_followed_by_growing_steps() {
        for (guess, score, expected) in [
            (None, 1, vec![1, 2]),
            (None, 6, vec![1, 2, 4, 8, 6, 7]),
            (None, -3, vec![1, 0, -1, -3, -2]),
            (Some(-3), -3, vec![-3, -2]),
            (Some(0), 4, vec![0, 1, 3, 7, 5, 4]),
            (Some(5), 2, vec![5, 4, 2, 3]),
        ] {
            let schedule = guess.map_or(WindowSchedule::from_middle(None), WindowSchedule::near);
            assert_eq!(windows(schedule, score), expected);
        }
    }

    #[test]
    fn the_middle_determines_the_winner_first() {
        assert_eq!(WindowSchedule::from_middle(None).next(-18, 18), Some(1));
        assert_eq!(WindowSchedule::from_middle(None).next(-18, 0), Some(0));
        assert_eq!(WindowSchedule::from_middle(None).next(0, 18), Some(1));
        assert_eq!(WindowSchedule::from_middle(None).next(-18, -1), Some(-9));
    }
}
