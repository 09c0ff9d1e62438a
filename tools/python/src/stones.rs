//! Stones of the positions that Python's functions take, one or many.

use plumb::board::{Board, Form, Geometry};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::position::Position;
use crate::{Stones, arguments, input};

/// The stones of the position that a function takes: a `Position`, or its text on `board`.
pub(crate) fn stones_of(value: &Bound<'_, PyAny>, board: Board) -> PyResult<Stones> {
    if let Ok(position) = value.cast::<Position>() {
        return Ok(position.get().stones);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return arguments::read(board, &text.to_cow()?, Form::Any, 1).map(|read| read.position);
    }
    let name = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("a position is a Position or its text, not {name}")))
}

/// The stones of many positions: an iterable of what [`stones_of`] takes, or the bytes of their cells, the top row first.
/// ValueError or TypeError with the index of the first one that is no position of this board.
pub(crate) fn all_stones_of(positions: &Bound<'_, PyAny>, board: Board) -> PyResult<Vec<Stones>> {
    let at = |index: usize, error: PyErr| {
        let py = positions.py();
        arguments::with_text(py, &error, format!("position at index {index}: {}", error.value(py)))
    };
    if let Ok(bytes) = positions.cast::<PyBytes>() {
        let all = bytes.as_bytes().chunks(board.cells() as usize).enumerate();
        return all
            .map(|(index, cells)| {
                input::from_bytes(board, cells).map_err(|fault| at(index, PyValueError::new_err(fault)))
            })
            .collect();
    }
    let positions = positions.try_iter()?.enumerate();
    let stones = |position: PyResult<Bound<'_, PyAny>>| on_board(stones_of(&position?, board)?, board);
    positions.map(|(index, position)| stones(position).map_err(|error| at(index, error))).collect()
}

/// Checks that the stones are on the board of a solver.
pub(crate) fn on_board(stones: Stones, board: Board) -> PyResult<Stones> {
    let found = stones.geometry();
    if found == board {
        return Ok(stones);
    }
    Err(PyValueError::new_err(format!(
        "a position on {found}; this solver is for {board}: make one by Solver(board=\"{found}\")"
    )))
}
