//! A file that grows by whole lines.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The file, open for appending. Appended lines are in the file however the program ends.
pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Opens the file at `path`, or makes it, and cuts it to its first `keep` bytes if that is given.
    pub(crate) fn open(path: &Path, keep: Option<u64>) -> Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut opened = Self { path: path.to_owned(), file: file.with_context(|| writing(path))? };
        keep.map_or(Ok(()), |keep| opened.act(|file| file.set_len(keep)))?;
        Ok(opened)
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
        self.act(|file| file.write_all(lines))
    }

    /// Flushes the file to the disk.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.act(|file| file.sync_all())
    }

    fn act(&mut self, act: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
        act(&mut self.file).with_context(|| writing(&self.path))
    }
}

fn writing(path: &Path) -> String {
    format!("cannot write to `{}`", path.display())
}
