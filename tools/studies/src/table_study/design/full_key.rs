//! Whole keys and one upper bound, always replaced.
//!
//! Source: victoribironke/marlin, `transposition.hpp`. Its table has 2^23 entries of a 64-bit key and one byte, which
//! fill 16 bytes each, and the place is the key modulo that number. As it is a power of two, that is the low 23 bits of
//! the key: the three columns at the left and a part of the fourth decide, and positions that differ at the right
//! compete for one place.

use anyhow::Result;
use plumb::board::Position;
use plumb::score::Score;

use super::{Bound, Bounds, Design, Divisor, Proof, filled};
use crate::table_size::Size;

/// The table.
pub struct FullKey {
    entries: Vec<KeyedBound>,
    divisor: Divisor,
}

/// A position and its upper bound.
#[derive(Clone, Copy)]
struct KeyedBound {
    key: u64,
    upper: i8,
}

/// No position: its key has more bits than there are.
const EMPTY: KeyedBound = KeyedBound { key: u64::MAX, upper: 0 };

impl Design for FullKey {
    type Key = u64;
    const KEEPS_LOWER: bool = false;
    const ENTRY_BYTES: usize = size_of::<KeyedBound>();
    const DEFAULT: Size = Size::Entries(1 << 23);

    fn new(entries: usize) -> Result<Self> {
        Ok(Self { entries: filled(entries, EMPTY)?, divisor: Divisor::new(entries) })
    }

    fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    #[inline]
    fn key(position: &Position) -> u64 {
        position.key()
    }

    #[inline]
    fn probe(&mut self, key: u64) -> Bounds {
        let KeyedBound { key: found, upper } = self.entries[self.divisor.remainder(key)];
        if found == key { Bounds { upper: Score::from(upper), ..Bounds::UNKNOWN } } else { Bounds::UNKNOWN }
    }

    #[inline]
    fn store(&mut self, key: u64, proof: &Proof) {
        if let Bound::Upper(upper) = proof.bound {
            self.entries[self.divisor.remainder(key)] = KeyedBound { key, upper: upper as i8 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_stays_and_no_other_is_taken_for_it() {
        let mut table = FullKey::new(8).expect("there is memory");
        let mut store = |key, bound| {
            table.store(key, &Proof { bound, known: Bounds::UNKNOWN, nodes: 1 });
            [3, 11].map(|key| table.probe(key).upper)
        };
        let unknown = Bounds::UNKNOWN.upper;
        assert_eq!(store(3, Bound::Upper(-2)), [-2, unknown]);
        assert_eq!(store(11, Bound::Upper(0)), [unknown, 0]);
        assert_eq!(store(3, Bound::Lower(4)), [unknown, 0], "lower bounds are not kept");
    }
}
