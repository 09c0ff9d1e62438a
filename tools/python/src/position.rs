//! The class `Position`: its stones and moves, and the moves that it plays.

use std::collections::BTreeMap;

use plumb::board::{Board, BoardSize, Form, Geometry};
use plumb::search::StopFlag;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::{Stones, arguments};

mod methods;

/// The most cells of a board: the greatest number of moves.
const MAX_CELLS: usize = 124;

/// A position, with the moves that led to it.
///
/// board: the size, as "8x7" for 8 columns and 7 rows; at least 4 of each, and columns * (rows + 1) at most 128.
///
/// Positions do not change: `play` and `undo` return new ones. Two positions are equal if they have the same board and
/// stones, whatever the moves before. Columns count from 0 on the left; in text they count from 1, and a board of more than 9
/// columns has letters from a in their place.
///
/// Position("4455") is the position after these columns from the empty board, Position() the empty board. Other forms of the
/// same: "4 4 5 5", "4,4,5,5", column letters "ddee", moves "P@d1 P@d2 P@e1 P@e2" or "d1 d2 e1 e2", a FEN, a diagram as `str`
/// prints it.
/// Raises ValueError with the token, its place and the reason if the text is no position or a move is illegal, or if there is
/// no such board.
///
/// >>> position = Position("445")
/// >>> position.moves, position.turn, position.legal_moves
/// ((3, 3, 4), 2, [0, 1, 2, 3, 4, 5, 6])
/// >>> Position("111222") == Position("112122")
/// False
#[pyclass(frozen, module = "plumb_engine", from_py_object)]
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) stones: Stones,
    start: Stones,
    /// The columns played from `start`, of which there are as many as it has fewer stones.
    moves: [u8; MAX_CELLS],
}

impl Position {
    /// The position without moves before it.
    pub(crate) fn without_moves(stones: Stones) -> Self {
        Self { stones, start: stones, moves: [0; MAX_CELLS] }
    }

    /// The position of a text, with its moves if the text has them.
    pub(crate) fn read(board: Board, text: &str, form: Form, first_column: u32) -> PyResult<Self> {
        let read = arguments::read(board, text, form, first_column)?;
        let Some(columns) = read.columns else { return Ok(Self::without_moves(read.position)) };
        Self::without_moves(Stones::empty(board)).after_all(columns.into_iter().map(i64::from))
    }

    fn of_fen(fen: &str) -> PyResult<Self> {
        let board = BoardSize::of_fen(fen).and_then(|size| Board::new(size).ok()).unwrap_or_default();
        let stones = Stones::from_fen_on(board, fen);
        Ok(Self::without_moves(stones.map_err(|error| PyValueError::new_err(error.to_string()))?))
    }

    /// The number of columns.
    fn width(&self) -> u32 {
        self.stones.geometry().width()
    }

    /// A move by a number of Python.
    fn played(&self, column: i64) -> Result<Self, String> {
        let last = self.width() - 1;
        let column = u32::try_from(column)
            .map_err(|_| format!("there is no column {column} (columns 0 to {last})"))?;
        self.after(column).map_err(|error| error.describe(arguments::NUMBERS))
    }

    fn history(&self) -> &[u8] {
        &self.moves[..(self.stones.plies() - self.start.plies()) as usize]
    }

    fn after(&self, column: u32) -> Result<Self, plumb::board::MoveError> {
        let stones = self.stones.try_play(column)?;
        let mut next = Self { stones, ..self.clone() };
        next.moves[self.history().len()] = column as u8;
        Ok(next)
    }

    pub(crate) fn after_all(self, columns: impl IntoIterator<Item = i64>) -> PyResult<Self> {
        columns.into_iter().enumerate().try_fold(self, |position, (at, column)| {
            let fault = |fault| PyValueError::new_err(format!("move {column} at index {at}: {fault}"));
            position.played(column).map_err(fault)
        })
    }

    /// All different positions with so many stones after this position; fewer if the flag stops it.
    fn layer(&self, plies: u32, stop: &StopFlag) -> Vec<Self> {
        let mut layer = vec![self.clone()];
        for _ in self.stones.plies()..plies {
            let mut next = BTreeMap::new();
            for position in layer.iter().take_while(|_| !stop.is_stopped()) {
                for column in position.stones.legal_columns() {
                    if let Ok(after) = position.after(column) {
                        next.entry(after.stones.key()).or_insert(after);
                    }
                }
            }
            layer = next.into_values().collect();
        }
        layer
    }

    /// The columns, ascending, of the moves to positions of this kind.
    fn columns_to(&self, is_wanted: impl Fn(&Stones) -> bool) -> Vec<u32> {
        let leads = |&column: &u32| self.stones.play(column).is_some_and(|next| is_wanted(&next));
        self.stones.legal_columns().filter(leads).collect()
    }
}
