//! Measurements of a table design in one size, and the published figures for comparison.

use anyhow::{Context, Result, ensure};
use plumb_arena::file::Hasher;
use serde::{Deserialize, Serialize};

use super::design::Design;
use super::solver::{Mode, Search};
use plumb_lab::arguments::Size;
use plumb_lab::result_files::Row;
use plumb_lab::scored_positions::{ScoredPosition, Suite};

/// A row of `table-study.csv`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub search: Search,
    pub design: Design,
    pub entries: usize,
    pub bytes: usize,
    /// File name of the positions.
    pub suite: String,
    /// First digits of the SHA-256 hash of positions and scores.
    fingerprint: String,
    pub mode: Mode,
    pub positions: usize,
    pub nodes: u64,
    pub cpu_seconds: f64,
}

impl Record {
    /// A record without positions. `size` defaults to the published size.
    pub(crate) fn new(search: Search, design: Design, size: Option<Size>) -> Result<Self> {
        ensure!(
            search == Search::Plain || design == Design::Bucketed,
            "`--search plumb` has its own table only: ask for `--designs bucketed`, not {design}"
        );
        let entries = design.entries(size).with_context(|| design.to_string())?;
        let bytes = entries.saturating_mul(design.entry_bytes());
        Ok(Self { search, design, entries, bytes, ..Self::default() })
    }

    #[must_use]
    pub(crate) fn of(&self, suite: &Suite, mode: Mode) -> Self {
        let Suite { name, entries } = suite;
        let (suite, fingerprint, positions) = (name.clone(), fingerprint(entries), entries.len());
        Self { suite, fingerprint, mode, positions, ..self.clone() }
    }

    pub(crate) fn class(&self) -> &str {
        self.suite.strip_suffix(".txt").unwrap_or(&self.suite)
    }

    pub(crate) fn mean_seconds(&self) -> f64 {
        self.cpu_seconds / self.positions.max(1) as f64
    }

    pub(crate) fn mean_nodes(&self) -> f64 {
        self.nodes as f64 / self.positions.max(1) as f64
    }

    /// Thousands of nodes per second. `None` if nothing was measured.
    pub(crate) fn speed(&self) -> Option<f64> {
        let is_measured = self.nodes > 0 && self.cpu_seconds > 0.0;
        if is_measured { Some(self.nodes as f64 / self.cpu_seconds / 1e3) } else { None }
    }

    /// Mean seconds and nodes that Pascal Pons published for this design, size and class of positions.
    pub(crate) fn published(&self) -> Option<(f64, f64)> {
        let column = match (self.search, self.entries, self.design, self.mode) {
            (Search::Plain, ENTRIES, Design::CrtUpper, Mode::Strong) => 0,
            (Search::Plain, ENTRIES, Design::CrtUpper, Mode::Weak) => 1,
            (Search::Plain, ENTRIES, Design::CrtBounds, Mode::Strong) => 2,
            (Search::Plain, ENTRIES, Design::CrtBounds, Mode::Weak) => 3,
            _ => return None,
        };
        Some(PUBLISHED[self.place()?].1[column])
    }

    /// Index of the position file in [`PUBLISHED`].
    fn place(&self) -> Option<usize> {
        PUBLISHED.iter().position(|(fingerprint, _)| *fingerprint == self.fingerprint)
    }

    /// Deviation of the mean nodes from the published mean in per cent. `None` if not all positions were solved.
    pub(crate) fn deviation(&self) -> Option<f64> {
        let (_, nodes) = self.published()?;
        if self.positions != POSITIONS {
            return None;
        }
        Some((self.mean_nodes() / nodes - 1.0) * 100.0)
    }

    pub(crate) fn order(&self) -> impl Ord + use<> {
        let Self { search, design, entries, mode, positions, .. } = *self;
        let place = self.place().unwrap_or(PUBLISHED.len());
        (search, design, entries, mode, place, positions, self.suite.clone())
    }
}

impl Row for Record {
    /// Settings of a measurement. A resumed run skips measurements whose key is in the file.
    fn key(&self) -> String {
        let Self { search, design, entries, bytes, suite, fingerprint, mode, positions, .. } = self;
        format!("{search} {design} {entries} {bytes} {suite} {fingerprint} {mode} {positions}")
    }
}

fn fingerprint(positions: &[ScoredPosition]) -> String {
    let mut hasher = Hasher::default();
    for entry in positions {
        hasher.add(format!("{} {:?}\n", entry.moves, entry.score).as_bytes());
    }
    hasher.hex()[..16].to_owned()
}

/// Entries of Pascal Pons's tables.
pub(super) const ENTRIES: usize = 8_388_617;

pub(super) const POSITIONS: usize = 1000;

/// Mean seconds and mean nodes by [`fingerprint`] of the positions: part 11 strong and weak, part 12 strong and weak.
///
/// Source: Pascal Pons, "Solving Connect 4", the benchmarks of these parts.
const PUBLISHED: [(&str, [(f64, f64); 4]); 7] = [
    // Suite `end-easy`.
    ("59a86248bd60db6b", [(4.722e-6, 54.93), (3.407e-6, 31.46), (4.568e-6, 51.28), (3.217e-6, 29.36)]),
    // Suite `middle-easy`.
    ("2f51b5365f55e016", [(39.90e-6, 517.4), (52.21e-6, 618.8), (37.45e-6, 449.6), (47.73e-6, 532.7)]),
    // Suite `middle-medium`.
    ("e887e4bf7d8a3e45", [(3.736e-3, 48.45e3), (1.926e-3, 23.84e3), (3.212e-3, 39.9e3), (1.717e-3, 20.21e3)]),
    // Suite `begin-easy`.
    (
        "fbef65b967ff762c",
        [(275.5e-6, 3.693e3), (2.013e-3, 25.53e3), (254.6e-6, 3.298e3), (1.870e-3, 22.23e3)],
    ),
    // Suite `begin-medium`.
    (
        "baf31c972e113de8",
        [(113.4e-3, 1.459e6), (51.71e-3, 671.2e3), (96.63e-3, 1.201e6), (45.01e-3, 538.7e3)],
    ),
    // Suite `begin-hard`, and its first 100 positions.
    ("619587423827b0d5", BEGIN_HARD),
    ("64d9dd19da63dbc8", BEGIN_HARD),
];
const BEGIN_HARD: [(f64, f64); 4] = [(5.667, 72.49e6), (3.380, 42.09e6), (5.490, 65.92e6), (3.149, 38.12e6)];

#[cfg(test)]
mod tests {
    use super::*;

    impl Record {
        pub(crate) fn example(design: Design, entries: usize, suite: &str, mode: Mode) -> Self {
            let suite = Suite { name: suite.to_owned(), entries: Vec::new() };
            let blank = Self { design, entries, bytes: entries * 5, ..Self::default() }.of(&suite, mode);
            Self { positions: 1000, nodes: 54_000, cpu_seconds: 0.006, ..blank }
        }

        /// This record with the fingerprint of a published file.
        pub(crate) fn of_class(self, place: usize) -> Self {
            Self { fingerprint: PUBLISHED[place].0.to_owned(), ..self }
        }
    }

    #[test]
    fn a_unit_is_known_by_all_but_its_result() {
        let done = Record::example(Design::Lru, 1000, "end-easy.txt", Mode::Weak);
        assert_eq!(done.key(), "plain lru 1000 5000 end-easy.txt e3b0c44298fc1c14 weak 1000");
        assert_eq!(done.key(), Record { nodes: 0, cpu_seconds: 0.0, ..done.clone() }.key());
    }

    #[test]
    fn only_what_was_measured_alike_is_compared() {
        let whole = Record::example(Design::CrtUpper, ENTRIES, "a.txt", Mode::Strong).of_class(0);
        let deviation = whole.deviation().expect("all alike");
        assert!((deviation - (54.0 / 54.93 - 1.0) * 100.0).abs() < 1e-9, "{deviation}");
        assert_eq!(Record { entries: 1009, ..whole.clone() }.published(), None);
        assert_eq!(Record { design: Design::Bucketed, ..whole.clone() }.published(), None);
        assert_eq!(Record { search: Search::Plumb, ..whole }.published(), None);
        let hard = Record::example(Design::CrtBounds, ENTRIES, "a.txt", Mode::Weak).of_class(6);
        let hard = Record { positions: 100, ..hard };
        assert_eq!((hard.published(), hard.deviation()), (Some((3.149, 38_120_000.0)), None));
        let other = Record::example(Design::CrtUpper, ENTRIES, "end-easy.txt", Mode::Strong);
        assert_eq!(other.published(), None, "other positions in a file of this name");
    }
}
