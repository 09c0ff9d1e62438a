//! Exact scores of many positions, by several threads that share a transposition table.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::solver::Solver;
use super::stop::{StopFlag, Stopped};
use crate::board::{Board, Geometry, Position};
use crate::book::Book;
use crate::score::Score;
use crate::table::Table;

/// Number of positions in a block for one thread. Larger blocks leave threads idle at the end. Smaller blocks
/// separate similar positions.
const BLOCK: usize = 16;

/// Solver for the exact scores of many positions on the board of the table. Panics for a position on another
/// board.
///
/// Results are in the order of the positions and do not depend on the number of threads.
///
/// ```
/// use plumb::board::{Board, Position};
/// use plumb::search::BatchSolver;
/// use plumb::table::Table;
///
/// let board = Board::default();
/// let table = Table::new_on(board, 4)?;
/// let late = Position::from_digits_on(board, "2252576253462244111563365343671")?;
/// let over = Position::from_digits_on(board, "1212121")?;
/// assert_eq!(BatchSolver::new(&table).scores(&[late, over, late])?, [6, -18, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a solver does nothing until it is asked"]
pub struct BatchSolver<'a> {
    table: &'a Table,
    book: Option<&'a Book>,
    threads: NonZeroUsize,
    stop: Option<&'a StopFlag>,
    done: Option<&'a AtomicUsize>,
}

impl<'a> BatchSolver<'a> {
    /// A solver on one thread, without opening book or stop flag.
    pub fn new(table: &'a Table) -> Self {
        Self { table, book: None, threads: NonZeroUsize::MIN, stop: None, done: None }
    }

    /// This solver with an opening book, whose scores it takes as proved.
    pub fn book(self, book: impl Into<Option<&'a Book>>) -> Self {
        Self { book: book.into(), ..self }
    }

    /// This solver on `threads` threads.
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// This solver with a flag by which other threads stop it.
    pub fn stop_flag(self, stop: &'a StopFlag) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// This solver with a counter of solved positions, to show the progress.
    pub fn progress(self, done: &'a AtomicUsize) -> Self {
        Self { done: Some(done), ..self }
    }

    /// The exact scores of the positions.
    ///
    /// # Errors
    /// If the stop flag is set before the end.
    pub fn scores(&self, positions: &[Position<Board>]) -> Result<Vec<Score>, Stopped> {
        // Positions are sorted, so neighbours often have similar scores. The guess is the previous score.
        self.solve(positions, |solver, position, guess| {
            let score = match guess {
                Some(guess) => solver.score_near(position, guess)?,
                None => solver.score(position)?,
            };
            Ok((score, score))
        })
    }

    /// The legal moves of each position with their exact scores, as from [`Solver::move_scores`].
    ///
    /// # Errors
    /// If the stop flag is set before the end.
    pub fn move_scores(&self, positions: &[Position<Board>]) -> Result<Vec<Vec<(u32, Score)>>, Stopped> {
        let mut moves =
            self.solve(positions, |solver, position, _| Ok((solver.move_scores(position)?, 0)))?;
        for (position, moves) in positions.iter().zip(&mut moves) {
            if position.key() != position.canonical_key() {
                moves.reverse();
                let last = position.geometry().width() - 1;
                for (column, _) in moves {
                    *column = last - *column;
                }
            }
        }
        Ok(moves)
    }

    /// Calls `task` for every position, with the score that it returned for the previous position. Positions
    /// with most stones come first: their table entries help later.
    fn solve<T: Clone + Send>(
        &self,
        positions: &[Position<Board>],
        task: impl Fn(&mut Solver<'a>, &Position<Board>, Option<Score>) -> Result<(T, Score), Stopped> + Sync,
    ) -> Result<Vec<T>, Stopped> {
        let places = positions.iter().enumerate();
        let mut order: Vec<_> =
            places.map(|(at, position)| (Reverse(position.plies()), position.canonical_key(), at)).collect();
        order.sort_unstable();
        let blocks = Mutex::new(order.chunks(BLOCK));
        let results = Mutex::new(Ok(Vec::with_capacity(order.len())));
        let work = |number: usize| {
            let mut solver = Solver::new(self.table).thread_number(number).book(self.book);
            if let Some(stop) = self.stop {
                solver = solver.stop_flag(stop);
            }
            let mut last: Option<(Position<Board>, (T, Score))> = None;
            let mut result_of = |key, position: &Position<Board>| {
                let image = if position.key() == key { *position } else { position.mirrored() };
                let result = match &last {
                    Some((before, result)) if *before == image => result.clone(),
                    before => task(&mut solver, &image, before.as_ref().map(|(_, (_, guess))| *guess))?,
                };
                last = Some((image, result.clone()));
                Ok(result.0)
            };
            loop {
                let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(block) = next else { break };
                let of_block: Result<Vec<_>, Stopped> =
                    block.iter().map(|&(_, key, at)| Ok((at, result_of(key, &positions[at])?))).collect();
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                match (&mut *results, of_block) {
                    (Ok(results), Ok(of_block)) => results.extend(of_block),
                    (results, _) => {
                        *results = Err(Stopped);
                        return;
                    }
                }
                if let Some(done) = self.done {
                    done.fetch_add(block.len(), Ordering::Relaxed);
                }
            }
        };
        let work = &work;
        thread::scope(|scope| {
            for number in 1..self.threads.get() {
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, move || work(number)) {
                    log::debug!("the positions are solved on {number} threads only: {error}");
                    break;
                }
            }
            work(0);
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        results.sort_unstable_by_key(|&(at, _)| at);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::samples::positions;
    use super::*;
    use crate::board::Narrow;

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
            let table = Table::new_on(board, 1).expect("one megabyte");
            let mut solver = Solver::new(&table);
            let score = solver.score(&position).expect("not stopped");
            assert!(solver.nodes() > 0, "{size}");
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
        let book = Book::embedded().expect("the feature is on");
        let table = Table::new(1).expect("one megabyte");
        let empty = Position::empty(Board::default());
        assert_eq!(Solver::new(&table).book(&book).score(&empty), Ok(1));
        let small = "4x4".parse::<Board>().expect("a board");
        let table = table.for_board(small);
        assert_eq!(Solver::new(&table).book(&book).score(&Position::empty(small)), Ok(0));
    }

    #[test]
    fn results_are_those_of_single_positions_in_the_given_order() {
        let board: Board = "5x5".parse().expect("a board");
        let sample = positions::<Narrow<5, 5>>(1, 0..=25).map(|position| position.on(board));
        let sample: Vec<_> = sample.take(300).collect();
        let table = Table::new_on(board, 1).expect("one megabyte");
        let mut solver = Solver::new(&table);
        let scores: Vec<_> = sample.iter().map(|position| solver.score(position).expect("no stop")).collect();
        let moves: Vec<_> =
            sample.iter().map(|position| solver.move_scores(position).expect("no stop")).collect();
        for threads in [1, 3] {
            let table = Table::new_on(board, 1).expect("one megabyte");
            let done = AtomicUsize::new(0);
            let threads = NonZeroUsize::new(threads).expect("some");
            let batch = BatchSolver::new(&table).threads(threads).progress(&done);
            assert_eq!(batch.scores(&sample).as_ref(), Ok(&scores));
            assert_eq!(batch.move_scores(&sample).as_ref(), Ok(&moves));
            assert_eq!(done.load(Ordering::Relaxed), 2 * sample.len());
            assert_eq!(batch.scores(&[]), Ok(Vec::new()));
        }
    }

    #[test]
    fn a_stop_flag_ends_it() {
        let table = Table::new(1).expect("one megabyte");
        let stop = StopFlag::new();
        stop.stop();
        let batch = BatchSolver::new(&table).stop_flag(&stop).threads(NonZeroUsize::new(2).expect("some"));
        assert_eq!(batch.scores(&vec![Position::empty(Board::default()); 100]), Err(Stopped));
    }

    #[test]
    #[cfg(feature = "book")]
    fn the_book_has_the_scores_of_the_first_stones() {
        let table = Table::new(1).expect("one megabyte");
        let book = Book::embedded().expect("the feature is on");
        let batch = BatchSolver::new(&table).book(&book);
        let empty = Position::empty(Board::default());
        assert_eq!(batch.scores(&[empty]), Ok(vec![1]));
        let expected = (0..).zip([-2, -1, 0, 1, 0, -1, -2]).collect();
        assert_eq!(batch.move_scores(&[empty]), Ok(vec![expected]));
        // Without the book this line takes many seconds.
        let line = Solver::new(&table).book(&book).best_line(&empty).expect("no stop");
        assert_eq!(line.len(), 41);
    }
}
