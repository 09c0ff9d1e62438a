//! How many positions of a layer the first player wins, draws and loses, counted as published counts are.

use std::collections::HashSet;
use std::fmt;

use anyhow::{Context, Result};
use plumb::board::{Bits, Player, Position, each_cell};
use plumb::book::{Book, BookBoard};
use plumb::score::Score;

use super::layer;

/// Numbers of positions by the first player's result: won, drawn, lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally([u64; 3]);

impl Tally {
    /// Takes note of `count` positions like this one, which has this `score` for its side to move.
    fn add(&mut self, position: &Position<BookBoard>, score: Score, count: u64) {
        let score = if position.side_to_move() == Player::First { score } else { -score };
        self.0[(1 - score.signum()) as usize] += count;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.0;
        write!(f, "{} positions: {won} won, {drawn} drawn, {lost} lost", won + drawn + lost)
    }
}

/// The tallies of a layer.
pub(super) struct Tallies {
    /// All positions that come up in play, also those in which somebody has won with the last stone, and mirror images:
    /// as John Tromp counts.
    pub all: Tally,
    /// Those in which nobody can win with the next stone, one of a position and its mirror image: as the connect-4
    /// collection of the UCI machine-learning repository has them, with eight stones.
    pub quiet: Tally,
}

/// Counts the positions of a layer of `book`.
///
/// # Errors
/// If the book has no such layer.
pub(super) fn tallies(book: &Book<BookBoard>, plies: u32) -> Result<Tallies> {
    let mut tallies = Tallies { all: Tally::default(), quiet: Tally::default() };
    for position in layer::all_positions(book.geometry(), plies) {
        // A full board is a draw here, as nobody has four.
        let score = if position.outcome().is_some() { Some(0) } else { book.score(&position) };
        let score = score.with_context(|| format!("the book has no layer of {plies} stones"))?;
        tallies.all.add(&position, score, images(&position));
        let threats = position.opponent_winning_cells() & position.playable();
        if !position.can_win_now() && threats.is_empty() {
            tallies.quiet.add(&position, score, 1);
        }
    }
    let mut seen = HashSet::new();
    for before in if plies == 0 { Vec::new() } else { layer::all_positions(book.geometry(), plies - 1) } {
        for cell in each_cell(before.own_winning_cells() & before.playable()) {
            let won = before.after(cell);
            if seen.insert(won.canonical_key()) {
                tallies.all.add(&won, -1, images(&won));
            }
        }
    }
    Ok(tallies)
}

/// Two for a position with a mirror image of its own, else one.
fn images(position: &Position<BookBoard>) -> u64 {
    if position.key() == position.mirrored().key() { 1 } else { 2 }
}
