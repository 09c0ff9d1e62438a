//! The class `Position`.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use plumb::board::{Geometry, Outcome, Player, Standard, StaticGeometry};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::{Board, input};

/// A function and its arguments that restore a position, as `pickle` wants them.
type Reduced<'py> = (Bound<'py, PyAny>, (Option<String>, Vec<u32>));

/// Cells of the board: the greatest number of moves.
const CELLS: usize = Standard::CELLS as usize;

/// A position on the board of 7 columns and 6 rows, with the moves that led to it. No other board: for engines that play on
/// others there is plumb_engine.engine.BoardPosition.
///
/// Positions do not change: `play` and `undo` return new ones. Two positions are equal if they have the same stones,
/// whatever the moves before. Columns count from 0 on the left; in text they count from 1.
///
/// Position("4455") is the position after these columns from the empty board, Position() the empty board. Other forms of the
/// same: "4 4 5 5", "4,4,5,5", column letters "ddee", moves "P@d1 P@d2 P@e1 P@e2" or "d1 d2 e1 e2", a FEN.
/// Raises ValueError with the token, its place and the reason if the text is no position or a move is illegal.
#[pyclass(frozen, module = "plumb_engine", from_py_object)]
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) board: Board,
    start: Board,
    /// The columns played from `start`, of which there are as many as it has fewer stones.
    moves: [u8; CELLS],
}

impl Position {
    /// The position without moves before it.
    pub(crate) fn without_moves(board: Board) -> Self {
        Self { board, start: board, moves: [0; CELLS] }
    }

    fn history(&self) -> &[u8] {
        &self.moves[..(self.board.plies() - self.start.plies()) as usize]
    }

    fn after(&self, column: u32) -> Result<Self, plumb::board::MoveError> {
        let board = self.board.try_play(column)?;
        let mut next = Self { board, ..self.clone() };
        next.moves[self.history().len()] = column as u8;
        Ok(next)
    }

    fn after_all(mut self, columns: &[i64]) -> PyResult<Self> {
        for (at, &column) in columns.iter().enumerate() {
            let next =
                u32::try_from(column).map_err(|_| format!("there is no column {column} (columns 0 to 6)"));
            let next =
                next.and_then(|column| self.after(column).map_err(|error| error.describe(input::NUMBERS)));
            self =
                next.map_err(|fault| PyValueError::new_err(format!("move {column} at index {at}: {fault}")))?;
        }
        Ok(self)
    }

    fn digits_of(&self) -> Option<String> {
        (self.start.plies() == 0)
            .then(|| self.history().iter().map(|&column| char::from(b'1' + column)).collect())
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text = ""))]
    pub(crate) fn new(text: &str) -> PyResult<Self> {
        let read = input::read(text)?;
        let Some(columns) = read.columns else { return Ok(Self::without_moves(read.position)) };
        let columns: Vec<_> = columns.into_iter().map(i64::from).collect();
        Self::without_moves(Board::new()).after_all(&columns)
    }

    /// The position after `columns`, counted from 0, played from the empty board: a list, a NumPy array or another iterable.
    ///
    /// Raises ValueError with the first illegal move, its index and the reason, TypeError for what is no integer.
    #[staticmethod]
    fn from_moves(columns: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::without_moves(Board::new()).after_all(&input::columns(columns)?)
    }

    /// The position of a FEN as Fairy-Stockfish and Plumb print it, or in the dialects that Plumb reads.
    ///
    /// Raises ValueError with the token, its place and the reason, or with the size if the FEN is of another board.
    #[staticmethod]
    fn from_fen(fen: &str) -> PyResult<Self> {
        if fen.contains('/') {
            return Self::new(fen);
        }
        let board = Board::from_fen(fen).map_err(|error| PyValueError::new_err(error.to_string()));
        Ok(Self::without_moves(board?))
    }

    /// The position of a board of 6 rows of 7 cells, the top row first: a NumPy array or nested sequences. A cell is 0
    /// (empty), 1 (first player) or 2 (second player). The number of stones tells who is to move.
    ///
    /// Raises ValueError with the row, the column and the reason if the board has another shape, other cells, floating
    /// stones, or numbers of stones that do not come about in turns.
    #[staticmethod]
    fn from_array(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        input::from_array(board).map(Self::without_moves)
    }

    /// The position of an OpenSpiel state of connect_four (`pyspiel.State`, with its moves) or of its text (`str(state)`:
    /// six lines, the top row first, `x` the first player, `o` the second, `.` an empty cell).
    ///
    /// Raises ValueError for another game, board size or text, TypeError for anything else.
    #[staticmethod]
    fn from_openspiel(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = state.cast::<PyString>() {
            return input::from_openspiel_text(&text.to_cow()?).map(Self::without_moves);
        }
        if !state.hasattr("get_game")? {
            let name = state.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a state is a pyspiel.State or its text, not {name}")));
        }
        input::check_openspiel_game(&state.call_method0("get_game")?)?;
        let board = input::from_openspiel_text(&state.str()?.to_cow()?)?;
        // A state need not begin with the empty board; then its moves lead to another one.
        let played = Self::from_moves(&state.call_method0("history")?);
        Ok(played
            .ok()
            .filter(|position| position.board == board)
            .unwrap_or_else(|| Self::without_moves(board)))
    }

    /// The position of a PettingZoo observation of connect_four_v3: the dictionary with key "observation", or its array of
    /// 6 rows, 7 columns and 2 planes, the top row first; plane 0 has the stones of the player to move.
    ///
    /// Raises ValueError with the place and the reason if it is no such position.
    #[staticmethod]
    fn from_pettingzoo(observation: &Bound<'_, PyAny>) -> PyResult<Self> {
        input::from_pettingzoo(observation).map(Self::without_moves)
    }

    /// The position of a Kaggle ConnectX observation: an object or dictionary with `board`, a list of 42 cells from the top
    /// left on, and `mark`, the player to move.
    ///
    /// Raises ValueError with the place and the reason if it is no such position or another board size.
    #[staticmethod]
    fn from_kaggle(observation: &Bound<'_, PyAny>) -> PyResult<Self> {
        input::from_kaggle(observation).map(Self::without_moves)
    }

    #[staticmethod]
    fn _restore(start: Option<&str>, columns: Vec<i64>) -> PyResult<Self> {
        start.map_or_else(|| Ok(Self::without_moves(Board::new())), Self::from_fen)?.after_all(&columns)
    }

    /// The position after a stone in `column`, 0 to 6.
    ///
    /// Raises ValueError if there is no such column, it is full, or the game is over.
    fn play(&self, column: i64) -> PyResult<Self> {
        let next = u32::try_from(column).map_err(|_| format!("there is no column {column} (columns 0 to 6)"));
        let next = next.and_then(|column| self.after(column).map_err(|error| error.describe(input::NUMBERS)));
        next.map_err(|fault| PyValueError::new_err(format!("move {column}: {fault}")))
    }

    /// The position before the last move.
    ///
    /// Raises IndexError if no move is known: on the empty board, and on a board that was read without its moves.
    fn undo(&self) -> PyResult<Self> {
        let Some((_, before)) = self.history().split_last() else {
            return Err(PyIndexError::new_err("there is no move to take back"));
        };
        let columns: Vec<_> = before.iter().map(|&column| i64::from(column)).collect();
        Self::without_moves(self.start).after_all(&columns)
    }

    /// The columns played, counted from 0, since `start`.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.history())
    }

    /// The FEN of the position from which `moves` were played; None for the empty board.
    #[getter]
    fn start(&self) -> Option<String> {
        (self.start.plies() > 0).then(|| self.start.fen())
    }

    /// The columns played from the empty board as digits from 1; None if they are not known.
    #[getter]
    fn digits(&self) -> Option<String> {
        self.digits_of()
    }

    /// The FEN, in the form of Fairy-Stockfish.
    fn fen(&self) -> String {
        self.board.fen()
    }

    /// The player to move: 1 (the first) or 2. After the end of the game, the one who would be.
    #[getter]
    fn turn(&self) -> u8 {
        number(self.board.side_to_move())
    }

    /// Number of stones on the board, 0 to 42.
    #[getter]
    fn plies(&self) -> u32 {
        self.board.plies()
    }

    /// The columns that can be played, ascending; empty if the game is over.
    #[getter]
    fn legal_moves(&self) -> Vec<u32> {
        self.board.legal_columns().collect()
    }

    /// The result: None while the game goes on, 0 for a draw, else the winner, 1 or 2.
    #[getter]
    fn result(&self) -> Option<u8> {
        self.board.outcome().map(|outcome| match outcome {
            Outcome::Win(winner) => number(winner),
            Outcome::Draw => 0,
        })
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.board.outcome().is_some()
    }

    /// The cells of the winning lines as (row, column), row 0 at the top; four or more of them, ascending. None if nobody
    /// has won.
    #[getter]
    fn winning_line(&self) -> Option<Vec<(u32, u32)>> {
        let Some(Outcome::Win(winner)) = self.board.outcome() else { return None };
        let has = |row: i64, column: i64| {
            (0..6).contains(&row)
                && (0..7).contains(&column)
                && self.owner(row as u32, column as u32) == number(winner)
        };
        let mut cells = Vec::new();
        for (row, column) in (0..6).flat_map(|row| (0..7).map(move |column| (row, column))) {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                if (0..4).all(|step| has(row + step * down, column + step * right)) {
                    cells.extend(
                        (0..4).map(|step| ((row + step * down) as u32, (column + step * right) as u32)),
                    );
                }
            }
        }
        cells.sort_unstable();
        cells.dedup();
        Some(cells)
    }

    /// The mirror image, left and right exchanged; its moves are mirrored as well.
    fn mirror(&self) -> Self {
        let mut moves = self.moves;
        for column in &mut moves[..self.history().len()] {
            *column = Standard::WIDTH as u8 - 1 - *column;
        }
        Self { board: self.board.mirrored(), start: self.start.mirrored(), moves }
    }

    /// The board as 6 lists of 7 cells, the top row first: 0 empty, 1 first player, 2 second player.
    fn to_array(&self) -> Vec<Vec<u32>> {
        (0..6).map(|row| (0..7).map(|column| u32::from(self.owner(row, column))).collect()).collect()
    }

    /// A drawing of the board, to be shown in a notebook, with `scores` under the columns if given: a sequence of seven
    /// numbers or None, or True for the exact scores. The drawing's `svg` is its text.
    #[pyo3(signature = (scores = None))]
    fn draw<'py>(slf: &Bound<'py, Self>, scores: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plumb_engine.drawing")?.getattr("draw")?.call1((slf, scores))
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::draw(slf, None)?.getattr("svg")
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::draw(slf, None)?.call_method0("_repr_html_")
    }

    fn __str__(&self) -> String {
        self.board.diagram().to_string()
    }

    fn __repr__(&self) -> String {
        if let Some(digits) = self.digits_of() {
            return format!("Position(\"{digits}\")");
        }
        let mut text = format!("Position.from_fen(\"{}\")", self.start.fen());
        for column in self.history() {
            let _ = write!(text, ".play({column})");
        }
        text
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().board == self.board)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.board.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let position = slf.get();
        Ok((
            slf.get_type().getattr("_restore")?,
            (position.start(), position.history().iter().map(|&column| u32::from(column)).collect()),
        ))
    }

    fn __bool__(&self) -> bool {
        true
    }
}

impl Position {
    /// The player who has the cell, `row` counted from the top: 0 if it is empty.
    fn owner(&self, row: u32, column: u32) -> u8 {
        self.board.owner(Standard::default().cell(column, Standard::HEIGHT - 1 - row)).map_or(0, number)
    }
}

/// The number of a player: 1 or 2.
fn number(player: Player) -> u8 {
    match player {
        Player::First => 1,
        Player::Second => 2,
    }
}

/// The position that a function takes: a `Position`, or its text.
pub(crate) fn board_of(value: &Bound<'_, PyAny>) -> PyResult<Board> {
    if let Ok(position) = value.cast::<Position>() {
        return Ok(position.get().board);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return input::read(&text.to_cow()?).map(|read| read.position);
    }
    let name = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("a position is a Position or its text, not {name}")))
}

/// The positions of a list, or of the bytes of their cells, 42 each, the top row first.
pub(crate) fn boards_of(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Board>> {
    let at = |index: usize, error: PyErr| {
        let fault = format!("position at index {index}: {}", error.value(positions.py()));
        if error.is_instance_of::<PyTypeError>(positions.py()) {
            PyTypeError::new_err(fault)
        } else {
            PyValueError::new_err(fault)
        }
    };
    if let Ok(bytes) = positions.cast::<PyBytes>() {
        let boards = bytes.as_bytes().chunks(CELLS).enumerate();
        return boards
            .map(|(index, cells)| {
                input::from_bytes(cells).map_err(|fault| at(index, PyValueError::new_err(fault)))
            })
            .collect();
    }
    let positions = positions.try_iter()?.enumerate();
    positions.map(|(index, position)| board_of(&position?).map_err(|error| at(index, error))).collect()
}
