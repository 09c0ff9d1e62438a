//! Reads and writes the lines of a record.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use plumb::board::{ColumnNotation, Position};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{FORMAT, GameRecord, MatchHeader};

/// Value as a line of JSON, without the line end.
pub fn to_line(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).context("cannot write the record")
}

/// Reads the games of a record. It keeps their file offsets, not the games.
pub struct RecordReader<R = BufReader<File>> {
    /// Header of the match, the first line.
    pub header: MatchHeader,
    input: R,
    /// Path for messages.
    pub name: String,
    /// Last line read, and its line number from 1.
    line: Vec<u8>,
    number: u32,
    /// Offset of the end of the last line read, in bytes.
    end: u64,
    /// Line number and file offset of each game, by game number.
    places: BTreeMap<u32, (u32, u64)>,
}

impl<R: BufRead> RecordReader<R> {
    /// Reads the header. `None` without a complete line. `path` is for messages.
    pub fn new(mut input: R, path: &Path) -> Result<Option<Self>> {
        let (name, mut line) = (path.display().to_string(), Vec::new());
        let read = input.read_until(b'\n', &mut line);
        let end = read.with_context(|| format!("cannot read `{name}`"))? as u64;
        if !line.ends_with(b"\n") {
            return Ok(None);
        }
        let header = parse_header(&line).map_err(|error| anyhow!("`{name}`: line 1: {error}"))?;
        Ok(Some(Self { header, input, name, line, number: 1, end, places: BTreeMap::new() }))
    }

    /// Reads the next game. `None` at the end. Skips an incomplete last line, as after a crash.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>> {
        let Self { header, input, name, line, number, end, places } = self;
        line.clear();
        let read = input.read_until(b'\n', line);
        let length = read.with_context(|| format!("cannot read `{name}`"))?;
        if length == 0 {
            return Ok(None);
        }
        *number += 1;
        let game = match parse_game(header, line) {
            Ok(game) => game,
            Err(_) if !line.ends_with(b"\n") => return Ok(None),
            Err(error) => bail!("`{name}`: line {number}: {error}"),
        };
        if let Some((first, _)) = places.insert(game.game, (*number, *end)) {
            bail!("`{name}`: game {} stands twice, in lines {first} and {number}", game.number());
        }
        *end += length as u64;
        Ok(Some(game))
    }

    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.places.keys().copied().collect()
    }

    pub(crate) fn contains(&self, game: u32) -> bool {
        self.places.contains_key(&game)
    }
}

impl<R: BufRead + Seek> RecordReader<R> {
    /// Line of a game, with its line break. Moves the file position, so [`next_game`](Self::next_game) no longer works.
    pub(crate) fn line_of(&mut self, game: u32) -> io::Result<Vec<u8>> {
        let (_, start) = *self.places.get(&game).ok_or(io::ErrorKind::NotFound)?;
        self.input.seek(SeekFrom::Start(start))?;
        let mut line = Vec::new();
        read_line(&mut self.input, &mut line)?;
        Ok(line)
    }

    /// Copies the last `count` games read. Moves the file position, so [`next_game`](Self::next_game) no longer works.
    pub(crate) fn copy_last(&mut self, count: usize, out: &mut impl Write) -> io::Result<()> {
        let mut starts: Vec<_> = self.places.values().map(|(_, start)| *start).collect();
        starts.sort_unstable();
        let Some(&start) = starts.get(starts.len().saturating_sub(count)) else { return Ok(()) };
        self.input.seek(SeekFrom::Start(start))?;
        let mut games = self.input.by_ref().take(self.end - start);
        let mut line = Vec::new();
        while read_line(&mut games, &mut line)? {
            out.write_all(&line)?;
        }
        Ok(())
    }
}

fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let length = input.read_until(b'\n', line)?;
    // A crash may have cut off the line break.
    if length > 0 && !line.ends_with(b"\n") {
        line.push(b'\n');
    }
    Ok(length > 0)
}

pub(crate) fn parse_header(line: &[u8]) -> Result<MatchHeader> {
    // Other formats may have other fields, so `format` is read first.
    #[derive(Deserialize)]
    struct Origin {
        format: u32,
        #[serde(default)]
        program: String,
    }
    let Origin { format, program } = parse(line, "the header of a match")?;
    ensure!(format == FORMAT, "the format is {format}, expected {FORMAT}");
    serde_json::from_slice(line.trim_ascii_end()).map_err(|error| match unknown_field(&error, &program) {
        Some(fault) => anyhow!(fault),
        None => anyhow!("expected the header of a match: {}", json_fault(&error)),
    })
}

/// Message for an unknown field in the header, which `program` has written. `None` for other errors.
pub fn unknown_field(error: &serde_json::Error, program: &str) -> Option<String> {
    let text = error.to_string();
    let (name, _) = text.strip_prefix("unknown field `")?.split_once('`')?;
    Some(format!("unknown field `{name}` in the header: use {program} or newer, which knows it"))
}

pub(crate) fn parse_game(header: &MatchHeader, line: &[u8]) -> Result<GameRecord> {
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

fn parse<T: DeserializeOwned>(line: &[u8], expected: &str) -> Result<T> {
    // Trimmed, because `serde_json` would place an error at the end at byte 0 of the next line.
    let read = serde_json::from_slice(line.trim_ascii_end());
    read.map_err(|error| anyhow!("expected {expected}: {}", json_fault(&error)))
}

pub(crate) fn json_fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // Drops the line number, because the text has only one line.
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    format!("{text} at byte {}", error.column())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::record::{EngineScore, MoveRecord};
    use crate::test_match::{self, read};

    fn text(games: &[GameRecord]) -> String {
        let header = to_line(&test_match::header()).expect("JSON");
        let games = games.iter().map(|game| to_line(game).expect("JSON"));
        std::iter::once(header).chain(games).map(|line| line + "\n").collect()
    }

    #[test]
    fn what_is_written_is_read() {
        for (seed, count) in [(1, 0), (2, 1), (3, 40)] {
            let written = text(&test_match::games(seed, count));
            let (header, games) = read(written.as_bytes()).expect("whole");
            assert_eq!((header, games.len()), (test_match::header(), count as usize));
            assert_eq!(text(&games), written);
        }
    }

    #[test]
    fn what_is_broken_off_is_read_as_far_as_it_goes() {
        let mut games = test_match::games(1, 2);
        games[1].opening.name = "áé🎲".to_owned();
        let whole = text(&games);
        for end in whole.find('\n').expect("a line") + 1..whole.len() {
            let cut = &whole.as_bytes()[..end];
            let whole_lines = cut.split(|byte| *byte == b'\n').count() - 2;
            let (_, games) = read(cut).expect("nothing else is wrong");
            let is_last_whole = games.len() == whole_lines + 1;
            assert!(is_last_whole || games.len() == whole_lines, "{end}");
        }
    }

    #[test]
    fn lines_of_games_are_copied_byte_for_byte() {
        let written = text(&test_match::games(1, 3)).replace("\"pair\"", "\"later\": [1],  \"pair\"");
        let lines: Vec<_> = written.split_inclusive('\n').collect();
        let shuffled = [lines[0], lines[3], lines[1], lines[2].trim_end()].concat();
        let mut record =
            RecordReader::new(Cursor::new(shuffled), Path::new("")).expect("JSON").expect("a header");
        while record.next_game().expect("a game").is_some() {}
        assert_eq!(record.numbers(), [0, 1, 2]);
        for (number, line) in (0..).zip(&lines[1..]) {
            assert_eq!(record.line_of(number).expect("readable"), line.as_bytes());
        }
        for (count, expected) in
            [(0, String::new()), (2, lines[1..3].concat()), (9, [lines[3], lines[1], lines[2]].concat())]
        {
            let mut copied = Vec::new();
            record.copy_last(count, &mut copied).expect("readable");
            assert_eq!(String::from_utf8(copied).expect("UTF-8"), expected);
        }
    }

    #[test]
    fn unknown_settings_are_refused_by_name() {
        let mut header = test_match::header();
        header.settings.sprt = Some("0,10".parse().expect("a test"));
        header.program = "plumb-lab 9.1".to_owned();
        let line = to_line(&header).expect("JSON");
        for (before, name) in [
            ("\"title\"", "venue"),
            ("\"rounds\"", "move-limit"),
            ("\"tc\"", "retries"),
            ("\"elo0\"", "prior"),
        ] {
            let newer = line.replacen(before, &format!("\"{name}\":\"1\",{before}"), 1);
            assert_ne!(newer, line);
            let said = parse_header(newer.as_bytes()).expect_err("unknown").to_string();
            let expected =
                format!("unknown field `{name}` in the header: use plumb-lab 9.1 or newer, which knows it");
            assert_eq!(said, expected);
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
        is_named("", &["no header"]);
        is_named("4455\n", &["line 1", "header"]);
        is_named(&whole[lines[0].len() + 1..], &["line 1", "`format`"]);
        is_named(&whole.replace("\"format\":1", "\"format\":2"), &["line 1: the format is 2, expected 1"]);
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
        is_named(&opening("44444444"), &["line 3: opening: move 7, `4`: column 4 is full"]);
        is_named(&opening("x"), &["line 3: opening: move 1, `x"]);
        is_named(&change("\"second\":\"Plumb", "\"second\":\"Plumb 2"), &["line 3: engine `Plumb 2`"]);
        is_named(&opening("1212121"), &["line 3", "the game is over"]);
        let negative = change("\"time_ms\":", "\"time_ms\":-1");
        is_named(&negative, &["line 3: `time_ms` is -1", "expected 0 or more"]);
    }
}
