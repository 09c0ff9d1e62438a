//! Table entries, and the words that hold them.
//!
//! The top bit of a word tells its [format](Format). From the top bit down:
//!
//! ```text
//!  63  62      58 57                            18 17      14 13        7 6         0
//! +---+----------+--------------------------------+----------+-----------+-----------+
//! | 0 | work (5) | tag (40)                       | best (4) | upper (7) | lower (7) |    full
//! +---+----------+--------------------------------+----------+-----------+-----------+
//!
//!  63  62                                               12 11       8 7         4 3         0
//! +---+---------------------------------------------------+----------+-----------+-----------+
//! | 1 | tag (51)                                          | best (4) | upper (4) | lower (4) |    compact
//! +---+---------------------------------------------------+----------+-----------+-----------+
//! ```
//!
//! Work (the cost of the search) is in the top bits, so a store replaces the smallest full word of a bucket
//! without unpacking. The tag decides between equal work, which is as good as a random choice. Compact words
//! have another order ([`Format::replacement_order`]). An empty slot is all zeros and smaller than every
//! entry, because full words have a bias in their bounds and compact words the top bit. A best column of 15
//! means none.
//!
//! The compact format serves positions near the end of the game with long keys. A tag of 51 bits identifies
//! them even in a small region of the table (see `key.rs`). Their scores are near zero, so 4 bits mostly
//! suffice for a bound. All of them are cheap, so their work is not stored. Bounds from -7 to 7 are exact. A
//! lower bound above 7 becomes 7, and an upper bound below -7 becomes -7: weaker and still true. A lower
//! bound below -7 or an upper bound above 7 becomes the field 0, which means none.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

/// Proved bounds of a position's score for the side to move, and a move to try first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// Lower bound of the score, within [`TableEntry::SCORES`].
    pub lower: i8,
    /// Upper bound of the score, within [`TableEntry::SCORES`].
    pub upper: i8,
    /// The column to try first, 0 to [`TableEntry::MAX_BEST`]. `None` if none is known.
    pub best: Option<u8>,
    /// The cost of computing the entry, for example the binary logarithm of the nodes. Entries of the least
    /// work are replaced first. Greater values become [`TableEntry::MAX_WORK`].
    pub work: u8,
}

pub(super) const EMPTY: u64 = 0;

const SCORE_BITS: u32 = 7;
const BEST_BITS: u32 = 4;
const WORK_BITS: u32 = 5;

const UPPER_SHIFT: u32 = SCORE_BITS;
const BEST_SHIFT: u32 = UPPER_SHIFT + SCORE_BITS;
pub(super) const TAG_SHIFT: u32 = BEST_SHIFT + BEST_BITS;
pub(super) const TAG_BITS: u32 = 40;
const WORK_SHIFT: u32 = TAG_SHIFT + TAG_BITS;

const SCORE_MASK: u64 = (1 << SCORE_BITS) - 1;
const BEST_MASK: u64 = (1 << BEST_BITS) - 1;
const SCORE_BIAS: i16 = 65;
const NO_BEST: u64 = BEST_MASK;

pub(super) const COMPACT_MARK: u64 = 1 << 63;
const COMPACT_SCORE_BITS: u32 = 4;
const COMPACT_UPPER_SHIFT: u32 = COMPACT_SCORE_BITS;
const COMPACT_BEST_SHIFT: u32 = COMPACT_UPPER_SHIFT + COMPACT_SCORE_BITS;
pub(super) const COMPACT_TAG_SHIFT: u32 = COMPACT_BEST_SHIFT + BEST_BITS;
#[cfg(test)]
pub(super) const COMPACT_TAG_BITS: u32 = COMPACT_MARK.ilog2() - COMPACT_TAG_SHIFT;
const MAX_COMPACT_BOUND: i8 = 7;

const _: () = assert!(1_u64 << (WORK_SHIFT + WORK_BITS) == COMPACT_MARK);

/// The format of a word, which its top bit tells. A `tag` is already shifted to its place and has this bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Full,
    Compact,
}

impl Format {
    #[inline]
    pub(super) const fn of(tag: u64) -> Self {
        if tag & COMPACT_MARK == 0 { Self::Full } else { Self::Compact }
    }

    #[inline]
    const fn tag_mask(self) -> u64 {
        match self {
            Self::Full => COMPACT_MARK | ((1 << TAG_BITS) - 1) << TAG_SHIFT,
            Self::Compact => u64::MAX << COMPACT_TAG_SHIFT,
        }
    }

    /// Whether the word has this tag. An empty word has the tag 0.
    #[inline]
    pub(super) const fn has_tag(self, word: u64, tag: u64) -> bool {
        (word ^ tag) & self.tag_mask() == 0
    }

    /// The rank of a word for replacement, the smallest first.
    ///
    /// Full words rank by their work. Compact words rank by their tag XOR the new tag. By the tag alone, the
    /// greatest tags would never be replaced.
    #[inline]
    pub(super) const fn replacement_order(self, word: u64, tag: u64) -> u64 {
        match self {
            Self::Full => word,
            Self::Compact if word == EMPTY => EMPTY,
            Self::Compact => word ^ (tag & !COMPACT_MARK),
        }
    }
}

impl TableEntry {
    /// The bounds that an entry can store. On the largest board, 4x31, bounds reach ±61.
    pub const SCORES: RangeInclusive<i8> = -64..=62;
    /// The greatest column that an entry can store. The search stores `None` for later columns.
    pub const MAX_BEST: u8 = 14;
    /// The greatest work that an entry can store: the binary logarithm of two thousand million nodes.
    pub const MAX_WORK: u8 = 31;

    #[inline(always)]
    pub(super) fn encode(self, format: Format, tag: u64) -> u64 {
        debug_assert!(Self::SCORES.contains(&self.lower) && Self::SCORES.contains(&self.upper), "{self:?}");
        debug_assert!(self.best.is_none_or(|column| column <= Self::MAX_BEST), "{self:?}");
        debug_assert!(tag & !format.tag_mask() == 0 && format == Format::of(tag));
        let best = self.best.map_or(NO_BEST, |column| u64::from(column) & BEST_MASK);
        tag | match format {
            Format::Full => {
                biased(self.lower)
                    | biased(self.upper) << UPPER_SHIFT
                    | best << BEST_SHIFT
                    | u64::from(self.work.min(Self::MAX_WORK)) << WORK_SHIFT
            }
            Format::Compact => {
                compact_bound(self.lower)
                    | compact_bound(-self.upper) << COMPACT_UPPER_SHIFT
                    | best << COMPACT_BEST_SHIFT
            }
        }
    }

    #[inline]
    pub(super) fn decode(format: Format, word: u64) -> Self {
        debug_assert!(word != EMPTY && format == Format::of(word));
        match format {
            Format::Full => {
                Self {
                    lower: unbiased(word),
                    upper: unbiased(word >> UPPER_SHIFT),
                    best: best(word >> BEST_SHIFT),
                    // Work is the uppermost field; the format bit above is 0.
                    work: (word >> WORK_SHIFT) as u8,
                }
            }
            Format::Compact => Self {
                lower: bound_of_compact(word).unwrap_or(*Self::SCORES.start()),
                upper: bound_of_compact(word >> COMPACT_UPPER_SHIFT)
                    .map_or(*Self::SCORES.end(), |bound| -bound),
                best: best(word >> COMPACT_BEST_SHIFT),
                work: 0,
            },
        }
    }
}

#[inline]
fn compact_bound(bound: i8) -> u64 {
    (bound.clamp(-MAX_COMPACT_BOUND - 1, MAX_COMPACT_BOUND) + MAX_COMPACT_BOUND + 1) as u64
}

#[inline]
fn biased(score: i8) -> u64 {
    (i16::from(score) + SCORE_BIAS) as u64 & SCORE_MASK
}

#[inline]
fn unbiased(word: u64) -> i8 {
    ((word & SCORE_MASK) as i16 - SCORE_BIAS) as i8
}

#[inline]
fn best(word: u64) -> Option<u8> {
    let column = word & BEST_MASK;
    if column == NO_BEST { None } else { Some(column as u8) }
}

#[inline]
fn bound_of_compact(word: u64) -> Option<i8> {
    let field = word as i8 & ((1 << COMPACT_SCORE_BITS) - 1);
    if field == 0 { None } else { Some(field - MAX_COMPACT_BOUND - 1) }
}

pub(super) const ENTRIES_PER_BUCKET: usize = 4;

/// Aligned to the size of a bucket, so no bucket crosses a cache line.
#[derive(Debug)]
#[repr(C, align(32))]
pub(super) struct Bucket(pub(super) [AtomicU64; ENTRIES_PER_BUCKET]);

pub(super) const BUCKET_BYTES: usize = size_of::<Bucket>();

pub(super) fn clear(buckets: &mut [Bucket]) {
    for bucket in buckets {
        bucket.0 = Default::default();
    }
}

pub(super) type Words = [u64; ENTRIES_PER_BUCKET];

impl Bucket {
    #[inline(always)]
    pub(super) fn words(&self) -> Words {
        self.0.each_ref().map(|slot| slot.load(Ordering::Relaxed))
    }

    pub(super) fn set_words(&self, words: Words) {
        for (slot, word) in self.0.iter().zip(words) {
            slot.store(word, Ordering::Relaxed);
        }
    }

    #[inline]
    pub(super) fn probe(&self, format: Format, tag: u64) -> Option<TableEntry> {
        find(self.words(), format, tag)
    }

    /// Replaces the previous entry of the position, else an empty slot, else the first entry in [replacement
    /// order](Format::replacement_order).
    #[inline]
    pub(super) fn store(&self, format: Format, tag: u64, word: u64) {
        // The remainder operation spares the bounds check.
        self.0[victim(self.words(), format, tag) % ENTRIES_PER_BUCKET].store(word, Ordering::Relaxed);
    }

    pub(super) fn used(&self) -> usize {
        self.words().iter().filter(|&&word| word != EMPTY).count()
    }
}

#[inline(always)]
pub(super) fn find(words: Words, format: Format, tag: u64) -> Option<TableEntry> {
    // Compares all four words without a branch, because the slot is unpredictable. Empty slots match the tag
    // 0. They follow the entries, because a store fills the first empty slot. So the loop runs backwards and
    // keeps the last match. A concurrent store may hide an entry.
    let mut found = EMPTY;
    for word in words.into_iter().rev() {
        found = if format.has_tag(word, tag) { word } else { found };
    }
    if found == EMPTY { None } else { Some(TableEntry::decode(format, found)) }
}

#[inline(always)]
pub(super) fn victim(words: Words, format: Format, tag: u64) -> usize {
    let (mut victim, mut least) = (0, u64::MAX);
    for (slot, word) in words.into_iter().enumerate() {
        let order = format.replacement_order(word, tag);
        let cost = if format.has_tag(word, tag) { EMPTY } else { order };
        (victim, least) = if cost < least { (slot, cost) } else { (victim, least) };
    }
    victim
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries() -> impl Strategy<Value = TableEntry> {
        (
            TableEntry::SCORES,
            TableEntry::SCORES,
            prop::option::of(0..=TableEntry::MAX_BEST),
            0..=TableEntry::MAX_WORK,
        )
            .prop_map(|(lower, upper, best, work)| TableEntry { lower, upper, best, work })
    }

    fn full_tags() -> impl Strategy<Value = u64> {
        (0..1_u64 << TAG_BITS).prop_map(|tag| tag << TAG_SHIFT)
    }

    fn compact_tags() -> impl Strategy<Value = u64> {
        (0..1_u64 << COMPACT_TAG_BITS).prop_map(|tag| COMPACT_MARK | tag << COMPACT_TAG_SHIFT)
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: if cfg!(miri) { 32 } else { 10_000 },
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn decode_undoes_encode(entry in entries(), tag in full_tags(), other in full_tags()) {
            let word = entry.encode(Format::Full, tag);
            prop_assert_eq!(TableEntry::decode(Format::Full, word), entry);
            prop_assert!(Format::Full.has_tag(word, tag));
            prop_assert_eq!(Format::Full.has_tag(word, other), other == tag);
        }

        #[test]
        fn compact_words_keep_tag_and_best_move(entry in entries(), tag in compact_tags(), other in compact_tags()) {
            let word = entry.encode(Format::Compact, tag);
            prop_assert_eq!(TableEntry::decode(Format::Compact, word).best, entry.best);
            prop_assert!(Format::Compact.has_tag(word, tag));
            prop_assert_eq!(Format::Compact.has_tag(word, other), other == tag);
        }

        #[test]
        fn the_formats_are_never_confused(entry in entries(), full in full_tags(), compact in compact_tags()) {
            prop_assert!(!Format::Full.has_tag(entry.encode(Format::Compact, compact), full));
            prop_assert!(!Format::Compact.has_tag(entry.encode(Format::Full, full), compact));
            prop_assert!(!Format::Compact.has_tag(EMPTY, compact));
        }

        #[test]
        fn less_work_is_replaced_first(a in entries(), b in entries(), s in full_tags(), t in full_tags()) {
            let (first, second) = (a.encode(Format::Full, s), b.encode(Format::Full, t));
            prop_assert!(first > EMPTY && second > EMPTY);
            prop_assert!(a.work == b.work || (a.work < b.work) == (first < second));
            prop_assert_eq!(Format::Full.replacement_order(first, t), first);
        }
    }

    #[test]
    fn work_is_stored_up_to_its_maximum() {
        for (work, stored) in [(31, 31), (32, 31), (63, 31), (64, 31), (u8::MAX, 31)] {
            let word = TableEntry { lower: 0, upper: 0, best: None, work }.encode(Format::Full, 0);
            assert_eq!(TableEntry::decode(Format::Full, word).work, stored);
        }
    }

    #[test]
    fn a_compact_word_keeps_bounds_or_weakens_them() {
        for lower in TableEntry::SCORES {
            for upper in TableEntry::SCORES {
                let entry = TableEntry { lower, upper, best: None, work: TableEntry::MAX_WORK };
                let found = TableEntry::decode(Format::Compact, entry.encode(Format::Compact, COMPACT_MARK));
                assert!(found.lower <= lower && found.upper >= upper, "{entry:?} became {found:?}");
                assert_eq!(found.lower, if lower < -7 { -64 } else { lower.min(7) });
                assert_eq!(found.upper, if upper > 7 { 62 } else { upper.max(-7) });
            }
        }
    }

    #[test]
    fn an_entry_of_the_tag_0_lies_before_the_empty_slots() {
        let entry = TableEntry { lower: 0, upper: 1, best: None, work: 0 };
        let mut words = [EMPTY; 4];
        words[victim(words, Format::Full, 0)] = entry.encode(Format::Full, 0);
        assert_eq!(find(words, Format::Full, 0), Some(entry));
    }
}
