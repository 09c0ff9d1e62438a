//! Files of positions with their scores, a line each.

use std::path::Path;

use anyhow::{Context, Result, bail};
use plumb::board::{BoardSize, Geometry, Position, Standard};
use plumb::score::{Score, max_score};
use plumb_tools_common::notation::position_after;

/// How the first line of a file that `plumb-lab positions` made begins. For a board other than 7x6 it names the board.
pub const HEADING: &str = "# plumb-lab positions ";
/// The flag by which it names the board.
const BOARD: &str = "--board";

/// A line of a file.
#[derive(Debug)]
pub struct ScoredPosition<G: Geometry = Standard> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The moves as column digits, or as column letters on a board of more than 9 columns.
    pub moves: String,
    /// The position after the moves.
    pub position: Position<G>,
    /// The score that the position is said to have.
    pub score: Option<Score>,
}

/// Reads a file of positions on a board.
///
/// # Errors
/// If it cannot be read, or the first line that is malformed: file, line, token and what is wrong with it. The heading of a
/// file that `plumb-lab positions` made for another board is malformed.
pub fn read<G: Geometry>(board: G, path: &Path) -> Result<Vec<ScoredPosition<G>>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut entries = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        let place = || format!("{}:{number}", path.display());
        check_heading(board, line).with_context(place)?;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        entries.push(parse(board, line, number).with_context(place)?);
    }
    Ok(entries)
}

/// The board that a line names, if it is the heading of a file that `plumb-lab positions` made.
#[must_use]
pub fn board_of_heading(line: &str) -> Option<BoardSize> {
    let mut words = line.strip_prefix(HEADING)?.split_whitespace();
    match words.find(|&word| word == BOARD) {
        Some(_) => words.next()?.parse().ok(),
        None => Some(BoardSize::STANDARD),
    }
}

/// Refuses the heading of a file for another board.
fn check_heading(board: impl Geometry, line: &str) -> Result<()> {
    let (found, expected) = (board_of_heading(line), board.size());
    if let Some(found) = found.filter(|&found| found != expected) {
        bail!("`{line}`: positions of {found}, expected those of {expected}");
    }
    Ok(())
}

fn parse<G: Geometry>(board: G, text: &str, line: usize) -> Result<ScoredPosition<G>> {
    let mut words = text.split_whitespace();
    let moves = words.next().unwrap_or_default();
    let position = match position_after(board, moves) {
        Ok(position) => position,
        Err(error) => bail!("`{moves}`: move {}: {}", error.number, error.fault),
    };
    let score = words.next().map(|word| parse_score(board, word)).transpose()?;
    if let Some(extra) = words.next() {
        bail!("`{extra}`: nothing was expected after moves and score");
    }
    Ok(ScoredPosition { line, moves: moves.to_owned(), position, score })
}

fn parse_score(board: impl Geometry, word: &str) -> Result<Score> {
    let limit = max_score(board);
    match word.parse() {
        Ok(score) if (-limit..=limit).contains(&score) => Ok(score),
        _ => bail!("`{word}`: expected a score from -{limit} to {limit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::board::Board;

    fn parse(text: &str, line: usize) -> Result<ScoredPosition> {
        super::parse(Standard::default(), text, line)
    }

    #[test]
    fn a_line_is_moves_and_perhaps_a_score() {
        let scored = parse("7422341735647741166133573473242566 1", 3).expect("well formed");
        assert_eq!((scored.line, scored.position.plies(), scored.score), (3, 34, Some(1)));
        assert_eq!(parse("44", 1).expect("well formed").score, None);
        assert_eq!(parse("44\t-3", 1).expect("well formed").score, Some(-3));
    }

    #[test]
    fn a_malformed_line_names_what_is_wrong() {
        let said = |text| parse(text, 1).expect_err("malformed").to_string();
        assert_eq!(said("4440"), "`4440`: move 4: `0` is not a column digit from 1 to 9");
        assert_eq!(said("4444444"), "`4444444`: move 7: column d is full");
        assert_eq!(said("44 x"), "`x`: expected a score from -18 to 18");
        assert_eq!(said("44 19"), "`19`: expected a score from -18 to 18");
        assert_eq!(said("44 1 1"), "`1`: nothing was expected after moves and score");
    }

    #[test]
    fn a_line_is_read_for_its_board() {
        let said = |size: &str, text: &str| {
            let board = size.parse::<Board>().expect("a board");
            super::parse(board, text, 1).map(|scored| scored.score).map_err(|error| error.to_string())
        };
        assert_eq!(said("5x4", "3333 -7"), Ok(Some(-7)));
        assert_eq!(said("5x4", "3333 8"), Err("`8`: expected a score from -7 to 7".to_owned()));
        assert_eq!(
            said("5x4", "336"),
            Err("`336`: move 3: there is no column f (columns a to e)".to_owned())
        );
        assert_eq!(said("10x4", "jjaa 0"), Ok(Some(0)));
        assert_eq!(
            said("10x4", "j1"),
            Err("`j1`: move 2: `1` is not a column letter from a to j".to_owned())
        );
    }

    #[test]
    fn a_heading_names_the_board() {
        let size = |text: &str| board_of_heading(text).map(|size| size.to_string());
        assert_eq!(size("# plumb-lab positions end-easy --count 3 --seed 1").as_deref(), Some("7x6"));
        let other = "# plumb-lab positions end-easy --count 3 --seed 1 --board 5x4";
        assert_eq!(size(other).as_deref(), Some("5x4"));
        assert_eq!((size("# of 5x4"), size("44 1")), (None, None));
        let error = check_heading(Standard::default(), other).expect_err("another board").to_string();
        assert_eq!(error, format!("`{other}`: positions of 5x4, expected those of 7x6"));
    }
}
