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
#[must_use = "a solver does nothing until it is asked"]
pub struct AnySolver<'a>(Kind<Solver<'a, Standard>, Solver<'a, AnyBoard<u64>>, Solver<'a, Board>>);

/// Methods of [`AnySolver`] that answer about a position as those of [`Solver`] do.
macro_rules! of_positions {
    ($($(#[$doc:meta])+ $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)+) => {$(
        $(#[$doc])+
        ///
        /// # Errors
        /// If stop flag or deadline came first.
        pub fn $name(&mut self, position: &Position<Board>, $($argument: $kind),*) -> Result<$answer, Stopped> {
            each_kind!(&mut self.0, solver => solver.$name(&position.on(solver.geometry()), $($argument),*))
        }
    )+};
}

impl<'a> AnySolver<'a> {
    /// A solver on one thread, without opening book, stop flag or deadline.
    pub fn new(table: &'a AnyTable) -> Self {
        Self(map_kind!(&table.0, table => Solver::new(table)))
    }

    /// This solver with an opening book, or none, whose scores it takes as proved; a book for another board is not used.
    pub fn book(self, book: impl Into<Option<&'a AnyBook>>) -> Self {
        let book = book.into();
        Self(map_kind!(self.0, solver => {
            let geometry = solver.geometry();
            solver.book(book.and_then(|book| book.on(geometry)))
        }))
    }

    /// This solver with a flag by which other threads stop it; see [`Solver::stop_flag`].
    pub fn stop_flag(self, stop: &'a StopFlag) -> Self {
        Self(map_kind!(self.0, solver => solver.stop_flag(stop)))
    }

    /// Sets the time at which calls end with [`Stopped`]; `None` for no deadline.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        each_kind!(&mut self.0, solver => solver.set_deadline(deadline));
    }

    /// This solver on `threads` threads; see [`Solver::threads`].
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self(map_kind!(self.0, solver => solver.threads(threads)))
    }

    /// This solver as one of several that share a table; see [`Solver::thread_number`].
    pub fn thread_number(self, number: usize) -> Self {
        Self(map_kind!(self.0, solver => solver.thread_number(number)))
    }

    /// This solver with a count of its table accesses; see [`Solver::counting`].
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

    of_positions! {
        /// The exact score of `position`; see [`Solver::score`].
        score() -> Score;
        /// The exact score of `position`, which is known to lie from `lower` to `upper`; see [`Solver::score_between`].
        score_between(lower: Score, upper: Score) -> Score;
        /// The exact score of `position`, found faster if it is near `guess`; see [`Solver::score_near`].
        score_near(guess: Score) -> Score;
        /// The sign of the score; see [`Solver::weak_score`].
        weak_score() -> Score;
        /// Whether the score of `position` is at least `beta`; see [`Solver::is_at_least`].
        is_at_least(beta: Score) -> bool;
        /// Every legal move with its exact score; see [`Solver::move_scores`].
        move_scores() -> Vec<(u32, Score)>;
        /// The columns of perfect play to the end of the game; see [`Solver::best_line`].
        best_line() -> Vec<u32>;
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
