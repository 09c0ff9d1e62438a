//! A layer of a book: scores, and possibly best moves, of all positions with one number of stones.

use std::ops::Range;

use super::moves::{self, Level};
use super::static_function::Parameters;
use crate::board::{Bits, Geometry, Position};
use crate::score::Score;

/// Greatest width of a stored score in bits.
const MAX_SCORE_BITS: u32 = 8;

/// Greatest number of different scores in a layer.
pub(super) const MAX_SCORES: usize = 1 << MAX_SCORE_BITS;

/// A layer: the score of every reachable position with one number of stones in which the side to move has no immediate
/// win, and possibly a best move of each.
///
/// A score is stored as an index into the layer's list of distinct scores, and the index is the value of the position's
/// key in a static function (`static_function.rs`): 5.4 bits a position on the standard board.
#[derive(Clone, Debug)]
pub struct Layer {
    pub(super) plies: u32,
    pub(super) positions: u32,
    pub(super) parameters: Parameters,
    /// Number of distinct scores, of which the positions store indices.
    pub(super) distinct: usize,
    /// The score of each index. Those past `distinct` are 0, so that no lookup is out of bounds.
    pub(super) scores: [i8; MAX_SCORES],
    /// Range of the scores' array in the file.
    pub(super) array: Range<usize>,
    /// The best moves, if the layer has any.
    pub(super) levels: Option<Vec<Level>>,
}

impl Layer {
    /// Number of stones on the board.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Number of positions, a position and its mirror image counted once.
    #[must_use]
    pub fn positions(&self) -> u32 {
        self.positions
    }

    /// The distinct scores, ascending.
    pub fn scores(&self) -> impl Iterator<Item = Score> {
        self.scores[..self.distinct].iter().copied().map(Score::from)
    }

    /// Size of the scores in the file, in bytes.
    #[must_use]
    pub fn score_bytes(&self) -> usize {
        self.array.len()
    }

    /// Size of the best moves in the file, in bytes; `None` if the layer has none.
    #[must_use]
    pub fn move_bytes(&self) -> Option<usize> {
        Some(self.levels.as_ref()?.iter().map(|level| level.array.len()).sum())
    }

    /// The score of the position with this canonical key; arbitrary for a position outside the layer. `file` is the file
    /// of the book.
    #[inline]
    pub(super) fn score(&self, file: &[u8], key: u64) -> Score {
        Score::from(self.scores[usize::from(self.parameters.value(&file[self.array.clone()], key))])
    }

    /// The column, from 0, of a best move of a position, which must be in the layer and be the canonical one of itself and
    /// its mirror image. `None` if the layer stores no moves, or every move loses at once.
    #[inline]
    pub(super) fn best_move<G: Geometry>(&self, file: &[u8], position: &Position<G>) -> Option<u32> {
        moves::best(self.levels.as_ref()?, file, position, position.key().to_wide() as u64)
    }
}
