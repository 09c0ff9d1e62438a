//! Table entries, and the word into which one is packed.
//!
//! From the top bit down:
//!
//! ```text
//!  63      58 57                            18 17      14 13        7 6         0
//! +----------+--------------------------------+----------+-----------+-----------+
//! | work (6) | tag (40)                       | best (4) | upper (7) | lower (7) |
//! +----------+--------------------------------+----------+-----------+-----------+
//! ```
//!
//! Work is in the top bits so that the smallest word of a bucket is the one to replace, without unpacking: an empty slot,
//! all zeros, is smaller than every entry, and among equal work the tag decides, as good as at random. Bounds are stored
//! with a bias that keeps them above zero, so no entry is the empty word. A best column of 15 means none.

use std::ops::RangeInclusive;

use super::key::{TAG_BITS, TAG_MASK};

/// The result of a search of a position: proved bounds of its score for the side to move, and a move to try first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// The score is at least this; within [`TableEntry::SCORES`].
    pub lower: i8,
    /// The score is at most this; within [`TableEntry::SCORES`].
    pub upper: i8,
    /// The column to try first, 0 to [`TableEntry::MAX_BEST`]; `None` if no move was better than the others.
    pub best: Option<u8>,
    /// The cost of computing the entry, 0 to [`TableEntry::MAX_WORK`], in a unit of the caller's choice, such as the binary
    /// logarithm of the nodes searched. Entries of the least work are replaced first.
    pub work: u8,
}

/// The word of an empty slot.
pub(super) const EMPTY: u64 = 0;

const SCORE_BITS: u32 = 7;
const BEST_BITS: u32 = 4;
const WORK_BITS: u32 = 6;

const UPPER_SHIFT: u32 = SCORE_BITS;
const BEST_SHIFT: u32 = UPPER_SHIFT + SCORE_BITS;
const TAG_SHIFT: u32 = BEST_SHIFT + BEST_BITS;
const WORK_SHIFT: u32 = TAG_SHIFT + TAG_BITS;

const SCORE_MASK: u64 = (1 << SCORE_BITS) - 1;
const BEST_MASK: u64 = (1 << BEST_BITS) - 1;
const SCORE_BIAS: i16 = 65;
const NO_BEST: u64 = BEST_MASK;

const _: () = assert!(WORK_SHIFT + WORK_BITS == u64::BITS);

impl TableEntry {
    /// The scores that an entry can store: enough for boards of up to 122 cells, whose scores are within ±61.
    pub const SCORES: RangeInclusive<i8> = -64..=62;
    /// The greatest column that an entry can store.
    pub const MAX_BEST: u8 = 14;
    /// The greatest work that an entry can store.
    pub const MAX_WORK: u8 = 63;

    /// Packs the entry of the position with this tag.
    #[inline]
    pub(super) fn encode(self, tag: u64) -> u64 {
        debug_assert!(Self::SCORES.contains(&self.lower) && Self::SCORES.contains(&self.upper), "{self:?}");
        debug_assert!(self.best.is_none_or(|column| column <= Self::MAX_BEST), "{self:?}");
        debug_assert!(self.work <= Self::MAX_WORK, "{self:?}");
        debug_assert!(tag <= TAG_MASK);
        let score = |score: i8| (i16::from(score) + SCORE_BIAS) as u64 & SCORE_MASK;
        let best = self.best.map_or(NO_BEST, |column| u64::from(column) & BEST_MASK);
        score(self.lower)
            | score(self.upper) << UPPER_SHIFT
            | best << BEST_SHIFT
            | tag << TAG_SHIFT
            | u64::from(self.work) << WORK_SHIFT
    }

    /// Unpacks a word, which must not be empty.
    #[inline]
    pub(super) fn decode(word: u64) -> Self {
        debug_assert_ne!(word, EMPTY);
        let score = |bits: u64| ((bits & SCORE_MASK) as i16 - SCORE_BIAS) as i8;
        let best = word >> BEST_SHIFT & BEST_MASK;
        Self {
            lower: score(word),
            upper: score(word >> UPPER_SHIFT),
            best: (best != NO_BEST).then_some(best as u8),
            work: (word >> WORK_SHIFT) as u8,
        }
    }
}

/// Whether a word is the entry of the position with this tag; also `true` for the empty word and the tag 0.
#[inline]
pub(super) fn has_tag(word: u64, tag: u64) -> bool {
    // Compared in place: a probe shifts the tag once instead of each of four words.
    (word ^ tag << TAG_SHIFT) & TAG_MASK << TAG_SHIFT == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entries() -> impl Strategy<Value = TableEntry> {
        (
            TableEntry::SCORES,
            TableEntry::SCORES,
            prop::option::of(0..=TableEntry::MAX_BEST),
            0..=TableEntry::MAX_WORK,
        )
            .prop_map(|(lower, upper, best, work)| TableEntry { lower, upper, best, work })
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: if cfg!(miri) { 32 } else { 10_000 },
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn decode_undoes_encode(entry in entries(), tag in 0..=TAG_MASK, other in 0..=TAG_MASK) {
            let word = entry.encode(tag);
            prop_assert_eq!(TableEntry::decode(word), entry);
            prop_assert!(has_tag(word, tag));
            prop_assert_eq!(has_tag(word, other), other == tag);
        }

        #[test]
        fn less_work_is_a_smaller_word(a in entries(), b in entries(), s in 0..=TAG_MASK, t in 0..=TAG_MASK) {
            let (first, second) = (a.encode(s), b.encode(t));
            prop_assert!(first > EMPTY && second > EMPTY);
            prop_assert!(a.work == b.work || (a.work < b.work) == (first < second));
        }
    }

    #[test]
    fn extreme_values_survive() {
        for lower in [-64, 0, 62] {
            for upper in [-64, 0, 62] {
                for best in [None, Some(0), Some(TableEntry::MAX_BEST)] {
                    for work in [0, TableEntry::MAX_WORK] {
                        for tag in [0, 1, TAG_MASK] {
                            let entry = TableEntry { lower, upper, best, work };
                            assert_eq!(TableEntry::decode(entry.encode(tag)), entry);
                            assert!(has_tag(entry.encode(tag), tag));
                        }
                    }
                }
            }
        }
        assert!(has_tag(EMPTY, 0), "callers must exclude the empty word");
    }
}
