//! A unit of the work that is done: a design in a size, a suite and a mode; a line of the file from which it goes on.

use std::cmp::Ordering;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::design::Kind;
use super::published::{CLASSES, ENTRIES, POSITIONS, Published, published};
use super::setup::Setup;
use super::solver::{Mode, Search};
use crate::scored_positions::ScoredPosition;

/// The result of a unit of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The search.
    pub search: Search,
    /// The name of a design.
    design: String,
    /// The entries of the table.
    pub entries: usize,
    /// Memory of the table in bytes.
    pub bytes: usize,
    /// The name of the file of positions.
    pub suite: String,
    /// The positions and scores by their [`fingerprint`], in hexadecimal digits.
    fingerprint: String,
    /// Exact scores, or who wins.
    pub mode: Mode,
    /// How many positions were solved.
    pub positions: usize,
    /// Of all positions together, and so the time, which is that of the processor.
    pub nodes: u64,
    /// Processor time of all positions together.
    pub cpu_seconds: f64,
}

impl Record {
    /// The names of the fields, as they stand in the first line of the file.
    pub const HEADING: &str =
        "search,design,entries,bytes,suite,fingerprint,mode,positions,nodes,cpu_seconds";

    /// A unit of which nothing is done yet.
    #[must_use]
    pub fn new(setup: &Setup, suite: &str, positions: &[ScoredPosition], mode: Mode) -> Self {
        Self {
            search: setup.search,
            design: setup.design.to_string(),
            entries: setup.entries,
            bytes: setup.bytes,
            suite: suite.to_owned(),
            fingerprint: format!("{:016x}", fingerprint(positions)),
            mode,
            positions: positions.len(),
            nodes: 0,
            cpu_seconds: 0.0,
        }
    }

    /// Whether this is the same unit as another one, whatever came of it.
    #[must_use]
    pub fn is_same_unit(&self, other: &Self) -> bool {
        let result = |record: &Self| Self { nodes: 0, cpu_seconds: 0.0, ..record.clone() };
        result(self) == result(other)
    }

    /// The design.
    ///
    /// # Errors
    /// If there is none of this name, which [`parse`](Self::parse) finds out.
    pub fn kind(&self) -> Result<Kind> {
        match Kind::from_str(&self.design, false) {
            Ok(kind) => Ok(kind),
            Err(_) => bail!("`{}` is not a design", self.design),
        }
    }

    /// The class of positions that the suite is named after.
    #[must_use]
    pub fn class(&self) -> &str {
        self.suite.strip_suffix(".txt").unwrap_or(&self.suite)
    }

    /// Mean processor time of a position, in seconds.
    #[must_use]
    pub fn mean_seconds(&self) -> f64 {
        self.cpu_seconds / self.positions.max(1) as f64
    }

    /// Mean nodes of a position.
    #[must_use]
    pub fn mean_nodes(&self) -> f64 {
        self.nodes as f64 / self.positions.max(1) as f64
    }

    /// Thousands of nodes a second, where there was anything to do.
    #[must_use]
    pub fn speed(&self) -> Option<f64> {
        (self.nodes > 0 && self.cpu_seconds > 0.0).then(|| self.nodes as f64 / self.cpu_seconds / 1e3)
    }

    /// What is published of this design in this size about the class that the suite is named after.
    #[must_use]
    pub fn published(&self) -> Option<Published> {
        let comparable = self.search == Search::Plain && self.entries == ENTRIES;
        published(self.kind().ok().filter(|_| comparable)?, self.mode, self.class())
    }

    /// By how many per cent the nodes deviate from the published ones, where all positions were solved.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        let published = self.published().filter(|_| self.positions == POSITIONS)?;
        Some((self.mean_nodes() / published.nodes - 1.0) * 100.0)
    }

    /// Reads a line of the file.
    ///
    /// # Errors
    /// The fault in the text.
    pub fn parse(line: &str) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let record: Option<Self> = reader.deserialize().next().and_then(Result::ok);
        let record = record.with_context(|| format!("`{line}`: expected {}", Self::HEADING))?;
        record.kind()?;
        Ok(record)
    }

    /// The line of the file.
    ///
    /// # Errors
    /// None that can happen with these fields.
    pub fn line(&self) -> Result<String> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize(self)?;
        let line = String::from_utf8(writer.into_inner()?)?;
        Ok(line.trim_end().to_owned())
    }

    /// The order of the tables: searches, designs, sizes, modes, and suites as they are published.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        let place = |record: &Self| {
            CLASSES.iter().position(|class| *class == record.class()).unwrap_or(CLASSES.len())
        };
        let key = |record: &Self| {
            (record.search, record.kind().ok(), record.entries, record.mode, place(record), record.positions)
        };
        key(self).cmp(&key(other)).then_with(|| self.suite.cmp(&other.suite))
    }
}

/// A number that tells one list of positions and scores from another: FNV-1a over their lines (G. Fowler, L. Noll,
/// K. Vo).
fn fingerprint(positions: &[ScoredPosition]) -> u64 {
    positions
        .iter()
        .flat_map(|entry| format!("{} {:?}\n", entry.moves, entry.score).into_bytes())
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What might have come of a unit.
    pub(crate) fn record(design: Kind, entries: usize, suite: &str, mode: Mode) -> Record {
        let setup = Setup { search: Search::Plain, design, entries, bytes: entries * 5 };
        let blank = Record::new(&setup, suite, &[], mode);
        Record { positions: 1000, nodes: 54_000, cpu_seconds: 0.006, ..blank }
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let written = record(Kind::CrtUpper, 8_388_617, "end-easy.txt", Mode::Strong);
        let line = written.line().expect("it can be written");
        assert_eq!(
            line,
            "plain,crt-upper,8388617,41943085,end-easy.txt,cbf29ce484222325,strong,1000,54000,0.006"
        );
        assert_eq!(line.split(',').count(), Record::HEADING.split(',').count());
        assert_eq!(Record::parse(&line).expect("well formed"), written);
        let said = |line: &str| Record::parse(line).expect_err("malformed").to_string();
        assert_eq!(said("plain"), format!("`plain`: expected {}", Record::HEADING));
        assert_eq!(said(&line.replace("crt-upper", "crt")), "`crt` is not a design");
    }

    #[test]
    fn a_unit_is_known_by_all_but_its_result() {
        let done = record(Kind::Lru, 1000, "end-easy.txt", Mode::Weak);
        assert!(done.is_same_unit(&Record { nodes: 0, cpu_seconds: 0.0, ..done.clone() }));
        assert!(!done.is_same_unit(&Record { entries: 1001, ..done.clone() }));
        assert!(!done.is_same_unit(&Record { fingerprint: "0".to_owned(), ..done.clone() }));
        assert!(!done.is_same_unit(&record(Kind::Lru, 1000, "end-easy.txt", Mode::Strong)));
    }

    #[test]
    fn only_what_was_measured_alike_is_compared() {
        let whole = record(Kind::CrtUpper, ENTRIES, "end-easy.txt", Mode::Strong);
        let deviation = whole.deviation().expect("all alike");
        assert!((deviation - (54.0 / 54.93 - 1.0) * 100.0).abs() < 1e-9, "{deviation}");
        let part = Record { positions: 100, ..whole.clone() };
        assert!(part.published().is_some() && part.deviation().is_none());
        assert_eq!(record(Kind::CrtUpper, 1009, "end-easy.txt", Mode::Strong).published(), None);
        assert_eq!(record(Kind::Bucketed, ENTRIES, "end-easy.txt", Mode::Strong).published(), None);
        assert_eq!(Record { search: Search::Plumb, ..whole }.published(), None);
    }
}
