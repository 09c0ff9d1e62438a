//! The Python class `Solver`.

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
use crate::position::Position;
use crate::stones::{all_stones_of, on_board, stones_of};
use crate::tie_break::TieBreak;
use crate::{Stones, arguments, interruptible};

/// Time limit on the calling thread. Longer computations restart on another thread, where Ctrl-C can end them.
const AT_ONCE: Duration = Duration::from_millis(10);
const MAX_THREADS: u64 = 256;
const HASH: u64 = 64;
/// Entry of a column without a legal move in arrays of scores.
pub(crate) const NO_MOVE: i8 = i8::MIN;
/// Node limit of `tie_break="swindle"`: some tenths of a second.
const SWINDLE_NODES: u64 = 1_000_000;

/// An exact solver. It keeps its transposition table between calls.
///
/// hash_mb: largest size of the table in MB (2^20 bytes). The table starts small and grows.
/// threads: threads for one position, 1 to 256.
/// book: whether to use the built-in opening book (7x6, up to 12 stones), or the path of a book from `plumb-lab book`.
/// board: the size, such as "8x7" for 8 columns and 7 rows. See Position.
///
/// Scores are integers for the side to move. 0 is a draw. n > 0 is a win with the winner's n-th last stone, so a higher
/// score is a faster win. A negative score is a loss. A position is a Position on the board of the solver, or its text.
///
/// Several Python threads can share a solver. A search releases the GIL. Ctrl-C ends the search (on Windows only in the
/// main thread), and `stop` ends it from another thread. `timeout` limits the seconds and raises TimeoutError. `nodes`
/// limits the visited positions and raises StoppedError. The table keeps everything that was proved.
///
/// Raises ValueError for sizes out of range and for positions on other boards, MemoryError without memory for the table.
///
/// >>> solver = Solver(hash_mb=16, threads=2, board="5x4")
/// >>> solver
/// Solver(hash_mb=16, threads=2, book=False, board="5x4")
/// >>> solver.outcome("")
/// 'draw'
#[pyclass(frozen, module = "plumb_engine")]
pub(crate) struct Solver {
    table: ForkSafe<RwLock<Table>>,
    /// Largest size of the table in MB.
    #[pyo3(get)]
    hash_mb: usize,
    board: Board,
    book: Option<Book>,
    book_argument: Option<Py<PyAny>>,
    /// Number of threads for one position.
    #[pyo3(get)]
    threads: NonZeroUsize,
    nodes: AtomicU64,
    stops: AtomicU64,
}

struct CallLimits<'a> {
    ends: Ends<'a>,
    nodes: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Score,
    MoveScores,
    Outcome,
    Distance,
}

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
        let hash_mb = match hash_mb {
            Some(size) => arguments::integer("hash_mb", size, 1..=u64::MAX, "1 or more")?,
            None => HASH,
        } as usize;
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

    /// The exact score. A finished game has 0 for a draw, otherwise the loser's score.
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

    /// The exact score of a move in each column, for the side to move. None for full columns, and for all columns after
    /// the end of the game.
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

    /// All columns with the best score, ascending. Raises ValueError if the game is over.
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

    /// A column, from 0, with the best score. tie_break chooses between several best columns:
    /// - "centre" (default): the most central column, the left column of two;
    /// - "left";
    /// - "random": by the method `choice` of `rng`, or by the module `random`;
    /// - "swindle": the move after which a fallible opponent errs most often, by a search of half a second;
    /// - a callable with the position and the list of columns, which returns a column of the list.
    ///
    /// Raises ValueError if the game is over or the callable returns another column.
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

    /// The columns of perfect play to the end of the game. Empty if the game is over.
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

    /// The result of perfect play for the side to move: "win", "draw" or "loss". Faster than the score.
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

    /// Plies to the end of the game under perfect play. 0 if the game is over.
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
    /// positions: a list or a column of pandas, polars or Arrow, with Position, text or boards; an array or tensor of
    /// shape (n, rows, columns); or one board. Cells are 0, 1, 2 or 0, 1, -1, the top row first.
    /// threads: None for all processors.
    /// progress: whether to show a progress bar on standard error, by `tqdm` if installed.
    ///
    /// Returns an int8 array of shape (n,), or a list without NumPy. Raises ValueError or TypeError for the first bad
    /// position.
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

    /// The exact score of each column of many positions. Like `solve_many`, but of shape (n, columns), with NO_MOVE (-128) for
    /// columns without a legal move (None without NumPy). With dtype=float or "float32" these columns are nan.
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

    /// The results of perfect play. Like `solve_many`, but with the texts "win", "draw" and "loss".
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

    /// Plies to the end of the games under perfect play. Like `solve_many`; 0 where the game is over.
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

    /// Ends all running calls of this solver in other threads. These calls raise StoppedError.
    ///
    /// >>> Solver(hash_mb=1).stop()
    fn stop(&self) {
        self.stops.fetch_add(1, Ordering::Relaxed);
    }

    /// The score in the opening book, or None. The built-in book has positions of up to 12 stones.
    ///
    /// >>> Solver(hash_mb=1).book_score("4455")
    /// 18
    fn book_score(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Score>> {
        let stones = self.stones_of(position)?;
        Ok(self.book.as_ref().and_then(|book| book.score(&stones)))
    }

    /// Number of nodes that searches of single positions visited since the solver was made or cleared.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Clears the table. Waits until no other thread uses the solver.
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

    /// The board size, columns by rows: "7x6".
    #[getter]
    fn board(&self) -> String {
        self.board.to_string()
    }

    /// For copies and `pickle`: the settings without the table.
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
    /// The table. A forked process creates a new one, of 1 MB if memory is short.
    fn table(&self) -> Arc<RwLock<Table>> {
        self.table.get(|| {
            let table = Table::new_on(self.board, self.hash_mb).or_else(|_| Table::new_on(self.board, 1));
            RwLock::new(table.unwrap_or_else(|error| panic!("there is no memory for a table: {error}")))
        })
    }

    fn stones_of(&self, position: &Bound<'_, PyAny>) -> PyResult<Stones> {
        on_board(stones_of(position, self.board)?, self.board)
    }

    /// The score, if it needs no search.
    fn known(&self, stones: &Stones) -> Option<Score> {
        immediate_score(stones).or_else(|| self.book.as_ref()?.score(stones))
    }

    /// The scores of all moves, if none needs a search.
    fn known_scores(&self, stones: &Stones) -> Option<Vec<Option<Score>>> {
        let mut moves = Vec::new();
        for column in stones.legal_columns() {
            moves.push((column, -self.known(&stones.play(column)?)?));
        }
        Some(self.by_column(moves))
    }

    fn by_column(&self, moves: Vec<(u32, Score)>) -> Vec<Option<Score>> {
        let mut scores = vec![None; self.board.width() as usize];
        for (column, score) in moves {
            scores[column as usize] = Some(score);
        }
        scores
    }

    fn limits(
        &self,
        timeout: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<CallLimits<'_>> {
        let nodes = nodes.map(|nodes| arguments::integer("nodes", nodes, 1..=u64::MAX, "1 or more"));
        Ok(CallLimits { ends: Ends::new(timeout, &self.stops)?, nodes: nodes.transpose()? })
    }

    fn score(&self, py: Python<'_>, stones: &Stones, limits: &CallLimits<'_>) -> PyResult<Score> {
        match self.known(stones) {
            Some(score) => Ok(score),
            None => self.compute(py, limits, |solver| solver.score(stones)),
        }
    }

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

    /// Runs `work` on this thread for at most [`AT_ONCE`], then from the start on another thread, until a
    /// limit or Ctrl-C.
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
        // A node limit counts the nodes of one search, so the search must not start twice.
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
            let search = Search::new(stones)
                .limits(limits)
                .settings(settings)
                .stop_flag(stop)
                .book(self.book.as_ref());
            search.run(&read(&self.table())).ok().and_then(|result| result.best)
        };
        Ok(interruptible::run(py, limits.ends, search, |_| Ok(()))?.unwrap_or(best[0]))
    }

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

    /// The results of all positions as bytes. Scores and plies of every board fit a byte.
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

    /// Converts the results to a NumPy array, or to a list without NumPy.
    fn array<'py>(&self, py: Python<'py>, answers: &[u8], answer: Answer) -> PyResult<Bound<'py, PyAny>> {
        let numpy = match py.import("numpy") {
            Ok(numpy) => numpy,
            Err(error) if error.is_instance_of::<PyImportError>(py) => return self.list(py, answers, answer),
            Err(error) => return Err(error),
        };
        // An array over bytes is read-only, so copy it.
        let array =
            numpy.call_method1("frombuffer", (PyBytes::new(py, answers), "int8"))?.call_method0("copy")?;
        match answer {
            Answer::Score => Ok(array),
            Answer::MoveScores => array.call_method1("reshape", (-1, self.board.width())),
            Answer::Distance => array.call_method1("astype", ("int64",)),
            Answer::Outcome => {
                // The sign of a score is the index of its name. -1 is the last name.
                let names = numpy.call_method1("array", (["draw", "win", "loss"],))?;
                names.get_item(array)
            }
        }
    }

    fn list<'py>(&self, py: Python<'py>, answers: &[u8], answer: Answer) -> PyResult<Bound<'py, PyAny>> {
        match answer {
            Answer::Outcome => {
                let names: Vec<_> = answers.iter().map(|&byte| outcome_of((byte as i8).into())).collect();
                Ok(names.into_pyobject(py)?.into_any())
            }
            Answer::MoveScores => {
                let rows = answers.chunks(self.board.width() as usize);
                let rows: Vec<Vec<_>> = rows.map(|row| row.iter().copied().map(value_of).collect()).collect();
                Ok(rows.into_pyobject(py)?.into_any())
            }
            Answer::Score | Answer::Distance => {
                let values: Vec<_> = answers.iter().copied().map(value_of).collect();
                Ok(values.into_pyobject(py)?.into_any())
            }
        }
    }
}

/// The signed value of a result. `None` for a column without a legal move.
fn value_of(answer: u8) -> Option<i8> {
    let value = answer as i8;
    if value == NO_MOVE { None } else { Some(value) }
}

fn outcome_of(score: Score) -> &'static str {
    match score.signum() {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}

/// Plies to the end of the game from a position with this score.
#[pyfunction]
pub(crate) fn plies_of_score(position: &Position, score: Score) -> u32 {
    distance_of(&position.stones, score)
}

fn distance_of(stones: &Stones, score: Score) -> u32 {
    match (stones.outcome(), score) {
        (Some(_), _) => 0,
        (None, 0) => stones.empty_cells(),
        (None, score) => plies_to_end(stones.geometry(), score, stones.plies()),
    }
}

fn read(table: &RwLock<Table>) -> RwLockReadGuard<'_, Table> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

fn number_of_threads(threads: &Bound<'_, PyAny>) -> PyResult<NonZeroUsize> {
    let number = arguments::integer("threads", threads, 1..=MAX_THREADS, &format!("1 to {MAX_THREADS}"))?;
    Ok(NonZeroUsize::new(number as usize).unwrap_or(NonZeroUsize::MIN))
}

fn open_book(board: Board, book: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Book>> {
    let embedded = || Book::embedded().filter(|book| book.size() == board.size());
    let Some(book) = book.filter(|book| !book.is_none()) else { return Ok(embedded()) };
    if let Ok(wanted) = book.extract::<bool>() {
        return Ok(wanted.then(embedded).flatten());
    }
    let Ok(path) = book.extract::<std::path::PathBuf>() else {
        return Err(PyTypeError::new_err(format!("book={}; expected True, False or a path", book.repr()?)));
    };
    let name = path.display();
    let file = std::fs::read(&path).map_err(|error| Error::new(error.kind(), format!("{name}: {error}")))?;
    let book =
        Book::open(Cow::Owned(file)).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
    if book.size() != board.size() {
        let fault = format!("{name}: the book is for a board of {}, not of {board}", book.size());
        return Err(PyValueError::new_err(fault));
    }
    Ok(Some(book))
}
