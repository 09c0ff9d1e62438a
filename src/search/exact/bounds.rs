//! Static bounds: scores that a side can guarantee by a simple strategy, read off the board without search.
//!
//! All are upper bounds for the side to move, here the *attacker*. The other side, the *defender*, can adopt
//! a follow-up strategy: it answers every stone in the same column. The result depends only on the number of
//! cells left in the column. If it is even, the defender gets the top cell and every second cell below it.
//! These [follow-up rows](Geometry::follow_up_rows) are even on a board of even height, otherwise odd. The
//! other rows are the [lead rows](Geometry::lead_rows).
//!
//! A column has an odd number of cells left exactly if its next cell lies on a follow-up row. If the number
//! of empty cells is even, the number of these columns is even and the defender can pair them
//! ([`claimeven_bound`]). Otherwise one column has no partner. Then the defender needs a threat there
//! ([`odd_threat_bound`]) or a column that it can claim ([`reply_above_bound`]). On boards of even height or
//! width the number of empty cells is even when the player who began is to move. On other boards it is even
//! when the second player is to move.
//!
//! Sources: James Allen and Victor Allis on claimeven (Allis, "A Knowledge-based Approach of Connect-Four", 1988);
//! John Tromp's Fhourstones and Christophe Steininger's c4 for claimeven as a bound inside a search.

use super::follow_up::{FollowUp, from_there_up, lowest_per_column};
use super::node::Node;
use crate::board::{Bits, Geometry, each_cell};
use crate::score::Score;
use crate::search::simd::Backend;

#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundRequest {
    /// Only a bound below this score is useful. Costly rules are tried only if they may give a useful bound.
    pub(crate) below: Score,
    /// Whether to examine the attacker's possible fours one by one ([`FollowUp`]).
    pub(crate) examine_fours: bool,
}

/// An upper bound on the score of the side to move in a quiet node (neither side wins with its next stone).
/// [`Score::MAX`] if no rule gives a useful bound.
#[inline(always)]
pub(crate) fn upper_bound<B: Backend, G: Geometry>(
    backend: B,
    node: &Node<G>,
    request: BoundRequest,
) -> Score {
    if (node.geometry.cells() - node.plies).is_multiple_of(2) {
        claimeven_bound(backend, node, request)
    } else {
        reply_above_bound(node, request).min(odd_threat_bound(backend, node, request))
    }
}

/// *Reply above*: an odd number of cells is empty. The defender answers every stone of the attacker (the side
/// to move) with the cell above it. When the attacker has filled a column, the defender plays anywhere in a
/// set `E` of columns, but not in its column `c`.
///
/// `E` holds every column with an odd number of cells left (its next cell lies on a follow-up row), among
/// them `c`, and perhaps others. The number of odd columns is odd. Outside `E` the number of cells left in a
/// column is even whenever the attacker has filled another column and the defender is to move. Then the
/// number of all empty cells is even, and `c` has an odd number of cells left or none. So the defender has a
/// move until `E` is full: if cells of `c` are left, an odd number of cells is left elsewhere, not all
/// outside `E`. The attacker fills `E`. Until then it gets at most its own stones and
///
/// * in `c`, where it has to move first, the cells of follow-up rows,
/// * in the other columns of `E`, all empty cells,
/// * in the columns outside `E`, where the defender only answers, the cells of lead rows, but none above a
///   winning cell of the defender on a follow-up row (as in [`claimeven_bound`]).
///
/// The attacker never gets two empty cells one directly above the other. It cannot win with its next stone,
/// so each vertical four lacks at least two cells and is never completed. If the attacker's cells hold no
/// horizontal or diagonal four, the attacker wins at the earliest with its next stone after `E` is full. Its
/// score is at most half the number of cells outside `E`. With every column in `E` that is 0.
///
/// On boards of even height the defender is the first player.
///
/// Source: Plumb's own.
#[inline(always)]
fn reply_above_bound<G: Geometry>(node: &Node<G>, request: BoundRequest) -> Score {
    if request.below <= 0 {
        return Score::MAX;
    }
    let geometry = node.geometry;
    let follow_up_rows = geometry.follow_up_rows();
    let odd_left = node.playable() & follow_up_rows;
    let in_odd_columns = from_there_up(geometry, odd_left);
    let in_even_columns = geometry.board() ^ node.mask ^ in_odd_columns;
    // Cells outside the set `E` of `reply_above_bound`. Then the cells that the attacker might get in columns with
    // an even number of cells left.
    let (outside, in_even_share) = if request.below == 1 {
        // Only a bound of 0 is useful, which needs every column in `E`.
        (G::Bits::ZERO, in_even_columns)
    } else {
        let standing = lowest_per_column(geometry, node.opponent_wins & follow_up_rows & in_even_columns);
        let out_of_reach = from_there_up(geometry, standing);
        (in_even_columns, in_even_columns & geometry.lead_rows() & !out_of_reach)
    };
    let least_share = node.own | in_even_share | (in_odd_columns & follow_up_rows);
    if has_four_across(geometry, least_share) {
        return Score::MAX;
    }
    for first in each_cell(odd_left) {
        let claimed = from_there_up(geometry, first) & geometry.lead_rows();
        let share = least_share | (in_odd_columns & !claimed);
        if !has_four_across(geometry, share) {
            let bound = late_win(fill_columns(geometry, share, outside, request.below));
            if bound < request.below {
                return bound;
            }
        }
    }
    Score::MAX
}

/// Greatest score of an attacker that wins only after all cells except `cells` are filled. The defender then
/// moves next.
#[inline]
fn late_win(cells: impl Bits) -> Score {
    cells.count() as Score / 2
}

/// Moves columns of `outside` into the set `E` of [`reply_above_bound`], those with the most cells first,
/// until a [`late_win`] is below `below`. Returns the cells still outside. A column stays outside if the
/// attacker's cells (`share`) would hold a horizontal or diagonal four.
#[inline]
fn fill_columns<G: Geometry>(geometry: G, mut share: G::Bits, mut outside: G::Bits, below: Score) -> G::Bits {
    let lowest = lowest_per_column(geometry, outside);
    for row in 0..geometry.height() {
        for cell in each_cell(lowest & (geometry.bottom() << row)) {
            if late_win(outside) < below {
                return outside;
            }
            let column = from_there_up(geometry, cell);
            if !has_four_across(geometry, share | column) {
                share |= column;
                outside ^= column;
            }
        }
    }
    outside
}

#[inline(always)]
fn has_four_across<G: Geometry>(geometry: G, stones: G::Bits) -> bool {
    let [_, across @ ..] = geometry.directions();
    let fours = across.map(|step| {
        let pairs = stones & (stones >> step);
        pairs & (pairs >> (2 * step))
    });
    !(fours[0] | fours[1] | fours[2]).is_empty()
}

/// *Claimeven*: an even number of cells is empty, and the defender answers every stone of the attacker (the
/// side to move) in the same column.
///
/// A column whose next cell lies on a lead row has an even number of cells left, so the answer is on the
/// follow-up row above. The columns whose next cell lies on a follow-up row are even in number, so their next
/// cells can be paired. The defender answers a stone on a paired cell with the other cell of the pair. Then
/// both columns have an even number of cells left. The attacker's *share* is at most its own stones, the
/// empty cells of lead rows and the cells that are playable now. The defender is guaranteed the cells of
/// follow-up rows that are not playable now.
///
/// 1. If the attacker's share holds no four, or none that it can complete (see [`FollowUp::holds`]), it
///    cannot win.
/// 2. If the defender's stones and guaranteed cells hold a four, the defender wins. The latest win comes when
///    everything is filled except the cells above the topmost missing cell of that four: `a` of these give a
///    score of 1 + a/2.
/// 3. A *standing* winning cell `e` of the defender (on a follow-up row, not playable) ends the game as soon
///    as the attacker plays below it. So the attacker never gets a cell above `e`, and these cells leave its
///    share. (The cell below `e` stays in it: that stone may win.) If now no four is left, the attacker must
///    in the end play below a standing cell. An even number of cells is empty and each of its stones is
///    answered, so when all else is filled it is to move, and only cells below standing cells are left. Let
///    `S` be the columns with a standing cell, `u` the number of cells from the lowest standing cell up,
///    which is odd. When the attacker first plays below a standing cell, the other columns of `S` are filled
///    at most up to two cells below theirs. So at most N - sum over S of (u + 1) of the board's N cells were
///    filled before that stone. Two stones later the defender has won, which is a score of half that sum or
///    more. Without standing cells the sum is 0, and this is rule 1: at most a draw.
///
/// On boards of even height the second player claims the even rows, hence the name.
#[inline(always)]
fn claimeven_bound<B: Backend, G: Geometry>(backend: B, node: &Node<G>, request: BoundRequest) -> Score {
    let geometry = node.geometry;
    let empty = geometry.board() ^ node.mask;
    let playable = node.playable();
    let guaranteed = geometry.follow_up_rows() & empty & !playable;
    let standing = lowest_per_column(geometry, node.opponent_wins & guaranteed);
    let out_of_reach = from_there_up(geometry, standing);
    let share = (node.own | (empty & !guaranteed)) & !out_of_reach;
    let unfilled = (out_of_reach.count() + standing.count()) as Score;
    let bound = -(unfilled / 2);
    let opponent = node.opponent();
    if backend.has_four(geometry, share) {
        let strategy =
            FollowUp { share, paired: playable & geometry.follow_up_rows(), stones: opponent, guaranteed };
        if !request.examine_fours || !strategy.holds(geometry, backend, bound >= request.below) {
            return Score::MAX;
        }
    }
    if !backend.has_four(geometry, opponent | guaranteed) {
        return bound;
    }
    // The lower the topmost missing cell, the earlier the defender wins. So the follow-up rows are tried from below,
    // without the bottom row, where no cell is guaranteed. `row` counts from 1.
    let mut row = 2 + geometry.height() % 2;
    let mut reach = geometry.bottom() << (row - 1);
    while !backend.has_four(geometry, opponent | (guaranteed & reach)) {
        reach |= reach << 2;
        row += 2;
    }
    bound.min(-(1 + ((geometry.height() - row) / 2) as Score))
}

/// *Odd threat*: an odd number of cells is empty, and the defender owns a winning cell `t` on a lead row of
/// column `c`. `t` is not playable, and the next cell of `c` lies on a follow-up row. The attacker is to
/// move.
///
/// The defender answers every stone in the same column. In the columns whose next cell lies on a lead row
/// this gives it the follow-up rows. The columns whose next cell lies on a follow-up row are odd in number:
/// `c` and others, which pair up as in [`claimeven_bound`]. In `c` the attacker gets the cells of follow-up
/// rows below `t`, and the defender the cells of lead rows. In the end the attacker has to play below `t` and
/// the defender wins there. So the attacker gets at most its own stones, the lead-row cells outside `c`, the
/// cells playable now outside `c`, and the follow-up-row cells of `c` below `t`.
///
/// If these cells hold no four, or none that can be completed (see [`FollowUp::holds`]), the defender wins,
/// because the attacker runs out of other moves. The defender's winning cells `e` on follow-up rows of other
/// columns (*standing*: not playable) sharpen this as in [`claimeven_bound`]: the attacker never gets a cell
/// above them. Its last stone goes below `t` or a standing cell. Before the defender's winning stone at most
/// `N - u(t) - sum of (u(e) + 1)` of the board's `N` cells are filled, where `u(x)` counts the cells from `x`
/// up. In the defender's score that is half of `1 + u(t) + sum of (u(e) + 1)`, rounded down.
///
/// On boards of even height this is an odd threat of the first player, hence the name. On boards of odd
/// height it is an even threat: of the first player if the width is even, of the second if it is odd.
///
/// Source: Plumb's own.
#[inline(always)]
fn odd_threat_bound<B: Backend, G: Geometry>(backend: B, node: &Node<G>, request: BoundRequest) -> Score {
    let geometry = node.geometry;
    let empty = geometry.board() ^ node.mask;
    let playable = node.playable();
    let odd_left = playable & geometry.follow_up_rows();
    // The next cell of these columns lies on a follow-up row, so their lead-row cells are not playable.
    let above_odd_left = from_there_up(geometry, odd_left);
    let threats = lowest_per_column(geometry, node.opponent_wins & geometry.lead_rows() & above_odd_left);
    if threats.is_empty() {
        return Score::MAX;
    }
    let standing_anywhere = node.opponent_wins & geometry.follow_up_rows() & !playable;
    let mut bound = Score::MAX;
    for threat in each_cell(threats) {
        let column = geometry.column(geometry.column_of(threat));
        let from_threat = from_there_up(geometry, threat) & column;
        let standing = lowest_per_column(geometry, standing_anywhere & !column);
        let out_of_reach = from_there_up(geometry, standing);
        let outside = ((geometry.lead_rows() & empty) | playable) & !column & !out_of_reach;
        let below = geometry.follow_up_rows() & empty & column & !from_threat;
        let unfilled = from_threat.count() + out_of_reach.count() + standing.count();
        let claim = -((1 + unfilled) as Score / 2);
        if claim >= request.below.min(bound) {
            continue;
        }
        let share = node.own | outside | below;
        if backend.has_four(geometry, share) {
            let strategy = FollowUp {
                share,
                paired: odd_left & !column,
                stones: node.opponent(),
                guaranteed: (geometry.follow_up_rows() & empty & !playable & !column)
                    | (geometry.lead_rows() & empty & column & !from_threat),
            };
            if !request.examine_fours || !strategy.holds(geometry, backend, false) {
                continue;
            }
        }
        bound = claim;
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    #[test]
    fn two_fours_from_one_cell_do_not_cancel() {
        for (first, steps) in [(0, [7, 8]), (3, [7, 6])] {
            let fours = steps.map(|step| (0..4).map(|number| 1 << (first + number * step)).sum::<u64>());
            assert!(has_four_across(Standard::default(), fours[0] | fours[1]), "{fours:?}");
        }
    }
}
