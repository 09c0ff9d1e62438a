//! The directory of a match: its games as JSON lines and as PGN, and its report, a page.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use plumb_arena::page::with_match;
use plumb_arena::pgn::to_pgn;
use plumb_arena::record::file::{MatchRecord, read, to_line};
use plumb_arena::record::{GameRecord, record_path};
use plumb_arena::results::MatchResults;
use plumb_arena::summary::{MatchState, Summary};
use plumb_tools_common::file::{replace_by, with_suffix};
use serde::Serialize;

use crate::exit::End;
use crate::output::{OutputFile, check_overwrite, read_if_there};
use crate::result_files::Lock;

/// The page as one file, built by `tools/web/build.sh`.
pub(crate) static PAGE: &str = include_str!("../../../web/dist/page.html");

/// The end of the name of an unfinished file.
pub(super) const NEW: &str = ".new";

/// The file with the figures.
const SUMMARY: &str = "summary.json";

/// The file with the games as PGN.
const PGN: &str = "games.pgn";

/// The page with the match in it.
const REPORT: &str = "report.html";

/// The directory of a match.
pub(crate) struct MatchDirectory {
    directory: PathBuf,
    record: MatchRecord,
    lines: OutputFile,
    lock: Lock,
}

/// The match in `directory`; `None` if there is none, or not even its first line is complete.
///
/// # Errors
/// If the record cannot be read.
pub(crate) fn find_match(directory: &Path) -> Result<Option<MatchRecord>> {
    let path = record_path(directory);
    let text = read_if_there(&path)?.unwrap_or_default();
    if !text.contains(&b'\n') {
        return Ok(None);
    }
    read(text.as_slice()).map(Some).with_context(|| format!("`{}`", path.display()))
}

/// Refuses a directory with files that a match would overwrite, unless `force` is set. The directory has no match yet.
///
/// # Errors
/// The sentence that names the first of these files.
pub(super) fn check_new_match(directory: &Path, force: bool) -> Result<()> {
    let reports = [SUMMARY, PGN, REPORT].map(|name| directory.join(name));
    check_overwrite(reports.iter().chain([&record_path(directory)]), force)
}

/// The match in `directory`.
///
/// # Errors
/// If there is none, or the record cannot be read.
pub(crate) fn read_match(directory: &Path) -> Result<MatchRecord> {
    find_match(directory)?
        .with_context(|| format!("cannot read `{}`: there is no match", record_path(directory).display()))
}

/// The page with the match in `directory` in it.
///
/// # Errors
/// The errors of [`read_match`].
pub(crate) fn page_of_match(directory: &Path) -> Result<String> {
    let lock = take_lock(directory);
    let record = read_match(directory)?;
    let results = MatchResults::new(&record.header, &record.games);
    with_match(PAGE, &record, &results.summary(state_of(&lock, &results)))
}

/// Takes the lock of the match in `directory`, which fails while a process plays the match.
pub(super) fn take_lock(directory: &Path) -> Result<Lock> {
    Lock::take(&record_path(directory), "DIR")
}

/// The state of a match after the games of `results`, which were read after its lock had been asked for. In the reverse
/// order the match could end in between, and count as ended without its last games.
pub(super) fn state_of(lock: &Result<Lock>, results: &MatchResults) -> MatchState {
    // The error of a lock that is held is an `End::Failure`; another error, as in a directory without write access,
    // says nothing of the match.
    let is_held = lock.as_ref().is_err_and(anyhow::Error::is::<End>);
    if is_held { MatchState::Running } else { results.final_state() }
}

impl MatchDirectory {
    /// Writes the whole record into `directory`, and opens it for the games to come. A record that is there is
    /// replaced: its games are in `record`, and a broken last line must go.
    pub(crate) fn begin(directory: &Path, record: MatchRecord, lock: Lock) -> Result<Self> {
        let lines = write_record(&record_path(directory), &record)?;
        Ok(Self { directory: directory.to_owned(), record, lines, lock })
    }

    /// Adds a game and writes it at once.
    pub(crate) fn append(&mut self, game: GameRecord) -> Result<()> {
        self.restore()?;
        self.lines.append(line(&game)?.as_bytes())?;
        self.record.games.push(game);
        Ok(())
    }

    /// Writes the record again if somebody has removed it meanwhile, as what is appended to a file without a name is lost.
    fn restore(&mut self) -> Result<()> {
        let path = record_path(&self.directory);
        if !fs::exists(&path).unwrap_or(true) {
            self.lock.renew()?;
            self.lines = write_record(&path, &self.record)?;
        }
        Ok(())
    }

    /// Writes the figures, also of a match that goes on.
    pub(crate) fn write_summary(&self, summary: &Summary) -> Result<()> {
        write(&self.directory.join(SUMMARY), &line(summary)?, NEW)
    }

    /// Writes PGN, figures and report; returns the path of the report.
    pub(crate) fn finish(mut self, summary: &Summary) -> Result<PathBuf> {
        self.restore()?;
        write_reports(&self.directory, self.record, summary, NEW)
    }
}

/// Writes PGN, figures and report of a match, in place of those that are there; returns the path of the report. Unfinished
/// files have `suffix` at the end of their names: [`NEW`] for the holder of the lock, another one for each process
/// beside it.
pub(crate) fn write_reports(
    directory: &Path,
    mut record: MatchRecord,
    summary: &Summary,
    suffix: &str,
) -> Result<PathBuf> {
    let report = with_match(PAGE, &record, summary)?;
    // For the PGN only: the page has the order of the record.
    record.games.sort_by_key(|game| game.game);
    let pgn: String = record.games.iter().map(|game| to_pgn(&record.header, game)).collect();
    for (name, text) in [(SUMMARY, line(summary)?), (PGN, pgn), (REPORT, report)] {
        write(&directory.join(name), &text, suffix)?;
    }
    Ok(directory.join(REPORT))
}

/// A header, a game or a summary as a line, with its end.
fn line(value: &impl Serialize) -> Result<String> {
    Ok(to_line(value)? + "\n")
}

/// Writes a record in place of the one at `path`, if there is one, and opens it for more games.
fn write_record(path: &Path, record: &MatchRecord) -> Result<OutputFile> {
    let mut text = line(&record.header)?;
    for game in &record.games {
        text += &line(game)?;
    }
    write(path, &text, NEW)?;
    OutputFile::open(path, None)
}

/// Writes a file as a whole, in place of one that is there; with `suffix` at the end of its name until it is complete.
fn write(path: &Path, text: &str, suffix: &str) -> Result<()> {
    let written = replace_by(path, &with_suffix(path, suffix), |out| out.write_all(text.as_bytes()));
    written.with_context(|| format!("cannot write to `{}`", path.display()))
}
