//! The solver that is part of this program.

use std::num::NonZeroUsize;

use anyhow::{Context, Result};
use plumb::board::Board;
use plumb::search::AnySolver;
use plumb::table::AnyTable;
use plumb_studies::cpu_time::{self, Taken};
use plumb_studies::scored_positions::ScoredPosition;

use super::position_solver::{Answer, PositionSolver, Solved};

/// The solver with its table.
pub(crate) struct BuiltIn {
    table: AnyTable,
    /// Whether only the sign of the score is wanted.
    weak: bool,
    threads: NonZeroUsize,
}

impl BuiltIn {
    /// A solver for a board, on `threads` threads, with an empty table of `hash` MB.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn new(board: Board, hash: usize, weak: bool, threads: NonZeroUsize) -> Result<Self> {
        let table = AnyTable::new(board, hash).context("there is no memory for the table")?;
        Ok(Self { table, weak, threads })
    }
}

impl PositionSolver for BuiltIn {
    fn forget(&mut self) -> Result<()> {
        self.table.clear(1);
        Ok(())
    }

    fn solve(&mut self, entry: &ScoredPosition<Board>) -> Result<Solved> {
        let Self { table, weak, threads } = self;
        let (position, mut solver) = (&entry.position, AnySolver::new(table).threads(*threads));
        let work = || {
            if *weak {
                solver.weak_score(position).map(Answer::Sign)
            } else {
                solver.score(position).map(Answer::Exact)
            }
        };
        let (answer, Taken { cpu, wall }) = cpu_time::measured(*threads, work);
        // On one thread it is that thread's time that says most, on several what the user waits.
        let time = if threads.get() == 1 { cpu } else { wall };
        let (nodes, hash_full) = (Some(solver.nodes()), Some(u32::from(table.hashfull())));
        Ok(Solved { answer: answer?, nodes, time, cpu: Some(cpu), wall, hash_full })
    }
}
