//! The only writer of standard output, and files of results.

use std::fmt::Arguments;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write, stdout};
#[cfg(unix)]
use std::os::{fd::AsFd, unix::fs::FileTypeExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use plumb_tools_common::file;
pub(crate) use plumb_tools_common::file::with_suffix;
use serde::Serialize;

use crate::exit::End;

/// Prints a line at once.
///
/// # Errors
/// If it cannot be written; [`End::Closed`] if the reader is gone.
pub(crate) fn print(line: Arguments<'_>) -> Result<()> {
    let mut out = stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if is_closed(&error) => Err(End::Closed.into()),
        result => result.context("cannot write to standard output"),
    }
}

/// Whether a write failed because the reader of the stream is gone.
fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::WriteZero)
}

/// Characters in a line of standard output: the width of the terminal, 40 at least, else 80.
pub(crate) fn width() -> usize {
    console::Term::stdout().size_checked().map_or(80, |(_, columns)| usize::from(columns).max(40))
}

/// Whether standard output is a pipe; false on systems that do not report it.
pub(crate) fn stdout_is_pipe() -> bool {
    #[cfg(unix)]
    {
        let metadata = stdout().as_fd().try_clone_to_owned().and_then(|file| File::from(file).metadata());
        metadata.is_ok_and(|metadata| metadata.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    false
}

/// A table: the headings, each as wide as its column and separated from the next by `|`, and a line for each row.
pub(crate) fn table(headings: &str, rows: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let line = |cells: Vec<String>| {
        let cells = headings.split('|').zip(cells);
        let cells = cells.map(|(heading, cell)| format!("{cell:>0$}", heading.chars().count()));
        cells.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    [headings.replace('|', " ")].into_iter().chain(rows.map(line)).collect()
}

/// A figure of a table; a dash where there is none.
pub(crate) fn or_dash<T>(figure: Option<T>, show: impl Fn(T) -> String) -> String {
    figure.map_or_else(|| "-".to_owned(), show)
}

/// The bytes of a file, if there is one.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        text => text.with_context(|| format!("cannot read `{}`", path.display())).map(Some),
    }
}

/// Writes `text` to the file at `path`, in place of what it held.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| writing(path))
}

/// Writes a new file in place of the one at `path`, if there is one: whatever happens meanwhile, there is the old one or
/// the new one, whole and on the disk.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<()> {
    file::replace(path, write).with_context(|| writing(path))
}

/// A file for results, opened or created before the work starts, so that a wrong path fails first. Writes are not buffered:
/// appended lines are in the file however the program ends.
pub(crate) struct OutputFile {
    path: PathBuf,
    file: File,
}

impl OutputFile {
    /// Opens the file at `path`, or makes it, and cuts it to its first `keep` bytes if that is given.
    pub(crate) fn open(path: &Path, keep: Option<u64>) -> Result<Self> {
        if let Some(keep) = keep {
            // Windows cuts no file that is open for appending.
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
            file.and_then(|file| file.set_len(keep)).with_context(|| writing(path))?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        Ok(Self { path: path.to_owned(), file: file.with_context(|| writing(path))? })
    }

    /// Makes or empties the file at `path`, which may be a pipe.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot create `{}`", path.display()))?;
        Ok(Self { path: path.to_owned(), file })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends whole lines, at once and in one piece.
    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<()> {
        self.file.write_all(lines).with_context(|| writing(&self.path))
    }

    /// Writes a JSON document, indented for people.
    pub(crate) fn write_json(mut self, document: &impl Serialize) -> Result<()> {
        self.append((serde_json::to_string_pretty(document)? + "\n").as_bytes())
    }

    /// Flushes the file to the disk.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.file.sync_all().with_context(|| writing(&self.path))
    }
}

/// The message of an error in writing to the file at `path`.
fn writing(path: &Path) -> String {
    format!("cannot write to `{}`", path.display())
}
