//! The Python class `Player`.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};

use plumb::board::Board;
use plumb::book::Book;
use plumb::search::{Limits, Search, Settings, StopFlag, Strength, strength};
use plumb::table::{Table, TableError};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::fork::ForkSafe;
use crate::interruptible::Ends;
use crate::stones::stones_of;
use crate::{arguments, interruptible};

/// Table size in MB, enough for a search with a node limit.
const HASH: usize = 16;
/// Default node limit per move.
const NODES: u64 = 50_000;

/// The Elo of a Skill Level from 0 to 19, on the scale of UCI_Elo. None for level 20.
#[pyfunction]
pub(crate) fn level_elo(level: u8) -> Option<i32> {
    strength::elo_of_level(level)
}

/// A player of a Skill Level, without an engine process. `player(position)` returns a column, on any board.
///
/// level: 0 (barely better than random moves) to 20 (perfect as far as its nodes reach).
/// nodes: limit of the search per move.
/// seed: seed of the random choices below level 20. An equal seed repeats the moves; None chooses a new seed for each move.
/// The seed can be set between moves.
///
/// Raises ValueError for values out of range.
///
/// >>> player = Player(7, nodes=1000, seed=1)
/// >>> player("4455") in (0, 1, 2, 3, 4, 5, 6)
/// True
#[pyclass(frozen, module = "plumb_engine")]
pub(crate) struct Player {
    /// The Skill Level, 0 to 20.
    #[pyo3(get)]
    level: u8,
    nodes: u64,
    seed: Mutex<Option<u64>>,
    table: ForkSafe<Mutex<Table>>,
    book: Option<Book>,
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(
        signature = (level = None, *, nodes = None, seed = None),
        text_signature = "(level=20, *, nodes=50000, seed=None)"
    )]
    fn new(
        level: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let level =
            level.map_or(Ok(20), |level| arguments::integer("level", level, 0..=20, "0 to 20"))? as u8;
        let nodes =
            nodes.map_or(Ok(NODES), |nodes| arguments::integer("nodes", nodes, 1..=u64::MAX, "1 or more"))?;
        let seed = Mutex::new(seed.map(seed_of).transpose()?);
        let table = Table::new(HASH).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        Ok(Self { level, nodes, seed, table: ForkSafe::new(Mutex::new(table)), book: Book::embedded() })
    }

    /// The seed of the random choices. None for a new seed with each move.
    #[getter]
    fn seed(&self) -> Option<u64> {
        *self.seed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[setter]
    fn set_seed(&self, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        *self.seed.lock().unwrap_or_else(PoisonError::into_inner) = seed.map(seed_of).transpose()?;
        Ok(())
    }

    /// The column to play. Raises ValueError if the game is over, MemoryError without memory for the table of another board.
    fn __call__(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let stones = stones_of(position, Board::default())?;
        let seed = self.seed().map(folded);
        let search = |stop: &StopFlag| {
            let new = || Table::new_on(stones.geometry(), HASH).map(Mutex::new);
            let table =
                self.table.get(|| new().unwrap_or_else(|error| panic!("there is no memory: {error}")));
            let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
            if table.board() != stones.geometry() {
                *table = Table::new_on(stones.geometry(), HASH)?;
            }
            let mut settings = Settings::default();
            settings.seed = seed;
            if self.level < 20 {
                settings.strength = Strength::Level(f64::from(self.level));
            }
            let limits = Limits::default().with_nodes(self.nodes);
            let search = Search::new(&stones)
                .limits(limits)
                .settings(settings)
                .stop_flag(stop)
                .book(self.book.as_ref());
            Ok(search.run(&table).ok().and_then(|result| result.best))
        };
        let column: Result<_, TableError> = interruptible::run(py, Ends::default(), search, |_| Ok(()))?;
        let column = column.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        column.ok_or_else(|| PyValueError::new_err("the game is over: there is no move"))
    }

    /// For copies and `pickle`: the settings without the table.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((u8,), Bound<'py, PyDict>)> {
        let settings = PyDict::new(py);
        settings.set_item("nodes", self.nodes)?;
        settings.set_item("seed", self.seed())?;
        Ok(((self.level,), settings))
    }

    fn __repr__(&self) -> String {
        let seed = self.seed().map_or("None".to_owned(), |seed| seed.to_string());
        format!("Player({}, nodes={}, seed={seed})", self.level, self.nodes)
    }
}

fn seed_of(seed: &Bound<'_, PyAny>) -> PyResult<u64> {
    arguments::integer("seed", seed, 0..=u64::MAX, &format!("0 to {}", u64::MAX))
}

/// Folds the seed to 32 bits. The result is never 0, because 0 means no seed.
fn folded(seed: u64) -> NonZeroU32 {
    let folded = (seed ^ (seed >> 32)) as u32;
    NonZeroU32::new(folded).unwrap_or(NonZeroU32::MAX)
}
