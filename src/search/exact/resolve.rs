//! Static resolution: forced moves are played out without search or table lookups.
//!
//! Source of the idea: Christophe Steininger's solver c4, which resolves children before it recurses.

use super::node::Node;
use crate::board::{Bits, Geometry};
use crate::score::{Score, win_with_stone};
use crate::search::simd::Backend;

/// The result of [`resolve`].
pub(crate) enum Resolved<G: Geometry> {
    /// The exact score for the side that was to move in the node that was resolved.
    Score(Score),
    /// A *quiet* node: neither side can win with its next stone, and the side to move has at least two moves that do
    /// not lose at once.
    Quiet {
        node: Node<G>,
        /// Whether the side to move in `node` is the side to move in the node that was resolved.
        same_side: bool,
    },
}

/// Plays out forced moves from a node in which the side to move cannot win at once.
///
/// A move is forced if it is the only one that does not lose at once. The chain ends with a score where every move
/// loses: the other side then wins with its next stone, the second from there. It ends with a draw on a full board.
///
/// The side to move can never win at once along the chain: its playable winning cells were all blocked (there was at
/// most one), and the only newly playable cell, the one above the move, is no winning cell of that side, or the move
/// would have lost.
#[inline(always)]
pub(crate) fn resolve<B: Backend, G: Geometry>(backend: B, mut node: Node<G>) -> Resolved<G> {
    let geometry = node.geometry;
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
            let score = if playable.is_empty() { 0 } else { -win_with_stone(geometry, node.plies + 2) };
            return Resolved::Score(if same_side { score } else { -score });
        }
        node = node.after(backend, safe);
        same_side = !same_side;
    }
}
