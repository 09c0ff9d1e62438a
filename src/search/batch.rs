//! Exact scores of many positions, by several threads that share a transposition table.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::solver::Solver;
use super::stop::{StopFlag, Stopped};
use crate::board::{Bits, Geometry, Position};
use crate::book::Book;
use crate::score::Score;
use crate::table::Table;

/// Number of positions that a thread takes at once: so few that no thread waits long for the last one, so many that
/// neighbours in the order are solved by the same thread.
const BLOCK: usize = 16;

/// A solver for many positions.
///
/// It takes the positions in an order in which one finds much of the next one in the table: those with the most stones
/// first, whose results the others need, and equal ones one after the other. Of two mirror images it solves one. The
/// results are in the order in which the positions were given, and do not depend on the number of threads.
///
/// ```
/// use plumb::board::Position;
/// use plumb::search::BatchSolver;
/// use plumb::table::Table;
///
/// let table = Table::new(4)?;
/// let late: Position = "2252576253462244111563365343671".parse()?;
/// let over: Position = "1212121".parse()?;
/// assert_eq!(BatchSolver::new(&table).scores(&[late, over, late])?, [6, -18, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchSolver<'a, G: Geometry> {
    table: &'a Table<G>,
    book: Option<&'a Book<G>>,
    threads: NonZeroUsize,
    stop: Option<&'a StopFlag>,
    done: Option<&'a AtomicUsize>,
}

impl<'a, G: Geometry> BatchSolver<'a, G> {
    /// A solver on one thread, without opening book or stop flag.
    #[must_use]
    pub fn new(table: &'a Table<G>) -> Self {
        Self { table, book: None, threads: NonZeroUsize::MIN, stop: None, done: None }
    }

    /// The board (its geometry).
    pub(super) fn geometry(&self) -> G {
        self.table.geometry()
    }

    /// This solver with an opening book, whose scores it takes as proved.
    #[must_use]
    pub fn book(self, book: &'a Book<G>) -> Self {
        Self { book: Some(book), ..self }
    }

    /// This solver on `threads` threads, each of which solves positions of its own.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// This solver with a flag by which other threads stop it.
    #[must_use]
    pub fn stop_flag(self, stop: &'a StopFlag) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// This solver with a counter of positions that are solved, for other threads to show the progress. Each call adds to
    /// it.
    #[must_use]
    pub fn progress(self, done: &'a AtomicUsize) -> Self {
        Self { done: Some(done), ..self }
    }

    /// The exact scores of the positions.
    ///
    /// # Errors
    /// If the stop flag came first.
    pub fn scores(&self, positions: &[Position<G>]) -> Result<Vec<Score>, Stopped> {
        // Neighbours in the order often have scores near each other.
        self.solve(positions, |solver, position, guess| {
            let score = match guess {
                Some(guess) => solver.score_near(position, guess)?,
                None => solver.score(position)?,
            };
            Ok((score, score))
        })
    }

    /// The legal moves of each position with their exact scores, as [`Solver::move_scores`] has them.
    ///
    /// # Errors
    /// If the stop flag came first.
    pub fn move_scores(&self, positions: &[Position<G>]) -> Result<Vec<Vec<(u32, Score)>>, Stopped> {
        let mut moves =
            self.solve(positions, |solver, position, _| Ok((solver.move_scores(position)?, 0)))?;
        for (position, moves) in positions.iter().zip(&mut moves) {
            if is_solved_mirrored(position) {
                moves.reverse();
                let geometry = position.geometry();
                for (column, _) in moves {
                    *column = geometry.width() - 1 - *column;
                }
            }
        }
        Ok(moves)
    }

    /// The results of `task` for the positions or their mirror images, as [`is_solved_mirrored`] says. It gets a guess
    /// that it returned with its result for the position before.
    fn solve<T: Clone + Send>(
        &self,
        positions: &[Position<G>],
        task: impl Fn(&mut Solver<'a, G>, &Position<G>, Option<Score>) -> Result<(T, Score), Stopped> + Sync,
    ) -> Result<Vec<T>, Stopped> {
        let places = positions.iter().enumerate();
        let order = places
            .map(|(at, position)| (Reverse(position.plies()), position.canonical_key().to_wide(), at))
            .collect();
        let worker = |number| -> Worker<'_, T> {
            let mut solver = self.solver(number);
            let mut last: Option<(Position<G>, (T, Score))> = None;
            let task = &task;
            Box::new(move |at| {
                let position = &positions[at];
                let image = if is_solved_mirrored(position) { position.mirrored() } else { *position };
                let result = match &last {
                    Some((before, result)) if *before == image => result.clone(),
                    before => task(&mut solver, &image, before.as_ref().map(|(_, (_, guess))| *guess))?,
                };
                last = Some((image, result.clone()));
                Ok(result.0)
            })
        };
        share_out(order, self.threads, self.done, &worker)
    }

    /// The solver of one of the threads.
    fn solver(&self, number: usize) -> Solver<'a, G> {
        let mut solver = Solver::new(self.table).thread_number(number);
        if let Some(book) = self.book {
            solver = solver.book(book);
        }
        if let Some(stop) = self.stop {
            solver = solver.stop_flag(stop);
        }
        solver
    }
}

/// A function that solves the position with this index and returns its result. Each thread has one, as it has a solver of its
/// own.
type Worker<'w, T> = Box<dyn FnMut(usize) -> Result<T, Stopped> + 'w>;

/// Shares out positions among `threads` threads and returns their results by index. An element of `order` is the index of a
/// position with what the positions are sorted by; `worker` makes the worker of the thread with this number.
///
/// Not generic over the board, as it would then be compiled once more for each size that a program names.
fn share_out<'w, T: Send>(
    mut order: Vec<(Reverse<u32>, u128, usize)>,
    threads: NonZeroUsize,
    done: Option<&AtomicUsize>,
    worker: &(dyn Fn(usize) -> Worker<'w, T> + Sync),
) -> Result<Vec<T>, Stopped> {
    order.sort_unstable();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Ok(Vec::with_capacity(order.len())));
    let work = |number: usize| {
        let mut result_of = worker(number);
        loop {
            let begin = next.fetch_add(BLOCK, Ordering::Relaxed);
            let block = order.get(begin..).unwrap_or_default();
            let block = &block[..block.len().min(BLOCK)];
            if block.is_empty() {
                return;
            }
            let of_block: Result<Vec<_>, Stopped> =
                block.iter().map(|&(_, _, at)| Ok((at, result_of(at)?))).collect();
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *results, of_block) {
                (Ok(results), Ok(of_block)) => results.extend(of_block),
                (results, _) => {
                    *results = Err(Stopped);
                    return;
                }
            }
            if let Some(done) = done {
                done.fetch_add(block.len(), Ordering::Relaxed);
            }
        }
    };
    let work = &work;
    thread::scope(|scope| {
        for number in 1..threads.get() {
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

/// Whether the mirror image is solved in place of the position, so that both of them are solved once.
fn is_solved_mirrored<G: Geometry>(position: &Position<G>) -> bool {
    position.key() != position.canonical_key()
}

#[cfg(test)]
mod tests {
    use super::super::tests::samples::positions;
    use super::*;
    use crate::board::{Narrow, Standard};

    #[test]
    fn results_are_those_of_single_positions_in_the_given_order() {
        let sample: Vec<Position<Narrow<5, 5>>> = positions(1, 0..=25).take(300).collect();
        let table = Table::new(1).expect("one megabyte");
        let mut solver = Solver::new(&table);
        let scores: Vec<_> = sample.iter().map(|position| solver.score(position).expect("no stop")).collect();
        let moves: Vec<_> =
            sample.iter().map(|position| solver.move_scores(position).expect("no stop")).collect();
        for threads in [1, 3] {
            let table = Table::new(1).expect("one megabyte");
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
        let table = Table::<Standard>::new(1).expect("one megabyte");
        let stop = StopFlag::new();
        stop.stop();
        let batch = BatchSolver::new(&table).stop_flag(&stop).threads(NonZeroUsize::new(2).expect("some"));
        assert_eq!(batch.scores(&vec![Position::new(); 100]), Err(Stopped));
    }

    #[test]
    #[cfg(feature = "book")]
    fn the_book_has_the_scores_of_the_first_stones() {
        let table = Table::<Standard>::new(1).expect("one megabyte");
        let book = Book::embedded().expect("the feature is on");
        let batch = BatchSolver::new(&table).book(&book);
        let empty = Position::new();
        assert_eq!(batch.scores(&[empty]), Ok(vec![1]));
        let expected =
            [-2, -1, 0, 1, 0, -1, -2].into_iter().enumerate().map(|(column, score)| (column as u32, score));
        assert_eq!(batch.move_scores(&[empty]), Ok(vec![expected.collect()]));
        // Without the book this line would take many seconds.
        let line = Solver::new(&table).book(&book).best_line(&empty).expect("no stop");
        assert_eq!(line.len(), 41);
    }
}
