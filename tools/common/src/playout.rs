//! Positions that random moves lead to.

use plumb::board::{Bits, Geometry, Position, Standard, column_name};

use crate::random::Random;

/// A position and the moves by which it came about.
pub struct RandomPosition<G: Geometry = Standard> {
    /// The moves as column digits, or as column letters on a board of more than 9 columns.
    pub moves: String,
    /// The position that they lead to.
    pub position: Position<G>,
}

/// A position with so many `stones`, fewer than the board has cells, in which the game is not over: the first such one
/// that random moves lead to, all legal ones alike.
///
/// Most games end early, so each number of stones gets as many tries as it needs: else few would be late.
pub fn random_position(random: &mut Random, stones: u32) -> RandomPosition {
    random_position_on(Standard::default(), random, stones)
}

/// [`random_position`] on a board of any size.
pub fn random_position_on<G: Geometry>(board: G, random: &mut Random, stones: u32) -> RandomPosition<G> {
    loop {
        if let Some(played) = play(board, random, stones) {
            return played;
        }
    }
}

/// Random moves from the empty board up to `stones` stones; `None` if the game ended before that.
fn play<G: Geometry>(board: G, random: &mut Random, stones: u32) -> Option<RandomPosition<G>> {
    let mut position = Position::empty(board);
    let mut moves = String::new();
    while position.plies() < stones {
        // None are left when the game is over.
        let count = position.playable().count();
        let nth = random.below(count.max(1)) as usize;
        let column = position.legal_columns().nth(nth)?;
        moves.push(column_name(board.width(), column));
        position = position.play(column)?;
    }
    position.outcome().is_none().then_some(RandomPosition { moves, position })
}
