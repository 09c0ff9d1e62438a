//! Regions: parts of a table that stay in a processor's cache.

/// Number of buckets in a [`Region`]: 512 KiB.
pub(super) const REGION_BUCKETS: usize = 1 << 14;

/// A part of a table small enough to stay in the processor's second-level cache, made by
/// [`Table::region`](super::Table::region): for positions near the end of the game, which are many, soon probed again,
/// and cheap to search once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Start and length as fractions of the table, in units of 2^-64.
    first: u64,
    share: u64,
}

impl Region {
    /// The region of a thread, numbered from 0, in a table of `buckets`. As far as there are enough, each thread has one of
    /// its own, because cache lines written by several processors move between their caches all the time.
    pub(super) const fn new(thread: usize, buckets: usize) -> Self {
        if buckets <= REGION_BUCKETS {
            return Self { first: 0, share: u64::MAX };
        }
        let number = thread % (buckets / REGION_BUCKETS);
        // The start is rounded up and the length down, so that no bucket belongs to two regions.
        let first = (((number * REGION_BUCKETS) as u128) << 64).div_ceil(buckets as u128);
        let share = ((REGION_BUCKETS as u128) << 64) / buckets as u128;
        Self { first: first as u64, share: share as u64 }
    }

    /// The image in the region of a hash, a fraction of 2^64. It selects a bucket of the whole table.
    #[inline]
    pub(super) const fn image(self, hash: u64) -> u64 {
        self.first + ((hash as u128 * self.share as u128) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
