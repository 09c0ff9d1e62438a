//! The lines of a record, written and read.

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow, bail, ensure};
use plumb::board::{ColumnNotation, Position};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FORMAT, GameRecord, MatchHeader};

/// A header, a game or a summary as a line, without its end.
///
/// # Errors
/// Not in practice: only if JSON cannot hold it.
pub fn to_line(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).context("cannot write the record")
}

/// The record of a match, as it is read or about to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecord {
    /// Its first line.
    pub header: MatchHeader,
    /// The others, in their order. A last line that was broken off, as when the program was killed, is left out.
    pub games: Vec<GameRecord>,
}

/// Reads a record.
///
/// # Errors
/// If a line is not what it should be; its number, from 1, and what is wrong are named. If a game stands twice.
pub fn read(text: &[u8]) -> Result<MatchRecord> {
    // Bytes, as a line may be broken off within a letter.
    let mut lines = (1_u32..).zip(text.split_inclusive(|byte| *byte == b'\n'));
    let (_, first) = lines.next().context("line 1: expected the header of a match, found nothing")?;
    let header = parse_header(first).map_err(|error| anyhow!("line 1: {error}"))?;
    let (mut games, mut known) = (Vec::new(), HashMap::new());
    for (number, line) in lines {
        let game = match parse_game(&header, line) {
            Ok(game) => game,
            // Only what is not ended can have been broken off; there is no line after it.
            Err(_) if !line.ends_with(b"\n") => break,
            Err(error) => bail!("line {number}: {error}"),
        };
        if let Some(first) = known.insert(game.game, number) {
            bail!("game {} stands twice, in lines {first} and {number}", game.number());
        }
        games.push(game);
    }
    Ok(MatchRecord { header, games })
}

/// Reads the first line.
///
/// # Errors
/// The fault, and where it is.
pub fn parse_header(line: &[u8]) -> Result<MatchHeader> {
    // Another format need not have our fields, so its number is asked for before them.
    #[derive(serde::Deserialize)]
    struct Format {
        format: u32,
    }
    let Format { format } = parse(line, "the header of a match")?;
    ensure!(format == FORMAT, "the format is {format}, expected {FORMAT}");
    parse(line, "the header of a match")
}

/// Reads the line of a game of the match with this header.
///
/// # Errors
/// The fault, and where it is.
pub fn parse_game(header: &MatchHeader, line: &[u8]) -> Result<GameRecord> {
    let game: GameRecord = parse(line, "a game")?;
    let engines = header.settings.names();
    for name in [&game.first, &game.second] {
        let is_known = engines.contains(name);
        ensure!(is_known, "engine `{name}`: expected one of the match, {}", engines.join(" or "));
    }
    let (width, mut position) = (header.settings.board.width, Position::empty(header.settings.board()?));
    let opening = header.opening(&game)?.into_iter().map(|column| column + 1);
    for (index, column) in opening.chain(game.moves.iter().map(|played| played.column.into())).enumerate() {
        let number = index + 1;
        ensure!(
            (1..=width).contains(&column),
            "move {number} of the game: expected a column from 1 to {width}"
        );
        position = position.try_play(column - 1).map_err(|error| {
            anyhow!("move {number} of the game: {}", error.describe(ColumnNotation::Numbers { first: 1 }))
        })?;
    }
    let times = game.moves.iter().map(|played| ("time_ms", played.time_ms));
    for (name, time) in times.chain([("seconds", game.seconds)]) {
        ensure!(time >= 0.0 && time.is_finite(), "`{name}` is {time}, expected 0 or more");
    }
    Ok(game)
}

/// Reads a line of JSON.
fn parse<T: DeserializeOwned>(line: &[u8], expected: &str) -> Result<T> {
    // The end of the line counts as one, and would hide the byte.
    let read = serde_json::from_slice(line.trim_ascii_end());
    read.map_err(|error| anyhow!("expected {expected}: {}", json_fault(&error)))
}

/// The fault of a line of JSON and its byte.
pub(crate) fn json_fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // The parser counts lines too, and there is only one.
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    format!("{text} at byte {}", error.column())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EngineScore, MoveRecord};
    use crate::test_match;

    fn text(games: &[GameRecord]) -> String {
        let header = to_line(&test_match::header()).expect("JSON");
        let games = games.iter().map(|game| to_line(game).expect("JSON"));
        std::iter::once(header).chain(games).map(|line| line + "\n").collect()
    }

    #[test]
    fn what_is_written_is_read() {
        for (seed, count) in [(1, 0), (2, 1), (3, 40)] {
            let written = text(&test_match::games(seed, count));
            let MatchRecord { header, games } = read(written.as_bytes()).expect("whole");
            assert_eq!((header, games.len()), (test_match::header(), count as usize));
            // The file keeps whole microseconds.
            assert_eq!(text(&games), written);
        }
    }

    #[test]
    fn what_is_broken_off_is_read_as_far_as_it_goes() {
        let mut games = test_match::games(1, 2);
        // Letters that take several bytes.
        games[1].opening.name = "áé🎲".to_owned();
        let whole = text(&games);
        for end in whole.find('\n').expect("a line") + 1..whole.len() {
            let cut = &whole.as_bytes()[..end];
            let whole_lines = cut.split(|byte| *byte == b'\n').count() - 2;
            let MatchRecord { games, .. } = read(cut).expect("nothing else is wrong");
            // The last one is whole, too, if no more than its end is missing.
            let is_last_whole = games.len() == whole_lines + 1;
            assert!(is_last_whole || games.len() == whole_lines, "{end}");
        }
    }

    #[test]
    fn names_in_the_file_are_stable() {
        let made = MoveRecord { column: 4, ..Default::default() };
        let score = Some(EngineScore::Mate(-4));
        let moves = [
            MoveRecord { time_ms: 1.234_567, score, ..made.clone() },
            MoveRecord { loss: Some(0), clock_ms: Some(9.5), ..made },
        ];
        assert_eq!(
            to_line(&moves).expect("JSON"),
            "[{\"column\":4,\"time_ms\":1.235,\"score\":{\"mate\":-4}},\
             {\"column\":4,\"time_ms\":0.0,\"clock_ms\":9.5,\"loss\":0}]"
        );
    }

    #[test]
    fn malformed_lines_are_named() {
        let whole = text(&test_match::games(1, 2));
        let lines: Vec<_> = whole.lines().collect();
        let second = |line: &str| format!("{}\n{}\n{line}\n", lines[0], lines[1]);
        let is_named = |text: &str, parts: &[&str]| {
            let error = read(text.as_bytes()).expect_err("malformed").to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        };
        let greatest = second(lines[1]).replace("\"game\":0,", "\"game\":4294967295,");
        is_named(&greatest, &["game 4294967296 stands twice, in lines 2 and 3"]);
        is_named("", &["line 1", "found nothing"]);
        is_named("4455\n", &["line 1", "header"]);
        is_named(&whole[lines[0].len() + 1..], &["line 1", "`format`"]);
        is_named(&lines[0].replace("\"format\":1", "\"format\":2"), &["line 1: the format is 2, expected 1"]);
        is_named(&second(""), &["line 3: expected a game: EOF", "byte 0"]);
        is_named(&second("{\"game\":1}"), &["line 3", "missing field `pair`", "byte 10"]);
        is_named(&second(&lines[2][..40]), &["line 3", "EOF", "byte 40"]);
        let change = |from: &str, to: &str| {
            assert!(lines[2].contains(from));
            second(&lines[2].replacen(from, to, 1))
        };
        is_named(&change("\"result\":\"", "\"result\":\"2"), &["line 3", "unknown variant", "`1/2-1/2`"]);
        is_named(&change("\"column\":", "\"column\":9"), &["line 3: move ", "a column from 1 to 7"]);
        let opening = |moves: &str| change("\"moves\":\"", &format!("\"moves\":\"{moves}"));
        is_named(&opening("44444444"), &["line 3: opening: `4` at byte 6: column 4 is full"]);
        is_named(&opening("x"), &["line 3: opening: `x"]);
        is_named(&change("\"second\":\"Plumb", "\"second\":\"Plumb 2"), &["line 3: engine `Plumb 2`"]);
        is_named(&opening("1212121"), &["line 3", "the game is over"]);
        let negative = change("\"time_ms\":", "\"time_ms\":-1");
        is_named(&negative, &["line 3: `time_ms` is -1", "expected 0 or more"]);
    }
}
