//! Converts positions to the board formats of other packages.

use plumb::board::{Geometry, Player};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::Stones;

/// The number of a player in Python: 1 or 2.
pub(crate) fn number(player: Player) -> u8 {
    1 + u8::from(player == Player::Second)
}

/// The number of the player on a cell, or 0. Rows count from the bottom. A list of `u8` would become bytes in
/// Python.
fn owner(stones: &Stones, column: u32, row: u32) -> i8 {
    stones.owner(stones.geometry().cell(column, row)).map_or(0, |player| number(player) as i8)
}

pub(crate) fn rows(stones: &Stones) -> Vec<Vec<i8>> {
    let mut rows = Vec::new();
    for row in (0..stones.geometry().height()).rev() {
        rows.push((0..stones.geometry().width()).map(|column| owner(stones, column, row)).collect());
    }
    rows
}

pub(crate) fn columns(stones: &Stones) -> Vec<Vec<i8>> {
    let mut columns = Vec::new();
    for column in 0..stones.geometry().width() {
        columns.push((0..stones.geometry().height()).map(|row| owner(stones, column, row)).collect());
    }
    columns
}

/// Replaces player numbers: 1 for `player`, -1 for the opponent, 0 for empty cells.
pub(crate) fn signed(mut owners: Vec<Vec<i8>>, player: i8) -> Vec<Vec<i8>> {
    for owner in owners.iter_mut().flatten() {
        *owner = match *owner {
            0 => 0,
            owner if owner == player => 1,
            _ => -1,
        };
    }
    owners
}

pub(crate) fn array<'py>(
    py: Python<'py>,
    values: impl IntoPyObject<'py>,
    dtype: &str,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1("array", (values.into_bound_py_any(py)?, dtype))
}

/// Planes of the player to move and of the opponent, as an array of shape (rows, columns, 2).
pub(crate) fn last_planes<'py>(py: Python<'py>, stones: &Stones, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    let own = number(stones.side_to_move()) as i8;
    let mut planes = Vec::new();
    for row in rows(stones) {
        let row = row.into_iter().map(|owner| [i8::from(owner == own), i8::from(owner == 3 - own)]);
        planes.push(row.collect::<Vec<_>>());
    }
    array(py, planes, dtype)
}
