//! Where a position lives in a table, and how it is told from its neighbours.
//!
//! A key below 2^b goes through an invertible mix within b bits: as nothing is lost, two positions have the same mixed
//! key only if they are the same. The mixed key m, read as the fraction m / 2^b, picks one of B buckets by
//! multiplication, ⌊m · B / 2^b⌋ (D. Lemire, "Fast Random Integer Generation in an Interval", 2019), so that every
//! number of buckets is used in full. An entry keeps the low t = 40 bits of m.
//!
//! **Why that is exact.** The mixed keys of bucket i are the integers m with i · 2^b / B ≤ m < (i + 1) · 2^b / B: a run
//! of at most ⌈2^b / B⌉ successive integers. Successive integers differ in their low t bits as long as there are no
//! more than 2^t of them. So there is no false hit as long as 2^b ≤ B · 2^t, that is B ≥ 2^(b − t), and the bound is
//! sharp: with fewer buckets there are more keys than pairs of bucket and tag. 1 MB is exact up to 55 bits, 512 MB up
//! to all 64.
//!
//! **Two ways to the same bucket.** Keys [within](TableKey::within) a [`Part`] are spread over 2^14 buckets only, so the
//! argument says nothing of such a key and another one that meet there. Where there are parts, which is up to 52 bits,
//! the top bit of the tag tells the two kinds apart, and each has the argument for itself, with t = 39. In a part the
//! image is rounded once more, so a run may be longer than 2^b / 2^14 by one or two: that is what the bit between 52
//! and 39 + 14 is for. No two parts share a bucket. Keys of 49 bits (the 7x6 board) need 1,024 buckets, which is 32
//! KiB.

/// Bits of the mixed key that an entry keeps.
pub(super) const TAG_BITS: u32 = 40;
pub(super) const TAG_MASK: u64 = (1 << TAG_BITS) - 1;

/// The bit of the tag that keys within a part have, and other keys of up to [`TableKey::PART_BITS`] have not.
const PART_TAG: u64 = 1 << (TAG_BITS - 1);

/// 2^64 divided by the golden ratio, made odd: multiples spread evenly (Knuth, vol. 3, 6.4).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
/// The odd constants of the finisher of `SplitMix64` (Steele, Lea and Flood, 2014).
const STAFFORD: u64 = 0xBF58_476D_1CE4_E5B9;
const WIDE_ODD: u128 = 0x94D0_49BB_1331_11EB_BF58_476D_1CE4_E5B9;

/// Where a position lives in any table and how it is told apart.
///
/// Computed once a position, then good for a prefetch, a probe and a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableKey {
    /// The image of the key, left-aligned: a fraction of 2^64 that picks the bucket.
    pub(super) hash: u64,
    /// What the entry keeps of the key, below 2^40.
    pub(super) tag: u64,
}

/// The buckets of a [`Part`]: 512 KB, which stay in a processor's second-level cache.
pub(super) const PART_BUCKETS: usize = 1 << 14;

/// A small part of a table that stays in the processor's cache: for positions that are many, asked for soon, and cheap
/// to search again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Where it begins and how much of the table it is, as fractions of 2^64.
    first: u64,
    share: u64,
}

impl Part {
    /// The part of a thread, by its number from 0, in a table of `buckets`: one of its own, as far as there are parts.
    /// Processors that write to the same lines have to fetch them from each other all the time.
    pub(super) const fn new(thread: usize, buckets: usize) -> Self {
        if buckets <= PART_BUCKETS {
            return Self { first: 0, share: u64::MAX };
        }
        let number = thread % (buckets / PART_BUCKETS);
        // Rounded up, so that it lies behind the part before; the share down, so that its last bucket is its own.
        let first = (((number * PART_BUCKETS) as u128) << 64).div_ceil(buckets as u128);
        let share = ((PART_BUCKETS as u128) << 64) / buckets as u128;
        Self { first: first as u64, share: share as u64 }
    }
}

impl TableKey {
    /// The place of an exact key below 2^`bits`; `bits` is 1 to 64.
    ///
    /// There are no false hits in a table for which [`Table::is_exact`](super::Table::is_exact) holds with these
    /// `bits`. All keys of a table come with the same `bits`.
    #[inline]
    #[must_use]
    pub const fn new(key: u64, bits: u32) -> Self {
        Self::of_image(mix(key, bits), bits)
    }

    /// The place of the key whose image under the mix is `mixed`.
    #[inline]
    const fn of_image(mixed: u64, bits: u32) -> Self {
        let mask = if bits <= Self::PART_BITS { PART_TAG - 1 } else { TAG_MASK };
        Self { hash: mixed << (u64::BITS - bits), tag: mixed & mask }
    }

    /// The place of a key of more than 64 bits.
    ///
    /// Not exact: hash and tag are two independent hashes, so a probe of a full bucket takes another position for
    /// this one with a chance of 4 / 2^40, or one in 275 thousand million.
    #[inline]
    #[must_use]
    pub const fn from_wide(key: u128) -> Self {
        // Invertible steps again, so that hash and tag are fields of a 128-bit image that no two keys share. The tag
        // leaves out the lowest bits: a product's low bits depend on no higher ones.
        let key = (key ^ key >> 64).wrapping_mul(WIDE_ODD);
        let key = (key ^ key >> 64).wrapping_mul(WIDE_ODD);
        Self { hash: (key >> 64) as u64, tag: key as u64 >> (u64::BITS - TAG_BITS) }
    }

    /// The most bits of a key that may live [`within`](Self::within) a part.
    pub const PART_BITS: u32 = PART_TAG.ilog2() + PART_BUCKETS.ilog2() - 1;

    /// The same key in `part` of the table, where there are no false hits for keys of up to [`Self::PART_BITS`] bits:
    /// see the module's docs. A position must always be looked for in the same part.
    #[inline]
    #[must_use]
    pub const fn within(self, part: Part) -> Self {
        let hash = part.first + ((self.hash as u128 * part.share as u128) >> 64) as u64;
        Self { hash, tag: self.tag | PART_TAG }
    }

    /// A word that tells this position from others: exactly with [`new`](Self::new), nearly with
    /// [`from_wide`](Self::from_wide). Zero for the key zero.
    #[inline]
    pub(crate) const fn word(self) -> u64 {
        self.hash
    }

    /// The bucket of this key among `buckets`: always below that number.
    #[inline]
    pub(super) const fn bucket(self, buckets: usize) -> usize {
        ((self.hash as u128 * buckets as u128) >> 64) as usize
    }
}

/// An invertible mix of the low `bits` bits, 1 to 64, best in the top ones, which pick the bucket.
///
/// Each step can be undone: a shift by half the width or more leaves the top half as it was, and an odd factor has an
/// inverse modulo a power of two.
const fn mix(key: u64, bits: u32) -> u64 {
    debug_assert!(1 <= bits && bits <= u64::BITS);
    let mask = u64::MAX >> (u64::BITS - bits);
    debug_assert!(key <= mask);
    let half = bits.div_ceil(2);
    // The factor carries low bits up, the shift brings high bits down to where the next factor can carry them up.
    let key = (key ^ key >> half).wrapping_mul(GOLDEN) & mask;
    (key ^ key >> half).wrapping_mul(STAFFORD) & mask
}

/// The bits of a tag that are left for keys of `bits` bits.
pub(super) const fn tag_bits(bits: u32) -> u32 {
    if bits <= TableKey::PART_BITS { TAG_BITS - 1 } else { TAG_BITS }
}

/// Whether bucket and tag together tell all keys of `bits` bits apart; the argument is in the module's docs.
pub(super) const fn tells_apart(bits: u32, buckets: usize, tag_bits: u32) -> bool {
    bits <= tag_bits || (bits - tag_bits < usize::BITS && buckets >> (bits - tag_bits) > 0)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const EXOTIC: [usize; 12] = [1, 2, 3, 5, 7, 8, 31, 32, 33, 100, 255, 1021];

    #[test]
    fn the_mix_is_a_permutation() {
        for bits in 1..=if cfg!(miri) { 6 } else { 16 } {
            let images: HashSet<u64> = (0..1 << bits).map(|key| mix(key, bits)).collect();
            assert_eq!(images.len(), 1 << bits, "{bits} bits");
            assert!(images.iter().all(|image| image >> bits == 0));
        }
    }

    #[test]
    fn bucket_and_tag_tell_all_keys_apart_exactly_when_there_are_enough_buckets() {
        let widths: &[u32] = if cfg!(miri) { &[5] } else { &[1, 2, 5, 8, 11, 14] };
        for &bits in widths {
            for tag_bits in 0..=bits {
                for buckets in EXOTIC {
                    let places: HashSet<(usize, u64)> = (0..1 << bits)
                        .map(|key| TableKey::new(key, bits))
                        .map(|key| (key.bucket(buckets), key.tag & ((1 << tag_bits) - 1)))
                        .collect();
                    assert!(places.iter().all(|&(bucket, _)| bucket < buckets));
                    assert_eq!(
                        places.len() == 1 << bits,
                        tells_apart(bits, buckets, tag_bits),
                        "{bits} bits, {buckets} buckets, tags of {tag_bits} bits"
                    );
                }
            }
        }
    }

    #[test]
    fn the_7x6_board_needs_1024_buckets() {
        assert!(tells_apart(49, 1024, tag_bits(49)));
        assert!(!tells_apart(49, 1023, tag_bits(49)));
        assert!(tells_apart(TableKey::PART_BITS, PART_BUCKETS, tag_bits(TableKey::PART_BITS)));
        assert!(tells_apart(64, 1 << 24, TAG_BITS));
        assert!(!tells_apart(64, (1 << 24) - 1, TAG_BITS));
        assert!(tells_apart(40, 1, TAG_BITS));
    }

    /// Images that agree in their low 40 bits, and whose high bits lead to the same bucket on either way.
    #[test]
    fn a_key_within_a_part_and_another_never_pass_for_each_other() {
        const BUCKETS: usize = 1 << 21;
        for low in 0..1000 {
            let late = TableKey::of_image(128 << 40 | low, 49).within(Part::new(0, BUCKETS));
            let other = TableKey::of_image(1 << 40 | low, 49);
            assert_eq!(late.bucket(BUCKETS), other.bucket(BUCKETS));
            assert_ne!(late.tag, other.tag);
        }
    }

    #[test]
    fn parts_are_small_and_disjoint_and_tell_keys_apart() {
        for buckets in [1, 1000, PART_BUCKETS, PART_BUCKETS + 1, 3 * PART_BUCKETS + 7, 1 << 21, 12_345_678] {
            let mut ends: Vec<(usize, usize)> = Vec::new();
            for thread in 0..(buckets / PART_BUCKETS).clamp(1, 5) {
                let part = Part::new(thread, buckets);
                let bucket = |hash| TableKey { hash, tag: 0 }.within(part).bucket(buckets);
                let (first, last) = (bucket(0), bucket(u64::MAX));
                assert!(first <= last && last < buckets && last - first <= PART_BUCKETS);
                assert!(last - first + 2 >= PART_BUCKETS.min(buckets), "hardly any of it lies idle");
                assert!(ends.iter().all(|&(begin, end)| last < begin || end < first));
                ends.push((first, last));
            }
        }
        // Successive keys across many buckets of the smallest part: none shares bucket and tag with another.
        let buckets = PART_BUCKETS + 1;
        let part = Part::new(0, buckets);
        let step = 1_u64 << (64 - TableKey::PART_BITS);
        let run = (1_u64 << TableKey::PART_BITS) / PART_BUCKETS as u64 + 2;
        assert!(run <= PART_TAG, "a run of that length has different tags");
        let bucket = |mixed: u64| TableKey { hash: mixed * step, tag: 0 }.within(part).bucket(buckets);
        for mixed in (0..1 << TableKey::PART_BITS).step_by((1 << TableKey::PART_BITS) / 4096) {
            assert!(mixed < run || bucket(mixed - run) < bucket(mixed), "no bucket holds a longer run");
        }
    }

    #[test]
    fn the_widest_keys_stay_within_the_table() {
        for key in [TableKey::new(u64::MAX, 64), TableKey::new(1, 1), TableKey::from_wide(u128::MAX)] {
            for buckets in [1, 3, usize::MAX] {
                assert!(key.bucket(buckets) < buckets);
            }
            assert!(key.tag <= TAG_MASK);
        }
    }

    /// Neighbouring boards, of which a search is full, differ in a bit or two: they must spread all the same.
    #[test]
    fn keys_with_few_bits_spread_evenly() {
        const BUCKETS: usize = 256;
        fn worst(keys: &[TableKey]) -> f64 {
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
        let exact: Vec<_> = triples().map(|key| TableKey::new(key, 49)).collect();
        let wide: Vec<_> = triples().map(|key| TableKey::from_wide(u128::from(key) << 60)).collect();
        // The ratio is near 1 for keys thrown at random, whose loads follow Poisson's law.
        assert!(worst(&exact) < 1.5, "{}", worst(&exact));
        assert!(worst(&wide) < 1.5, "{}", worst(&wide));
    }
}
