//! The choice among moves that are equally good.

use plumb::board::{Board, Form, Geometry};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments;
use crate::position::Position;

/// The rule for the choice.
pub(crate) enum TieBreak<'a, 'py> {
    /// The most central column; of two such the left one.
    Centre,
    /// The leftmost column.
    Left,
    /// A random column, by the method `choice` of this generator or of the module `random`.
    Random(Option<&'a Bound<'py, PyAny>>),
    /// The column after which a fallible opponent is likeliest to err.
    Swindle,
    /// The column that a Python function returns.
    Function(&'a Bound<'py, PyAny>),
}

impl<'a, 'py> TieBreak<'a, 'py> {
    /// The rule of a Python argument: a name or a callable; by default the most central column, or a random one if there is a
    /// generator.
    ///
    /// # Errors
    /// `ValueError` for any other argument, and for a generator beside another rule than "random".
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

    /// The chosen one of the columns, of which there is at least one; None if this rule needs a search.
    /// A text is a position on `board`.
    pub(crate) fn choose(
        &self,
        position: &Bound<'py, PyAny>,
        board: Board,
        columns: &[u32],
    ) -> PyResult<Option<u32>> {
        Ok(match self {
            Self::Centre => {
                // Twice the distance from the middle.
                let distance = |column: u32| (2 * column + 1).abs_diff(board.width());
                columns.iter().copied().min_by_key(|&column| (distance(column), column))
            }
            Self::Left => columns.first().copied(),
            Self::Random(rng) => Some(arguments::choice(position.py(), *rng, columns)? as u32),
            Self::Swindle => None,
            Self::Function(function) => {
                // A function is given a Position, also for its text.
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
