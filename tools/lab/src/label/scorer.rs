//! Exact scores of a block of positions.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use plumb::board::{Board, Position};
use plumb::book::Book;
use plumb::score::{Score, immediate_score};
use plumb::search::{BatchSolver, StopFlag, Stopped};
use plumb::table::Table;
use plumb_arena::engine::process::Interrupt;

use crate::progress::{Counter, beside};
use crate::solve::inexact_table;

const REPORT_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub position: Position<Board>,
    pub score: Score,
    /// Legal moves as columns from 0, with scores for the side that moves. `None` unless moves are scored.
    pub moves: Option<Vec<(u32, Score)>>,
}

pub(crate) struct Scorer {
    table: Table,
    book: Option<Book>,
    pub(super) threads: NonZeroUsize,
    /// Whether the positions are solved. Otherwise all scores are 0.
    pub(super) solves: bool,
    pub(super) moves: bool,
}

impl Scorer {
    pub(crate) fn new(board: Board, hash: usize, threads: NonZeroUsize, book: Option<Book>) -> Result<Self> {
        let table = Table::new_on(board, hash)?;
        Ok(Self { table, book, threads, solves: true, moves: false })
    }

    /// Warning if different positions may have equal table keys.
    pub(super) fn inexact_table(&self) -> Option<String> {
        if !self.solves || self.table.is_exact() {
            return None;
        }
        Some(inexact_table(self.table.megabytes()))
    }

    /// Labels positions, in their order. A malformed row has neither position nor label. `None` after Ctrl-C.
    pub(crate) fn label(
        &self,
        rows: &[Option<Position<Board>>],
        interrupt: &'static Interrupt,
        counter: &mut Counter,
    ) -> Option<Vec<Option<Label>>> {
        if interrupt.is_requested() {
            return None;
        }
        let positions: Vec<_> = rows.iter().copied().flatten().collect();
        let stop = StopFlag::with_signal(Arc::new(move || interrupt.is_requested()));
        let (done, mut reported) = (AtomicUsize::new(rows.len() - positions.len()), 0);
        let labels = beside(
            REPORT_INTERVAL,
            || {
                reported += report(counter, &done, reported);
                REPORT_INTERVAL
            },
            |_| self.solve(&positions, &stop, &done).ok(),
        );
        report(counter, &done, reported);
        let mut labels = labels?.into_iter();
        Some(rows.iter().map(|row| row.and_then(|_| labels.next())).collect())
    }

    fn solve(
        &self,
        positions: &[Position<Board>],
        stop: &StopFlag,
        done: &AtomicUsize,
    ) -> std::result::Result<Vec<Label>, Stopped> {
        let batch = BatchSolver::new(&self.table).book(self.book.as_ref()).threads(self.threads);
        let batch = batch.stop_flag(stop).progress(done);
        if self.moves {
            let all = positions.iter().zip(batch.move_scores(positions)?);
            let labels = all.map(|(position, moves)| {
                let best = moves.iter().map(|&(_, score)| score).max();
                let score = best.or_else(|| immediate_score(position)).unwrap_or_default();
                Label { position: *position, score, moves: Some(moves) }
            });
            return Ok(labels.collect());
        }
        let scores = if self.solves { batch.scores(positions)? } else { vec![0; positions.len()] };
        let labels = positions.iter().zip(scores);
        Ok(labels.map(|(&position, score)| Label { position, score, moves: None }).collect())
    }
}

/// Adds the newly solved positions to the progress, and returns their number.
fn report(counter: &mut Counter, done: &AtomicUsize, reported: usize) -> usize {
    let new = done.load(Ordering::Relaxed) - reported;
    counter.advance_by(new, String::new);
    new
}
