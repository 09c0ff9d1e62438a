//! Plumb's own table: buckets of four, both bounds in an entry, least work replaced. See `plumb::table`.
//!
//! The plain search takes no move from it, asks it at every node, and prefetches nothing, as with the other designs. It
//! is the one table here that asks the system for huge pages, which tells in the times, not in the nodes.

use anyhow::{Context, Result};
use plumb::board::Position;
use plumb::score::Score;
use plumb::table::{Table, TableEntry, TableKey};

use super::{Bounds, Design, Proof};
use crate::table_size::{MEGABYTE, Size};

/// The table.
pub struct Bucketed(Table);

impl Bucketed {
    /// The table itself, for Plumb's own search.
    pub fn table(&self) -> &Table {
        &self.0
    }
}

impl Design for Bucketed {
    type Key = TableKey;
    const KEEPS_LOWER: bool = true;
    const ENTRY_BYTES: usize = size_of::<u64>();
    const DEFAULT: Size = Size::Entries(1 << 23);

    /// Whole megabytes, at least one.
    fn entries(size: Size) -> Result<usize> {
        let bytes = size.entries(Self::ENTRY_BYTES).saturating_mul(Self::ENTRY_BYTES);
        Ok(bytes.div_ceil(MEGABYTE).max(1) * (MEGABYTE / Self::ENTRY_BYTES))
    }

    fn new(entries: usize) -> Result<Self> {
        let table = Table::new(entries * Self::ENTRY_BYTES / MEGABYTE);
        table.map(Self).context("there is no memory for the table")
    }

    fn clear(&mut self) {
        self.0.clear(1);
    }

    #[inline]
    fn key(position: &Position) -> TableKey {
        TableKey::of(position)
    }

    #[inline]
    fn probe(&mut self, key: TableKey) -> Bounds {
        self.0.probe(key).map_or(Bounds::UNKNOWN, |entry| Bounds {
            lower: Score::from(entry.lower),
            upper: Score::from(entry.upper),
        })
    }

    #[inline]
    fn store(&mut self, key: TableKey, proof: &Proof) {
        let Bounds { lower, upper } = proof.known.and(proof.bound);
        let work = proof.nodes.ilog2() as u8;
        self.0.store(key, TableEntry { lower: lower as i8, upper: upper as i8, best: None, work });
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bound;
    use super::*;

    #[test]
    fn both_bounds_are_kept() {
        let mut table = Bucketed::new(1 << 17).expect("a megabyte");
        let key = Bucketed::key(&Position::from_digits("4444").expect("legal"));
        for bound in [Bound::Upper(3), Bound::Lower(-1)] {
            let known = table.probe(key);
            table.store(key, &Proof { bound, known, nodes: 9 });
        }
        assert_eq!(table.probe(key), Bounds { lower: -1, upper: 3 });
    }
}
