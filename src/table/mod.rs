//! The transposition table: what the search has proved, kept by position.
//!
//! An entry is one atomic 64-bit word (see `entry.rs` for its picture), four of them are a bucket of 32 bytes that
//! never crosses a cache line, and a position's bucket is picked so that every size in megabytes is used in full and
//! no probe of an exact key ever hits another position's entry (`key.rs` has the argument).
//!
//! Threads share a table without locks. Each slot is loaded and stored whole, with relaxed order, so a probe sees some
//! entry that some thread stored, never a mixture of two. What can be lost in a race is only work: two threads may
//! fill two slots with the same position, or one entry may overwrite another that was dearer.

mod entry;
mod key;
mod limits;
mod memory;
#[cfg(test)]
mod tests;

use std::fmt::{self, Debug, Formatter};
use std::mem;
use std::sync::atomic::Ordering;

pub use entry::Entry;
pub use key::{Part, TableKey};
use limits::MEGABYTE;
pub use limits::TableError;
use memory::{BUCKET_BYTES, Bucket, Buckets};

/// Buckets looked at by [`Table::hashfull`]: about a thousand entries.
const SAMPLE: usize = 1000 / Table::ENTRIES_PER_BUCKET;

/// A transposition table of a fixed number of megabytes.
///
/// ```
/// use plumb::table::{Entry, Table, TableKey};
///
/// let table = Table::new(1, 1)?;
/// let key = TableKey::new(0x1234_5678_9ABC, 49);
/// assert_eq!(table.probe(key), None);
/// let entry = Entry { lower: -3, upper: 5, best: Some(3), work: 12 };
/// table.store(key, entry);
/// assert_eq!(table.probe(key), Some(entry));
/// # Ok::<(), plumb::table::TableError>(())
/// ```
pub struct Table {
    buckets: Buckets,
    megabytes: usize,
}

impl Table {
    /// Entries that share a bucket, and so compete for their places.
    pub const ENTRIES_PER_BUCKET: usize = memory::ENTRIES_PER_BUCKET;

    /// An empty table of `megabytes` (2^20 bytes each; 0 counts as 1), its memory touched by up to `threads` threads.
    ///
    /// A real machine needs about a tenth of a second for a gigabyte, a virtual one whose host lends the memory only when
    /// it is touched may need ten times as long.
    ///
    /// # Errors
    ///
    /// If the machine, the process's control groups or its limit of address space have not that much memory left,
    /// found out before any is taken, or if the allocator refuses.
    pub fn new(megabytes: usize, threads: usize) -> Result<Self, TableError> {
        let mut table = Self::reserve(megabytes)?;
        table.prepare(threads, &|| false);
        Ok(table)
    }

    /// A table as [`Table::new`] makes it, but at once: nothing can be stored in it before [`Table::prepare`].
    ///
    /// # Errors
    ///
    /// As [`Table::new`].
    pub fn reserve(megabytes: usize) -> Result<Self, TableError> {
        Self::within(megabytes, &limits::available)
    }

    /// [`Table::reserve`] with the bytes that `available` tells.
    fn within(megabytes: usize, available: &impl Fn() -> Option<u64>) -> Result<Self, TableError> {
        let megabytes = megabytes.max(1);
        let available = available().map(|bytes| limits::usable(bytes) / MEGABYTE);
        if available.is_some_and(|available| megabytes as u64 > available) {
            return Err(TableError { requested: megabytes, available });
        }
        // If the allocator knows better than what the system told, that figure would only mislead.
        let refused = TableError { requested: megabytes, available: None };
        let bytes = megabytes.checked_mul(MEGABYTE as usize).ok_or(refused)?;
        let buckets = Buckets::reserve(bytes / BUCKET_BYTES).ok_or(refused)?;
        Ok(Self { buckets, megabytes })
    }

    /// Makes more of the table ready for use, with up to `threads` threads, until all of it is or `enough` says so; at least
    /// one share of two megabytes. What is not ready takes no stores and finds nothing, which costs work but never truth.
    ///
    /// A table is made ready in parts because the first touch of its memory takes the system long: a search that has to
    /// answer soon begins with what is there, and the rest follows while there is nothing to search.
    pub fn prepare(&mut self, threads: usize, enough: &(impl Fn() -> bool + Sync)) {
        self.buckets.prepare(threads, enough);
    }

    /// Whether all of the table is ready for use.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.buckets.is_ready()
    }

    /// Gives the table another size and empties it, which makes a [`Table::prepare`] necessary; with the size it has, nothing
    /// happens.
    ///
    /// The old table is kept until the new one is there. Only when both do not fit together, but the new one would
    /// alone, is the old one given up first.
    ///
    /// # Errors
    ///
    /// As [`Table::new`]. The table is then as it was, size and contents. If the old one had to be given up first and
    /// the new one failed all the same, the table has its old size, or the largest half, quarter and so on of it that
    /// can still be had, and is empty: [`Table::megabytes`] tells.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.resize_within(megabytes, &limits::available)
    }

    fn resize_within(
        &mut self,
        megabytes: usize,
        available: &impl Fn() -> Option<u64>,
    ) -> Result<(), TableError> {
        let megabytes = megabytes.max(1);
        if megabytes == self.megabytes {
            return Ok(());
        }
        let mut error = match Self::within(megabytes, available) {
            Ok(table) => {
                *self = table;
                return Ok(());
            }
            Err(error) => error,
        };
        // What this table would give back is available too.
        error.available = error.available.map(|available| available + self.megabytes as u64);
        // Where nothing is known, only a smaller table is sure to fit once this one is gone.
        let fits_alone = error.available.map_or(megabytes < self.megabytes, |all| megabytes as u64 <= all);
        if !fits_alone {
            return Err(error);
        }
        // A single bucket stands in meanwhile, so that whatever happens there is a table to probe.
        let spare = Self { buckets: Buckets::reserve(1).ok_or(error)?, megabytes: 0 };
        let old = mem::replace(self, spare).megabytes;
        let result = Self::within(megabytes, available).map(|table| *self = table);
        if result.is_err() {
            let mut sizes =
                std::iter::successors(Some(old), |size| Some(size / 2)).take_while(|&size| size > 0);
            let restored = sizes.find_map(|size| Self::within(size, available).ok());
            if let Some(table) = restored {
                *self = table;
            }
        }
        result
    }

    /// The size in megabytes of 2^20 bytes.
    #[must_use]
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// The number of entries there is room for.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.buckets.total() * Self::ENTRIES_PER_BUCKET
    }

    /// Whether no probe with a key of [`TableKey::new`] of so many `bits` can hit another position's entry: up to 55
    /// bits in every table, and one more each time the size doubles.
    #[must_use]
    pub fn is_exact(&self, bits: u32) -> bool {
        key::tells_apart(bits, self.buckets.total(), key::tag_bits(bits))
    }

    /// The part of the table for a thread's late positions, threads numbered from 0; see [`TableKey::within`].
    #[must_use]
    pub fn part(&self, thread: usize) -> Part {
        Part::new(thread, self.buckets.total())
    }

    /// Fetches a position's bucket into the cache, for a probe or a store some hundred instructions later.
    #[inline]
    pub fn prefetch(&self, key: TableKey) {
        if let Some(bucket) = self.bucket(key) {
            memory::prefetch(bucket);
        }
    }

    /// What is known about a position.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: TableKey) -> Option<Entry> {
        // Every slot is looked at and none branched on: where an entry is found cannot be predicted. An empty slot passes
        // for one of tag 0; as slots fill up from the first, an entry is met after those.
        let mut found = entry::EMPTY;
        for slot in self.bucket(key)?.0.iter().rev() {
            let word = slot.load(Ordering::Relaxed);
            found = if entry::has_tag(word, key.tag) { word } else { found };
        }
        (found != entry::EMPTY).then(|| Entry::decode(found))
    }

    /// Keeps what is known about a position: in the place of its last entry, else in an empty slot, else in that of
    /// the entry with the least work (Breuker, Uiterwijk and van den Herik, "Replacement Schemes for Transposition
    /// Tables", 1994), even if the new one has less.
    ///
    /// The last entry is overwritten, not merged: the caller has probed and combined the bounds already, and bounds
    /// that another thread proved meanwhile are not worth unpacking the word at every store. Losing them costs work,
    /// never truth.
    ///
    /// Values outside the ranges in [`Entry`] are the caller's mistake: a panic in builds with debug assertions, and
    /// else a wrong entry.
    #[inline]
    pub fn store(&self, key: TableKey, entry: Entry) {
        let Some(Bucket(slots)) = self.bucket(key) else { return };
        let mut victim = &slots[0];
        let mut least = u64::MAX;
        for slot in slots {
            let word = slot.load(Ordering::Relaxed);
            // The position's last entry counts as empty.
            let cost = if entry::has_tag(word, key.tag) { entry::EMPTY } else { word };
            (victim, least) = if cost < least { (slot, cost) } else { (victim, least) };
        }
        victim.store(entry.encode(key.tag), Ordering::Relaxed);
    }

    /// Whether [`store`](Self::store) would lose what is known of another position.
    #[must_use]
    pub fn would_overwrite(&self, key: TableKey) -> bool {
        let foreign = |word| word != entry::EMPTY && !entry::has_tag(word, key.tag);
        self.bucket(key)
            .is_some_and(|bucket| bucket.0.iter().all(|slot| foreign(slot.load(Ordering::Relaxed))))
    }

    /// How full the table is, in permille, from a sample of a thousand entries.
    #[must_use]
    pub fn hashfull(&self) -> u16 {
        let sampled = SAMPLE.min(self.buckets.len());
        if sampled == 0 {
            return 0;
        }
        // Mixed keys fill all parts of the table alike; the sample is spread anyway, as that costs nothing.
        let used: usize = (0..sampled)
            .map(|sample| &self.buckets[sample * (self.buckets.len() / sampled)])
            .map(|bucket| bucket.0.iter().filter(|slot| slot.load(Ordering::Relaxed) != entry::EMPTY).count())
            .sum();
        // What is not ready is empty.
        let (ready, total) = (self.buckets.len() as u64, self.buckets.total() as u64);
        (used as u64 * 1000 * ready / ((sampled * Self::ENTRIES_PER_BUCKET) as u64 * total)) as u16
    }

    /// Forgets everything, with up to `threads` threads, in the time of [`Table::new`] or less.
    ///
    /// Takes the table for itself, as a search that lost its entries midway would only be slower.
    pub fn clear(&mut self, threads: usize) {
        self.forget();
        self.prepare(threads, &|| false);
    }

    /// Forgets everything at once, which makes a [`Table::prepare`] necessary.
    pub fn forget(&mut self) {
        self.buckets.forget();
    }

    /// The bucket of this key, if it is ready.
    #[inline]
    fn bucket(&self, key: TableKey) -> Option<&Bucket> {
        self.buckets.get(key.bucket(self.buckets.total()))
    }
}

/// The size and how full it is; not the entries, of which there are millions.
impl Debug for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("megabytes", &self.megabytes)
            .field("hashfull", &self.hashfull())
            .finish_non_exhaustive()
    }
}
