//! The files in which shards leave what they have found.
//!
//! A header, then a row for each position in the order in which they were solved: its canonical key in hexadecimal digits;
//! its score, or the column, from 0, of a move that keeps it, or the columns of a line of such moves, written together as
//! digits of base 36; and now and then the processor time that was spent since the last row that tells it, or since the
//! work was taken up.

use std::fmt::{self, Display};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use plumb::book::BookBoard;
use serde::{Deserialize, Serialize};

use crate::result_files::{self, Header, Row, Shard};

/// The kind of the header.
pub(super) const KIND: &str = "book build";

/// The line of the first row, below the header and the names of the columns.
const FIRST_ROW: usize = 3;

/// The most stones that the positions may have: there are about 110,000,000 of them on the standard board.
pub(super) const MAX_PLIES: u32 = 16;

/// What was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum What {
    Scores,
    Moves,
    /// Lines from all positions with so many stones.
    Lines(u32),
}

impl Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scores => f.write_str("scores"),
            Self::Moves => f.write_str("moves"),
            Self::Lines(from) => write!(f, "lines from {from}"),
        }
    }
}

/// What a part is about, the settings in its header among it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Heading {
    #[serde(skip)]
    pub board: BookBoard,
    pub plies: u32,
    #[serde(skip)]
    pub shard: Shard,
    pub what: What,
    /// How many positions the whole shard has.
    #[serde(skip)]
    pub count: usize,
}

impl Heading {
    /// The header of the file, from its `beginning`: kind, program, and the contents of the book that moves and lines come from.
    pub(super) fn header(&self, beginning: Header) -> Result<Header> {
        beginning.on_board(self.board).of_shard(self.shard, self.count).with_settings(self)
    }

    /// The heading in a header; `None` if the header is not of a part.
    ///
    /// # Errors
    /// Settings of another version.
    fn of(header: &Header) -> Result<Option<Self>> {
        if header.kind != KIND {
            return Ok(None);
        }
        let found: Self = header.settings()?;
        let from = if let What::Lines(from) = found.what { from } else { 0 };
        let board = header.board.as_ref().and_then(|board| board.parse().ok());
        let (Some(board), Some(count)) = (board, header.results) else { return Ok(None) };
        let heading = Self { board, shard: header.shard, count: count as usize, ..found };
        Ok((found.plies.max(from) <= MAX_PLIES).then_some(heading))
    }
}

/// A row of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    key: String,
    value: String,
    cpu_seconds: Option<f64>,
}

impl Entry {
    /// A key and its value, with the processor time since this was last told.
    pub(super) fn new(key: u64, value: impl Display, time: Option<Duration>) -> Self {
        // Tenths of a second, as finer times are noise.
        let cpu_seconds = time.map(|time| (time.as_secs_f64() * 10.0).round() / 10.0);
        Self { key: format!("{key:x}"), value: value.to_string(), cpu_seconds }
    }
}

impl Row for Entry {
    const HAS_HEADER: bool = true;

    fn key(&self) -> String {
        self.key.clone()
    }
}

/// Keys with their values, each a score, a column or the columns of a line; and the processor time that they took, as far as
/// it was told.
pub(super) type Content<V> = (Vec<(u64, V)>, Duration);

/// A part that was read.
pub(super) struct ReadPart<'a> {
    pub path: &'a Path,
    pub header: Header,
    pub heading: Heading,
    entries: Vec<Entry>,
}

impl<'a> ReadPart<'a> {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// An unreadable file, a file without the header of a part, a malformed row.
    pub(super) fn read(path: &'a Path) -> Result<Self> {
        ensure!(path.is_file(), "cannot read `{}`: it is no file", path.display());
        let (header, entries) = result_files::read(path)?;
        let heading = Heading::of(&header).with_context(|| format!("`{}`", path.display()))?;
        let heading = heading.with_context(|| {
            format!("`{}` is no part of a book: its header is not of `plumb-lab {KIND}`", path.display())
        })?;
        Ok(Self { path, header, heading, entries })
    }

    /// Its content.
    ///
    /// # Errors
    /// If it is not complete, or a value is malformed.
    pub(super) fn content<V: FromStr>(&self) -> Result<Content<V>> {
        let (name, found, count) = (self.path.display(), self.entries.len(), self.heading.count);
        ensure!(found >= count, "`{name}` is not complete: it has {found} of {count} positions");
        content(self.path, &self.entries)
    }
}

/// Reads the keys, values and times of entries.
pub(super) fn content<V: FromStr>(path: &Path, entries: &[Entry]) -> Result<Content<V>> {
    let (mut values, mut sum) = (Vec::new(), Duration::ZERO);
    for (entry, number) in entries.iter().zip(FIRST_ROW..) {
        let parsed = u64::from_str_radix(&entry.key, 16).ok().zip(entry.value.parse().ok());
        let time = entry.cpu_seconds.map_or(Ok(Duration::ZERO), Duration::try_from_secs_f64);
        let (Some(parsed), Ok(time)) = (parsed, time) else {
            let Entry { key, value, .. } = entry;
            let name = path.display();
            bail!("{name}:{number}: `{key},{value}`: expected a key and a score, column or line")
        };
        values.push(parsed);
        sum = sum.saturating_add(time);
    }
    Ok((values, sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::lines::Columns;

    #[test]
    fn a_heading_reads_as_it_was_written() {
        let (board, shard) = ("7x6".parse().expect("a board"), "2/8".parse().expect("a shard"));
        for what in [What::Scores, What::Moves, What::Lines(8)] {
            let heading = Heading { board, plies: 12, shard, what, count: 525_112 };
            let read = |heading: Heading| {
                Heading::of(&heading.header(Header::new(KIND)).expect("a header")).expect("known settings")
            };
            assert_eq!(read(heading), Some(heading));
            // More stones than a layer may have would take forever to enumerate.
            assert_eq!(read(Heading { plies: 17, ..heading }), None);
        }
    }

    #[test]
    fn an_entry_is_a_key_and_a_value_and_perhaps_a_time() {
        fn read<V: FromStr>(value: &str, cpu_seconds: Option<f64>) -> Option<Content<V>> {
            let entry = || Entry { key: "2a54".to_owned(), value: value.to_owned(), cpu_seconds };
            content(Path::new("part"), &[entry(), entry()]).ok()
        }
        let found = read::<i32>("-3", Some(60.2));
        assert_eq!(found, Some((vec![(0x2a54, -3); 2], Duration::from_millis(120_400))));
        assert_eq!(read::<Columns>("30a", None).expect("well formed").0[0].1, Columns(vec![3, 0, 10]));
        assert!(read::<Columns>("3-", None).is_none() && read::<i32>("x", None).is_none());
        assert!(read::<i32>("1", Some(-1.0)).is_none() && read::<i32>("1", Some(f64::NAN)).is_none());
        // Times that cannot be true are no fault.
        assert_eq!(read::<i32>("1", Some(1.8e19)).expect("well formed").1, Duration::MAX);
    }
}
