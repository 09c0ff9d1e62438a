//! The directory of a match: the record, the games as PGN and EPD, the figures and the report.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use crate::file::{replace_by, with_suffix};
use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::live::MAX_GAMES;
use crate::lock::{Lock, LockTaken};
use crate::page::with_match;
use crate::pgn::{to_epd, to_pgn};
use crate::record::file::{RecordReader, parse_game, to_line};
use crate::record::{GameRecord, MatchHeader, record_path};
use crate::results::MatchResults;
use crate::summary::{MatchState, Summary};

/// The end of the name of an unfinished file.
const NEW: &str = ".new";

/// The file with the figures.
const SUMMARY: &str = "summary.json";

/// The file with the games as PGN.
const PGN: &str = "games.pgn";

/// The file with the final positions.
const EPD: &str = "games.epd";

/// The page with the match in it.
const REPORT: &str = "report.html";

/// The page of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportPage<'a> {
    /// The page without a match, as [`mod@page`](crate::page) expects it.
    pub html: &'a str,
    /// The page gets this number of last games.
    pub games: usize,
}

/// A directory that is locked for this run, and the match that was found there.
pub struct LockedDirectory {
    /// The path.
    pub path: PathBuf,
    /// The match in the directory, if there is one.
    pub found: Option<RecordReader>,
    lock: Lock,
}

impl LockedDirectory {
    /// Locks the directory at `path`, which is made if it does not exist.
    ///
    /// # Errors
    /// The errors of [`Lock::take`] and [`find_match`].
    pub fn open(path: &Path) -> Result<Self> {
        let lock = Lock::take(&record_path(path), "--out")?;
        Ok(Self { path: path.to_owned(), found: find_match(path)?, lock })
    }

    /// Refuses a directory without a match that has files which a match would overwrite.
    ///
    /// # Errors
    /// The name of the first of these files.
    pub fn check_free(&self) -> Result<()> {
        if self.found.is_some() {
            return Ok(());
        }
        for name in [SUMMARY, PGN, EPD, REPORT] {
            let path = self.path.join(name);
            if path.metadata().is_ok_and(|found| found.is_dir() || found.len() > 0) {
                bail!("`{}` is there already; `--force` overwrites it", path.display());
            }
        }
        Ok(())
    }

    /// Writes a record with the games that were read from the present one.
    ///
    /// # Errors
    /// The errors of [`Self::begin_with`].
    pub fn begin(mut self, header: &MatchHeader) -> Result<MatchDirectory> {
        let found = self.found.take();
        self.begin_with(header, |out| match found {
            Some(mut found) => found.copy_last(usize::MAX, out),
            None => Ok(()),
        })
    }

    /// Writes a record with the lines of `write_games` in place of the present one, and opens it for more games.
    ///
    /// # Errors
    /// The error of the system.
    pub fn begin_with(
        self,
        header: &MatchHeader,
        write_games: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<MatchDirectory> {
        let header = line(header)?;
        let (lines, copy) = write_record(&record_path(&self.path), |out| {
            out.write_all(header.as_bytes())?;
            write_games(out)
        })?;
        Ok(MatchDirectory { path: self.path, lines, copy, lock: self.lock })
    }
}

/// The directory of a match that this run plays.
pub struct MatchDirectory {
    path: PathBuf,
    /// The record, open for more games.
    lines: File,
    /// The record, open for reading: the only copy if somebody removes the file.
    copy: File,
    lock: Lock,
}

impl MatchDirectory {
    /// Appends a game to the record, and writes it immediately.
    ///
    /// # Errors
    /// The error of the system.
    pub fn append(&mut self, game: &GameRecord) -> Result<()> {
        self.restore()?;
        let written = self.lines.write_all(line(game)?.as_bytes());
        written.with_context(|| writing(&record_path(&self.path)))
    }

    /// Writes the record again if somebody has removed it: what is appended to a file without a name is lost.
    fn restore(&mut self) -> Result<()> {
        let path = record_path(&self.path);
        if fs::exists(&path).unwrap_or(true) {
            return Ok(());
        }
        self.lock.renew()?;
        let removed = &mut self.copy;
        (self.lines, self.copy) = write_record(&path, |out| {
            removed.rewind()?;
            io::copy(removed, out).map(drop)
        })?;
        Ok(())
    }

    /// Writes `summary.json`, also of a running match.
    ///
    /// # Errors
    /// The error of the system.
    pub fn write_summary(&self, summary: &Summary) -> Result<()> {
        let summary = line(summary)?;
        write(&self.path.join(SUMMARY), NEW, |out| out.write_all(summary.as_bytes()))
    }

    /// Writes PGN, EPD, figures and report; returns the path of the report.
    ///
    /// # Errors
    /// The error of the system.
    pub fn finish(mut self, summary: &Summary, page: ReportPage<'_>) -> Result<PathBuf> {
        self.restore()?;
        let mut record = read_match(&self.path)?;
        while record.next_game()?.is_some() {}
        write_reports(&self.path, &mut record, summary, page, NEW)
    }
}

/// The match in `directory`; `None` if there is none, or its header is not complete.
///
/// # Errors
/// If the header cannot be read.
pub fn find_match(directory: &Path) -> Result<Option<RecordReader>> {
    let path = record_path(directory);
    let file = match File::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(|| format!("cannot read `{}`", path.display()))?,
    };
    RecordReader::new(BufReader::new(file), &path)
}

/// The match in `directory`.
///
/// # Errors
/// If there is none, or the header cannot be read.
pub fn read_match(directory: &Path) -> Result<RecordReader> {
    find_match(directory)?
        .with_context(|| format!("cannot read `{}`: there is no match", record_path(directory).display()))
}

/// Reads all games of a record; returns their figures.
///
/// # Errors
/// A malformed game.
pub fn results_of(record: &mut RecordReader) -> Result<MatchResults> {
    let mut results = MatchResults::new(&record.header, &[]);
    while let Some(game) = record.next_game()? {
        results.add(&game);
    }
    Ok(results)
}

/// The page with the match in `directory` in it.
///
/// # Errors
/// The errors of [`read_match`].
pub fn page_of_match(directory: &Path, html: &str) -> Result<String> {
    let lock = lock_of_match(directory);
    let mut record = read_match(directory)?;
    let results = results_of(&mut record)?;
    let page = ReportPage { html, games: MAX_GAMES };
    page_of(&mut record, &results.summary(state_of(&lock, &results)), page)
}

/// Writes the report of the match in `directory`, which another process may be playing; returns the figures.
///
/// # Errors
/// If there is no match, or the files cannot be written.
pub fn write_report(directory: &Path, page: ReportPage<'_>) -> Result<(MatchResults, Summary)> {
    loop {
        let lock = lock_of_match(directory);
        let mut record = read_match(directory)?;
        let results = results_of(&mut record)?;
        let state = state_of(&lock, &results);
        let summary = results.summary(state);
        let is_running = state == MatchState::Running;
        // The process that plays the match writes the same files.
        let suffix = if is_running { format!(".{}{NEW}", std::process::id()) } else { NEW.to_owned() };
        write_reports(directory, &mut record, &summary, page, &suffix)?;
        // A match that has ended in the meantime has written its last reports, which these may have replaced.
        if is_running && lock_of_match(directory).is_ok() {
            continue;
        }
        return Ok((results, summary));
    }
}

/// Takes the lock of the match in `directory`, which fails while a process plays the match.
fn lock_of_match(directory: &Path) -> Result<Lock> {
    Lock::take(&record_path(directory), "DIR")
}

/// The state of a match with these results, which were read after the attempt to lock it. In the reverse order the match could
/// end between the two steps, and count as ended without its last games.
fn state_of(lock: &Result<Lock>, results: &MatchResults) -> MatchState {
    // Another error, as in a directory without write access, does not show whether the match is running.
    let is_held = lock.as_ref().is_err_and(anyhow::Error::is::<LockTaken>);
    if is_held { MatchState::Running } else { results.final_state() }
}

/// The page with the last games of a record that was read.
fn page_of(record: &mut RecordReader, summary: &Summary, page: ReportPage<'_>) -> Result<String> {
    let mut games = Vec::new();
    record.copy_last(page.games, &mut games).context("cannot read the record again")?;
    with_match(page.html, &record.header, &String::from_utf8_lossy(&games), summary)
}

/// Replaces PGN, EPD, figures and report of a record that was read; returns the path of the report. The names of unfinished
/// files end in `suffix`, which differs between processes that may write at the same time.
fn write_reports(
    directory: &Path,
    record: &mut RecordReader,
    summary: &Summary,
    page: ReportPage<'_>,
    suffix: &str,
) -> Result<PathBuf> {
    let figures = line(summary)?;
    let page = page_of(record, summary, page)?;
    write(&directory.join(SUMMARY), suffix, |out| out.write_all(figures.as_bytes()))?;
    write(&directory.join(PGN), suffix, |out| write_games(record, out, to_pgn))?;
    write(&directory.join(EPD), suffix, |out| write_games(record, out, to_epd))?;
    write(&directory.join(REPORT), suffix, |out| out.write_all(page.as_bytes()))?;
    Ok(directory.join(REPORT))
}

/// Writes the games of a record that was read, in the order of their numbers.
fn write_games(
    record: &mut RecordReader,
    out: &mut BufWriter<File>,
    text_of: fn(&MatchHeader, &GameRecord) -> String,
) -> io::Result<()> {
    for number in record.numbers() {
        let line = record.line_of(number)?;
        let game = parse_game(&record.header, &line).map_err(io::Error::other)?;
        out.write_all(text_of(&record.header, &game).as_bytes())?;
    }
    Ok(())
}

/// A header, a game or a summary as a line, with its end.
fn line(value: &impl Serialize) -> Result<String> {
    Ok(to_line(value)? + "\n")
}

/// Replaces the record at `path`, and opens it for more games and for reading.
fn write_record(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(File, File)> {
    write(path, NEW, content)?;
    let lines = OpenOptions::new().append(true).open(path).with_context(|| writing(path))?;
    let copy = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok((lines, copy))
}

/// Replaces a file, whose name ends in `suffix` until it is complete.
fn write(
    path: &Path,
    suffix: &str,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    replace_by(path, &with_suffix(path, suffix), content).with_context(|| writing(path))
}

/// The message of an error in writing to the file at `path`.
fn writing(path: &Path) -> String {
    format!("cannot write to `{}`", path.display())
}
