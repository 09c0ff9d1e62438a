//! Transposition table designs: sizes, memory layouts, and replacement.

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use plumb::board::{Position, Standard, StaticGeometry};
use plumb::score::Score;
use plumb::table::{Table as PlumbTable, TableEntry};
use serde::{Deserialize, Serialize};

use crate::lru::Lru;
use plumb_lab::arguments::{MEGABYTE, Size};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Design {
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

plumb_lab::display_by_value_name!(Design);

impl Design {
    /// Bytes per entry, including its share of lists and indices.
    pub(crate) fn entry_bytes(self) -> usize {
        match self {
            Self::None => 0,
            Self::FullKey => size_of::<(u64, u8)>(),
            Self::PackedKey | Self::Bucketed => size_of::<u64>(),
            Self::CrtUpper | Self::CrtBounds | Self::TwoTables => size_of::<u32>() + size_of::<u8>(),
            Self::Lru => Lru::<CachedBounds>::ENTRY_BYTES,
        }
    }

    /// Whether the table keeps lower bounds. If it does, the search follows Pons's part 12, else part 11.
    pub(crate) fn keeps_lower(self) -> bool {
        matches!(self, Self::CrtBounds | Self::TwoTables | Self::Lru | Self::Bucketed)
    }

    /// Number of entries of a table of `size`. Default: the published size, and 2^23 entries for Plumb's table.
    pub(crate) fn entries(self, size: Option<Size>) -> Result<usize> {
        let published = if self == Self::Lru { 50_000 } else { 1 << 23 };
        let size = size.unwrap_or(Size::Entries(published));
        let entries = size.entries(self.entry_bytes());
        match self {
            Self::None => Ok(0),
            Self::FullKey => Ok(entries),
            Self::PackedKey => {
                let prime = (2..=entries).rev().find(|&number| is_prime(number));
                prime.with_context(|| format!("{size}: expected at least 2 entries"))
            }
            Self::CrtUpper | Self::CrtBounds => crt_entries(size),
            Self::TwoTables => {
                let half = crt_entries(Size::Entries(entries / 2));
                Ok(2 * half.with_context(|| format!("{size}, half for each table"))?)
            }
            Self::Lru => {
                let most = Lru::<CachedBounds>::MOST;
                ensure!(entries <= most, "{size}: this table has at most {most} entries");
                Ok(entries)
            }
            // Plumb's table has whole megabytes.
            Self::Bucketed => Ok(entries.div_ceil(ENTRIES_PER_MEGABYTE).max(1) * ENTRIES_PER_MEGABYTE),
        }
    }
}

const ENTRIES_PER_MEGABYTE: usize = MEGABYTE / size_of::<u64>();

/// Number of entries of a table with truncated keys: the next prime from `size` on.
fn crt_entries(size: Size) -> Result<usize> {
    let entries = next_prime(size.entries(Design::CrtUpper.entry_bytes()));
    let least = 1_u64 << (Standard::KEY_BITS - u32::BITS);
    ensure!(is_exact(entries), "{size}: truncated keys need more than {least} entries");
    Ok(entries)
}

/// Whether the remainder by `entries` and the low 32 bits determine every key of the 7x6 board.
fn is_exact(entries: usize) -> bool {
    !entries.is_multiple_of(2) && (entries as u128) << u32::BITS >= 1 << Standard::KEY_BITS
}

fn next_prime(number: usize) -> usize {
    // There is a prime before twice the number (Bertrand, Chebyshev).
    let number = number.max(2);
    (number..number.saturating_mul(2)).find(|&number| is_prime(number)).unwrap_or(number)
}

fn is_prime(number: usize) -> bool {
    (2..=number.isqrt()).all(|factor| !number.is_multiple_of(factor))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub lower: Score,
    pub upper: Score,
}

impl Bounds {
    /// Bounds of an unknown position, outside of all scores.
    pub(crate) const UNKNOWN: Self =
        Self { lower: -(Standard::CELLS as Score / 2 + 1), upper: Standard::CELLS as Score / 2 + 1 };

    #[inline]
    #[must_use]
    pub(crate) fn and(self, bound: Bound) -> Self {
        match bound {
            Bound::Lower(score) => Self { lower: self.lower.max(score), ..self },
            Bound::Upper(score) => Self { upper: self.upper.min(score), ..self },
        }
    }
}

/// Result of a null-window search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Lower(Score),
    Upper(Score),
}

/// Transposition tables for the plain search.
pub(crate) enum Table {
    None,
    OneBound(DirectMapped),
    /// A table for upper and a table for lower bounds, each with half of the entries.
    TwoTables([DirectMapped; 2]),
    /// A position and its mirror image share an entry.
    ///
    /// Source: a student's essay, whose entries have a score, an exact flag, and the depth. In this study every search
    /// reaches the end of the game, so entries need no depth.
    Lru(Lru<CachedBounds>),
    /// Plumb's table. The plain search does not use its moves and does not prefetch. No other table asks the system for
    /// huge pages, which affects times, not nodes.
    Bucketed(PlumbTable),
}

/// A lower or an upper bound, or both if the score is exact.
#[derive(Clone, Copy, Default)]
pub(crate) struct CachedBounds {
    lower: i8,
    upper: i8,
}

impl Table {
    /// An empty table. `entries` must come from [`Design::entries`].
    pub(crate) fn new(design: Design, entries: usize) -> Result<Self> {
        Ok(match design {
            Design::None => Self::None,
            Design::FullKey | Design::PackedKey | Design::CrtUpper | Design::CrtBounds => {
                Self::OneBound(DirectMapped::new(design, entries)?)
            }
            Design::TwoTables => {
                let half = entries / 2;
                Self::TwoTables([DirectMapped::new(design, half)?, DirectMapped::new(design, half)?])
            }
            Design::Lru => {
                let cache = Lru::new(entries);
                Self::Lru(
                    cache.with_context(|| format!("there is no memory for a table of {entries} entries"))?,
                )
            }
            Design::Bucketed => {
                let table = PlumbTable::new(entries / ENTRIES_PER_MEGABYTE);
                // Plumb's table would start small, but the other designs have their full size from the start.
                Self::Bucketed(table.context("there is no memory for the table")?.at_full_size())
            }
        })
    }

    pub(crate) fn clear(&mut self) {
        match self {
            Self::None => {}
            Self::OneBound(table) => table.clear(),
            Self::TwoTables(tables) => tables.iter_mut().for_each(DirectMapped::clear),
            Self::Lru(cache) => cache.clear(),
            Self::Bucketed(table) => table.clear(),
        }
    }

    // Not inlined, because the code of all designs would slow the search.
    #[inline(never)]
    pub(crate) fn probe(&self, position: &Position) -> Bounds {
        match self {
            Self::None => Bounds::UNKNOWN,
            Self::OneBound(table) => table.probe(position.key()),
            Self::TwoTables([upper, lower]) => {
                let key = position.key();
                Bounds { lower: lower.probe(key).lower, upper: upper.probe(key).upper }
            }
            Self::Lru(cache) => {
                let entry = cache.get(position.canonical_key());
                entry.map_or(Bounds::UNKNOWN, |entry| bounds(entry.lower, entry.upper))
            }
            Self::Bucketed(table) => {
                let entry = table.probe(table.key(position));
                entry.map_or(Bounds::UNKNOWN, |entry| bounds(entry.lower, entry.upper))
            }
        }
    }

    /// Stores a proved bound. `known` are the bounds that the probe found, and `nodes` is the size of the search.
    #[inline(never)]
    pub(crate) fn store(&mut self, position: &Position, bound: Bound, known: Bounds, nodes: u64) {
        match self {
            Self::None => {}
            Self::OneBound(table) => table.store(position.key(), bound),
            Self::TwoTables([upper, lower]) => {
                let table = if matches!(bound, Bound::Upper(_)) { upper } else { lower };
                table.store(position.key(), bound);
            }
            Self::Lru(cache) => {
                let Bounds { lower, upper } = known.and(bound);
                let kept = match bound {
                    _ if lower == upper => Bounds { lower, upper },
                    Bound::Lower(_) => Bounds { lower, ..Bounds::UNKNOWN },
                    Bound::Upper(_) => Bounds { upper, ..Bounds::UNKNOWN },
                };
                let entry = CachedBounds { lower: kept.lower as i8, upper: kept.upper as i8 };
                cache.put(position.canonical_key(), entry);
            }
            Self::Bucketed(table) => {
                let Bounds { lower, upper } = known.and(bound);
                let work = nodes.ilog2() as u8;
                let entry = TableEntry { lower: lower as i8, upper: upper as i8, best: None, work };
                table.store(table.key(position), entry);
            }
        }
    }
}

fn bounds(lower: i8, upper: i8) -> Bounds {
    Bounds { lower: lower.into(), upper: upper.into() }
}

/// Direct-mapped table: the index of a key is its remainder. A new entry always replaces the old entry.
pub(crate) struct DirectMapped {
    entries: Entries,
    divisor: Divisor,
    keeps_lower: bool,
}

/// Memory layouts of direct-mapped tables. A value is a [bound in a byte](Bound::value).
enum Entries {
    /// A whole key and a value in 16 bytes.
    ///
    /// Source: victoribironke/marlin, `transposition.hpp`, a table of 2^23 entries. The place is the low 23 bits of the
    /// key: the three left columns and a part of the fourth. Positions that differ on the right compete for one place.
    Structs(Vec<(u64, u8)>),
    /// A key of 56 bits above the value in 8 bytes.
    ///
    /// Source: Pascal Pons, "Solving Connect 4", part 7, a table of 64 MB with 8,388,593 entries, the last prime before
    /// 2^23.
    Words(Vec<u64>),
    /// The low 32 bits of the keys, and the values, in 5 bytes.
    ///
    /// Source: Pascal Pons, "Solving Connect 4", parts 11 and 12 (releases `part11` and `part12`), tables of S =
    /// 8,388,617 entries, the next prime from 2^23.
    ///
    /// A hit is always the right position. A key k is stored modulo 2^32 in the place k modulo S. An odd S has no common
    /// factor with 2^32, so by the Chinese remainder theorem place and stored key determine k modulo S · 2^32. Keys of the
    /// 7x6 board have 49 bits, so they determine k if S · 2^32 is at least 2^49.
    Arrays(Vec<u32>, Vec<u8>),
}

impl DirectMapped {
    fn new(design: Design, len: usize) -> Result<Self> {
        let entries = match design {
            Design::FullKey => Entries::Structs(filled(len, (0, EMPTY))?),
            Design::PackedKey => Entries::Words(filled(len, u64::from(EMPTY))?),
            _ => {
                assert!(is_exact(len), "with {len} entries one position may be taken for another");
                Entries::Arrays(filled(len, 0)?, filled(len, EMPTY)?)
            }
        };
        Ok(Self { entries, divisor: Divisor::new(len), keeps_lower: design.keeps_lower() })
    }

    fn clear(&mut self) {
        match &mut self.entries {
            Entries::Structs(entries) => entries.fill((0, EMPTY)),
            Entries::Words(entries) => entries.fill(u64::from(EMPTY)),
            Entries::Arrays(_, values) => values.fill(EMPTY),
        }
    }

    #[inline]
    fn probe(&self, key: u64) -> Bounds {
        let place = self.divisor.remainder(key);
        let (is_found, value) = match &self.entries {
            Entries::Structs(entries) => (entries[place].0 == key, entries[place].1),
            Entries::Words(entries) => (entries[place] >> u8::BITS == key, entries[place] as u8),
            Entries::Arrays(keys, values) => (keys[place] == key as u32, values[place]),
        };
        if is_found { Bounds::of_value(value) } else { Bounds::UNKNOWN }
    }

    #[inline]
    fn store(&mut self, key: u64, bound: Bound) {
        if matches!(bound, Bound::Lower(_)) && !self.keeps_lower {
            return;
        }
        let place = self.divisor.remainder(key);
        let value = bound.value();
        match &mut self.entries {
            Entries::Structs(entries) => entries[place] = (key, value),
            Entries::Words(entries) => entries[place] = key << u8::BITS | u64::from(value),
            Entries::Arrays(keys, values) => (keys[place], values[place]) = (key as u32, value),
        }
    }
}

/// Greatest score of the 7x6 board.
const MAX: Score = (Standard::CELLS as Score - 5) / 2;
const SCORES: Score = 2 * MAX + 1;

const EMPTY: u8 = 0;

impl Bound {
    /// The bound in a byte: 1 to [`SCORES`] for upper bounds from the least score up, then the lower bounds. 0 is an empty
    /// entry.
    fn value(self) -> u8 {
        let (score, before) = match self {
            Self::Upper(score) => (score, 0),
            Self::Lower(score) => (score, SCORES),
        };
        (before + score.clamp(-MAX, MAX) + MAX + 1) as u8
    }
}

impl Bounds {
    fn of_value(value: u8) -> Self {
        let score = Score::from(value) - MAX - 1;
        match Score::from(value) {
            0 => Self::UNKNOWN,
            1..=SCORES => Self { upper: score, ..Self::UNKNOWN },
            _ => Self { lower: score - SCORES, ..Self::UNKNOWN },
        }
    }
}
fn filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    let megabytes = len.saturating_mul(size_of::<T>()) / MEGABYTE;
    let reserved = elements.try_reserve_exact(len);
    reserved.with_context(|| format!("there is no memory for a table of {megabytes} MB"))?;
    elements.resize(len, value);
    Ok(elements)
}
/// A divisor of keys of the 7x6 board, as fast as a constant divisor.
///
/// Like compilers for constants, it multiplies instead of dividing. With F = b + ⌈log2 d⌉ for keys below 2^b and M =
/// ⌈2^F / d⌉, which is (2^F + e) / d with e < d, the product k · M / 2^F exceeds k / d by k · e / (d · 2^F) < 1 / d, so
/// ⌊k · M / 2^F⌋ = ⌊k / d⌋. Source: T. Granlund, P. Montgomery, "Division by Invariant Integers using Multiplication",
/// 1994.
struct Divisor {
    number: u64,
    multiplier: u64,
    shift: u32,
}

impl Divisor {
    fn new(divisor: usize) -> Self {
        let number = divisor as u64;
        assert!((1..=1 << 60).contains(&number), "{divisor} is no size of a table");
        let shift = Standard::KEY_BITS + number.next_power_of_two().ilog2();
        let multiplier = (1_u128 << shift).div_ceil(u128::from(number)) as u64;
        Self { number, multiplier, shift }
    }

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

    const LAST_KEY: u64 = (1 << Standard::KEY_BITS) - 1;

    #[test]
    fn remainders_are_those_of_the_division() {
        let mut random = Random::new(1, 0);
        let large = [131_073_u64, (1 << 23) - 1, 1 << 23, 8_388_617, (1 << 31) + 11, 1 << 60];
        // On 32-bit machines, sizes over 2^32 do not exist.
        for divisor in (1..200).chain(large.into_iter().filter_map(|large| usize::try_from(large).ok())) {
            let exact = Divisor::new(divisor);
            let divisor = divisor as u64;
            let multiple = LAST_KEY / divisor * divisor;
            let near = [
                0,
                1,
                divisor - 1,
                divisor,
                divisor + 1,
                LAST_KEY - 1,
                LAST_KEY,
                multiple,
                multiple.saturating_sub(1),
            ];
            for key in near.into_iter().chain((0..1000).map(|_| random.next())) {
                let key = key & LAST_KEY;
                assert_eq!(exact.remainder(key) as u64, key % divisor, "{key} by {divisor}");
            }
        }
    }

    fn upper(upper: Score) -> Bounds {
        Bounds { upper, ..Bounds::UNKNOWN }
    }

    #[test]
    fn a_place_has_the_last_bound_of_a_kind_that_is_kept_and_only_for_its_key() {
        assert_eq!(MAX, plumb::score::max_score(Standard::default()));
        let (key, places) = (0x1_2345_6789_ABCD, 131_101);
        for design in [Design::FullKey, Design::PackedKey, Design::CrtUpper, Design::CrtBounds] {
            let mut table = DirectMapped::new(design, places).expect("there is memory");
            for key in [0, key, LAST_KEY] {
                for score in -MAX..=MAX {
                    table.store(key, Bound::Upper(score));
                    assert_eq!(table.probe(key), upper(score), "{design}");
                    table.store(key, Bound::Lower(score));
                    let lower = Bounds { lower: score, ..Bounds::UNKNOWN };
                    let expected = if design == Design::CrtBounds { lower } else { upper(score) };
                    assert_eq!(table.probe(key), expected, "{design}");
                }
            }
            assert_eq!(table.probe(key ^ 1 << 40), Bounds::UNKNOWN, "{design}: equal low bits");
            let other = key - places as u64;
            assert_eq!(table.probe(other), Bounds::UNKNOWN, "{design}: an equal place");
            table.store(other, Bound::Upper(8));
            assert_eq!([key, other].map(|key| table.probe(key)), [Bounds::UNKNOWN, upper(8)], "{design}");
            table.clear();
            assert_eq!(table.probe(other), Bounds::UNKNOWN, "{design}");
        }
    }

    #[test]
    fn sizes_come_to_the_entries_of_the_source_programs() {
        let entries = |design: Design, size| design.entries(Some(size)).map_err(|error| format!("{error:#}"));
        assert_eq!(Design::PackedKey.entries(None).expect("a prime"), 8_388_593);
        assert_eq!(entries(Design::PackedKey, Size::Megabytes(64)), Ok(8_388_593));
        assert!(entries(Design::PackedKey, Size::Entries(1)).is_err());
        assert_eq!(Design::CrtBounds.entries(None).expect("exact"), 8_388_617);
        assert_eq!(entries(Design::CrtBounds, Size::Entries(1 << 24)), Ok(16_777_259));
        assert_eq!(entries(Design::TwoTables, Size::Entries(1 << 18)), Ok(2 * next_prime(1 << 17)));
        let said = "1MB, half for each table: 104857: truncated keys need more than 131072 entries";
        assert_eq!(entries(Design::TwoTables, Size::Megabytes(1)), Err(said.to_owned()));
        assert_eq!([0, 2, 8, 90, 8_388_617].map(next_prime), [2, 2, 11, 97, 8_388_617]);
        assert!(is_exact((1 << 17) + 1));
        assert!(!is_exact((1 << 17) - 1), "too few");
        assert!(!is_exact(1 << 23), "even");
    }

    fn new(design: Design, size: usize) -> Table {
        let entries = design.entries(Some(Size::Entries(size))).expect("a size of the design");
        Table::new(design, entries).expect("there is memory")
    }

    /// Stores one bound after the other, and compares the bounds that the table then has.
    fn check(design: Design, cases: &[(Bound, Bounds)]) {
        let mut table = new(design, 1 << 18);
        let position = Position::from_digits("112").expect("legal");
        for &(bound, expected) in cases {
            let known = table.probe(&position);
            table.store(&position, bound, known, 9);
            assert_eq!(table.probe(&position), expected, "{design}");
        }
        let mirrored = if design == Design::Lru { table.probe(&position) } else { Bounds::UNKNOWN };
        assert_eq!(table.probe(&position.mirrored()), mirrored, "{design}");
        table.clear();
        assert_eq!(table.probe(&position), Bounds::UNKNOWN, "{design}");
    }

    #[test]
    fn a_bound_of_each_kind_is_kept_or_one_unless_it_is_exact() {
        let lower = Bounds { lower: -2, ..Bounds::UNKNOWN };
        for design in [Design::TwoTables, Design::Bucketed] {
            let both = Bounds { lower: -2, upper: 3 };
            check(design, &[(Bound::Lower(-2), lower), (Bound::Upper(3), both)]);
        }
        let exact = Bounds { lower: 4, upper: 4 };
        check(
            Design::Lru,
            &[(Bound::Lower(-2), lower), (Bound::Upper(4), upper(4)), (Bound::Lower(4), exact)],
        );
    }
}
