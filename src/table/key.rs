//! Table keys: the bucket of a position, and the tag by which its entry is recognised.
//!
//! A position's key below 2^b goes through an invertible mix of b bits, so two positions have the same mixed key only if
//! they are the same. The mixed key m, read as the fraction m / 2^b, selects one of B buckets by a multiplication,
//! ⌊m · B / 2^b⌋ (D. Lemire, "Fast Random Integer Generation in an Interval", 2019), so that any number of buckets is
//! used in full. An entry stores the low t bits of m as its tag, where t is 39, 40 or 51, as told under "Regions".
//!
//! **Why bucket and tag identify a position.** The mixed keys of bucket i are the integers m with
//! i · 2^b / B ≤ m < (i + 1) · 2^b / B: a run of at most ⌈2^b / B⌉ successive integers. Up to 2^t successive integers
//! differ in their low t bits. So there is no false hit if 2^b ≤ B · 2^t, that is if B ≥ 2^(b − t). The condition is also
//! necessary: with fewer buckets there are more keys than pairs of bucket and tag.
//!
//! **Regions.** A key placed [in a region](TableKey::in_region) shares buckets with keys of the whole table, so the
//! argument does not cover the two together. A bit of the word tells them apart, and the argument holds for each kind by
//! itself:
//!
//! - Keys of up to 52 bits: the top bit of the tag marks those in regions, and t = 39. A region has 2^14 buckets. The
//!   image in it is rounded once more, so a run may be longer than 2^b / 2^14 by one or two; that is why the limit is 52
//!   bits and not 39 + 14 = 53. Keys of 49 bits (the 7x6 board) so need 1,024 buckets, 32 KiB.
//! - Longer keys: entries in regions have words of the compact format (`entry.rs`), with t = 51, whose top bit marks
//!   them. All other entries have t = 40: 1 MB suffices for 55 bits, 512 MB for 64. In such a table, that is with
//!   B ≥ 2^(b − 40), the keys in a region are identified as well. If B ≤ 2^14, the region is all of the table, and a run
//!   has at most 2^b / B + 2 ≤ 2^40 + 2 keys. Else let W = 2^64 / B, the number of hashes that fall into one
//!   bucket, and s = ⌊2^14 · W⌋, the number of those that fall into the buckets of one region. Two hashes that differ by d have
//!   images in the region that differ by more than d · s / 2^64 − 1, and images in one bucket differ by less than W. So
//!   d < (W + 1) · 2^64 / s, which is at most 2^51 as W > 2.
//!
//! No two regions share a bucket.

use super::entry::{COMPACT_MARK, COMPACT_TAG_SHIFT, Format, TAG_BITS, TAG_SHIFT};
use crate::board::{Bits, Geometry, Position, Standard, StaticGeometry};
use crate::mix::{GOLDEN, STAFFORD};

const TAG_MASK: u64 = (1 << TAG_BITS) - 1;

/// The bit of the tag that is set for keys in a region, and clear for other keys of up to [`SHORT_BITS`] bits.
const REGION_TAG: u64 = 1 << (TAG_BITS - 1);

/// Greatest width of a key in bits, 52, with which the tag less its region bit (39 bits) identifies every key in a region.
/// Longer keys use the compact format in regions.
const SHORT_BITS: u32 = REGION_TAG.ilog2() + REGION_BUCKETS.ilog2() - 1;

/// The factors of [`crate::mix::mix`], one behind the other.
const WIDE_ODD: u128 = 0x94D0_49BB_1331_11EB_BF58_476D_1CE4_E5B9;

/// The bucket and tag of a position of board `G`, for any [`Table`](super::Table) of that board; in a region, for those of
/// one size.
///
/// Computed once for a position, then used for a prefetch, a probe and a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableKey<G: Geometry = Standard> {
    pub(super) raw: RawKey,
    geometry: G,
}

impl<G: StaticGeometry> TableKey<G> {
    /// The same as [`from_key_on`](Self::from_key_on) for the board of this type.
    #[inline]
    #[must_use]
    pub fn from_key(key: G::Bits) -> Self {
        Self::from_key_on(G::default(), key)
    }
}

impl<G: Geometry> TableKey<G> {
    /// The table key of a position.
    #[inline]
    #[must_use]
    pub fn of(position: &Position<G>) -> Self {
        Self::from_key_on(position.geometry(), position.key())
    }

    /// The table key of the position with this [`Position::key`] (or [`Position::canonical_key`], if the caller stores
    /// a position and its mirror image in one entry).
    #[inline]
    #[must_use]
    pub fn from_key_on(geometry: G, key: G::Bits) -> Self {
        let bits = geometry.key_bits();
        let raw = if bits <= u64::BITS {
            RawKey::new(key.to_wide() as u64, bits)
        } else {
            RawKey::from_wide(key.to_wide())
        };
        Self { raw, geometry }
    }

    /// The same position in `region` of the table: it is found there only if it was stored in that region. For positions
    /// near the end of the game, for which each thread has a region of the table (several threads share one if there are too
    /// few): where keys are long, entries there have no work, and bounds past ±7 are stored as weaker ones.
    #[inline]
    #[must_use]
    pub fn in_region(self, region: Region) -> Self {
        Self { raw: self.raw.in_region(region, self.geometry.key_bits()), ..self }
    }

    /// A 64-bit word for a key: different for every position if the board's keys have up to 64 bits, else the same as
    /// that of another position with a chance of 2^-64. Zero for the empty board, so that zero can stand for no position
    /// among those that threads mark as being searched (`team.rs`). A key in a region has another word in each region,
    /// which a few positions may share where the table is large.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        self.raw.hash
    }

    /// The format of the entry.
    #[inline]
    pub(super) fn format(self) -> Format {
        // Short keys are spared the test where the compiler knows their length.
        if self.geometry.key_bits() <= SHORT_BITS { Format::Full } else { Format::of(self.raw.tag) }
    }
}

/// Whether no probe of a table with this many buckets can hit the entry of another position of board `G`.
pub(super) fn is_exact(geometry: impl Geometry, buckets: usize) -> bool {
    let bits = geometry.key_bits();
    bits <= u64::BITS && identifies(bits, buckets, tag_bits(bits))
}

/// A [`TableKey`] without the type of its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RawKey {
    /// A fraction of 2^64 that selects the bucket: the mixed key, left-aligned; of a wide key half of its image; in a region
    /// the image of that in the region.
    hash: u64,
    /// The part of the mixed key that the entry stores, in its place in the word, with the mark of the format.
    pub(super) tag: u64,
}

impl RawKey {
    /// The table key for a position's key below 2^`bits`, 1 to 64. All keys of a table have the same `bits`.
    #[inline]
    const fn new(key: u64, bits: u32) -> Self {
        Self::of_mixed_key(mix_key(key, bits), bits)
    }

    /// The table key for a mixed key.
    #[inline]
    const fn of_mixed_key(mixed: u64, bits: u32) -> Self {
        let mask = if bits <= SHORT_BITS { REGION_TAG - 1 } else { TAG_MASK };
        Self { hash: mixed << (u64::BITS - bits), tag: (mixed & mask) << TAG_SHIFT }
    }

    /// The table key for a position's key of more than 64 bits.
    ///
    /// Not exact: hash and tag are independent hashes, so a probe of a full bucket has a false hit with a chance of
    /// 4 / 2^40 = 2^-38.
    #[inline]
    const fn from_wide(key: u128) -> Self {
        // Invertible steps, so hash and tag are fields of a 128-bit image that no two keys share. The tag takes the higher
        // bits of the low half, as the low bits of a product do not depend on higher bits of its factors.
        let key = (key ^ key >> 64).wrapping_mul(WIDE_ODD);
        let key = (key ^ key >> 64).wrapping_mul(WIDE_ODD);
        Self { hash: (key >> 64) as u64, tag: key as u64 >> (u64::BITS - TAG_BITS) << TAG_SHIFT }
    }

    /// The same key, of `bits` bits, in a region.
    #[inline]
    const fn in_region(self, region: Region, bits: u32) -> Self {
        let tag = if bits <= SHORT_BITS {
            self.tag | REGION_TAG << TAG_SHIFT
        } else {
            // The bits of the mixed key above those of the tag; for keys of more than 64 bits, bits of the hash below
            // those that select the bucket. The first shift leaves the `bits - TAG_BITS` that a key has beyond the tag (16 of
            // a key of 56 bits). The last one, by COMPACT_TAG_SHIFT, pushes the uppermost 4 of these 16 out of the word, and
            // the mark covers one more: the tag has 11 + TAG_BITS.
            let above = self.hash >> (u64::BITS + TAG_BITS).saturating_sub(bits);
            let low = self.tag >> TAG_SHIFT;
            COMPACT_MARK | (above << TAG_BITS | low) << COMPACT_TAG_SHIFT
        };
        Self { hash: region.image(self.hash), tag }
    }

    /// The index of the key's bucket, below `buckets`.
    #[inline]
    pub(super) const fn bucket(self, buckets: usize) -> usize {
        ((self.hash as u128 * buckets as u128) >> 64) as usize
    }
}

/// An invertible mix of a key below 2^`bits` (1 to 64). The top bits, which select the bucket, are mixed best.
///
/// Each step is invertible: an exclusive or with a shift by half the width or more keeps the top half, and an odd factor
/// has an inverse modulo a power of two.
const fn mix_key(key: u64, bits: u32) -> u64 {
    debug_assert!(1 <= bits && bits <= u64::BITS);
    let mask = u64::MAX >> (u64::BITS - bits);
    debug_assert!(key <= mask);
    let half = bits.div_ceil(2);
    // The factor carries low bits up; the shift brings high bits down for the next factor to carry up.
    let key = (key ^ key >> half).wrapping_mul(GOLDEN) & mask;
    (key ^ key >> half).wrapping_mul(STAFFORD) & mask
}

/// Width of the part of a tag that holds bits of the key, for keys of `bits` bits.
const fn tag_bits(bits: u32) -> u32 {
    if bits <= SHORT_BITS { TAG_BITS - 1 } else { TAG_BITS }
}

/// Whether bucket and tag identify every key of `bits` bits: B ≥ 2^(b − t).
pub(super) const fn identifies(bits: u32, buckets: usize, tag_bits: u32) -> bool {
    bits <= tag_bits || (bits - tag_bits < usize::BITS && buckets >> (bits - tag_bits) > 0)
}

/// Number of buckets in a [`Region`]: 512 KiB.
const REGION_BUCKETS: usize = 1 << 14;

/// A part of a table small enough to stay in the processor's second-level cache, made by
/// [`Table::region`](super::Table::region): for positions near the end of the game, which are many, soon probed again,
/// and cheap to search once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Start and length as fractions of the table, in units of 2^-64.
    first: u64,
    length: u64,
}

impl Region {
    /// The region of a thread, numbered from 0, in a table of `buckets`. As far as there are enough, each thread has one of
    /// its own, because cache lines written by several processors move between their caches all the time.
    pub(super) const fn new(thread: usize, buckets: usize) -> Self {
        if buckets <= REGION_BUCKETS {
            return Self { first: 0, length: u64::MAX };
        }
        let number = thread % (buckets / REGION_BUCKETS);
        // The start is rounded up and the length down, so that no bucket belongs to two regions.
        let first = (((number * REGION_BUCKETS) as u128) << 64).div_ceil(buckets as u128);
        let length = ((REGION_BUCKETS as u128) << 64) / buckets as u128;
        Self { first: first as u64, length: length as u64 }
    }

    /// The image in the region of a hash, a fraction of 2^64. It selects a bucket of the whole table.
    #[inline]
    pub(super) const fn image(self, hash: u64) -> u64 {
        self.first + ((hash as u128 * self.length as u128) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::entry::COMPACT_TAG_BITS;
    use std::collections::HashSet;

    /// Numbers of buckets, powers of two and others.
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
                        .map(|key| RawKey::new(key, bits))
                        .map(|key| (key.bucket(buckets), key.tag >> TAG_SHIFT & ((1 << tag_bits) - 1)))
                        .collect();
                    assert!(places.iter().all(|&(bucket, _)| bucket < buckets));
                    assert_eq!(
                        places.len() == 1 << bits,
                        identifies(bits, buckets, tag_bits),
                        "{bits} bits, {buckets} buckets, tags of {tag_bits} bits"
                    );
                }
            }
        }
    }

    #[test]
    fn the_7x6_board_needs_1024_buckets() {
        assert!(identifies(49, 1024, tag_bits(49)));
        assert!(!identifies(49, 1023, tag_bits(49)));
        assert!(identifies(SHORT_BITS, REGION_BUCKETS, tag_bits(SHORT_BITS)));
        assert!(identifies(64, 1 << 24, TAG_BITS));
        assert!(!identifies(64, (1 << 24) - 1, TAG_BITS));
        assert!(identifies(40, 1, TAG_BITS));
    }

    /// Mixed keys with the same low 40 bits, of which one in a region and the other one not in it have the same bucket.
    #[test]
    fn a_key_in_a_region_and_another_are_never_confused() {
        const BUCKETS: usize = 1 << 21;
        for low in 0..1000 {
            let late = RawKey::of_mixed_key(128 << 40 | low, 49).in_region(Region::new(0, BUCKETS), 49);
            let other = RawKey::of_mixed_key(1 << 40 | low, 49);
            assert_eq!(late.bucket(BUCKETS), other.bucket(BUCKETS));
            assert_ne!(late.tag, other.tag);
        }
    }

    /// The table key in a region for a mixed key.
    fn in_region(mixed: u64, bits: u32, thread: usize, buckets: usize) -> RawKey {
        RawKey::of_mixed_key(mixed, bits).in_region(Region::new(thread, buckets), bits)
    }

    #[test]
    fn short_keys_are_identified_in_a_region() {
        // Successive keys across many buckets of the smallest region: none shares bucket and tag with another.
        let buckets = REGION_BUCKETS + 1;
        let bucket = |mixed| in_region(mixed, SHORT_BITS, 0, buckets).bucket(buckets);
        let run = (1_u64 << SHORT_BITS) / REGION_BUCKETS as u64 + 2;
        assert!(run <= REGION_TAG, "a run of that length has different tags");
        for mixed in (0..4096).map(|part| part << (SHORT_BITS - 12)) {
            assert!(mixed < run || bucket(mixed - run) < bucket(mixed), "no bucket holds a longer run");
        }
    }

    /// Mixed keys that differ by a multiple of 2^51, the number of tags, have different buckets.
    #[test]
    fn long_keys_are_identified_in_a_region_of_every_exact_table() {
        for bits in SHORT_BITS + 1..=64 {
            let least = 1_usize << (bits - TAG_BITS);
            assert!(identifies(bits, least, tag_bits(bits)));
            let sizes =
                [least, least + 1, 3 * least + 5, REGION_BUCKETS + 1, 2 * REGION_BUCKETS - 1, 1 << 26]
                    .into_iter()
                    .chain([12_345_678, (1 << 31) + 3])
                    .chain(1_usize.checked_shl(38))
                    .filter(|&buckets| buckets >= least);
            for buckets in sizes {
                for thread in [0, 1, 77] {
                    let bucket = |mixed| in_region(mixed, bits, thread, buckets).bucket(buckets);
                    let greatest = u64::MAX >> (64 - bits);
                    for mixed in
                        (0..1000).flat_map(|n| [greatest / 1000 * n, greatest / 1000 * n + n, greatest - n])
                    {
                        let run = mixed.checked_sub(1 << COMPACT_TAG_BITS);
                        let is_apart = run.is_none_or(|first| bucket(first) < bucket(mixed));
                        assert!(is_apart, "{bits} bits, {buckets} buckets");
                    }
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
                    let tag = in_region(mixed, bits, 0, 1 << 26).tag;
                    assert_eq!(Format::of(tag), Format::Compact);
                    assert_eq!(tag, COMPACT_MARK | (mixed % tags) << COMPACT_TAG_SHIFT, "{bits} bits");
                    assert_eq!(Format::of(RawKey::of_mixed_key(mixed, bits).tag), Format::Full);
                }
            }
        }
        // In the region of a hashed key, each bit of the tag depends on the key.
        let (mut ones, mut zeros) = (0, 0);
        for key in 0..1000 {
            let key = RawKey::from_wide(key << 30).in_region(Region::new(0, 1 << 26), 72);
            ones |= key.tag;
            zeros |= !key.tag;
        }
        assert_eq!((ones, zeros), (u64::MAX << COMPACT_TAG_SHIFT, !COMPACT_MARK));
    }

    #[test]
    fn the_widest_keys_stay_within_the_table() {
        for key in [RawKey::new(u64::MAX, 64), RawKey::new(1, 1), RawKey::from_wide(u128::MAX)] {
            for buckets in [1, 3, usize::MAX] {
                assert!(key.bucket(buckets) < buckets);
            }
            assert_eq!(key.tag & !(TAG_MASK << TAG_SHIFT), 0);
        }
    }

    /// The keys of a search differ in few bits; they must spread evenly all the same.
    #[test]
    fn keys_with_few_bits_spread_evenly() {
        const BUCKETS: usize = 256;
        fn worst(keys: &[RawKey]) -> f64 {
            let mut load = [0_u32; BUCKETS];
            for key in keys {
                load[key.bucket(BUCKETS)] += 1;
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
        let exact: Vec<_> = triples().map(|key| RawKey::new(key, 49)).collect();
        let wide: Vec<_> = triples().map(|key| RawKey::from_wide(u128::from(key) << 60)).collect();
        // The ratio is near 1 for random keys, whose loads have a Poisson distribution.
        assert!(worst(&exact) < 1.5, "{}", worst(&exact));
        assert!(worst(&wide) < 1.5, "{}", worst(&wide));
    }

    #[test]
    fn regions_are_small_and_disjoint() {
        for buckets in
            [1, 1000, REGION_BUCKETS, REGION_BUCKETS + 1, 3 * REGION_BUCKETS + 7, 1 << 21, 12_345_678]
        {
            let mut ends: Vec<(usize, usize)> = Vec::new();
            for thread in 0..(buckets / REGION_BUCKETS).clamp(1, 5) {
                let region = Region::new(thread, buckets);
                let bucket = |hash| ((u128::from(region.image(hash)) * buckets as u128) >> 64) as usize;
                let (first, last) = (bucket(0), bucket(u64::MAX));
                assert!(first <= last && last < buckets && last - first <= REGION_BUCKETS);
                assert!(last - first + 2 >= REGION_BUCKETS.min(buckets), "nearly all of it is used");
                assert!(ends.iter().all(|&(begin, end)| last < begin || end < first));
                ends.push((first, last));
            }
        }
    }
}
