//! Table keys: the bucket of a position, and the tag that identifies its entry.
//!
//! A position's key below 2^b goes through an invertible mix of b bits. So two positions share a
//! mixed key only if they are equal. The mixed key m, read as the fraction m / 2^b, selects one of
//! B buckets by a multiplication, ⌊m · B / 2^b⌋ (D. Lemire, "Fast Random Integer Generation in an
//! Interval", 2019). So any number of buckets is used in full. An entry stores the low t bits of m as
//! its tag. The tag has 40 bits, or 51 for long keys in a region.
//!
//! **Why bucket and tag identify a position.** The mixed keys of bucket i are the integers m with i
//! · 2^b / B ≤ m < (i + 1) · 2^b / B. They are at most ⌈2^b / B⌉ successive integers. Up to 2^t
//! successive integers differ in their low t bits. So there is no false hit if 2^b ≤ B · 2^t, that is B ≥
//! 2^(b − t). The condition is also necessary: fewer buckets give fewer pairs of bucket and tag than keys.
//!
//! **Regions.** Positions near the end live in a region of 2^14 buckets for each thread. The argument holds
//! there too: a tag of 40 bits identifies keys of up to 54 bits. Longer keys use the compact format
//! (`entry.rs`), whose tag of 51 bits identifies keys of up to 64 bits.
//!
//! **Growth.** When B doubles, bucket i becomes the buckets 2i and 2i + 1. If bucket and tag identify a key,
//! they also tell which of the two buckets it belongs to. Otherwise the entry goes into both. That adds no
//! false hits: a word of another position matches a key with the chance 2^−40.

use super::entry::{
    BUCKET_BYTES, Bucket, COMPACT_MARK, COMPACT_TAG_SHIFT, EMPTY, Format, TAG_BITS, TAG_SHIFT, Words,
};
use crate::board::{Bits, Geometry, Standard};
use crate::mix::{GOLDEN, STAFFORD};

const TAG_MASK: u64 = (1 << TAG_BITS) - 1;

/// Buckets of a region, the part of the table for one thread: 512 KiB, which stay in the second-level cache.
pub(super) const REGION_BUCKETS: usize = 1 << REGION_BITS;
const REGION_BITS: u32 = 14;
const _: () = assert!(REGION_BUCKETS * BUCKET_BYTES == 512 << 10);

/// Longest key, in bits, that a tag of 40 bits identifies in a thread's region. Longer keys use the compact
/// format.
const SHORT_BITS: u32 = TAG_BITS + REGION_BITS;

const WIDE_ODD: u128 = 0x94D0_49BB_1331_11EB_BF58_476D_1CE4_E5B9;

/// Bucket and tag of a position in a [`Table`](super::Table) of the present size. Invalid after the table
/// grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableKey<G: Geometry = Standard> {
    pub(super) bucket: usize,
    pub(super) tag: u64,
    geometry: G,
}

impl<G: Geometry> TableKey<G> {
    /// Hash by which threads mark positions under search (`team.rs`).
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        self.tag ^ (self.bucket as u64).wrapping_mul(GOLDEN)
    }

    #[inline]
    pub(super) fn format(self) -> Format {
        // A key length known at compile time spares the test.
        if self.geometry.key_bits() <= SHORT_BITS { Format::Full } else { Format::of(self.tag) }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// The first bucket after the threads' regions. `in_use` buckets follow.
    pub(super) first: usize,
    pub(super) in_use: usize,
    pub(super) region: usize,
}

impl Placement {
    #[inline]
    pub(crate) fn key<G: Geometry>(self, geometry: G, key: G::Bits) -> TableKey<G> {
        let (hash, tag) = hash_and_tag(geometry, key);
        TableKey { bucket: self.first + scale(hash, self.in_use), tag: tag << TAG_SHIFT, geometry }
    }

    #[inline]
    pub(crate) fn key_in_region<G: Geometry>(self, geometry: G, key: G::Bits) -> TableKey<G> {
        let (hash, tag) = hash_and_tag(geometry, key);
        let tag = region_tag(hash, tag, geometry.key_bits());
        TableKey { bucket: self.region + scale(hash, REGION_BUCKETS), tag, geometry }
    }
}

#[inline]
const fn scale(hash: u64, buckets: usize) -> usize {
    ((hash as u128 * buckets as u128) >> 64) as usize
}

#[inline]
const fn region_tag(hash: u64, tag: u64, bits: u32) -> u64 {
    if bits <= SHORT_BITS {
        return tag << TAG_SHIFT;
    }
    // The bits of the mixed key above the tag, or bits of the hash if the key has more than 64 bits. The last
    // shift pushes some bits out of the word, and the format bit covers one more. 51 bits of tag are left.
    let above = hash >> (u64::BITS + TAG_BITS).saturating_sub(bits);
    COMPACT_MARK | (above << TAG_BITS | tag) << COMPACT_TAG_SHIFT
}

/// The hash that selects the bucket, as a fraction of 2^64, and the tag.
///
/// For keys of up to 64 bits the hash is the mixed key, left-aligned, and the tag is its low part.
/// For longer keys hash and tag are independent: a probe of a full bucket has a false hit with the
/// chance 4 / 2^40 = 2^-38.
#[inline]
fn hash_and_tag<G: Geometry>(geometry: G, key: G::Bits) -> (u64, u64) {
    let bits = geometry.key_bits();
    if bits > u64::BITS {
        return mix_wide(key.to_wide());
    }
    of_mixed_key(mix_key(key.to_wide() as u64, bits), bits)
}

#[inline]
const fn of_mixed_key(mixed: u64, bits: u32) -> (u64, u64) {
    (mixed << (u64::BITS - bits), mixed & TAG_MASK)
}

#[inline]
pub(crate) const fn mix_wide(key: u128) -> (u64, u64) {
    // The steps are invertible, so no two keys share the 128-bit image. The tag takes the higher
    // bits of the low half, because the low bits of a product depend on few bits of its factors.
    let key = (key ^ key >> 64).wrapping_mul(WIDE_ODD);
    let key = (key ^ key >> 64).wrapping_mul(WIDE_ODD);
    ((key >> 64) as u64, key as u64 >> (u64::BITS - TAG_BITS))
}

/// An invertible mix of a key below 2^`bits` (1 to 64). The top bits are mixed best; they select the bucket.
///
/// An XOR with a shift by half the width keeps the top half, so it is invertible. An odd factor has an
/// inverse modulo a power of two.
const fn mix_key(key: u64, bits: u32) -> u64 {
    debug_assert!(1 <= bits && bits <= u64::BITS);
    let mask = u64::MAX >> (u64::BITS - bits);
    debug_assert!(key <= mask);
    let half = bits.div_ceil(2);
    // The factor carries low bits up. The shift brings high bits down.
    let key = (key ^ key >> half).wrapping_mul(GOLDEN) & mask;
    (key ^ key >> half).wrapping_mul(STAFFORD) & mask
}

/// Least number of buckets with which bucket and tag identify every key. `None` for more than 64 bits.
pub(super) const fn least_exact_buckets(bits: u32) -> Option<usize> {
    if bits > u64::BITS { None } else { 1_usize.checked_shl(bits.saturating_sub(TAG_BITS)) }
}

/// Moves each entry of `in_use` buckets to its bucket among twice as many. Overwrites the second half.
///
/// No search may use the buckets meanwhile.
pub(super) fn double(buckets: &[Bucket], in_use: usize, bits: u32) {
    let is_exact = least_exact_buckets(bits).is_some_and(|least| in_use >= least);
    let mut starts = RunStarts::before_end(bits, 2 * in_use as u64);
    for index in (0..in_use).rev() {
        let middle = if is_exact { starts.next_down() } else { 0 };
        let first = if is_exact { starts.next_down() } else { 0 };
        let (mut lower, mut upper): (Words, Words) = Default::default();
        let (mut lower_len, mut upper_len) = (0, 0);
        for word in buckets[index].words() {
            if word == EMPTY {
                continue;
            }
            let offset = (word >> TAG_SHIFT).wrapping_sub(first) & TAG_MASK;
            let is_upper = offset >= middle.wrapping_sub(first);
            if !is_exact || !is_upper {
                lower[lower_len] = word;
                lower_len += 1;
            }
            if !is_exact || is_upper {
                upper[upper_len] = word;
                upper_len += 1;
            }
        }
        buckets[2 * index].set_words(lower);
        buckets[2 * index + 1].set_words(upper);
    }
}

/// Iterates over the first mixed key ⌈j · 2^b / n⌉ of buckets j = n − 1 down to 0, modulo 2^64.
struct RunStarts {
    /// Quotient and remainder of j · 2^b by n, for the bucket returned last; at first j = n.
    quotient: u64,
    remainder: u64,
    buckets: u64,
    /// Quotient and remainder of 2^b by n.
    step: (u64, u64),
}

impl RunStarts {
    fn before_end(bits: u32, buckets: u64) -> Self {
        let keys = 1_u128 << bits.min(u64::BITS);
        let step = ((keys / u128::from(buckets)) as u64, (keys % u128::from(buckets)) as u64);
        Self { quotient: keys as u64, remainder: 0, buckets, step }
    }

    fn next_down(&mut self) -> u64 {
        let (quotient, remainder) = self.step;
        self.quotient = self.quotient.wrapping_sub(quotient);
        if self.remainder < remainder {
            self.quotient = self.quotient.wrapping_sub(1);
            self.remainder += self.buckets;
        }
        self.remainder -= remainder;
        self.quotient.wrapping_add(u64::from(self.remainder > 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::entry::{COMPACT_TAG_BITS, TableEntry};
    use crate::testing::random;
    use std::collections::HashSet;

    const BUCKETS: [usize; 12] = [1, 2, 3, 5, 7, 8, 31, 32, 33, 100, 255, 1021];

    #[test]
    fn the_mix_is_a_permutation() {
        for bits in 1..=if cfg!(miri) { 6 } else { 16 } {
            let images: HashSet<u64> = (0..1 << bits).map(|key| mix_key(key, bits)).collect();
            assert_eq!(images.len(), 1 << bits, "{bits} bits");
            assert!(images.iter().all(|image| image >> bits == 0));
        }
    }

    #[test]
    fn bucket_and_tag_identify_all_keys_exactly_when_there_are_enough_buckets() {
        let widths: &[u32] = if cfg!(miri) { &[5] } else { &[1, 2, 5, 8, 11, 14] };
        for &bits in widths {
            for tag_bits in 0..=bits {
                for buckets in BUCKETS {
                    let places: HashSet<(usize, u64)> = (0..1 << bits)
                        .map(|key| of_mixed_key(mix_key(key, bits), bits))
                        .map(|(hash, tag)| (scale(hash, buckets), tag & ((1 << tag_bits) - 1)))
                        .collect();
                    assert!(places.iter().all(|&(bucket, _)| bucket < buckets));
                    let is_enough = buckets << tag_bits >= 1 << bits;
                    let context = format!("{bits} bits, {buckets} buckets, tags of {tag_bits} bits");
                    assert_eq!(places.len() == 1 << bits, is_enough, "{context}");
                }
            }
        }
    }

    #[test]
    fn the_least_numbers_of_buckets() {
        for (bits, least) in
            [(1, Some(1)), (40, Some(1)), (49, Some(512)), (56, Some(1 << 16)), (64, Some(1 << 24))]
        {
            assert_eq!(least_exact_buckets(bits), least);
        }
        assert_eq!(least_exact_buckets(65), None);
    }

    #[test]
    fn keys_are_identified_in_a_region() {
        for bits in [49, SHORT_BITS, SHORT_BITS + 1, 60, 64] {
            let run = 1_u64 << (bits - REGION_BITS);
            let tag_bits = if bits <= SHORT_BITS { TAG_BITS } else { COMPACT_TAG_BITS };
            assert!(bits - REGION_BITS <= tag_bits);
            for start in random(u64::from(bits)).take(1000).map(|key| (key >> (64 - bits)) / run * run) {
                let key = |mixed| {
                    let (hash, tag) = of_mixed_key(mixed, bits);
                    (scale(hash, REGION_BUCKETS), region_tag(hash, tag, bits))
                };
                let (first, last) = (key(start), key(start + run - 1));
                assert_eq!(first.0, last.0, "one run is one bucket");
                assert!(start == 0 || key(start - 1).0 != first.0);
                for bit in 0..bits - REGION_BITS {
                    assert_ne!(key(start ^ 1 << bit).1, first.1);
                }
            }
        }
    }

    #[test]
    fn the_tag_of_a_long_key_in_a_region_holds_its_low_bits() {
        let tags = 1 << COMPACT_TAG_BITS;
        for bits in SHORT_BITS + 1..=64 {
            for shift in 0..bits {
                for mixed in [1 << shift, u64::MAX >> (64 - bits) ^ 1 << shift] {
                    let (hash, tag) = of_mixed_key(mixed, bits);
                    let tag = region_tag(hash, tag, bits);
                    assert_eq!(Format::of(tag), Format::Compact);
                    assert_eq!(tag, COMPACT_MARK | (mixed % tags) << COMPACT_TAG_SHIFT, "{bits} bits");
                }
            }
        }
        let (mut ones, mut zeros) = (0, 0);
        for key in 0..1000 {
            let (hash, tag) = mix_wide(key << 30);
            let tag = region_tag(hash, tag, 72);
            ones |= tag;
            zeros |= !tag;
        }
        assert_eq!((ones, zeros), (u64::MAX << COMPACT_TAG_SHIFT, !COMPACT_MARK));
    }

    #[test]
    fn the_widest_keys_stay_within_the_table() {
        for (hash, tag) in [of_mixed_key(u64::MAX, 64), of_mixed_key(1, 1), mix_wide(u128::MAX)] {
            for buckets in [1, 3, usize::MAX] {
                assert!(scale(hash, buckets) < buckets);
            }
            assert_eq!(tag & !TAG_MASK, 0);
        }
    }

    #[test]
    fn keys_with_few_bits_spread_evenly() {
        const BUCKETS: usize = 256;
        fn worst(keys: &[(u64, u64)]) -> f64 {
            let mut load = [0_u32; BUCKETS];
            for &(hash, _) in keys {
                load[scale(hash, BUCKETS)] += 1;
            }
            let mean = keys.len() as f64 / BUCKETS as f64;
            let variance = load.iter().map(|&n| (f64::from(n) - mean).powi(2)).sum::<f64>() / BUCKETS as f64;
            variance / mean
        }
        let width = if cfg!(miri) { 12 } else { 49 };
        let triples = || {
            (0..width).flat_map(move |a| {
                (0..a).flat_map(move |b| (0..b).map(move |c| 1_u64 << a | 1 << b | 1 << c))
            })
        };
        let exact: Vec<_> = triples().map(|key| of_mixed_key(mix_key(key, 49), 49)).collect();
        let wide: Vec<_> = triples().map(|key| mix_wide(u128::from(key) << 60)).collect();
        assert!(worst(&exact) < 1.5, "{}", worst(&exact));
        assert!(worst(&wide) < 1.5, "{}", worst(&wide));
    }

    fn buckets(len: usize) -> Vec<Bucket> {
        std::iter::repeat_with(|| Bucket(Default::default())).take(len).collect()
    }

    fn found(buckets: &[Bucket], tag: u64) -> Vec<usize> {
        let has_entry = |bucket: &Bucket| bucket.probe(Format::Full, tag << TAG_SHIFT).is_some();
        (0..buckets.len()).filter(|&index| has_entry(&buckets[index])).collect()
    }

    #[test]
    fn doubling_moves_each_entry_to_its_new_bucket() {
        let entry = TableEntry { lower: -1, upper: 1, best: None, work: 3 };
        for (bits, in_use) in
            [(20, 1), (20, 3), (40, 1), (40, 7), (42, 4), (42, 5), (43, 8), (43, 13), (46, 64)]
        {
            assert!(least_exact_buckets(bits).is_some_and(|least| least <= in_use));
            let starts: Vec<u64> =
                (0..=2 * in_use as u128).map(|j| (j << bits).div_ceil(2 * in_use as u128) as u64).collect();
            for bounds in starts.windows(2) {
                for mixed in [bounds[0], bounds[0].midpoint(bounds[1] - 1), bounds[1] - 1] {
                    let buckets = buckets(2 * in_use);
                    let (hash, tag) = of_mixed_key(mixed, bits);
                    let word = entry.encode(Format::Full, tag << TAG_SHIFT);
                    buckets[scale(hash, in_use)].store(Format::Full, tag << TAG_SHIFT, word);
                    double(&buckets, in_use, bits);
                    let expected = scale(hash, 2 * in_use);
                    assert_eq!(found(&buckets, tag), [expected], "{bits} bits, {in_use} buckets, {mixed}");
                }
            }
        }
    }

    #[test]
    fn doubling_keeps_entries_in_both_buckets_if_the_tag_does_not_tell() {
        let entry = TableEntry { lower: -1, upper: 1, best: None, work: 3 };
        for bits in [42, 70] {
            let buckets = buckets(4);
            buckets[1].store(Format::Full, 5 << TAG_SHIFT, entry.encode(Format::Full, 5 << TAG_SHIFT));
            buckets[3].store(Format::Full, 6 << TAG_SHIFT, entry.encode(Format::Full, 6 << TAG_SHIFT));
            double(&buckets, 2, bits);
            assert_eq!((found(&buckets, 5), found(&buckets, 6)), (vec![2, 3], vec![]));
        }
    }
}
