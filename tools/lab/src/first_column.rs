//! `--first-column`: how the texts of positions that a command reads number the columns.

use std::fmt;

use clap::ValueEnum;
use plumb::board::{Geometry, PositionReader, Remedies};
use plumb_arena::settings::REMEDIES;

/// The help of the flag.
pub(crate) const HELP: &str =
    "The number of the leftmost column where moves are column numbers. [default: 1]";

/// The clause about another board for commands that have `--board`.
pub(crate) const BOARD: &str = REMEDIES.board;

/// The number of the leftmost column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FirstColumn {
    #[value(name = "0")]
    Zero,
    #[value(name = "1")]
    One,
}

impl fmt::Display for FirstColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (*self as u32).fmt(f)
    }
}

/// The reader of positions on a board; `remedy` is [`BOARD`], or empty for a command without that flag.
pub(crate) fn reader<G: Geometry>(
    first: Option<FirstColumn>,
    geometry: G,
    remedy: &'static str,
) -> PositionReader<G> {
    let first_column = first.unwrap_or(FirstColumn::One) as u32;
    let remedies = Remedies { board: remedy, ..REMEDIES };
    PositionReader { geometry, first_column, remedies }
}
