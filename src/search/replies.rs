//! What a reply strategy leaves to the other side, looked at more closely: which fours it can really complete.
//!
//! The strategies of [`bounds`](super::bounds) answer every stone in the same column, or where the next cell lies on
//! an even row, with another such cell. If the attacker's share holds no four at all, no more need be asked. If it
//! does, each of these fours may still come to nothing, in two ways:
//!
//! * *Paired away.* The defender pairs the playable even-row cells as it likes, and the attacker never gets both of a
//!   pair, for the one is answered with the other. A four that holds both is never completed: Allis's baseinverse, as
//!   part of the pairing ("A Knowledge-based Approach of Connect-Four", 1988).
//! * *Too late.* Before the attacker completes a four, every cell below one of its cells has been filled. If the
//!   defender's stones, with those of these cells that the strategy gives it, hold a four, then that one was there
//!   first, and the game was over. This holds for each of the attacker's fours by itself, whichever four of the
//!   defender's it is that comes first. It covers Allis's aftereven, and is Plumb's own in this form.

use super::bounds::{from_there_up, lowest_per_column, spare_row};
use super::kernel::Kernel;
use crate::board::{Bits, Geometry, each_cell, has_four};

/// More fours than this to be paired away are not tried: the search is cheaper.
const MAX_PAIRED_AWAY: usize = 8;

/// What a reply strategy gives to whom.
#[derive(Clone, Copy)]
pub(super) struct Replies<B> {
    /// The attacker's stones and every cell that it might get.
    pub(super) share: B,
    /// The cells playable now that the defender pairs; an even number.
    pub(super) exchanged: B,
    /// The defender's stones.
    pub(super) stones: B,
    /// Empty cells that the defender gets if the game goes on for long enough, none of them playable now: below each
    /// of them the next one down is the attacker's.
    pub(super) sure: B,
}

impl<B: Bits> Replies<B> {
    /// Whether no four of the share, which holds one, can be completed: some are paired away and others too late.
    /// If `only_to_win`, the answer is yes only if the defender also gets a four.
    #[inline(always)]
    pub(super) fn hold<K: Kernel, G: Geometry<Bits = B>>(&self, only_to_win: bool) -> bool {
        let unpaired = self.share & !self.exchanged;
        // Shortcut: is there a four without exchanged cells, and without a cell above one that the defender is sure of?
        if K::has_four::<G>(unpaired & !from_there_up::<G>(lowest_per_column::<G>(self.sure))) {
            return false;
        }
        let holds = self.spoil_every_four::<G>(only_to_win);
        #[cfg(test)]
        HELD.set(HELD.get() + u32::from(holds));
        holds
    }

    /// [`hold`](Self::hold) without its shortcut. Comes seldom, so it is kept out of the code of the search.
    #[inline(never)]
    fn spoil_every_four<G: Geometry<Bits = B>>(&self, only_to_win: bool) -> bool {
        let wins = has_four::<G>(self.stones | self.sure);
        if !wins && (only_to_win || has_four::<G>(self.share & !self.exchanged)) {
            return false;
        }
        let fours = |step: u32| {
            let pairs = self.share & (self.share >> step);
            pairs & (pairs >> (2 * step))
        };
        let [vertical, slanted @ ..] = G::DIRECTIONS;
        // A column has at most one exchanged cell, and nothing sure below or between the cells of the share above it.
        if !fours(vertical).is_empty() {
            return false;
        }
        let mut paired_away = [B::ZERO; MAX_PAIRED_AWAY];
        let mut count = 0;
        for step in slanted {
            for first in each_cell(fours(step)) {
                let four = first | (first << step) | (first << (2 * step)) | (first << (3 * step));
                if wins && has_four::<G>(self.stones | (self.sure & below::<G>(four))) {
                    continue;
                }
                let exchanged = four & self.exchanged;
                if !exchanged.has_several() || count == MAX_PAIRED_AWAY {
                    return false;
                }
                paired_away[count] = exchanged;
                count += 1;
            }
        }
        pairing_exists(&paired_away[..count], self.exchanged)
    }
}

/// The cells below a set of at most one cell a column.
fn below<G: Geometry>(set: G::Bits) -> G::Bits {
    // Taking the set away from the spare row clears the spare bits of its columns.
    let spare = spare_row::<G>();
    let bottoms = (spare & !spare.minus(set)) >> G::HEIGHT;
    set.minus(bottoms)
}

/// Whether the cells of `free` can be paired so that each of `sets` holds both cells of a pair. Cells that no set asks
/// for go with any other.
fn pairing_exists<B: Bits>(sets: &[B], free: B) -> bool {
    let Some((&set, others)) = sets.split_first() else { return true };
    each_pair(set & free).any(|pair| {
        let mut open = [B::ZERO; MAX_PAIRED_AWAY];
        let mut count = 0;
        for &other in others.iter().filter(|&&other| !(pair & !other).is_empty()) {
            open[count] = other;
            count += 1;
        }
        pairing_exists(&open[..count], free & !pair)
    })
}

/// Every set of two cells of `set`.
fn each_pair<B: Bits>(set: B) -> impl Iterator<Item = B> {
    each_cell(set).flat_map(move |first| {
        // The cells after `first` in the order of bits.
        let others = set & !(first | first.minus(B::bit(0)));
        each_cell(others).map(move |second| first | second)
    })
}

#[cfg(test)]
thread_local! {
    /// How often [`Replies::hold`] said yes on this thread: tests see to it that it is met.
    pub(super) static HELD: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    type Cells = <Standard as Geometry>::Bits;

    fn cells(cells: &[(u32, u32)]) -> Cells {
        cells.iter().fold(Cells::ZERO, |set, &(column, row)| set | Standard::cell(column, row))
    }

    #[test]
    fn below_leaves_other_columns_alone() {
        let set = cells(&[(0, 2), (1, 0), (6, 5)]);
        let expected = cells(&[(0, 0), (0, 1), (6, 0), (6, 1), (6, 2), (6, 3), (6, 4)]);
        assert_eq!(below::<Standard>(set), expected);
    }

    #[test]
    fn pairs_are_found_if_there_are_any() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|column| cells(&[(column, 1)]));
        let free = a | b | c | d;
        assert!(pairing_exists(&[], free));
        assert!(pairing_exists(&[a | b, c | d], free));
        assert!(pairing_exists(&[a | b | c, a | b], free));
        // `a` cannot be paired twice, and the first choice for the first set, a and b, must be taken back.
        assert!(!pairing_exists(&[a | b, b | c], free));
        assert!(pairing_exists(&[a | b | c, a | c], free));
        assert!(!pairing_exists(&[a | b], a | c));
    }
}
