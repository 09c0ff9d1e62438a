//! Boards from the arrays and observations of Python packages.

use plumb::board::{Board, BoardSize, Geometry, Player};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::Stones;

/// The owner of each cell, 0 for none, the top row first. All rows have the same length.
type Cells = Vec<Vec<u8>>;

/// The stones of these cells.
///
/// # Errors
/// If no board has this shape; those of [`Stones::from_cells`].
fn from_cells(cells: &[Vec<u8>]) -> Result<Stones, String> {
    let (rows, columns) = (cells.len(), cells.first().map_or(0, Vec::len));
    let size = BoardSize { width: columns as u32, height: rows as u32 };
    let board =
        Board::new(size).map_err(|error| format!("board: {rows} rows of {columns} cells: {error}"))?;
    let owner = |&cell: &u8| [None, Some(Player::First), Some(Player::Second)][usize::from(cell)];
    Stones::from_cells(board, cells.iter().flatten().map(owner), None)
}

/// The same; the error says so if the cells are a position by columns, as other libraries have them.
fn with_hint(cells: &[Vec<u8>]) -> Result<Stones, String> {
    from_cells(cells).map_err(|fault| {
        // Turned to the left: the last column, from the top, becomes the first row.
        let columns = (0..cells.first().map_or(0, Vec::len)).rev();
        let turned: Cells = columns.map(|column| cells.iter().map(|row| row[column]).collect()).collect();
        let hint = "; turned to the left, by numpy.rot90, it is a position";
        if from_cells(&turned).is_ok() { fault + hint } else { fault }
    })
}

fn value_error(fault: impl Into<String>) -> PyErr {
    PyValueError::new_err(fault.into())
}

/// A NumPy array as nested lists, which are faster to read one by one; other sequences as they are.
fn as_lists<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if array.hasattr("tolist")? { array.call_method0("tolist") } else { Ok(array.clone()) }
}

/// The items of a sequence, of which there must be `count` if that is given.
fn items<'py>(
    sequence: &Bound<'py, PyAny>,
    count: Option<usize>,
    place: &str,
    item: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let items = sequence.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>);
    let items = items.map_err(|_| PyTypeError::new_err(format!("{place}: expected a sequence of {item}")))?;
    match count {
        Some(count) if items.len() != count => {
            Err(value_error(format!("{place}: {} {item}; expected {count}", items.len())))
        }
        _ => Ok(items),
    }
}

/// The rows of a board, each with as many cells as the first.
fn cells<'py>(rows: &Bound<'py, PyAny>, place: &str) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
    let mut width = None;
    let rows = items(&as_lists(rows)?, None, place, "rows")?;
    let row = |(row, line): (usize, &Bound<'py, PyAny>)| {
        let cells = items(line, width, &format!("row {row}"), "cells")?;
        width = Some(cells.len());
        Ok(cells)
    };
    rows.iter().enumerate().map(row).collect()
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

/// The cells of a board as numbers from 0 to `most`; errors name a cell by its row and column, and `of_plane`.
fn numbers(rows: &Bound<'_, PyAny>, most: u8, place: &str, of_plane: &str) -> PyResult<Cells> {
    let mut numbers = Cells::new();
    for (row, line) in cells(rows, place)?.iter().enumerate() {
        let number = |(column, value)| cell(value, most, || format!("row {row}, column {column}{of_plane}"));
        numbers.push(line.iter().enumerate().map(number).collect::<PyResult<_>>()?);
    }
    Ok(numbers)
}

/// The stones of the cells of a board as bytes, the top row first.
pub(crate) fn from_bytes(board: Board, bytes: &[u8]) -> Result<Stones, String> {
    let rows: Cells = bytes.chunks(board.width() as usize).map(<[u8]>::to_vec).collect();
    for (row, cells) in rows.iter().enumerate() {
        if let Some(column) = cells.iter().position(|&cell| cell > 2) {
            let cell = cells[column] as i8;
            return Err(format!("row {row}, column {column}: cell {cell}; expected 0, 1 or 2"));
        }
    }
    with_hint(&rows)
}

pub(crate) fn from_array(board: &Bound<'_, PyAny>) -> PyResult<Stones> {
    with_hint(&numbers(board, 2, "board", "")?).map_err(value_error)
}

/// Checks that a game of `OpenSpiel` is `connect_four`, with lines of four.
pub(crate) fn check_openspiel_game(game: &Bound<'_, PyAny>) -> PyResult<()> {
    let name: String = game.call_method0("get_type")?.getattr("short_name")?.extract()?;
    if name != "connect_four" {
        return Err(value_error(format!("a state of the game {name}; expected connect_four")));
    }
    let line = game.call_method0("get_parameters")?.call_method1("get", ("x_in_row", 4))?;
    if line.extract::<usize>().ok() != Some(4) {
        return Err(value_error(format!("connect_four with x_in_row={line}; expected 4")));
    }
    Ok(())
}

pub(crate) fn from_openspiel_text(text: &str) -> PyResult<Stones> {
    let mut cells = Cells::new();
    for (row, line) in text.trim().lines().map(str::trim).enumerate() {
        let owner = |(column, letter)| match letter {
            '.' => Ok(0),
            'x' => Ok(1),
            'o' => Ok(2),
            other => {
                Err(value_error(format!("row {row}, column {column}: `{other}`; expected `.`, `x` or `o`")))
            }
        };
        let owners: Vec<u8> = line.chars().enumerate().map(owner).collect::<PyResult<_>>()?;
        let (count, expected) = (owners.len(), cells.first().map_or(owners.len(), Vec::len));
        if count != expected {
            return Err(value_error(format!("row {row}: {count} characters; expected {expected}")));
        }
        cells.push(owners);
    }
    from_cells(&cells).map_err(value_error)
}

pub(crate) fn from_pettingzoo(observation: &Bound<'_, PyAny>) -> PyResult<Stones> {
    let planes = match observation.cast::<PyDict>() {
        Ok(dictionary) => dictionary
            .get_item("observation")?
            .ok_or_else(|| value_error("the dictionary has no key \"observation\""))?,
        Err(_) => observation.clone(),
    };
    let [mut own, mut other] = [Cells::new(), Cells::new()];
    for (row, line) in cells(&planes, "observation")?.iter().enumerate() {
        own.push(Vec::new());
        other.push(Vec::new());
        for (column, pair) in line.iter().enumerate() {
            let place = format!("row {row}, column {column}");
            let pair = items(pair, Some(2), &place, "planes")?;
            let stone = |plane: usize| cell(&pair[plane], 1, || format!("{place}, plane {plane}"));
            own[row].push(stone(0)?);
            other[row].push(stone(1)?);
        }
    }
    from_planes(own, &other, None)
}

/// The stones of an observation of the environment: planes, rows, columns.
pub(crate) fn from_observation(observation: &Bound<'_, PyAny>, player: Option<u64>) -> PyResult<Stones> {
    let planes = items(&as_lists(observation)?, Some(2), "observation", "planes")?;
    let plane =
        |plane: usize| numbers(&planes[plane], 1, &format!("plane {plane}"), &format!(", plane {plane}"));
    let [own, other] = [plane(0)?, plane(1)?];
    if !own.iter().map(Vec::len).eq(other.iter().map(Vec::len)) {
        return Err(value_error("observation: the planes have different shapes"));
    }
    from_planes(own, &other, player)
}

/// The stones of planes, of which the first has those of `player`; `None` for the player to move.
fn from_planes(mut owners: Cells, other: &Cells, player: Option<u64>) -> PyResult<Stones> {
    for (row, line) in other.iter().enumerate() {
        for (column, _) in line.iter().enumerate().filter(|(_, stone)| **stone == 1) {
            if owners[row][column] != 0 {
                return Err(value_error(format!("row {row}, column {column}: a stone in both planes")));
            }
            owners[row][column] = 2;
        }
    }
    let count = |plane| owners.iter().flatten().filter(|&&owner| owner == plane).count();
    if player.map_or(count(1) < count(2), |player| player == 2) {
        owners.iter_mut().flatten().filter(|owner| **owner != 0).for_each(|owner| *owner = 3 - *owner);
    }
    from_cells(&owners).map_err(value_error)
}

/// An entry of a dictionary, or attribute of an object.
fn entry<'py>(observation: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let entry = observation.getattr(name).or_else(|_| observation.get_item(name));
    entry.map_err(|_| value_error(format!("the observation has no `{name}`")))
}

/// An observation tells the cells alone, not the shape of the board: that is 7x6, the usual one.
pub(crate) fn from_kaggle(observation: &Bound<'_, PyAny>) -> PyResult<Stones> {
    let BoardSize { width, height } = BoardSize::STANDARD;
    let count = (width * height) as usize;
    let flat = items(&as_lists(&entry(observation, "board")?)?, Some(count), "board", "cells")?;
    let owner = |(at, value)| cell(value, 2, || format!("board, index {at}"));
    let owners: Vec<u8> = flat.iter().enumerate().map(owner).collect::<PyResult<_>>()?;
    let rows: Cells = owners.chunks(width as usize).map(<[u8]>::to_vec).collect();
    let stones = from_cells(&rows).map_err(value_error)?;
    let mark = entry(observation, "mark")?;
    let due = 1 + stones.plies() % 2;
    if mark.extract::<u32>().ok() != Some(due) {
        let (mark, count) = (mark.repr()?, stones.plies());
        return Err(value_error(format!("mark {mark}; with {count} stones it is player {due}'s turn")));
    }
    Ok(stones)
}
