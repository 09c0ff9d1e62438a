//! What is found out about one board: a row of the table and a line of the file.

use std::fmt;
use std::num::NonZeroUsize;

use anyhow::{Context, Result};
use plumb::board::{Board, Geometry, Player};
use plumb::score::Score;
use serde::{Deserialize, Serialize};

use super::published::{Published, published};
use crate::results;
use crate::solve::solution::Winner;

/// The solution of an empty board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// `WxH`.
    pub board: String,
    pub winner: Winner,
    /// For the first player.
    pub score: Score,
    /// The stone, from 1, on which a perfect game ends.
    pub last_stone: u32,
    pub nodes: u64,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    /// Size of the table in MB.
    pub hash: usize,
    pub threads: NonZeroUsize,
    /// The most memory that the process took, in MB, where the system tells.
    pub peak_mb: Option<u64>,
}

impl Record {
    /// The board.
    pub(super) fn board(&self) -> Result<Board> {
        self.board.parse().with_context(|| format!("`{}`", self.board))
    }

    /// The result in one character, as John Tromp prints it: whether the first player wins, draws or loses.
    pub(super) fn sign(&self) -> char {
        match self.winner {
            Winner::First => '+',
            Winner::Nobody => '=',
            Winner::Second => '-',
        }
    }
}

impl results::Row for Record {
    type Key = String;

    fn key(&self) -> String {
        self.board.clone()
    }
}

/// A record beside what is published.
#[derive(Serialize)]
pub(super) struct Row {
    #[serde(skip)]
    pub board: Board,
    #[serde(flatten)]
    pub record: Record,
    published_winner: Option<Winner>,
    published_last_stone: Option<u32>,
    /// None where nothing is published.
    pub agrees: Option<bool>,
}

impl Row {
    /// The names of the columns that [`fmt::Display`] fills.
    pub(super) const HEADINGS: &str =
        "board  cells  winner  score  stone  published           nodes        CPU s       wall s  peak MB";

    /// Looks up what is published about the board of `record`.
    pub(super) fn new(board: Board, record: Record) -> Self {
        let found = published(board.width(), board.height());
        let published_winner = found.map(|Published { winner, .. }| match winner {
            Some(Player::First) => Winner::First,
            Some(Player::Second) => Winner::Second,
            None => Winner::Nobody,
        });
        let published_last_stone = found.and_then(|published| published.stone);
        let same_stone = published_last_stone.is_none_or(|stone| stone == record.last_stone);
        let agrees = published_winner.map(|winner| winner == record.winner && same_stone);
        Self { board, record, published_winner, published_last_stone, agrees }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Record { board, score, last_stone, nodes, cpu_seconds, wall_seconds, peak_mb, .. } = &self.record;
        let name = |winner| match winner {
            Winner::First => "first",
            Winner::Second => "second",
            Winner::Nobody => "draw",
        };
        let published = match (self.published_winner, self.published_last_stone) {
            (None, _) => "-".to_owned(),
            (Some(winner), None) => name(winner).to_owned(),
            (Some(winner), Some(stone)) => format!("{:<6} {stone:>2}", name(winner)),
        };
        let (cells, winner) = (self.board.cells(), name(self.record.winner));
        write!(f, "{board:<5}  {cells:>5}  {winner:<6}  {score:>5}  {last_stone:>5}  {published:<9}")?;
        let peak = peak_mb.map_or("-".to_owned(), |peak| peak.to_string());
        write!(f, "  {nodes:>14}  {cpu_seconds:>11.2}  {wall_seconds:>11.2}  {peak:>7}")?;
        if self.agrees == Some(false) { write!(f, "  differs") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(board: &str, winner: Winner, last_stone: u32) -> Record {
        Record {
            board: board.to_owned(),
            winner,
            score: 1,
            last_stone,
            nodes: 1_234_567,
            cpu_seconds: 0.25,
            wall_seconds: 0.5,
            hash: 64,
            threads: NonZeroUsize::MIN,
            peak_mb: Some(70),
        }
    }

    fn row(board: &str, winner: Winner, last_stone: u32) -> Row {
        Row::new(board.parse().expect(board), record(board, winner, last_stone))
    }

    #[test]
    fn a_row_tells_whether_it_agrees() {
        assert_eq!(row("7x6", Winner::First, 41).agrees, Some(true));
        assert_eq!(row("7x6", Winner::First, 39).agrees, Some(false));
        assert_eq!(row("7x6", Winner::Nobody, 42).agrees, Some(false));
        // The stone is not published.
        assert_eq!(row("4x9", Winner::Nobody, 36).agrees, Some(true));
        assert_eq!(row("4x9", Winner::Second, 36).agrees, Some(false));
        let text = row("7x6", Winner::Nobody, 42).to_string();
        assert!(text.ends_with("  differs"), "{text}");
        let text = row("7x6", Winner::First, 41).to_string();
        assert_eq!(text.chars().count(), Row::HEADINGS.chars().count());
    }
}
