//! Groups of positions whose answers are timed.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use plumb::board::{Standard, StaticGeometry, column_names};
use plumb_arena::openings::moves_to;
use plumb_arena::random::{Random, random_position};

use crate::book::all_positions;

/// The default groups, on both sides of the last layer of the opening book, 12 stones.
pub(super) const DEFAULT: [&str; 6] = ["0-4/all", "0-11", "0-11/scores", "12", "13/score", "13-41/score"];

/// Number of stones up to which all positions can be measured: 260,000 positions.
const MAX_STONES_OF_ALL: u32 = 8;

/// Positions by number of stones, and the question about them.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Name in the table, such as `12 stones, best move`.
    pub title: String,
    stones: RangeInclusive<u32>,
    pub question: &'static Question,
}

#[derive(Debug)]
pub(super) struct Question {
    /// Word after the stones, and words in the table.
    words: [&'static str; 2],
    all: bool,
    /// Value of `MultiPV`.
    pub lines: u32,
    /// Whether the engine must find the exact score. A best move on a game clock needs less.
    pub is_exact: bool,
}

const QUESTIONS: [Question; 4] = [
    Question { words: ["", "best move"], all: false, lines: 1, is_exact: false },
    Question { words: ["all", "best move (all)"], all: true, lines: 1, is_exact: false },
    Question { words: ["score", "exact score"], all: false, lines: 1, is_exact: true },
    Question { words: ["scores", "seven scores"], all: false, lines: Standard::WIDTH, is_exact: false },
];

impl Group {
    /// Move lists, as column digits, of undecided positions: all of them, each once, or `count` random ones.
    pub(super) fn positions(&self, seed: u64, count: u32) -> Vec<String> {
        if self.question.all {
            return self.all_positions();
        }
        let (first, last) = self.stones.clone().into_inner();
        let mut random = Random::new(seed, first << 8 | last);
        let mut positions = Vec::new();
        for _ in 0..count {
            let stones = first + random.below(last - first + 1);
            positions.push(random_position(&mut random, stones).moves);
        }
        positions
    }

    fn all_positions(&self) -> Vec<String> {
        let (mut known, mut all) = (HashSet::new(), Vec::new());
        for stones in self.stones.clone() {
            for image in all_positions(Standard::default(), stones) {
                for position in [image, image.mirrored()] {
                    if known.insert(position.key()) {
                        all.push(column_names(Standard::WIDTH, moves_to(&position).unwrap_or_default()));
                    }
                }
            }
        }
        all
    }

    /// Reads a group such as `12`, `0-11` or `13-41/score`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (stones, word) = text.split_once('/').unwrap_or((text, ""));
        let Some(question) = QUESTIONS.iter().find(|question| question.words[0] == word) else {
            return Err(format!("`{word}`: expected `all`, `score` or `scores`"));
        };
        let (first, last) = stones.split_once('-').unwrap_or((stones, stones));
        let (Some(first), Some(last)) = (number_of_stones(first), number_of_stones(last)) else {
            return Err(not_stones(stones));
        };
        if first > last {
            return Err(not_stones(stones));
        }
        if question.all && last > MAX_STONES_OF_ALL {
            return Err(format!(
                "too many positions have {last} stones; `/all` goes up to {MAX_STONES_OF_ALL}"
            ));
        }
        let range = if first == last { first.to_string() } else { format!("{first} to {last}") };
        Ok(Self { title: format!("{range} stones, {}", question.words[1]), stones: first..=last, question })
    }
}

fn number_of_stones(text: &str) -> Option<u32> {
    let stones = text.parse().ok()?;
    if stones < Standard::CELLS { Some(stones) } else { None }
}

fn not_stones(text: &str) -> String {
    format!("`{text}`: expected a number of stones from 0 to 41, or a range such as 0-11")
}

#[cfg(test)]
mod tests {
    use plumb::board::Position;

    use super::*;

    #[test]
    fn groups_have_the_positions_that_they_name() {
        for group in DEFAULT.map(|group| Group::read(group).expect("a group")) {
            let positions = group.positions(7, 100);
            // 1 + 7 + 49 + 238 + 1120: John Tromp's counts of positions with up to four stones.
            assert_eq!(positions.len(), if group.question.all { 1415 } else { 100 });
            assert_eq!(positions, group.positions(7, 100), "a seed decides the positions");
            for moves in positions {
                let position: Position = Position::from_digits(&moves).expect("legal moves");
                assert!(group.stones.contains(&position.plies()) && position.outcome().is_none(), "{moves}");
            }
        }
    }

    #[test]
    fn wrong_groups_are_refused() {
        let said = |text: &str| Group::read(text).expect_err(text);
        assert_eq!(said("0-12/all"), "too many positions have 12 stones; `/all` goes up to 8");
        for text in ["", "42", "5-3", "-3", "x"] {
            assert!(
                said(text).ends_with("expected a number of stones from 0 to 41, or a range such as 0-11")
            );
        }
    }
}
