//! Boards from the arrays and observations of Python packages.

use plumb::board::{ColumnNotation, PositionReader, ReadPosition, Remedies, Standard, StaticGeometry};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::Board;

const ROWS: usize = Standard::HEIGHT as usize;
const COLUMNS: usize = Standard::WIDTH as usize;

/// The owner of each cell, 0 for none, the top row first.
pub(crate) type Cells = [[u8; COLUMNS]; ROWS];

/// The numbers of columns in Python.
pub(crate) const NUMBERS: ColumnNotation = ColumnNotation::Numbers { first: 0 };

/// Reads a position from text in any form.
///
/// # Errors
/// `ValueError` with the token, its place and the reason.
pub(crate) fn read(text: &str) -> PyResult<ReadPosition<Standard>> {
    let remedies = Remedies {
        first_column: "Position.from_moves takes columns from 0",
        board: "plumb_engine.engine.BoardPosition.from_fen takes any board",
    };
    let reader = PositionReader { remedies, ..PositionReader::new(Standard::default()) };
    reader.read(text).map_err(|error| value_error(error.to_string()))
}

/// The columns of a list or another iterable of integers.
///
/// # Errors
/// `TypeError` with the index of what is no integer.
pub(crate) fn columns(columns: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let expected = "expected integers, columns from 0";
    if columns.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("a string; {expected} (Position reads text)")));
    }
    let items = columns.try_iter();
    let items = items.map_err(|_| PyTypeError::new_err(format!("no sequence of moves; {expected}")))?;
    let column = |(at, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        let item = item?;
        let text = item.repr()?;
        item.extract().map_err(|error: PyErr| {
            let fault = format!("move {text} at index {at}; {expected}");
            if error.is_instance_of::<PyTypeError>(item.py()) {
                PyTypeError::new_err(fault)
            } else {
                // A number of more than 64 bits.
                value_error(fault)
            }
        })
    };
    items.enumerate().map(column).collect()
}

/// The position with these cells.
///
/// # Errors
/// With the row and column of a stone that floats; if the numbers of stones do not come about in turns; if both players
/// have four in a line, or the player to move.
pub(crate) fn board_from_cells(cells: &Cells) -> Result<Board, String> {
    for (row, pair) in cells.windows(2).enumerate() {
        if let Some(column) = (0..COLUMNS).find(|&column| pair[0][column] != 0 && pair[1][column] == 0) {
            return Err(format!(
                "row {row}, column {column}: the stone floats, as the cell below it is empty"
            ));
        }
    }
    let count = |player| cells.iter().flatten().filter(|&&cell| cell == player).count();
    let (first, second) = (count(1), count(2));
    if first != second && first != second + 1 {
        return Err(format!(
            "{first} stones of player 1 and {second} of player 2; expected as many, or one more of player 1"
        ));
    }
    let rows = cells
        .iter()
        .map(|row| row.iter().map(|&cell| [".", "P", "p"][usize::from(cell)]).collect::<String>());
    let text = rows.map(|row| empty_runs(&row)).collect::<Vec<_>>().join("/");
    let side = if first == second { "w" } else { "b" };
    Board::from_fen(&format!("{text} {side}")).map_err(|error| error.fault.to_string())
}

/// A row of a FEN, whose runs of empty cells are numbers.
fn empty_runs(row: &str) -> String {
    (1..=COLUMNS)
        .rev()
        .fold(row.to_owned(), |row, length| row.replace(&".".repeat(length), &length.to_string()))
}

fn value_error(fault: impl Into<String>) -> PyErr {
    PyValueError::new_err(fault.into())
}

/// A NumPy array as nested lists, which are faster to read one by one; other sequences as they are.
fn as_lists<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if array.hasattr("tolist")? { array.call_method0("tolist") } else { Ok(array.clone()) }
}

/// The items of a sequence, of which there must be `count`.
fn items<'py>(
    sequence: &Bound<'py, PyAny>,
    count: usize,
    place: &str,
    item: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let items = sequence.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>);
    let items =
        items.map_err(|_| PyTypeError::new_err(format!("{place}: expected a sequence of {count} {item}")))?;
    if items.len() == count {
        return Ok(items);
    }
    let hint = if item == "planes" { "" } else { ", as Position has 7 columns and 6 rows" };
    Err(value_error(format!("{place}: {} {item}; expected {count}{hint}", items.len())))
}

/// A cell as a number from 0 to `most`; floating-point numbers count if they are whole.
fn cell(value: &Bound<'_, PyAny>, most: u8, place: impl Fn() -> String) -> PyResult<u8> {
    if let Some(number) = value.extract::<f64>().ok().filter(|number| number.fract() == 0.0)
        && (0.0..=f64::from(most)).contains(&number)
    {
        return Ok(number as u8);
    }
    let expected = if most == 1 { "0 or 1" } else { "0, 1 or 2" };
    Err(value_error(format!("{}: cell {}; expected {expected}", place(), value.repr()?)))
}

/// The position of 42 bytes, the top row first.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Board, String> {
    let mut cells = Cells::default();
    for (at, &byte) in bytes.iter().enumerate() {
        let (row, column) = (at / COLUMNS, at % COLUMNS);
        if byte > 2 {
            return Err(format!("row {row}, column {column}: cell {}; expected 0, 1 or 2", byte as i8));
        }
        cells[row][column] = byte;
    }
    board_from_cells(&cells)
}

pub(crate) fn from_array(board: &Bound<'_, PyAny>) -> PyResult<Board> {
    let mut cells = Cells::default();
    for (row, line) in items(&as_lists(board)?, ROWS, "board", "rows")?.iter().enumerate() {
        for (column, value) in items(line, COLUMNS, &format!("row {row}"), "cells")?.iter().enumerate() {
            cells[row][column] = cell(value, 2, || format!("row {row}, column {column}"))?;
        }
    }
    board_from_cells(&cells).map_err(value_error)
}

/// Checks that a game of `OpenSpiel` is `connect_four` on this board.
pub(crate) fn check_openspiel_game(game: &Bound<'_, PyAny>) -> PyResult<()> {
    let name: String = game.call_method0("get_type")?.getattr("short_name")?.extract()?;
    if name != "connect_four" {
        return Err(value_error(format!("a state of the game {name}; expected connect_four")));
    }
    let parameters = game.call_method0("get_parameters")?;
    for (name, expected) in [("columns", COLUMNS), ("rows", ROWS), ("x_in_row", 4)] {
        let given = parameters.call_method1("get", (name, expected))?;
        if given.extract::<usize>().ok() != Some(expected) {
            return Err(value_error(format!(
                "connect_four with {name}={given}; expected {expected}, as Position has 7 columns and 6 rows"
            )));
        }
    }
    Ok(())
}

pub(crate) fn from_openspiel_text(text: &str) -> PyResult<Board> {
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    if lines.len() != ROWS {
        return Err(value_error(format!("{} lines; expected {ROWS}", lines.len())));
    }
    let mut cells = Cells::default();
    for (row, line) in lines.iter().enumerate() {
        let count = line.chars().count();
        if count != COLUMNS {
            return Err(value_error(format!("row {row}: {count} characters; expected {COLUMNS}")));
        }
        for (column, letter) in line.chars().enumerate() {
            cells[row][column] = match letter {
                '.' => 0,
                'x' => 1,
                'o' => 2,
                other => {
                    return Err(value_error(format!(
                        "row {row}, column {column}: `{other}`; expected `.`, `x` or `o`"
                    )));
                }
            };
        }
    }
    board_from_cells(&cells).map_err(value_error)
}

pub(crate) fn from_pettingzoo(observation: &Bound<'_, PyAny>) -> PyResult<Board> {
    let planes = match observation.cast::<PyDict>() {
        Ok(dictionary) => dictionary
            .get_item("observation")?
            .ok_or_else(|| value_error("the dictionary has no key \"observation\""))?,
        Err(_) => observation.clone(),
    };
    // By plane: the stones of the player to move, then those of the other.
    let mut owners = Cells::default();
    for (row, line) in items(&as_lists(&planes)?, ROWS, "observation", "rows")?.iter().enumerate() {
        for (column, pair) in items(line, COLUMNS, &format!("row {row}"), "cells")?.iter().enumerate() {
            let place = format!("row {row}, column {column}");
            for (plane, value) in items(pair, 2, &place, "planes")?.iter().enumerate() {
                if cell(value, 1, || format!("{place}, plane {plane}"))? == 1 {
                    if owners[row][column] != 0 {
                        return Err(value_error(format!("{place}: a stone in both planes")));
                    }
                    owners[row][column] = plane as u8 + 1;
                }
            }
        }
    }
    let count = |plane| owners.iter().flatten().filter(|&&owner| owner == plane).count();
    if count(1) < count(2) {
        // The second player is to move.
        owners.iter_mut().flatten().filter(|owner| **owner != 0).for_each(|owner| *owner = 3 - *owner);
    }
    board_from_cells(&owners).map_err(value_error)
}

/// An entry of a dictionary, or attribute of an object.
fn entry<'py>(observation: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let entry = observation.getattr(name).or_else(|_| observation.get_item(name));
    entry.map_err(|_| value_error(format!("the observation has no `{name}`")))
}

pub(crate) fn from_kaggle(observation: &Bound<'_, PyAny>) -> PyResult<Board> {
    let flat = items(&as_lists(&entry(observation, "board")?)?, ROWS * COLUMNS, "board", "cells")?;
    let mut cells = Cells::default();
    for (at, value) in flat.iter().enumerate() {
        cells[at / COLUMNS][at % COLUMNS] = cell(value, 2, || format!("board, index {at}"))?;
    }
    let board = board_from_cells(&cells).map_err(value_error)?;
    let mark = entry(observation, "mark")?;
    let due = 1 + board.plies() % 2;
    if mark.extract::<u32>().ok() != Some(due) {
        let stones = board.plies();
        return Err(value_error(format!(
            "mark {}; with {stones} stones it is player {due}'s turn",
            mark.repr()?
        )));
    }
    Ok(board)
}
