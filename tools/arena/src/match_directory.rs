//! The directory of a match: its games as JSON lines and as PGN, and its report, a page.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use plumb_tools_common::file::replace;

use crate::page::with_match;
use crate::pgn::to_pgn;
use crate::record::file::{self, Writer, to_line};
use crate::record::{GameRecord, MatchHeader};
use crate::summary::Summary;

/// The file with the games.
const RECORD: &str = "match.jsonl";

/// The directory of a match.
pub struct MatchDirectory {
    directory: PathBuf,
    header: MatchHeader,
    games: Vec<GameRecord>,
    writer: Writer<File>,
}

/// A match that was found in a directory.
pub struct SavedMatch {
    /// The first line of the record.
    pub header: MatchHeader,
    /// The games, in the order in which they ended.
    pub games: Vec<GameRecord>,
    /// The record, up to its last whole line, which ends with a line feed here even if the file lacks it.
    text: Vec<u8>,
}

impl SavedMatch {
    /// The match in `directory`; `None` if there is none, or not even its first line is complete.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn find(directory: &Path) -> Result<Option<Self>> {
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
        if last.is_ok() {
            // A game that lacks nothing but the end of its line is not lost.
            text.push(b'\n');
        } else {
            text.truncate(whole);
        }
        let record = file::read(text.as_slice()).with_context(|| format!("`{}`", shown.display()))?;
        Ok(Some(Self { header: record.header, games: record.games, text }))
    }

    /// The match in `directory`.
    ///
    /// # Errors
    /// If there is none, or the record cannot be read.
    pub fn read(directory: &Path) -> Result<Self> {
        Self::find(directory)?
            .with_context(|| format!("cannot read `{}`: there is no match", record_of(directory).display()))
    }

    /// Replaces the header of the record at `path`, atomically.
    fn rewrite(&self, path: &Path, header: &MatchHeader) -> Result<()> {
        let games =
            self.text.iter().position(|&byte| byte == b'\n').map_or(&[][..], |end| &self.text[end + 1..]);
        let header = to_line(header)?;
        Ok(replace(path, |out| {
            writeln!(out, "{header}")?;
            out.write_all(games)
        })?)
    }

    /// Makes `file`, the record that was read, end with its last whole line.
    fn mend_end(&self, file: &mut File) -> io::Result<()> {
        let length = self.text.len() as u64;
        if file.metadata()?.len() < length { file.write_all(b"\n") } else { file.set_len(length) }
    }
}

/// The path of the record in `directory`.
#[must_use]
pub fn record_of(directory: &Path) -> PathBuf {
    directory.join(RECORD)
}

impl MatchDirectory {
    /// Begins a match in `directory`, where there is none.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn begin(directory: &Path, header: MatchHeader) -> Result<Self> {
        let name = directory.display();
        fs::create_dir_all(directory).with_context(|| format!("cannot make the directory `{name}`"))?;
        let path = record_of(directory);
        let file = File::create(&path).with_context(|| format!("cannot open `{}`", path.display()))?;
        let writer = Writer::new(file, &header).with_context(|| format!("`{}`", path.display()))?;
        Ok(Self { directory: directory.to_owned(), header, games: Vec::new(), writer })
    }

    /// The match of these games in `directory`, in place of one that is there.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn replace(directory: &Path, header: MatchHeader, games: Vec<GameRecord>) -> Result<Self> {
        let name = directory.display();
        fs::create_dir_all(directory).with_context(|| format!("cannot make the directory `{name}`"))?;
        let writer = write_all(&record_of(directory), &header, &games)?;
        Ok(Self { directory: directory.to_owned(), header, games, writer })
    }

    /// Resumes a match found in `directory`, with a new `header` that differs at most by more rounds or a test.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn resume(directory: &Path, header: MatchHeader, found: SavedMatch) -> Result<Self> {
        let path = record_of(directory);
        let shown = path.display();
        let MatchHeader { program, started, .. } = found.header.clone();
        let header = MatchHeader { program, started, ..header };
        if header != found.header {
            found.rewrite(&path, &header).with_context(|| format!("cannot write `{shown}`"))?;
        }
        let mut file = open(&path)?;
        if header == found.header {
            found.mend_end(&mut file).with_context(|| format!("cannot write to `{shown}`"))?;
        }
        let writer = Writer::resume(file);
        Ok(Self { directory: directory.to_owned(), header, games: found.games, writer })
    }

    /// Adds a game and writes it at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: GameRecord) -> Result<()> {
        self.restore()?;
        let path = record_of(&self.directory);
        self.writer.append(&game).with_context(|| format!("`{}`", path.display()))?;
        self.games.push(game);
        Ok(())
    }

    /// Writes the record again if somebody has removed it meanwhile, as what is appended to a file without a name is lost.
    fn restore(&mut self) -> Result<()> {
        let path = record_of(&self.directory);
        if fs::exists(&path).unwrap_or(true) {
            return Ok(());
        }
        fs::create_dir_all(&self.directory)
            .with_context(|| format!("cannot make the directory `{}`", self.directory.display()))?;
        self.writer = write_all(&path, &self.header, &self.games)?;
        Ok(())
    }

    /// Writes PGN, figures, and the report, which is `page` with the match in it.
    ///
    /// # Errors
    /// If they cannot be written, or the page has no place for data.
    pub fn finish(mut self, page: &str, summary: &Summary) -> Result<()> {
        self.restore()?;
        self.write_summary(summary)?;
        let report = with_match(page, &self.header, &self.games, summary)?;
        self.games.sort_by_key(|game| game.game);
        let pgn: String = self.games.iter().map(|game| to_pgn(&self.header, game)).collect();
        self.write("games.pgn", &pgn)?;
        self.write("report.html", &report)
    }

    /// Writes the figures.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_summary(&self, summary: &Summary) -> Result<()> {
        self.write("summary.json", &(to_line(summary)? + "\n"))
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.directory.join(name);
        let written = replace(&path, |out| out.write_all(text.as_bytes()));
        written.with_context(|| format!("cannot write to `{}`", path.display()))
    }
}

/// Writes a record in place of the one at `path`, if there is one, and opens it for more games.
fn write_all(path: &Path, header: &MatchHeader, games: &[GameRecord]) -> Result<Writer<File>> {
    let mut lines = Writer::new(Vec::new(), header)?;
    games.iter().try_for_each(|game| lines.append(game))?;
    let written = replace(path, |out| out.write_all(&lines.into_inner()));
    written.with_context(|| format!("cannot write `{}`", path.display()))?;
    open(path).map(Writer::resume)
}

/// Opens a record for more games.
fn open(path: &Path) -> Result<File> {
    OpenOptions::new().append(true).open(path).with_context(|| format!("cannot open `{}`", path.display()))
}
