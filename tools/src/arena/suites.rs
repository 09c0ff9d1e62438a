//! The built-in suites of openings: positions of 8 stones in which one move only keeps what there is.

pub(super) mod build;

use std::fmt;

use anyhow::Result;
use clap::ValueEnum;
use plumb::score::Score;

use super::openings::{OpeningLine, parse};
use crate::output::print;

/// The decided positions are won with this score at the most: with one of the winner's last two stones.
const LATEST: Score = 2;

/// A built-in suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Suite {
    /// Exact draws in which every move but one loses.
    Balanced,
    /// Positions that the side to move wins, late, and with one move only.
    Decided,
}

/// Print a built-in suite of openings: moves as column digits, one opening a line, the hardest first.
///
/// Hard is what the solver, without a book and with an empty table, needs many nodes for.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Which.
    #[arg(value_name = "SUITE")]
    suite: Suite,
    /// Make it anew instead, which takes half an hour of two cores.
    #[arg(long)]
    build: bool,
}

/// Prints the suite.
///
/// # Errors
/// Those of the building.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.build {
        return build::build(arguments.suite)?.iter().try_for_each(|line| print(format_args!("{line}")));
    }
    arguments.suite.text().lines().try_for_each(|line| print(format_args!("{line}")))
}

impl Suite {
    fn text(self) -> &'static str {
        match self {
            Self::Balanced => include_str!("suites/balanced.txt"),
            Self::Decided => include_str!("suites/decided.txt"),
        }
    }

    /// Its openings, the hardest first.
    ///
    /// # Errors
    /// Not in practice: only if what this program holds were damaged.
    pub(super) fn openings(self) -> Result<Vec<OpeningLine>> {
        parse(self.text(), &self.to_string())
    }

    /// Whether positions of this score, for the side to move, belong to it.
    fn holds(self, score: Score) -> bool {
        match self {
            Self::Balanced => score == 0,
            Self::Decided => (1..=LATEST).contains(&score),
        }
    }

    /// Whether a move to this score keeps the result.
    fn keeps(self, score: Score) -> bool {
        match self {
            Self::Balanced => score >= 0,
            Self::Decided => score > 0,
        }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Balanced => "balanced",
            Self::Decided => "decided",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use plumb::board::{Position, Standard};
    use plumb::book::Book;

    use super::*;

    #[test]
    fn every_opening_is_what_its_suite_promises() {
        let book = Book::<Standard>::embedded().expect("it is part of this program");
        for suite in [Suite::Balanced, Suite::Decided] {
            let lines = suite.openings().expect("it can be read");
            let mut keys = HashSet::new();
            for OpeningLine { columns, .. } in &lines {
                let position = columns.iter().try_fold(Position::new(), |p, &column| p.play(column));
                let position = position.expect("legal moves");
                assert_eq!(position.plies(), 8);
                assert!(keys.insert(position.canonical_key()), "{suite}: {columns:?} is there twice");
                assert!(build::fits(suite, &book, &position), "{suite}: {columns:?}");
            }
            assert!(lines.len() >= 500, "{suite}: {}", lines.len());
        }
    }
}
