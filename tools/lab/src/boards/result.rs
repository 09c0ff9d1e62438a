//! The result of a board: a row of the table and a line of the file, beside what is published, and a sign in the grid of all
//! boards.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroUsize;

use anyhow::{Context, Result};
use plumb::board::{Board, BoardSize, Geometry};
use plumb::score::Score;
use serde::{Deserialize, Serialize};

use crate::result_files;
use crate::solve::Winner;

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
    /// The result in one character, as John Tromp prints it: whether the first player wins, draws or loses.
    pub(super) fn sign(&self) -> char {
        match self.winner {
            Winner::First => '+',
            Winner::Nobody => '=',
            Winner::Second => '-',
        }
    }
}

impl result_files::Row for Record {
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
    pub(super) fn new(record: Record) -> Result<Self> {
        let board: Board = record.board.parse().with_context(|| format!("`{}`", record.board))?;
        let (published_winner, published_last_stone) = published(board.width(), board.height()).unzip();
        let published_last_stone = published_last_stone.flatten();
        let same_stone = published_last_stone.is_none_or(|stone| stone == record.last_stone);
        let agrees = published_winner.map(|winner| winner == record.winner && same_stone);
        Ok(Self { board, record, published_winner, published_last_stone, agrees })
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

/// The least width and height of a board.
const LEAST: u32 = 4;

/// For each height the boards of width 4 and up: a draw, or the player who wins; and the stones on which perfect games
/// end, where they are known.
///
/// Sources: John Tromp, "John's Connect Four Playground", <https://tromp.github.io/c4/c4.html>, and Christophe
/// Steininger's solver, <https://github.com/ChristopheSteininger/c4>.
const TABLE: &[(u32, &str, &[u32])] = &[
    (4, "==2=22222", &[16, 20, 24, 28, 32, 36, 40, 44, 48]),
    (5, "====1111", &[20, 25, 30, 35, 39, 41, 47, 51]),
    (6, "==21221", &[24, 30, 36, 41, 48, 52, 59]),
    (7, "==1=11", &[28, 35, 41, 49, 53, 55]),
    (8, "==212", &[32, 40, 48, 55, 62]),
    (9, "==1=1", &[]),
    (10, "==21", &[]),
    (11, "==1", &[]),
    (12, "==2", &[]),
    (13, "==", &[]),
];

/// The published result of this size of board, if there is one: who wins, and the stone, from 1, on which a perfect game
/// ends, where that is published.
fn published(width: u32, height: u32) -> Option<(Winner, Option<u32>)> {
    let (_, winners, stones) = TABLE.iter().find(|row| row.0 == height)?;
    let index = width.checked_sub(LEAST)? as usize;
    let winner = match winners.as_bytes().get(index)? {
        b'1' => Winner::First,
        b'2' => Winner::Second,
        _ => Winner::Nobody,
    };
    Some((winner, stones.get(index).copied()))
}

/// The most cells of a board that is in the table though it is not solved: what can be solved in reasonable time.
const MAX_CELLS: u32 = 48;
/// The larger boards that are in the table as well, because they are played.
const LARGER: [BoardSize; 5] = [size(7, 7), size(8, 7), size(8, 8), size(9, 6), size(9, 7)];

const fn size(width: u32, height: u32) -> BoardSize {
    BoardSize { width, height }
}

/// The lines of the table: the sign of each solved board, a point for others.
pub(super) fn grid(signs: &HashMap<BoardSize, char>) -> Vec<String> {
    let is_shown = |size: &BoardSize| {
        size.width * size.height <= MAX_CELLS || LARGER.contains(size) || signs.contains_key(size)
    };
    let all: Vec<_> = BoardSize::all().filter(is_shown).collect();
    let range = |of: fn(&BoardSize) -> u32| LEAST..=all.iter().map(of).max().unwrap_or(LEAST);
    let (widths, heights) = (range(|size| size.width), range(|size| size.height));
    let column = |text: String| format!("{text:>3}");
    let row = |height| {
        let cells = widths.clone().map(|width| {
            let size = size(width, height);
            let blank = if all.contains(&size) { '.' } else { ' ' };
            column(signs.get(&size).copied().unwrap_or(blank).to_string())
        });
        format!("{height:>2} |{}", cells.collect::<String>()).trim_end().to_owned()
    };
    let axis = format!("   +{}", "-".repeat(3 * widths.clone().count()));
    let names = widths.clone().map(|width| column(width.to_string()));
    let names = format!("    {}", names.collect::<String>());
    heights.rev().map(row).chain([axis, names]).collect()
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
        Row::new(record(board, winner, last_stone)).expect(board)
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

    #[test]
    fn the_table_agrees_with_itself_and_knows_the_standard_board() {
        let mut known = 0;
        for (width, height) in (4..20).flat_map(|width| (4..20).map(move |height| (width, height))) {
            let Some((winner, Some(stone))) = published(width, height) else { continue };
            known += 1;
            if winner == Winner::Nobody {
                assert_eq!(stone, width * height, "{width}x{height}");
            } else {
                assert_eq!(stone % 2 == 1, winner == Winner::First, "{width}x{height}");
                assert!((7..=width * height).contains(&stone), "{width}x{height}");
            }
        }
        assert_eq!(known, 9 + 8 + 7 + 6 + 5);
        assert_eq!(published(7, 6), Some((Winner::First, Some(41))));
        assert_eq!(published(8, 9), Some((Winner::First, None)));
        assert_eq!([published(3, 6), published(11, 6), published(7, 14)], [None; 3]);
    }
}
