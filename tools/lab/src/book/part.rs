//! Part files of `book build`.
//!
//! A row has the canonical key of a position in hexadecimal, and its value: a score, a column from 0, or the columns
//! of a line in base 36. Some rows have the CPU time since the previous row with a time.

use std::fmt::{self, Display};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use plumb::book::BookBoard;
use serde::{Deserialize, Serialize};

use crate::result_files::{self, Header, Row};

pub(super) const KIND: &str = "book build";

/// Line number of the first row, after the header and the names of the columns.
const FIRST_ROW: usize = 3;

/// Maximum number of stones of a layer: 7x6 has about 110,000,000 positions with 16 stones.
pub(super) const MAX_PLIES: u32 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum What {
    Scores,
    Moves,
    /// Lines of best moves from all positions with this number of stones.
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

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    pub plies: u32,
    pub what: What,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Entry {
    key: String,
    value: String,
    cpu_seconds: Option<f64>,
}

impl Entry {
    pub(super) fn new(key: u64, value: impl Display, time: Option<Duration>) -> Self {
        // Finer times than tenths of a second are noise.
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

pub(super) type Content<V> = (Vec<(u64, V)>, Duration);

pub(super) struct ReadPart<'a> {
    pub path: &'a Path,
    pub header: Header,
    pub board: BookBoard,
    pub plies: u32,
    pub what: What,
    /// Number of positions of the complete part file.
    count: u64,
    entries: Vec<Entry>,
}

impl<'a> ReadPart<'a> {
    pub(super) fn read(path: &'a Path) -> Result<Self> {
        let name = path.display();
        ensure!(path.is_file(), "cannot read `{name}`: it is not a file");
        let (header, entries) =
            result_files::read(path).context("expected a file of `plumb-lab book build`")?;
        let other = format!("`{name}` is not a part of a book: its header is not from `plumb-lab {KIND}`");
        ensure!(header.kind == KIND, "{other}");
        let Settings { plies, what } = header.settings().with_context(|| format!("`{name}`"))?;
        let from = if let What::Lines(from) = what { from } else { 0 };
        let board = header.board.as_ref().and_then(|board| board.parse().ok());
        match (board, header.results) {
            (Some(board), Some(count)) if plies.max(from) <= MAX_PLIES => {
                Ok(Self { path, header, board, plies, what, count, entries })
            }
            _ => bail!("{other}"),
        }
    }

    pub(super) fn content<V: FromStr>(&self) -> Result<Content<V>> {
        let (name, found, count) = (self.path.display(), self.entries.len(), self.count);
        ensure!(found as u64 >= count, "`{name}` is not complete: it has {found} of {count} positions");
        content(self.path, &self.entries)
    }
}

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
    fn the_header_of_a_part_has_its_settings() {
        let directory = crate::result_files::tests::Directory::new("part-header");
        let part = |plies, what| {
            let header = Header::new(KIND).on_board("7x6").of_shard("2/8".parse().expect("a shard"), 9);
            let header = header.with_settings(&Settings { plies, what }).and_then(|header| header.line());
            directory.file("part", &(header.expect("a header") + "\nkey,value,cpu_seconds\n"))
        };
        for what in [What::Scores, What::Moves, What::Lines(8)] {
            let path = part(12, what);
            let found = ReadPart::read(&path).expect("a part");
            assert_eq!((found.board, found.plies, found.what), ("7x6".parse().expect("a board"), 12, what));
            // Layers with so many stones would take forever to enumerate.
            let path = part(17, what);
            let error = ReadPart::read(&path).err().expect("too many stones").to_string();
            assert!(error.contains("is not a part of a book"), "{error}");
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
        // Too large a sum becomes the maximum.
        assert_eq!(read::<i32>("1", Some(1.8e19)).expect("well formed").1, Duration::MAX);
    }
}
