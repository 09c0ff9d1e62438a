//! Exact scores on a board whose size is known at run time.

use std::num::NonZeroUsize;

use super::exact::TableStatistics;
use super::solver::Solver;
use super::stop::{StopFlag, Stopped};
use crate::board::{AnyBoard, Board, Kind, Position, Standard, each_kind, map_kind};
use crate::book::AnyBook;
use crate::clock::Instant;
use crate::score::Score;
use crate::table::AnyTable;

/// A [`Solver`] for a board of any size.
///
/// Methods that take a position panic if it is on another board than the table.
///
/// ```
/// use plumb::board::{Board, Position};
/// use plumb::search::AnySolver;
/// use plumb::table::AnyTable;
///
/// let board = "5x4".parse::<Board>()?;
/// let table = AnyTable::new(board, 1)?;
/// assert_eq!(AnySolver::new(&table).score(&Position::empty(board))?, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnySolver<'a>(Kind<Solver<'a, Standard>, Solver<'a, AnyBoard<u64>>, Solver<'a, Board>>);

impl<'a> AnySolver<'a> {
    /// A solver on one thread, without opening book, stop flag or deadline.
    #[must_use]
    pub fn new(table: &'a AnyTable) -> Self {
        Self(map_kind!(&table.0, table => Solver::new(table)))
    }

    /// This solver with an opening book, or none, whose scores it takes as proved; a book for another board is not used.
    #[must_use]
    pub fn book(self, book: impl Into<Option<&'a AnyBook>>) -> Self {
        let book = book.into();
        Self(map_kind!(self.0, solver => {
            let geometry = solver.geometry();
            solver.book(book.and_then(|book| book.on(geometry)))
        }))
    }

    /// This solver with a flag by which other threads stop it; see [`Solver::stop_flag`].
    #[must_use]
    pub fn stop_flag(self, stop: &'a StopFlag) -> Self {
        Self(map_kind!(self.0, solver => solver.stop_flag(stop)))
    }

    /// Sets the time at which calls end with [`Stopped`]; `None` for no deadline.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        each_kind!(&mut self.0, solver => solver.set_deadline(deadline));
    }

    /// This solver on `threads` threads; see [`Solver::threads`].
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self(map_kind!(self.0, solver => solver.threads(threads)))
    }

    /// This solver as one of several that share a table; see [`Solver::thread_number`].
    #[must_use]
    pub fn thread_number(self, number: usize) -> Self {
        Self(map_kind!(self.0, solver => solver.thread_number(number)))
    }

    /// This solver with a count of its table accesses; see [`Solver::counting`].
    #[must_use]
    pub fn counting(self) -> Self {
        Self(map_kind!(self.0, solver => solver.counting()))
    }

    /// Sets a callback for the bounds of the score as they narrow down; see [`Solver::on_probe`].
    pub fn on_probe(&mut self, observer: Box<dyn FnMut(Score, Score) + Send + 'a>) {
        each_kind!(&mut self.0, solver => solver.on_probe(observer));
    }

    /// Nodes visited since the solver was made, by all threads.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        each_kind!(&self.0, solver => solver.nodes())
    }

    /// Table accesses since the solver was made, if it is [`counting`](Self::counting); else zeros.
    #[must_use]
    pub fn statistics(&self) -> TableStatistics {
        each_kind!(&self.0, solver => solver.statistics())
    }

    /// The exact score of `position`; see [`Solver::score`].
    ///
    /// # Errors
    /// If stop flag or deadline came first.
    pub fn score(&mut self, position: &Position<Board>) -> Result<Score, Stopped> {
        each_kind!(&mut self.0, solver => solver.score(&position.on(solver.geometry())))
    }

    /// The exact score of `position`, which is known to lie from `lower` to `upper`; see [`Solver::score_between`].
    ///
    /// # Errors
    /// If stop flag or deadline came first.
    pub fn score_between(
        &mut self,
        position: &Position<Board>,
        lower: Score,
        upper: Score,
    ) -> Result<Score, Stopped> {
        each_kind!(&mut self.0, solver => solver.score_between(&position.on(solver.geometry()), lower, upper))
    }

    /// The exact score of `position`, found faster if it is near `guess`; see [`Solver::score_near`].
    ///
    /// # Errors
    /// If stop flag or deadline came first.
    pub fn score_near(&mut self, position: &Position<Board>, guess: Score) -> Result<Score, Stopped> {
        each_kind!(&mut self.0, solver => solver.score_near(&position.on(solver.geometry()), guess))
    }

    /// The sign of the score; see [`Solver::weak_score`].
    ///
    /// # Errors
    /// If stop flag or deadline came first.
    pub fn weak_score(&mut self, position: &Position<Board>) -> Result<Score, Stopped> {
        each_kind!(&mut self.0, solver => solver.weak_score(&position.on(solver.geometry())))
    }

    /// Whether the score of `position` is at least `beta`; see [`Solver::is_at_least`].
    ///
    /// # Errors
    /// If stop flag or deadline came first.
    pub fn is_at_least(&mut self, position: &Position<Board>, beta: Score) -> Result<bool, Stopped> {
        each_kind!(&mut self.0, solver => solver.is_at_least(&position.on(solver.geometry()), beta))
    }

    /// Every legal move with its exact score; see [`Solver::move_scores`].
    ///
    /// # Errors
    /// If stop flag or deadline came first.
    pub fn move_scores(&mut self, position: &Position<Board>) -> Result<Vec<(u32, Score)>, Stopped> {
        each_kind!(&mut self.0, solver => solver.move_scores(&position.on(solver.geometry())))
    }

    /// The columns of perfect play to the end of the game; see [`Solver::best_line`].
    ///
    /// # Errors
    /// If stop flag or deadline came first.
    pub fn best_line(&mut self, position: &Position<Board>) -> Result<Vec<u32>, Stopped> {
        each_kind!(&mut self.0, solver => solver.best_line(&position.on(solver.geometry())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::BatchSolver;

    #[test]
    fn every_way_to_solve_comes_to_the_same_scores() {
        for (size, digits) in [
            ("5x4", "1223"),
            ("5x5", "113243142314"),
            ("7x6", "5554224333234511764415115"),
            ("9x7", "783513988798147151577183294734292315938"),
        ] {
            let board = size.parse::<Board>().expect(size);
            let position = Position::from_digits_on(board, digits).expect(digits);
            let table = AnyTable::new(board, 1).expect("one megabyte");
            let mut solver = AnySolver::new(&table).counting();
            let score = solver.score(&position).expect("not stopped");
            assert!(solver.nodes() > 0 && solver.statistics().probes > 0, "{size}");
            assert_eq!(solver.score_near(&position, -score), Ok(score), "{size}");
            assert_eq!(solver.score_between(&position, score - 1, score + 1), Ok(score), "{size}");
            assert_eq!(solver.weak_score(&position), Ok(score.signum()), "{size}");
            let (reached, missed) =
                (solver.is_at_least(&position, score), solver.is_at_least(&position, score + 1));
            assert_eq!((reached, missed), (Ok(true), Ok(false)), "{size}");
            let moves = solver.move_scores(&position).expect("not stopped");
            assert_eq!(moves.iter().map(|&(_, score)| score).max(), Some(score), "{size}");
            let line = solver.best_line(&position).expect("not stopped");
            let end = line.iter().try_fold(position, |position, &column| position.play(column));
            assert!(end.is_some_and(|end| end.outcome().is_some()), "{size}");
            assert_eq!(BatchSolver::new(&table).move_scores(&[position]), Ok(vec![moves]), "{size}");
        }
    }

    #[cfg(feature = "book")]
    #[test]
    fn a_book_is_used_on_its_board_only() {
        let book = AnyBook::embedded().expect("the feature is on");
        let table = AnyTable::new(Board::default(), 1).expect("one megabyte");
        let empty = Position::empty(Board::default());
        assert_eq!(AnySolver::new(&table).book(&book).score(&empty), Ok(1));
        let small = "4x4".parse::<Board>().expect("a board");
        let table = table.for_board(small).prepared_by(1);
        assert_eq!(AnySolver::new(&table).book(&book).score(&Position::empty(small)), Ok(0));
    }
}
