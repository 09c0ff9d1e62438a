//! `--first-column`: how the texts of positions that a command reads number the columns.

use plumb::board::{Geometry, PositionReader, Remedies};

/// The clause about another board for commands that have `--board`.
pub(crate) const BOARD: &str = "`--board {}` reads it";

#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct FirstColumn {
    /// The number of the leftmost column where moves are column numbers, 0 or 1. [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1))]
    pub first_column: Option<u32>,
}

impl FirstColumn {
    /// The reader of positions on a board; `board` is [`BOARD`], or empty for a command that has no such flag.
    pub(crate) fn reader<G: Geometry>(self, geometry: G, board: &'static str) -> PositionReader<G> {
        let remedies =
            Remedies { first_column: "for a file that counts from 0 say `--first-column 0`", board };
        PositionReader { geometry, first_column: self.first_column.unwrap_or(1), remedies }
    }
}
