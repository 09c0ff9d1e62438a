//! Static bounds: scores that a side can be sure of by a simple strategy, read off the board without search.
//!
//! All of them are upper bounds for the side to move, because the side that is *not* to move can follow a reply
//! strategy. Rows count from 1 at the bottom, P1 is the player who moved on the empty board, `N` the number of cells.
//! The parity rules hold on boards of even height only; elsewhere just [`hopeless`] applies.
//!
//! Sources: James Allen and Victor Allis on claimeven (Allis, "A Knowledge-based Approach of Connect-Four", 1988);
//! John Tromp's Fhourstones and Christophe Steininger's c4 for claimeven as a bound inside a search.

use super::kernel::Kernel;
use super::replies::Replies;
use super::resolve::Node;
use crate::board::{Bits, Geometry, each_cell};
use crate::score::Score;

/// The spare bits on top of the columns.
#[inline]
pub(super) fn spare_row<G: Geometry>() -> G::Bits {
    G::bottom() << G::HEIGHT
}

/// The lowest cell of `set` in each column. A column's spare bit minus its part of the set negates it within the
/// column, so this is the classic `x & -x`, all columns at once.
#[inline]
pub(super) fn lowest_per_column<G: Geometry>(set: G::Bits) -> G::Bits {
    spare_row::<G>().minus(set) & set
}

/// For each column with a cell in `lowest` (at most one a column): that cell and those above it.
#[inline]
pub(super) fn from_there_up<G: Geometry>(lowest: G::Bits) -> G::Bits {
    spare_row::<G>().minus(lowest) & G::board()
}

/// How much is done for a bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// A rule that is dear is tried only if it might show a bound below this.
    pub(crate) wanted: Score,
    /// Whether the fours that a reply strategy leaves over are looked at one by one.
    pub(crate) closely: bool,
}

/// An upper bound on the score of the side to move in a quiet node, or [`Score::MAX`].
#[inline(always)]
pub(crate) fn upper_bound<K: Kernel, G: Geometry>(node: &Node<G>, effort: Effort) -> Score {
    if !G::HEIGHT.is_multiple_of(2) {
        return hopeless::<K, G>(node);
    }
    if node.plies.is_multiple_of(2) {
        evens::<K, G>(node, effort)
    } else {
        hopeless::<K, G>(node).min(odd_threat::<K, G>(node, effort))
    }
}

/// At most a draw for a side that has no line left to complete.
#[inline(always)]
pub(crate) fn hopeless<K: Kernel, G: Geometry>(node: &Node<G>) -> Score {
    let within_reach = node.own | (G::board() ^ node.mask);
    if K::has_four::<G>(within_reach) { Score::MAX } else { 0 }
}

/// *Evens*: P1 is to move, and P2 answers every stone in the same column.
///
/// A column whose next cell lies on an odd row has an even number of cells left, so P2's answer is on the even row
/// above. The columns whose next cell lies on an even row are even in number (an even number of stones lies on the
/// board), so they can be paired: P2 answers a stone on one such cell with the other of its pair, after which both
/// columns are of the first kind. P1 then gets at most its own stones, the empty cells of odd rows and the cells
/// that are playable now; P2 is sure of the even-row cells that are not playable now.
///
/// 1. P1's share holds no four, or none that it can complete (see [`Replies::hold`]): P1 cannot win.
/// 2. If P2's share (its stones and the cells it is sure of) holds a four, P2 wins, at the latest when everything is
///    filled but the cells above the topmost missing cell of that four: `a` of these give P2 a score of 1 + a/2.
/// 3. A *standing* winning cell `e` of P2 (even row, not playable) ends the game as soon as P1 plays below it, so P1
///    never gets a cell above `e`. These cells leave P1's share. (The cell below `e` stays in it: that stone may win.)
///    If now no four is left, P1 must in the end play below one of these cells. Let `E` be the columns that have one,
///    `u` the number of cells from the lowest one up. When P1 first plays below such a cell, the other columns of
///    `E` are filled at most up to two cells below theirs, so at most N - sum over E of (u + 1) stones were on the
///    board before it; one stone of P1 and one of P2 later P2 has won, which is a score of half that sum or more.
#[inline(always)]
fn evens<K: Kernel, G: Geometry>(node: &Node<G>, effort: Effort) -> Score {
    let empty = G::board() ^ node.mask;
    let playable = node.playable();
    let sure = G::even_rows() & empty & !playable;
    let standing = lowest_per_column::<G>(node.opponent_wins & sure);
    let out_of_reach = from_there_up::<G>(standing);
    let share = (node.own | (empty & !sure)) & !out_of_reach;
    let unfilled = (out_of_reach.count() + standing.count()) as Score;
    let bound = -(unfilled / 2);
    let opponent = node.opponent();
    if K::has_four::<G>(share) {
        let replies = Replies { share, exchanged: playable & G::even_rows(), stones: opponent, sure };
        if !effort.closely || !replies.hold::<K, G>(bound >= effort.wanted) {
            return Score::MAX;
        }
    }
    if !K::has_four::<G>(opponent | sure) {
        return bound;
    }
    // The lower the topmost missing cell may lie, the earlier P2 wins: try the rows from below.
    let mut reach = G::bottom() << 1;
    let mut row = 2;
    while !K::has_four::<G>(opponent | (sure & reach)) {
        reach |= reach << 2;
        row += 2;
    }
    bound.min(-(1 + ((G::HEIGHT - row) / 2) as Score))
}

/// *Odd threat*: P2 is to move, and P1 owns a winning cell `t` on an odd row of column `c`, not playable, the next
/// cell of `c` lying on an even row.
///
/// P1 answers every stone in the same column. In the columns whose next cell lies on an odd row this gives P1 the even
/// rows. The columns whose next cell lies on an even row are odd in number (an odd number of stones lies on the
/// board); `c` is one of them, and the others pair up as in [`evens`]. In `c` itself P2 gets the even-row cells below
/// `t`, P1 the odd-row ones, until P2 has to play below `t` and P1 wins there. So P2 gets at most its own stones, the
/// odd-row cells outside `c`, the cells playable now outside `c`, and the even-row cells of `c` below `t`.
///
/// If that share holds no four, or none that P2 can complete (see [`Replies::hold`]), P1 wins, for P2 runs out of
/// other moves. P1's standing winning cells on even rows of other columns (not playable) sharpen this as in [`evens`]:
/// P2 never gets a cell above them. The last stone of P2 goes below `t` or below one of those; before P1's winning
/// stone there are then at most N - u(t) - sum of (u(e) + 1) stones on the board, where `u` counts the cells from there
/// up. In P1's score that is half of 1 + u(t) + sum of (u(e) + 1), rounded down.
///
/// Source: Plumb's own, in no other solver we know of.
#[inline(always)]
fn odd_threat<K: Kernel, G: Geometry>(node: &Node<G>, effort: Effort) -> Score {
    let empty = G::board() ^ node.mask;
    let playable = node.playable();
    // Odd-row winning cells above an even-row next cell: neither playable nor directly above an odd-row next cell's
    // column kind.
    let even_next = playable & G::even_rows();
    let above_even_next = from_there_up::<G>(even_next);
    let threats = lowest_per_column::<G>(node.opponent_wins & G::odd_rows() & above_even_next);
    if threats.is_empty() {
        return Score::MAX;
    }
    let standing_anywhere = node.opponent_wins & G::even_rows() & !playable;
    let mut bound = Score::MAX;
    for threat in each_cell(threats) {
        let column = G::column(G::column_of(threat));
        let from_threat = from_there_up::<G>(threat) & column;
        let standing = lowest_per_column::<G>(standing_anywhere & !column);
        let out_of_reach = from_there_up::<G>(standing);
        let outside = ((G::odd_rows() & empty) | playable) & !column & !out_of_reach;
        let below = G::even_rows() & empty & column & !from_threat;
        let unfilled = from_threat.count() + out_of_reach.count() + standing.count();
        let claim = -((1 + unfilled) as Score / 2);
        if claim >= effort.wanted.min(bound) {
            continue;
        }
        let share = node.own | outside | below;
        if K::has_four::<G>(share) {
            let replies = Replies {
                share,
                exchanged: even_next & !column,
                stones: node.opponent(),
                sure: (G::even_rows() & empty & !playable & !column)
                    | (G::odd_rows() & empty & column & !from_threat),
            };
            if !effort.closely || !replies.hold::<K, G>(false) {
                continue;
            }
        }
        bound = claim;
    }
    bound
}
