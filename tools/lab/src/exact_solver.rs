//! An exact solver for a board whose size is known only when the program runs.
//!
//! The search is compiled for each size of [`Size`], with the size as constants; this is where the two meet. What is
//! generic here is compiled about forty times, so it is little: positions are converted, and the library is called.

use std::any::Any;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use plumb::board::{Position, StaticGeometry};
use plumb::book::Book;
use plumb::score::Score;
use plumb::search::{BatchSolver, Solver, StopFlag, Stopped, TableStatistics};
use plumb::table::Table;
use plumb_arena::openings::Board;
use plumb_studies::cpu_time;

use crate::board_size::{Size, Work};

/// An exact solver for one board, with its table. Positions have to be of that board.
pub(crate) trait ExactSolver: Send {
    /// Empties the table.
    fn clear(&mut self);

    /// Filled share of the table, in permille.
    fn hashfull(&self) -> u16;

    /// Whether the table's keys are exact on this board.
    fn is_exact(&self) -> bool;

    /// Solves a position.
    ///
    /// # Errors
    /// If the stop flag came first.
    fn solve(&self, position: &Position<Board>, how: How<'_>) -> Result<Solved, Stopped>;

    /// The scores of positions, as [`BatchSolver::scores`] has them.
    ///
    /// # Errors
    /// If the stop flag came first.
    fn scores(&self, positions: &[Position<Board>], batch: Batch<'_>) -> Result<Vec<Score>, Stopped>;

    /// The moves of positions with their scores, as [`BatchSolver::move_scores`] has them.
    ///
    /// # Errors
    /// If the stop flag came first.
    fn move_scores(
        &self,
        positions: &[Position<Board>],
        batch: Batch<'_>,
    ) -> Result<Vec<Vec<(u32, Score)>>, Stopped>;
}

/// How a position is solved.
pub(crate) struct How<'a> {
    pub threads: NonZeroUsize,
    /// Only the sign of the score is wanted.
    pub weak: bool,
    /// A line of perfect play is wanted as well.
    pub line: bool,
    /// Table accesses are counted, which takes some time.
    pub counting: bool,
    pub stop: Option<&'a StopFlag>,
    /// Called with the bounds of the score, the lower one first, as they narrow down.
    pub observer: Option<&'a mut (dyn FnMut(Score, Score) + Send + 'a)>,
}

/// On one thread, the score and nothing else.
impl Default for How<'_> {
    fn default() -> Self {
        let threads = NonZeroUsize::MIN;
        Self { threads, weak: false, line: false, counting: false, stop: None, observer: None }
    }
}

/// A position that is solved, and what that took, without the line.
pub(crate) struct Solved {
    /// The score, or its sign if no more was wanted.
    pub score: Score,
    /// The columns of perfect play to the end of the game; empty if they were not wanted.
    pub line: Vec<u32>,
    pub nodes: u64,
    /// Processor time of all threads.
    pub cpu: Duration,
    pub wall: Duration,
    /// Zeros if they were not counted.
    pub statistics: TableStatistics,
}

/// How a batch of positions is solved.
pub(crate) struct Batch<'a> {
    pub threads: NonZeroUsize,
    /// The book of 7x6, which is of no use on other boards.
    pub book: Option<&'a Book>,
    pub stop: &'a StopFlag,
    /// Counts the positions that are done.
    pub done: &'a AtomicUsize,
}

/// A solver for a board, with an empty table of `hash` MB, whose memory `threads` threads have touched.
///
/// # Errors
/// If there is no memory for the table.
pub(crate) fn exact_solver(board: Size, hash: usize, threads: NonZeroUsize) -> Result<Box<dyn ExactSolver>> {
    board.run(Make { hash, threads })
}

/// A solver with a table of 1 MB for board `G`. Tests take this one: by [`exact_solver`] the search would be compiled for
/// all sizes once more, into the test program.
#[cfg(test)]
pub(crate) fn exact_solver_on<G: StaticGeometry>() -> Box<dyn ExactSolver> {
    Make { hash: 1, threads: NonZeroUsize::MIN }.run::<G>().expect("one megabyte")
}

struct Make {
    hash: usize,
    threads: NonZeroUsize,
}

impl Work for Make {
    type Output = Result<Box<dyn ExactSolver>>;

    fn run<G: StaticGeometry>(self) -> Self::Output {
        let table = Table::<G>::reserve(self.hash).context("there is no memory for the table")?;
        Ok(Box::new(table.prepared_by(self.threads.get())))
    }
}

impl<G: StaticGeometry> ExactSolver for Table<G> {
    fn clear(&mut self) {
        Table::clear(self, 1);
    }

    fn hashfull(&self) -> u16 {
        Table::hashfull(self)
    }

    fn is_exact(&self) -> bool {
        Table::is_exact(self)
    }

    fn solve(&self, position: &Position<Board>, how: How<'_>) -> Result<Solved, Stopped> {
        let How { threads, weak, line, counting, stop, observer } = how;
        let position = sized(position);
        let mut solver = Solver::new(self).threads(threads);
        if counting {
            solver = solver.counting();
        }
        if let Some(stop) = stop {
            solver = solver.stop_flag(stop);
        }
        if let Some(observer) = observer {
            solver.on_probe(observer);
        }
        // Nothing but the search itself is timed.
        let (wall, cpu) = (Instant::now(), cpu_time::of_solver(threads));
        let score = if weak { solver.weak_score(&position) } else { solver.score(&position) };
        let cpu = cpu_time::of_solver(threads).saturating_sub(cpu);
        let wall = wall.elapsed();
        let (score, nodes, statistics) = (score?, solver.nodes(), solver.statistics());
        let line = if line { solver.best_line(&position)? } else { Vec::new() };
        Ok(Solved { score, line, nodes, cpu, wall, statistics })
    }

    fn scores(&self, positions: &[Position<Board>], batch: Batch<'_>) -> Result<Vec<Score>, Stopped> {
        batch.solver(self).scores(&all_sized(positions))
    }

    fn move_scores(
        &self,
        positions: &[Position<Board>],
        batch: Batch<'_>,
    ) -> Result<Vec<Vec<(u32, Score)>>, Stopped> {
        batch.solver(self).move_scores(&all_sized(positions))
    }
}

impl<'a> Batch<'a> {
    fn solver<G: StaticGeometry>(self, table: &'a Table<G>) -> BatchSolver<'a, G> {
        let Self { threads, book, stop, done } = self;
        let solver = BatchSolver::new(table).threads(threads).stop_flag(stop).progress(done);
        // The type of a book of another board is not that of this one.
        match book.and_then(|book| (book as &dyn Any).downcast_ref::<Book<G>>()) {
            Some(book) => solver.book(book),
            None => solver,
        }
    }
}

fn all_sized<G: StaticGeometry>(positions: &[Position<Board>]) -> Vec<Position<G>> {
    positions.iter().map(sized).collect()
}

/// The position with its size as a type.
fn sized<G: StaticGeometry>(position: &Position<Board>) -> Position<G> {
    let Some(position) = position.with_geometry(G::default()) else {
        unreachable!("positions are of the board of their solver");
    };
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::board::PositionReader;
    use plumb::board::{Narrow, Standard};

    #[test]
    fn every_way_to_solve_comes_to_the_same_scores() {
        let (stop, done) = (&StopFlag::new(), &AtomicUsize::new(0));
        let book = Book::embedded().expect("the feature is on");
        for (size, mut solver, moves) in [
            ("5x4", exact_solver_on::<Narrow<5, 4>>(), "1223"),
            ("5x5", exact_solver_on::<Narrow<5, 5>>(), "113243142314"),
            ("10x4", exact_solver_on::<Narrow<10, 4>>(), "heeibjdebjigehd"),
            ("7x6", exact_solver_on::<Standard>(), "4"),
        ] {
            let size: Size = size.parse().expect("a size");
            let position = PositionReader::new(size.board()).read(moves).expect(moves).position;
            let batch = || Batch { threads: NonZeroUsize::MIN, book: Some(&book), stop, done };
            let scores = solver.scores(&[position], batch()).expect("not stopped");
            let of_moves = solver.move_scores(&[position], batch()).expect("not stopped");
            assert_eq!(of_moves[0].iter().map(|&(_, score)| score).max(), Some(scores[0]), "{size}");
            if size.is_standard() {
                // Published; the book has it, the search would take a while.
                assert_eq!((scores[0], solver.hashfull()), (-1, 0));
                continue;
            }
            solver.clear();
            let how = How { line: true, counting: true, ..How::default() };
            let found = solver.solve(&position, how).expect("not stopped");
            assert_eq!(found.score, scores[0], "{size}");
            assert!(found.statistics.probes > 0 && found.nodes > 0);
            let end = found.line.iter().try_fold(position, |position, &column| position.play(column));
            assert!(end.is_some_and(|end| end.outcome().is_some()), "{size}");
            let how = How { weak: true, ..How::default() };
            assert_eq!(solver.solve(&position, how).map(|found| found.score), Ok(scores[0].signum()));
        }
    }
}
