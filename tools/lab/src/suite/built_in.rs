//! The solver that is part of this program.

use plumb::board::Board;
use std::num::NonZeroUsize;

use anyhow::Result;
use plumb_studies::scored_positions::ScoredPosition;

use super::position_solver::{Answer, PositionSolver, Solved};
use crate::board_size::Size;
use crate::exact_solver::{self, ExactSolver, How, exact_solver};

/// The solver with its table.
pub(crate) struct BuiltIn {
    solver: Box<dyn ExactSolver>,
    /// Whether only the sign of the score is wanted.
    weak: bool,
    threads: NonZeroUsize,
}

impl BuiltIn {
    /// A solver for a board, on `threads` threads, with an empty table of `hash` MB.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn new(board: Size, hash: usize, weak: bool, threads: NonZeroUsize) -> Result<Self> {
        Ok(Self { solver: exact_solver(board, hash, NonZeroUsize::MIN)?, weak, threads })
    }
}

impl PositionSolver for BuiltIn {
    fn forget(&mut self) -> Result<()> {
        self.solver.clear();
        Ok(())
    }

    fn solve(&mut self, entry: &ScoredPosition<Board>) -> Result<Solved> {
        let Self { solver, weak, threads } = self;
        let how = How { threads: *threads, weak: *weak, ..How::default() };
        let exact_solver::Solved { score, nodes, cpu, wall, .. } = solver.solve(&entry.position, how)?;
        let answer = if *weak { Answer::Sign(score) } else { Answer::Exact(score) };
        // On one thread it is that thread's time that says most, on several what the user waits.
        let time = if threads.get() == 1 { cpu } else { wall };
        let hash_full = Some(u32::from(solver.hashfull()));
        Ok(Solved { answer, nodes: Some(nodes), time, cpu: Some(cpu), wall, hash_full })
    }
}
