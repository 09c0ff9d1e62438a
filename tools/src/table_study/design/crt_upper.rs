//! Truncated keys and one upper bound, always replaced. Source: Pascal Pons, "Solving Connect 4", part 11.

use anyhow::Result;
use plumb::board::{Position, Standard};
use plumb::score::{Score, max_score};

use super::crt::{PUBLISHED, Truncated};
use super::{Bound, Bounds, Design, Proof};
use crate::table_study::size::Size;

/// The table.
pub(in super::super) struct CrtUpper(Truncated);

/// The greatest score. An upper bound is kept as its distance from the least score and one more, so 0 is none.
const MAX: Score = max_score::<Standard>();

impl Design for CrtUpper {
    type Key = u64;
    const KEEPS_LOWER: bool = false;
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
        match self.0.get(key) {
            0 => Bounds::UNKNOWN,
            value => Bounds { upper: Score::from(value) - MAX - 1, ..Bounds::UNKNOWN },
        }
    }

    #[inline]
    fn store(&mut self, key: u64, proof: &Proof) {
        if let Bound::Upper(upper) = proof.bound {
            self.0.put(key, (upper.clamp(-MAX, MAX) + MAX + 1) as u8);
        }
    }
}
