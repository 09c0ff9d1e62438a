//! The Python class `Position`.

use std::collections::BTreeMap;

use plumb::board::{Board, BoardSize, Form, Geometry};
use plumb::search::StopFlag;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::{Stones, arguments};

mod methods;

/// Number of cells of the largest board.
const MAX_CELLS: usize = 124;

/// A position, with the moves that led to it.
///
/// text: "4455" are columns played from the empty board, counted from 1. Other forms: "4 4 5 5", "4,4,5,5", letters "ddee",
/// squares "P@d1 P@d2" or "d1 d2", a FEN, a diagram from `str`. The empty text is the empty board.
/// board: the size, such as "8x7" for 8 columns and 7 rows. At least 4 of each, and columns * (rows + 1) at most 128.
///
/// Positions do not change: `play` and `undo` return new positions. Positions are equal if boards and stones are equal,
/// whatever the moves before. Integers for columns count from 0 on the left. On more than 9 columns texts have letters.
///
/// Methods that read positions raise ValueError with the place and the reason, and TypeError for another
/// type.
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
    /// The columns played since `start`. Their number is the difference between the numbers of stones.
    moves: [u8; MAX_CELLS],
}

impl Position {
    pub(crate) fn without_moves(stones: Stones) -> Self {
        Self { stones, start: stones, moves: [0; MAX_CELLS] }
    }

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

    fn width(&self) -> u32 {
        self.stones.geometry().width()
    }

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
        let mut position = self;
        for (at, column) in columns.into_iter().enumerate() {
            position = position
                .played(column)
                .map_err(|fault| PyValueError::new_err(format!("move {column} at index {at}: {fault}")))?;
        }
        Ok(position)
    }

    /// All positions with `plies` stones that can follow this position. Incomplete after a stop.
    fn layer(&self, plies: u32, stop: &StopFlag) -> Vec<Self> {
        let mut layer = vec![self.clone()];
        for _ in self.stones.plies()..plies {
            let mut next = BTreeMap::new();
            for position in &layer {
                if stop.is_stopped() {
                    break;
                }
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

    fn columns_to(&self, is_wanted: impl Fn(&Stones) -> bool) -> Vec<u32> {
        let mut columns = Vec::new();
        for column in self.stones.legal_columns() {
            if let Some(next) = self.stones.play(column)
                && is_wanted(&next)
            {
                columns.push(column);
            }
        }
        columns
    }
}
