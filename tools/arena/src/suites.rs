//! The built-in suites of openings: positions of 8 stones in which one move only keeps what there is.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;
use plumb::board::{Board, Position, PositionReader, Standard};
use plumb::book::{Book, BookProbe};
use plumb::score::Score;

use crate::openings::{OpeningLine, parse};

/// The decided positions are won with this score at the most: with one of the winner's last two stones.
const LATEST: Score = 2;

/// A built-in suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// Exact draws in which every move but one loses.
    Balanced,
    /// Positions that the side to move wins, late, and with one move only.
    Decided,
}

impl Suite {
    /// All suites.
    pub const ALL: [Self; 2] = [Self::Balanced, Self::Decided];

    /// The openings as column digits, one a line, the hardest first.
    pub fn text(self) -> &'static str {
        match self {
            Self::Balanced => include_str!("suites/balanced.txt"),
            Self::Decided => include_str!("suites/decided.txt"),
        }
    }

    /// Its openings, the hardest first.
    ///
    /// # Errors
    /// Not in practice: only if what this program holds were damaged.
    pub fn openings(self) -> Result<Vec<OpeningLine>> {
        parse(&PositionReader::new(Board::default()), self.text(), &self.to_string())
    }

    /// Whether a position belongs to the suite by its scores in `book`; no position does that the book does not know.
    pub fn includes(self, book: &Book<Standard>, position: &Position) -> bool {
        let Some(mut probe) = BookProbe::new(book, position) else { return false };
        let Some(score) = probe.score(position) else { return false };
        let mut keeps = |next: Position| probe.score(&next).is_some_and(|reply| self.keeps(-reply));
        let moves = position.legal_columns().filter_map(|column| position.play(column));
        self.holds(score) && moves.filter(|&next| keeps(next)).count() == 1
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

impl FromStr for Suite {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|suite| suite.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is neither balanced nor decided"))
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

    use super::*;

    #[test]
    fn every_opening_is_what_its_suite_promises() {
        let book = Book::<Standard>::embedded().expect("it is part of this program");
        for suite in Suite::ALL {
            let lines = suite.openings().expect("it can be read");
            let mut keys = HashSet::new();
            for OpeningLine { columns, .. } in &lines {
                let position = columns.iter().try_fold(Position::new(), |p, &column| p.play(column));
                let position = position.expect("legal moves");
                assert_eq!(position.plies(), 8);
                assert!(keys.insert(position.canonical_key()), "{suite}: {columns:?} is there twice");
                assert!(suite.includes(&book, &position), "{suite}: {columns:?}");
            }
            assert!(lines.len() >= 500, "{suite}: {}", lines.len());
        }
    }
}
