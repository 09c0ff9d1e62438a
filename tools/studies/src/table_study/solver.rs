//! The interface of the searches that are compared.

use std::fmt;

use clap::ValueEnum;
use plumb::board::Position;
use plumb::score::Score;
use serde::{Deserialize, Serialize};

/// The searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// That of Pascal Pons's tutorial, and nothing more.
    Plain,
    /// Plumb's own, which goes with its own table only.
    Plumb,
}

/// The kind of score that is solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The exact score.
    Strong,
    /// Who wins.
    Weak,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
        })
    }
}

crate::display_by_value_name!(Search);

/// A search over a table. It is called through a pointer once a position; within it nothing is.
pub trait TableSolver {
    /// Empties the table and forgets the count of nodes.
    fn forget(&mut self);

    /// The score of `position`, in weak mode only its sign being right.
    fn solve(&mut self, position: &Position, mode: Mode) -> Score;

    /// Nodes since [`forget`](Self::forget).
    fn nodes(&self) -> u64;
}
