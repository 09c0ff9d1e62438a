//! The transposition table: proved bounds on scores, and best moves, by position.
//!
//! An entry is one atomic 64-bit word (drawn in `entry.rs`). Four entries form a bucket of 32 bytes, which
//! never crosses a cache line.
//!
//! # Size
//!
//! The size in megabytes is a limit. A table uses a prefix of its buckets, 1 MB at first. It doubles the
//! prefix when a search has visited so many nodes that the prefix is full.
//!
//! # When a hit is certain
//!
//! An entry stores 40 or 51 bits of the position's mixed key, and the bucket implies the rest. **A probe
//! never returns the entry of another position if the table [is exact](Table::is_exact)**. That needs keys of
//! at most 64 bits, and enough buckets to identify all keys:
//!
//! | board | key bits ([`Geometry::key_bits`]) | least size of an exact table |
//! |---|---|---|
//! | 7x6 | 49 | 16 KiB: every table is exact |
//! | up to 55 bits, as 6x8 and 11x4 | 55 | 1 MB: every table is exact |
//! | 8x6 and 7x7 | 56 | 2 MB |
//! | 8x7 | 64 | 512 MB |
//! | 9x7 and all others of more than 64 bits | 65 to 128 | none: about one probe in 2^38 is a false hit |
//!
//! `key.rs` has the proof. Scores from other tables are right with high probability only.
//!
//! # Positions near the end
//!
//! Most nodes have few empty cells, and there latency costs more than lost entries. Their entries live in a
//! *region* of 512 KiB for each thread, which stays in the cache. Regions do not count in the size.
//!
//! # Threads
//!
//! Threads share a table without locks. Each slot is loaded and stored as one word, so a probe never returns
//! a mixture of two entries. A race can lose work, not correctness.
//!
//! A word is valid only for the table size at which it was stored. So a table grows only while one search
//! uses it, between two null-window searches.

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
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use crate::board::{Board, Geometry, Position};
pub use entry::TableEntry;
use entry::{BUCKET_BYTES, Bucket, ENTRIES_PER_BUCKET};
use key::REGION_BUCKETS;
pub use key::TableKey;
pub(crate) use key::{Placement, mix_wide};
use memory::Buckets;
use system_memory::MEGABYTE;
pub use system_memory::{MemoryLimit, TableError};

const MEGABYTE_BUCKETS: usize = MEGABYTE as usize / BUCKET_BYTES;

/// Buckets in use before the first growth, unless an exact table needs more.
const START_BUCKETS: usize = if cfg!(test) { 64 } else { MEGABYTE_BUCKETS };

/// Nodes visited for each bucket in use before the table doubles. Most nodes are not stored in these buckets.
const NODES_PER_BUCKET: u64 = if cfg!(test) { 1 } else { 32 };

const SAMPLE: usize = 1000 / ENTRIES_PER_BUCKET;

/// A transposition table for one board size.
///
/// ```
/// use plumb::board::Position;
/// use plumb::table::{Table, TableEntry};
///
/// let table = Table::new(64)?; // 64 MB, for 7x6
/// let start: Position = Position::new();
/// let key = table.key(&start);
/// assert_eq!(table.probe(key), None);
/// let entry = TableEntry { lower: -3, upper: 5, best: Some(3), work: 12 };
/// table.store(key, entry);
/// assert_eq!(table.probe(key), Some(entry));
/// # Ok::<(), plumb::table::TableError>(())
/// ```
pub struct Table {
    buckets: Buckets,
    regions: usize,
    /// Number of threads' regions in use. Later regions are zero.
    regions_used: AtomicUsize,
    start: usize,
    /// Number of buckets in use, without the threads' regions. Later buckets have arbitrary contents.
    in_use: AtomicUsize,
    /// Greatest number of buckets in use before the last [`clear`](Self::clear). Later buckets are zero.
    written: usize,
    nodes: AtomicU64,
    /// Number of running searches that use the table. The lock is held while the table grows.
    searches: Mutex<usize>,
    megabytes: usize,
    board: Board,
}

impl Table {
    /// Number of entries in a bucket. Positions with the same bucket compete for them.
    pub const ENTRIES_PER_BUCKET: usize = ENTRIES_PER_BUCKET;

    /// An empty table for 7x6 of at most `megabytes` (2^20 bytes each; 0 counts as 1).
    ///
    /// Returns immediately: the system provides memory when the table grows.
    ///
    /// # Errors
    /// [`TableError`] if less memory is available, or if the allocator refuses.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        Self::new_on(Board::default(), megabytes)
    }

    /// Like [`new`](Self::new), but for any board.
    ///
    /// ```
    /// use plumb::board::Board;
    /// use plumb::table::Table;
    ///
    /// let board: Board = "9x7".parse()?;
    /// assert_eq!(Table::new_on(board, 1)?.board(), board);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn new_on(board: impl Geometry, megabytes: usize) -> Result<Self, TableError> {
        Self::new_within(Board::of(board), megabytes, &system_memory::available)
    }

    /// The board of the table.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    #[inline]
    pub(crate) fn assert_board(&self, geometry: impl Geometry) {
        assert!(self.board == Board::of(geometry), "a table for another board than the position's");
    }

    /// This table for another board, emptied, with the same memory.
    #[must_use]
    pub fn for_board(mut self, board: impl Geometry) -> Self {
        self.board = Board::of(board);
        self.start = start_size(self.board, self.growable().len());
        self.clear();
        self
    }

    fn allocate(board: Board, megabytes: usize) -> Option<Self> {
        let regions = available_parallelism().map_or(1, usize::from);
        Self::with_memory(board, megabytes, megabytes.checked_mul(MEGABYTE_BUCKETS)?, regions)
    }

    fn with_memory(board: Board, megabytes: usize, buckets: usize, regions: usize) -> Option<Self> {
        let start = start_size(board, buckets);
        Some(Self {
            buckets: Buckets::new(buckets.checked_add(regions * REGION_BUCKETS)?)?,
            regions,
            regions_used: AtomicUsize::new(0),
            start,
            in_use: AtomicUsize::new(start),
            written: 0,
            nodes: AtomicU64::new(0),
            searches: Mutex::new(0),
            megabytes,
            board,
        })
    }

    fn new_within(
        board: Board,
        megabytes: usize,
        read_available: &impl Fn() -> Option<(u64, MemoryLimit)>,
    ) -> Result<Self, TableError> {
        let megabytes = megabytes.max(1);
        let available =
            read_available().map(|(bytes, limit)| (system_memory::usable(bytes) / MEGABYTE, limit));
        if available.is_some_and(|(most, _)| megabytes as u64 > most) {
            return Err(TableError { requested: megabytes, available });
        }
        // The available memory was overestimated, so the error does not mention it.
        Self::allocate(board, megabytes).ok_or(TableError { requested: megabytes, available: None })
    }

    /// This table, emptied and at its full size, for several concurrent searches.
    #[must_use]
    pub fn at_full_size(mut self) -> Self {
        self.start = self.growable().len();
        self.clear();
        self
    }

    /// Changes the size to `megabytes` and empties the table. Does nothing if the table has this size.
    ///
    /// The old memory is released after the new memory is allocated, or before, if both do not fit together.
    ///
    /// # Errors
    /// As [`new`](Table::new). The table keeps its size and contents, unless the old memory was released
    /// first. Then it is empty and may be smaller; see [`megabytes`](Self::megabytes).
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
        let mut error = match Self::new_within(self.board, megabytes, read_available) {
            Ok(table) => {
                *self = table;
                return Ok(());
            }
            Err(error) => error,
        };
        // From here on `available` is an upper limit: it includes the memory of the old table.
        error.available =
            error.available.map(|(available, limit)| (available + self.megabytes as u64, limit));
        let may_fit_alone = error
            .available
            .map_or(megabytes < self.megabytes, |(available, _)| megabytes as u64 <= available);
        if !may_fit_alone {
            return Err(error);
        }
        // A table of 1 MB comes first, so that a valid table exists whatever fails.
        let board = self.board;
        let least = Self::allocate(board, 1).ok_or(TableError { available: None, ..error })?;
        let old_megabytes = mem::replace(self, least).megabytes;
        let result = Self::new_within(board, megabytes, read_available).map(|table| *self = table);
        if result.is_err() {
            // The table of 1 MB is in place already, so 1 is not tried.
            let mut sizes = std::iter::successors(Some(old_megabytes), |size| Some(size / 2))
                .take_while(|&size| size > 1);
            let restored = sizes.find_map(|size| Self::new_within(board, size, read_available).ok());
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

    /// Megabytes that the system backs with huge pages of 2 MB. `None` on systems other than Linux.
    #[must_use]
    pub fn huge_page_megabytes(&self) -> Option<u64> {
        system_memory::huge_page_bytes(&self.buckets.addresses()).map(|bytes| bytes / MEGABYTE)
    }

    /// The part of the size that is in use, in megabytes.
    #[must_use]
    pub fn megabytes_in_use(&self) -> usize {
        self.in_use.load(Ordering::Relaxed) / MEGABYTE_BUCKETS
    }

    /// The number of entries at the full size.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.growable().len() * Self::ENTRIES_PER_BUCKET
    }

    /// Whether a probe never returns the entry of another position; see the [module](self).
    #[must_use]
    pub fn is_exact(&self) -> bool {
        key::least_exact_buckets(self.board.key_bits()).is_some_and(|least| least <= self.start)
    }

    fn growable(&self) -> &[Bucket] {
        &self.buckets[self.regions * REGION_BUCKETS..]
    }

    fn used(&self) -> &[Bucket] {
        &self.growable()[..self.in_use.load(Ordering::Relaxed)]
    }

    pub(crate) fn placement(&self, thread: usize) -> Placement {
        let region = thread % self.regions;
        self.regions_used.fetch_max(region + 1, Ordering::Relaxed);
        Placement {
            first: self.regions * REGION_BUCKETS,
            in_use: self.in_use.load(Ordering::Relaxed),
            region: region * REGION_BUCKETS,
        }
    }

    /// The table key of a position. Valid until the table grows or is cleared.
    #[must_use]
    pub fn key<G: Geometry>(&self, position: &Position<G>) -> TableKey<G> {
        self.placement(0).key(position.geometry(), position.key())
    }

    pub(crate) fn begin_search(&self) -> InUse<'_> {
        *lock(&self.searches) += 1;
        InUse(&self.searches)
    }

    pub(crate) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    pub(crate) fn nodes_to_growth(&self) -> Option<u64> {
        let in_use = self.in_use.load(Ordering::Relaxed);
        if 2 * in_use > self.growable().len() {
            return None;
        }
        Some((in_use as u64 * NODES_PER_BUCKET).saturating_sub(self.nodes.load(Ordering::Relaxed)))
    }

    /// Doubles the buckets in use, or returns `false` if another search uses the table. No other thread of
    /// the caller may be running. Afterwards each thread needs a new placement.
    pub(crate) fn grow(&self) -> bool {
        let searches = lock(&self.searches);
        if *searches > 1 {
            return false;
        }
        let in_use = self.in_use.load(Ordering::Relaxed);
        key::double(self.growable(), in_use, self.board.key_bits());
        self.in_use.store(2 * in_use, Ordering::Relaxed);
        true
    }

    /// Fetches a position's bucket into the cache.
    #[inline]
    pub fn prefetch<G: Geometry>(&self, key: TableKey<G>) {
        if let Some(bucket) = self.bucket(key) {
            memory::prefetch(bucket);
        }
    }

    /// The entry of a position, if the table has it.
    #[inline]
    #[must_use]
    pub fn probe<G: Geometry>(&self, key: TableKey<G>) -> Option<TableEntry> {
        self.bucket(key)?.probe(key.format(), key.tag)
    }

    /// Stores an entry. It replaces the position's previous entry, else an empty slot, else the entry with
    /// the least work, even if the new entry has less. Source: Breuker, Uiterwijk and van den Herik,
    /// "Replacement Schemes for Transposition Tables" (1994).
    ///
    /// The previous entry is not merged, because the search has already combined the bounds.
    ///
    /// Values outside the ranges of [`TableEntry`] store a wrong entry, or panic in debug builds.
    #[inline(always)]
    pub fn store<G: Geometry>(&self, key: TableKey<G>, entry: TableEntry) {
        // Encoded here, in the inlined part, because the caller has the fields of the entry in registers.
        self.store_word(key, entry.encode(key.format(), key.tag));
    }

    #[inline]
    fn store_word<G: Geometry>(&self, key: TableKey<G>, word: u64) {
        if let Some(bucket) = self.bucket(key) {
            bucket.store(key.format(), key.tag, word);
        }
    }

    /// Occupancy in permille of the full size, from a sample of a thousand entries.
    #[must_use]
    pub fn hashfull(&self) -> u16 {
        let used = self.used();
        let sampled = SAMPLE.min(used.len());
        let step = used.len() / sampled;
        let full: usize = used.iter().step_by(step).take(sampled).map(Bucket::used).sum();
        let (in_use, total) = (used.len() as u64, self.growable().len() as u64);
        (full as u64 * 1000 * in_use / ((sampled * Self::ENTRIES_PER_BUCKET) as u64 * total)) as u16
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.written = self.written.max(*self.in_use.get_mut());
        let first = self.regions * REGION_BUCKETS;
        entry::clear(&mut self.buckets[..*self.regions_used.get_mut() * REGION_BUCKETS]);
        entry::clear(&mut self.buckets[first..first + self.start.min(self.written)]);
        self.in_use = AtomicUsize::new(self.start);
        self.nodes = AtomicU64::new(0);
    }

    #[inline]
    fn bucket<G: Geometry>(&self, key: TableKey<G>) -> Option<&Bucket> {
        self.buckets.get(key.bucket)
    }
}

fn start_size(board: Board, total: usize) -> usize {
    let least = key::least_exact_buckets(board.key_bits()).unwrap_or(0).max(START_BUCKETS);
    let mut start = total;
    while start / 2 >= least {
        start /= 2;
    }
    start
}

pub(crate) struct InUse<'a>(&'a Mutex<usize>);

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        *lock(self.0) -= 1;
    }
}

fn lock(searches: &Mutex<usize>) -> MutexGuard<'_, usize> {
    searches.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Debug for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("megabytes", &self.megabytes)
            .field("hashfull", &self.hashfull())
            .finish_non_exhaustive()
    }
}
