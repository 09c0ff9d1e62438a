//! The files in which shards leave what they have found.
//!
//! A heading, then a line for each position in the order in which they were solved: its canonical key in hexadecimal
//! digits, a blank, and its score.

use std::path::Path;

use anyhow::{Context, Result};
use plumb::score::Score;

use super::shard::Shard;
use crate::board_size::Size;
use crate::line_file::LineFile;

/// What a part is about.
pub(super) struct Heading {
    pub board: Size,
    pub plies: u32,
    pub shard: Shard,
    /// How many positions the whole shard has.
    pub count: usize,
}

impl Heading {
    /// The first line of the file.
    fn line(&self) -> String {
        let Self { board, plies, shard, count } = self;
        format!("# plumb-lab book build --board {board} --plies {plies} --shard {shard}: {count} positions")
    }
}

/// A part that grows. If the program ends, however that may be, all lines that were appended are there.
pub(super) struct Part(LineFile);

impl Part {
    /// Begins or resumes the part at `path`; returns the keys and scores that it has.
    ///
    /// # Errors
    /// If a file with another heading is there, one of its lines is malformed, or it cannot be read or written.
    pub(super) fn open(path: &Path, heading: &Heading) -> Result<(Self, Vec<(u64, Score)>)> {
        let (file, lines) = LineFile::open(path, &heading.line())?;
        let entries = lines.iter().zip(2..).map(|(line, number)| {
            parse(line)
                .with_context(|| format!("{}:{number}: `{line}`: expected a key and a score", path.display()))
        });
        let entries = entries.collect::<Result<_>>()?;
        Ok((Self(file), entries))
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, key: u64, score: Score) -> Result<()> {
        self.0.append(&format!("{key:x} {score}"))
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.0.sync()
    }
}

/// Reads an entry.
fn parse(line: &str) -> Option<(u64, Score)> {
    let (key, score) = line.split_once(' ')?;
    Some((u64::from_str_radix(key, 16).ok()?, score.parse().ok()?))
}
