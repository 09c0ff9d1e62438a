//! What perfect play has to say about a game: moves that gave something away, and games that are decided.

use anyhow::{Context, Result};
use plumb::board::{Position, Standard};
use plumb::book::{Book, Opening};
use plumb::score::{Score, decided};
use plumb::search::Solver;
use plumb::table::Table;

use super::record::{self, GameResult, MoveRecord};

/// Size of the table in MB. Positions of a game are solved from its end on, so each finds the next one in it.
const HASH: usize = 16;

/// An exact solver with the book within this program.
pub(super) struct Exact {
    table: Table,
    book: Option<Book<Standard>>,
}

impl Exact {
    /// # Errors
    /// If there is no memory for the table.
    pub(super) fn new() -> Result<Self> {
        let table = Table::new(HASH, 1).context("the table for exact scores cannot be had")?;
        Ok(Self { table, book: Book::embedded() })
    }

    /// The exact score of a position for its side to move.
    pub(super) fn score(&self, position: &Position) -> Score {
        let in_book = || Opening::new(self.book.as_ref()?, position)?.score(position);
        let known = decided(position).or_else(in_book);
        known.unwrap_or_else(|| Solver::new(&self.table).score(position))
    }

    /// Writes into each of `moves`, made one after the other from the position after `opening`, how much exact score it
    /// gave away.
    pub(super) fn mark(&self, opening: &[u32], moves: &mut [MoveRecord]) {
        let mut position = Position::new();
        let mut positions = Vec::with_capacity(moves.len() + 1);
        for &column in opening {
            position = position.play(column).unwrap_or(position);
        }
        positions.push(position);
        for made in &*moves {
            position = position.play(u32::from(made.column) - 1).unwrap_or(position);
            positions.push(position);
        }
        let mut scores: Vec<_> = positions.iter().rev().map(|position| self.score(position)).collect();
        scores.reverse();
        for (made, pair) in moves.iter_mut().zip(scores.windows(2)) {
            // The score after the move is the opponent's; that before it is the best that the mover could get.
            made.loss = Some(pair[0] + pair[1]);
        }
    }

    /// The result of a game of which both engines, each with its last move, said that they had proved it, if they said
    /// the same and it is true.
    pub(super) fn agreed_result(&self, position: &Position, moves: &[MoveRecord]) -> Option<GameResult> {
        let [.., before, last] = moves else { return None };
        let claim = claimed(last)?;
        if claimed(before)? != -claim || -self.score(position).signum() != claim {
            return None;
        }
        // Odd numbers of stones are those after the first player's moves.
        let first = if position.plies().is_multiple_of(2) { -claim } else { claim };
        Some(match first {
            1.. => GameResult::FirstWon,
            0 => GameResult::Draw,
            _ => GameResult::SecondWon,
        })
    }
}

/// What the engine that made a move says that it has proved: 1 if it wins, 0 for a draw, -1 if it loses.
fn claimed(made: &MoveRecord) -> Option<Score> {
    match made.score? {
        record::Score::Mate(plies) => Some(if plies > 0 { 1 } else { -1 }),
        record::Score::Cp(0) => Some(0),
        record::Score::Cp(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_agreed_on_if_both_claim_it_and_it_is_true() {
        let exact = Exact::new().expect("a megabyte or two");
        // The first player has won, in the middle of the board, after its third stone there.
        let position = Position::from_digits("41424").expect("legal");
        let said = |before: i32, last: i32| {
            let made =
                |plies| MoveRecord { score: Some(record::Score::Mate(plies)), ..MoveRecord::default() };
            [made(before), made(last)]
        };
        let judge = |before, last| exact.agreed_result(&position, &said(before, last));
        assert!(exact.score(&position) != 0);
        let wins = exact.score(&position) < 0;
        let (right, wrong) = if wins { ((-6, 7), (6, -6)) } else { ((6, -6), (-6, 7)) };
        let winner = if wins { GameResult::FirstWon } else { GameResult::SecondWon };
        assert_eq!(judge(right.0, right.1), Some(winner));
        assert_eq!(judge(wrong.0, wrong.1), None, "both are wrong");
        assert_eq!(judge(6, 7), None, "they do not agree");
        let [before, last] = said(right.0, right.1);
        let unsure = MoveRecord { score: Some(record::Score::Cp(30)), ..MoveRecord::default() };
        assert_eq!(exact.agreed_result(&position, &[unsure, last.clone()]), None);
        assert_eq!(exact.agreed_result(&position, &[before]), None, "one move is not enough");
    }
}
