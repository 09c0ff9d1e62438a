//! Follow-up strategies, checked for each possible four of the attacker: can the attacker really complete it?
//!
//! The strategies of [`bounds`](super::bounds) answer a stone in the same column if it leaves an odd number of
//! cells there. Otherwise they answer with the next cell of another column that had an odd number. If the attacker's cells hold a four, it can
//! still be impossible, for two reasons:
//!
//! * *Paired away.* The defender pairs the next cells of these columns as it likes. The attacker never gets both
//!   cells of a pair, so it never completes a four that holds both. This is Allis's baseinverse as part of the
//!   pairing ("A Knowledge-based Approach of Connect-Four", 1988).
//! * *Too late.* Before the attacker completes a four, every cell below it is filled. If the defender's
//!   stones hold a four with those of these cells that the strategy gives to the defender, the defender
//!   completed its four first. This is true for each of the attacker's fours by itself. It covers Allis's
//!   aftereven; in this form it is Plumb's own.

use crate::board::{Bits, Geometry, each_cell, has_four};
use crate::search::simd::Backend;

/// Most fours to prevent by pairing cells. With more, searching is cheaper.
const MAX_PAIRED_AWAY: usize = 8;

/// The cells that a follow-up strategy leaves to each side.
#[derive(Clone, Copy)]
pub(super) struct FollowUp<B> {
    /// The attacker's stones and every cell that it might get.
    pub(super) share: B,
    /// The playable cells that the defender pairs; an even number.
    pub(super) paired: B,
    pub(super) stones: B,
    /// Empty cells that the defender gets if the game lasts long enough. None of them is playable now, and
    /// the cell below each goes to the attacker.
    pub(super) guaranteed: B,
}

impl<B: Bits> FollowUp<B> {
    /// Whether the attacker can complete no four of its `share`. With `must_win` the defender must also get a
    /// four.
    #[inline(always)]
    pub(super) fn holds<S: Backend>(
        &self,
        geometry: impl Geometry<Bits = B>,
        backend: S,
        must_win: bool,
    ) -> bool {
        let unpaired = self.share & !self.paired;
        // Only paired cells and cells above a guaranteed cell can prevent a four.
        let late = from_there_up(geometry, lowest_per_column(geometry, self.guaranteed));
        if backend.has_four(geometry, unpaired & !late) {
            return false;
        }
        let holds = self.prevents_every_four(geometry, must_win);
        #[cfg(test)]
        HELD.set(HELD.get() + u32::from(holds));
        holds
    }

    /// [`holds`](Self::holds) without its shortcut. Rarely reached, so not inlined.
    #[inline(never)]
    fn prevents_every_four(&self, geometry: impl Geometry<Bits = B>, must_win: bool) -> bool {
        let wins = has_four(geometry, self.stones | self.guaranteed);
        if !wins && (must_win || has_four(geometry, self.share & !self.paired)) {
            return false;
        }
        let [vertical, others @ ..] = geometry.directions();
        // Nothing prevents a vertical four: it has at most one paired cell and no guaranteed cell below it.
        if !fours(self.share, vertical).is_empty() {
            return false;
        }
        let mut paired_away = [B::ZERO; MAX_PAIRED_AWAY];
        let mut count = 0;
        for step in others {
            for first in each_cell(fours(self.share, step)) {
                let four = first | (first << step) | (first << (2 * step)) | (first << (3 * step));
                if wins && has_four(geometry, self.stones | (self.guaranteed & below(geometry, four))) {
                    continue;
                }
                let paired = four & self.paired;
                if !paired.has_several() || count == MAX_PAIRED_AWAY {
                    return false;
                }
                paired_away[count] = paired;
                count += 1;
            }
        }
        pairing_exists(&paired_away[..count], self.paired)
    }
}

fn fours<B: Bits>(share: B, step: u32) -> B {
    let pairs = share & (share >> step);
    pairs & (pairs >> (2 * step))
}

/// Whether the cells of `free` can be paired so that each of `sets` holds both cells of a pair.
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

fn each_pair<B: Bits>(set: B) -> impl Iterator<Item = B> {
    each_cell(set).flat_map(move |first| {
        let others = set & !(first | first.minus(B::bit(0)));
        each_cell(others).map(move |second| first | second)
    })
}

#[cfg(test)]
thread_local! {
    /// Number of times that a strategy held, to check that tests meet the rule.
    pub(crate) static HELD: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// The lowest cell of `set` in each column, like `x & -x`: the spare bit above a column, minus the column's
/// bits, negates them.
#[inline]
pub(super) fn lowest_per_column<G: Geometry>(geometry: G, set: G::Bits) -> G::Bits {
    geometry.spare_row().minus(set) & set
}

/// The cells of `lowest` and all cells above them. `lowest` holds at most one cell a column.
#[inline]
pub(super) fn from_there_up<G: Geometry>(geometry: G, lowest: G::Bits) -> G::Bits {
    geometry.spare_row().minus(lowest) & geometry.board()
}

/// The cells below the cells of `set`, which holds at most one cell a column.
#[inline]
pub(super) fn below<G: Geometry>(geometry: G, set: G::Bits) -> G::Bits {
    // The subtraction clears the spare bit on top of each column with a cell in `set`.
    let spare = geometry.spare_row();
    let bottoms = (spare & !spare.minus(set)) >> geometry.height();
    set.minus(bottoms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    #[test]
    fn pairs_are_found_if_there_are_any() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|column| Standard::default().cell(column, 1));
        let free = a | b | c | d;
        assert!(pairing_exists(&[], free));
        assert!(pairing_exists(&[a | b, c | d], free));
        assert!(pairing_exists(&[a | b | c, a | b], free));
        // `b` cannot be paired twice. In the next case the first choice, `a` with `b`, must be taken back.
        assert!(!pairing_exists(&[a | b, b | c], free));
        assert!(pairing_exists(&[a | b | c, a | c], free));
        assert!(!pairing_exists(&[a | b], a | c));
    }

    #[test]
    fn below_leaves_other_columns_alone() {
        let cells = |cells: &[(u32, u32)]| {
            cells.iter().fold(0, |set, &(column, row)| set | Standard::default().cell(column, row))
        };
        let set = cells(&[(0, 2), (1, 0), (6, 5)]);
        let expected = cells(&[(0, 0), (0, 1), (6, 0), (6, 1), (6, 2), (6, 3), (6, 4)]);
        assert_eq!(below(Standard::default(), set), expected);
    }
}
