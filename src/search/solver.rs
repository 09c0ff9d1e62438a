//! The exact score of a position by itself, without moves, clocks or reports: for tools and tests.

use std::num::NonZeroUsize;

use super::control::{Control, Halt};
use super::kernel::Choice;
use super::negamax::Prover;
use super::pv;
use super::schedule::{HORIZON_BUDGETS, Schedule};
use super::signals::Signals;
use super::traffic::Traffic;
use crate::board::{Geometry, Position};
use crate::score::{Score, max_score, win_with_stone};
use crate::table::Table;

/// An exact solver that remembers in a table.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::search::Solver;
/// use plumb::table::Table;
///
/// let table = Table::new(1, 1)?;
/// let position = Position::<Standard>::from_digits("2252576253462244111563365343671351441").unwrap();
/// assert_eq!(Solver::new(&table).score(&position), -1);
/// # Ok::<(), plumb::table::TableError>(())
/// ```
pub struct Solver<'a, G: Geometry> {
    prover: Prover<'a, G>,
    observer: Option<Observer<'a>>,
}

/// Is told the bounds of the score, the lower one first.
type Observer<'a> = Box<dyn FnMut(Score, Score) + 'a>;

impl<'a, G: Geometry> Solver<'a, G> {
    /// A solver over `table`, which must have seen positions of this board only.
    #[must_use]
    pub fn new(table: &'a Table) -> Self {
        Self { prover: Prover::new(table, Control::unlimited()), observer: None }
    }

    /// The same, ending early when `signals` say so.
    #[must_use]
    pub fn with_signals(table: &'a Table, signals: &'a Signals) -> Self {
        Self { prover: Prover::new(table, Control::new(signals, None, None)), observer: None }
    }

    /// The same on `threads` threads, the caller's included. The scores are the same; the nodes that it takes are not
    /// even the same from one time to the next.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.prover.control = self.prover.control.with_threads(threads);
        self
    }

    /// The same as one of several solvers that run side by side over one table, each on a thread of its own and with a
    /// `number` of its own, from 0: it keeps them out of each other's cache lines.
    #[must_use]
    pub fn numbered(mut self, number: usize) -> Self {
        self.prover.set_thread(number);
        self
    }

    /// Lets `observer` see from now on how [`try_score`](Self::try_score) and [`try_outcome`](Self::try_outcome) close
    /// in on the score: after each probe that was not broken off it is told the bounds, seen from the side to move.
    /// It takes the place of an earlier observer, and runs on the solver's thread, a few dozen times a position at
    /// most. For what happens within a probe there is [`Signals::nodes`].
    pub fn on_probe(&mut self, observer: impl FnMut(Score, Score) + 'a) {
        self.observer = Some(Box::new(observer));
    }

    /// The same, counting on its own thread what is asked of the table, which takes some time. Scores and node counts do
    /// not depend on it.
    #[must_use]
    pub fn counting(mut self) -> Self {
        self.prover.set_kernel(Choice::Counting);
        self
    }

    /// What was asked of the table up to now, if the solver was made [`counting`](Self::counting).
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.prover.traffic
    }

    /// The same, without the instructions that only newer processors have: for comparing. Scores and node counts do
    /// not depend on it.
    #[must_use]
    pub fn portable(mut self) -> Self {
        self.prover.set_kernel(Choice::Portable);
        self
    }

    fn observe(&mut self, lower: Score, upper: Score) {
        if let Some(observer) = &mut self.observer {
            observer(lower, upper);
        }
    }

    /// Nodes visited since the solver was made, by all threads together.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.prover.control.all_nodes()
    }

    /// The exact score of `position` for its side to move (see [`crate::score`]).
    ///
    /// # Panics
    /// If the solver was told to stop; then use [`try_score`](Self::try_score).
    pub fn score(&mut self, position: &Position<G>) -> Score {
        self.try_score(position).expect("nothing stops this solver")
    }

    /// The exact score of `position` for its side to move, or `None` if the solver was told to stop.
    pub fn try_score(&mut self, position: &Position<G>) -> Option<Score> {
        self.close_in(
            position,
            HORIZON_BUDGETS.into_iter().map(Schedule::horizon).chain([Schedule::middle()]),
        )
    }

    /// The exact score as [`score`](Self::score) finds it, but sooner where it is `guess` or near it: the score of a
    /// similar position, solved before.
    ///
    /// # Panics
    /// If the solver was told to stop.
    pub fn score_near(&mut self, position: &Position<G>, guess: Score) -> Score {
        self.close_in(position, [Schedule::near(guess)]).expect("nothing stops this solver")
    }

    /// Probes by one schedule after the other until the score is known; `None` if told to stop.
    fn close_in(
        &mut self,
        position: &Position<G>,
        schedules: impl IntoIterator<Item = Schedule>,
    ) -> Option<Score> {
        let limit = max_score::<G>();
        let plies = position.plies();
        let mut lower = -limit.min(win_with_stone::<G>(plies.min(G::CELLS)));
        let mut upper = limit.min(win_with_stone::<G>(plies + 1));
        for mut schedule in schedules {
            while let Some(beta) = schedule.next(lower, upper) {
                self.prover.control.set_budget(schedule.budget());
                let before = self.nodes();
                match self.prover.probe(position, beta) {
                    Ok(value) => {
                        *(if value >= beta { &mut lower } else { &mut upper }) = value;
                        schedule.took(self.nodes() - before, value >= beta);
                    }
                    Err(Halt::Budget) => {
                        schedule.give_up();
                        continue;
                    }
                    Err(Halt::Stop) => return None,
                }
                self.observe(lower, upper);
            }
        }
        Some(lower)
    }

    /// The result alone: 1 if the side to move wins, 0 for a draw, -1 if it loses; `None` if told to stop.
    pub fn try_outcome(&mut self, position: &Position<G>) -> Option<Score> {
        self.prover.control.set_budget(None);
        let limit = max_score::<G>();
        let value = self.prover.probe(position, 1).ok()?;
        if value >= 1 {
            self.observe(value, limit);
            return Some(1);
        }
        self.observe(-limit, value);
        if value < 0 {
            return Some(-1);
        }
        let value = self.prover.probe(position, 0).ok()?;
        if value < 0 {
            self.observe(-limit, value);
            return Some(-1);
        }
        self.observe(0, 0);
        Some(0)
    }

    /// Whether the score of `position` is at least `beta`: one null-window probe. `None` if told to stop.
    pub fn is_worth_at_least(&mut self, position: &Position<G>, beta: Score) -> Option<bool> {
        self.prover.control.set_budget(None);
        self.prover.probe(position, beta).ok().map(|value| value >= beta)
    }

    /// A line of perfect play (columns from 0) from `position`, whose exact score is `score`, to the end of the game.
    /// Shorter if the solver was told to stop.
    pub fn best_line(&mut self, position: &Position<G>, score: Score) -> Vec<u32> {
        self.prover.control.set_budget(None);
        let mut line = Vec::new();
        let _stopped = pv::extend(&mut self.prover, *position, score, &mut line);
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    #[test]
    fn every_guess_leads_to_the_score() {
        let position = Position::<Standard>::from_digits("2252576253462244111563365343671").expect("legal");
        let score = Solver::new(&Table::new(1, 1).expect("one megabyte")).score(&position);
        for guess in -22..=22 {
            let table = Table::new(1, 1).expect("one megabyte");
            assert_eq!(Solver::new(&table).score_near(&position, guess), score, "from {guess}");
        }
    }

    #[test]
    fn an_observer_sees_the_bounds_close_in_on_the_score() {
        let table = Table::new(1, 1).expect("one megabyte");
        let position = Position::<Standard>::from_digits("2252576253462244111563365343671").expect("legal");
        let (mut bounds, mut outcomes) = (Vec::new(), Vec::new());
        let mut solver = Solver::new(&table);
        solver.on_probe(|lower, upper| bounds.push((lower, upper)));
        let score = solver.score(&position);
        drop(solver);
        assert_eq!(bounds.last(), Some(&(score, score)));
        assert!(bounds.is_sorted_by(|a, b| a.0 <= b.0 && b.1 <= a.1), "{bounds:?}");

        let mut solver = Solver::new(&table);
        solver.on_probe(|lower, upper| outcomes.push((lower, upper)));
        assert_eq!(solver.try_outcome(&position), Some(score.signum()));
        drop(solver);
        assert!(outcomes.iter().all(|&(lower, upper)| lower <= score && score <= upper), "{outcomes:?}");
    }
}
