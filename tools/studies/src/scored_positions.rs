//! Files of positions with their scores, a line each.

use std::path::Path;

use anyhow::{Context, Result, bail};
use plumb::board::Position;
use plumb::score::{Score, max_score};

/// A line of a file.
#[derive(Debug)]
pub struct ScoredPosition {
    /// The number of the line, from 1.
    pub line: usize,
    /// The moves as column digits.
    pub moves: String,
    /// The position after the moves.
    pub position: Position,
    /// The score that the position is said to have.
    pub score: Option<Score>,
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read, or the first line that is malformed: file, line, token and what is wrong with it.
pub fn read(path: &Path) -> Result<Vec<ScoredPosition>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut entries = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        entries.push(parse(line, number).with_context(|| format!("{}:{number}", path.display()))?);
    }
    Ok(entries)
}

fn parse(text: &str, line: usize) -> Result<ScoredPosition> {
    let mut words = text.split_whitespace();
    let moves = words.next().unwrap_or_default();
    let position = match Position::from_digits(moves) {
        Ok(position) => position,
        Err(error) => bail!("`{moves}`: move {}: {}", error.offset + 1, error.fault),
    };
    let score = words.next().map(parse_score).transpose()?;
    if let Some(extra) = words.next() {
        bail!("`{extra}`: nothing was expected after moves and score");
    }
    Ok(ScoredPosition { line, moves: moves.to_owned(), position, score })
}

fn parse_score(word: &str) -> Result<Score> {
    let limit = max_score(plumb::board::Standard::default());
    match word.parse() {
        Ok(score) if (-limit..=limit).contains(&score) => Ok(score),
        _ => bail!("`{word}`: expected a score from -{limit} to {limit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
