//! Reads positions from Python arguments, single or many.

use plumb::board::{Board, Form, Geometry};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

use crate::position::Position;
use crate::{Stones, arguments, input};

/// The stones of a `Position`, or of a text on `board`.
pub(crate) fn stones_of(value: &Bound<'_, PyAny>, board: Board) -> PyResult<Stones> {
    if let Ok(position) = value.cast::<Position>() {
        return Ok(position.get().stones);
    }
    match value.cast::<PyString>() {
        Ok(text) => arguments::read(board, &text.to_cow()?, Form::Any, 1).map(|read| read.position),
        Err(_) => Err(no_position(value)?),
    }
}

fn no_position(value: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let is_number = value.is_instance_of::<PyInt>() || value.hasattr("dtype")?;
    let hint = if is_number { "; pandas reads columns of digits as text with dtype=str" } else { "" };
    let name = value.get_type().name()?;
    Ok(PyTypeError::new_err(format!("a position is a Position or its text, not {name}{hint}")))
}

fn is_list(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(!value.is_instance_of::<PyString>() && value.hasattr("__len__")? && value.len().is_ok())
}

fn is_board(list: &Bound<'_, PyAny>) -> PyResult<bool> {
    match list.try_iter()?.next().transpose()? {
        Some(first) => is_list(&first),
        None => Ok(false),
    }
}

/// The position of a `Position`, a text, a list of columns from 0, or a board of rows and columns.
///
/// form, first_column: like `read_positions`.
#[pyfunction]
#[pyo3(signature = (value, board = None, form = None, first_column = None))]
pub(crate) fn read_position(
    value: &Bound<'_, PyAny>,
    board: Option<&Bound<'_, PyAny>>,
    form: Option<&str>,
    first_column: Option<&Bound<'_, PyAny>>,
) -> PyResult<Position> {
    if let Ok(position) = value.cast::<Position>() {
        return Ok(position.get().clone());
    }
    let board = arguments::named_board(board)?;
    let first = first_column.map(|first| arguments::integer("first_column", first, 0..=1, "0 or 1"));
    let first = first.transpose()?;
    if let Ok(text) = value.cast::<PyString>() {
        let form = form.map_or(Ok(Form::Any), str::parse);
        let form = form.map_err(|fault: String| PyValueError::new_err(format!("form: {fault}")))?;
        return Position::read(board, &text.to_cow()?, form, first.unwrap_or(1) as u32);
    }
    if !is_list(value)? {
        return Err(no_position(value)?);
    }
    if is_board(value)? {
        return input::from_array(value, board).map(Position::without_moves);
    }
    let columns = arguments::columns(value)?.into_iter().map(|column| column - first.unwrap_or(0) as i64);
    Position::without_moves(Stones::empty(board)).after_all(columns)
}

/// The stones of many positions: a list or column of positions or boards, an array of boards, or one board. Errors name
/// the index.
pub(crate) fn all_stones_of(positions: &Bound<'_, PyAny>, board: Board) -> PyResult<Vec<Stones>> {
    if positions.is_instance_of::<PyString>() || positions.is_instance_of::<Position>() {
        let fault = format!("positions: {} is one position; expected a list of them", positions.repr()?);
        return Err(PyTypeError::new_err(fault));
    }
    let positions = input::contents(positions)?;
    if let Some(array) = input::number_array(&positions)? {
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if shape.len() != 1 || shape[0] == board.cells() as usize {
            return input::from_boards(&array, &shape, board);
        }
    }
    let Ok(iterator) = positions.try_iter() else {
        let expected = "expected a list of positions, or an array of boards";
        return Err(PyTypeError::new_err(format!("positions: {}: {expected}", positions.repr()?)));
    };
    let mut all = Vec::new();
    for (index, value) in iterator.enumerate() {
        let value = value?;
        let is_list = is_list(&value)?;
        if index == 0 && is_list && !is_board(&value)? {
            return Ok(vec![one_board(&positions, board)?]);
        }
        let read = if is_list { input::from_array(&value, board) } else { stones_of(&value, board) };
        let read = read.and_then(|stones| on_board(stones, board));
        all.push(read.map_err(|error| input::at_index(positions.py(), index, &error))?);
    }
    Ok(all)
}

fn one_board(rows: &Bound<'_, PyAny>, board: Board) -> PyResult<Stones> {
    input::from_array(rows, board).map_err(|error| {
        let hint = "a list of columns is a position by Position.from_moves";
        input::with_text(rows.py(), &error, format!("positions: {}; {hint}", error.value(rows.py())))
    })
}

pub(crate) fn on_board(stones: Stones, board: Board) -> PyResult<Stones> {
    let found = stones.geometry();
    if found == board {
        return Ok(stones);
    }
    Err(PyValueError::new_err(format!(
        "a position on {found}; this solver is for {board}: make one by Solver(board=\"{found}\")"
    )))
}
