//! The class `Solver`.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};

use plumb::book::{Book, BookProbe};
use plumb::score::{Score, immediate_score, plies_to_end};
use plumb::search::{BatchSolver, Limits, Search, Settings, Solver as ExactSolver, StopFlag, Stopped};
use plumb::table::Table;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::position::{board_of, boards_of};
use crate::tie_break::TieBreak;
use crate::{Board, interruptible};

/// Time for a computation on the calling thread. What takes longer moves to a thread of its own, so that Ctrl-C can end it;
/// starting one takes far less time than this.
const AT_ONCE: Duration = Duration::from_millis(10);
/// Number of threads at most.
const MAX_THREADS: usize = 256;
/// The score of a column that cannot be played, in arrays.
pub(crate) const NO_MOVE: i8 = i8::MIN;
/// Nodes of the search that chooses by the errors that an opponent is likely to make: some tenths of a second.
const SWINDLE_NODES: u64 = 1_000_000;

/// The exact solver, with a transposition table that it keeps between calls.
///
/// hash_mb: size of the table in MB (2^20 bytes), 1 or more. threads: number of threads for one position, 1 to 256. book:
/// whether to use the built-in opening book (positions of up to 12 stones), or the path of a book made by
/// `plumb-lab book`.
///
/// A score is an integer for the side to move: 0 a draw; n > 0 a win with the winner's n-th last stone, so more is faster;
/// a negative score is a loss, and less is sooner. A position is a Position or its text.
///
/// Several Python threads can use one solver at the same time, and share what it proves. Every method releases the
/// interpreter's lock, and can be interrupted by Ctrl-C. Raises ValueError for sizes out of range, MemoryError if there is
/// no memory for the table.
#[pyclass(frozen, module = "plumb_engine")]
pub(crate) struct Solver {
    table: RwLock<Table>,
    book: Option<Book>,
    threads: NonZeroUsize,
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (hash_mb = 64, threads = 1, book = None))]
    fn new(hash_mb: i64, threads: i64, book: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let megabytes = usize::try_from(hash_mb).ok().filter(|&size| size > 0);
        let megabytes = megabytes
            .ok_or_else(|| PyValueError::new_err(format!("hash_mb={hash_mb}; expected 1 or more")))?;
        let threads = number_of_threads(threads)?;
        let table = Table::new(megabytes).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        Ok(Self { table: RwLock::new(table), book: open_book(book)?, threads })
    }

    /// The exact score of a position. Of a finished game: 0 if it is drawn, else that of the loser, who would be to move.
    fn solve(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Score> {
        let board = board_of(position)?;
        match self.known(&board) {
            Some(score) => Ok(score),
            None => self.compute(py, move |solver| solver.score(&board)),
        }
    }

    /// The exact scores of the seven moves, for the side to move before the move; None for columns that cannot be played,
    /// which are all of them after the end of the game.
    fn scores(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<[Option<Score>; 7]> {
        let board = board_of(position)?;
        if let Some(scores) = self.known_scores(&board) {
            return Ok(scores);
        }
        self.compute(py, move |solver| Ok(by_column(solver.move_scores(&board)?)))
    }

    /// The columns, ascending, of the moves that keep the score. Raises ValueError if the game is over.
    fn best_moves(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let board = board_of(position)?;
        if board.outcome().is_some() {
            return Err(PyValueError::new_err("the game is over: there is no move"));
        }
        if let Some(scores) = self.known_scores(&board) {
            let best = scores.iter().flatten().max();
            return Ok((0..7).filter(|&column| scores[column as usize].as_ref() == best).collect());
        }
        self.compute(py, move |solver| {
            let score = solver.score(&board)?;
            let mut best = Vec::new();
            for (column, next) in (0..7).filter_map(|column| Some((column, board.play(column)?))) {
                if !solver.is_at_least(&next, 1 - score)? {
                    best.push(column);
                }
            }
            Ok(best)
        })
    }

    /// One of the moves that keep the score, as a column. tie_break: "centre" (the most central, of two such the left one),
    /// "left", "random" (by Python's `random`), "swindle" (against a fallible opponent: the one after which errors are
    /// likeliest, by a search of about half a second), or a callable that takes the position and the list of columns and
    /// returns one of them.
    ///
    /// Raises ValueError if the game is over, for another tie_break, or if the callable returns another column.
    #[pyo3(signature = (position, tie_break = None))]
    fn best_move(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        tie_break: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u32> {
        let tie_break = tie_break.map_or(Ok(TieBreak::Centre), TieBreak::of)?;
        let best = self.best_moves(py, position)?;
        match tie_break.choose(position, &best)? {
            Some(column) => Ok(column),
            None => self.swindle(py, &board_of(position)?, &best),
        }
    }

    /// The columns of perfect play by both sides to the end of the game; empty if it is over.
    fn principal_variation(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let board = board_of(position)?;
        self.compute(py, move |solver| solver.best_line(&board))
    }

    /// The result of perfect play for the side to move: "win", "draw" or "loss". Takes less time than the score.
    fn outcome(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let board = board_of(position)?;
        let score = match self.known(&board) {
            Some(score) => score,
            None => self.compute(py, move |solver| solver.weak_score(&board))?,
        };
        Ok(match score.signum() {
            1 => "win",
            0 => "draw",
            _ => "loss",
        })
    }

    /// The number of plies to the end of the game under perfect play; 0 if it is over.
    fn distance(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let board = board_of(position)?;
        let score = self.solve(py, position)?;
        Ok(match (board.outcome(), score) {
            (Some(_), _) => 0,
            (None, 0) => board.empty_cells(),
            (None, score) => plies_to_end(board.geometry(), score, board.plies()),
        })
    }

    /// The exact scores of many positions, on all processors.
    ///
    /// positions: a list of positions (Position or digits), or a NumPy array of integers of shape (n, 6, 7) as
    /// Position.from_array takes them. threads: number of threads; None for one for each processor. progress: whether to
    /// show a progress bar on standard error, by `tqdm` if that is installed. Returns an int8 array of shape (n,), a list
    /// if NumPy is not installed. Raises ValueError or TypeError that names the first bad position.
    #[pyo3(signature = (positions, *, threads = None, progress = false))]
    fn solve_many<'py>(
        slf: &Bound<'py, Self>,
        positions: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let many = slf.py().import("plumb_engine.bulk")?.getattr("solve_many")?;
        many.call1((slf, positions, threads, progress))
    }

    /// The exact scores of the seven moves of many positions: as `solve_many`, but an array of shape (n, 7), with NO_MOVE
    /// (-128) for columns that cannot be played; without NumPy a list of lists with None for these.
    #[pyo3(signature = (positions, *, threads = None, progress = false))]
    fn scores_many<'py>(
        slf: &Bound<'py, Self>,
        positions: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let many = slf.py().import("plumb_engine.bulk")?.getattr("scores_many")?;
        many.call1((slf, positions, threads, progress))
    }

    /// The scores, one signed byte each, of positions given as a list or as the bytes of their cells; with `moves`, of their
    /// seven moves. `tick` is called with the number of positions that are solved.
    fn _many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        threads: Option<i64>,
        moves: bool,
        tick: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = threads.map_or_else(|| Ok(all()), number_of_threads)?;
        let boards = boards_of(positions)?;
        let done = AtomicUsize::new(0);
        let work = |stop: &StopFlag| {
            let table = self.table();
            let mut batch = BatchSolver::new(&table).threads(threads).stop_flag(stop).progress(&done);
            if let Some(book) = &self.book {
                batch = batch.book(book);
            }
            if !moves {
                return batch
                    .scores(&boards)
                    .map(|scores| scores.iter().map(|&score| score as i8 as u8).collect());
            }
            let scores = batch.move_scores(&boards)?.into_iter().flat_map(by_column);
            Ok(scores.map(|score| score.map_or(NO_MOVE, |score| score as i8) as u8).collect::<Vec<_>>())
        };
        let tick = |py: Python<'_>| match &tick {
            Some(tick) => tick.call1(py, (done.load(Ordering::Relaxed),)).map(drop),
            None => Ok(()),
        };
        let Ok(scores) = interruptible::run(py, work, tick)? else {
            unreachable!("only a signal stops it, and then the call has failed")
        };
        Ok(PyBytes::new(py, &scores))
    }

    /// Forgets what was proved. Waits until no other thread uses the solver.
    fn clear(&self, py: Python<'_>) {
        let threads = self.threads.get();
        py.detach(|| self.table.write().unwrap_or_else(PoisonError::into_inner).clear(threads));
    }

    /// Size of the transposition table in MB.
    #[getter]
    fn hash_mb(&self) -> usize {
        self.table().megabytes()
    }

    /// Number of threads for one position.
    #[getter]
    fn threads(&self) -> usize {
        self.threads.get()
    }

    fn __repr__(&self) -> String {
        let book = if self.book.is_some() { "True" } else { "False" };
        format!("Solver(hash_mb={}, threads={}, book={book})", self.hash_mb(), self.threads)
    }
}

impl Solver {
    fn table(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn solver<'a>(&'a self, table: &'a Table) -> ExactSolver<'a> {
        let solver = ExactSolver::new(table);
        match &self.book {
            Some(book) => solver.book(book),
            None => solver,
        }
    }

    /// The score of a position that needs no search.
    fn known(&self, board: &Board) -> Option<Score> {
        immediate_score(board).or_else(|| BookProbe::new(self.book.as_ref()?, board)?.score(board))
    }

    /// The scores of the moves if none needs a search.
    fn known_scores(&self, board: &Board) -> Option<[Option<Score>; 7]> {
        let mut scores = [None; 7];
        for column in board.legal_columns() {
            let next = board.play(column)?;
            scores[column as usize] = Some(-self.known(&next)?);
        }
        Some(scores)
    }

    /// Runs `work` with a solver: for a moment on this thread, then on another one, which Ctrl-C stops.
    fn compute<T: Send>(
        &self,
        py: Python<'_>,
        work: impl Fn(&mut ExactSolver<'_>) -> Result<T, Stopped> + Sync,
    ) -> PyResult<T> {
        let first = py.detach(|| {
            let table = self.table();
            let mut solver = self.solver(&table);
            solver.set_deadline(Some(Instant::now() + AT_ONCE));
            work(&mut solver)
        });
        if let Ok(result) = first {
            return Ok(result);
        }
        let in_full = |stop: &StopFlag| {
            let table = self.table();
            work(&mut self.solver(&table).stop_flag(stop).threads(self.threads))
        };
        let result = interruptible::run(py, in_full, |_| Ok(()))?;
        let Ok(result) = result else { unreachable!("only a signal stops it, and then the call has failed") };
        Ok(result)
    }

    fn swindle(&self, py: Python<'_>, board: &Board, best: &[u32]) -> PyResult<u32> {
        let search = |stop: &StopFlag| {
            let limits = Limits::default().with_nodes(SWINDLE_NODES).with_search_moves(best.iter().copied());
            let mut settings = Settings::default();
            settings.swindle = true;
            let mut search = Search::new(board).limits(limits).settings(settings).stop_flag(stop);
            if let Some(book) = &self.book {
                search = search.book(book);
            }
            search.run(&self.table()).ok().and_then(|result| result.best)
        };
        Ok(interruptible::run(py, search, |_| Ok(()))?.unwrap_or(best[0]))
    }
}

fn number_of_threads(threads: i64) -> PyResult<NonZeroUsize> {
    let number = usize::try_from(threads).ok().filter(|&threads| threads <= MAX_THREADS);
    number
        .and_then(NonZeroUsize::new)
        .ok_or_else(|| PyValueError::new_err(format!("threads={threads}; expected 1 to {MAX_THREADS}")))
}

/// The scores of moves by column; `None` for columns that cannot be played.
fn by_column(moves: Vec<(u32, Score)>) -> [Option<Score>; 7] {
    let mut scores = [None; 7];
    for (column, score) in moves {
        scores[column as usize] = Some(score);
    }
    scores
}

/// The book that the argument asks for.
fn open_book(book: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Book>> {
    let Some(book) = book.filter(|book| !book.is_none()) else { return Ok(Book::embedded()) };
    if let Ok(wanted) = book.extract::<bool>() {
        return Ok(wanted.then(Book::embedded).flatten());
    }
    let Ok(path) = book.extract::<std::path::PathBuf>() else {
        return Err(PyTypeError::new_err(format!("book={}; expected True, False or a path", book.repr()?)));
    };
    let file =
        std::fs::read(&path).map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
    let book = Book::open(Cow::Owned(file));
    book.map(Some).map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))
}
