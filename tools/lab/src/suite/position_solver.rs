//! The interface of the solvers of a suite.

use plumb::board::Board;
use std::time::Duration;

use anyhow::Result;
use plumb::score::Score;
use plumb_studies::scored_positions::ScoredPosition;

/// A solver of positions: the built-in one or an engine.
pub(crate) trait PositionSolver {
    /// Starts a new game with an empty table.
    fn forget(&mut self) -> Result<()>;

    /// Solves a position.
    fn solve(&mut self, entry: &ScoredPosition<Board>) -> Result<Solved>;
}

/// A score as far as the solver reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Exact(Score),
    /// The sign alone: 1, 0 or -1.
    Sign(Score),
}

/// The result of one position.
pub(crate) struct Solved {
    pub answer: Answer,
    pub nodes: Option<u64>,
    /// Processor time for the built-in solver on one thread, else wall time.
    pub time: Duration,
    /// Processor time of all threads, on systems that report it.
    pub cpu: Option<Duration>,
    /// Wall time.
    pub wall: Duration,
    /// Filled share of the table afterwards, in permille, if reported.
    pub hash_full: Option<u32>,
}
