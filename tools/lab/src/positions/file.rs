//! The file of a class: a heading that says how it is made, and a line of moves and score for each position.

use anyhow::Result;
use plumb::board::BoardSize;
use plumb::score::Score;
use plumb_studies::scored_positions::{HEADING, board_of_heading};
use serde::{Deserialize, Serialize};

use crate::results::{Header, HeaderLine, Layout, Row};

/// A position with its score: a line of the file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ScoredMoves {
    pub moves: String,
    pub score: Score,
}

impl Row for ScoredMoves {
    type Key = String;

    const LAYOUT: Layout = Layout {
        header_line: Some(HeaderLine { write: heading, parse: header }),
        delimiter: b' ',
        has_columns: false,
    };

    fn key(&self) -> String {
        self.moves.clone()
    }
}

/// The settings that decide the file, beside the board.
#[derive(Serialize, Deserialize)]
pub(super) struct Settings {
    pub class: String,
    pub count: u32,
    pub seed: u64,
}

impl Settings {
    /// The header of the file.
    pub(super) fn header(&self, board: BoardSize) -> Result<Header> {
        Header::new("positions").on_board(board).with_settings(self)
    }
}

/// The first line, which names the board if it is not 7x6.
fn heading(header: &Header) -> Result<String> {
    let Settings { class, count, seed } = header.settings()?;
    let standard = BoardSize::STANDARD.to_string();
    let board = header.board.as_ref().filter(|&board| *board != standard);
    let board = board.map(|board| format!(" --board {board}")).unwrap_or_default();
    Ok(format!("{HEADING}{class} --count {count} --seed {seed}{board}"))
}

/// The header of a file with this first line.
fn header(line: &str) -> Option<Header> {
    let mut words = line.strip_prefix(HEADING)?.split(' ');
    let class = words.next()?.to_owned();
    let mut after = |flag: &str| if words.next()? == flag { words.next() } else { None };
    let count = after("--count")?.parse().ok()?;
    let seed = after("--seed")?.parse().ok()?;
    let header = Settings { class, count, seed }.header(board_of_heading(line)?).ok()?;
    (heading(&header).ok()? == line).then_some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_reads_as_it_was_written() {
        for line in ["end-easy --count 20 --seed 5", "end-easy --count 3 --seed 1 --board 5x4"] {
            let line = format!("{HEADING}{line}");
            assert_eq!(heading(&header(&line).expect("a header")).expect("a line"), line);
        }
        for line in ["", "end-easy", "end-easy --count 03 --seed 1", "end-easy --count 3 --seed 1 --board x"]
        {
            assert_eq!(header(&format!("{HEADING}{line}")), None, "{line}");
        }
    }
}
