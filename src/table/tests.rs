use std::cell::Cell;
use std::collections::HashMap;
use std::thread;

use super::*;
use crate::board::{Bits, Narrow, StaticGeometry, Wide};
use crate::testing::random;

type Table<G = Standard> = super::Table<G>;
type TableKey<G = Standard> = super::TableKey<G>;

/// A board with keys of 40 bits, which a tag holds in full.
type Small = Narrow<5, 7>;

/// Length of the keys of the standard board.
const BITS: u32 = Standard::KEY_BITS;

impl<G: StaticGeometry> super::Table<G> {
    /// A table of any number of buckets, so few that they overflow at once.
    pub(crate) fn with_buckets(buckets: usize) -> Self {
        let buckets = Buckets::reserve(buckets).expect("a small table");
        Self { buckets, megabytes: 0, geometry: G::default() }.prepared_by(1)
    }
}

/// An entry that differs from those of nearly all other seeds.
fn entry_of(seed: u64) -> TableEntry {
    let bits = random(seed).next().unwrap_or_default();
    TableEntry {
        lower: (bits % 127) as i8 - 64,
        upper: (bits >> 16 & 63) as i8 - 1,
        best: (bits >> 32 & 15 != 15).then_some((bits >> 32 & 15) as u8),
        work: (bits >> 40 & 31) as u8,
    }
}

fn entry_with_work(work: u8) -> TableEntry {
    TableEntry { lower: -1, upper: 1, best: None, work }
}

#[test]
fn a_table_has_the_size_asked_for() {
    for megabytes in [1, 2, 3, 7] {
        let table = <Table>::new(megabytes).expect("a few megabytes");
        assert_eq!(table.megabytes(), megabytes);
        assert_eq!(table.entries() * size_of::<u64>(), megabytes << 20);
        assert!(table.is_exact());
        let exact = |bits: u32| key::identifies(bits, table.buckets.total(), 40);
        assert!(exact(55) && !exact(58));
    }
    assert!(Table::<Narrow<11, 4>>::new(1).expect("one megabyte").is_exact());
    assert!(!Table::<Narrow<8, 7>>::new(7).expect("a few megabytes").is_exact());
    assert!(!Table::<Wide<9, 7>>::new(7).expect("a few megabytes").is_exact());
    assert_eq!(<Table>::new(0).expect("one megabyte").megabytes(), 1);
}

#[test]
fn an_entry_of_a_wide_key_is_found() {
    let table = Table::<Wide<16, 7>>::new(1).expect("one megabyte");
    let wide = TableKey::from_key(1 << 100 | 5);
    table.prefetch(wide);
    table.store(wide, entry_of(9));
    assert_eq!(table.probe(wide), Some(entry_of(9)));
}

#[test]
fn an_overwriting_store_is_known_before() {
    let table = <Table>::with_buckets(1);
    for key in 1..=<Table>::ENTRIES_PER_BUCKET as u64 {
        assert!(!table.would_overwrite(TableKey::from_key(key)), "there is room for {key}");
        table.store(TableKey::from_key(key), entry_with_work(3));
    }
    assert!(!table.would_overwrite(TableKey::from_key(1)), "its own entry");
    assert!(table.would_overwrite(TableKey::from_key(100)));
}

/// A board with keys of 56 bits, which need two megabytes.
type Long = Narrow<8, 6>;

/// Whether `found` was stored as `entry`: where keys are long, in a region, without its work and bounds far from zero.
fn is_stored(found: TableEntry, entry: TableEntry, is_compact: bool) -> bool {
    let weakened = TableEntry {
        lower: if entry.lower < -7 { -64 } else { entry.lower.min(7) },
        upper: if entry.upper > 7 { 62 } else { entry.upper.max(-7) },
        best: entry.best,
        work: 0,
    };
    found == if is_compact { weakened } else { entry }
}

/// Keys in two regions and outside, many of which share a bucket.
fn assert_hits_are_the_position_itself<G: StaticGeometry>(is_compact: bool) {
    let count = if cfg!(miri) { 500 } else { 200_000 };
    let table = if cfg!(miri) {
        Table::<G>::with_buckets(1 << 16)
    } else {
        Table::<G>::new(2).expect("two megabytes")
    };
    assert!(table.is_exact());
    let long = G::KEY_BITS;
    // Random keys and keys that differ from them in one bit. A map has the last entry stored under each.
    let keys = random(1)
        .map(|key| key >> (64 - long))
        .flat_map(|key| [key, key ^ 1, key ^ 1 << (long - 1), key ^ 1 << (long / 2)]);
    let placed = |key: u64, place: u64| {
        let key = TableKey::<G>::from_key(G::Bits::from_wide(u128::from(key)));
        if place == 2 { key } else { key.in_region(table.region(place as usize)) }
    };
    let mut stored = HashMap::new();
    for (key, seed) in keys.take(count).zip(0..) {
        // Every third key is placed in one region, in the other and in the rest of the table.
        for place in 0..3 {
            if place == seed % 3 || seed % 9 == 0 {
                table.store(placed(key, place), entry_of(seed * 3 + place));
                stored.insert((key, place), entry_of(seed * 3 + place));
            }
        }
    }
    let mut hits = [0; 3];
    for key in stored.keys().map(|&(key, _)| key) {
        for place in 0..3 {
            if let Some(found) = table.probe(placed(key, place)) {
                let entry = stored.get(&(key, place));
                assert!(entry.is_some_and(|&entry| is_stored(found, entry, is_compact && place < 2)));
                hits[place as usize] += 1;
            }
        }
    }
    assert!(hits.iter().all(|&hits| hits > count / 100), "{hits:?}");
    let others = random(1 << 40).map(|key| key >> (64 - long)).filter(|key| !stored.contains_key(&(*key, 2)));
    assert!(others.take(4 * count).all(|key| table.probe(placed(key, 2)).is_none()));
}

#[test]
fn a_hit_is_always_the_position_itself() {
    assert_hits_are_the_position_itself::<Standard>(false);
    assert_hits_are_the_position_itself::<Long>(true);
}

/// In a region too, empty slots are filled first; then, of long keys, entries of the rest of the table are replaced.
#[test]
fn entries_of_the_region_of_a_long_key_displace_others() {
    let table = Table::<Long>::with_buckets(1);
    let full = |n| TableKey::<Long>::from_key(n);
    let late = |n| full(n).in_region(table.region(0));
    for n in 0..2 {
        table.store(full(n), entry_with_work(30));
        table.store(late(n), entry_with_work(0));
    }
    let is_there = |key| table.probe(key).is_some();
    assert!((0..2).all(|n| is_there(full(n)) && is_there(late(n))));
    for n in 2..4 {
        table.store(late(n), entry_with_work(0));
    }
    assert!((0..2).all(|n| !is_there(full(n))) && (0..4).all(|n| is_there(late(n))));
    // Among themselves, every slot is replaced sooner or later.
    for n in 4..200 {
        table.store(late(n), entry_with_work(0));
        assert!(is_there(late(n)));
    }
    assert!((0..100).all(|old| !is_there(late(old))), "an entry of the first hundred is left");
}

#[test]
fn empty_slots_go_first_then_the_least_work() {
    let table = Table::with_buckets(1);
    let key = |key| TableKey::<Small>::from_key(key);
    let works = [9, 3, 31, 5];
    for (n, work) in (0..).zip(works) {
        table.store(key(n), entry_with_work(work));
    }
    for (n, work) in (0..).zip(works) {
        let expected = Some(entry_with_work(work));
        assert_eq!(table.probe(key(n)), expected, "nothing was replaced while slots were empty");
    }
    // The position's own entry comes before the one of least work.
    table.store(key(0), entry_with_work(10));
    assert_eq!(table.probe(key(0)), Some(entry_with_work(10)));
    // The entry with work 3 is replaced, even by less; then the new one has the least work and is replaced.
    table.store(key(4), entry_with_work(1));
    assert_eq!(table.probe(key(1)), None);
    table.store(key(5), entry_with_work(7));
    assert_eq!(table.probe(key(4)), None);
    table.store(key(6), entry_with_work(20));
    assert_eq!(table.probe(key(3)), None);
    for (n, work) in [(0, 10), (2, 31), (5, 7), (6, 20)] {
        assert_eq!(table.probe(key(n)), Some(entry_with_work(work)));
    }
}

#[test]
fn hashfull_grows_from_nothing_and_clear_ends_it() {
    let buckets = if cfg!(miri) { 300 } else { 32_000 };
    let mut table = <Table>::with_buckets(buckets);
    assert_eq!(table.hashfull(), 0);
    let mut last = 0;
    let mut keys = random(3).map(|key| TableKey::from_key(key >> (64 - BITS)));
    for _ in 0..4 {
        for key in keys.by_ref().take(buckets) {
            table.store(key, entry_with_work(0));
        }
        assert!(last < table.hashfull());
        last = table.hashfull();
    }
    // As many keys as slots: the keys of a bucket have a Poisson distribution of mean 4, and 4 of them are stored.
    assert!((700..=900).contains(&last), "{last}");
    for key in keys.take(20 * buckets) {
        table.store(key, entry_with_work(0));
    }
    assert_eq!(table.hashfull(), 1000);
    table.clear(2);
    assert_eq!(table.hashfull(), 0);
    assert_eq!(<Table>::with_buckets(1).hashfull(), 0);
}

#[test]
fn racing_threads_see_only_entries_that_one_of_them_stored() {
    let rounds = if cfg!(miri) { 30 } else { 100_000 };
    let table = Table::with_buckets(2);
    let key = |n| TableKey::<Small>::from_key(n);
    assert!(table.is_exact());
    thread::scope(|scope| {
        for writer in 0..2 {
            let table = &table;
            scope.spawn(move || {
                for n in random(writer).take(rounds) {
                    let (stored, probed) = (n % 16, n >> 8 & 15);
                    table.store(key(stored), entry_of(stored * 2 + writer));
                    if let Some(entry) = table.probe(key(probed)) {
                        assert!([entry_of(probed * 2), entry_of(probed * 2 + 1)].contains(&entry));
                    }
                }
            });
        }
    });
}

/// A table of so many MB with one entry, and its key.
fn with_entry(megabytes: usize) -> (Table, TableKey) {
    let table = <Table>::new(megabytes).expect("a few megabytes");
    let key = TableKey::from_key(42);
    table.store(key, entry_of(42));
    (table, key)
}

/// The least available memory, in bytes, in which a table of `megabytes` fits.
fn just_enough(megabytes: u64) -> (u64, MemoryLimit) {
    let bytes = 32 * MEGABYTE + (megabytes * MEGABYTE * 512).div_ceil(511);
    assert_eq!(system_memory::usable(bytes) / MEGABYTE, megabytes);
    (bytes, MemoryLimit::ControlGroup)
}

#[test]
fn impossible_sizes_are_refused_and_change_nothing() {
    let (mut table, key) = with_entry(2);
    for megabytes in [usize::MAX, usize::MAX >> 10, usize::MAX >> 12, usize::MAX >> 20] {
        assert_eq!(<Table>::new(megabytes).expect_err("far too much").requested, megabytes);
        assert_eq!(table.resize(megabytes).expect_err("far too much").requested, megabytes);
        assert_eq!((table.megabytes(), table.probe(key)), (2, Some(entry_of(42))));
    }
}

#[test]
fn a_size_that_fits_takes_effect_and_empties() {
    let (mut table, key) = with_entry(2);
    table.resize(2).expect("nothing to do");
    assert_eq!(table.probe(key), Some(entry_of(42)));
    for megabytes in [3, 1] {
        table.resize(megabytes).expect("a few megabytes");
        assert!(!table.is_ready());
        table.prepare(1, &|| false);
        assert!(table.is_ready());
        assert_eq!((table.megabytes(), table.probe(key), table.hashfull()), (megabytes, None, 0));
    }
}

#[test]
fn a_refused_resize_keeps_the_contents_and_gives_the_size_that_fits() {
    let (mut table, key) = with_entry(2);
    let error = table.resize_within(8, &|| Some(just_enough(5))).expect_err("one megabyte short");
    assert_eq!(error, TableError { requested: 8, available: Some((7, MemoryLimit::ControlGroup)) });
    assert_eq!((table.megabytes(), table.probe(key)), (2, Some(entry_of(42))));
    // If the available memory is unknown, the contents are not risked for a larger table.
    let error = table.resize_within(usize::MAX >> 21, &|| None).expect_err("far too much");
    assert_eq!(error.available, None);
    assert_eq!((table.megabytes(), table.probe(key)), (2, Some(entry_of(42))));
}

/// The old table goes first if only one fits, in vain if somebody else takes the memory.
#[test]
fn a_table_after_one_that_was_released_is_empty_and_as_large_as_fits() {
    for (left, size) in [(5, 5), (4, 4), (3, 2), (1, 1), (0, 1)] {
        let (mut table, key) = with_entry(4);
        // Called once while the old table exists, then after its release.
        let asked = Cell::new(0);
        let available = || {
            asked.set(asked.get() + 1);
            Some(just_enough(if asked.get() <= 1 { 1 } else { left }))
        };
        let error = TableError { requested: 5, available: Some((left, MemoryLimit::ControlGroup)) };
        let expected = if left < 5 { Err(error) } else { Ok(()) };
        assert_eq!(table.resize_within(5, &available), expected);
        assert_eq!((table.megabytes(), table.probe(key), table.is_exact()), (size, None, true));
        assert_eq!(table.entries(), size * 131_072);
        table.prepare(1, &|| false);
        table.store(key, entry_of(1));
        assert_eq!(table.probe(key), Some(entry_of(1)));
    }
}

#[test]
fn a_table_that_is_partly_ready_loses_entries_but_never_errs() {
    let megabytes = 7;
    let mut table = <Table>::reserve(megabytes).expect("a few megabytes");
    let keys: Vec<_> = random(3).map(|key| TableKey::from_key(key >> (64 - BITS))).take(20_000).collect();
    let found = |table: &Table| keys.iter().filter(|&&key| table.probe(key).is_some()).count();
    assert_eq!((found(&table), table.hashfull(), table.is_partly_ready()), (0, 0, false));
    let mut chunks = 0;
    loop {
        for (&key, number) in keys.iter().zip(0..) {
            table.store(key, entry_of(number));
            assert!(table.probe(key).is_none_or(|entry| entry == entry_of(number)));
            assert!(!table.would_overwrite(key) || table.probe(key).is_some());
        }
        let expected = keys.len() * chunks * 2 / megabytes;
        assert!(found(&table).abs_diff(expected.min(keys.len())) < keys.len() / 20, "{chunks} chunks");
        if table.is_ready() {
            break;
        }
        let before = found(&table);
        table.prepare(1, &|| true);
        chunks += 1;
        assert!(found(&table) >= before && table.is_partly_ready(), "what is ready keeps its contents");
    }
    assert_eq!((chunks, table.megabytes()), (4, megabytes));
    assert!(table.hashfull() > 0);
    table.forget();
    assert_eq!((found(&table), table.hashfull(), table.is_partly_ready()), (0, 0, false));
}

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
