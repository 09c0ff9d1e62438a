//! The result of a solved position, in words and figures.

use std::fmt;

use anyhow::Result;
use plumb::board::{Geometry, Player, Position};
use plumb::score::{Score, plies_to_end};
use plumb_studies::cpu_time::Taken;
use serde::{Deserialize, Serialize};

use crate::output::print;

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Winner {
    First,
    Second,
    Nobody,
}

/// The result of perfect play from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Verdict {
    /// For the side to move; if solved weakly only its sign.
    pub score: Score,
    pub winner: Winner,
    /// The number, from 1, of the stone on which the game ends, unless solved weakly.
    pub last_stone: Option<u32>,
}

impl Verdict {
    /// What `score` for the side to move says; `weak` if only its sign counts.
    pub(crate) fn of<G: Geometry>(score: Score, position: &Position<G>, weak: bool) -> Self {
        let mover = position.side_to_move();
        let winner = match score.signum() {
            0 => Winner::Nobody,
            sign => match if sign > 0 { mover } else { mover.other() } {
                Player::First => Winner::First,
                Player::Second => Winner::Second,
            },
        };
        let last_stone = match winner {
            _ if weak => None,
            Winner::Nobody => Some(position.geometry().cells()),
            _ => Some(position.plies() + plies_to_end(position.geometry(), score, position.plies())),
        };
        Self { score, winner, last_stone }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = match self.winner {
            Winner::Nobody => return write!(f, "the game is a draw"),
            Winner::First => "first",
            Winner::Second => "second",
        };
        write!(f, "the {player} player wins")?;
        self.last_stone.map_or(Ok(()), |stone| write!(f, " with stone {stone}"))
    }
}

/// The cost of solving a position.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Cost {
    nodes: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    /// By processor time; none where that is too short to be seen.
    nodes_per_second: Option<f64>,
}

impl Cost {
    pub(super) fn new(nodes: u64, taken: Taken) -> Self {
        let cpu_seconds = taken.cpu.as_secs_f64();
        let nodes_per_second = (cpu_seconds > 0.0).then(|| (nodes as f64 / cpu_seconds).round());
        Self { nodes, cpu_seconds, wall_seconds: taken.wall.as_secs_f64(), nodes_per_second }
    }
}

/// A legal move; the score is that of the side that makes it.
#[derive(Debug, Serialize)]
pub(super) struct Move {
    pub column: char,
    #[serde(flatten)]
    pub verdict: Verdict,
    #[serde(flatten)]
    pub cost: Cost,
}

/// All that is known about a position.
#[derive(Debug, Serialize)]
pub(super) struct Solution {
    #[serde(flatten)]
    pub verdict: Verdict,
    /// A line of perfect play to the end of the game; empty if solved weakly.
    pub line: String,
    /// The cost of the score, without line and moves.
    #[serde(flatten)]
    pub cost: Cost,
    /// Whether the table's keys are exact on this board.
    pub exact_table: bool,
    /// Every legal move, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_moves: Option<Vec<Move>>,
}

impl Solution {
    /// Prints it, a line for each figure; `hash` is the size of the table in MB.
    ///
    /// # Errors
    /// If nobody takes it.
    pub(super) fn print(&self, hash: usize) -> Result<()> {
        let row = |name: &str, value: &dyn fmt::Display| print(format_args!("{name:<10} {value}"));
        let Self { verdict, cost, .. } = self;
        row("score", &format_args!("{}: {verdict}", verdict.score))?;
        if let Some(stone) = verdict.last_stone {
            row("ends with", &format_args!("stone {stone}"))?;
            row("line", &if self.line.is_empty() { "-" } else { &self.line })?;
        }
        row("nodes", &cost.nodes)?;
        row("CPU time", &format_args!("{:.3} s", cost.cpu_seconds))?;
        row("wall time", &format_args!("{:.3} s", cost.wall_seconds))?;
        row("nodes/s", &cost.nodes_per_second.map_or("-".to_owned(), |speed| format!("{speed:.0}")))?;
        for Move { column, verdict, cost } in self.all_moves.iter().flatten() {
            let Verdict { score, .. } = verdict;
            row(&format!("move {column}"), &format_args!("{score}: {verdict}; {} nodes", cost.nodes))?;
        }
        if !self.exact_table {
            let rarely = "may take one position for another, though hardly ever";
            row("note", &format_args!("a table of {hash} MB on this board {rarely}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::board::{Narrow, Standard, StaticGeometry};

    fn verdict<G: StaticGeometry>(digits: &str, score: Score) -> String {
        Verdict::of(score, &Position::<G>::from_digits(digits).expect("legal"), false).to_string()
    }

    #[test]
    fn scores_are_told_in_words() {
        assert_eq!(verdict::<Standard>("", 1), "the first player wins with stone 41");
        assert_eq!(verdict::<Standard>("1", -2), "the first player wins with stone 39");
        assert_eq!(verdict::<Standard>("1", 2), "the second player wins with stone 40");
        assert_eq!(verdict::<Narrow<6, 6>>("", -1), "the second player wins with stone 36");
        assert_eq!(verdict::<Standard>("1", 0), "the game is a draw");
        // A game that is over.
        assert_eq!(verdict::<Standard>("1122334", -18), "the first player wins with stone 7");
        let weak = Verdict::of(-1, &Position::<Standard>::new(), true);
        assert_eq!(weak.to_string(), "the second player wins");
    }
}
