//! The directory of a match: its games as JSON lines and as PGN, and its report, a page.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use plumb_arena::file::{replace_by, with_suffix};
use plumb_arena::live::MAX_GAMES;
use plumb_arena::page::with_match;
use plumb_arena::pgn::{to_epd, to_pgn};
use plumb_arena::record::file::{RecordReader, parse_game, to_line};
use plumb_arena::record::{GameRecord, MatchHeader, record_path};
use plumb_arena::results::MatchResults;
use plumb_arena::summary::{MatchState, Summary};
use serde::Serialize;

use crate::exit::End;
use crate::output::{OutputFile, check_overwrite};
use crate::result_files::Lock;

/// The page as one file, built by `tools/web/build.sh`.
pub(crate) static PAGE: &str = include_str!("../../../web/dist/page.html");

/// The end of the name of an unfinished file.
pub(super) const NEW: &str = ".new";

/// The file with the figures.
const SUMMARY: &str = "summary.json";

/// The file with the games as PGN.
const PGN: &str = "games.pgn";

/// The file with the final positions.
const EPD: &str = "games.epd";

/// The page with the match in it.
const REPORT: &str = "report.html";

/// The directory of a match.
pub(crate) struct MatchDirectory {
    directory: PathBuf,
    /// The record, open for more games.
    lines: OutputFile,
    /// The record, open for reading: the only copy if somebody removes the file.
    copy: File,
    lock: Lock,
}

/// The match in `directory`; `None` if there is none, or not even its first line is complete.
///
/// # Errors
/// If the header cannot be read.
pub(crate) fn find_match(directory: &Path) -> Result<Option<RecordReader>> {
    let path = record_path(directory);
    let file = match File::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(|| format!("cannot read `{}`", path.display()))?,
    };
    RecordReader::new(BufReader::new(file), &path)
}

/// Refuses a directory with files that a match would overwrite, unless `force` is set. The directory has no match yet.
///
/// # Errors
/// The sentence that names the first of these files.
pub(super) fn check_new_match(directory: &Path, force: bool) -> Result<()> {
    check_overwrite(&[SUMMARY, PGN, EPD, REPORT].map(|name| directory.join(name)), force)
}

/// The match in `directory`.
///
/// # Errors
/// If there is none, or the header cannot be read.
pub(crate) fn read_match(directory: &Path) -> Result<RecordReader> {
    find_match(directory)?
        .with_context(|| format!("cannot read `{}`: there is no match", record_path(directory).display()))
}

/// Reads all games of a record; returns their figures.
///
/// # Errors
/// A malformed game.
pub(crate) fn results_of(record: &mut RecordReader) -> Result<MatchResults> {
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
pub(crate) fn page_of_match(directory: &Path) -> Result<String> {
    let lock = lock_of_match(directory);
    let mut record = read_match(directory)?;
    let results = results_of(&mut record)?;
    page_of(&mut record, &results.summary(state_of(&lock, &results)), MAX_GAMES)
}

/// The page with the last `count` games of a record that was read.
fn page_of(record: &mut RecordReader, summary: &Summary, count: usize) -> Result<String> {
    let mut games = Vec::new();
    record.copy_last(count, &mut games).context("cannot read the record again")?;
    with_match(PAGE, &record.header, &String::from_utf8_lossy(&games), summary)
}

/// Takes the lock of the match in `directory`, which fails while a process plays the match.
pub(super) fn lock_of_match(directory: &Path) -> Result<Lock> {
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
    /// Writes a record into `directory`, and opens it for more games. `write_games` writes the lines of the games, and a
    /// record that is there is replaced.
    pub(crate) fn begin(
        directory: &Path,
        header: &MatchHeader,
        lock: Lock,
        write_games: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<Self> {
        let header = line(header)?;
        let (lines, copy) = write_record(&record_path(directory), |out| {
            out.write_all(header.as_bytes())?;
            write_games(out)
        })?;
        Ok(Self { directory: directory.to_owned(), lines, copy, lock })
    }

    /// Adds a game and writes it at once.
    pub(crate) fn append(&mut self, game: &GameRecord) -> Result<()> {
        self.restore()?;
        self.lines.append(line(game)?.as_bytes())
    }

    /// Writes the record again if somebody has removed it meanwhile, as what is appended to a file without a name is lost.
    fn restore(&mut self) -> Result<()> {
        let path = record_path(&self.directory);
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

    /// Writes the figures, also of a match that goes on.
    pub(crate) fn write_summary(&self, summary: &Summary) -> Result<()> {
        let summary = line(summary)?;
        write(&self.directory.join(SUMMARY), NEW, |out| out.write_all(summary.as_bytes()))
    }

    /// Writes PGN, EPD, figures and report; returns the path of the report.
    pub(crate) fn finish(mut self, summary: &Summary, report: &ReportFlags) -> Result<PathBuf> {
        self.restore()?;
        let mut record = read_match(&self.directory)?;
        while record.next_game()?.is_some() {}
        write_reports(&self.directory, &mut record, summary, report, NEW)
    }
}

/// The flags of a report.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ReportFlags {
    /// Put the last N games into the page `report.html`; the other files have all games. [default: 1000]
    #[arg(long, value_name = "N")]
    report_games: Option<usize>,
}

/// Writes PGN, EPD, figures and report of a record that was read, in place of those that are there; returns the path of the report.
/// Unfinished files have `suffix` at the end of their names: [`NEW`] for the holder of the lock, another one for each process
/// beside it.
pub(crate) fn write_reports(
    directory: &Path,
    record: &mut RecordReader,
    summary: &Summary,
    report: &ReportFlags,
    suffix: &str,
) -> Result<PathBuf> {
    let figures = line(summary)?;
    let page = page_of(record, summary, report.report_games.unwrap_or(MAX_GAMES))?;
    write(&directory.join(SUMMARY), suffix, |out| out.write_all(figures.as_bytes()))?;
    write(&directory.join(PGN), suffix, |out| write_games(record, out, to_pgn))?;
    write(&directory.join(EPD), suffix, |out| write_games(record, out, to_epd))?;
    write(&directory.join(REPORT), suffix, |out| out.write_all(page.as_bytes()))?;
    Ok(directory.join(REPORT))
}

/// Writes the games of a record that was read, each as `text_of` has it, in the order of their numbers.
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

/// Writes a record in place of the one at `path`, if there is one, and opens it for more games and for reading.
fn write_record(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(OutputFile, File)> {
    write(path, NEW, content)?;
    let copy = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok((OutputFile::open(path, None)?, copy))
}

/// Writes a file as a whole, in place of one that is there; with `suffix` at the end of its name until it is complete.
fn write(
    path: &Path,
    suffix: &str,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    let written = replace_by(path, &with_suffix(path, suffix), content);
    written.with_context(|| format!("cannot write to `{}`", path.display()))
}
