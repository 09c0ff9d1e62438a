//! The order in which moves are tried: a good first move refutes a node at once.

use super::resolve::Node;
use crate::board::{Bits, Geometry};

/// Most moves a node can have: the greatest width of a board.
const CAPACITY: usize = 32;

/// The weight of a usable winning cell, of one just above the playable row, and of the table's move.
const WINNING_CELL: u32 = 32;
const NEAR_WINNING_CELL: u32 = 8;
const TABLE_MOVE: u32 = 1 << 20;

/// How promising the move on `cell` is, which led from `before` to `after`; more is better.
///
/// First come winning cells after the move, leaving out those directly above a winning cell of the other side (it
/// will never let us get there), with a little extra for those one row above the playable one, then nearness to the
/// centre column.
#[inline]
pub(crate) fn rank<G: Geometry>(before: &Node<G>, after: &Node<G>, cell: G::Bits, table_move: bool) -> u32 {
    let usable = after.opponent_wins & !(before.opponent_wins << 1);
    let near = usable & (after.playable() << 1);
    let distance = (2 * G::column_of(cell) + 1).abs_diff(G::WIDTH);
    usable.count() * WINNING_CELL
        + near.count() * NEAR_WINNING_CELL
        + (G::WIDTH - distance)
        + u32::from(table_move) * TABLE_MOVE
}

/// A few moves, kept sorted as they come, best first; equal ones in the order in which they came.
pub(crate) struct OrderedMoves {
    /// Rank in the high bits, slot in the low eight: one word to compare and to move.
    words: [u32; CAPACITY],
    len: usize,
}

impl OrderedMoves {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { words: [0; CAPACITY], len: 0 }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The slot of the `index`-th best move.
    #[inline]
    pub(crate) fn slot(&self, index: usize) -> usize {
        (self.words[index] & 0xFF) as usize
    }

    #[inline]
    pub(crate) fn insert(&mut self, rank: u32, slot: u8) {
        // The complement of the slot lets earlier ones win ties.
        let word = rank << 8 | u32::from(slot);
        let mut place = self.len;
        while place > 0 && self.words[place - 1] >> 8 < rank {
            self.words[place] = self.words[place - 1];
            place -= 1;
        }
        self.words[place] = word;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn remove(&mut self, index: usize) {
        self.words.copy_within(index + 1..self.len, index);
        self.len -= 1;
    }
}
