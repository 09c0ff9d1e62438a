//! Text files with a position and its score on each line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{BoardSize, Form, Geometry, Position, PositionReader, Standard, column_names};
use plumb::score::{Score, max_score};
use plumb_arena::file::ensure_text;

/// Start of the first line of a file from `plumb-lab positions`. On other boards than 7x6, the line names the board.
pub const HEADING: &str = "# plumb-lab positions ";
/// Flag in the heading, before the size of the board.
const BOARD: &str = "--board";

/// A line with a position and a score.
#[derive(Debug)]
pub struct ScoredPosition<G: Geometry = Standard> {
    /// Number of the line, from 1.
    pub line: usize,
    /// Moves as column digits, or as letters on boards with more than 9 columns; or the FEN of the line.
    pub moves: String,
    /// Columns from 0. `None` for a FEN.
    pub columns: Option<Vec<u32>>,
    /// Position after the moves.
    pub position: Position<G>,
    /// Score in the line.
    pub score: Option<Score>,
}

/// Positions of a file.
pub struct Suite<G: Geometry = Standard> {
    /// File name, or file name without extension.
    pub name: String,
    /// Positions in the order of the lines.
    pub entries: Vec<ScoredPosition<G>>,
}

impl<G: Geometry> Suite<G> {
    /// Reads up to `limit` positions from each file. `name` makes a name from a path.
    pub fn read_all(
        reader: &PositionReader<G>,
        files: &[PathBuf],
        limit: Option<usize>,
        name: fn(&Path) -> Option<&OsStr>,
    ) -> Result<Vec<Self>> {
        let mut suites = Vec::new();
        for file in files {
            let name = name(file).unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
            let mut entries = read(reader, file)?;
            entries.truncate(limit.unwrap_or(usize::MAX));
            ensure!(!entries.is_empty(), "`{}`: there is no position to solve", file.display());
            suites.push(Self { name, entries });
        }
        Ok(suites)
    }

    /// Refuses two files with the same name, because results are kept by name.
    pub fn check_names(suites: &[Self], files: &[PathBuf]) -> Result<()> {
        for (index, Self { name, .. }) in suites.iter().enumerate() {
            ensure!(
                suites[..index].iter().all(|suite| suite.name != *name),
                "`{}`: another file is also called {name}, and results are kept by name; rename one of them",
                files[index].display()
            );
        }
        Ok(())
    }
}

/// Reads a file of positions and scores.
///
/// The score is after a blank, a tab or `;`. If the last number could be a move, the tab or `;` is required. A line
/// with only a blank and a score is the empty board.
pub fn read<G: Geometry>(reader: &PositionReader<G>, path: &Path) -> Result<Vec<ScoredPosition<G>>> {
    let text = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    ensure_text(path, &text)?;
    let text = String::from_utf8_lossy(&text);
    let mut entries = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for (whole, number) in text.lines().zip(1..) {
        let line = whole.trim();
        let expected = reader.geometry.size();
        if let Some(found) = board_of_heading(line)
            && found != expected
        {
            bail!(
                "{}:{number}: `{line}`: positions of {found}, expected positions of {expected}",
                path.display()
            );
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let entry = parse(reader, whole, number);
        entries.push(entry.with_context(|| format!("{}:{number}", path.display()))?);
    }
    Ok(entries)
}

/// The score of a line that starts with a blank and has only a score.
fn lone_score(board: impl Geometry, line: &str) -> Option<Score> {
    if !line.starts_with([' ', '\t']) {
        return None;
    }
    parse_score(board, line.trim()).ok()
}

/// Refuses a line with only a score, which means the empty board, in files without scores.
pub fn refuse_lone_score(board: impl Geometry, line: &str) -> Result<()> {
    ensure!(
        lone_score(board, line).is_none(),
        "`{line}`: the empty board with a score; write `startpos` for the empty board, `{}` for a move",
        line.trim()
    );
    Ok(())
}

/// The board in a heading of `plumb-lab positions`.
pub fn board_of_heading(line: &str) -> Option<BoardSize> {
    let mut words = line.strip_prefix(HEADING)?.split_whitespace();
    match words.find(|&word| word == BOARD) {
        Some(_) => words.next()?.parse().ok(),
        None => Some(BoardSize::STANDARD),
    }
}

fn parse<G: Geometry>(reader: &PositionReader<G>, text: &str, line: usize) -> Result<ScoredPosition<G>> {
    let of_empty_board = lone_score(reader.geometry, text);
    let (position, score) =
        if of_empty_board.is_some() { ("", None) } else { split(reader.form, text.trim())? };
    let read = reader.read(position)?;
    let score = score.map(|score| parse_score(reader.geometry, score)).transpose()?.or(of_empty_board);
    let moves = match &read.columns {
        Some(columns) => column_names(reader.geometry.width(), columns.iter().copied()),
        None => position.to_owned(),
    };
    Ok(ScoredPosition { line, moves, columns: read.columns, position: read.position, score })
}

/// Splits a line into position and score.
///
/// # Errors
/// A last number that could be a move or the score.
fn split(form: Form, line: &str) -> Result<(&str, Option<&str>)> {
    // With `--form digits`, `;` is a column.
    let separators = if form == Form::Digits { &['\t'][..] } else { &['\t', ';'] };
    if let Some((position, score)) = line.rsplit_once(separators) {
        return Ok((position, Some(score.trim()).filter(|score| !score.is_empty())));
    }
    let Some((position, last)) = line.rsplit_once(char::is_whitespace) else { return Ok((line, None)) };
    let words: Vec<_> = position.split_whitespace().collect();
    let is_number = last.parse::<i64>().is_ok();
    let has_score = if line.contains('/') {
        // The sixth word of a FEN is its move number, not a score.
        is_number && words.len() != 5
    } else {
        let is_one_word = words.len() == 1 && !position.ends_with(',');
        if !is_one_word && is_digits(last) && words.iter().all(|word| is_digits(word.trim_matches(','))) {
            bail!("`{last}`: a move or the score? Put a tab or `;` after the moves");
        }
        is_number || is_one_word && words[0].len() > 1 && is_digits(words[0])
    };
    Ok(if has_score { (position.trim_end(), Some(last)) } else { (line, None) })
}

fn is_digits(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
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

    fn parse(text: &str) -> Result<ScoredPosition> {
        super::parse(&PositionReader::new(Standard::default()), text, 1)
    }

    #[test]
    fn a_malformed_line_names_what_is_wrong() {
        let said = |text| parse(text).expect_err("malformed").to_string();
        assert_eq!(said("44 x"), "`x`: expected a score from -18 to 18");
        assert_eq!(said("44 19"), "`19`: expected a score from -18 to 18");
        assert_eq!(said("44; x"), "`x`: expected a score from -18 to 18");
        assert_eq!(said("4 4 1"), "`1`: a move or the score? Put a tab or `;` after the moves");
    }

    #[test]
    fn a_position_in_any_form_may_have_a_score() {
        let read = |text: &str| parse(text).map(|scored| (scored.moves, scored.score)).expect(text);
        let fen = "7/7/7/7/3p3/3P3";
        for text in ["44", "4 4;", "4,4", "4, 4;", "dd", "d d", "d1 d2", "P@d1 P@d2", "P@d1 P@d2\t"] {
            assert_eq!(read(text), ("44".to_owned(), None), "{text}");
        }
        for text in
            ["44 3", "4 4; 3", "4 4\t3", "4,4 3", "4, 4; 3", "dd 3", "d d 3", "d1 d2 3", "P@d1 P@d2 3"]
        {
            assert_eq!(read(text), ("44".to_owned(), Some(3)), "{text}");
        }
        assert_eq!(read("4 4 -3"), ("44".to_owned(), Some(-3)));
        assert_eq!(read("1 2"), ("1".to_owned(), Some(2)), "one move has a score in files of all positions");
        for fen in [fen.to_owned(), format!("{fen} w"), format!("{fen} w - -"), format!("{fen} w - - 0 2")] {
            assert_eq!(read(&fen), (fen.clone(), None));
            assert_eq!(read(&format!("{fen} 3")), (fen.clone(), Some(3)));
            assert_eq!(read(&format!("{fen}; -3")), (fen.clone(), Some(-3)));
        }
    }

    #[test]
    fn a_line_with_only_a_score_is_the_empty_board() {
        let read = |text: &str| parse(text).map(|scored| (scored.moves, scored.score)).expect(text);
        for text in [" 1", "\t1", "\t 1 ", "; 1"] {
            assert_eq!(read(text), (String::new(), Some(1)), "{text}");
        }
        // Scores on 7x6 are at most 18, so 44 is not a score.
        assert_eq!(read(" 44"), ("44".to_owned(), None));
        assert_eq!(read(" 4 1"), ("4".to_owned(), Some(1)));
        assert_eq!(read("5 "), ("5".to_owned(), None));
    }

    #[test]
    fn a_line_is_read_for_its_board() {
        let said = |size: &str, text: &str| {
            let board = size.parse::<Board>().expect("a board");
            super::parse(&PositionReader::new(board), text, 1)
                .map(|scored| scored.score)
                .map_err(|error| error.to_string())
        };
        assert_eq!(said("5x4", "3333 -7"), Ok(Some(-7)));
        assert_eq!(said("5x4", "3333 8"), Err("`8`: expected a score from -7 to 7".to_owned()));
    }

    #[test]
    fn digits_past_the_ninth_may_be_signs() {
        let board = "12x5".parse::<Board>().expect("a board");
        let reader = PositionReader { form: Form::Digits, ..PositionReader::new(board) };
        for (text, score) in
            [("9:;<1", None), ("9abc1 -3", Some(-3)), ("9:;<1 3", Some(3)), ("9:;<1\t3", Some(3))]
        {
            let scored = super::parse(&reader, text, 1).expect(text);
            assert_eq!((scored.moves.as_str(), scored.score), ("ijkla", score), "{text}");
        }
    }

    #[test]
    fn a_heading_names_the_board() {
        let size = |text: &str| board_of_heading(text).map(|size| size.to_string());
        assert_eq!(size("# plumb-lab positions end-easy --count 3 --seed 1").as_deref(), Some("7x6"));
        let other = "# plumb-lab positions end-easy --count 3 --seed 1 --board 5x4";
        assert_eq!(size(other).as_deref(), Some("5x4"));
        assert_eq!((size("# of 5x4"), size("44 1")), (None, None));
    }
}
