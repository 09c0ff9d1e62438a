//! A best move for each position of a layer, in about two bits.
//!
//! The moves of a position are ranked (`candidates.rs`), and the rank of the best one is stored in unary: level *i* has
//! one bit for each position that has not found its move among the first *i* candidates, and says whether the move is a
//! later one than candidate *i* (from 0). The last candidate needs no bit. As the best move is mostly ranked first, the
//! levels soon become small. Each level is a static function (`static_function.rs`) with values of one bit.

use std::ops::Range;

use super::candidates::ranked;
use super::static_function::{self, Parameters};
use crate::board::{Geometry, Position};

/// One level: its function, and the range of its array in the file.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub parameters: Parameters,
    pub array: Range<usize>,
}

/// The column, from 0, that the levels store for a position of their layer, which must be the canonical one of itself
/// and its mirror image; `key` is its key. `None` if every move loses at once.
#[inline]
pub(super) fn best<G: Geometry>(
    levels: &[Level],
    file: &[u8],
    position: &Position<G>,
    key: u64,
) -> Option<u32> {
    let (columns, len) = ranked(position);
    let is_later = |level: &&Level| level.parameters.value(&file[level.array.clone()], key) == 1;
    let rank = levels.iter().take(len.saturating_sub(1)).take_while(is_later).count();
    columns[..len].get(rank).copied()
}

/// Builds the levels of a layer from all its positions that have several candidates, each with its canonical key and the
/// column of a move. `None` if a column is no candidate or a key occurs twice.
pub(super) fn build<G: Geometry>(entries: &[(u64, Position<G>, u32)]) -> Option<Vec<(Parameters, Vec<u8>)>> {
    let ranks = entries.iter().map(|(key, position, column)| {
        let (columns, len) = ranked(position);
        let rank = columns[..len].iter().position(|other| other == column)?;
        Some((*key, rank, len - 1))
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
