//! A file of results that is appended to line by line, so that an interrupted run can be resumed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The file, open for appending. Appended lines are in the file however the program ends.
pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Opens the file at `path`, or makes a new one, whose first line is `heading`; returns the lines that follow it.
    /// An incomplete last line is removed.
    ///
    /// # Errors
    /// If there is a file with another first line, which is left as it is, or it cannot be read or written.
    pub(crate) fn open(path: &Path, heading: &str) -> Result<(Self, Vec<String>)> {
        let text = read(path)?.unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let is_new = whole.is_empty() && heading.starts_with(&text);
        if !is_new {
            compare(path, &text, heading)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut opened = Self { path: path.to_owned(), file: file.with_context(|| writing(path))? };
        opened.act(|file| file.set_len(whole.len() as u64))?;
        if is_new {
            opened.append(heading)?;
        }
        Ok((opened, whole.lines().skip(1).map(str::to_owned).collect()))
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line, at once and in one piece.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn append(&mut self, line: &str) -> Result<()> {
        self.act(|file| file.write_all(format!("{line}\n").as_bytes()))
    }

    /// Flushes the file to the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.act(|file| file.sync_all())
    }

    fn act(&mut self, act: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
        act(&mut self.file).with_context(|| writing(&self.path))
    }
}

/// Checks that the file at `path` has `heading` as its first line.
///
/// # Errors
/// If it has another one, or cannot be read.
pub(crate) fn check(path: &Path, heading: &str) -> Result<()> {
    compare(path, &read(path)?.unwrap_or_default(), heading)
}

fn compare(path: &Path, text: &str, heading: &str) -> Result<()> {
    let found = text.lines().next().unwrap_or_default();
    if found == heading {
        return Ok(());
    }
    bail!("`{}` was made otherwise: it begins with `{found}`, expected `{heading}`", path.display())
}

/// The text of a file, if there is one.
fn read(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", path.display())),
    }
}

fn writing(path: &Path) -> String {
    format!("cannot write to `{}`", path.display())
}
