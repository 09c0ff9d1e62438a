//! Random games.

use plumb::board::Board;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::{Stones, arguments};

/// Number of random games, each ended too soon, after which a longer one is not expected.
const MAX_GAMES: u32 = 10_000;

/// The columns, from 0, of `plies` random moves after which the game is not over. `rng` has the method `choice`; `None` for the
/// module `random`.
///
/// # Errors
/// `ValueError` if no such game is found; the errors of `choice`.
pub(crate) fn columns(
    py: Python<'_>,
    board: Board,
    plies: u32,
    rng: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<i64>> {
    for _ in 0..MAX_GAMES {
        let (mut stones, mut columns) = (Stones::empty(board), Vec::new());
        while stones.plies() < plies && stones.outcome().is_none() {
            let legal: Vec<_> = stones.legal_columns().collect();
            let column = arguments::choice(py, rng, &legal)?;
            let next = u32::try_from(column).ok().and_then(|column| stones.play(column));
            stones =
                next.ok_or_else(|| PyValueError::new_err(format!("rng: `choice` has returned {column}")))?;
            columns.push(column);
        }
        if stones.plies() == plies && stones.outcome().is_none() {
            return Ok(columns);
        }
    }
    Err(PyValueError::new_err(format!("plies={plies}: no game that goes on was found")))
}
