//! The groups of positions that are measured by themselves.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use plumb::board::{Position, Standard, StaticGeometry};
use plumb_protocol::Go;
use plumb_tools_common::random::{Random, random_position};

/// The groups that are measured unless others are asked for: on both sides of where an opening book of twelve stones
/// ends.
pub(super) const DEFAULT: [&str; 6] = ["0-4/all", "0-11", "0-11/scores", "12", "13/score", "13-41/score"];

/// All positions with up to so many stones can be measured: 190,000 at the most.
const MAX_STONES_OF_ALL: u32 = 8;

/// Positions with so many stones, and what is asked about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    stones: RangeInclusive<u32>,
    /// Whether all of them are measured, not only some drawn at random.
    all: bool,
    answer: Answer,
}

/// The answer that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The best move, as a game on the clock asks for it: what is known to be best need not be known exactly.
    Move,
    /// The exact score, with the line of play that shows it.
    Score,
    /// The score of each move, on the clock.
    Scores,
}

impl Group {
    /// The value of `MultiPV`.
    pub(super) fn lines(&self) -> u32 {
        if self.answer == Answer::Scores { Standard::WIDTH } else { 1 }
    }

    /// The search that answers it, with so much `time`.
    pub(super) fn go(&self, time: Duration) -> Go<'static> {
        match self.answer {
            Answer::Score => Go { move_time: Some(time), ..Go::default() },
            Answer::Move | Answer::Scores => Go { time: [Some(time); 2], ..Go::default() },
        }
    }

    /// Move lists, as column digits, that lead to positions in which the game is not over: each position once if all are
    /// wanted, else `count` of those that `seed` stands for.
    pub(super) fn positions(&self, seed: u64, count: u32) -> Vec<String> {
        let (first, last) = self.stones.clone().into_inner();
        if self.all {
            return all_positions(self.stones.clone());
        }
        let mut random = Random::new(seed, first << 8 | last);
        let draw = |_| {
            let stones = first + random.below(last - first + 1);
            random_position(&mut random, stones).moves
        };
        (0..count).map(draw).collect()
    }
}

impl FromStr for Group {
    type Err = String;

    /// Reads a number of stones or two with `-` between them, and `/all` or `/scores` after it.
    fn from_str(text: &str) -> Result<Self, String> {
        let (stones, what) = text.split_once('/').unwrap_or((text, ""));
        let (first, last) = stones.split_once('-').unwrap_or((stones, stones));
        let (all, answer) = match what {
            "" => (false, Answer::Move),
            "all" => (true, Answer::Move),
            "score" => (false, Answer::Score),
            "scores" => (false, Answer::Scores),
            _ => return Err(format!("`{what}` is none of `all`, `score` and `scores`")),
        };
        let number = |text: &str| text.parse().ok().filter(|&stones| stones < Standard::CELLS);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last && (!all || last <= MAX_STONES_OF_ALL) => {
                Ok(Self { stones: first..=last, all, answer })
            }
            (Some(_), Some(last)) if all && last > MAX_STONES_OF_ALL => {
                Err(format!("there are too many positions with {last} stones to measure them all"))
            }
            _ => Err(format!("`{stones}` is not a number of stones from 0 to 41, nor two of them as A-B")),
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.stones.clone().into_inner();
        if first == last {
            write!(f, "{first} stones")?;
        } else {
            write!(f, "{first} to {last} stones")?;
        }
        f.write_str(match self.answer {
            Answer::Move => ", best move",
            Answer::Score => ", exact score",
            Answer::Scores => ", seven scores",
        })?;
        f.write_str(if self.all { " (all)" } else { "" })
    }
}

/// Moves to every position with so many `stones`.
fn all_positions(stones: RangeInclusive<u32>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut found = vec![(String::new(), Position::<Standard>::new())];
    let mut next = 0;
    while let Some((moves, position)) = found.get(next).cloned() {
        next += 1;
        if position.plies() == *stones.end() {
            continue;
        }
        for column in position.legal_columns() {
            if let Some(after) = position.play(column)
                && after.outcome().is_none()
                && seen.insert(after.key())
            {
                found.push((format!("{moves}{}", column + 1), after));
            }
        }
    }
    let wanted = found.into_iter().filter(|(_, position)| stones.contains(&position.plies()));
    wanted.map(|(moves, _)| moves).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_hold_what_they_say() {
        for group in DEFAULT.map(|group| group.parse::<Group>().expect("a group")) {
            let positions = group.positions(7, 100);
            // 1 + 7 + 49 + 238 + 1120: John Tromp's counts of positions with up to four stones.
            assert_eq!(positions.len(), if group.all { 1415 } else { 100 });
            assert_eq!(positions, group.positions(7, 100), "a seed stands for the same positions every time");
            for moves in positions {
                let position: Position = Position::from_digits(&moves).expect("legal moves");
                assert!(group.stones.contains(&position.plies()) && position.outcome().is_none(), "{moves}");
            }
        }
    }

    #[test]
    fn groups_that_are_none_are_refused() {
        let said = |text: &str| text.parse::<Group>().expect_err(text);
        assert_eq!(said("12/best"), "`best` is none of `all`, `score` and `scores`");
        assert_eq!(said("0-12/all"), "there are too many positions with 12 stones to measure them all");
        for text in ["", "42", "5-3", "-3", "x"] {
            assert!(said(text).ends_with(" is not a number of stones from 0 to 41, nor two of them as A-B"));
        }
    }
}
