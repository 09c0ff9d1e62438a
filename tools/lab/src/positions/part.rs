//! A file that grows line by line under another name, and gets its own when it is complete.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use plumb_studies::scored_positions::board_of_heading;

use crate::line_file::{self, LineFile};

/// The unfinished file. If the program ends, however that may be, all lines that were appended are there.
pub(super) struct Part {
    file: LineFile,
    /// The name it will have.
    complete: PathBuf,
}

/// What is there when the work begins.
pub(super) enum Found {
    /// The file as it should become.
    Complete,
    /// An unfinished one, perhaps new, and the lines that it has after its heading.
    Unfinished(Part, Vec<String>),
}

/// Begins or resumes the file at `path`, whose first line is `heading`, which says how it is made.
///
/// # Errors
/// If the file, or an unfinished one, is there with another heading, or cannot be read or written.
pub(super) fn open(path: &Path, heading: &str) -> Result<Found> {
    if path.exists() {
        check_board(path, heading)?;
        line_file::check(path, heading)?;
        return Ok(Found::Complete);
    }
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".part");
    let unfinished = Path::new(&unfinished);
    check_board(unfinished, heading)?;
    let (file, lines) = LineFile::open(unfinished, heading)?;
    Ok(Found::Unfinished(Part { file, complete: path.to_owned() }, lines))
}

/// Fails if the file at `path` is there and has the heading of another board.
fn check_board(path: &Path, heading: &str) -> Result<()> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let found = text.lines().next().and_then(board_of_heading);
    match (found, board_of_heading(heading)) {
        (Some(found), Some(expected)) if found != expected => bail!(
            "`{}` has positions of {found}, not of {expected}: give `--board {found}`, or another `--out`",
            path.display()
        ),
        _ => Ok(()),
    }
}

impl Part {
    /// Where it is for now.
    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, line: &str) -> Result<()> {
        self.file.append(line)
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If that cannot be done.
    pub(super) fn finish(mut self) -> Result<()> {
        // What has the name shall also be on the disk.
        self.file.sync()?;
        fs::rename(self.file.path(), &self.complete)
            .with_context(|| format!("cannot create `{}`", self.complete.display()))
    }
}
