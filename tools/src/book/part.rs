//! The files in which shards leave what they have found.
//!
//! A heading, then a line for each position in the order in which they were solved: its canonical key in hexadecimal
//! digits, a blank, and its score, or the column, from 0, of a move that keeps it. Now and then there is a line
//! `# 60.2 s`: the processor time that was spent since the last such line, or since the work was taken up.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::board_size::Size;
use crate::line_file::LineFile;
use crate::shard::Shard;

/// How a heading begins, up to the board.
const COMMAND: &str = "# plumb-lab book build --board ";
/// What it ends with before the count if the part holds moves.
const MOVES: &str = " --moves";

/// What a part is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub board: Size,
    pub plies: u32,
    pub shard: Shard,
    /// Whether moves were looked for, and not scores.
    pub moves: bool,
    /// How many positions the whole shard has.
    pub count: usize,
}

impl Heading {
    /// The first line of the file.
    fn line(&self) -> String {
        let Self { board, plies, shard, moves, count } = self;
        let moves = if *moves { MOVES } else { "" };
        format!("{COMMAND}{board} --plies {plies} --shard {shard}{moves}: {count} positions")
    }

    /// Reads the first line of a file.
    fn parse(line: &str) -> Option<Self> {
        let (arguments, count) = line.strip_prefix(COMMAND)?.split_once(": ")?;
        let (arguments, moves) =
            arguments.strip_suffix(MOVES).map_or((arguments, false), |rest| (rest, true));
        let (board, rest) = arguments.split_once(" --plies ")?;
        let (plies, shard) = rest.split_once(" --shard ")?;
        let count = count.strip_suffix(" positions")?.parse().ok()?;
        let heading = Self {
            board: board.parse().ok()?,
            plies: plies.parse().ok()?,
            shard: shard.parse().ok()?,
            moves,
            count,
        };
        // Nothing but what is written is read.
        (heading.line() == line).then_some(heading)
    }
}

/// What is in a part.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Keys, and scores or columns.
    pub entries: Vec<(u64, i32)>,
    /// Processor time that they took, as far as it was told.
    pub time: Duration,
}

/// A part that grows. If the program ends, however that may be, all lines that were appended are there.
pub(super) struct Part(LineFile);

impl Part {
    /// Begins or resumes the part at `path`; returns what is there already.
    ///
    /// # Errors
    /// If a file with another heading is there, one of its lines is malformed, or it cannot be read or written.
    pub(super) fn open(path: &Path, heading: &Heading) -> Result<(Self, Content)> {
        let (file, lines) = LineFile::open(path, &heading.line())?;
        let content = content(path, lines.iter().map(String::as_str))?;
        Ok((Self(file), content))
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, key: u64, value: i32) -> Result<()> {
        self.0.append(&format!("{key:x} {value}"))
    }

    /// Appends what processor time the work has taken since this was last told.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append_time(&mut self, time: Duration) -> Result<()> {
        self.0.append(&format!("# {:.1} s", time.as_secs_f64()))
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.0.sync()
    }
}

/// Whether the file at `path` is a part.
///
/// # Errors
/// If it cannot be read.
pub(super) fn is_part(path: &Path) -> Result<bool> {
    let name = path.display();
    let mut line = Vec::new();
    let file = fs::File::open(path).with_context(|| format!("cannot read `{name}`"))?;
    // No heading is as long as that.
    let result = BufReader::new(file.take(200)).read_until(b'\n', &mut line);
    result.with_context(|| format!("cannot read `{name}`"))?;
    Ok(str::from_utf8(&line).is_ok_and(|line| Heading::parse(line.trim_end()).is_some()))
}

/// Reads the part at `path`, which must be complete.
///
/// # Errors
/// If it is not, one of its lines is malformed, it is no part, or it cannot be read.
pub(super) fn read(path: &Path) -> Result<(Heading, Content)> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
    let text = str::from_utf8(&bytes).unwrap_or_default();
    let Some(heading) = text.lines().next().and_then(Heading::parse) else {
        bail!("`{name}` is no part of a book: its first line is not one of `plumb-lab book build`");
    };
    // A last line that was broken off is none.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let content = content(path, whole.lines().skip(1))?;
    let (found, count) = (content.entries.len(), heading.count);
    if found < count {
        bail!("`{name}` is not complete: it has {found} of {count} positions");
    }
    Ok((heading, content))
}

/// Reads the lines after the heading.
fn content<'a>(path: &Path, lines: impl Iterator<Item = &'a str>) -> Result<Content> {
    let mut content = Content::default();
    for (line, number) in lines.zip(2..) {
        match parse(line) {
            Some(Line::Entry(key, value)) => content.entries.push((key, value)),
            Some(Line::Time(time)) => content.time += time,
            None => bail!("{}:{number}: `{line}`: expected a key and a score or column", path.display()),
        }
    }
    Ok(content)
}

/// A line after the heading.
#[derive(Debug, PartialEq)]
enum Line {
    Entry(u64, i32),
    Time(Duration),
}

fn parse(line: &str) -> Option<Line> {
    if let Some(time) = line.strip_prefix("# ") {
        let seconds = time.strip_suffix(" s")?.parse().ok()?;
        return Duration::try_from_secs_f64(seconds).ok().map(Line::Time);
    }
    let (key, value) = line.split_once(' ')?;
    Some(Line::Entry(u64::from_str_radix(key, 16).ok()?, value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_reads_as_it_was_written() {
        let shard = "2/8".parse().expect("a shard");
        let heading = Heading {
            board: "7x6".parse().expect("a board"),
            plies: 12,
            shard,
            moves: false,
            count: 525_112,
        };
        let line = "# plumb-lab book build --board 7x6 --plies 12 --shard 2/8: 525112 positions";
        assert_eq!(heading.line(), line);
        assert_eq!(Heading::parse(line), Some(heading));
        let with_moves = Heading { moves: true, ..heading };
        assert_eq!(with_moves.line(), line.replace("2/8", "2/8 --moves"));
        assert_eq!(Heading::parse(&with_moves.line()), Some(with_moves));
        for other in ["", "# plumb-lab", &line[1..], &line.replace("12", "012"), &line.replace("2/8", "9/8")]
        {
            assert_eq!(Heading::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_line_is_a_key_and_a_score_or_a_time() {
        assert_eq!(parse("2a54 -3"), Some(Line::Entry(0x2a54, -3)));
        assert_eq!(parse("# 60.2 s"), Some(Line::Time(Duration::from_millis(60_200))));
        for line in ["", "2a54", "2a54 x", "2a5g 1", "2a54 1 1", "# 60.2", "#60.2 s", "# -1 s", "# NaN s"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
