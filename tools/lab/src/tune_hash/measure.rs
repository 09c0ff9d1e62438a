//! Taking the figures of one run.

use plumb::board::{Board, Geometry};
use std::num::NonZeroUsize;

use anyhow::{Context, Result, ensure};
use plumb::score::Score;
use plumb::search::{AnySolver, TableStatistics};
use plumb::table::AnyTable;
use plumb_studies::scored_positions::ScoredPosition;

use super::run::Run;
use super::turn::{TIMEOUT, Turn};
use crate::failure::Failure;
use crate::suite::built_in::BuiltIn;
use crate::suite::engine::{Engine, Protocol, Setup};
use crate::suite::position_solver::{Answer, PositionSolver};

/// Who solves.
pub(super) struct SolverSetup<'a> {
    pub board: Board,
    /// The command of an engine, if it is not the built-in solver.
    pub engine: Option<&'a str>,
    pub protocol: Protocol,
    pub threads: NonZeroUsize,
}

impl SolverSetup<'_> {
    /// Has `turn`, with a process or a table of its own.
    ///
    /// # Errors
    /// If the built-in solver finds a wrong score, there is no memory for the table, or the engine fails.
    pub(super) fn measure(&self, turn: &Turn<'_>, setup: String) -> Result<Run> {
        let Turn { suite, warm, megabytes, repeat } = *turn;
        let entries = &suite.entries;
        let mut solver = self.start(megabytes)?;
        let (mut wrong, mut seconds, mut nodes, mut full) = (0, 0.0, Some(0), Some(0.0));
        for (index, entry) in entries.iter().enumerate() {
            if index == 0 || !warm {
                solver.forget()?;
            }
            let result = solver
                .solve(entry)
                .with_context(|| format!("{}:{}: {}", suite.name, entry.line, entry.moves))?;
            if let Err(failure) = check(entry, result.answer) {
                // Other engines may prune what they should not, and are tuned all the same.
                ensure!(self.engine.is_some(), failure);
                wrong += 1;
            }
            // What an engine's process took where the system tells, as other processes do not count for that.
            let cpu = result.cpu.filter(|_| self.engine.is_some());
            seconds += cpu.unwrap_or(result.time).as_secs_f64();
            nodes = nodes.zip(result.nodes).map(|(sum, nodes)| sum + nodes);
            full = full.zip(result.hash_full).map(|(sum, full)| sum + f64::from(full) / 1000.0);
        }
        // What is asked of the table does not differ from one repeat to the next.
        let is_counted = self.engine.is_none() && self.threads.get() == 1 && repeat == 1;
        let traffic = is_counted.then(|| traffic(self.board, entries, warm, megabytes)).transpose()?;
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        Ok(Run {
            setup,
            suite: suite.name.clone(),
            warm,
            megabytes,
            repeat,
            positions: entries.len(),
            wrong,
            seconds,
            nodes,
            full: full.map(|sum| sum / entries.len() as f64),
            hits: traffic.map(|traffic| share(traffic.hits, traffic.probes)),
            overwrites: traffic.map(|traffic| share(traffic.overwrites, traffic.stores)),
        })
    }

    fn start(&self, hash: usize) -> Result<Box<dyn PositionSolver>> {
        let Some(command) = self.engine else {
            return Ok(Box::new(BuiltIn::new(self.board, hash, false, self.threads)?));
        };
        let (protocol, board) = (self.protocol, self.board.size());
        Ok(Box::new(Engine::start(&Setup { command, protocol, board, hash, timeout: TIMEOUT })?))
    }
}

/// Whether the answer is right, as far as that is known.
fn check(entry: &ScoredPosition<Board>, answer: Answer) -> Result<(), Failure> {
    let (found, expected) = match answer {
        Answer::Exact(score) => (score, entry.score),
        Answer::Sign(sign) => (sign, entry.score.map(Score::signum)),
    };
    if let Some(expected) = expected.filter(|&expected| expected != found) {
        return Err(Failure(format!("`{}` has {found}, expected {expected}", entry.moves)));
    }
    Ok(())
}

/// What the built-in solver asks of a table of this size.
fn traffic(
    board: Board,
    entries: &[ScoredPosition<Board>],
    warm: bool,
    megabytes: usize,
) -> Result<TableStatistics> {
    let mut table = AnyTable::new(board, megabytes).context("there is no memory for the table")?;
    let mut sum = TableStatistics::default();
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 && !warm {
            table.clear(1);
        }
        let mut solver = AnySolver::new(&table).counting();
        solver.score(&entry.position)?;
        let TableStatistics { probes, hits, stores, overwrites } = solver.statistics();
        sum.probes += probes;
        sum.hits += hits;
        sum.stores += stores;
        sum.overwrites += overwrites;
    }
    Ok(sum)
}
