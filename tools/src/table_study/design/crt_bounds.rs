//! Truncated keys and one bound, upper or lower, always replaced. Source: Pascal Pons, "Solving Connect 4", part 12; the
//! table has as many entries there as in part 11 (the release `part12`), twice as many only in later versions.

use anyhow::Result;
use plumb::board::{Position, Standard};
use plumb::score::{Score, max_score};

use super::crt::{PUBLISHED, Truncated};
use super::{Bound, Bounds, Design, Proof};
use crate::table_study::size::Size;

/// The table.
pub(in super::super) struct CrtBounds(Truncated);

/// The greatest score, and how many scores there are. Upper bounds are kept as 1 to [`SCORES`], from the least score up,
/// lower bounds as the numbers after those; 0 is none.
const MAX: Score = max_score::<Standard>();
const SCORES: Score = 2 * MAX + 1;

impl Design for CrtBounds {
    type Key = u64;
    const KEEPS_LOWER: bool = true;
    const ENTRY_BYTES: usize = Truncated::ENTRY_BYTES;
    const DEFAULT: Size = PUBLISHED;

    fn entries(size: Size) -> Result<usize> {
        Truncated::entries(size)
    }

    fn new(entries: usize) -> Result<Self> {
        Truncated::new(entries).map(Self)
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn key(position: &Position) -> u64 {
        position.key()
    }

    #[inline]
    fn probe(&mut self, key: u64) -> Bounds {
        match Score::from(self.0.get(key)) {
            0 => Bounds::UNKNOWN,
            value @ 1..=SCORES => Bounds { upper: value - MAX - 1, ..Bounds::UNKNOWN },
            value => Bounds { lower: value - SCORES - MAX - 1, ..Bounds::UNKNOWN },
        }
    }

    #[inline]
    fn store(&mut self, key: u64, proof: &Proof) {
        let value = match proof.bound {
            Bound::Upper(upper) => upper.clamp(-MAX, MAX) + MAX + 1,
            Bound::Lower(lower) => lower.clamp(-MAX, MAX) + MAX + 1 + SCORES,
        };
        self.0.put(key, value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_comes_back() {
        let entries = CrtBounds::entries(Size::Entries(1 << 17)).expect("exact");
        let mut table = CrtBounds::new(entries).expect("there is memory");
        assert_eq!(table.probe(5), Bounds::UNKNOWN);
        for score in -MAX..=MAX {
            for bound in [Bound::Upper(score), Bound::Lower(score)] {
                table.store(5, &Proof { bound, known: Bounds::UNKNOWN, empty: 20, nodes: 1 });
                assert_eq!(table.probe(5), Bounds::UNKNOWN.and(bound));
            }
        }
    }
}
