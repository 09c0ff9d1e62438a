//! Positions that random moves lead to.

use plumb::board::{Bits, Geometry, Position, Standard};

use crate::random::Random;

/// A position and the moves, as column digits, by which it came about.
pub struct RandomPosition<G: Geometry = Standard> {
    /// The moves as column digits.
    pub moves: String,
    /// The position that they lead to.
    pub position: Position<G>,
}

/// Columns, counted from 0, as digits from 1, the usual notation for moves; columns past the ninth as their letters, from
/// `j` on.
#[must_use]
pub fn column_digits(columns: &[u32]) -> String {
    columns.iter().map(|&column| column_digit(column)).collect()
}

fn column_digit(column: u32) -> char {
    char::from(if column < 9 { b'1' } else { b'a' } + column as u8)
}

/// The column, counted from 0, of a character of [`column_digits`]; `None` for any other.
#[must_use]
pub fn column_of(digit: char) -> Option<u32> {
    match digit {
        '1'..='9' => Some(u32::from(digit) - u32::from('1')),
        'j'..='z' => Some(u32::from(digit) - u32::from('a')),
        _ => None,
    }
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
        moves.push(column_digit(column));
        position = position.play(column)?;
    }
    position.outcome().is_none().then_some(RandomPosition { moves, position })
}
