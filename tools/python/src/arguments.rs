//! Reads the arguments of Python calls. Errors name the argument.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::RangeInclusive;

use plumb::board::{Board, ColumnNotation, Form, Geometry, PositionReader, ReadPosition, Remedies};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString, PyTuple};

use crate::input;

pub(crate) const NUMBERS: ColumnNotation = ColumnNotation::Numbers { first: 0 };

/// Reads a position from text, or from a diagram as `str(position)` prints it.
pub(crate) fn read(board: Board, text: &str, form: Form, first_column: u32) -> PyResult<ReadPosition<Board>> {
    if text.contains('|') {
        let rows = text.lines().filter_map(|line| line.split_once('|'));
        let rows: Vec<_> = rows.map(|(_, row)| row.replace(' ', "")).collect();
        return Ok(ReadPosition { position: input::from_symbols(&rows.join("\n"))?, columns: None });
    }
    let remedies = Remedies {
        first_column: "Position.from_digits(text, first_column=0) takes columns from 0",
        board: "Position.from_fen takes any board",
    };
    let reader = PositionReader { remedies, form, first_column, ..PositionReader::new(board) };
    reader.read(text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An argument that may be missing, but may not be None.
#[derive(Default)]
pub(crate) struct Given<'py>(pub(crate) Option<Bound<'py, PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = Infallible;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(value.to_owned())))
    }
}

pub(crate) fn text<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    match value.cast::<PyString>() {
        Ok(text) => text.to_cow(),
        Err(_) => Err(PyTypeError::new_err(format!("{name}={}; expected a str", value.repr()?))),
    }
}

/// An argument that is an integer of Python or NumPy. `expected` describes the range in `TypeError` and
/// `ValueError`.
pub(crate) fn integer(
    name: &str,
    value: &Bound<'_, PyAny>,
    range: RangeInclusive<u64>,
    expected: &str,
) -> PyResult<u64> {
    let given = value.repr()?;
    match value.extract::<i128>() {
        Ok(number) => u64::try_from(number).ok().filter(|number| range.contains(number)),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            return Err(PyTypeError::new_err(format!("{name}={given}; expected an integer, {expected}")));
        }
        Err(_) => None,
    }
    .ok_or_else(|| PyValueError::new_err(format!("{name}={given}; expected {expected}")))
}

/// A random column by the method `choice` of `rng`, or by the module `random`.
pub(crate) fn choice(py: Python<'_>, rng: Option<&Bound<'_, PyAny>>, columns: &[u32]) -> PyResult<i64> {
    let rng = match rng {
        Some(rng) => rng.clone(),
        None => py.import("random")?.into_any(),
    };
    if !rng.hasattr("choice")? {
        let fault = format!("rng={}; expected a generator with the method `choice`", rng.repr()?);
        return Err(PyTypeError::new_err(fault));
    }
    column(&rng.call_method1("choice", (columns.to_vec(),))?)
}

/// The column of a move, from 0: an integer, also of NumPy, or an array or tensor with one element.
///
/// Raises TypeError for another value, such as a bool or a float, and ValueError for more than 64 bits.
#[pyfunction]
#[pyo3(name = "column_of")]
pub(crate) fn column(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    let is_number = value.is_instance_of::<PyInt>() || !value.hasattr("item")?;
    let plain = if is_number { None } else { value.call_method0("item").ok() };
    let plain = plain.as_ref().unwrap_or(value);
    let is_whole = !plain.is_instance_of::<PyBool>() && !plain.is_instance_of::<PyFloat>();
    match plain.extract() {
        Ok(column) if is_whole => Ok(column),
        Err(error) if is_whole && !error.is_instance_of::<PyTypeError>(value.py()) => {
            Err(PyValueError::new_err(format!("{}: there is no such column", value.repr()?)))
        }
        _ => {
            let hint = if value.is_instance_of::<PyTuple>() {
                "; `predict` of Stable-Baselines3 returns (action, state), of which the first is the move"
            } else {
                ""
            };
            let given = value.repr()?;
            Err(PyTypeError::new_err(format!("{given}: expected a column, an integer from 0{hint}")))
        }
    }
}

pub(crate) fn columns(columns: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let expected = "expected integers, columns from 0";
    if columns.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("a string; {expected} (Position reads text)")));
    }
    let items = columns.try_iter();
    let items = items.map_err(|_| PyTypeError::new_err(format!("no sequence of moves; {expected}")))?;
    let mut columns = Vec::new();
    for (at, item) in items.enumerate() {
        let item = item?;
        match column(&item) {
            Ok(column) => columns.push(column),
            Err(error) => {
                let fault = format!("move {} at index {at}; {expected}", item.repr()?);
                return Err(input::with_text(item.py(), &error, fault));
            }
        }
    }
    Ok(columns)
}

pub(crate) fn plies_of(value: &Bound<'_, PyAny>, least: u32, board: Board) -> PyResult<u32> {
    let range = u64::from(least)..=u64::from(board.cells());
    let expected = format!("{least} to {}", board.cells());
    integer("plies", value, range, &expected).map(|plies| plies as u32)
}

pub(crate) fn named_board(size: Option<&Bound<'_, PyAny>>) -> PyResult<Board> {
    let Some(size) = size else { return Ok(Board::default()) };
    let size = text("board", size)?;
    size.parse().map_err(|error| PyValueError::new_err(format!("board=\"{size}\": {error}")))
}

/// The argument `board` as text for `repr`: `, board="8x7"`. Empty for 7x6.
pub(crate) fn board_argument(board: Board) -> String {
    if board == Board::default() { String::new() } else { format!(", board=\"{board}\"") }
}
