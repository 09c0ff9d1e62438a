//! Window schedules: which null window to probe next. A score is a distance to the end of the game, so
//! a `beta` near either end of its range asks for a quick win or a quick loss.

use crate::score::Score;

/// The order of the null-window probes between a lower and an upper bound of a score.
///
/// Short horizons are cheap, so a search begins with [`horizon`](Self::horizon) schedules, each with a node budget. Such a
/// schedule asks for the *sign* of the score (win, draw or loss) first, each probe within the budget: once the sign is known,
/// only one end of the window is left to probe. Then come probes at both ends: "is there a win this fast?" and "is every line
/// lost this fast?", two scores further each time, as long as all probes of an end together stay within the budget. The rest
/// is searched from the [middle](Self::from_middle): win or not, loss or not, then by bisection; or, if the last probe for the
/// sign took many nodes, in growing steps from there, as such wins come late. Where a score is expected, the steps lead away from
/// [the guess](Self::near).
#[derive(Clone, Debug)]
pub(crate) struct WindowSchedule {
    /// Node budget of the probe that [`next`](Self::next) returned last; `None` if it is unlimited.
    pub(crate) budget: Option<u64>,
    order: Order,
    /// The kind of the last probe; `None` before the first.
    last: Option<Question>,
}

#[derive(Clone, Debug)]
enum Order {
    /// Probes for the sign, then at both ends of the window in turn, within budgets of nodes, 0 once they are used up: `sign`
    /// for each probe for the sign, `above` and `below` left for all probes together that work down from the upper bound, or
    /// up from the lower one.
    Horizon { sign: u64, above: u64, below: u64 },
    /// Probes at both ends of the window in turn, without a budget: down to the `beta` `least_win`, and up to the score
    /// `greatest_loss`.
    Ends { least_win: Score, greatest_loss: Score },
    /// Probes from a score outwards: from the expected one, `guess`; without one the sign is asked for first. `step` is the
    /// direction of the steps and the length of the next one in scores: up from the lower bound (`true`) or down from the
    /// upper one. `None` for bisection.
    Steps { guess: Option<Score>, step: Option<(bool, Score)> },
    /// No further probe: the last one exceeded its budget, and any other would cost as much.
    GivenUp,
}

/// Node budgets of the horizon probes, round by round, that precede those from the middle.
pub(crate) const HORIZON_BUDGETS: [u64; 3] = [250, 1_000, 4_000];

/// Number of scores at an end of the window that a horizon probe asks for at once.
const HORIZON_STEP: Score = 2;

/// If the last probe for the sign takes as many nodes as this, the score is expected to be near zero.
const LONG_PROBE: u64 = 10_000;

/// The kind of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// Whether the score reaches the expected one.
    Guess,
    /// The sign of the score: who wins.
    Sign,
    /// Whether the score reaches the upper bound or, at a horizon, the score one less.
    Above,
    /// Whether the score exceeds the lower bound or, at a horizon, the score one more.
    Below,
    /// Whether the score reaches the value of a step from the last bound, or of a bisection.
    Step,
}

impl WindowSchedule {
    /// Probes for the sign, each within `budget` nodes, then at both ends, all those of an end within `budget` nodes together.
    pub(crate) fn horizon(budget: u64) -> Self {
        let order = Order::Horizon { sign: budget, above: budget, below: budget };
        Self { budget: Some(budget), order, last: None }
    }

    /// Probes at both ends, without a budget, until the score is exact, or known to be below `least_win` and above
    /// `greatest_loss`.
    pub(crate) fn at_ends(least_win: Score, greatest_loss: Score) -> Self {
        Self { budget: None, order: Order::Ends { least_win, greatest_loss }, last: None }
    }

    /// The schedules that lead to an exact score: from `guess` outwards, or from no knowledge, short horizons first.
    pub(crate) fn all(guess: Option<Score>) -> impl Iterator<Item = Self> {
        let horizons = HORIZON_BUDGETS.into_iter().filter(move |_| guess.is_none()).map(Self::horizon);
        horizons.chain([guess.map_or_else(|| Self::from_middle(None), Self::near)])
    }

    /// Probes from the middle, until one takes more than `budget` nodes; `None` for no budget.
    pub(crate) fn from_middle(budget: Option<u64>) -> Self {
        Self { budget, order: Order::Steps { guess: None, step: None }, last: None }
    }

    /// Probes from `guess` outwards, without a budget.
    pub(crate) fn near(guess: Score) -> Self {
        Self { budget: None, order: Order::Steps { guess: Some(guess), step: None }, last: None }
    }

    /// The next `beta`, above `lower` and at most `upper`; `None` when these meet, or when every remaining probe would
    /// exceed the budget or is not asked for.
    pub(crate) fn next(&mut self, lower: Score, upper: Score) -> Option<Score> {
        if lower >= upper {
            return None;
        }
        let is_sign_open = lower <= 0 && upper >= 0;
        let (question, beta) = match self.order {
            Order::Horizon { sign: 1.., .. } | Order::Steps { guess: None, .. } if is_sign_open => {
                (Question::Sign, middle(lower, upper))
            }
            // An end of the window that has come past zero is left to the steps from the middle, which do better there.
            Order::Horizon { above, below, .. } => {
                // A step of two scores ends at zero: a win and a draw, or a draw and a loss, are never asked for at once.
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

    /// Reports that the last probe was answered after `nodes` nodes of the thread that asked, and whether the score reaches
    /// its `beta`.
    pub(crate) fn answered(&mut self, nodes: u64, reached: bool) {
        match &mut self.order {
            Order::Horizon { .. } if self.last != Some(Question::Sign) => {
                if let Some(left) = self.nodes_left() {
                    *left = left.saturating_sub(nodes);
                }
            }
            Order::Steps { step, .. } => {
                *step = match self.last {
                    Some(Question::Guess) => Some((reached, 1)),
                    Some(Question::Sign) => (nodes >= LONG_PROBE).then_some((reached, 1)),
                    _ => step.filter(|&(up, _)| up == reached).map(|(up, step)| (up, 2 * step)),
                };
            }
            _ => {}
        }
    }

    /// Reports that the last probe was aborted as it exceeded the budget.
    pub(crate) fn exceeded_budget(&mut self) {
        match self.nodes_left() {
            Some(left) => *left = 0,
            None => self.order = Order::GivenUp,
        }
    }

    /// The nodes left for probes of the kind of the last one, where there is a budget for each kind.
    fn nodes_left(&mut self) -> Option<&mut u64> {
        let Order::Horizon { sign, above, below } = &mut self.order else { return None };
        Some(match self.last? {
            Question::Above => above,
            Question::Below => below,
            Question::Sign | Question::Guess | Question::Step => sign,
        })
    }
}

/// The end to probe after a probe of the kind `last`, of those that are asked for.
fn end_to_ask(last: Option<Question>, above: bool, below: bool) -> Option<Question> {
    let asks_above = above && (last != Some(Question::Above) || !below);
    (above || below).then_some(if asks_above { Question::Above } else { Question::Below })
}

/// The `beta` that divides the scores from `lower` to `upper`: at zero as long as the winner is open, else halfway.
fn middle(lower: Score, upper: Score) -> Score {
    match (lower < 0, upper > 0) {
        // Whether it is a win, then whether it is a loss.
        (_, true) if lower <= 0 => 1,
        (true, false) if upper == 0 => 0,
        // Bisection.
        _ => lower + (upper - lower + 1) / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a schedule against a known score; returns the number of probes.
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
        // The sign is within the budget, then the probes from the upper end until one exceeds it.
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

    /// The windows of a schedule if this is the score and every probe takes many nodes.
    fn windows(mut schedule: WindowSchedule, score: Score) -> Vec<Score> {
        let (mut lower, mut upper) = (-18, 18);
        let mut windows = Vec::new();
        while let Some(beta) = schedule.next(lower, upper) {
            windows.push(beta);
            (lower, upper) = if score >= beta { (beta, upper) } else { (lower, beta - 1) };
            schedule.answered(LONG_PROBE, score >= beta);
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
