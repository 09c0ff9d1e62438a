//! Exact scores of a block of positions.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{after, bounded, select};
use plumb::board::{Position, Standard, StaticGeometry};
use plumb::book::Book;
use plumb::score::{Score, immediate_score, plies_to_end};
use plumb::search::{BatchSolver, StopFlag, Stopped};
use plumb::table::Table;
use plumb_arena::interrupt::Interrupt;

/// Columns of the board.
pub(super) const WIDTH: usize = Standard::WIDTH as usize;
/// Time between two looks at how many positions are done.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The score of each move for the side that makes it; none for a column that is full.
pub(super) type MoveScores = [Option<Score>; WIDTH];

/// The labels of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub score: Score,
    /// Plies to the end under perfect play.
    pub distance: u32,
    /// Only if asked for; those of a game that is over are all none.
    pub moves: Option<MoveScores>,
}

/// Solves positions over a table that is kept from one block to the next.
pub(super) struct Scorer {
    pub table: Table,
    pub book: Option<Book>,
    pub threads: NonZeroUsize,
    /// Whether the moves are scored as well.
    pub moves: bool,
}

impl Scorer {
    /// Labels these positions, in their order. `report` is called from time to time with the number of positions that were
    /// done since the call before. `None` if that was interrupted.
    pub(super) fn label(
        &self,
        positions: &[Position],
        interrupt: &Interrupt,
        mut report: impl FnMut(usize) + Send,
    ) -> Option<Vec<Label>> {
        let (stop, done) = (&StopFlag::new(), &AtomicUsize::new(0));
        let (until_solved, solved) = bounded::<()>(0);
        thread::scope(|scope| {
            let watch = move || {
                let mut reported = 0;
                loop {
                    let is_solved = select! {
                        recv(interrupt.channel()) -> _ => {
                            stop.stop();
                            return;
                        }
                        recv(solved) -> _ => true,
                        recv(after(REPORT_INTERVAL)) -> _ => false,
                    };
                    let count = done.load(Ordering::Relaxed);
                    report(count - reported);
                    reported = count;
                    if is_solved {
                        return;
                    }
                }
            };
            // Where the system starts no more threads, Ctrl-C is obeyed between two calls.
            let _watched = thread::Builder::new().spawn_scoped(scope, watch);
            let labels = self.solve(positions, stop, done);
            drop(until_solved);
            labels.ok()
        })
    }

    fn solve(
        &self,
        positions: &[Position],
        stop: &StopFlag,
        done: &AtomicUsize,
    ) -> Result<Vec<Label>, Stopped> {
        let mut batch = BatchSolver::new(&self.table).threads(self.threads).stop_flag(stop).progress(done);
        if let Some(book) = &self.book {
            batch = batch.book(book);
        }
        if !self.moves {
            let scores = batch.scores(positions)?;
            let labels = positions.iter().zip(scores).map(|(position, score)| label(position, score, None));
            return Ok(labels.collect());
        }
        let all = batch.move_scores(positions)?;
        let labels = positions.iter().zip(all).map(|(position, moves)| {
            let best = moves.iter().map(|&(_, score)| score).max();
            let score = best.or_else(|| immediate_score(position)).unwrap_or_default();
            let mut by_column = MoveScores::default();
            for (column, score) in moves {
                by_column[column as usize] = Some(score);
            }
            label(position, score, Some(by_column))
        });
        Ok(labels.collect())
    }
}

/// The labels of a position with this score.
fn label(position: &Position, score: Score, moves: Option<MoveScores>) -> Label {
    let distance = match (position.outcome(), score) {
        (Some(_), _) => 0,
        (None, 0) => position.empty_cells(),
        (None, score) => plies_to_end(Standard::default(), score, position.plies()),
    };
    Label { score, distance, moves }
}
