//! The files in which shards leave what they have found.
//!
//! A heading, then a line for each position in the order in which they were solved: its canonical key in hexadecimal
//! digits, a blank, and its score, or the column, from 0, of a move that keeps it, or the columns of a line of such moves,
//! written together as digits of base 36. Now and then there is a line `# 60.2 s`: the processor time that was spent since
//! the last such line, or since the work was taken up.

use std::fmt::Display;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::board_size::BookSize;
use crate::line_file::LineFile;
use crate::results::Shard;

/// How a heading begins, up to the board.
const COMMAND: &str = "# plumb-lab book build --board ";
/// What comes after the shard if the part holds moves.
const MOVES: &str = " --moves";
/// What comes after the shard if the part holds lines, up to the stones that they begin with.
const LINES: &str = " --lines ";

/// The most stones that the positions may have: there are 158,000,000 of them on the standard board.
pub(super) const MAX_PLIES: u32 = 16;

/// What was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Scores,
    Moves,
    /// Lines from all positions with so many stones.
    Lines(u32),
}

/// What a part is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub board: BookSize,
    pub plies: u32,
    pub shard: Shard,
    pub what: What,
    /// How many positions the whole shard has.
    pub count: usize,
}

impl Heading {
    /// The first line of the file.
    fn line(&self) -> String {
        let Self { board, plies, shard, what, count } = self;
        let what = match what {
            What::Scores => String::new(),
            What::Moves => MOVES.to_owned(),
            What::Lines(from) => format!("{LINES}{from}"),
        };
        format!("{COMMAND}{board} --plies {plies} --shard {shard}{what}: {count} positions")
    }

    /// Reads the first line of a file.
    fn parse(line: &str) -> Option<Self> {
        let (arguments, count) = line.strip_prefix(COMMAND)?.split_once(": ")?;
        let (arguments, what) = if let Some(rest) = arguments.strip_suffix(MOVES) {
            (rest, What::Moves)
        } else if let Some((rest, from)) = arguments.split_once(LINES) {
            (rest, What::Lines(from.parse().ok()?))
        } else {
            (arguments, What::Scores)
        };
        let (board, rest) = arguments.split_once(" --plies ")?;
        let (plies, shard) = rest.split_once(" --shard ")?;
        let count = count.strip_suffix(" positions")?.parse().ok()?;
        let heading = Self {
            board: board.parse().ok()?,
            plies: plies.parse().ok()?,
            shard: shard.parse().ok()?,
            what,
            count,
        };
        let from = if let What::Lines(from) = what { from } else { 0 };
        // Nothing but what is written is read.
        (heading.line() == line && heading.plies.max(from) <= MAX_PLIES).then_some(heading)
    }
}

/// What is in a part, whose values are a `V`: a score, a column or the columns of a line.
#[derive(Debug)]
pub(super) struct Content<V> {
    /// Keys with their values.
    pub entries: Vec<(u64, V)>,
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
    pub(super) fn open<V: FromStr>(path: &Path, heading: &Heading) -> Result<(Self, Content<V>)> {
        let (file, lines) = LineFile::open(path, &heading.line())?;
        let content = content(path, lines.iter().map(String::as_str))?;
        Ok((Self(file), content))
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, key: u64, value: impl Display) -> Result<()> {
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

/// A part that was read.
pub(super) struct Whole<'a> {
    path: &'a Path,
    pub heading: Heading,
    text: String,
}

impl<'a> Whole<'a> {
    /// Reads the part at `path`.
    ///
    /// # Errors
    /// If it is no part, or cannot be read.
    pub(super) fn read(path: &'a Path) -> Result<Self> {
        let name = path.display();
        let bytes = fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
        let text = String::from_utf8(bytes).unwrap_or_default();
        let Some(heading) = text.lines().next().and_then(Heading::parse) else {
            bail!("`{name}` is no part of a book: its first line is not one of `plumb-lab book build`");
        };
        Ok(Self { path, heading, text })
    }

    /// Its content.
    ///
    /// # Errors
    /// If it is not complete, or a line is malformed.
    pub(super) fn content<V: FromStr>(&self) -> Result<Content<V>> {
        // A last line that was broken off is none.
        let whole = self.text.rfind('\n').map_or("", |end| &self.text[..end]);
        let content = content(self.path, whole.lines().skip(1))?;
        let (found, count) = (content.entries.len(), self.heading.count);
        if found < count {
            bail!("`{}` is not complete: it has {found} of {count} positions", self.path.display());
        }
        Ok(content)
    }
}

/// Reads the lines after the heading.
fn content<'a, V: FromStr>(path: &Path, lines: impl Iterator<Item = &'a str>) -> Result<Content<V>> {
    let mut content = Content { entries: Vec::new(), time: Duration::ZERO };
    for (line, number) in lines.zip(2..) {
        match parse(line) {
            Some(Line::Entry(key, value)) => content.entries.push((key, value)),
            Some(Line::Time(time)) => content.time = content.time.saturating_add(time),
            None => {
                bail!("{}:{number}: `{line}`: expected a key and a score, column or line", path.display())
            }
        }
    }
    Ok(content)
}

/// A line after the heading.
#[derive(Debug, PartialEq)]
enum Line<V> {
    Entry(u64, V),
    Time(Duration),
}

fn parse<V: FromStr>(line: &str) -> Option<Line<V>> {
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
    use crate::book::lines::Columns;

    #[test]
    fn a_heading_reads_as_it_was_written() {
        let shard = "2/8".parse().expect("a shard");
        let heading = Heading {
            board: "7x6".parse().expect("a board"),
            plies: 12,
            shard,
            what: What::Scores,
            count: 525_112,
        };
        let line = "# plumb-lab book build --board 7x6 --plies 12 --shard 2/8: 525112 positions";
        assert_eq!(heading.line(), line);
        assert_eq!(Heading::parse(line), Some(heading));
        for (what, told) in [(What::Moves, "2/8 --moves"), (What::Lines(8), "2/8 --lines 8")] {
            let other = Heading { what, ..heading };
            assert_eq!(other.line(), line.replace("2/8", told));
            assert_eq!(Heading::parse(&other.line()), Some(other));
        }
        for other in ["", "# plumb-lab", &line[1..], &line.replace("12", "012"), &line.replace("2/8", "9/8")]
        {
            assert_eq!(Heading::parse(other), None, "{other}");
        }
        // More stones than a layer may have would take forever to enumerate.
        for other in [line.replace("12", "17"), line.replace("2/8", "2/8 --lines 17")] {
            assert_eq!(Heading::parse(&other), None, "{other}");
        }
    }

    #[test]
    fn times_that_cannot_be_true_are_no_fault() {
        let lines = ["# 18000000000000000000 s", "# 18000000000000000000 s"];
        let content = content::<i32>(Path::new("part"), lines.into_iter()).expect("two times");
        assert_eq!((content.entries.len(), content.time), (0, Duration::MAX));
        assert!(content.time.as_secs_f64() > 1e19);
    }

    #[test]
    fn a_line_is_a_key_and_a_value_or_a_time() {
        assert_eq!(parse("2a54 -3"), Some(Line::Entry(0x2a54, -3)));
        assert_eq!(parse("2a54 30a"), Some(Line::Entry(0x2a54, Columns(vec![3, 0, 10]))));
        assert_eq!(parse::<i32>("# 60.2 s"), Some(Line::Time(Duration::from_millis(60_200))));
        for line in ["", "2a54", "2a54 x", "2a5g 1", "2a54 1 1", "# 60.2", "#60.2 s", "# -1 s", "# NaN s"] {
            assert_eq!(parse::<i32>(line), None, "{line}");
        }
        assert_eq!(parse::<Columns>("2a54 3-"), None);
    }
}
