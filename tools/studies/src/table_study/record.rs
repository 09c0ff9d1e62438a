//! A unit of the work that is done: a design in a size, a suite and a mode; a line of the file from which it goes on.

use std::cmp::Ordering;

use plumb_tools_common::sha256::Hasher;
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
    /// The design of the table.
    pub design: Kind,
    /// The entries of the table.
    pub entries: usize,
    /// Memory of the table in bytes.
    pub bytes: usize,
    /// The name of the file of positions.
    pub suite: String,
    /// The first digits of the SHA-256 of the positions and scores.
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
    /// A unit of which nothing is done yet.
    pub fn new(setup: &Setup, suite: &str, positions: &[ScoredPosition], mode: Mode) -> Self {
        Self {
            search: setup.search,
            design: setup.design,
            entries: setup.entries,
            bytes: setup.bytes,
            suite: suite.to_owned(),
            fingerprint: fingerprint(positions),
            mode,
            positions: positions.len(),
            nodes: 0,
            cpu_seconds: 0.0,
        }
    }

    /// The unit, whatever came of it.
    pub fn unit(&self) -> String {
        let Self { search, design, entries, bytes, suite, fingerprint, mode, positions, .. } = self;
        format!("{search} {design} {entries} {bytes} {suite} {fingerprint} {mode} {positions}")
    }

    /// The class of positions that the suite is named after.
    pub fn class(&self) -> &str {
        self.suite.strip_suffix(".txt").unwrap_or(&self.suite)
    }

    /// Mean processor time of a position, in seconds.
    pub fn mean_seconds(&self) -> f64 {
        self.cpu_seconds / self.positions.max(1) as f64
    }

    /// Mean nodes of a position.
    pub fn mean_nodes(&self) -> f64 {
        self.nodes as f64 / self.positions.max(1) as f64
    }

    /// Thousands of nodes a second, where there was anything to do.
    pub fn speed(&self) -> Option<f64> {
        (self.nodes > 0 && self.cpu_seconds > 0.0).then(|| self.nodes as f64 / self.cpu_seconds / 1e3)
    }

    /// What is published of this design in this size about the class that the suite is named after.
    pub fn published(&self) -> Option<Published> {
        let comparable = self.search == Search::Plain && self.entries == ENTRIES;
        published(Some(self.design).filter(|_| comparable)?, self.mode, self.class())
    }

    /// By how many per cent the nodes deviate from the published ones, where all positions were solved.
    pub fn deviation(&self) -> Option<f64> {
        let published = self.published().filter(|_| self.positions == POSITIONS)?;
        Some((self.mean_nodes() / published.nodes - 1.0) * 100.0)
    }

    /// The order of the tables: searches, designs, sizes, modes, and suites as they are published.
    pub fn order(&self, other: &Self) -> Ordering {
        let place = |record: &Self| {
            CLASSES.iter().position(|class| *class == record.class()).unwrap_or(CLASSES.len())
        };
        let key = |record: &Self| {
            (record.search, record.design, record.entries, record.mode, place(record), record.positions)
        };
        key(self).cmp(&key(other)).then_with(|| self.suite.cmp(&other.suite))
    }
}

/// Tells one list of positions and scores from another.
fn fingerprint(positions: &[ScoredPosition]) -> String {
    let mut hasher = Hasher::default();
    for entry in positions {
        hasher.add(format!("{} {:?}\n", entry.moves, entry.score).as_bytes());
    }
    hasher.hex()[..16].to_owned()
}

#[cfg(test)]
pub(crate) mod tests;
