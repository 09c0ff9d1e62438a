//! Static bounds: scores that a side can guarantee by a simple strategy, read off the board without search.
//!
//! All of them are upper bounds for the side to move, because the side that is *not* to move can adopt a follow-up
//! strategy. Rows count from 1 at the bottom, P1 is the player who moved on the empty board, `N` the number of cells.
//! The parity rules hold on boards of even height only; elsewhere just [`no_line_left`] applies.
//!
//! Sources: James Allen and Victor Allis on claimeven (Allis, "A Knowledge-based Approach of Connect-Four", 1988);
//! John Tromp's Fhourstones and Christophe Steininger's c4 for claimeven as a bound inside a search.

use super::columns::{from_there_up, lowest_per_column};
use super::follow_up::FollowUp;
use super::node::Node;
use crate::board::{Bits, Geometry, each_cell};
use crate::score::Score;
use crate::search::simd::Backend;

/// The bound that a caller has a use for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundRequest {
    /// Only a bound below this is of use: costly rules are tried only where they may give one.
    pub(crate) below: Score,
    /// Whether the fours that a strategy leaves to the attacker are examined one by one ([`FollowUp`]).
    pub(crate) examine_fours: bool,
}

/// An upper bound on the score of the side to move in a quiet node; [`Score::MAX`] if no rule applies.
#[inline(always)]
pub(crate) fn upper_bound<B: Backend, G: Geometry>(
    backend: B,
    node: &Node<G>,
    request: BoundRequest,
) -> Score {
    if !node.geometry.height().is_multiple_of(2) {
        return no_line_left(backend, node);
    }
    if node.plies.is_multiple_of(2) {
        claimeven_bound(backend, node, request)
    } else {
        no_line_left(backend, node).min(odd_threat_bound(backend, node, request))
    }
}

/// At most a draw for a side that has no line left to complete.
#[inline(always)]
fn no_line_left<B: Backend, G: Geometry>(backend: B, node: &Node<G>) -> Score {
    let geometry = node.geometry;
    let within_reach = node.own | (geometry.board() ^ node.mask);
    if backend.has_four(geometry, within_reach) { Score::MAX } else { 0 }
}

/// *Claimeven*: P1 is to move, and P2 answers every stone in the same column.
///
/// A column whose next cell lies on an odd row has an even number of cells left, so P2's answer is on the even row
/// above. The columns whose next cell lies on an even row are even in number (an even number of stones lies on the
/// board), so they can be paired: P2 answers a stone on one such cell with the other of its pair, after which both
/// columns are of the first kind. P1 then gets at most its own stones, the empty cells of odd rows and the cells
/// that are playable now; P2 is guaranteed the even-row cells that are not playable now.
///
/// 1. P1's share holds no four, or none that it can complete (see [`FollowUp::holds`]): P1 cannot win.
/// 2. If P2's share (its stones and its guaranteed cells) holds a four, P2 wins, at the latest when everything is
///    filled but the cells above the topmost missing cell of that four: `a` of these give P2 a score of 1 + a/2.
/// 3. A *standing* winning cell `e` of P2 (even row, not playable) ends the game as soon as P1 plays below it, so P1
///    never gets a cell above `e`. These cells leave P1's share. (The cell below `e` stays in it: that stone may win.)
///    If now no four is left, P1 must in the end play below one of these cells. Let `E` be the columns that have one,
///    `u` the number of cells from the lowest one up. When P1 first plays below such a cell, the other columns of
///    `E` are filled at most up to two cells below theirs, so at most N - sum over E of (u + 1) stones were on the
///    board before it; one stone of P1 and one of P2 later P2 has won, which is a score of half that sum or more.
#[inline(always)]
fn claimeven_bound<B: Backend, G: Geometry>(backend: B, node: &Node<G>, request: BoundRequest) -> Score {
    let geometry = node.geometry;
    let empty = geometry.board() ^ node.mask;
    let playable = node.playable();
    let guaranteed = geometry.even_rows() & empty & !playable;
    let standing = lowest_per_column(geometry, node.opponent_wins & guaranteed);
    let out_of_reach = from_there_up(geometry, standing);
    let share = (node.own | (empty & !guaranteed)) & !out_of_reach;
    let unfilled = (out_of_reach.count() + standing.count()) as Score;
    let bound = -(unfilled / 2);
    let opponent = node.opponent();
    if backend.has_four(geometry, share) {
        let strategy =
            FollowUp { share, paired: playable & geometry.even_rows(), stones: opponent, guaranteed };
        if !request.examine_fours || !strategy.holds(geometry, backend, bound >= request.below) {
            return Score::MAX;
        }
    }
    if !backend.has_four(geometry, opponent | guaranteed) {
        return bound;
    }
    // The lower the topmost missing cell may lie, the earlier P2 wins: try the rows from below.
    let mut reach = geometry.bottom() << 1;
    let mut row = 2;
    while !backend.has_four(geometry, opponent | (guaranteed & reach)) {
        reach |= reach << 2;
        row += 2;
    }
    bound.min(-(1 + ((geometry.height() - row) / 2) as Score))
}

/// *Odd threat*: P2 is to move, and P1 owns a winning cell `t` on an odd row of column `c`, not playable, the next
/// cell of `c` lying on an even row.
///
/// P1 answers every stone in the same column. In the columns whose next cell lies on an odd row this gives P1 the even
/// rows. The columns whose next cell lies on an even row are odd in number (an odd number of stones lies on the
/// board); `c` is one of them, and the others pair up as in [`claimeven_bound`]. In `c` itself P2 gets the even-row
/// cells below `t`, P1 the odd-row ones, until P2 has to play below `t` and P1 wins there. So P2 gets at most its own
/// stones, the odd-row cells outside `c`, the cells playable now outside `c`, and the even-row cells of `c` below `t`.
///
/// If that share holds no four, or none that P2 can complete (see [`FollowUp::holds`]), P1 wins, for P2 runs out of
/// other moves. P1's standing winning cells on even rows of other columns (not playable) sharpen this as in
/// [`claimeven_bound`]: P2 never gets a cell above them. The last stone of P2 goes below `t` or below one of those;
/// before P1's winning stone there are then at most N - u(t) - sum of (u(e) + 1) stones on the board, where `u` counts
/// the cells from there up. In P1's score that is half of 1 + u(t) + sum of (u(e) + 1), rounded down.
///
/// Source: Plumb's own, in no other solver we know of.
#[inline(always)]
fn odd_threat_bound<B: Backend, G: Geometry>(backend: B, node: &Node<G>, request: BoundRequest) -> Score {
    let geometry = node.geometry;
    let empty = geometry.board() ^ node.mask;
    let playable = node.playable();
    let even_next = playable & geometry.even_rows();
    // An odd-row cell in a column whose next cell lies on an even row is not playable.
    let above_even_next = from_there_up(geometry, even_next);
    let threats = lowest_per_column(geometry, node.opponent_wins & geometry.odd_rows() & above_even_next);
    if threats.is_empty() {
        return Score::MAX;
    }
    let standing_anywhere = node.opponent_wins & geometry.even_rows() & !playable;
    let mut bound = Score::MAX;
    for threat in each_cell(threats) {
        let column = geometry.column(geometry.column_of(threat));
        let from_threat = from_there_up(geometry, threat) & column;
        let standing = lowest_per_column(geometry, standing_anywhere & !column);
        let out_of_reach = from_there_up(geometry, standing);
        let outside = ((geometry.odd_rows() & empty) | playable) & !column & !out_of_reach;
        let below = geometry.even_rows() & empty & column & !from_threat;
        let unfilled = from_threat.count() + out_of_reach.count() + standing.count();
        let claim = -((1 + unfilled) as Score / 2);
        if claim >= request.below.min(bound) {
            continue;
        }
        let share = node.own | outside | below;
        if backend.has_four(geometry, share) {
            let strategy = FollowUp {
                share,
                paired: even_next & !column,
                stones: node.opponent(),
                guaranteed: (geometry.even_rows() & empty & !playable & !column)
                    | (geometry.odd_rows() & empty & column & !from_threat),
            };
            if !request.examine_fours || !strategy.holds(geometry, backend, false) {
                continue;
            }
        }
        bound = claim;
    }
    bound
}
