//! Which probe to make next: the score is the distance to the end, so a window is a horizon.

use crate::score::Score;

/// The order of the probes between a lower and an upper bound.
///
/// Short horizons are cheap, so both ends close in first: "is there a win this fast?" and "is every line lost this
/// fast?", each as long as its probes stay within a node budget. Who wins is asked before, within the same budget: where
/// that is known, only one end is left to ask about. What is still open then is stepped through from the middle: win or
/// not, loss or not, then by halves; or, if it took long to find out who wins, outwards from there: such wins come late.
/// Where the score of a similar position is known, the steps lead away from that one instead.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    /// Node budget of a probe, where it has one.
    budget: Option<u64>,
    /// Where to ask.
    origin: Origin,
    /// Whether to ask first who wins.
    sign_first: bool,
    /// Down to which score to ask for a win, and up to which one for a loss.
    least_win: Score,
    greatest_loss: Score,
    /// What the last probe asked.
    asked: Question,
    /// How far from the near end to ask next, if not in the middle.
    step: Option<Score>,
    /// Whether the steps lead upwards.
    up: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Ends,
    Middle,
    Guess(Score),
}

/// Node budgets of the horizon probes, round by round, before the middle is asked.
pub(crate) const HORIZON_BUDGETS: [u64; 3] = [125, 500, 2_000];

/// If it takes as many nodes as this to find out who wins, the score is expected to be near zero.
const LONG_PROBE: u64 = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Nothing,
    /// No more, for the last one was too dear.
    GivenUp,
    Guess,
    Sign,
    Above,
    Below,
}

impl Schedule {
    /// Who wins, then probes at both ends, each within `budget` nodes.
    pub(crate) fn horizon(budget: u64) -> Self {
        Self { budget: Some(budget), sign_first: true, ..Self::within(Score::MIN, Score::MAX) }
    }

    /// Probes at both ends, whatever they cost, until it is known whether the score is at least `least_win`, and
    /// whether it is at most `greatest_loss`.
    pub(crate) fn within(least_win: Score, greatest_loss: Score) -> Self {
        Self {
            budget: None,
            origin: Origin::Ends,
            sign_first: false,
            least_win,
            greatest_loss,
            asked: Question::Nothing,
            step: None,
            up: false,
        }
    }

    /// Probes from the middle, whatever they cost.
    pub(crate) fn middle() -> Self {
        Self { origin: Origin::Middle, ..Self::within(Score::MIN, Score::MAX) }
    }

    /// Probes from the middle up to the first that takes more than `budget` nodes, if that is a number.
    pub(crate) fn middle_within(budget: Option<u64>) -> Self {
        Self { budget, ..Self::middle() }
    }

    /// Probes from `guess` outwards, whatever they cost.
    pub(crate) fn near(guess: Score) -> Self {
        Self { origin: Origin::Guess(guess), ..Self::within(Score::MIN, Score::MAX) }
    }

    /// The node budget of its probes.
    pub(crate) fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// The next `beta` to ask about, above `lower` and at most `upper`; `None` when they meet or every end has used up
    /// its budget.
    pub(crate) fn next(&mut self, lower: Score, upper: Score) -> Option<Score> {
        if lower >= upper || self.asked == Question::GivenUp {
            return None;
        }
        let undecided = lower <= 0 && upper >= 0;
        if let (Origin::Guess(guess), Question::Nothing) = (self.origin, self.asked) {
            self.asked = Question::Guess;
            return Some(guess.clamp(lower + 1, upper));
        }
        if self.origin != Origin::Ends {
            let ask_sign = undecided && self.origin == Origin::Middle;
            self.asked = if ask_sign { Question::Sign } else { Question::Above };
            return Some(match self.step {
                Some(step) if !ask_sign && self.up => upper.min(lower + step),
                Some(step) if !ask_sign => (lower + 1).max(upper + 1 - step),
                _ => middle(lower, upper),
            });
        }
        if self.sign_first && undecided {
            self.asked = Question::Sign;
            return Some(middle(lower, upper));
        }
        // Within a budget the near end is not asked about: steps from the middle do better there.
        let above = upper >= self.least_win && !(self.budget.is_some() && upper < 0);
        let below = lower <= self.greatest_loss && !(self.budget.is_some() && lower > 0);
        if !above && !below {
            return None;
        }
        let turn = self.asked != Question::Above;
        self.asked = if above && (turn || !below) { Question::Above } else { Question::Below };
        Some(if self.asked == Question::Above { upper } else { lower + 1 })
    }

    /// Takes note that the last probe took `nodes` nodes, and whether the score was found to reach its `beta`.
    pub(crate) fn took(&mut self, nodes: u64, reached: bool) {
        self.step = match self.asked {
            Question::Guess => Some(1),
            Question::Sign => (nodes >= LONG_PROBE).then_some(1),
            _ => self.step.filter(|_| self.up == reached).map(|step| 2 * step),
        };
        if matches!(self.asked, Question::Guess | Question::Sign) {
            self.up = reached;
        }
    }

    /// Takes note that the last probe was broken off for want of budget.
    pub(crate) fn give_up(&mut self) {
        if self.origin != Origin::Ends {
            // The others would cost as much.
            self.asked = Question::GivenUp;
        }
        match self.asked {
            Question::Sign => self.sign_first = false,
            Question::Above => self.least_win = Score::MAX,
            Question::Below => self.greatest_loss = Score::MIN,
            Question::Nothing | Question::GivenUp | Question::Guess => {}
        }
    }
}

/// A `beta` above `lower` and at most `upper`.
fn middle(lower: Score, upper: Score) -> Score {
    match (lower < 0, upper > 0) {
        // First whether it is a win, then whether it is a loss.
        (_, true) if lower <= 0 => 1,
        (true, false) if upper == 0 => 0,
        // Then by halves.
        _ => lower + (upper - lower + 1) / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a schedule against a known score; returns the number of probes.
    fn run(
        mut schedule: Schedule,
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
                schedule.took(0, score >= beta);
                (lower, upper) = if score >= beta { (beta, upper) } else { (lower, beta - 1) };
            } else {
                schedule.give_up();
            }
        }
        (lower, upper, probes)
    }

    #[test]
    fn both_schedules_close_in_on_every_score() {
        for score in -18..=18 {
            let (lower, upper, probes) = run(Schedule::middle(), score, |_| true);
            assert_eq!((lower, upper), (score, score));
            assert!(probes <= 7);
            assert_eq!(run(Schedule::within(Score::MIN, Score::MAX), score, |_| true).0, score);
            let (lower, upper, _) = run(Schedule::horizon(1), score, |_| true);
            assert_eq!((lower, upper), (score, score));
            for guess in -20..=20 {
                let (lower, upper, probes) = run(Schedule::near(guess), score, |_| true);
                assert_eq!((lower, upper), (score, score));
                assert!(probes <= 12, "{probes} probes from {guess} to {score}");
            }
            assert!(run(Schedule::near(score), score, |_| true).2 <= 2);
        }
    }

    #[test]
    fn horizons_stop_at_what_they_cannot_afford() {
        let (lower, upper, _) = run(Schedule::horizon(1), 0, |beta| beta.abs() > 9);
        assert_eq!((lower, upper), (-10, 9));
        // A win is known at once, and then how soon it cannot be.
        let (lower, upper, _) = run(Schedule::horizon(1), 3, |beta| beta == 1 || beta > 9);
        assert_eq!((lower, upper), (1, 9));
    }

    #[test]
    fn from_the_middle_the_first_that_is_too_dear_is_the_last() {
        let (lower, upper, probes) = run(Schedule::middle_within(Some(1)), 5, |beta| beta != 10);
        assert_eq!((lower, upper, probes), (1, 18, 2));
        assert_eq!(run(Schedule::middle_within(None), 5, |_| true).0, 5);
    }

    #[test]
    fn a_horizon_in_plies_is_kept() {
        let (lower, upper, _) = run(Schedule::within(15, -14), 0, |_| true);
        assert_eq!((lower, upper), (-13, 14));
        let (lower, upper, _) = run(Schedule::within(10, Score::MIN), 0, |_| true);
        assert_eq!((lower, upper), (-18, 9));
    }

    #[test]
    fn a_winner_found_late_is_stepped_away_from() {
        for (score, expected) in [(1, vec![1, 2]), (6, vec![1, 2, 4, 8, 6, 7]), (-3, vec![1, 0, -1, -3, -2])]
        {
            assert_eq!(asked(Schedule::middle(), score), expected);
        }
    }

    /// What a schedule asks where this is the score and every probe is dear.
    fn asked(mut schedule: Schedule, score: Score) -> Vec<Score> {
        let (mut lower, mut upper) = (-18, 18);
        let mut asked = Vec::new();
        while let Some(beta) = schedule.next(lower, upper) {
            asked.push(beta);
            (lower, upper) = if score >= beta { (beta, upper) } else { (lower, beta - 1) };
            schedule.took(LONG_PROBE, score >= beta);
        }
        assert_eq!((lower, upper), (score, score));
        asked
    }

    #[test]
    fn a_guess_is_stepped_away_from() {
        for (guess, score, expected) in
            [(-3, -3, vec![-3, -2]), (0, 4, vec![0, 1, 3, 7, 5, 4]), (5, 2, vec![5, 4, 2, 3])]
        {
            assert_eq!(asked(Schedule::near(guess), score), expected);
        }
    }

    #[test]
    fn the_middle_asks_for_a_win_then_for_a_loss() {
        assert_eq!(Schedule::middle().next(-18, 18), Some(1));
        assert_eq!(Schedule::middle().next(-18, 0), Some(0));
        assert_eq!(Schedule::middle().next(0, 18), Some(1));
        assert_eq!(Schedule::middle().next(-18, -1), Some(-9));
    }
}
