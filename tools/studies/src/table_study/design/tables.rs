//! The designs.

use anyhow::{Context, Result, ensure};
use plumb::board::{Position, Standard, StaticGeometry};
use plumb::score::Score;
use plumb::table::{Table, TableEntry};

use super::{Bound, Bounds, Design, Divisor, filled};
use crate::lru::Lru;
use plumb_lab::arguments::{MEGABYTE, Size};

/// Whole keys and one upper bound, always replaced.
///
/// Source: victoribironke/marlin, `transposition.hpp`. The table has 2^23 entries of 16 bytes: a 64-bit key and one
/// byte. The place is the key modulo 2^23, so its low 23 bits. These are the three left columns and a part of the
/// fourth. Positions that differ on the right compete for one place.
pub(crate) struct FullKey {
    entries: Vec<KeyedBound>,
    divisor: Divisor,
}

#[derive(Clone, Copy)]
struct KeyedBound {
    key: u64,
    upper: i8,
}

/// No position has this key.
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
    fn store(&mut self, key: u64, bound: Bound, _known: Bounds, _nodes: u64) {
        if let Bound::Upper(upper) = bound {
            self.entries[self.divisor.remainder(key)] = KeyedBound { key, upper: upper as i8 };
        }
    }
}

/// Keys of 56 bits and one upper bound of 8 bits, always replaced.
///
/// Source: Pascal Pons, "Solving Connect 4", part 7. The table has 8,388,593 entries, the last prime before 2^23, in
/// 64 MB.
pub(crate) struct PackedKey {
    /// Key above the bound. The bound is the score plus [`MAX`] plus 1; 0 is an empty entry.
    entries: Vec<u64>,
    divisor: Divisor,
}

impl Design for PackedKey {
    type Key = u64;
    const KEEPS_LOWER: bool = false;
    const ENTRY_BYTES: usize = size_of::<u64>();
    const DEFAULT: Size = Size::Entries(1 << 23);

    /// Rounds down to a prime.
    fn entries(size: Size) -> Result<usize> {
        let entries = size.entries(Self::ENTRY_BYTES);
        (2..=entries)
            .rev()
            .find(|&number| is_prime(number))
            .with_context(|| format!("{size}: expected at least 2 entries"))
    }

    fn new(entries: usize) -> Result<Self> {
        Ok(Self { entries: filled(entries, 0)?, divisor: Divisor::new(entries) })
    }

    fn clear(&mut self) {
        self.entries.fill(0);
    }

    #[inline]
    fn key(position: &Position) -> u64 {
        position.key()
    }

    #[inline]
    fn probe(&mut self, key: u64) -> Bounds {
        let entry = self.entries[self.divisor.remainder(key)];
        if entry == 0 || entry >> 8 != key {
            return Bounds::UNKNOWN;
        }
        Bounds { upper: Score::from(entry as u8) - MAX - 1, ..Bounds::UNKNOWN }
    }

    #[inline]
    fn store(&mut self, key: u64, bound: Bound, _known: Bounds, _nodes: u64) {
        if let Bound::Upper(upper) = bound {
            let value = upper.clamp(-MAX, MAX) + MAX + 1;
            self.entries[self.divisor.remainder(key)] = key << 8 | value as u64;
        }
    }
}

/// Truncated keys and one bound, always replaced: the two tables of Pons, without and with lower bounds.
///
/// Source: Pascal Pons, "Solving Connect 4", parts 11 and 12. Both tables have equally many entries (releases `part11`
/// and `part12`); later versions have twice as many.
///
/// The keys are exact. A key k is stored modulo 2^32 in the place k modulo S. An odd S has no common factor with 2^32,
/// so by the Chinese remainder theorem place and stored key determine k modulo S · 2^32. If this product is at least
/// 2^49, the number of keys of the 7x6 board, they determine k. In part 11, S is the next prime from 2^23. Keys and
/// values are in separate arrays, which makes five bytes per entry.
pub(crate) struct Crt<const LOWER: bool> {
    keys: Vec<u32>,
    /// 0 is an empty entry.
    values: Vec<u8>,
    divisor: Divisor,
}

/// Greatest score and number of scores. Upper bounds are stored as 1 to [`SCORES`] from the least score up, lower
/// bounds as the numbers after them; 0 is empty.
const MAX: Score = (Standard::CELLS as Score - 5) / 2;
const SCORES: Score = 2 * MAX + 1;

impl<const LOWER: bool> Design for Crt<LOWER> {
    type Key = u64;
    const KEEPS_LOWER: bool = LOWER;
    const ENTRY_BYTES: usize = size_of::<u32>() + size_of::<u8>();
    /// The published tables have 8,388,617 entries, the next prime.
    const DEFAULT: Size = Size::Entries(1 << 23);

    /// The next prime, which spreads the keys best.
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
    fn store(&mut self, key: u64, bound: Bound, _known: Bounds, _nodes: u64) {
        let value = match bound {
            Bound::Upper(upper) => upper.clamp(-MAX, MAX) + MAX + 1,
            Bound::Lower(lower) if LOWER => lower.clamp(-MAX, MAX) + MAX + 1 + SCORES,
            Bound::Lower(_) => return,
        };
        let place = self.divisor.remainder(key);
        self.keys[place] = key as u32;
        self.values[place] = value as u8;
    }
}

/// Two [`Crt`] tables of half the entries each: one for upper bounds, one for lower bounds.
///
/// Source: Pascal Pons, "Solving Connect 4", part 12, as an alternative to one table.
pub(crate) struct TwoTables([Crt<true>; 2]);

impl Design for TwoTables {
    type Key = u64;
    const KEEPS_LOWER: bool = true;
    const ENTRY_BYTES: usize = Crt::<true>::ENTRY_BYTES;
    const DEFAULT: Size = Crt::<true>::DEFAULT;

    fn entries(size: Size) -> Result<usize> {
        let half = Size::Entries(size.entries(Self::ENTRY_BYTES) / 2);
        Ok(2 * Crt::<true>::entries(half).with_context(|| format!("{size}, half for each table"))?)
    }

    fn new(entries: usize) -> Result<Self> {
        Ok(Self([Crt::new(entries / 2)?, Crt::new(entries / 2)?]))
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(Crt::clear);
    }

    #[inline]
    fn key(position: &Position) -> u64 {
        position.key()
    }

    #[inline]
    fn probe(&mut self, key: u64) -> Bounds {
        let [upper, lower] = &mut self.0;
        Bounds { lower: lower.probe(key).lower, upper: upper.probe(key).upper }
    }

    #[inline]
    fn store(&mut self, key: u64, bound: Bound, known: Bounds, nodes: u64) {
        let table = usize::from(matches!(bound, Bound::Lower(_)));
        self.0[table].store(key, bound, known, nodes);
    }
}

/// Whether remainder and low 32 bits determine every key of the standard board.
fn is_exact(entries: usize) -> bool {
    !entries.is_multiple_of(2) && (entries as u128) << u32::BITS >= 1 << Standard::KEY_BITS
}

/// The least prime from `number` on.
pub(crate) fn next_prime(number: usize) -> usize {
    // There is a prime before twice the number (Bertrand, Chebyshev).
    let number = number.max(2);
    (number..number.saturating_mul(2)).find(|&number| is_prime(number)).unwrap_or(number)
}

/// Whether `number`, at least 2, is a prime.
fn is_prime(number: usize) -> bool {
    (2..=number.isqrt()).all(|factor| !number.is_multiple_of(factor))
}

/// A small cache that drops the least recently stored entry.
///
/// Source: a student's study. It kept 50,000 entries under the smaller key of a position and its mirror image, with a
/// score, an exact flag, and the depth. Here every search reaches the end of the game, so there is no depth. An entry
/// is exact when both bounds are equal.
pub(crate) struct Cache(Lru<CachedBounds>);

/// A score as a bound, or as both bounds if it is exact.
#[derive(Clone, Copy)]
struct CachedBounds {
    lower: i8,
    upper: i8,
}

impl Design for Cache {
    type Key = u64;
    const KEEPS_LOWER: bool = true;
    const ENTRY_BYTES: usize = Lru::<CachedBounds>::ENTRY_BYTES;
    const DEFAULT: Size = Size::Entries(50_000);

    fn entries(size: Size) -> Result<usize> {
        let entries = size.entries(Self::ENTRY_BYTES);
        let most = Lru::<CachedBounds>::MOST;
        ensure!(entries <= most, "{size}: this table has at most {most} entries");
        Ok(entries)
    }

    fn new(entries: usize) -> Result<Self> {
        let cache = Lru::new(entries).map(Self);
        cache.with_context(|| format!("there is no memory for a table of {entries} entries"))
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn key(position: &Position) -> u64 {
        position.canonical_key()
    }

    fn probe(&mut self, key: u64) -> Bounds {
        let Some(CachedBounds { lower, upper }) = self.0.get(key) else { return Bounds::UNKNOWN };
        Bounds { lower: lower.into(), upper: upper.into() }
    }

    fn store(&mut self, key: u64, bound: Bound, known: Bounds, _nodes: u64) {
        let Bounds { lower, upper } = known.and(bound);
        let kept = match bound {
            _ if lower == upper => Bounds { lower, upper },
            Bound::Lower(_) => Bounds { lower, ..Bounds::UNKNOWN },
            Bound::Upper(_) => Bounds { upper, ..Bounds::UNKNOWN },
        };
        self.0.put(key, CachedBounds { lower: kept.lower as i8, upper: kept.upper as i8 });
    }
}

/// Plumb's table: buckets of four, both bounds in an entry, least work replaced. See `plumb::table`.
///
/// The plain search takes no move from the table, probes it at every node without an immediate answer, and does not
/// prefetch. Only this table asks the system for huge pages, which affects times, not nodes.
pub(crate) struct Bucketed(pub Table);

impl Design for Bucketed {
    type Key = Position;
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
        // The other designs have their full size from the start, too.
        table.map(|table| Self(table.at_full_size())).context("there is no memory for the table")
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn key(position: &Position) -> Position {
        *position
    }

    #[inline]
    fn probe(&mut self, position: Position) -> Bounds {
        self.0.probe(self.0.key(&position)).map_or(Bounds::UNKNOWN, |entry| Bounds {
            lower: Score::from(entry.lower),
            upper: Score::from(entry.upper),
        })
    }

    #[inline]
    fn store(&mut self, position: Position, bound: Bound, known: Bounds, nodes: u64) {
        let Bounds { lower, upper } = known.and(bound);
        let work = nodes.ilog2() as u8;
        self.0.store(
            self.0.key(&position),
            TableEntry { lower: lower as i8, upper: upper as i8, best: None, work },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_stays_and_no_other_is_taken_for_it() {
        let mut table = FullKey::new(8).expect("there is memory");
        let mut store = |key, bound| {
            table.store(key, bound, Bounds::UNKNOWN, 1);
            [3, 11].map(|key| table.probe(key).upper)
        };
        let unknown = Bounds::UNKNOWN.upper;
        assert_eq!(store(3, Bound::Upper(-2)), [-2, unknown]);
        assert_eq!(store(11, Bound::Upper(0)), [unknown, 0]);
        assert_eq!(store(3, Bound::Lower(4)), [unknown, 0], "lower bounds are not kept");
    }

    #[test]
    fn a_packed_entry_has_the_key_and_the_bound() {
        assert_eq!(PackedKey::entries(PackedKey::DEFAULT).expect("a prime"), 8_388_593);
        assert_eq!(PackedKey::entries(Size::Megabytes(64)).expect("a prime"), 8_388_593);
        assert!(PackedKey::entries(Size::Entries(1)).is_err());
        let last = (1 << Standard::KEY_BITS) - 1;
        for key in [0, 5, last] {
            let mut table = PackedKey::new(7).expect("there is memory");
            for score in -MAX..=MAX {
                table.store(key, Bound::Upper(score), Bounds::UNKNOWN, 1);
                table.store(key, Bound::Lower(score), Bounds::UNKNOWN, 1);
                assert_eq!(table.probe(key), Bounds { upper: score, ..Bounds::UNKNOWN });
            }
            assert_eq!(table.probe(key ^ 7), Bounds::UNKNOWN);
            table.clear();
            assert_eq!(table.probe(key), Bounds::UNKNOWN);
        }
    }

    #[test]
    fn two_tables_keep_a_bound_of_each_kind() {
        let entries = TwoTables::entries(Size::Entries(1 << 18)).expect("exact");
        assert_eq!(entries, 2 * next_prime(1 << 17));
        let refusal = TwoTables::entries(Size::Megabytes(1)).expect_err("too small");
        assert_eq!(
            format!("{refusal:#}"),
            "1MB, half for each table: 104857: truncated keys need more than 131072 entries"
        );
        let mut table = TwoTables::new(entries).expect("there is memory");
        table.store(5, Bound::Upper(3), Bounds::UNKNOWN, 1);
        table.store(5, Bound::Lower(-2), Bounds::UNKNOWN, 1);
        assert_eq!(table.probe(5), Bounds { lower: -2, upper: 3 });
        // Another key in the same place replaces only the bound of its own kind.
        table.store(5 + entries as u64 / 2, Bound::Upper(1), Bounds::UNKNOWN, 1);
        assert_eq!(table.probe(5), Bounds { lower: -2, ..Bounds::UNKNOWN });
        table.clear();
        assert_eq!(table.probe(5), Bounds::UNKNOWN);
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
                table.store(5, bound, Bounds::UNKNOWN, 1);
                assert_eq!(table.probe(5), expected);
            }
        }
    }

    #[test]
    fn every_bound_that_is_kept_comes_back() {
        assert_eq!(MAX, plumb::score::max_score(Standard::default()));
        check::<false>();
        check::<true>();
    }

    #[test]
    fn the_published_sizes_are_exact_and_the_condition_is_that_of_the_theorem() {
        assert_eq!(Crt::<true>::entries(Crt::<true>::DEFAULT).expect("exact"), 8_388_617);
        assert_eq!(Crt::<true>::entries(Size::Entries(1 << 24)).expect("exact"), 16_777_259);
        assert_eq!([0, 2, 8, 90, 8_388_617].map(next_prime), [2, 2, 11, 97, 8_388_617]);
        assert!(is_exact((1 << 17) + 1));
        assert!(!is_exact((1 << 17) - 1), "too few");
        assert!(!is_exact(1 << 23), "even");
    }

    #[test]
    fn keys_that_share_a_place_or_a_kept_key_are_told_apart() {
        let entries = Crt::<false>::entries(Size::Entries(1 << 17)).expect("exact");
        let mut table = Crt::<false>::new(entries).expect("there is memory");
        let (key, unknown) = (0x1_2345_6789_ABCD, Bounds::UNKNOWN.upper);
        let put =
            |table: &mut Crt<false>, key, score| table.store(key, Bound::Upper(score), Bounds::UNKNOWN, 1);
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

    #[test]
    fn bounds_that_meet_are_exact() {
        let mut cache = Cache::new(3).expect("there is memory");
        for (bound, expected) in [
            (Bound::Lower(-2), Bounds { lower: -2, ..Bounds::UNKNOWN }),
            (Bound::Upper(4), Bounds { upper: 4, ..Bounds::UNKNOWN }),
            (Bound::Lower(4), Bounds { lower: 4, upper: 4 }),
        ] {
            let known = cache.probe(9);
            cache.store(9, bound, known, 1);
            assert_eq!(cache.probe(9), expected);
        }
        cache.clear();
        assert_eq!(cache.probe(9), Bounds::UNKNOWN);
        let position: Position = "112".parse().expect("legal");
        assert_eq!(Cache::key(&position), Cache::key(&position.mirrored()), "mirror images share an entry");
    }

    #[test]
    fn both_bounds_are_kept() {
        let mut table = Bucketed::new(1 << 17).expect("a megabyte");
        let key = Bucketed::key(&Position::from_digits("4444").expect("legal"));
        for bound in [Bound::Upper(3), Bound::Lower(-1)] {
            let known = table.probe(key);
            table.store(key, bound, known, 9);
        }
        assert_eq!(table.probe(key), Bounds { lower: -1, upper: 3 });
    }
}
