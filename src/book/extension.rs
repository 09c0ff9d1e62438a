//! A book's extension (no search extension): moves past the last layer, for the positions that the book's own play
//! leads to.
//!
//! Positions just past the last layer are the hardest for a search. The extension holds a best move for those that
//! arise when both sides play book moves from every position with some number of stones, until the rest is easy.
//!
//! Unlike in a layer, most positions with as many stones are not in the set, and nothing in a position shows whether it
//! is. So a value has, beside the rank of the move among the [candidates](super::candidate_columns), check bits, which
//! one in 512 other positions (on the standard board) matches by accident. The move is one to try first, and to play if
//! there is no time for a search; it proves nothing.

use std::ops::Range;

use super::candidates::ranked;
use super::static_function::{self, Parameters};
use crate::board::{Geometry, Position};

/// Width of a value in bits: the rank of a move, and check bits.
pub(super) const VALUE_BITS: u32 = 12;

/// The moves past the last layer of a book: a static function, and the range of its array in the file.
#[derive(Clone, Debug)]
pub struct BookExtension {
    pub(super) from: u32,
    pub(super) positions: u32,
    pub(super) parameters: Parameters,
    pub(super) array: Range<usize>,
}

impl BookExtension {
    /// Number of stones of the positions from which the book's play was followed.
    #[must_use]
    pub fn from(&self) -> u32 {
        self.from
    }

    /// Number of positions with a move, a position and its mirror image counted once.
    #[must_use]
    pub fn positions(&self) -> u32 {
        self.positions
    }

    /// Size of the moves in the file, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.array.len()
    }

    /// The column, from 0, of the move for a position, if its check bits match. The position must be the canonical one of
    /// itself and its mirror image; `key` is its key.
    pub(super) fn best_move<G: Geometry>(
        &self,
        file: &[u8],
        position: &Position<G>,
        key: u64,
    ) -> Option<u32> {
        let geometry = position.geometry();
        let (columns, len) = ranked(position);
        let value = self.parameters.value(&file[self.array.clone()], key);
        let rank = usize::from(value & ((1 << rank_bits(geometry)) - 1));
        let column = columns[..len].get(rank).copied()?;
        (len > 1 && value == value_of(geometry, key, rank)).then_some(column)
    }
}

/// Width of the rank of any move on a board, in bits.
fn rank_bits(geometry: impl Geometry) -> u32 {
    u32::BITS - (geometry.width() - 1).leading_zeros()
}

/// The value of a position whose move has this rank.
fn value_of(geometry: impl Geometry, key: u64, rank: usize) -> u16 {
    let value = u32::from(static_function::fingerprint(key)) << rank_bits(geometry) | rank as u32;
    (value & ((1 << VALUE_BITS) - 1)) as u16
}

/// Builds the function for positions with their canonical keys and columns. `None` if a position has fewer than two
/// candidates, a column is none of them, or a key occurs twice.
pub(super) fn build<G: Geometry>(entries: &[(u64, Position<G>, u32)]) -> Option<(Parameters, Vec<u8>)> {
    let values = entries.iter().map(|(key, position, column)| {
        let (columns, len) = ranked(position);
        let rank = columns[..len].iter().position(|other| other == column)?;
        (len > 1).then(|| (*key, value_of(position.geometry(), *key, rank)))
    });
    static_function::build(&values.collect::<Option<Vec<_>>>()?, VALUE_BITS)
}
