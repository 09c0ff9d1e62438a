//! The class `Solver`.

use std::borrow::Cow;
use std::io::Error;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};

use plumb::board::{Board, Geometry};
use plumb::book::AnyBook;
use plumb::score::{Score, immediate_score, plies_to_end};
use plumb::search::{AnySolver, BatchSolver, Limits, Search, Settings, StopFlag, Stopped};
use plumb::table::AnyTable;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict};

use crate::arguments::named_board;
use crate::fork::ForkSafe;
use crate::stones::{all_stones_of, on_board, stones_of};
use crate::tie_break::TieBreak;
use crate::{Stones, arguments, interruptible};

/// Time for a computation on the calling thread. What takes longer moves to a thread of its own, so that Ctrl-C can end it;
/// starting one takes far less time than this.
const AT_ONCE: Duration = Duration::from_millis(10);
/// Number of threads at most.
const MAX_THREADS: u64 = 256;
/// Table size in MB if none is given.
const HASH: u64 = 64;
/// The score of a column that cannot be played, in arrays.
pub(crate) const NO_MOVE: i8 = i8::MIN;
/// Nodes of the search that chooses by the errors that an opponent is likely to make: some tenths of a second.
const SWINDLE_NODES: u64 = 1_000_000;

/// The exact solver, with a transposition table that it keeps between calls.
///
/// hash_mb: size of the table in MB (2^20 bytes), 1 or more. threads: number of threads for one position, 1 to 256. book:
/// whether to use the built-in opening book (positions of up to 12 stones, on 7x6 only), or the path of a book for the board,
/// made by `plumb-lab book`. board: the size of the board, as "8x7" for 8 columns and 7 rows; see Position.
///
/// A score is an integer for the side to move: 0 a draw; n > 0 a win with the winner's n-th last stone, so more is faster;
/// a negative score is a loss, and less is sooner. A position is a Position on the board of the solver, or its text.
///
/// Several Python threads can use one solver at the same time, and share what it proves. Every search releases the
/// interpreter's lock, and can be interrupted by Ctrl-C. Raises ValueError for sizes out of range and positions on other
/// boards, MemoryError if there is no memory for the table.
///
/// >>> solver = Solver(hash_mb=16, threads=2, board="5x4")
/// >>> solver
/// Solver(hash_mb=16, threads=2, book=False, board="5x4")
/// >>> solver.outcome("")
/// 'draw'
#[pyclass(frozen, module = "plumb_engine")]
pub(crate) struct Solver {
    table: ForkSafe<RwLock<AnyTable>>,
    /// Size of the transposition table in MB.
    #[pyo3(get)]
    hash_mb: usize,
    board: Board,
    book: Option<AnyBook>,
    /// The argument `book`, for copies.
    book_argument: Option<Py<PyAny>>,
    /// Number of threads for one position.
    #[pyo3(get)]
    threads: NonZeroUsize,
    nodes: AtomicU64,
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(
        signature = (hash_mb = None, threads = None, book = None, *, board = None),
        text_signature = "(hash_mb=64, threads=1, book=None, *, board=None)"
    )]
    fn new(
        hash_mb: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        book: Option<&Bound<'_, PyAny>>,
        board: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let board = named_board(board)?;
        let size = |size: &Bound<'_, PyAny>| arguments::integer("hash_mb", size, 1..=u64::MAX, "1 or more");
        let hash_mb = hash_mb.map_or(Ok(HASH), size)? as usize;
        let threads = threads.map_or(Ok(NonZeroUsize::MIN), number_of_threads)?;
        let table =
            AnyTable::new(board, hash_mb).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let book_argument = book.map(|book| book.clone().unbind());
        Ok(Self {
            table: ForkSafe::new(RwLock::new(table)),
            hash_mb,
            board,
            book: open_book(board, book)?,
            book_argument,
            threads,
            nodes: AtomicU64::new(0),
        })
    }

    /// The exact score of a position. Of a finished game: 0 if it is drawn, else that of the loser, who would be to move.
    ///
    /// >>> Solver(hash_mb=1).solve("4455")
    /// 18
    fn solve(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Score> {
        let stones = self.stones_of(position)?;
        self.known(&stones).map_or_else(|| self.compute(py, |solver| solver.score(&stones)), Ok)
    }

    /// The exact scores of the moves, one for each column, for the side to move before the move; None for columns that cannot
    /// be played, which are all of them after the end of the game.
    ///
    /// >>> Solver(hash_mb=1).scores("444444")
    /// [-1, 0, 1, None, 1, 0, -1]
    fn scores(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<Option<Score>>> {
        let stones = self.stones_of(position)?;
        let known = self.known_scores(&stones);
        known.map_or_else(|| self.compute(py, |solver| Ok(self.by_column(solver.move_scores(&stones)?))), Ok)
    }

    /// The columns, ascending, of the moves that keep the score. Raises ValueError if the game is over.
    ///
    /// >>> Solver(hash_mb=1).best_moves("4455")
    /// [2, 5]
    fn best_moves(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let stones = self.stones_of(position)?;
        if stones.outcome().is_some() {
            return Err(PyValueError::new_err("the game is over: there is no move"));
        }
        if let Some(scores) = self.known_scores(&stones) {
            let best = scores.iter().flatten().max();
            let is_best = |&column: &u32| scores[column as usize].as_ref() == best;
            return Ok((0..self.board.width()).filter(is_best).collect());
        }
        self.compute(py, move |solver| {
            let score = solver.score(&stones)?;
            let mut best = Vec::new();
            for column in stones.legal_columns() {
                if let Some(next) = stones.play(column)
                    && !solver.is_at_least(&next, 1 - score)?
                {
                    best.push(column);
                }
            }
            Ok(best)
        })
    }

    /// The column, from 0, of a move that keeps the score. tie_break chooses among several such moves: "centre" (the default; the
    /// most central column, of two such columns the left one), "left", "random" (by the method `choice` of `rng`, else of the
    /// module `random`), "swindle" (the move after which a fallible opponent errs likeliest, by a search of about half a second),
    /// or a callable that takes the position and the list of columns and returns one of the columns.
    ///
    /// Raises ValueError if the game is over, for another tie_break, or if the callable returns another column.
    ///
    /// >>> Solver(hash_mb=1).best_move("4455", tie_break=lambda position, columns: columns[-1])
    /// 5
    #[pyo3(signature = (position, tie_break = None, *, rng = None))]
    fn best_move(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        tie_break: Option<&Bound<'_, PyAny>>,
        rng: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u32> {
        let tie_break = TieBreak::of(tie_break, rng)?;
        let best = self.best_moves(py, position)?;
        match tie_break.choose(position, self.board, &best)? {
            Some(column) => Ok(column),
            None => self.swindle(py, &self.stones_of(position)?, &best),
        }
    }

    /// The columns of perfect play by both sides to the end of the game; empty if it is over.
    ///
    /// >>> Solver(hash_mb=1).principal_variation("44556")
    /// [2, 6]
    fn principal_variation(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let stones = self.stones_of(position)?;
        self.compute(py, move |solver| solver.best_line(&stones))
    }

    /// The result of perfect play for the side to move: "win", "draw" or "loss". Takes less time than the score.
    ///
    /// >>> Solver(hash_mb=1).outcome("4455")
    /// 'win'
    fn outcome(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let stones = self.stones_of(position)?;
        let known = self.known(&stones);
        let score = known.map_or_else(|| self.compute(py, |solver| solver.weak_score(&stones)), Ok)?;
        Ok(match score.signum() {
            1 => "win",
            0 => "draw",
            _ => "loss",
        })
    }

    /// The number of plies to the end of the game under perfect play; 0 if it is over.
    ///
    /// >>> Solver(hash_mb=1).distance("4455")
    /// 3
    fn distance(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let stones = self.stones_of(position)?;
        let score = self.solve(py, position)?;
        Ok(match (stones.outcome(), score) {
            (Some(_), _) => 0,
            (None, 0) => stones.empty_cells(),
            (None, score) => plies_to_end(self.board, score, stones.plies()),
        })
    }

    /// The exact scores of many positions, on all processors.
    ///
    /// positions: a list or a column of pandas (Position or text), or boards: an array, tensor or list of shape (n, rows,
    /// columns) or (n, cells), or one board (a flat one is an array), with 0, 1, 2 or 1, 0, -1 row by row from the top, also as
    /// floats. threads: number of threads; None for one for each processor. progress: whether to show a progress bar on standard
    /// error, by `tqdm` if that is installed. Returns an int8 array of shape (n,), a list if NumPy is not installed. Raises
    /// ValueError or TypeError that names the first bad position.
    ///
    /// >>> Solver(hash_mb=1).solve_many(["44", "4455"]).tolist()
    /// [1, 18]
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

    /// The exact scores of the moves of many positions: as `solve_many`, but an array of shape (n, columns), with NO_MOVE
    /// (-128) for columns that cannot be played; without NumPy a list of lists with None for these. dtype: a type of floats,
    /// as float or "float32", for an array of these with nan in place of NO_MOVE, which can be negated and averaged.
    ///
    /// >>> Solver(hash_mb=1).scores_many(["1212121", "4455"], dtype=float).tolist()
    /// [[nan, nan, nan, nan, nan, nan, nan], [-4.0, -3.0, 18.0, 2.0, 2.0, 18.0, -3.0]]
    #[pyo3(signature = (positions, *, threads = None, progress = false, dtype = None))]
    fn scores_many<'py>(
        slf: &Bound<'py, Self>,
        positions: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: bool,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let many = slf.py().import("plumb_engine.bulk")?.getattr("scores_many")?;
        many.call1((slf, positions, threads, progress, dtype))
    }

    /// The score of a position as the book has it; None if it is not in the book, or there is none. The built-in book has the
    /// positions of up to 12 stones.
    ///
    /// >>> Solver(hash_mb=1).book_score("4455")
    /// 18
    fn book_score(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Score>> {
        let stones = self.stones_of(position)?;
        Ok(self.book.as_ref().and_then(|book| book.score(&stones)))
    }

    /// Number of positions that the searches of single positions have visited, but for those of `tie_break="swindle"`, since the
    /// solver was made or cleared.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The scores, one signed byte each, of positions given as a list or as the bytes of their cells; with `moves`, of their
    /// moves, by columns. No board has room for scores past a byte. `tick` is called with the number of positions that are
    /// solved.
    fn _many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        moves: bool,
        tick: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = threads.map_or_else(|| Ok(processors()), number_of_threads)?;
        let all = all_stones_of(positions, self.board)?;
        let done = AtomicUsize::new(0);
        let work = |stop: &StopFlag| {
            let table = self.table();
            let table = read(&table);
            let batch = BatchSolver::new(&table).book(self.book.as_ref()).threads(threads);
            let batch = batch.stop_flag(stop).progress(&done);
            if !moves {
                return batch
                    .scores(&all)
                    .map(|scores| scores.iter().map(|&score| score as i8 as u8).collect());
            }
            let scores = batch.move_scores(&all)?.into_iter().flat_map(|moves| self.by_column(moves));
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
    ///
    /// >>> solver = Solver(hash_mb=1, board="5x4")
    /// >>> solver.solve(""), solver.nodes > 0
    /// (0, True)
    /// >>> solver.clear()
    /// >>> solver.nodes
    /// 0
    fn clear(&self, py: Python<'_>) {
        self.nodes.store(0, Ordering::Relaxed);
        py.detach(|| self.table().write().unwrap_or_else(PoisonError::into_inner).clear());
    }

    /// The size of the board, columns by rows: "7x6".
    #[getter]
    fn board(&self) -> String {
        self.board.to_string()
    }

    /// A copy, also in another process, has the settings and an empty table.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let settings = PyDict::new(py);
        settings.set_item("hash_mb", self.hash_mb)?;
        settings.set_item("threads", self.threads)?;
        settings.set_item("book", self.book_argument.as_ref().map(|book| book.clone_ref(py)))?;
        settings.set_item("board", self.board())?;
        Ok(((), settings))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.book_argument.as_ref().map(|book| book.bind(py));
        let book = match path.filter(|book| !book.is_none() && !book.is_instance_of::<PyBool>()) {
            Some(path) => path.repr()?.to_string(),
            None => if self.book.is_some() { "True" } else { "False" }.to_owned(),
        };
        let board = arguments::board_argument(self.board);
        Ok(format!("Solver(hash_mb={}, threads={}, book={book}{board})", self.hash_mb, self.threads))
    }
}

impl Solver {
    /// The table; an empty one in the first call after a fork, of 1 MB if there is no memory for more.
    fn table(&self) -> Arc<RwLock<AnyTable>> {
        self.table.get(|| {
            let table = AnyTable::new(self.board, self.hash_mb).or_else(|_| AnyTable::new(self.board, 1));
            RwLock::new(table.unwrap_or_else(|error| panic!("there is no memory for a table: {error}")))
        })
    }

    /// The stones of a position on the board of this solver.
    fn stones_of(&self, position: &Bound<'_, PyAny>) -> PyResult<Stones> {
        on_board(stones_of(position, self.board)?, self.board)
    }

    /// The score of a position that needs no search.
    fn known(&self, stones: &Stones) -> Option<Score> {
        immediate_score(stones).or_else(|| self.book.as_ref()?.score(stones))
    }

    /// The scores of the moves if none needs a search.
    fn known_scores(&self, stones: &Stones) -> Option<Vec<Option<Score>>> {
        let score = |column| Some((column, -self.known(&stones.play(column)?)?));
        stones.legal_columns().map(score).collect::<Option<_>>().map(|moves| self.by_column(moves))
    }

    /// The scores of moves by column; `None` for columns that cannot be played.
    fn by_column(&self, moves: Vec<(u32, Score)>) -> Vec<Option<Score>> {
        let mut scores = vec![None; self.board.width() as usize];
        for (column, score) in moves {
            scores[column as usize] = Some(score);
        }
        scores
    }

    /// Runs `work` with a solver: for a moment on this thread, then on another one, which Ctrl-C stops.
    fn compute<T: Send>(
        &self,
        py: Python<'_>,
        work: impl Fn(&mut AnySolver<'_>) -> Result<T, Stopped> + Sync,
    ) -> PyResult<T> {
        let solve = |stop: Option<&StopFlag>| {
            let table = self.table();
            let table = read(&table);
            let mut solver = AnySolver::new(&table).book(self.book.as_ref());
            match stop {
                None => solver.set_deadline(Some(Instant::now() + AT_ONCE)),
                Some(stop) => solver = solver.stop_flag(stop).threads(self.threads),
            }
            let result = work(&mut solver);
            self.nodes.fetch_add(solver.nodes(), Ordering::Relaxed);
            result
        };
        if let Ok(result) = py.detach(|| solve(None)) {
            return Ok(result);
        }
        let Ok(result) = interruptible::run(py, |stop| solve(Some(stop)), |_| Ok(()))? else {
            unreachable!("only a signal stops it, and then the call has failed")
        };
        Ok(result)
    }

    fn swindle(&self, py: Python<'_>, stones: &Stones, best: &[u32]) -> PyResult<u32> {
        let search = |stop: &StopFlag| {
            let limits = Limits::default().with_nodes(SWINDLE_NODES).with_search_moves(best.iter().copied());
            let mut settings = Settings::default();
            settings.swindle = true;
            let search = Search::new(stones).limits(limits).settings(settings).stop_flag(stop);
            search.run_any(&read(&self.table()), self.book.as_ref(), None).ok().and_then(|result| result.best)
        };
        Ok(interruptible::run(py, search, |_| Ok(()))?.unwrap_or(best[0]))
    }
}

/// The table, which threads share.
fn read(table: &RwLock<AnyTable>) -> RwLockReadGuard<'_, AnyTable> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

fn number_of_threads(threads: &Bound<'_, PyAny>) -> PyResult<NonZeroUsize> {
    let number = arguments::integer("threads", threads, 1..=MAX_THREADS, &format!("1 to {MAX_THREADS}"))?;
    Ok(NonZeroUsize::new(number as usize).unwrap_or(NonZeroUsize::MIN))
}

/// The book for a board that the argument asks for.
fn open_book(board: Board, book: Option<&Bound<'_, PyAny>>) -> PyResult<Option<AnyBook>> {
    let embedded = || AnyBook::embedded().filter(|book| book.size() == board.size());
    let Some(book) = book.filter(|book| !book.is_none()) else { return Ok(embedded()) };
    if let Ok(wanted) = book.extract::<bool>() {
        return Ok(wanted.then(embedded).flatten());
    }
    let Ok(path) = book.extract::<std::path::PathBuf>() else {
        return Err(PyTypeError::new_err(format!("book={}; expected True, False or a path", book.repr()?)));
    };
    let named = |error: Error| Error::new(error.kind(), format!("{}: {error}", path.display()));
    let file = std::fs::read(&path).map_err(named)?;
    let fault = |fault: String| PyValueError::new_err(format!("{}: {fault}", path.display()));
    let book = AnyBook::open(Cow::Owned(file)).map_err(|error| fault(error.to_string()))?;
    if book.size() != board.size() {
        return Err(fault(format!("the book is for a board of {}, not of {board}", book.size())));
    }
    Ok(Some(book))
}
