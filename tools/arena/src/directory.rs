//! Directory of a match: record, PGN, EPD, `summary.json` and report.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use crate::file::{replace_by, with_suffix};
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use crate::live::MAX_GAMES;
use crate::lock::{Lock, LockTaken};
use crate::page::with_match;
use crate::pgn::{to_epd, to_pgn};
use crate::record::file::{RecordReader, parse_game, to_line};
use crate::record::{GameRecord, MatchHeader, record_path};
use crate::results::MatchResults;
use crate::summary::{MatchState, Summary};

const NEW: &str = ".new";

const SUMMARY: &str = "summary.json";

const PGN: &str = "games.pgn";

const EPD: &str = "games.epd";

const REPORT: &str = "report.html";

/// Template and size of the page `report.html`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportPage<'a> {
    /// HTML template without match data.
    pub html: &'a str,
    /// Maximum number of games in the page, which shows the last games.
    pub games: usize,
}

/// Directory of a match, locked for this run.
pub struct LockedDirectory {
    path: PathBuf,
    /// Record that an earlier run left in the directory, if any.
    pub found: Option<RecordReader>,
    lock: Lock,
}

impl LockedDirectory {
    /// Locks the directory at `path`, and creates it if necessary. Without `force` it refuses to overwrite files in a
    /// directory without a match.
    pub fn open(path: &Path, force: bool) -> Result<Self> {
        ensure!(!path.is_file(), "`{}` is a file; give a directory as `--out`", path.display());
        let lock = Lock::take(&record_path(path), "--out")?;
        let found = find_match(path)?;
        if found.is_none() && !force {
            check_free(path)?;
        }
        Ok(Self { path: path.to_owned(), found, lock })
    }

    /// Writes the record with `header` and the games of earlier runs, and opens it for appending.
    pub(crate) fn begin(mut self, header: &MatchHeader) -> Result<MatchDirectory> {
        let found = self.found.take();
        self.begin_with(header, |out| match found {
            Some(mut found) => found.copy_last(usize::MAX, out),
            None => Ok(()),
        })
    }

    /// Like [`begin`](Self::begin), but `write_games` writes the games.
    pub(crate) fn begin_with(
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

fn check_free(directory: &Path) -> Result<()> {
    for name in [SUMMARY, PGN, EPD, REPORT] {
        let path = directory.join(name);
        if path.metadata().is_ok_and(|found| found.is_dir() || found.len() > 0) {
            bail!("`{}` is there already; `--force` overwrites it", path.display());
        }
    }
    Ok(())
}

pub(crate) struct MatchDirectory {
    path: PathBuf,
    lines: File,
    /// Second handle of the record, which can read it even after somebody removes the file.
    copy: File,
    lock: Lock,
}

impl MatchDirectory {
    pub(crate) fn append(&mut self, game: &GameRecord) -> Result<()> {
        self.restore()?;
        let written = self.lines.write_all(line(game)?.as_bytes());
        written.with_context(|| writing(&record_path(&self.path)))
    }

    /// Writes the record again if somebody removed the file: games appended to a removed file would
    /// be lost.
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

    pub(crate) fn write_summary(&self, summary: &Summary) -> Result<()> {
        let summary = line(summary)?;
        write(&self.path.join(SUMMARY), NEW, |out| out.write_all(summary.as_bytes()))
    }

    fn finish(mut self, summary: &Summary, page: ReportPage<'_>) -> Result<PathBuf> {
        self.restore()?;
        let mut record = read_match(&self.path)?;
        while record.next_game()?.is_some() {}
        write_reports(&self.path, &mut record, summary, page, NEW)
    }
}

/// Match after the last game of a run or a merge.
pub struct FinishedMatch {
    /// Results of all games.
    pub results: MatchResults,
    /// Contents of `summary.json`.
    pub summary: Summary,
    /// Path of the report, or why it could not be written. `None` without a directory.
    pub report: Option<Result<PathBuf>>,
}

impl FinishedMatch {
    /// Writes PGN, EPD, `summary.json` and report into the directory, if any.
    pub(crate) fn write(
        results: MatchResults,
        directory: Option<MatchDirectory>,
        page: ReportPage<'_>,
    ) -> Self {
        let summary = results.summary(results.final_state());
        let report = directory.map(|directory| directory.finish(&summary, page));
        Self { results, summary, report }
    }
}

/// Opens the match record in `directory`. `None` without a complete header.
pub(crate) fn find_match(directory: &Path) -> Result<Option<RecordReader>> {
    let path = record_path(directory);
    let file = match File::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(|| format!("cannot read `{}`", path.display()))?,
    };
    RecordReader::new(BufReader::new(file), &path)
}

/// Opens the match record in `directory`.
pub fn read_match(directory: &Path) -> Result<RecordReader> {
    find_match(directory)?.with_context(|| {
        format!("`{}`: there is no match; give the directory that `match --out` wrote", directory.display())
    })
}

pub(crate) fn results_of(record: &mut RecordReader) -> Result<MatchResults> {
    let mut results = MatchResults::new(&record.header);
    while let Some(game) = record.next_game()? {
        results.add(&game);
    }
    Ok(results)
}

/// Report page (HTML) of the match in `directory`.
pub fn page_of_match(directory: &Path, html: &str) -> Result<String> {
    let lock = lock_of_match(directory);
    let mut record = read_match(directory)?;
    let results = results_of(&mut record)?;
    let page = ReportPage { html, games: MAX_GAMES };
    page_of(&mut record, &results.summary(state_of(&lock, &results)), page)
}

/// Writes the report of a match, which another process may be playing.
pub fn write_report(directory: &Path, page: ReportPage<'_>) -> Result<FinishedMatch> {
    loop {
        let lock = lock_of_match(directory);
        let mut record = read_match(directory)?;
        let results = results_of(&mut record)?;
        let state = state_of(&lock, &results);
        let summary = results.summary(state);
        let is_running = state == MatchState::Running;
        // Needs another suffix for temporary files than the process that plays the match.
        let suffix = if is_running { format!(".{}{NEW}", std::process::id()) } else { NEW.to_owned() };
        let report = Some(Ok(write_reports(directory, &mut record, &summary, page, &suffix)?));
        // If the match has ended in the meantime, its final reports may be overwritten: writes them again.
        if is_running && lock_of_match(directory).is_ok() {
            continue;
        }
        return Ok(FinishedMatch { results, summary, report });
    }
}

fn lock_of_match(directory: &Path) -> Result<Lock> {
    Lock::take(&record_path(directory), "DIR")
}

/// State of a match. Callers must try to lock before they read `results`: the match could end in between.
fn state_of(lock: &Result<Lock>, results: &MatchResults) -> MatchState {
    let is_held = lock.as_ref().is_err_and(anyhow::Error::is::<LockTaken>);
    if is_held { MatchState::Running } else { results.final_state() }
}

fn page_of(record: &mut RecordReader, summary: &Summary, page: ReportPage<'_>) -> Result<String> {
    let mut games = Vec::new();
    record.copy_last(page.games, &mut games).context("cannot read the record again")?;
    with_match(page.html, &record.header, &String::from_utf8_lossy(&games), summary)
}

/// Writes `summary.json`, PGN, EPD and report. Concurrent processes need different suffixes for temporary files.
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

fn line(value: &impl Serialize) -> Result<String> {
    Ok(to_line(value)? + "\n")
}

fn write_record(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(File, File)> {
    write(path, NEW, content)?;
    let lines = OpenOptions::new().append(true).open(path).with_context(|| writing(path))?;
    let copy = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok((lines, copy))
}

fn write(
    path: &Path,
    suffix: &str,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    replace_by(path, &with_suffix(path, suffix), content).with_context(|| writing(path))
}

fn writing(path: &Path) -> String {
    format!("cannot write to `{}`", path.display())
}
