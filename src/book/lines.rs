//! Moves past the last layer, for the positions that the book's own play leads to.
//!
//! Where the book ends a game is not decided yet: it may take a hundred thousand nodes to find the move that keeps the
//! score, and there may be time for twenty thousand. So the play of both sides goes on, from every position with some
//! number of stones, until the rest is easy, and the book has a move for each position on the way.
//!
//! These positions cannot be told by looking at them, so each value has check bits beside the move's place in the order of
//! the [choices](super::choices): any other position passes for one of them only once in 512 times on the standard board.
//! So the move is one to try first, and to play if there is no time to prove anything; it proves nothing by itself.

use std::ops::Range;

use super::fuse::{self, Shape};
use super::moves::candidates;
use crate::board::{Geometry, Position};

/// Bits of a value: the place of a move, and what tells the position from others.
pub(super) const BITS: u32 = 12;

/// What there is of lines in a book: a static function, and where its array is in the file.
#[derive(Clone, Debug)]
pub struct Lines {
    pub(super) from: u32,
    pub(super) positions: u32,
    pub(super) shape: Shape,
    pub(super) array: Range<usize>,
}

impl Lines {
    /// Stones of the positions from which the lines begin: all that come up in play.
    #[must_use]
    pub fn from(&self) -> u32 {
        self.from
    }

    /// Number of positions that have a move, where one and its mirror image count as one.
    #[must_use]
    pub fn positions(&self) -> u32 {
        self.positions
    }

    /// Bytes that the moves take in the file.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.array.len()
    }

    /// The column, from 0, of the move for a position that is its own canonical one, if it passes for one of the lines'.
    pub(super) fn best_move<G: Geometry>(
        &self,
        file: &[u8],
        position: &Position<G>,
        key: u64,
    ) -> Option<u32> {
        let (columns, len) = candidates(position);
        let value = self.shape.value(&file[self.array.clone()], key);
        let place = usize::from(value & ((1 << place_bits::<G>()) - 1));
        let column = columns[..len].get(place).copied()?;
        (len > 1 && value == value_of::<G>(key, place)).then_some(column)
    }
}

/// Bits that hold the place of any move on board `G`.
fn place_bits<G: Geometry>() -> u32 {
    u32::BITS - (G::WIDTH - 1).leading_zeros()
}

/// The value of a position of the lines, whose move has this place.
fn value_of<G: Geometry>(key: u64, place: usize) -> u16 {
    let value = u32::from(fuse::check(key)) << place_bits::<G>() | place as u32;
    (value & ((1 << BITS) - 1)) as u16
}

/// Builds the function for these positions, each with its canonical key and the column of a move. `None` if one of them has
/// no choice, or no such move, or comes up twice.
pub(super) fn build<G: Geometry>(entries: &[(u64, Position<G>, u32)]) -> Option<(Shape, Vec<u8>)> {
    let values = entries.iter().map(|(key, position, column)| {
        let (columns, len) = candidates(position);
        let place = columns[..len].iter().position(|other| other == column)?;
        (len > 1).then(|| (*key, value_of::<G>(*key, place)))
    });
    fuse::build(&values.collect::<Option<Vec<_>>>()?, BITS)
}
