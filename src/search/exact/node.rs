//! A position as the exact search sees it: bit boards with the winning cells of both sides kept up to date.

use crate::board::{Bits, Geometry, Position};
use crate::search::simd::Backend;

/// A position with the winning cells of both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<G: Geometry> {
    /// The board.
    pub geometry: G,
    /// Stones of the side to move.
    pub own: G::Bits,
    /// Stones of both sides.
    pub mask: G::Bits,
    /// Empty cells that would complete four of the side to move.
    pub own_wins: G::Bits,
    /// Empty cells that would complete four of the other side.
    pub opponent_wins: G::Bits,
    /// Number of stones.
    pub plies: u32,
}

impl<G: Geometry> Node<G> {
    /// The node of `position`.
    pub(crate) fn new(position: &Position<G>) -> Self {
        Self {
            geometry: position.geometry(),
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

    /// The cells where a stone can land, one in each column that is not full.
    #[inline]
    pub(crate) fn playable(&self) -> G::Bits {
        self.mask.plus(self.geometry.bottom()) & self.geometry.board()
    }

    /// The node after a stone on `cell`, which must be playable. Only the mover's winning cells are computed: the other
    /// side can lose no more than the cell that was filled.
    #[inline(always)]
    pub(crate) fn after<B: Backend>(&self, backend: B, cell: G::Bits) -> Self {
        let mask = self.mask | cell;
        Self {
            geometry: self.geometry,
            own: self.opponent(),
            mask,
            own_wins: self.opponent_wins & !cell,
            opponent_wins: backend.winning_cells(self.geometry, self.own | cell, mask),
            plies: self.plies + 1,
        }
    }

    /// The moves after which the other side cannot win at once, in a [quiet](super::resolve::Resolved::Quiet) node.
    #[inline]
    pub(crate) fn non_losing_moves(&self) -> G::Bits {
        self.playable() & !(self.opponent_wins >> 1)
    }
}
