//! Truncated keys and one bound, always replaced: Pons's two tables, which differ in whether lower bounds are kept.
//!
//! Source: Pascal Pons, "Solving Connect 4", part 11, which keeps upper bounds only, and part 12. The table has as many
//! entries in both (releases `part11` and `part12`), twice as many only in later versions.

use anyhow::Result;
use plumb::board::{Position, Standard, StaticGeometry};
use plumb::score::Score;

use super::truncated::{PUBLISHED, Truncated};
use super::{Bound, Bounds, Design, Proof};
use crate::table_size::Size;

/// The table, with lower bounds or without.
pub struct Crt<const LOWER: bool>(Truncated);

/// The greatest score, and how many scores there are. Upper bounds are kept as 1 to [`SCORES`], from the least score up,
/// lower bounds as the numbers after those; 0 is none.
const MAX: Score = (Standard::CELLS as Score - 5) / 2;
const SCORES: Score = 2 * MAX + 1;

impl<const LOWER: bool> Design for Crt<LOWER> {
    type Key = u64;
    const KEEPS_LOWER: bool = LOWER;
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
            value if !LOWER || value <= SCORES => Bounds { upper: value - MAX - 1, ..Bounds::UNKNOWN },
            value => Bounds { lower: value - SCORES - MAX - 1, ..Bounds::UNKNOWN },
        }
    }

    #[inline]
    fn store(&mut self, key: u64, proof: &Proof) {
        let value = match proof.bound {
            Bound::Upper(upper) => upper.clamp(-MAX, MAX) + MAX + 1,
            Bound::Lower(lower) if LOWER => lower.clamp(-MAX, MAX) + MAX + 1 + SCORES,
            Bound::Lower(_) => return,
        };
        self.0.put(key, value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_score_is_that_of_the_board() {
        assert_eq!(MAX, plumb::score::max_score(Standard::default()));
    }

    fn check<const LOWER: bool>() {
        let entries = Crt::<LOWER>::entries(Size::Entries(1 << 17)).expect("exact");
        let mut table = Crt::<LOWER>::new(entries).expect("there is memory");
        assert_eq!(table.probe(5), Bounds::UNKNOWN);
        for score in -MAX..=MAX {
            let upper = Bounds::UNKNOWN.and(Bound::Upper(score));
            let lower = Bounds::UNKNOWN.and(Bound::Lower(score));
            let kept = if LOWER { lower } else { upper };
            for (bound, expected) in [(Bound::Upper(score), upper), (Bound::Lower(score), kept)] {
                table.store(5, &Proof { bound, known: Bounds::UNKNOWN, nodes: 1 });
                assert_eq!(table.probe(5), expected);
            }
        }
    }

    #[test]
    fn every_bound_that_is_kept_comes_back() {
        check::<false>();
        check::<true>();
    }
}
