//! Positions that random moves lead to.

use plumb::board::{Bits, Position, Standard};

use crate::random::Random;

/// A position and the moves, as column digits, by which it came about.
pub struct RandomPosition {
    /// The moves as column digits.
    pub moves: String,
    /// The position that they lead to.
    pub position: Position,
}

/// Columns, counted from 0, as digits from 1: the usual notation for moves on boards of at most 9 columns.
#[must_use]
pub fn column_digits(columns: &[u32]) -> String {
    columns.iter().map(|&column| column_digit(column)).collect()
}

fn column_digit(column: u32) -> char {
    char::from(b'1' + column as u8)
}

/// A position with so many `stones`, fewer than the board has cells, in which the game is not over: the first such one
/// that random moves lead to, all legal ones alike.
///
/// Most games end early, so each number of stones gets as many tries as it needs: else few would be late.
pub fn random_position(random: &mut Random, stones: u32) -> RandomPosition {
    loop {
        if let Some(played) = play(random, stones) {
            return played;
        }
    }
}

/// Random moves from the empty board up to `stones` stones; `None` if the game ended before that.
fn play(random: &mut Random, stones: u32) -> Option<RandomPosition> {
    let mut position = Position::<Standard>::new();
    let mut moves = String::new();
    while position.plies() < stones {
        // None are left when the game is over.
        let count = position.playable().count();
        let nth = random.below(count.max(1)) as usize;
        let column = position.legal_columns().nth(nth)?;
        moves.push(column_digit(column));
        position = position.play(column)?;
    }
    position.outcome().is_none().then_some(RandomPosition { moves, position })
}
