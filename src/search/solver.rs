//! The exact score of a position by itself, without moves, clocks or reports: for tools and tests.

use super::control::{Control, Halt};
use super::negamax::Prover;
use super::pv;
use super::schedule::Schedule;
use super::signals::Signals;
use crate::board::{Geometry, Position};
use crate::score::{Score, max_score, win_with_stone};
use crate::table::Table;

/// Nodes that a probe of the horizon may take before the middle is asked.
const HORIZON_BUDGET: u64 = 2_000;

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
}

impl<'a, G: Geometry> Solver<'a, G> {
    /// A solver over `table`, which must have seen positions of this board only.
    #[must_use]
    pub fn new(table: &'a Table) -> Self {
        Self { prover: Prover::new(table, Control::unlimited()) }
    }

    /// The same, ending early when `signals` say so.
    #[must_use]
    pub fn with_signals(table: &'a Table, signals: &'a Signals) -> Self {
        Self { prover: Prover::new(table, Control::new(signals, None, None)) }
    }

    /// Nodes visited since the solver was made.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.prover.control.nodes()
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
        let limit = max_score::<G>();
        let plies = position.plies();
        let mut lower = -limit.min(win_with_stone::<G>(plies.min(G::CELLS)));
        let mut upper = limit.min(win_with_stone::<G>(plies + 1));
        for mut schedule in [Schedule::horizon(HORIZON_BUDGET), Schedule::middle()] {
            while let Some(beta) = schedule.next(lower, upper) {
                self.prover.control.set_budget(schedule.budget());
                match self.prover.probe(position, beta) {
                    Ok(value) if value >= beta => lower = value,
                    Ok(value) => upper = value,
                    Err(Halt::Budget) => schedule.give_up(),
                    Err(Halt::Stop) => return None,
                }
            }
        }
        Some(lower)
    }

    /// The result alone: 1 if the side to move wins, 0 for a draw, -1 if it loses; `None` if told to stop.
    pub fn try_outcome(&mut self, position: &Position<G>) -> Option<Score> {
        self.prover.control.set_budget(None);
        if self.prover.probe(position, 1).ok()? >= 1 {
            return Some(1);
        }
        Some(if self.prover.probe(position, 0).ok()? >= 0 { 0 } else { -1 })
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
