//! The solver that is part of this program.

use anyhow::{Context, Result};
use plumb::search::Solver;
use plumb::table::Table;

use super::positions::Entry;
use super::{Answer, Solved, Subject};
use crate::cpu_time;

/// The solver with its table.
pub(super) struct BuiltIn {
    table: Table,
    /// Whether only the sign of the score is wanted.
    weak: bool,
}

impl BuiltIn {
    /// A solver with an empty table of `hash` MB.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(super) fn new(hash: usize, weak: bool) -> Result<Self> {
        Ok(Self { table: Table::new(hash, 1).context("the table cannot be had")?, weak })
    }
}

impl Subject for BuiltIn {
    fn forget(&mut self) -> Result<()> {
        self.table.clear(1);
        Ok(())
    }

    /// Nothing but the search itself is timed.
    fn solve(&mut self, Entry { position, .. }: &Entry) -> Result<Solved> {
        let mut solver = Solver::new(&self.table);
        let start = cpu_time::now();
        let score = if self.weak { solver.try_outcome(position) } else { solver.try_score(position) };
        let time = cpu_time::now().saturating_sub(start);
        let score = score.context("the solver was told to stop")?;
        let answer = if self.weak { Answer::Sign(score) } else { Answer::Exact(score) };
        Ok(Solved { answer, nodes: Some(solver.nodes()), time, cpu: None })
    }
}
