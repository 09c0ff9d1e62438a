//! The only writer of standard output, and files of results.

use std::fmt::Arguments;
use std::fs::File;
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
    std::fs::write(path, text).with_context(|| format!("cannot write to `{}`", path.display()))
}

/// Writes a new file in place of the one at `path`, if there is one: whatever happens meanwhile, there is the old one or
/// the new one, whole and on the disk.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<()> {
    file::replace(path, write).with_context(|| format!("cannot write to `{}`", path.display()))
}

/// A file for one document, created before the work, so that a wrong path fails first.
pub(crate) struct NewFile {
    path: PathBuf,
    file: File,
}

impl NewFile {
    /// Creates the file, or empties it.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot create `{}`", path.display()))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes the document.
    pub(crate) fn write(mut self, text: &str) -> Result<()> {
        let written = self.file.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write to `{}`", self.path.display()))
    }

    /// Writes a JSON document, indented for people.
    pub(crate) fn write_json(self, document: &impl Serialize) -> Result<()> {
        self.write(&(serde_json::to_string_pretty(document)? + "\n"))
    }
}
