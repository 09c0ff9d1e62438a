//! The contents of a book: layers (all positions with one number of stones), and the extension past the last
//! layer.
//!
//! # Moves of a layer
//!
//! Candidate moves are [ranked](candidate_columns), so that the best move is mostly the first. The rank is
//! stored in unary, in about two bits. Level *i* has one bit for each position whose move is not among the
//! first *i* candidates. The bit says whether the move comes after candidate *i* (from 0). Each level is a
//! static function.
//!
//! # The extension
//!
//! The extension holds a best move for positions that arise by book moves of both sides from every position
//! with a certain number of stones.
//!
//! A position does not show whether it is in the extension, so a value has check bits next to the rank of the
//! move. On the standard board, 1 in 512 other positions matches them by accident. So a move
//! found there is a hint, not a proof of a score.

use std::cmp::Reverse;
use std::ops::Range;

use super::static_function::{self, Parameters};
use crate::board::{Bits, Geometry, Position, centre_first};
use crate::score::Score;

/// The scores, and possibly best moves, of all reachable positions with one number of stones without an
/// immediate win.
///
/// A static function maps keys to indices of distinct scores, in 5.4 bits a position on the standard board.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Number of stones on the board.
    pub plies: u32,
    /// Number of positions, a position and its mirror image counted once.
    pub positions: u32,
    pub(super) function: BookFunction,
    pub(super) scores: Vec<i8>,
    pub(super) levels: Option<Vec<BookFunction>>,
}

impl Layer {
    /// The distinct scores, ascending.
    pub fn scores(&self) -> impl Iterator<Item = Score> {
        self.scores.iter().copied().map(Score::from)
    }

    /// Size of the scores in the file, in bytes.
    #[must_use]
    pub fn score_bytes(&self) -> usize {
        self.function.array.len()
    }

    /// Size of the best moves in the file, in bytes. `None` if the layer has none.
    #[must_use]
    pub fn move_bytes(&self) -> Option<usize> {
        Some(self.levels.as_ref()?.iter().map(|level| level.array.len()).sum())
    }

    #[inline]
    pub(super) fn score(&self, file: &[u8], key: u64) -> Score {
        let index = usize::from(self.function.value(file, key));
        self.scores.get(index).copied().unwrap_or(0).into()
    }

    /// Returns `None` if the layer has no moves, or if every move loses at once.
    #[inline]
    pub(super) fn best_move<G: Geometry>(&self, file: &[u8], position: &Position<G>) -> Option<u32> {
        let (levels, key) = (self.levels.as_ref()?, position.key().to_wide() as u64);
        let columns = candidate_columns(position);
        let mut rank = 0;
        while rank + 1 < columns.len() && rank < levels.len() && levels[rank].value(file, key) == 1 {
            rank += 1;
        }
        columns.get(rank).copied()
    }
}

/// The moves that do not lose at once, in the order of the book format, as columns from 0.
///
/// A move has four points for each open winning cell of the mover after it, plus one if the cell is just
/// above a playable cell. Among equals the column nearer to the centre comes first. Winning cells just above
/// a winning cell of the opponent are not open.
///
/// ```
/// use plumb::board::Position;
/// use plumb::book::candidate_columns;
///
/// let start: Position = Position::new();
/// assert_eq!(candidate_columns(&start), [3, 4, 2, 5, 1, 6, 0]);
/// ```
#[must_use]
pub fn candidate_columns<G: Geometry>(position: &Position<G>) -> Vec<u32> {
    let geometry = position.geometry();
    let moves = position.non_losing_moves();
    let mut columns: Vec<_> = centre_first(geometry).collect();
    columns.retain(|&column| !(moves & geometry.column(column)).is_empty());
    columns.sort_by_cached_key(|&column| {
        let next = position.after(moves & geometry.column(column));
        let open = next.opponent_winning_cells() & !(next.own_winning_cells() << 1);
        let near = open & (next.playable() << 1);
        Reverse(4 * open.count() + near.count())
    });
    columns
}

#[derive(Clone, Debug)]
pub(super) struct BookFunction {
    pub parameters: Parameters,
    pub array: Range<usize>,
}

impl BookFunction {
    #[inline]
    fn value(&self, file: &[u8], key: u64) -> u16 {
        self.parameters.value(&file[self.array.clone()], key)
    }
}

pub(super) type MoveEntry<G> = (u64, Position<G>, u32);

pub(super) fn build_levels<G: Geometry>(entries: &[MoveEntry<G>]) -> Option<Vec<(Parameters, Vec<u8>)>> {
    let ranks = entries.iter().map(|(key, position, column)| {
        let columns = candidate_columns(position);
        let rank = columns.iter().position(|other| other == column)?;
        Some((*key, rank, columns.len() - 1))
    });
    let mut open = ranks.collect::<Option<Vec<_>>>()?;
    let mut levels = Vec::new();
    for level in 0.. {
        open.retain(|&(_, rank, bits)| rank >= level && level < bits);
        if open.is_empty() {
            break;
        }
        let values: Vec<_> = open.iter().map(|&(key, rank, _)| (key, u16::from(rank > level))).collect();
        levels.push(static_function::build(&values, 1)?);
    }
    Some(levels)
}

pub(super) const VALUE_BITS: u32 = 12;

/// The extension of a book: best moves for positions with more stones than the last layer.
#[derive(Clone, Debug)]
pub struct BookExtension {
    /// Number of stones of the starting positions. The extension has the positions that book moves of both sides reach
    /// from there.
    pub from: u32,
    /// Number of positions with a move, a position and its mirror image counted once.
    pub positions: u32,
    pub(super) function: BookFunction,
}

impl BookExtension {
    /// Size of the moves in the file, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.function.array.len()
    }

    pub(super) fn best_move<G: Geometry>(&self, file: &[u8], position: &Position<G>) -> Option<u32> {
        let (geometry, key) = (position.geometry(), position.key().to_wide() as u64);
        let columns = candidate_columns(position);
        let value = self.function.value(file, key);
        let rank = usize::from(value & ((1 << rank_bits(geometry)) - 1));
        let column = columns.get(rank).copied()?;
        if columns.len() < 2 || value != value_of(geometry, key, rank) {
            return None;
        }
        Some(column)
    }
}

fn rank_bits(geometry: impl Geometry) -> u32 {
    u32::BITS - (geometry.width() - 1).leading_zeros()
}

fn value_of(geometry: impl Geometry, key: u64, rank: usize) -> u16 {
    let value = u32::from(static_function::fingerprint(key)) << rank_bits(geometry) | rank as u32;
    (value & ((1 << VALUE_BITS) - 1)) as u16
}

pub(super) fn build_extension<G: Geometry>(entries: &[MoveEntry<G>]) -> Option<(Parameters, Vec<u8>)> {
    let values = entries.iter().map(|(key, position, column)| {
        let columns = candidate_columns(position);
        let rank = columns.iter().position(|other| other == column)?;
        if columns.len() < 2 {
            return None;
        }
        Some((*key, value_of(position.geometry(), *key, rank)))
    });
    static_function::build(&values.collect::<Option<Vec<_>>>()?, VALUE_BITS)
}
