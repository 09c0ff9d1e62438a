//! The candidate moves of a position, ranked so that the best move is mostly the first.
//!
//! A book stores a move as its rank among the candidates, which takes fewer bits than a column. So this order is part
//! of the file format.

use crate::board::{Bits, Geometry, Position, centre_first};

/// Capacity of a list of candidates: at least the greatest width of a board.
pub(super) const CAPACITY: usize = 32;

/// The columns (from 0) of the candidate moves of a position, best ranked first, and their number.
///
/// Candidates are the moves that do not lose at once. Their priority is four for each open winning cell of the mover
/// after the move, and one more for each that can be filled next; among equals the column nearer to the centre comes
/// first. A winning cell just above a winning cell of the opponent is not open, as the mover cannot play below it.
pub(super) fn ranked<G: Geometry>(position: &Position<G>) -> ([u32; CAPACITY], usize) {
    let geometry = position.geometry();
    let moves = position.non_losing_moves();
    let mut columns = [0; CAPACITY];
    let mut priorities = [0; CAPACITY];
    let mut len = 0;
    for column in centre_first(geometry) {
        let cell = moves & geometry.column(column);
        if cell.is_empty() {
            continue;
        }
        let next = position.after(cell);
        let open = next.opponent_winning_cells() & !(next.own_winning_cells() << 1);
        let near = open & (next.playable() << 1);
        let priority = 4 * open.count() + near.count();
        let rank = priorities[..len].iter().position(|&other| other < priority).unwrap_or(len);
        priorities[rank..=len].rotate_right(1);
        columns[rank..=len].rotate_right(1);
        (priorities[rank], columns[rank]) = (priority, column);
        len += 1;
    }
    (columns, len)
}

/// The columns, from 0, of the moves that do not lose at once, in the order of the book format. A book stores a move for
/// a position only if there are at least two.
///
/// ```
/// use plumb::board::Position;
/// use plumb::book::candidate_columns;
///
/// let start: Position = Position::new();
/// assert_eq!(candidate_columns(&start).collect::<Vec<_>>(), [3, 4, 2, 5, 1, 6, 0]);
/// ```
pub fn candidate_columns<G: Geometry>(position: &Position<G>) -> impl ExactSizeIterator<Item = u32> + use<G> {
    let (columns, len) = ranked(position);
    columns.into_iter().take(len)
}
