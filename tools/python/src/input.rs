//! Boards from arrays and observations of Python packages.

use plumb::board::{Board, BoardSize, Geometry, Player};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PySlice, PyString};

use crate::Stones;

/// Number of boards that are converted at a time.
const CHUNK: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Row by row from the top.
    Rows,
    /// Column by column, each from the bottom.
    Columns,
}

#[derive(Default)]
struct Numbers {
    shape: Vec<usize>,
    values: Vec<f64>,
}

fn value_error(fault: impl Into<String>) -> PyErr {
    PyValueError::new_err(fault.into())
}

/// A `TypeError` or `ValueError` with another text.
pub(crate) fn with_text(py: Python<'_>, error: &PyErr, text: String) -> PyErr {
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(text)
    } else {
        PyValueError::new_err(text)
    }
}

fn indices(shape: &[usize], mut index: usize) -> String {
    let mut found = Vec::new();
    for &length in shape.iter().rev() {
        found.insert(0, index % length);
        index /= length;
    }
    format!("{found:?}")
}

/// Prints a shape as NumPy does: `(6, 7)`.
fn shown(shape: &[usize]) -> String {
    let lengths: Vec<_> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    format!("({}{comma})", lengths.join(", "))
}

/// Unpacks Arrow columns to lists, pandas and polars columns to arrays, and tensors to arrays.
pub(crate) fn contents<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if value.is_instance_of::<PyString>() {
        return Ok(value.clone());
    }
    if value.hasattr("to_pylist")? {
        return value.call_method0("to_pylist");
    }
    if value.hasattr("detach")? {
        return value.call_method0("detach")?.call_method0("cpu")?.call_method0("numpy");
    }
    if value.hasattr("to_numpy")? { value.call_method0("to_numpy") } else { Ok(value.clone()) }
}

/// The value as a NumPy array, if it is an array of numbers.
pub(crate) fn number_array<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !value.hasattr("dtype")? || !value.hasattr("shape")? {
        return Ok(None);
    }
    let array = value.py().import("numpy")?.call_method1("asarray", (value,))?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    match kind.as_str() {
        "b" | "i" | "u" | "f" => Ok(Some(array)),
        "c" => Err(PyTypeError::new_err(format!("an array of {dtype}; expected numbers"))),
        _ => Ok(None),
    }
}

impl Numbers {
    fn read(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let value = contents(value)?;
        if let Some(array) = number_array(&value)? {
            return Self::of_array(&array);
        }
        if value.is_instance_of::<PyString>() || !value.hasattr("__iter__")? {
            let expected = "expected an array or nested lists";
            return Err(PyTypeError::new_err(format!("{name}: {}; {expected}", value.repr()?)));
        }
        let mut numbers = Self::default();
        numbers.add(name, &value, &mut Vec::new())?;
        Ok(numbers)
    }

    fn of_array(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let numpy = array.py().import("numpy")?;
        let floats = numpy.call_method1("asarray", (array, "float64"))?.call_method0("tobytes")?;
        let (bytes, _) = floats.cast::<PyBytes>()?.as_bytes().as_chunks();
        let values = bytes.iter().map(|&bytes| f64::from_ne_bytes(bytes)).collect();
        Ok(Self { shape: array.getattr("shape")?.extract()?, values })
    }

    /// Appends a number, or the numbers of a nested sequence. `at` is the path of indices to `value`.
    fn add(&mut self, name: &str, value: &Bound<'_, PyAny>, at: &mut Vec<usize>) -> PyResult<()> {
        let depth = at.len();
        let is_text = value.is_instance_of::<PyString>();
        if depth > 0
            && !is_text
            && let Ok(number) = value.extract::<f64>()
        {
            if self.shape.len() != depth {
                return Err(value_error(format!("{name}: a number at {at:?}; expected a list")));
            }
            self.values.push(number);
            return Ok(());
        }
        let lists = if value.hasattr("tolist")? { value.call_method0("tolist")? } else { value.clone() };
        let items = lists.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>);
        let (false, Ok(items)) = (is_text, items) else {
            return Err(value_error(format!("{name}: cell {} at {at:?}; expected a number", value.repr()?)));
        };
        if self.shape.len() == depth && self.values.is_empty() {
            self.shape.push(items.len());
        }
        if self.shape.get(depth) != Some(&items.len()) {
            let expected = self.shape.get(depth).map_or("a number".to_owned(), usize::to_string);
            return Err(value_error(format!("{name}: {} items at {at:?}; expected {expected}", items.len())));
        }
        for (index, item) in items.iter().enumerate() {
            at.push(index);
            self.add(name, item, at)?;
            at.pop();
        }
        Ok(())
    }

    fn whole(&self, index: usize, least: i8, most: i8, expected: &str) -> PyResult<i8> {
        let number = self.values[index];
        if number.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(&number) {
            return Ok(number as i8);
        }
        let place = indices(&self.shape, index);
        Err(value_error(format!("cell {number} at {place}; expected {expected}")))
    }

    /// The position of the cells from index `start`: 0, 1 and 2, or 0, 1 and -1.
    fn stones(&self, start: usize, board: Board, order: Order) -> PyResult<Stones> {
        let BoardSize { width, height } = board.size();
        let (width, height) = (width as usize, height as usize);
        let cells = &self.values[start..start + width * height];
        let is_signed = cells.contains(&-1.0) && !cells.contains(&2.0);
        let mut owners = vec![None; width * height];
        for (index, owner) in owners.iter_mut().enumerate() {
            let (row, column) = (index / width, index % width);
            let from = if order == Order::Rows { index } else { column * height + height - 1 - row };
            let (least, most) = if is_signed { (-1, 1) } else { (0, 2) };
            let cell = self.whole(start + from, least, most, "0, 1 and 2, or 0, 1 and -1")?;
            *owner = match cell {
                0 => None,
                1 => Some(Player::First),
                _ => Some(Player::Second),
            };
        }
        // With one -1 more than 1, the cells with 1 belong to the side to move.
        let is_of_mover = is_signed && is_behind(&owners);
        from_owners(board, owners, is_of_mover)
    }

    /// The position of two planes of stones, on the last or the first axis. Plane 0 belongs to `player`, by
    /// default the side to move.
    fn planes(&self, name: &str, is_last: bool, player: Option<u64>) -> PyResult<Stones> {
        let ((&[height, width, 2], true) | (&[2, height, width], false)) = (&self.shape[..], is_last) else {
            let expected = if is_last { "(rows, columns, 2)" } else { "(2, rows, columns)" };
            let shape = shown(&self.shape);
            return Err(value_error(format!("{name}: an array of shape {shape}; expected {expected}")));
        };
        let board = board_of(height, width)?;
        let mut owners = vec![None; width * height];
        for (index, owner) in owners.iter_mut().enumerate() {
            let places = if is_last { [2 * index, 2 * index + 1] } else { [index, width * height + index] };
            let [own, other] =
                [self.whole(places[0], 0, 1, "0 or 1")?, self.whole(places[1], 0, 1, "0 or 1")?];
            *owner = match (own, other) {
                (0, 0) => None,
                (1, 0) => Some(Player::First),
                (0, 1) => Some(Player::Second),
                _ => {
                    let (row, column) = (index / width, index % width);
                    return Err(value_error(format!("row {row}, column {column}: a stone in both planes")));
                }
            };
        }
        let is_second = player.map_or_else(|| is_behind(&owners), |player| player == 2);
        from_owners(board, owners, is_second)
    }
}

fn board_of(height: usize, width: usize) -> PyResult<Board> {
    let size = BoardSize { width: width as u32, height: height as u32 };
    Board::new(size).map_err(|error| value_error(format!("{height} rows of {width} cells: {error}")))
}

fn is_behind(owners: &[Option<Player>]) -> bool {
    count(owners, Player::First) < count(owners, Player::Second)
}

fn count(owners: &[Option<Player>], player: Player) -> usize {
    owners.iter().filter(|&&owner| owner == Some(player)).count()
}

/// The position of cells, row by row from the top. `is_swapped` exchanges the players.
fn from_owners(board: Board, owners: Vec<Option<Player>>, is_swapped: bool) -> PyResult<Stones> {
    let players = owners.into_iter().map(|owner| match owner {
        Some(Player::First) if is_swapped => Some(Player::Second),
        Some(Player::Second) if is_swapped => Some(Player::First),
        owner => owner,
    });
    Stones::from_cells(board, players, None).map_err(value_error)
}

/// Checks that the shape is (rows, columns) after `axes` other axes. The error names the library that uses this
/// shape.
fn check_shape(name: &str, shape: &[usize], board: Board, axes: usize) -> PyResult<()> {
    let BoardSize { width, height } = board.size();
    let [width, height] = [width as usize, height as usize];
    if shape.len() == axes + 2 && shape[axes..] == [height, width] {
        return Ok(());
    }
    let cells = width * height;
    let hint = match *shape {
        [.., columns, rows] if [columns, rows] == [width, height] => {
            "; BitBully has columns from the bottom: Position.from_bitbully".to_owned()
        }
        [.., rows, columns, 2] if [rows, columns] == [height, width] => {
            "; PettingZoo and pgx have two planes: Position.from_pettingzoo, Position.from_pgx".to_owned()
        }
        [.., 2, rows, columns] if [rows, columns] == [height, width] => {
            "; Gymnasium's observations have two planes: Position.from_observation".to_owned()
        }
        [.., 3, rows, columns] if [rows, columns] == [height, width] => {
            "; OpenSpiel's observations have three planes: Position.from_openspiel reads the state".to_owned()
        }
        [.., flat] if flat == cells => format!(
            "; Kaggle has rows from the top: reshape((-1, {height}, {width})) or Position.from_kaggle; \
             PufferLib has columns from the bottom: Position.from_pufferlib"
        ),
        [.., rows, columns] if board_of(rows, columns).is_ok() => {
            format!("; boards of this size need board=\"{columns}x{rows}\"")
        }
        _ => String::new(),
    };
    let many = if axes == 1 { "(n, " } else { "(" };
    Err(value_error(format!(
        "{name}: an array of shape {}; expected {many}{height}, {width}){hint}",
        shown(shape)
    )))
}

/// The boards of an array of shape (n, rows, columns) or (rows, columns).
pub(crate) fn from_boards(array: &Bound<'_, PyAny>, shape: &[usize], board: Board) -> PyResult<Vec<Stones>> {
    if check_shape("positions", shape, board, 0).is_ok() {
        return Ok(vec![Numbers::of_array(array)?.stones(0, board, Order::Rows)?]);
    }
    check_shape("positions", shape, board, 1)?;
    let mut stones = Vec::with_capacity(shape[0]);
    let cells = board.cells() as usize;
    while stones.len() < shape[0] {
        let start = stones.len();
        let slice = PySlice::new(array.py(), start as isize, (start + CHUNK) as isize, 1);
        let mut chunk = Numbers::of_array(&array.get_item(slice)?)?;
        let count = chunk.shape[0];
        // Without the first axis, errors print the indices within one board.
        chunk.shape.remove(0);
        for index in 0..count {
            let read = chunk.stones(index * cells, board, Order::Rows);
            stones.push(read.map_err(|error| at_index(array.py(), start + index, &error))?);
        }
    }
    Ok(stones)
}

pub(crate) fn at_index(py: Python<'_>, index: usize, error: &PyErr) -> PyErr {
    with_text(py, error, format!("position at index {index}: {}", error.value(py)))
}

pub(crate) fn from_array(cells: &Bound<'_, PyAny>, board: Board) -> PyResult<Stones> {
    let numbers = Numbers::read("board", cells)?;
    check_shape("board", &numbers.shape, board, 0)?;
    numbers.stones(0, board, Order::Rows)
}

pub(crate) fn from_alpha_zero_general(state: &Bound<'_, PyAny>, board: Board) -> PyResult<Stones> {
    let pieces = state.getattr("np_pieces").unwrap_or_else(|_| state.clone());
    from_array(&pieces, board)
}

pub(crate) fn from_bitbully(state: &Bound<'_, PyAny>) -> PyResult<Stones> {
    let array = if state.hasattr("to_array")? { state.call_method0("to_array")? } else { state.clone() };
    by_columns(&array, &[7, 6])
}

pub(crate) fn from_pufferlib(observation: &Bound<'_, PyAny>) -> PyResult<Stones> {
    by_columns(observation, &[42])
}

/// The position of a 7x6 board, column by column from the bottom.
fn by_columns(value: &Bound<'_, PyAny>, expected: &[usize]) -> PyResult<Stones> {
    let numbers = Numbers::read("board", value)?;
    if numbers.shape != expected {
        let (shape, expected) = (shown(&numbers.shape), shown(expected));
        return Err(value_error(format!("board: an array of shape {shape}; expected {expected}")));
    }
    numbers.stones(0, Board::default(), Order::Columns)
}

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

pub(crate) fn from_symbols(text: &str) -> PyResult<Stones> {
    let lines: Vec<_> = text.trim().lines().map(str::trim).collect();
    let width = lines.first().map_or(0, |line| line.chars().count());
    let mut owners = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        for (column, symbol) in line.chars().enumerate() {
            owners.push(match symbol {
                '.' => None,
                'x' | 'X' => Some(Player::First),
                'o' | 'O' => Some(Player::Second),
                other => {
                    let fault = format!("row {row}, column {column}: `{other}`; expected `.`, `x` or `o`");
                    return Err(value_error(fault));
                }
            });
        }
        let count = line.chars().count();
        if count != width {
            return Err(value_error(format!("row {row}: {count} characters; expected {width}")));
        }
    }
    from_owners(board_of(lines.len(), width)?, owners, false)
}

fn entry<'py>(observation: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let entry = observation.getattr(name).or_else(|_| observation.get_item(name));
    entry.map_err(|_| value_error(format!("the observation has no `{name}`")))
}

/// The position of an observation of `PettingZoo` or `pgx`, or of a state of `pgx`.
pub(crate) fn from_last_planes(observation: &Bound<'_, PyAny>) -> PyResult<Stones> {
    let is_whole = observation.is_instance_of::<PyDict>() || observation.hasattr("observation")?;
    let planes = if is_whole { entry(observation, "observation")? } else { observation.clone() };
    Numbers::read("observation", &planes)?.planes("observation", true, None)
}

pub(crate) fn from_observation(observation: &Bound<'_, PyAny>, player: Option<u64>) -> PyResult<Stones> {
    Numbers::read("observation", observation)?.planes("observation", false, player)
}

pub(crate) fn from_kaggle(observation: &Bound<'_, PyAny>, board: Board) -> PyResult<Stones> {
    let numbers = Numbers::read("board", &entry(observation, "board")?)?;
    let cells = board.cells();
    if numbers.shape != [cells as usize] {
        let shape = shown(&numbers.shape);
        return Err(value_error(format!(
            "board: a list of shape {shape}; expected {cells} cells of {board}"
        )));
    }
    let stones = numbers.stones(0, board, Order::Rows)?;
    let mark = entry(observation, "mark")?;
    let turn = 1 + stones.plies() % 2;
    if mark.extract::<u32>().ok() != Some(turn) {
        let (mark, count) = (mark.repr()?, stones.plies());
        return Err(value_error(format!("mark {mark}; with {count} stones it is player {turn}'s turn")));
    }
    Ok(stones)
}
