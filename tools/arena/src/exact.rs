//! Exact scores from the solver, for blunder checks and adjudication.

use anyhow::{Context, Result};
use plumb::board::{Board, BoardSize, Geometry, Position};
use plumb::book::Book;
use plumb::score::Score;
use plumb::search::Solver;
use plumb::table::Table;

use crate::record::game::{EngineScore, GameResult, MoveRecord};

/// Table size in MB. Games are solved from the end, so each position finds its successors in the table.
const HASH: usize = 16;
/// Maximum number of empty cells that the solver tries without an opening book. Solving takes some milliseconds, rarely
/// some seconds.
const MAX_EMPTY: u32 = 36;

/// Maximum number of empty cells for an exact score. `None` for no maximum.
pub(crate) fn max_empty(size: BoardSize) -> Option<u32> {
    let has_all = size == BoardSize::STANDARD || size.width * size.height <= MAX_EMPTY;
    if has_all { None } else { Some(MAX_EMPTY) }
}

/// Exact solver for a board. On 7x6 it uses the embedded opening book.
pub struct ExactSolver {
    table: Table,
    book: Option<Book>,
}

impl ExactSolver {
    /// A solver with a table of 16 MB.
    pub fn new(board: Board) -> Result<Self> {
        let table = Table::new_on(board, HASH).context("there is no memory for the table of exact scores")?;
        Ok(Self { table, book: Book::embedded() })
    }

    /// Exact score for the side to move. `None` with too many empty cells, or on another board size.
    pub fn score<G: Geometry>(&self, position: &Position<G>) -> Option<Score> {
        let position = position.with_geometry(self.table.board())?;
        if max_empty(position.geometry().size()).is_some_and(|most| position.empty_cells() > most) {
            return None;
        }
        let Ok(score) = Solver::new(&self.table).book(self.book.as_ref()).score(&position) else {
            unreachable!("nothing stops this solver");
        };
        Some(score)
    }

    pub(crate) fn mark(&self, start: Position<Board>, moves: &mut [MoveRecord]) {
        let mut positions = vec![start];
        for made in &*moves {
            let next = positions.last().and_then(|last| last.play(u32::from(made.column) - 1));
            positions.extend(next);
        }
        let mut scores: Vec<_> = positions.iter().rev().map(|position| self.score(position)).collect();
        scores.reverse();
        for (made, pair) in moves.iter_mut().zip(scores.windows(2)) {
            // `after` is from the opponent's view, so the loss is the sum.
            made.loss = pair[0].zip(pair[1]).map(|(before, after)| before + after);
            made.exact = pair[0];
        }
    }

    /// Result that both engines claim with their last scores, if the solver confirms it.
    pub(crate) fn agreed_result(
        &self,
        position: &Position<Board>,
        moves: &[MoveRecord],
    ) -> Option<GameResult> {
        let [.., before, last] = moves else { return None };
        let claim = claimed(last)?;
        if claimed(before)? != -claim || -self.score(position)?.signum() != claim {
            return None;
        }
        // The claim is from the view of the last mover.
        let winner = (position.plies() as usize + usize::from(claim > 0)) % 2;
        Some(if claim == 0 { GameResult::Draw } else { GameResult::won_by(winner) })
    }
}

/// Result that an engine claims by its score: 1 for a mate, 0 for `cp 0`, -1 if it is mated.
fn claimed(made: &MoveRecord) -> Option<Score> {
    match (made.score?, made.bound) {
        (EngineScore::Mate(plies), None) => Some(if plies > 0 { 1 } else { -1 }),
        (EngineScore::Cp(0), None) => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings;
    use plumb::score::immediate_score;

    #[test]
    fn a_result_is_agreed_on_if_both_claim_it_and_it_is_true() {
        let exact = ExactSolver::new(Board::default()).expect("a megabyte or two");
        let position = Position::from_digits_on(Board::default(), "41424").expect("legal");
        let reported = |score| MoveRecord { score: Some(score), ..MoveRecord::default() };
        let mate = |plies| reported(EngineScore::Mate(plies));
        for (said, result) in [
            (vec![mate(-6), mate(7)], Some(GameResult::FirstWon)),
            (vec![mate(6), mate(-6)], None),
            (vec![mate(6), mate(7)], None),
            (vec![reported(EngineScore::Cp(30)), mate(7)], None),
            (vec![mate(-6)], None),
        ] {
            assert_eq!(exact.agreed_result(&position, &said), result, "{said:?}");
        }
    }

    fn minimax(position: &Position<Board>) -> Score {
        if let Some(score) = immediate_score(position) {
            return score;
        }
        let after = position.legal_columns().filter_map(|column| position.play(column));
        after.map(|next| -minimax(&next)).max().expect("the game goes on")
    }

    #[test]
    fn losses_are_those_of_minimax_where_the_solver_reaches() {
        // The last board has keys of more than 64 bits.
        for size in ["4x4", "5x4", "6x6", "9x7", "10x10"] {
            let board = size.parse::<Board>().expect("a board");
            let solver = ExactSolver::new(board).expect("a megabyte or two");
            let cells = board.cells();
            let found = openings::random(board, cells - 9, 1, 3);
            for line in found {
                let first = line.position(board).expect("legal");
                let (mut position, mut moves, mut expected) = (first, Vec::new(), Vec::new());
                while position.outcome().is_none() {
                    let column = position.legal_columns().next().expect("the game goes on");
                    let next = position.play(column).expect("legal");
                    expected.push((minimax(&position), minimax(&position) + minimax(&next)));
                    moves.push(MoveRecord { column: column as u8 + 1, ..MoveRecord::default() });
                    position = next;
                }
                solver.mark(first, &mut moves);
                let marked: Vec<_> = moves.iter().filter_map(|made| made.exact.zip(made.loss)).collect();
                assert_eq!(marked, expected, "{size}");
            }
        }
    }

    #[test]
    fn positions_that_are_out_of_reach_stay_unmarked() {
        let board = "9x7".parse::<Board>().expect("a board");
        let solver = ExactSolver::new(board).expect("a megabyte or two");
        let line = openings::random(board, board.cells() - MAX_EMPTY - 1, 1, 1).remove(0);
        let start = line.position(board).expect("legal");
        let column = start.legal_columns().next().expect("the game goes on");
        let mut moves = [MoveRecord { column: column as u8 + 1, ..MoveRecord::default() }];
        solver.mark(start, &mut moves);
        assert_eq!((moves[0].exact, moves[0].loss), (None, None), "there is one empty cell too many");
        assert_eq!(max_empty(board.size()), Some(36));
        assert_eq!(max_empty(BoardSize::STANDARD), None);
        assert_eq!(max_empty(BoardSize { width: 6, height: 5 }), None, "all of it can be solved");
    }
}
