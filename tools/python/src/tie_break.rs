//! Choice between equally good moves.

use plumb::board::{Board, Form, Geometry};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments;
use crate::position::Position;

pub(crate) enum TieBreak<'a, 'py> {
    /// The most central column, the left column of two.
    Centre,
    Left,
    /// A random column by this generator, or by the module `random`.
    Random(Option<&'a Bound<'py, PyAny>>),
    /// The column after which a fallible opponent errs most often.
    Swindle,
    Function(&'a Bound<'py, PyAny>),
}

impl<'a, 'py> TieBreak<'a, 'py> {
    /// Reads the arguments `tie_break` and `rng`. The default is the most central column, or a random column if
    /// a generator is given.
    pub(crate) fn of(
        rule: Option<&'a Bound<'py, PyAny>>,
        rng: Option<&'a Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let Some(rule) = rule else {
            return Ok(if rng.is_some() { Self::Random(rng) } else { Self::Centre });
        };
        let of_name = match rule.extract::<String>().ok().as_deref() {
            Some("centre" | "center") => Self::Centre,
            Some("left") => Self::Left,
            Some("random") => return Ok(Self::Random(rng)),
            Some("swindle") => Self::Swindle,
            None if rule.is_callable() => Self::Function(rule),
            _ => {
                let given = rule.repr()?;
                return Err(PyValueError::new_err(format!(
                    "tie_break={given}; expected \"centre\", \"left\", \"random\", \"swindle\" or a callable"
                )));
            }
        };
        match rng {
            Some(_) => Err(PyValueError::new_err("rng: only tie_break=\"random\" takes a generator")),
            None => Ok(of_name),
        }
    }

    /// The chosen column, or None if the rule needs a search. `board` is the board of a position given as
    /// text.
    pub(crate) fn choose(
        &self,
        position: &Bound<'py, PyAny>,
        board: Board,
        columns: &[u32],
    ) -> PyResult<Option<u32>> {
        Ok(match self {
            Self::Centre => {
                columns.iter().copied().min_by_key(|&column| (twice_from_middle(column, board), column))
            }
            Self::Left => columns.first().copied(),
            Self::Random(rng) => Some(arguments::choice(position.py(), *rng, columns)? as u32),
            Self::Swindle => None,
            Self::Function(function) => {
                // The function gets a Position, not a text.
                let chosen = match position.cast::<PyString>() {
                    Ok(digits) => function
                        .call1((Position::read(board, &digits.to_cow()?, Form::Any, 1)?, columns.to_vec()))?,
                    Err(_) => function.call1((position, columns.to_vec()))?,
                };
                let column = arguments::column(&chosen).ok();
                let best = columns.iter().find(|&&best| column == Some(best.into()));
                if best.is_none() {
                    let chosen = chosen.repr()?;
                    let fault = format!("tie_break returned {chosen}; expected one of {columns:?}");
                    return Err(PyValueError::new_err(fault));
                }
                best.copied()
            }
        })
    }
}

/// Twice the distance of a column from the middle.
fn twice_from_middle(column: u32, board: Board) -> u32 {
    (2 * column + 1).abs_diff(board.width())
}
