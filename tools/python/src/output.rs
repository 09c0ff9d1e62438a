//! Boards in the forms of other packages.

use plumb::board::{Geometry, Player};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::Stones;

/// The number of a player: 1 or 2.
pub(crate) fn number(player: Player) -> u8 {
    1 + u8::from(player == Player::Second)
}

/// The owner of a cell, 0 for none; `u8` would become bytes in Python. Rows count from the bottom.
fn owner(stones: &Stones, column: u32, row: u32) -> i8 {
    stones.owner(stones.geometry().cell(column, row)).map_or(0, |player| number(player) as i8)
}

/// The owners of the cells, row by row from the top.
pub(crate) fn rows(stones: &Stones) -> Vec<Vec<i8>> {
    let (width, height) = (stones.geometry().width(), stones.geometry().height());
    let row = |row| (0..width).map(|column| owner(stones, column, row)).collect();
    (0..height).rev().map(row).collect()
}

/// The owners of the cells, column by column from the bottom.
pub(crate) fn columns(stones: &Stones) -> Vec<Vec<i8>> {
    let (width, height) = (stones.geometry().width(), stones.geometry().height());
    let column = |column| (0..height).map(|row| owner(stones, column, row)).collect();
    (0..width).map(column).collect()
}

/// The owners as 0, 1 for a stone of `player`, and -1 for a stone of the other player.
pub(crate) fn signed(owners: Vec<Vec<i8>>, player: i8) -> Vec<Vec<i8>> {
    let sign = |owner| {
        if owner == 0 {
            0
        } else if owner == player {
            1
        } else {
            -1
        }
    };
    owners.into_iter().map(|line| line.into_iter().map(sign).collect()).collect()
}

/// An array of NumPy.
pub(crate) fn array<'py>(
    py: Python<'py>,
    values: impl IntoPyObject<'py>,
    dtype: &str,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1("array", (values.into_bound_py_any(py)?, dtype))
}

/// The stones of the player to move and of the other player, as an array of shape (rows, columns, 2).
pub(crate) fn last_planes<'py>(py: Python<'py>, stones: &Stones, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    let own = number(stones.side_to_move()) as i8;
    let planes = |owner: i8| [i8::from(owner == own), i8::from(owner == 3 - own)];
    let rows: Vec<Vec<_>> =
        rows(stones).into_iter().map(|row| row.into_iter().map(planes).collect()).collect();
    array(py, rows, dtype)
}
