//! The transposition table: proved bounds on scores, and best moves, by position.
//!
//! An entry is one atomic 64-bit word (drawn in `entry.rs`). Four entries form a bucket of 32 bytes, which never crosses
//! a cache line. The bucket of a position is a multiply-shift of its mixed key, so that every size in megabytes is used
//! in full (`key.rs`).
//!
//! # When a hit is certain
//!
//! An entry stores 39 to 51 bits of the position's mixed key, and the bucket implies the rest. **A probe never returns
//! the entry of another position if the table [is exact](Table::is_exact)**, that is if the board's keys have at most
//! 64 bits and there are enough buckets to identify all keys:
//!
//! | board | key bits ([`Geometry::key_bits`]) | least size of an exact table |
//! |---|---|---|
//! | 7x6 | 49 | 32 KiB: every table is exact |
//! | up to 55 bits, as 6x8 and 11x4 | 55 | 1 MB: every table is exact |
//! | 8x6 and 7x7 | 56 | 2 MB |
//! | 8x7 | 64 | 512 MB |
//! | 9x7 and all others of more than 64 bits | 65 to 128 | none: about one probe in 2^38 is a false hit |
//!
//! `key.rs` has the proof. Scores from a table that is not exact are right with high probability only.
//!
//! # Positions near the end
//!
//! Most nodes of a search have few empty cells, and there waiting for memory costs more than lost entries. So their
//! entries live in a [`Region`] of the table, 512 KiB that stay in the processor's cache, whatever the board and the
//! table's size. Where keys are long, 512 KiB of buckets imply too little of them for a tag of 40 bits: entries there
//! have a longer tag, at the expense of their work and of the range of their bounds (`entry.rs`).
//!
//! # Threads
//!
//! Threads share a table without locks. Each slot is loaded and stored as one word, with relaxed order, so a probe
//! returns some entry that some thread stored, never a mixture of two. A race can lose work, not correctness: two
//! threads may fill two slots with the same position, or one entry may overwrite another that took longer to compute.

mod any;
mod entry;
mod key;
mod memory;
#[cfg(all(test, loom))]
mod models;
mod system_memory;
#[cfg(test)]
mod tests;

use std::fmt::{self, Debug, Formatter};
use std::mem;
use std::sync::atomic::Ordering;

use crate::board::{Geometry, Standard, StaticGeometry};
pub use any::AnyTable;
pub use entry::TableEntry;
use entry::{BUCKET_BYTES, Bucket, ENTRIES_PER_BUCKET};
pub use key::{Region, TableKey};
use memory::Buckets;
use system_memory::MEGABYTE;
pub use system_memory::{MemoryLimit, TableError};

/// Buckets of the small table that [`Table::resize`] works with between the release of the old memory and the allocation
/// of the new, and keeps where no memory is left. It has 1 MB, the least size that can be asked for, and is exact on
/// the same boards as every table of that size.
const LEAST_BUCKETS: usize = MEGABYTE as usize / BUCKET_BYTES;

/// Buckets sampled by [`Table::hashfull`]: about a thousand entries.
const SAMPLE: usize = 1000 / ENTRIES_PER_BUCKET;

/// A transposition table of a fixed number of megabytes, for positions of board `G`.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::table::{Table, TableEntry, TableKey};
///
/// let table = Table::<Standard>::new(1)?; // 1 MB
/// let key = TableKey::of(&Position::new());
/// assert_eq!(table.probe(key), None);
/// let entry = TableEntry { lower: -3, upper: 5, best: Some(3), work: 12 };
/// table.store(key, entry);
/// assert_eq!(table.probe(key), Some(entry));
/// # Ok::<(), plumb::table::TableError>(())
/// ```
pub struct Table<G: Geometry = Standard> {
    /// Dereferenced, the buckets that are ready; [`Buckets::total`] counts all.
    buckets: Buckets,
    megabytes: usize,
    geometry: G,
}

/// Tables for boards whose type determines their size.
impl<G: StaticGeometry> Table<G> {
    /// An empty table of `megabytes` (2^20 bytes each; 0 counts as 1), ready for use.
    ///
    /// Touches all of the memory on this thread: about a tenth of a second for a gigabyte on a real machine, up to ten
    /// times as long on a virtual one whose host provides memory at the first touch. To share that work among threads,
    /// or to put it off, start with [`reserve`](Self::reserve).
    ///
    /// # Errors
    /// [`TableError`] if that much memory is not left: to the machine, to the control groups of the process, or within
    /// its limit of address space; or if the allocator refuses. Linux tells each of these three limits before any memory is
    /// taken, Windows one figure for all, other systems none.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        Ok(Self::reserve(megabytes)?.prepared_by(1))
    }

    /// A table like that of [`new`](Self::new), but returned at once: it stores nothing before
    /// [`prepare`](Self::prepare) or [`prepared_by`](Self::prepared_by).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn reserve(megabytes: usize) -> Result<Self, TableError> {
        Self::reserve_on(G::default(), megabytes)
    }
}

impl<G: Geometry> Table<G> {
    /// Number of entries in a bucket. A position has one bucket, whose entries compete for their slots.
    pub const ENTRIES_PER_BUCKET: usize = ENTRIES_PER_BUCKET;

    /// A table for the board of a size, like that of [`reserve`](Table::reserve).
    ///
    /// # Errors
    /// As [`new`](Table::new).
    pub fn reserve_on(geometry: G, megabytes: usize) -> Result<Self, TableError> {
        Self::reserve_within(geometry, megabytes, &system_memory::available)
    }

    /// The board (its geometry).
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> G {
        self.geometry
    }

    /// Checks that the table is for the board of a position, as keys of other boards mean other positions.
    ///
    /// # Panics
    /// If it is not.
    #[inline]
    pub(crate) fn assert_board(&self, geometry: G) {
        assert!(self.geometry == geometry, "a table for another board than the position's");
    }

    /// This table for another board, emptied, with the same memory; it needs a [`prepare`](Self::prepare) afterwards.
    #[must_use]
    pub fn for_board<H: Geometry>(self, geometry: H) -> Table<H> {
        let Self { mut buckets, megabytes, .. } = self;
        buckets.forget();
        Table { buckets, megabytes, geometry }
    }

    /// [`reserve_on`](Self::reserve_on) within the memory that `read_available` finds, in bytes.
    fn reserve_within(
        geometry: G,
        megabytes: usize,
        read_available: &impl Fn() -> Option<(u64, MemoryLimit)>,
    ) -> Result<Self, TableError> {
        let megabytes = megabytes.max(1);
        let available =
            read_available().map(|(bytes, limit)| (system_memory::usable(bytes) / MEGABYTE, limit));
        if available.is_some_and(|(most, _)| megabytes as u64 > most) {
            return Err(TableError { requested: megabytes, available });
        }
        // For an allocator that refuses what should fit by the figure, which is wrong then, and would mislead.
        let refused = TableError { requested: megabytes, available: None };
        let bytes = megabytes.checked_mul(MEGABYTE as usize).ok_or(refused)?;
        let buckets = Buckets::reserve(bytes / BUCKET_BYTES).ok_or(refused)?;
        Ok(Self { buckets, megabytes, geometry })
    }

    /// The table with all of it ready for use, its memory touched by up to `threads` threads.
    ///
    /// ```
    /// use plumb::board::Standard;
    /// use plumb::table::Table;
    ///
    /// let table = Table::<Standard>::reserve(64)?.prepared_by(2);
    /// assert!(table.is_ready());
    /// # Ok::<(), plumb::table::TableError>(())
    /// ```
    #[must_use]
    pub fn prepared_by(mut self, threads: usize) -> Self {
        self.prepare(threads, &|| false);
        self
    }

    /// Makes more of the table ready for use, with up to `threads` threads, until all of it is or `enough` returns
    /// `true`; at least one chunk of 2 MB. The rest ignores stores and finds nothing, which costs work, not correctness.
    ///
    /// The first touch of memory is slow: a search that must answer soon starts with a part of the table, and the rest
    /// becomes ready while the engine is idle.
    pub fn prepare(&mut self, threads: usize, enough: &(impl Fn() -> bool + Sync)) {
        self.buckets.prepare(threads, enough);
    }

    /// Whether some part of the table is ready for use, with entries or without.
    #[must_use]
    pub fn is_partly_ready(&self) -> bool {
        // The length of the buckets is that of the ready ones.
        !self.buckets.is_empty()
    }

    /// Whether all of the table is ready for use.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.buckets.is_ready()
    }

    /// Changes the size to `megabytes` and empties the table, which needs a [`prepare`](Self::prepare) afterwards; does
    /// nothing if that is the size already.
    ///
    /// The old memory is released after the new one is reserved; or before that, if both do not fit together, but the new one
    /// may fit alone by the figures of the system. Without figures, or if the allocator refuses in spite of them, the old memory
    /// is released for a smaller size only, so that entries are not lost in vain.
    ///
    /// # Errors
    /// As [`new`](Table::new). The table then keeps its size and contents; but if the old memory had to be released first
    /// and the new one could not be reserved all the same, the table is empty and has its old size or the largest half,
    /// quarter and so on of it that is available, at least 1 MB (see [`megabytes`](Self::megabytes)).
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.resize_within(megabytes, &system_memory::available)
    }

    fn resize_within(
        &mut self,
        megabytes: usize,
        read_available: &impl Fn() -> Option<(u64, MemoryLimit)>,
    ) -> Result<(), TableError> {
        let megabytes = megabytes.max(1);
        if megabytes == self.megabytes {
            return Ok(());
        }
        let mut error = match Self::reserve_within(self.geometry, megabytes, read_available) {
            Ok(table) => {
                *self = table;
                return Ok(());
            }
            Err(error) => error,
        };
        // `available` is an upper limit from here on: the release of this table frees at most its size, and less if not all of
        // it was ever touched.
        error.available =
            error.available.map(|(available, limit)| (available + self.megabytes as u64, limit));
        // Without a figure, or where the allocator refused in spite of it, a smaller table may fit, and a larger one is not
        // tried.
        let may_fit_alone = error
            .available
            .map_or(megabytes < self.megabytes, |(available, _)| megabytes as u64 <= available);
        if !may_fit_alone {
            return Err(error);
        }
        // The least table takes the place of the old memory, which is released, so that there is a valid one whatever fails.
        let buckets = Buckets::reserve(LEAST_BUCKETS).ok_or(TableError { available: None, ..error })?;
        let geometry = self.geometry;
        let old_megabytes = mem::replace(self, Self { buckets, megabytes: 1, geometry }).megabytes;
        let result = Self::reserve_within(geometry, megabytes, read_available).map(|table| *self = table);
        if result.is_err() {
            // 1 MB is in place already.
            let mut sizes = std::iter::successors(Some(old_megabytes), |size| Some(size / 2))
                .take_while(|&size| size > 1);
            let restored = sizes.find_map(|size| Self::reserve_within(geometry, size, read_available).ok());
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

    /// Megabytes of the table's memory that the system backs with huge pages of 2 MB; `None` if it does not tell, as all
    /// but Linux.
    #[must_use]
    pub fn huge_page_megabytes(&self) -> Option<u64> {
        system_memory::huge_page_bytes(&self.buckets.addresses()).map(|bytes| bytes / MEGABYTE)
    }

    /// The number of entries that the table has room for.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.buckets.total() * Self::ENTRIES_PER_BUCKET
    }

    /// Whether a probe can never return the entry of another position: see the [module](self).
    #[must_use]
    pub fn is_exact(&self) -> bool {
        key::is_exact(self.geometry, self.buckets.total())
    }

    /// The region for the positions of a thread that are near the end of the game, threads numbered from 0; see
    /// [`TableKey::in_region`].
    #[must_use]
    pub fn region(&self, thread: usize) -> Region {
        Region::new(thread, self.buckets.total())
    }

    /// Fetches a position's bucket into the cache, for a probe or store some hundred instructions later.
    #[inline]
    pub fn prefetch(&self, key: TableKey<G>) {
        if let Some(bucket) = self.bucket(key) {
            memory::prefetch(bucket);
        }
    }

    /// The entry of a position, if the table has one.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: TableKey<G>) -> Option<TableEntry> {
        self.bucket(key)?.probe(key.format(), key.raw.tag)
    }

    /// Stores the entry of a position: over its previous entry, else in an empty slot, else over the entry with the
    /// least work, even if the new one has less (Breuker, Uiterwijk and van den Herik, "Replacement Schemes for
    /// Transposition Tables", 1994).
    ///
    /// The previous entry is not merged: a search has probed and combined the bounds already, and who stores without a probe
    /// loses what the entry knew. Bounds that another
    /// thread stored meanwhile are lost, which costs less than unpacking the word at every store.
    ///
    /// In a region, entries of long keys are stored without work: a new one replaces the entry with the least work among those
    /// from outside the regions; in a bucket without such entries it replaces one that is as good as chosen at random, that
    /// with the smallest value of its tag XOR the new tag.
    ///
    /// Values outside the ranges given in [`TableEntry`] store a wrong entry; builds with debug assertions panic.
    #[inline(always)]
    pub fn store(&self, key: TableKey<G>, entry: TableEntry) {
        // Packed in the caller, which has the fields in registers.
        self.store_word(key, entry.encode(key.format(), key.raw.tag));
    }

    #[inline]
    fn store_word(&self, key: TableKey<G>, word: u64) {
        if let Some(bucket) = self.bucket(key) {
            bucket.store(key.format(), key.raw.tag, word);
        }
    }

    /// Whether a [`store`](Self::store) with this key would overwrite the entry of another position.
    #[must_use]
    pub fn would_overwrite(&self, key: TableKey<G>) -> bool {
        self.bucket(key).is_some_and(|bucket| bucket.would_overwrite(key.format(), key.raw.tag))
    }

    /// Occupancy of the table in permille, from a sample of a thousand entries.
    #[must_use]
    pub fn hashfull(&self) -> u16 {
        let sampled = SAMPLE.min(self.buckets.len());
        if sampled == 0 {
            return 0;
        }
        let step = self.buckets.len() / sampled;
        let used: usize = self.buckets.iter().step_by(step).take(sampled).map(Bucket::used).sum();
        // Buckets that are not ready count as empty.
        let (ready, total) = (self.buckets.len() as u64, self.buckets.total() as u64);
        (used as u64 * 1000 * ready / ((sampled * Self::ENTRIES_PER_BUCKET) as u64 * total)) as u16
    }

    /// Removes all entries, with up to `threads` threads, in at most the time of [`new`](Table::new).
    ///
    /// Needs exclusive access: the table is never cleared under a search.
    pub fn clear(&mut self, threads: usize) {
        self.forget();
        self.prepare(threads, &|| false);
    }

    /// Removes all entries at once; the table needs a [`prepare`](Self::prepare) afterwards.
    pub fn forget(&mut self) {
        self.buckets.forget();
    }

    /// Copies the words of entries to `words`, from entry number `first` on in the order of the memory, and returns how
    /// many of these there are in use; a slot without an entry, or past the end, is zero. [`entries`](Self::entries) is
    /// the number of all.
    ///
    /// May run beside searches: each entry is one word, loaded in one piece, and proved by itself. Words copied at different
    /// moments need not have been in the table together, which makes none of them wrong.
    pub fn copy_words(&self, first: usize, words: &mut [u64]) -> usize {
        let mut used = 0;
        words.fill(entry::EMPTY);
        let start = first / ENTRIES_PER_BUCKET * ENTRIES_PER_BUCKET;
        let buckets = self.buckets.get(first / ENTRIES_PER_BUCKET..).unwrap_or_default();
        let slots = buckets.iter().flat_map(|bucket| &bucket.0).skip(first - start);
        for (word, slot) in words.iter_mut().zip(slots) {
            *word = slot.load(Ordering::Relaxed);
            used += usize::from(*word != entry::EMPTY);
        }
        used
    }

    /// Puts back words that [`copy_words`](Self::copy_words) gave from entry number `first` on, over what is there.
    ///
    /// **The solver takes every entry as proved.** The words must be those of a table for the same board, of the same
    /// size, made by the same version of this library, and undamaged: a caller that keeps them in a file puts a checksum
    /// and all of that into it. Words for slots that are not ready, or past the end, are dropped.
    pub fn load_words(&mut self, first: usize, words: &[u64]) {
        let start = first / ENTRIES_PER_BUCKET * ENTRIES_PER_BUCKET;
        let buckets = self.buckets.get_mut(first / ENTRIES_PER_BUCKET..).unwrap_or_default();
        let slots = buckets.iter_mut().flat_map(|bucket| &mut bucket.0).skip(first - start);
        for (slot, &word) in slots.zip(words) {
            *slot.get_mut() = word;
        }
    }

    /// The bucket of this key, if it is ready.
    #[inline]
    fn bucket(&self, key: TableKey<G>) -> Option<&Bucket> {
        self.buckets.get(key.raw.bucket(self.buckets.total()))
    }
}

/// The size and the occupancy, not the entries.
impl<G: Geometry> Debug for Table<G> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("megabytes", &self.megabytes)
            .field("hashfull", &self.hashfull())
            .finish_non_exhaustive()
    }
}
