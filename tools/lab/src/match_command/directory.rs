//! The directory of a match: its games as JSON lines and as PGN, and its report, a page.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use plumb_arena::page::with_match;
use plumb_arena::pgn::to_pgn;
use plumb_arena::record::file::{self, to_line};
use plumb_arena::record::{GameRecord, MatchHeader, record_of};
use plumb_arena::summary::Summary;
use serde::Serialize;

use crate::output::replace;
use crate::results::{LineFile, Lock};

/// The file with the figures.
const SUMMARY: &str = "summary.json";

/// The page with the match in it.
const REPORT: &str = "report.html";

/// The directory of a match.
pub(crate) struct MatchDirectory {
    directory: PathBuf,
    header: MatchHeader,
    games: Vec<GameRecord>,
    lines: LineFile,
    lock: Lock,
}

/// A match that was found in a directory.
pub(crate) struct SavedMatch {
    /// The first line of the record.
    pub(crate) header: MatchHeader,
    /// The games, in the order in which they ended.
    pub(crate) games: Vec<GameRecord>,
    /// The record, up to its last whole line, which ends with a line feed here even if the file lacks it.
    text: Vec<u8>,
    /// Bytes of it that are in the file.
    kept: u64,
}

impl SavedMatch {
    /// The match in `directory`; `None` if there is none, or not even its first line is complete.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub(crate) fn find(directory: &Path) -> Result<Option<Self>> {
        let shown = record_of(directory);
        let mut text = match fs::read(&shown) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read `{}`", shown.display())),
        };
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole == 0 {
            return Ok(None);
        }
        let first = text.iter().position(|&byte| byte == b'\n').unwrap_or_default();
        let last =
            file::parse_header(&text[..first]).and_then(|header| file::parse_game(&header, &text[whole..]));
        let kept = if last.is_ok() { text.len() } else { whole };
        text.truncate(kept);
        if !text.ends_with(b"\n") {
            // A game that lacks nothing but the end of its line is not lost.
            text.push(b'\n');
        }
        let record = file::read(text.as_slice()).with_context(|| format!("`{}`", shown.display()))?;
        Ok(Some(Self { header: record.header, games: record.games, text, kept: kept as u64 }))
    }

    /// The match in `directory`.
    ///
    /// # Errors
    /// If there is none, or the record cannot be read.
    pub(crate) fn read(directory: &Path) -> Result<Self> {
        Self::find(directory)?
            .with_context(|| format!("cannot read `{}`: there is no match", record_of(directory).display()))
    }

    /// Replaces the header of the record at `path`, atomically.
    fn rewrite(&self, path: &Path, header: &MatchHeader) -> Result<()> {
        let games =
            self.text.iter().position(|&byte| byte == b'\n').map_or(&[][..], |end| &self.text[end + 1..]);
        let header = to_line(header)?;
        replace(path, |out| {
            writeln!(out, "{header}")?;
            out.write_all(games)
        })
    }
}

impl MatchDirectory {
    /// Begins a match in `directory`, where there is none.
    pub(crate) fn begin(directory: &Path, header: MatchHeader, lock: Lock) -> Result<Self> {
        let mut lines = LineFile::create(&record_of(directory))?;
        lines.append(line(&header)?.as_bytes())?;
        Ok(Self { directory: directory.to_owned(), header, games: Vec::new(), lines, lock })
    }

    /// The match of these games in `directory`, in place of one that is there.
    pub(crate) fn replace(
        directory: &Path,
        header: MatchHeader,
        games: Vec<GameRecord>,
        lock: Lock,
    ) -> Result<Self> {
        let lines = write_all(&record_of(directory), &header, &games)?;
        Ok(Self { directory: directory.to_owned(), header, games, lines, lock })
    }

    /// Resumes a match found in `directory`, with a new `header` that differs at most by more rounds or a test.
    pub(crate) fn resume(
        directory: &Path,
        header: MatchHeader,
        found: SavedMatch,
        lock: Lock,
    ) -> Result<Self> {
        let path = record_of(directory);
        let MatchHeader { program, started, .. } = found.header.clone();
        let header = MatchHeader { program, started, ..header };
        if header != found.header {
            found.rewrite(&path, &header)?;
            let lines = LineFile::open(&path, None)?;
            return Ok(Self { directory: directory.to_owned(), header, games: found.games, lines, lock });
        }
        let mut lines = LineFile::open(&path, Some(found.kept))?;
        lines.append(&found.text[found.kept as usize..])?;
        Ok(Self { directory: directory.to_owned(), header, games: found.games, lines, lock })
    }

    /// Adds a game and writes it at once.
    pub(crate) fn append(&mut self, game: GameRecord) -> Result<()> {
        self.restore()?;
        self.lines.append(line(&game)?.as_bytes())?;
        self.games.push(game);
        Ok(())
    }

    /// Writes the record again if somebody has removed it meanwhile, as what is appended to a file without a name is lost.
    fn restore(&mut self) -> Result<()> {
        let path = record_of(&self.directory);
        if fs::exists(&path).unwrap_or(true) {
            return Ok(());
        }
        self.lock.renew()?;
        self.lines = write_all(&path, &self.header, &self.games)?;
        Ok(())
    }

    /// Writes the figures.
    pub(crate) fn write_summary(&self, summary: &Summary) -> Result<()> {
        let text = line(summary)?;
        replace(&self.directory.join(SUMMARY), |out| out.write_all(text.as_bytes()))
    }

    /// Writes PGN, figures, and the report, which is `page` with the match in it; returns the path of the report.
    pub(crate) fn finish(mut self, page: &str, summary: &Summary) -> Result<PathBuf> {
        self.restore()?;
        write_reports(&self.directory, &self.header, self.games, page, summary)?;
        Ok(self.directory.join(REPORT))
    }
}

/// Writes PGN, figures and report of a match, in place of those that are there.
pub(crate) fn write_reports(
    directory: &Path,
    header: &MatchHeader,
    mut games: Vec<GameRecord>,
    page: &str,
    summary: &Summary,
) -> Result<()> {
    let report = with_match(page, header, &games, summary)?;
    games.sort_by_key(|game| game.game);
    let pgn: String = games.iter().map(|game| to_pgn(header, game)).collect();
    for (name, text) in [(SUMMARY, line(summary)?), ("games.pgn", pgn), (REPORT, report)] {
        replace(&directory.join(name), |out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// A header or a game as a line, with its end.
fn line(value: &impl Serialize) -> Result<String> {
    Ok(to_line(value)? + "\n")
}

/// Writes a record in place of the one at `path`, if there is one, and opens it for more games.
fn write_all(path: &Path, header: &MatchHeader, games: &[GameRecord]) -> Result<LineFile> {
    let mut text = line(header)?;
    for game in games {
        text += &line(game)?;
    }
    replace(path, |out| out.write_all(text.as_bytes()))?;
    LineFile::open(path, None)
}
