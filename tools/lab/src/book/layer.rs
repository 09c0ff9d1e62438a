//! All positions with one number of stones.

use std::collections::HashSet;

use plumb::board::{Board, Geometry, Position, each_cell};
use plumb::book::{BookBoard, candidate_columns};

/// The positions with so many stones that come up in play and in which nobody has four: of a position and its mirror
/// image, one.
///
/// They are in the order of their parents, recursively: that of a walk through the tree of moves from left to right
/// that never enters a position twice. So neighbours have most of their stones in common, and with them most of what a
/// search finds out about them.
pub(crate) fn all_positions<G: Geometry>(board: G, plies: u32) -> Vec<Position<G>> {
    let mut layer = vec![Position::empty(board)];
    for _ in 0..plies {
        let mut seen = HashSet::with_capacity(2 * layer.len());
        layer = layer.iter().flat_map(successors).filter(|next| seen.insert(next.canonical_key())).collect();
    }
    layer
}

/// The canonical keys of the positions that a book's layer has: [all of them](all_positions), in the same order, but
/// those in which the side to move can win at once.
pub(super) fn positions(board: BookBoard, plies: u32) -> Vec<u64> {
    all_positions(board, plies).iter().filter(|position| !position.can_win_now()).map(word).collect()
}

/// Whether the position of a key has a choice of moves, so that a book may have one for it.
pub(super) fn has_choice(board: BookBoard, key: u64, plies: u32) -> bool {
    position(board, key, plies).is_some_and(|position| candidate_columns(&position).len() > 1)
}

/// The positions after each move that does not end the game by four in a row.
fn successors<G: Geometry>(position: &Position<G>) -> impl Iterator<Item = Position<G>> + use<G> {
    let position = *position;
    each_cell(position.playable() & !position.own_winning_cells()).map(move |cell| position.after(cell))
}

/// The canonical key as a word.
pub(super) fn word<G: Geometry<Bits = u64>>(position: &Position<G>) -> u64 {
    position.canonical_key()
}

/// The position of a canonical key, if there is one with so many stones.
pub(super) fn position(board: BookBoard, key: u64, plies: u32) -> Option<Position<BookBoard>> {
    let position = Position::from_key_on(board, key)?;
    (position.plies() == plies && word(&position) == key).then_some(position)
}

/// A board as the solver takes it.
pub(super) fn solver_board(board: BookBoard) -> Board {
    let Ok(board) = Board::new(board.size()) else { unreachable!("128 bits hold every board") };
    board
}

/// A position as the solver takes it.
pub(super) fn solvable(position: &Position<BookBoard>) -> Position<Board> {
    let Some(position) = position.with_geometry(solver_board(position.geometry())) else {
        unreachable!("the sizes are equal")
    };
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: John Tromp's 8-ply database, from which those that the mover wins at once are left out.
    #[test]
    fn the_standard_board_has_as_many_positions_as_is_known() {
        let counts: Vec<_> = (0..=8).map(|plies| positions(BookBoard::default(), plies).len()).collect();
        assert_eq!(counts[..3], [1, 4, 25]);
        assert_eq!(counts[8], 77_715);
    }

    #[test]
    fn every_position_is_there_once_and_can_be_told_by_its_key() {
        let board = "5x4".parse().expect("a board");
        for plies in 0..=9 {
            let keys = positions(board, plies);
            let set: HashSet<_> = keys.iter().copied().collect();
            assert_eq!(set.len(), keys.len());
            for &key in &keys {
                let position = position(board, key, plies).expect("it is one");
                assert!(
                    !position.can_win_now() && word(&position) == key && word(&position.mirrored()) == key
                );
            }
        }
        assert_eq!(position(BookBoard::default(), 0, 1), None);
    }
}
