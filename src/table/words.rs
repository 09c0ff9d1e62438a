//! The contents of a table as plain words, to be saved and loaded. The library itself does no input or output.

use std::sync::atomic::Ordering;

use super::{Table, bucket::ENTRIES_PER_BUCKET, entry};
use crate::board::Geometry;

impl<G: Geometry> Table<G> {
    /// Copies the words of entries to `words`, from entry number `first` on in the order of the memory, and returns how
    /// many of these there are in use; a slot without an entry, or past the end, is zero. [`entries`](Self::entries) is
    /// the number of all.
    ///
    /// It may run beside searches. An entry is one word that is loaded in one piece, and it says something proved about
    /// its own position, whatever the other entries say. So words that were copied at different moments are together
    /// the contents of a table that never was, but that is as true as any.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Standard};
    use crate::search::Solver;
    use crate::table::{TableEntry, TableKey};

    fn contents(table: &Table, piece: usize) -> Vec<u64> {
        let mut words = Vec::new();
        for first in (0..table.entries()).step_by(piece) {
            let mut some = vec![0; piece.min(table.entries() - first)];
            table.copy_words(first, &mut some);
            words.append(&mut some);
        }
        words
    }

    #[test]
    fn what_was_copied_is_the_same_table_when_loaded() {
        let table = Table::<Standard>::new(1).expect("one megabyte");
        let entry = TableEntry { lower: -3, upper: 5, best: Some(3), work: 12 };
        let keys: Vec<_> = (1..=1000).map(TableKey::from_key).collect();
        for &key in &keys {
            table.store(key, entry);
        }
        // Pieces that end within a bucket, too.
        for piece in [1021, 4096, 1 << 20] {
            let words = contents(&table, piece);
            assert_eq!(words.len(), table.entries());
            let mut other = Table::<Standard>::new(1).expect("one megabyte");
            for (number, some) in words.chunks(piece).enumerate() {
                other.load_words(number * piece, some);
            }
            assert!(keys.iter().all(|&key| other.probe(key) == table.probe(key)));
            assert_eq!(contents(&other, 4096), words);
        }
    }

    #[test]
    fn past_the_end_and_before_it_is_ready_there_is_nothing() {
        let mut table = Table::<Standard>::reserve(4).expect("four megabytes");
        let mut words = [7; 5];
        assert_eq!((table.copy_words(0, &mut words), words), (0, [0; 5]));
        table.load_words(0, &[1; 5]);
        let mut table = table.prepared_by(1);
        assert_eq!((table.copy_words(0, &mut words), words), (0, [0; 5]), "it was not ready for them");
        let end = table.entries();
        table.load_words(end - 2, &[1, 2, 3, 4, 5]);
        assert_eq!((table.copy_words(end - 2, &mut words), words), (2, [1, 2, 0, 0, 0]));
        assert_eq!((table.copy_words(end + 9, &mut words), words), (0, [0; 5]));
        table.load_words(usize::MAX, &[1]);
    }

    #[test]
    fn a_loaded_table_saves_the_search_its_work() {
        let position = Position::<Standard>::from_digits("22525762534622441115").expect("legal");
        let table = Table::new(1).expect("one megabyte");
        let mut solver = Solver::new(&table);
        let score = solver.score(&position);
        let mut other = Table::new(1).expect("one megabyte");
        other.load_words(0, &contents(&table, 1 << 20));
        let mut again = Solver::new(&other);
        assert_eq!(again.score(&position), score);
        assert!(again.nodes() * 10 < solver.nodes(), "{} of {}", again.nodes(), solver.nodes());
    }
}
