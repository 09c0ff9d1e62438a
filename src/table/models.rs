//! Concurrency tests with `loom`, which tries every interleaving and memory order of threads that share a
//! bucket. Loads and store are copies from [`Bucket`](super::entry::Bucket); change both together.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use loom::sync::atomic::AtomicU64;
use loom::thread;

use super::entry::{ENTRIES_PER_BUCKET, Format, TAG_SHIFT, TableEntry, Words, find, victim};

type Bucket = [AtomicU64; ENTRIES_PER_BUCKET];

fn bucket() -> Arc<Bucket> {
    Arc::new([0, 0, 0, 0].map(AtomicU64::new))
}

fn words(bucket: &Bucket) -> Words {
    bucket.each_ref().map(|slot| slot.load(Ordering::Relaxed))
}

fn entry(key: u64, number: i8) -> TableEntry {
    let lower = 10 * number + key as i8;
    TableEntry { lower, upper: lower + 1, best: Some(number as u8), work: 5 + number as u8 }
}

fn probe(bucket: &Bucket, key: u64) -> Option<TableEntry> {
    find(words(bucket), Format::Full, key << TAG_SHIFT)
}

fn store(bucket: &Bucket, key: u64, number: i8) {
    let tag = key << TAG_SHIFT;
    let word = entry(key, number).encode(Format::Full, tag);
    bucket[victim(words(bucket), Format::Full, tag)].store(word, Ordering::Relaxed);
}

/// Checks that a found entry is not mixed: an entry of thread 1 to `threads`, or the first entry, 0.
fn check(bucket: &Bucket, key: u64, threads: i8) {
    if let Some(found) = probe(bucket, key) {
        let is_whole = (0..=threads).any(|number| found == entry(key, number));
        assert!(is_whole, "{found:?} was never stored for position {key}");
    }
}

#[test]
fn entries_of_one_position_are_never_mixed() {
    loom::model(|| {
        let bucket = bucket();
        let writers = [1, 2].map(|number| {
            let bucket = Arc::clone(&bucket);
            thread::spawn(move || {
                store(&bucket, 7, number);
                check(&bucket, 7, 2);
            })
        });
        check(&bucket, 7, 2);
        assert_eq!(probe(&bucket, 8), None, "nobody stored it");
        for writer in writers {
            writer.join().expect("it ends");
        }
        assert!(probe(&bucket, 7).is_some(), "the second store goes over the first or beside it");
    });
}

#[test]
fn positions_that_compete_for_a_full_bucket_are_never_confused() {
    loom::model(|| {
        let bucket = bucket();
        for key in 1..=3 {
            store(&bucket, key, 0);
        }
        let writers = [4, 5].map(|key| {
            let bucket = Arc::clone(&bucket);
            thread::spawn(move || {
                store(&bucket, key, 1);
                check(&bucket, 9 - key, 1);
            })
        });
        for key in 4..=6 {
            check(&bucket, key, 1);
        }
        for writer in writers {
            writer.join().expect("it ends");
        }
        for key in 1..=6 {
            check(&bucket, key, 1);
        }
        assert!(probe(&bucket, 4).or_else(|| probe(&bucket, 5)).is_some());
    });
}
