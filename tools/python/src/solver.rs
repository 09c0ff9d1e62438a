//! The class `Solver`.

use std::borrow::Cow;
use std::io::Error;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};

use plumb::board::{Board, Geometry};
use plumb::book::Book;
use plumb::score::{Score, immediate_score, plies_to_end};
use plumb::search::{self, BatchSolver, Limits, Search, Settings, StopFlag, Stopped};
use plumb::table::Table;
use pyo3::exceptions::{PyImportError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBool, PyBytes, PyDict};

use crate::arguments::named_board;
use crate::fork::ForkSafe;
use crate::interruptible::{Ends, StoppedError};
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
/// hash_mb: greatest size of the table in MB (2^20 bytes), 1 or more; it begins small and grows. threads: number of threads for one position, 1 to 256. book:
/// whether to use the built-in opening book (positions of up to 12 stones, on 7x6 only), or the path of a book for the board,
/// made by `plumb-lab book`. board: the size of the board, as "8x7" for 8 columns and 7 rows; see Position.
///
/// A score is an integer for the side to move: 0 a draw; n > 0 a win with the winner's n-th last stone, so more is faster;
/// a negative score is a loss, and less is sooner. A position is a Position on the board of the solver, or its text.
///
/// Several Python threads can use one solver at the same time, and share what it proves. Every search releases the
/// interpreter's lock. Ctrl-C ends it, on Windows in the main thread only; so does `stop` from another thread. Methods of one
/// position take `timeout`, in seconds, and `nodes`, a number of positions to visit, 1 or more; of many positions `timeout`.
/// After these they raise TimeoutError and StoppedError. What was proved until then stays in the table.
///
/// Raises ValueError for sizes out of range and positions on other boards, MemoryError if there is no memory for the table.
///
/// >>> solver = Solver(hash_mb=16, threads=2, board="5x4")
/// >>> solver
/// Solver(hash_mb=16, threads=2, book=False, board="5x4")
/// >>> solver.outcome("")
/// 'draw'
#[pyclass(frozen, module = "plumb_engine")]
pub(crate) struct Solver {
    table: ForkSafe<RwLock<Table>>,
    /// Size of the transposition table in MB.
    #[pyo3(get)]
    hash_mb: usize,
    board: Board,
    book: Option<Book>,
    /// The argument `book`, for copies.
    book_argument: Option<Py<PyAny>>,
    /// Number of threads for one position.
    #[pyo3(get)]
    threads: NonZeroUsize,
    nodes: AtomicU64,
    /// Number of calls of `stop`.
    stops: AtomicU64,
}

/// Limits of a call.
struct CallLimits<'a> {
    ends: Ends<'a>,
    nodes: Option<u64>,
}

/// Results that functions of many positions return.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Score,
    MoveScores,
    Outcome,
    Distance,
}

/// The other arguments of functions of many positions.
struct BatchArguments<'a, 'py> {
    threads: Option<&'a Bound<'py, PyAny>>,
    progress: bool,
    timeout: Option<&'a Bound<'py, PyAny>>,
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
            Table::new_on(board, hash_mb).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let book_argument = book.map(|book| book.clone().unbind());
        Ok(Self {
            table: ForkSafe::new(RwLock::new(table)),
            hash_mb,
            board,
            book: open_book(board, book)?,
            book_argument,
            threads,
            nodes: AtomicU64::new(0),
            stops: AtomicU64::new(0),
        })
    }

    /// The exact score of a position. Of a finished game: 0 if it is drawn, else that of the loser, who would be to move.
    ///
    /// >>> Solver(hash_mb=1).solve("4455")
    /// 18
    #[pyo3(signature = (position, *, timeout = None, nodes = None))]
    fn solve(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Score> {
        let limits = self.limits(timeout, nodes)?;
        self.score(py, &self.stones_of(position)?, &limits)
    }

    /// The exact scores of the moves, one for each column, for the side to move before the move; None for columns that cannot
    /// be played, which are all of them after the end of the game.
    ///
    /// >>> Solver(hash_mb=1).scores("444444")
    /// [-1, 0, 1, None, 1, 0, -1]
    #[pyo3(signature = (position, *, timeout = None, nodes = None))]
    fn scores(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Option<Score>>> {
        let limits = self.limits(timeout, nodes)?;
        let stones = self.stones_of(position)?;
        match self.known_scores(&stones) {
            Some(scores) => Ok(scores),
            None => self.compute(py, &limits, |solver| Ok(self.by_column(solver.move_scores(&stones)?))),
        }
    }

    /// The columns, ascending, of the moves that keep the score. Raises ValueError if the game is over.
    ///
    /// >>> Solver(hash_mb=1).best_moves("4455")
    /// [2, 5]
    #[pyo3(signature = (position, *, timeout = None, nodes = None))]
    fn best_moves(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<u32>> {
        let limits = self.limits(timeout, nodes)?;
        self.best_columns(py, &self.stones_of(position)?, &limits)
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
    #[pyo3(signature = (position, tie_break = None, *, rng = None, timeout = None, nodes = None))]
    fn best_move(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        tie_break: Option<&Bound<'_, PyAny>>,
        rng: Option<&Bound<'_, PyAny>>,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u32> {
        let tie_break = TieBreak::of(tie_break, rng)?;
        let limits = self.limits(timeout, nodes)?;
        let stones = self.stones_of(position)?;
        let best = self.best_columns(py, &stones, &limits)?;
        match tie_break.choose(position, self.board, &best)? {
            Some(column) => Ok(column),
            None => self.swindle(py, &stones, &best, &limits),
        }
    }

    /// The columns of perfect play by both sides to the end of the game; empty if it is over.
    ///
    /// >>> Solver(hash_mb=1).principal_variation("44556")
    /// [2, 6]
    #[pyo3(signature = (position, *, timeout = None, nodes = None))]
    fn principal_variation(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<u32>> {
        let limits = self.limits(timeout, nodes)?;
        let stones = self.stones_of(position)?;
        self.compute(py, &limits, |solver| solver.best_line(&stones))
    }

    /// The result of perfect play for the side to move: "win", "draw" or "loss". Takes less time than the score.
    ///
    /// >>> Solver(hash_mb=1).outcome("4455")
    /// 'win'
    #[pyo3(signature = (position, *, timeout = None, nodes = None))]
    fn outcome(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<&'static str> {
        let limits = self.limits(timeout, nodes)?;
        let stones = self.stones_of(position)?;
        let score = match self.known(&stones) {
            Some(score) => score,
            None => self.compute(py, &limits, |solver| solver.weak_score(&stones))?,
        };
        Ok(outcome_of(score))
    }

    /// The number of plies to the end of the game under perfect play; 0 if it is over.
    ///
    /// >>> Solver(hash_mb=1).distance("4455")
    /// 3
    #[pyo3(signature = (position, *, timeout = None, nodes = None))]
    fn distance(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u32> {
        let limits = self.limits(timeout, nodes)?;
        let stones = self.stones_of(position)?;
        Ok(distance_of(&stones, self.score(py, &stones, &limits)?))
    }

    /// The exact scores of many positions, on all processors.
    ///
    /// positions: a list, or a column of pandas, polars or Arrow (Position, text or board), or an array or tensor of boards of
    /// shape (n, rows, columns), or one board; a board has 0, 1, 2 or 1, 0, -1, the top row first. threads: number of threads;
    /// None for one for each processor. progress: whether to show a progress bar on standard error, by `tqdm` if that is
    /// installed. timeout: seconds. Returns an int8 array of shape (n,), a list if NumPy is not installed. Raises ValueError or
    /// TypeError that names the first bad position, TimeoutError after `timeout`.
    ///
    /// >>> Solver(hash_mb=1).solve_many(["44", "4455"]).tolist()
    /// [1, 18]
    #[pyo3(signature = (positions, *, threads = None, progress = false, timeout = None))]
    fn solve_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: bool,
        timeout: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.many(positions, Answer::Score, &BatchArguments { threads, progress, timeout })
    }

    /// The exact scores of the moves of many positions: as `solve_many`, but an array of shape (n, columns), with NO_MOVE
    /// (-128) for columns that cannot be played; without NumPy a list of lists with None for these. dtype: a type of floats,
    /// as float or "float32", for an array of these with nan in place of NO_MOVE, which can be negated and averaged.
    ///
    /// >>> Solver(hash_mb=1).scores_many(["1212121", "4455"], dtype=float).tolist()
    /// [[nan, nan, nan, nan, nan, nan, nan], [-4.0, -3.0, 18.0, 2.0, 2.0, 18.0, -3.0]]
    #[pyo3(signature = (positions, *, threads = None, progress = false, dtype = None, timeout = None))]
    fn scores_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: bool,
        dtype: Option<&Bound<'py, PyAny>>,
        timeout: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(dtype) = dtype {
            let numpy = positions.py().import("numpy")?;
            let kind: String = numpy.call_method1("dtype", (dtype,))?.getattr("kind")?.extract()?;
            if kind != "f" {
                let fault = format!(
                    "dtype={}; expected a type of floating-point numbers, or None for int8",
                    dtype.repr()?
                );
                return Err(PyValueError::new_err(fault));
            }
        }
        let scores =
            self.many(positions, Answer::MoveScores, &BatchArguments { threads, progress, timeout })?;
        let Some(dtype) = dtype else { return Ok(scores) };
        let floats = scores.call_method1("astype", (dtype,))?;
        floats.set_item(scores.rich_compare(NO_MOVE, CompareOp::Eq)?, f64::NAN)?;
        Ok(floats)
    }

    /// The results of perfect play of many positions, "win", "draw" or "loss" for the side to move: as `solve_many`, but an array of
    /// texts.
    ///
    /// >>> Solver(hash_mb=1).outcome_many(["44", "44556"]).tolist()
    /// ['win', 'loss']
    #[pyo3(signature = (positions, *, threads = None, progress = false, timeout = None))]
    fn outcome_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: bool,
        timeout: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.many(positions, Answer::Outcome, &BatchArguments { threads, progress, timeout })
    }

    /// The numbers of plies to the end of many positions under perfect play, 0 where the game is over: as `solve_many`.
    ///
    /// >>> Solver(hash_mb=1).distance_many(["4455", "44556"]).tolist()
    /// [3, 2]
    #[pyo3(signature = (positions, *, threads = None, progress = false, timeout = None))]
    fn distance_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        progress: bool,
        timeout: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.many(positions, Answer::Distance, &BatchArguments { threads, progress, timeout })
    }

    /// Ends all calls of this solver that run in other threads: they raise StoppedError. Later calls are not affected.
    ///
    /// >>> Solver(hash_mb=1).stop()
    fn stop(&self) {
        self.stops.fetch_add(1, Ordering::Relaxed);
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
    fn table(&self) -> Arc<RwLock<Table>> {
        self.table.get(|| {
            let table = Table::new_on(self.board, self.hash_mb).or_else(|_| Table::new_on(self.board, 1));
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

    /// The limits of a call with these arguments.
    fn limits(
        &self,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<CallLimits<'_>> {
        let nodes = nodes.map(|nodes| arguments::integer("nodes", nodes, 1..=u64::MAX, "1 or more"));
        Ok(CallLimits { ends: Ends::new(timeout, &self.stops)?, nodes: nodes.transpose()? })
    }

    /// The exact score of a position.
    fn score(&self, py: Python<'_>, stones: &Stones, limits: &CallLimits<'_>) -> PyResult<Score> {
        match self.known(stones) {
            Some(score) => Ok(score),
            None => self.compute(py, limits, |solver| solver.score(stones)),
        }
    }

    /// The columns of the moves that keep the score.
    fn best_columns(&self, py: Python<'_>, stones: &Stones, limits: &CallLimits<'_>) -> PyResult<Vec<u32>> {
        if stones.outcome().is_some() {
            return Err(PyValueError::new_err("the game is over: there is no move"));
        }
        if let Some(scores) = self.known_scores(stones) {
            let best = scores.iter().flatten().max();
            let mut columns = Vec::new();
            for column in 0..self.board.width() {
                if scores[column as usize].as_ref() == best {
                    columns.push(column);
                }
            }
            return Ok(columns);
        }
        self.compute(py, limits, |solver| {
            let score = solver.score(stones)?;
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

    /// Runs `work` with a solver: for a moment on this thread, then on another one, which the limits and Ctrl-C stop.
    fn compute<T: Send>(
        &self,
        py: Python<'_>,
        limits: &CallLimits<'_>,
        work: impl Fn(&mut search::Solver<'_>) -> Result<T, Stopped> + Sync,
    ) -> PyResult<T> {
        let solve = |stop: Option<&StopFlag>| {
            let table = self.table();
            let table = read(&table);
            let mut solver = search::Solver::new(&table).book(self.book.as_ref());
            match stop {
                None => solver.set_deadline(Some(Instant::now() + AT_ONCE)),
                Some(stop) => solver = solver.stop_flag(stop).threads(self.threads),
            }
            solver.set_node_limit(limits.nodes);
            let result = work(&mut solver);
            self.nodes.fetch_add(solver.nodes(), Ordering::Relaxed);
            result
        };
        // A call with a limit of nodes counts all of them in one search.
        if limits.nodes.is_none()
            && let Ok(result) = py.detach(|| solve(None))
        {
            return Ok(result);
        }
        let result = interruptible::run(py, limits.ends, |stop| solve(Some(stop)), |_| Ok(()))?;
        result.map_err(|Stopped| {
            let nodes = limits.nodes.unwrap_or_default();
            StoppedError::new_err(format!("nodes={nodes}: there is no answer after so many positions"))
        })
    }

    fn swindle(
        &self,
        py: Python<'_>,
        stones: &Stones,
        best: &[u32],
        limits: &CallLimits<'_>,
    ) -> PyResult<u32> {
        let search = |stop: &StopFlag| {
            let limits = Limits::default().with_nodes(SWINDLE_NODES).with_search_moves(best.iter().copied());
            let mut settings = Settings::default();
            settings.swindle = true;
            let search =
                Search::new(stones).limits(limits).settings(settings).stop_flag(stop).book(self.book.as_ref());
            search.run(&read(&self.table())).ok().and_then(|result| result.best)
        };
        Ok(interruptible::run(py, limits.ends, search, |_| Ok(()))?.unwrap_or(best[0]))
    }

    /// The answers for many positions, as an array or a list.
    fn many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        answer: Answer,
        arguments: &BatchArguments<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = positions.py();
        let threads = match arguments.threads {
            Some(threads) => number_of_threads(threads)?,
            None => thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        };
        let ends = Ends::new(arguments.timeout, &self.stops)?;
        let all = all_stones_of(positions, self.board)?;
        let bar = py.import("plumb_engine.progress")?;
        let bar = bar.call_method1("progress_bar", (all.len(), "positions", arguments.progress))?;
        let tick = bar.call_method0("__enter__")?.unbind();
        let done = AtomicUsize::new(0);
        let work = |stop: &StopFlag| {
            let table = self.table();
            let table = read(&table);
            let batch = BatchSolver::new(&table).book(self.book.as_ref()).threads(threads);
            self.answers(&batch.stop_flag(stop).progress(&done), &all, answer)
        };
        let shown = |py: Python<'_>| tick.call1(py, (done.load(Ordering::Relaxed),)).map(drop);
        let answers = interruptible::run(py, ends, work, shown).and_then(|answers| {
            shown(py)?;
            let Ok(answers) = answers else { unreachable!("what stops it has raised an error") };
            Ok(answers)
        });
        bar.call_method1("__exit__", (py.None(), py.None(), py.None()))?;
        self.array(py, &answers?, answer)
    }

    /// The answers of a batch, a byte each: no board has room for scores or plies past a byte.
    fn answers(&self, batch: &BatchSolver<'_>, all: &[Stones], answer: Answer) -> Result<Vec<u8>, Stopped> {
        if answer == Answer::MoveScores {
            let scores = batch.move_scores(all)?.into_iter().flat_map(|moves| self.by_column(moves));
            return Ok(scores.map(|score| score.map_or(NO_MOVE, |score| score as i8) as u8).collect());
        }
        let scores = batch.scores(all)?.into_iter().zip(all);
        let answers = scores.map(|(score, stones)| match answer {
            Answer::Distance => distance_of(stones, score) as u8,
            Answer::Outcome => score.signum() as i8 as u8,
            Answer::Score | Answer::MoveScores => score as i8 as u8,
        });
        Ok(answers.collect())
    }

    /// Answers as an array of NumPy, or as a list if NumPy is not installed.
    fn array<'py>(&self, py: Python<'py>, answers: &[u8], answer: Answer) -> PyResult<Bound<'py, PyAny>> {
        let numpy = match py.import("numpy") {
            Ok(numpy) => numpy,
            Err(error) if error.is_instance_of::<PyImportError>(py) => return self.list(py, answers, answer),
            Err(error) => return Err(error),
        };
        // A copy, as an array over bytes cannot be written to.
        let array =
            numpy.call_method1("frombuffer", (PyBytes::new(py, answers), "int8"))?.call_method0("copy")?;
        match answer {
            Answer::Score => Ok(array),
            Answer::MoveScores => array.call_method1("reshape", (-1, self.board.width())),
            Answer::Distance => array.call_method1("astype", ("int64",)),
            Answer::Outcome => {
                // The index -1 is the last one.
                let names = numpy.call_method1("array", (["draw", "win", "loss"],))?;
                names.get_item(array)
            }
        }
    }

    fn list<'py>(&self, py: Python<'py>, answers: &[u8], answer: Answer) -> PyResult<Bound<'py, PyAny>> {
        let value = |&byte: &u8| Some(byte as i8).filter(|&score| score != NO_MOVE);
        match answer {
            Answer::Outcome => {
                let names: Vec<_> = answers.iter().map(|&byte| outcome_of((byte as i8).into())).collect();
                Ok(names.into_pyobject(py)?.into_any())
            }
            Answer::MoveScores => {
                let rows = answers.chunks(self.board.width() as usize);
                let rows: Vec<Vec<_>> = rows.map(|row| row.iter().map(value).collect()).collect();
                Ok(rows.into_pyobject(py)?.into_any())
            }
            Answer::Score | Answer::Distance => {
                let values: Vec<_> = answers.iter().map(value).collect();
                Ok(values.into_pyobject(py)?.into_any())
            }
        }
    }
}

/// The result that a score stands for.
fn outcome_of(score: Score) -> &'static str {
    match score.signum() {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}

/// The number of plies from a position with this score to the end of the game.
fn distance_of(stones: &Stones, score: Score) -> u32 {
    match (stones.outcome(), score) {
        (Some(_), _) => 0,
        (None, 0) => stones.empty_cells(),
        (None, score) => plies_to_end(stones.geometry(), score, stones.plies()),
    }
}

/// The table, which threads share.
fn read(table: &RwLock<Table>) -> RwLockReadGuard<'_, Table> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

fn number_of_threads(threads: &Bound<'_, PyAny>) -> PyResult<NonZeroUsize> {
    let number = arguments::integer("threads", threads, 1..=MAX_THREADS, &format!("1 to {MAX_THREADS}"))?;
    Ok(NonZeroUsize::new(number as usize).unwrap_or(NonZeroUsize::MIN))
}

/// The book for a board that the argument asks for.
fn open_book(board: Board, book: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Book>> {
    let embedded = || Book::embedded().filter(|book| book.size() == board.size());
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
    let book = Book::open(Cow::Owned(file)).map_err(|error| fault(error.to_string()))?;
    if book.size() != board.size() {
        return Err(fault(format!("the book is for a board of {}, not of {board}", book.size())));
    }
    Ok(Some(book))
}
