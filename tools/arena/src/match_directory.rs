//! The directory of a match: its games as JSON lines and as PGN, and its report, a page.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use plumb::board::{BoardSize, Geometry};

use crate::page::with_match;
use crate::pgn::to_pgn;
use crate::record::file::{self, Writer};
use crate::record::{GameRecord, MatchHeader};
use crate::statistics::sprt::Sprt;
use crate::summary::{MatchState, Progress};

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
    /// The record, up to its last whole line.
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
        text.truncate(whole);
        if whole == 0 {
            return Ok(None);
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
        let new = path.with_extension("jsonl.new");
        let mut file = File::create(&new)?;
        Writer::new(&mut file, header)?;
        file.write_all(games)?;
        file.sync_all()?;
        Ok(fs::rename(&new, path)?)
    }
}

/// `page` with a match in it, the games of which stand in the order in which they ended; `planned` were to be played.
///
/// # Errors
/// If the page has no place for data.
pub fn match_page(
    page: &str,
    header: &MatchHeader,
    games: &[GameRecord],
    sprt: Option<&Sprt>,
    planned: usize,
) -> Result<String> {
    let mut progress = Progress::new(header, sprt.copied(), planned);
    for game in games {
        progress.add(game);
    }
    let is_over = games.len() >= planned || progress.is_decided();
    let state = if is_over { MatchState::Finished } else { MatchState::Interrupted };
    with_match(page, header, games, &progress.summary(state))
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
        let writer = Writer::new(file, &header)?;
        Ok(Self { directory: directory.to_owned(), header, games: Vec::new(), writer })
    }

    /// The match of these games in `directory`, in place of one that is there.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn replace(directory: &Path, header: MatchHeader, games: Vec<GameRecord>) -> Result<Self> {
        let name = directory.display();
        fs::create_dir_all(directory).with_context(|| format!("cannot make the directory `{name}`"))?;
        let path = record_of(directory);
        let write = || {
            let new = path.with_extension("jsonl.new");
            let mut writer = Writer::new(File::create(&new)?, &header)?;
            games.iter().try_for_each(|game| writer.append(game))?;
            fs::rename(&new, &path)?;
            anyhow::Ok(writer)
        };
        let writer = write().with_context(|| format!("cannot write `{}`", path.display()))?;
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
        let file = fs::OpenOptions::new().append(true).open(&path);
        let file = file.with_context(|| format!("cannot open `{shown}`"))?;
        if header == found.header {
            file.set_len(found.text.len() as u64).with_context(|| format!("cannot write to `{shown}`"))?;
        }
        let writer = Writer::resume(file);
        Ok(Self { directory: directory.to_owned(), header, games: found.games, writer })
    }

    /// Adds a game and writes it at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: GameRecord) -> Result<()> {
        self.writer.append(&game)?;
        self.games.push(game);
        Ok(())
    }

    /// Writes the PGN, and for the standard board the report: `page` with the match in it, `planned` games of which were to
    /// be played.
    ///
    /// # Errors
    /// If they cannot be written, or the page has no place for data.
    pub fn finish(mut self, page: &str, sprt: Option<&Sprt>, planned: usize) -> Result<()> {
        let is_standard = self.header.board()?.size() == BoardSize::STANDARD;
        let report =
            is_standard.then(|| match_page(page, &self.header, &self.games, sprt, planned)).transpose()?;
        self.games.sort_by_key(|game| game.game);
        let pgn: String = self.games.iter().map(|game| to_pgn(&self.header, game)).collect();
        self.write("games.pgn", &pgn)?;
        report.map_or(Ok(()), |report| self.write("report.html", &report))
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.directory.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write to `{}`", path.display()))
    }
}
