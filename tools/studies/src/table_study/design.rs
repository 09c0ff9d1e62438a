//! The interface of a transposition table design to the search, and the list of designs.
//!
//! A new design is a type in `tables` that implements [`Design`], a variant of [`Kind`] and an arm in `solver::plain`.

mod tables;

use anyhow::{Context, Result};
use clap::ValueEnum;
use plumb::board::{Position, Standard, StaticGeometry};
use plumb::score::Score;
use serde::{Deserialize, Serialize};
pub(crate) use tables::{Bucketed, Cache, Crt, FullKey, PackedKey, TwoTables};

use plumb_lab::arguments::{MEGABYTE, Size};

/// Scores beyond all possible scores: the bounds of unknown positions.
const BEYOND: Score = Standard::CELLS as Score / 2 + 1;

/// Bounds of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Greatest proved lower bound.
    pub lower: Score,
    /// Least proved upper bound.
    pub upper: Score,
}

impl Bounds {
    /// The bounds of an unknown position.
    pub(crate) const UNKNOWN: Self = Self { lower: -BEYOND, upper: BEYOND };

    /// The intersection with another bound.
    #[inline]
    #[must_use]
    pub(crate) fn and(self, bound: Bound) -> Self {
        match bound {
            Bound::Lower(score) => Self { lower: self.lower.max(score), ..self },
            Bound::Upper(score) => Self { upper: self.upper.min(score), ..self },
        }
    }
}

/// The result of a null-window search: a bound on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The score is at least this.
    Lower(Score),
    /// The score is at most this.
    Upper(Score),
}

/// A transposition table for the plain search, which is compiled for each design.
pub(crate) trait Design: Sized {
    /// Place of a position, computed once for probe and store.
    type Key: Copy;

    /// Whether the table keeps lower bounds. If it does, the search follows Pons's part 12, else part 11.
    const KEEPS_LOWER: bool;

    /// Bytes per entry, with its share of lists and indices.
    const ENTRY_BYTES: usize;

    /// Default size; the published size if there is one.
    const DEFAULT: Size;

    /// Number of entries of a table of `size`, if the design can have that size.
    fn entries(size: Size) -> Result<usize> {
        Ok(size.entries(Self::ENTRY_BYTES))
    }

    /// An empty table. `entries` must come from [`entries`](Self::entries).
    fn new(entries: usize) -> Result<Self>;

    /// Removes all entries.
    fn clear(&mut self);

    /// Place of `position`.
    fn key(position: &Position) -> Self::Key;

    /// Stored bounds of a position.
    fn probe(&mut self, key: Self::Key) -> Bounds;

    /// Stores a proved `bound`. `known` are the bounds that the table had; `nodes` is the size of the search.
    fn store(&mut self, key: Self::Key, bound: Bound, known: Bounds, nodes: u64);
}

/// Designs of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// No table.
    #[default]
    None,
    /// Whole keys and one upper bound; a new entry always overwrites (Marlin).
    FullKey,
    /// Whole keys and one upper bound in 8 bytes; a new entry always overwrites (Pons, part 7).
    PackedKey,
    /// Truncated keys, exact by the Chinese remainder theorem, and one upper bound (Pons, part 11).
    CrtUpper,
    /// Like [`CrtUpper`](Self::CrtUpper), with an upper or a lower bound (Pons, part 12).
    CrtBounds,
    /// One `crt-upper` table for upper and one for lower bounds (Pons, part 12).
    TwoTables,
    /// A small cache that drops the least recently stored entry (a student's essay).
    Lru,
    /// Plumb's table: buckets of four, both bounds, least work replaced.
    Bucketed,
}

plumb_lab::display_by_value_name!(Kind);

/// A vector with `len` equal elements, if there is memory for it.
fn filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    let megabytes = len.saturating_mul(size_of::<T>()) / MEGABYTE;
    let reserved = elements.try_reserve_exact(len);
    reserved.with_context(|| format!("there is no memory for a table of {megabytes} MB"))?;
    elements.resize(len, value);
    Ok(elements)
}

/// No table.
pub(crate) struct NoTable;

impl Design for NoTable {
    type Key = ();
    const KEEPS_LOWER: bool = false;
    const ENTRY_BYTES: usize = 0;
    const DEFAULT: Size = Size::Entries(0);

    /// Every size means 0 entries.
    fn entries(_size: Size) -> Result<usize> {
        Ok(0)
    }

    fn new(_entries: usize) -> Result<Self> {
        Ok(Self)
    }

    fn clear(&mut self) {}

    #[inline]
    fn key(_position: &Position) {}

    #[inline]
    fn probe(&mut self, (): ()) -> Bounds {
        Bounds::UNKNOWN
    }

    #[inline]
    fn store(&mut self, (): (), _bound: Bound, _known: Bounds, _nodes: u64) {}
}

/// A divisor for keys of the standard board.
///
/// Compilers turn a division by a constant into a multiplication. Here the size is known only at run time, so this
/// type does it. With F = b + ⌈log2 d⌉ for keys below 2^b and M = ⌈2^F / d⌉, which is (2^F + e) / d with e < d, the
/// product k · M / 2^F exceeds k / d by k · e / (d · 2^F) < 1 / d, so ⌊k · M / 2^F⌋ = ⌊k / d⌋. Source: T. Granlund, P.
/// Montgomery, "Division by Invariant Integers using Multiplication", 1994.
struct Divisor {
    number: u64,
    multiplier: u64,
    shift: u32,
}

impl Divisor {
    /// `divisor` is from 1 to 2^60.
    fn new(divisor: usize) -> Self {
        let number = divisor as u64;
        assert!((1..=1 << 60).contains(&number), "{divisor} is no size of a table");
        let shift = Standard::KEY_BITS + number.next_power_of_two().ilog2();
        let multiplier = (1_u128 << shift).div_ceil(u128::from(number)) as u64;
        Self { number, multiplier, shift }
    }

    /// The remainder of a key of the standard board.
    #[inline]
    fn remainder(&self, key: u64) -> usize {
        debug_assert!(key < 1 << Standard::KEY_BITS);
        let quotient = ((u128::from(key) * u128::from(self.multiplier)) >> self.shift) as u64;
        (key - quotient * self.number) as usize
    }
}

#[cfg(test)]
mod tests {
    use plumb::mix::Random;

    use super::*;

    #[test]
    fn remainders_are_those_of_the_division() {
        let mut random = Random::new(1, 0);
        let last = (1_u64 << Standard::KEY_BITS) - 1;
        let large = [131_073_u64, (1 << 23) - 1, 1 << 23, 8_388_617, (1 << 31) + 11, 1 << 60];
        // 32-bit machines have no larger tables.
        for divisor in (1..200).chain(large.into_iter().filter_map(|large| usize::try_from(large).ok())) {
            let exact = Divisor::new(divisor);
            let divisor = divisor as u64;
            let near = [0, 1, divisor - 1, divisor, divisor + 1, last - 1, last, last / divisor * divisor];
            let beside = near.into_iter().chain([(last / divisor * divisor).saturating_sub(1)]);
            for key in beside.chain((0..1000).map(|_| random.next())).map(|key| key & last) {
                assert_eq!(exact.remainder(key) as u64, key % divisor, "{key} by {divisor}");
            }
        }
    }
}
