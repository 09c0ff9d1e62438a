//! Standard output, the one place that writes to it, and files of results for other programs.

use std::fmt::Arguments;
use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

/// Prints a line at once.
///
/// # Errors
/// If nobody takes it.
pub(crate) fn print(line: Arguments<'_>) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Creates the file at `path`, or empties it.
///
/// # Errors
/// If that cannot be done; the path is named.
pub(crate) fn create(path: &Path) -> Result<BufWriter<File>> {
    File::create(path).map(BufWriter::new).with_context(|| format!("cannot create `{}`", path.display()))
}

/// Writes `text` to the file at `path`, in place of what it held.
///
/// # Errors
/// If that cannot be done; the path is named.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write to `{}`", path.display()))
}

/// A file for one JSON document, created before the work that it will tell of: a path that cannot be had is better
/// known then.
pub(crate) struct JsonFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl JsonFile {
    /// Creates the file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), file: create(path)? })
    }

    /// Writes the document, indented for people.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(mut self, document: &impl Serialize) -> Result<()> {
        serde_json::to_writer_pretty(&mut self.file, document)
            .map_err(std::io::Error::from)
            .and_then(|()| writeln!(self.file))
            .and_then(|()| self.file.flush())
            .with_context(|| format!("cannot write to `{}`", self.path.display()))
    }
}
