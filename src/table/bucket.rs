//! Buckets: the slots that are probed together, each an atomic word.

use std::sync::atomic::{AtomicU64, Ordering};

use super::entry::{self, Format, TableEntry};

/// Number of entries in a bucket.
pub(super) const ENTRIES_PER_BUCKET: usize = 4;

/// A set of slots that are probed together. Aligned to its size, so that no bucket crosses a cache line.
#[derive(Debug)]
#[repr(C, align(32))]
pub(super) struct Bucket<W = AtomicU64>(pub(super) [W; ENTRIES_PER_BUCKET]);

pub(super) const BUCKET_BYTES: usize = size_of::<Bucket>();

/// A word that threads load and store in one piece, in no order with other words: that of the standard library, and in models
/// that of the library that runs them.
pub(super) trait Word {
    fn load(&self) -> u64;
    fn store(&self, word: u64);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn load(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn store(&self, word: u64) {
        self.store(word, Ordering::Relaxed);
    }
}

impl<W: Word> Bucket<W> {
    /// The entry with this tag, whose format is `format`, if there is one.
    #[inline]
    pub(super) fn probe(&self, format: Format, tag: u64) -> Option<TableEntry> {
        // All four slots are compared without a branch, as the slot of an entry is unpredictable. An empty slot matches
        // the tag 0; slots fill up from the first, so in reverse order the entry, if there is one, is found last.
        let mut found = entry::EMPTY;
        for slot in self.0.iter().rev() {
            let word = slot.load();
            found = if format.has_tag(word, tag) { word } else { found };
        }
        (found != entry::EMPTY).then(|| TableEntry::decode(format, found))
    }

    /// Stores an entry with this tag, packed into `word`: over its previous entry, else in an empty slot, else over the entry
    /// with the least work, even if the new one has less.
    #[inline]
    pub(super) fn store(&self, format: Format, tag: u64, word: u64) {
        let mut victim = &self.0[0];
        let mut least = u64::MAX;
        for slot in &self.0 {
            let stored = slot.load();
            // The previous entry counts as empty.
            let order = format.replacement_order(stored, tag);
            let cost = if format.has_tag(stored, tag) { entry::EMPTY } else { order };
            (victim, least) = if cost < least { (slot, cost) } else { (victim, least) };
        }
        victim.store(word);
    }

    /// Whether a [`store`](Self::store) with this tag would overwrite another entry.
    pub(super) fn would_overwrite(&self, format: Format, tag: u64) -> bool {
        self.0.iter().map(Word::load).all(|word| word != entry::EMPTY && !format.has_tag(word, tag))
    }

    /// Number of slots in use.
    pub(super) fn used(&self) -> usize {
        self.0.iter().filter(|slot| slot.load() != entry::EMPTY).count()
    }
}
