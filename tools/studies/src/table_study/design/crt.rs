//! Truncated keys and one bound, always replaced: Pons's two tables, which differ in whether lower bounds are kept.
//!
//! Source: Pascal Pons, "Solving Connect 4", part 11, which keeps upper bounds only, and part 12. The table has as many
//! entries in both (releases `part11` and `part12`), twice as many only in later versions.
//!
//! The keys are exact all the same. A key k is kept modulo 2^32 in the place k modulo S. If S is odd, it has no factor in
//! common with 2^32, so that by the Chinese remainder theorem place and kept key together determine k modulo S · 2^32; and
//! if that is not below 2^49, the number of keys of the 7x6 board, they determine k. In part 11, S is the next prime from
//! 2^23 on, and keys and values are in an array each, which makes five bytes an entry.

use anyhow::{Result, ensure};
use plumb::board::{Position, Standard, StaticGeometry};
use plumb::score::Score;

use super::{Bound, Bounds, Design, Divisor, Proof, filled};
use crate::table_size::Size;

/// A byte of a key's bound for each key, with lower bounds or without.
pub struct Crt<const LOWER: bool> {
    keys: Vec<u32>,
    /// 0 stands for none.
    values: Vec<u8>,
    divisor: Divisor,
}

/// The greatest score, and how many scores there are. Upper bounds are kept as 1 to [`SCORES`], from the least score up,
/// lower bounds as the numbers after those; 0 is none.
const MAX: Score = (Standard::CELLS as Score - 5) / 2;
const SCORES: Score = 2 * MAX + 1;

impl<const LOWER: bool> Design for Crt<LOWER> {
    type Key = u64;
    const KEEPS_LOWER: bool = LOWER;
    const ENTRY_BYTES: usize = size_of::<u32>() + size_of::<u8>();
    /// The published tables have 8,388,617 entries, the next prime from this number on.
    const DEFAULT: Size = Size::Entries(1 << 23);

    /// The next prime, as it spreads the keys best.
    fn entries(size: Size) -> Result<usize> {
        let entries = next_prime(size.entries(Self::ENTRY_BYTES));
        let least = 1_u64 << (Standard::KEY_BITS - u32::BITS);
        ensure!(is_exact(entries), "{size}: truncated keys need more than {least} entries");
        Ok(entries)
    }

    fn new(entries: usize) -> Result<Self> {
        assert!(is_exact(entries), "with {entries} entries one position may be taken for another");
        Ok(Self { keys: filled(entries, 0)?, values: filled(entries, 0)?, divisor: Divisor::new(entries) })
    }

    fn clear(&mut self) {
        self.keys.fill(0);
        self.values.fill(0);
    }

    #[inline]
    fn key(position: &Position) -> u64 {
        position.key()
    }

    #[inline]
    fn probe(&mut self, key: u64) -> Bounds {
        let place = self.divisor.remainder(key);
        match Score::from(self.values[place]) {
            value if value == 0 || self.keys[place] != key as u32 => Bounds::UNKNOWN,
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
        let place = self.divisor.remainder(key);
        self.keys[place] = key as u32;
        self.values[place] = value as u8;
    }
}

/// Whether no two keys of the standard board have the same remainder by `entries` and the same low 32 bits.
fn is_exact(entries: usize) -> bool {
    !entries.is_multiple_of(2) && (entries as u128) << u32::BITS >= 1 << Standard::KEY_BITS
}

/// The least prime that is not below `number`.
pub fn next_prime(number: usize) -> usize {
    let is_prime = |number: usize| (2..=number.isqrt()).all(|factor| !number.is_multiple_of(factor));
    // There is one before twice the number (Bertrand, Chebyshev).
    let number = number.max(2);
    (number..number.saturating_mul(2)).find(|&number| is_prime(number)).unwrap_or(number)
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

    #[test]
    fn the_published_sizes_are_exact() {
        assert_eq!(Crt::<true>::entries(Crt::<true>::DEFAULT).expect("exact"), 8_388_617);
        assert_eq!(Crt::<true>::entries(Size::Entries(1 << 24)).expect("exact"), 16_777_259);
        assert_eq!([0, 2, 8, 90, 8_388_617].map(next_prime), [2, 2, 11, 97, 8_388_617]);
    }

    #[test]
    fn the_condition_is_that_of_the_theorem() {
        assert!(is_exact((1 << 17) + 1));
        assert!(!is_exact((1 << 17) - 1), "too few");
        assert!(!is_exact(1 << 23), "even");
    }

    #[test]
    fn keys_that_share_a_place_or_a_kept_key_are_told_apart() {
        let entries = Crt::<false>::entries(Size::Entries(1 << 17)).expect("exact");
        let mut table = Crt::<false>::new(entries).expect("there is memory");
        let (key, unknown) = (0x1_2345_6789_ABCD, Bounds::UNKNOWN.upper);
        let put = |table: &mut Crt<false>, key, score| {
            table.store(key, &Proof { bound: Bound::Upper(score), known: Bounds::UNKNOWN, nodes: 1 });
        };
        let get = |table: &mut Crt<false>, key| table.probe(key).upper;
        put(&mut table, key, 7);
        assert_eq!(get(&mut table, key), 7);
        assert_eq!(get(&mut table, key ^ 1 << 40), unknown, "the same kept key");
        assert_eq!(get(&mut table, key - entries as u64), unknown, "the same place");
        put(&mut table, key - entries as u64, 8);
        assert_eq!([key, key - entries as u64].map(|key| get(&mut table, key)), [unknown, 8]);
        table.clear();
        assert_eq!(get(&mut table, key - entries as u64), unknown);
    }
}
