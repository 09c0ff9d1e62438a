//! Exact scores in games: blunders, and adjudication of solved positions.

use anyhow::{Context, Result};
use plumb::board::{Position, Standard};
use plumb::book::Book;
use plumb::score::Score;
use plumb::search::Solver;
use plumb::table::Table;

use crate::record::{self, GameResult, MoveRecord};

/// Table size in MB. The positions of a game are solved from the last one backwards, so each finds its successors in the
/// table.
const HASH: usize = 16;

/// An exact solver with the embedded book.
pub struct Exact {
    table: Table,
    book: Option<Book<Standard>>,
}

impl Exact {
    /// A solver with a table of 16 MB.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new() -> Result<Self> {
        let table = Table::new(HASH).context("there is no memory for the table of exact scores")?;
        Ok(Self { table, book: Book::embedded() })
    }

    /// The exact score of a position for its side to move.
    #[must_use]
    pub fn score(&self, position: &Position) -> Score {
        let mut solver = Solver::new(&self.table);
        if let Some(book) = &self.book {
            solver = solver.book(book);
        }
        let Ok(score) = solver.score(position) else {
            unreachable!("nothing stops this solver");
        };
        score
    }

    /// Records the exact score before each move and the move's loss of it, made one after the other from the position
    /// after `opening`.
    pub(crate) fn mark(&self, opening: &[u32], moves: &mut [MoveRecord]) {
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
            // The score after the move is the opponent's, the one before it the best for the mover.
            made.loss = Some(pair[0] + pair[1]);
            made.exact = Some(pair[0]);
        }
    }

    /// The result of a game if both engines, each with its last move, reported the same proved result, and it is
    /// correct.
    pub(crate) fn agreed_result(&self, position: &Position, moves: &[MoveRecord]) -> Option<GameResult> {
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

/// The proved result that the engine of a move reports: 1 for a win, 0 for a draw, -1 for a loss.
fn claimed(made: &MoveRecord) -> Option<Score> {
    match made.score? {
        record::EngineScore::Mate(plies) => Some(if plies > 0 { 1 } else { -1 }),
        record::EngineScore::Cp(0) => Some(0),
        record::EngineScore::Cp(_) => None,
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
                |plies| MoveRecord { score: Some(record::EngineScore::Mate(plies)), ..MoveRecord::default() };
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
        let unsure = MoveRecord { score: Some(record::EngineScore::Cp(30)), ..MoveRecord::default() };
        assert_eq!(exact.agreed_result(&position, &[unsure, last.clone()]), None);
        assert_eq!(exact.agreed_result(&position, &[before]), None, "one move is not enough");
    }
}
