//! An output that grows block by block under another name, with a journal by which a run that was broken off is resumed.
//!
//! Beside `FILE.part` is `FILE.part.journal`: a first line with the settings of the run, then a line for each block, which
//! is written when the block is complete. What the part holds past the last line of the journal was being written when the
//! run ended, and is removed.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde_json::{Map, Value};

use super::format::Format;
use crate::line_file::LineFile;
use crate::output::with_suffix;
use crate::part_note::{self, PartNote, differences};
use crate::results::Shard;

/// How the first line of a journal begins.
const HEADING: &str = "# plumb-lab label ";

/// The settings on which the bytes of the output depend.
#[derive(Serialize)]
pub(super) struct Settings {
    /// The board; `None` for 7x6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    pub format: Format,
    pub out_format: Format,
    pub moves: bool,
    pub prefix: String,
    pub skip_bad: bool,
    pub shard: String,
    /// How many rows the input has; `None` for standard input.
    pub rows: Option<u64>,
    pub columns: Vec<String>,
}

impl Settings {
    /// The note of a shard of this run, of an input with this checksum. Its results have their size in bytes, as lines of
    /// CSV may be broken.
    ///
    /// # Errors
    /// None that can happen with these fields.
    pub(super) fn note(&self, shard: Shard, input: u64, progress: &Progress) -> Result<PartNote> {
        let mut settings = serde_json::to_value(self)?.as_object().cloned().unwrap_or_default();
        settings.remove("shard");
        settings.insert("input".to_owned(), format!("{input:016x}").into());
        let mut note = PartNote::new("label", shard, progress.rows as usize, settings);
        note.bytes = Some(progress.bytes);
        Ok(note)
    }
}

impl Serialize for Format {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How far the output is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Rows of this shard.
    pub rows: u64,
    /// How many of them are malformed.
    pub bad: u64,
    /// The size of the part in bytes.
    pub bytes: u64,
    /// The checksum of the input up to there.
    pub checksum: u64,
}

impl Progress {
    fn line(&self) -> String {
        let Self { rows, bad, bytes, checksum } = self;
        format!("{rows} {bad} {bytes} {checksum:016x}")
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let mut number = || words.next()?.parse().ok();
        let (rows, bad, bytes) = (number()?, number()?, number()?);
        let checksum = u64::from_str_radix(words.next()?, 16).ok()?;
        let progress = Self { rows, bad, bytes, checksum };
        (progress.line() == line).then_some(progress)
    }
}

/// The unfinished output. If the program ends, however that may be, all blocks that were appended are there.
pub(super) struct Part {
    /// The name it will have.
    complete: PathBuf,
    path: PathBuf,
    file: File,
    journal: LineFile,
}

impl Part {
    /// Opens the output at `complete`, perhaps a new one; returns how far it is, if anything was done.
    ///
    /// # Errors
    /// If a part is there that has other settings or does not fit its journal, or a file cannot be read or written.
    pub(super) fn open(complete: &Path, settings: &Settings) -> Result<(Self, Option<Progress>)> {
        let path = with_suffix(complete, ".part");
        let journal_path = with_suffix(&path, ".journal");
        let name = path.display();
        let settings = serde_json::to_value(settings)?;
        if path.exists() {
            compare(&path, &journal_path, &settings)?;
        } else {
            // It is left from a run whose part has got its name.
            remove(&journal_path)?;
        }
        let (journal, lines) = LineFile::open(&journal_path, &format!("{HEADING}{settings}"))?;
        let progress = lines.last().map(|line| {
            let place = || format!("{}:{}", journal_path.display(), lines.len() + 1);
            Progress::parse(line).with_context(|| format!("{}: `{line}` is no line of a journal", place()))
        });
        let progress = progress.transpose()?;
        let bytes = progress.unwrap_or_default().bytes;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.with_context(|| format!("cannot create `{name}`"))?;
        let found = file.metadata().with_context(|| format!("cannot read `{name}`"))?.len();
        ensure!(found >= bytes, "`{name}` has {found} bytes, expected at least {bytes} by its journal");
        Ok((Self { complete: complete.to_owned(), path, file, journal }, progress))
    }

    /// Removes what comes after `progress`: a block that was being written when the run ended.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn resume(&mut self, progress: &Progress) -> Result<()> {
        let end = self.file.set_len(progress.bytes).and_then(|()| self.file.seek(SeekFrom::End(0)));
        end.map(drop).with_context(|| format!("cannot write to `{}`", self.path.display()))
    }

    /// Where it is for now.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a block, after which the output is at `progress`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, block: &[u8], progress: &Progress) -> Result<()> {
        // What the journal tells of shall be on the disk before.
        let written = self.file.write_all(block).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write to `{}`", self.path.display()))?;
        self.journal.append(&progress.line())
    }

    /// Gives the file its name, beside which a shard has its note.
    ///
    /// # Errors
    /// If that cannot be done.
    pub(super) fn finish(self, note: Option<&PartNote>) -> Result<()> {
        note.map_or_else(|| part_note::remove(&self.complete), |note| note.write(&self.complete))?;
        fs::rename(&self.path, &self.complete)
            .with_context(|| format!("cannot create `{}`", self.complete.display()))?;
        remove(self.journal.path())
    }
}

/// Compares the settings of a part, which its journal begins with, with those of this run.
///
/// # Errors
/// Those that differ, or that there is no journal.
fn compare(part: &Path, journal: &Path, settings: &Value) -> Result<()> {
    let (name, journal_name) = (part.display(), journal.display());
    let mut line = String::new();
    match File::open(journal).and_then(|file| BufReader::new(file).read_line(&mut line)) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!(
                "`{name}` has no journal `{journal_name}`: it is not of `plumb-lab label`, or cannot be resumed"
            )
        }
        read => read.with_context(|| format!("cannot read `{journal_name}`"))?,
    };
    let found = line.trim_end().strip_prefix(HEADING).map(serde_json::from_str::<Map<String, Value>>);
    let (Some(Ok(found)), Some(settings)) = (found, settings.as_object()) else {
        bail!("`{journal_name}`:1: `{}`: expected `{HEADING}` and settings", line.trim_end())
    };
    let differences = differences(&found, settings);
    ensure!(
        differences.is_empty(),
        "`{name}` was begun with other settings: {differences}; remove it to begin anew"
    );
    Ok(())
}

/// Removes a file, which need not be there.
fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{}`", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_journal_reads_as_it_was_written() {
        let progress = Progress { rows: 16_384, bad: 2, bytes: 500_000, checksum: 0xabc };
        assert_eq!(progress.line(), "16384 2 500000 0000000000000abc");
        assert_eq!(Progress::parse(&progress.line()), Some(progress));
        for line in ["", "1 2 3", "1 2 3 4", "1 2 3 0000000000000abc 5", "01 2 3 0000000000000abc"] {
            assert_eq!(Progress::parse(line), None, "{line}");
        }
    }
}
