//! The files in which shards leave what they have found.
//!
//! A heading, then a line for each position in the order in which they were solved: its canonical key in hexadecimal
//! digits, a blank, and its score.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use plumb::score::Score;

use super::shard::Shard;
use crate::board_size::Size;
use crate::line_file::LineFile;

/// What a part is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// Reads the first line of a file.
    fn parse(line: &str) -> Option<Self> {
        let (arguments, count) = line.strip_prefix("# plumb-lab book build --board ")?.split_once(": ")?;
        let (board, rest) = arguments.split_once(" --plies ")?;
        let (plies, shard) = rest.split_once(" --shard ")?;
        let count = count.strip_suffix(" positions")?.parse().ok()?;
        let heading = Self {
            board: board.parse().ok()?,
            plies: plies.parse().ok()?,
            shard: shard.parse().ok()?,
            count,
        };
        // Nothing but what is written is read.
        (heading.line() == line).then_some(heading)
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

/// Reads the part at `path`, which must be complete.
///
/// # Errors
/// If it is not, one of its lines is malformed, it is no part, or it cannot be read.
pub(super) fn read(path: &Path) -> Result<(Heading, Vec<(u64, Score)>)> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
    let text = str::from_utf8(&bytes).unwrap_or_default();
    let Some(heading) = text.lines().next().and_then(Heading::parse) else {
        bail!("`{name}` is no part of a book: its first line is not one of `plumb-lab book build`");
    };
    // A last line that was broken off is none.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let entries = entries(path, whole.lines().skip(1))?;
    let (found, count) = (entries.len(), heading.count);
    if found < count {
        bail!("`{name}` is not complete: it has {found} of {count} positions");
    }
    Ok((heading, entries))
}

/// Reads the lines after the heading.
fn entries<'a>(path: &Path, lines: impl Iterator<Item = &'a str>) -> Result<Vec<(u64, Score)>> {
    let parse = |(line, number)| {
        parse(line)
            .with_context(|| format!("{}:{number}: `{line}`: expected a key and a score", path.display()))
    };
    lines.zip(2..).map(parse).collect()
}

/// Reads an entry.
fn parse(line: &str) -> Option<(u64, Score)> {
    let (key, score) = line.split_once(' ')?;
    Some((u64::from_str_radix(key, 16).ok()?, score.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_reads_as_it_was_written() {
        let shard = "2/8".parse().expect("a shard");
        let heading = Heading { board: "7x6".parse().expect("a board"), plies: 12, shard, count: 525_112 };
        let line = "# plumb-lab book build --board 7x6 --plies 12 --shard 2/8: 525112 positions";
        assert_eq!(heading.line(), line);
        assert_eq!(Heading::parse(line), Some(heading));
        for other in ["", "# plumb-lab", &line[1..], &line.replace("12", "012"), &line.replace("2/8", "9/8")]
        {
            assert_eq!(Heading::parse(other), None, "{other}");
        }
    }

    #[test]
    fn an_entry_is_a_key_and_a_score() {
        assert_eq!(parse("2a54 -3"), Some((0x2a54, -3)));
        for line in ["", "2a54", "2a54 x", "2a5g 1", "2a54 1 1"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
