//! The solver that is part of this program.

use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Context, Result};
use plumb::search::Solver;
use plumb::table::Table;
use plumb_studies::cpu_time;
use plumb_studies::scored_positions::ScoredPosition;

use super::position_solver::{Answer, PositionSolver, Solved};

/// The solver with its table.
pub(crate) struct BuiltIn {
    table: Table,
    /// Whether only the sign of the score is wanted.
    weak: bool,
    threads: NonZeroUsize,
}

impl BuiltIn {
    /// A solver on `threads` threads with an empty table of `hash` MB.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn new(hash: usize, weak: bool, threads: NonZeroUsize) -> Result<Self> {
        Ok(Self { table: Table::new(hash).context("there is no memory for the table")?, weak, threads })
    }
}

impl PositionSolver for BuiltIn {
    fn forget(&mut self) -> Result<()> {
        self.table.clear(1);
        Ok(())
    }

    /// Nothing but the search itself is timed.
    fn solve(&mut self, ScoredPosition { position, .. }: &ScoredPosition) -> Result<Solved> {
        let mut solver = Solver::new(&self.table).threads(self.threads);
        let (wall, cpu) = (Instant::now(), cpu_time::of_solver(self.threads));
        let score = if self.weak { solver.weak_score(position) } else { solver.score(position) };
        let cpu = cpu_time::of_solver(self.threads).saturating_sub(cpu);
        let wall = wall.elapsed();
        let score = score?;
        let answer = if self.weak { Answer::Sign(score) } else { Answer::Exact(score) };
        let nodes = Some(solver.nodes());
        // On one thread it is that thread's time that says most, on several what the user waits.
        let time = if self.threads.get() == 1 { cpu } else { wall };
        let hash_full = Some(u32::from(self.table.hashfull()));
        Ok(Solved { answer, nodes, time, cpu: Some(cpu), wall, hash_full })
    }
}
