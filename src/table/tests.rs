use std::cell::Cell;
use std::collections::HashMap;
use std::thread;

use super::*;
use crate::board::{Bits, BoardSize, Narrow, Standard, StaticGeometry, Wide};
use crate::testing::random;

type Small = Narrow<5, 7>;

const BITS: u32 = Standard::KEY_BITS;

const REGIONS: usize = 2;

impl Table {
    pub(crate) fn with_buckets(geometry: impl Geometry, buckets: usize) -> Self {
        Self::with_memory(Board::of(geometry), 0, buckets, REGIONS).expect("a small table")
    }

    fn new_for(geometry: impl Geometry, megabytes: usize) -> Self {
        Self::new_on(Board::of(geometry), megabytes).expect("a few megabytes")
    }

    fn key_of(&self, key: u64) -> TableKey<Board> {
        self.placement(0).key(self.board, key.into())
    }

    fn grow_fully(&self) {
        while self.nodes_to_growth().is_some() {
            assert!(self.grow());
        }
    }
}

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
        let table = Table::new(megabytes).expect("a few megabytes");
        assert_eq!(table.megabytes(), megabytes);
        assert_eq!(table.entries() * size_of::<u64>(), megabytes << 20);
        assert!(table.is_exact());
    }
    assert!(Table::new_for(Narrow::<11, 4>, 1).is_exact());
    assert!(!Table::new_for(Narrow::<8, 7>, 7).is_exact());
    assert!(!Table::new_for(Wide::<9, 7>, 7).is_exact());
    assert_eq!(Table::new(0).expect("one megabyte").megabytes(), 1);
}

#[test]
fn an_entry_of_a_wide_key_is_found() {
    let table = Table::new_for(Wide::<16, 7>, 1);
    let wide = table.placement(0).key(table.board, 1 << 100 | 5);
    table.prefetch(wide);
    table.store(wide, entry_of(9));
    assert_eq!(table.probe(wide), Some(entry_of(9)));
}

type Long = Narrow<8, 6>;

fn is_stored(found: TableEntry, entry: TableEntry, is_compact: bool) -> bool {
    let weakened = TableEntry {
        lower: if entry.lower < -7 { -64 } else { entry.lower.min(7) },
        upper: if entry.upper > 7 { 62 } else { entry.upper.max(-7) },
        best: entry.best,
        work: 0,
    };
    found == if is_compact { weakened } else { entry }
}

fn assert_hits_are_the_position_itself<G: StaticGeometry>(is_compact: bool) {
    let count = if cfg!(miri) { 500 } else { 200_000 };
    let table =
        if cfg!(miri) { Table::with_buckets(G::default(), 1 << 16) } else { Table::new_for(G::default(), 2) };
    assert!(table.is_exact());
    let long = G::KEY_BITS;
    let keys = random(1)
        .map(|key| key >> (64 - long))
        .flat_map(|key| [key, key ^ 1, key ^ 1 << (long - 1), key ^ 1 << (long / 2)]);
    table.grow_fully();
    let placed = |key: u64, place: u64| {
        let bits = G::Bits::from_wide(u128::from(key));
        let placement = table.placement(place as usize);
        let geometry = G::default();
        if place == 2 { placement.key(geometry, bits) } else { placement.key_in_region(geometry, bits) }
    };
    let mut stored = HashMap::new();
    for (key, seed) in keys.take(count).zip(0..) {
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

#[test]
fn entries_of_long_keys_in_a_region_are_replaced() {
    let table = Table::with_buckets(Long::default(), 1);
    // A million keys overflow all buckets of a thread's region.
    let count = if cfg!(miri) { 100 } else { 1_000_000 };
    let keys: Vec<_> = random(4).map(|key| key >> (64 - Long::KEY_BITS)).take(count).collect();
    let late = |key| table.placement(0).key_in_region(Long::default(), key);
    for &key in &keys {
        table.store(late(key), entry_with_work(0));
        assert!(table.probe(late(key)).is_some());
    }
    assert!(cfg!(miri) || keys[..100].iter().all(|&old| table.probe(late(old)).is_none()));
}

#[test]
fn empty_slots_go_first_then_the_least_work() {
    let table = Table::with_buckets(Small::default(), 1);
    let key = |key| table.key_of(key);
    let works = [9, 3, 31, 5];
    for (n, work) in (0..).zip(works) {
        table.store(key(n), entry_with_work(work));
    }
    for (n, work) in (0..).zip(works) {
        let expected = Some(entry_with_work(work));
        assert_eq!(table.probe(key(n)), expected, "nothing was replaced while slots were empty");
    }
    table.store(key(0), entry_with_work(10));
    assert_eq!(table.probe(key(0)), Some(entry_with_work(10)));
    // The entry with work 3 is replaced, even by less work.
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
    let mut table = Table::with_buckets(Standard::default(), buckets);
    assert_eq!(table.hashfull(), 0);
    table.grow_fully();
    let mut last = 0;
    let mut keys = random(3).map(|key| key >> (64 - BITS));
    for _ in 0..4 {
        for key in keys.by_ref().take(buckets) {
            table.store(table.key_of(key), entry_with_work(0));
        }
        assert!(last < table.hashfull());
        last = table.hashfull();
    }
    assert!((700..=900).contains(&last), "{last}");
    for key in keys.take(20 * buckets) {
        table.store(table.key_of(key), entry_with_work(0));
    }
    assert_eq!(table.hashfull(), 1000);
    table.clear();
    assert_eq!(table.hashfull(), 0);
    assert_eq!(Table::with_buckets(Standard::default(), 1).hashfull(), 0);
}

#[test]
fn racing_threads_see_only_entries_that_one_of_them_stored() {
    let rounds = if cfg!(miri) { 30 } else { 100_000 };
    let table = Table::with_buckets(Small::default(), 2);
    let key = |n| table.key_of(n);
    assert!(table.is_exact());
    thread::scope(|scope| {
        for writer in 0..2 {
            let (table, key) = (&table, &key);
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

fn with_entry(megabytes: usize) -> (Table, TableKey<Board>) {
    let table = Table::new(megabytes).expect("a few megabytes");
    let key = table.key_of(42);
    table.store(key, entry_of(42));
    (table, key)
}

fn just_enough(megabytes: u64) -> (u64, MemoryLimit) {
    let bytes = 32 * MEGABYTE + (megabytes * MEGABYTE * 512).div_ceil(511);
    assert_eq!(system_memory::usable(bytes) / MEGABYTE, megabytes);
    (bytes, MemoryLimit::ControlGroup)
}

#[test]
fn impossible_sizes_are_refused_and_change_nothing() {
    let (mut table, key) = with_entry(2);
    for megabytes in [usize::MAX, usize::MAX >> 10, usize::MAX >> 12, usize::MAX >> 20] {
        assert_eq!(Table::new(megabytes).expect_err("far too much").requested, megabytes);
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
        assert_eq!((table.megabytes(), table.probe(key), table.hashfull()), (megabytes, None, 0));
    }
}

#[test]
fn a_refused_resize_keeps_the_contents_and_gives_the_size_that_fits() {
    let (mut table, key) = with_entry(2);
    let error = table.resize_within(8, &|| Some(just_enough(5))).expect_err("one megabyte short");
    assert_eq!(error, TableError { requested: 8, available: Some((7, MemoryLimit::ControlGroup)) });
    assert_eq!((table.megabytes(), table.probe(key)), (2, Some(entry_of(42))));
    let error = table.resize_within(usize::MAX >> 21, &|| None).expect_err("far too much");
    assert_eq!(error.available, None);
    assert_eq!((table.megabytes(), table.probe(key)), (2, Some(entry_of(42))));
}

#[test]
fn a_table_after_one_that_was_released_is_empty_and_as_large_as_fits() {
    for (left, size) in [(5, 5), (4, 4), (3, 2), (1, 1), (0, 1)] {
        let (mut table, key) = with_entry(4);
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
        table.store(key, entry_of(1));
        assert_eq!(table.probe(key), Some(entry_of(1)));
    }
}

fn assert_entries_survive_growth(geometry: impl Geometry, buckets: usize, is_exact: bool) {
    let table = Table::with_buckets(geometry, buckets);
    assert_eq!(table.is_exact(), is_exact);
    let count = 100;
    let width = geometry.key_bits().min(60);
    let mut keys = random(7).map(|key| key >> (64 - width));
    let mut stored = HashMap::new();
    let mut size = table.in_use.load(Ordering::Relaxed);
    loop {
        for key in keys.by_ref().take(count) {
            table.store(table.key_of(key), entry_of(key));
            stored.insert(key, entry_of(key));
        }
        let found = stored.iter().filter(|&(&key, &entry)| {
            let found = table.probe(table.key_of(key));
            assert!(found.is_none_or(|found| found == entry));
            found.is_some()
        });
        let found = found.count();
        assert!(2 * found > stored.len(), "{found} of {}", stored.len());
        if is_exact {
            assert!(
                keys.by_ref()
                    .take(count)
                    .all(|key| stored.contains_key(&key) || table.probe(table.key_of(key)).is_none())
            );
        }
        if table.nodes_to_growth().is_none() {
            break;
        }
        assert!(table.grow());
        let now = table.in_use.load(Ordering::Relaxed);
        assert_eq!(now, 2 * size);
        size = now;
    }
    assert!(2 * size > table.growable().len());
}

#[test]
fn a_table_that_grows_keeps_its_entries() {
    for buckets in [1 << 15, 1111 << 5] {
        assert_entries_survive_growth(Standard::default(), buckets, true);
        assert_entries_survive_growth(Small::default(), buckets, true);
        assert_entries_survive_growth(Long::default(), buckets << 2, true);
        assert_entries_survive_growth(Narrow::<8, 7>, buckets, false);
        assert_entries_survive_growth(Wide::<9, 7>, buckets, false);
    }
}

#[test]
fn a_cleared_table_starts_small_and_finds_nothing_old() {
    let mut table = Table::with_buckets(Standard::default(), 1 << 14);
    let keys: Vec<u64> = random(3).map(|key| key >> (64 - BITS)).take(5000).collect();
    for full_size in [false, true, true] {
        table.grow_fully();
        for &key in &keys {
            table.store(table.key_of(key), entry_of(key));
        }
        assert!(table.hashfull() > 0);
        if full_size {
            table = table.at_full_size();
        } else {
            table.clear();
            assert_eq!(table.in_use.load(Ordering::Relaxed), 512);
        }
        loop {
            assert_eq!(table.hashfull(), 0);
            assert!(keys.iter().all(|&key| table.probe(table.key_of(key)).is_none()));
            if table.nodes_to_growth().is_none() {
                break;
            }
            assert!(table.grow());
        }
    }
}

#[test]
fn a_table_keeps_its_size_while_two_searches_use_it() {
    let table = Table::with_buckets(Standard::default(), 2048);
    let first = table.begin_search();
    assert!(table.grow());
    let second = table.begin_search();
    assert!(!table.grow());
    assert_eq!(table.in_use.load(Ordering::Relaxed), 1024);
    drop(second);
    assert!(table.grow());
    drop(first);
    assert_eq!(table.nodes_to_growth(), None);
}

#[test]
fn a_table_keeps_its_memory_from_board_to_board() {
    let mut table = Table::new(1).expect("one megabyte");
    for size in BoardSize::all() {
        let board = Board::new(size).expect("a board");
        table = table.for_board(board);
        assert_eq!((table.board(), table.megabytes()), (board, 1));
    }
}
