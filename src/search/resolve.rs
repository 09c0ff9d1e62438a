//! Static resolution: playing out what is forced, without search or table.
//!
//! Source of the idea: Christophe Steininger's solver c4, which resolves children before it recurses.

use super::kernel::Kernel;
use crate::board::{Bits, Geometry};
use crate::score::{Score, win_with_stone};

/// A position with the winning cells of both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<G: Geometry> {
    /// Stones of the side to move.
    pub own: G::Bits,
    /// Stones of both sides.
    pub mask: G::Bits,
    /// Winning cells of the side to move.
    pub own_wins: G::Bits,
    /// Winning cells of the other side.
    pub opponent_wins: G::Bits,
    /// Number of stones.
    pub plies: u32,
}

impl<G: Geometry> Node<G> {
    /// The node of a position, its winning cells computed afresh.
    pub(crate) fn new(position: &crate::board::Position<G>) -> Self {
        Self {
            own: position.own(),
            mask: position.mask(),
            own_wins: position.own_winning_cells(),
            opponent_wins: position.opponent_winning_cells(),
            plies: position.plies(),
        }
    }

    /// Stones of the side that moved last.
    #[inline]
    pub(crate) fn opponent(&self) -> G::Bits {
        self.own ^ self.mask
    }

    /// The cells where a stone can land.
    #[inline]
    pub(crate) fn playable(&self) -> G::Bits {
        self.mask.plus(G::bottom()) & G::board()
    }

    /// The node after a stone on `cell`. Only the mover's winning cells need computing: the other side just loses
    /// the cell that was filled.
    #[inline(always)]
    pub(crate) fn after<K: Kernel>(&self, cell: G::Bits) -> Self {
        let mask = self.mask | cell;
        Self {
            own: self.opponent(),
            mask,
            own_wins: self.opponent_wins & !cell,
            opponent_wins: K::winning_cells::<G>(self.own | cell, mask),
            plies: self.plies + 1,
        }
    }

    /// The moves that do not let the other side win at once, in a *quiet* node (see [`Resolved::Quiet`]).
    #[inline]
    pub(crate) fn quiet_moves(&self) -> G::Bits {
        self.playable() & !(self.opponent_wins >> 1)
    }
}

/// What [`resolve`] makes of a node.
pub(crate) enum Resolved<G: Geometry> {
    /// The exact score for the side that was to move.
    Score(Score),
    /// Nothing is forced here any more: neither side can win on its next move, and the side to move has at least two
    /// moves that keep it so. `same_side` tells whether the side to move is the one of the node that was resolved.
    Quiet { node: Node<G>, same_side: bool },
}

/// Plays out forced moves from a node in which the side to move cannot win at once.
///
/// As long as only one move does not lose at once, it is played. The chain ends with a score where the side to move
/// has none: the other side then wins with its next stone, which is the second from here. It ends with a draw on a
/// full board. The invariant that the side to move cannot win at once carries over: its playable winning cells were
/// all blocked (there was at most one), and the only newly playable cell, the one above the move, is no winning cell
/// of the other side or the move would have lost.
#[inline(always)]
pub(crate) fn resolve<K: Kernel, G: Geometry>(mut node: Node<G>) -> Resolved<G> {
    let mut same_side = true;
    loop {
        debug_assert!((node.own_wins & node.playable()).is_empty());
        let playable = node.playable();
        let forced = node.opponent_wins & playable;
        let candidates = if forced.is_empty() { playable } else { forced };
        let safe = candidates & !(node.opponent_wins >> 1);
        if forced.is_empty() && safe.has_several() {
            return Resolved::Quiet { node, same_side };
        }
        if forced.has_several() || safe.is_empty() {
            let score = if playable.is_empty() { 0 } else { -win_with_stone::<G>(node.plies + 2) };
            return Resolved::Score(if same_side { score } else { -score });
        }
        node = node.after::<K>(safe);
        same_side = !same_side;
    }
}
