//! A move that keeps the score of each position, in some two bits.
//!
//! The moves of a position that do not lose at once are put in an order that depends on the position alone. The first
//! level tells of each position that has several whether it is a later one than the first; the second level tells of
//! those of which that is so whether it is a later one than the second, and so on, until one is left. As a good order
//! has the right move first in most positions, the levels soon become small. Each is a static function of one bit
//! (`fuse.rs`).

use std::ops::Range;

use super::fuse::{self, Shape};
use crate::board::{Bits, Geometry, Position, centre_first};

/// Most moves that a position can have: the greatest width of a board, rounded up.
pub(super) const CAPACITY: usize = 32;

/// The moves of a position among which the book chooses, in the order that is part of the format: columns from 0, and how
/// many there are.
///
/// More open winning cells come first, one that can be filled next but one counting for more, then what is nearer to the
/// centre. A winning cell just above one of the other side is not open, as nobody will play below it.
pub(super) fn candidates<G: Geometry>(position: &Position<G>) -> ([u32; CAPACITY], usize) {
    let moves = position.non_losing_moves();
    let mut columns = [0; CAPACITY];
    let mut promises = [0; CAPACITY];
    let mut len = 0;
    for column in centre_first::<G>() {
        let cell = moves & G::column(column);
        if cell.is_empty() {
            continue;
        }
        let next = position.after(cell);
        let open = next.opponent_winning_cells() & !(next.own_winning_cells() << 1);
        let near = open & (next.playable() << 1);
        let promise = 4 * open.count() + near.count();
        let place = promises[..len].iter().position(|&other| other < promise).unwrap_or(len);
        promises[place..=len].rotate_right(1);
        columns[place..=len].rotate_right(1);
        (promises[place], columns[place]) = (promise, column);
        len += 1;
    }
    (columns, len)
}

/// The columns, from 0, of the moves of a position among which a book chooses, in the order that is part of its format:
/// those that do not lose at once. A book has a move for a position if there are at least two.
pub fn choices<G: Geometry>(position: &Position<G>) -> impl ExactSizeIterator<Item = u32> + use<G> {
    let (columns, len) = candidates(position);
    columns.into_iter().take(len)
}

/// A level: its shape, and where its array is in the file.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub shape: Shape,
    pub array: Range<usize>,
}

/// The column of the move that these levels have for a position that is its own canonical one. `None` if every move
/// loses at once.
#[inline]
pub(super) fn best<G: Geometry>(
    levels: &[Level],
    file: &[u8],
    position: &Position<G>,
    key: u64,
) -> Option<u32> {
    let (columns, len) = candidates(position);
    let is_later = |level: &&Level| level.shape.value(&file[level.array.clone()], key) == 1;
    let place = levels.iter().take(len.saturating_sub(1)).take_while(is_later).count();
    columns[..len].get(place).copied()
}

/// Builds the levels for these positions, which are all of a layer that have several moves, each with its canonical key
/// and the column of a move. `None` if one of them has no such move, or comes up twice.
pub(super) fn build<G: Geometry>(entries: &[(u64, Position<G>, u32)]) -> Option<Vec<(Shape, Vec<u8>)>> {
    let places = entries.iter().map(|(key, position, column)| {
        let (columns, len) = candidates(position);
        let place = columns[..len].iter().position(|other| other == column)?;
        // The last one that is left needs no bit.
        Some((*key, place, len - 1))
    });
    let mut open = places.collect::<Option<Vec<_>>>()?;
    let mut levels = Vec::new();
    for level in 0.. {
        open.retain(|&(_, place, bits)| place >= level && level < bits);
        if open.is_empty() {
            break;
        }
        let values: Vec<_> = open.iter().map(|&(key, place, _)| (key, u16::from(place > level))).collect();
        levels.push(fuse::build(&values, 1)?);
    }
    Some(levels)
}
