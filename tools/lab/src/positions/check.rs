//! Scores of generated positions, and their confirmation.

use anyhow::{Result, ensure};
use plumb::board::{Board, Geometry, Position};
use plumb::score::Score;
use plumb::search::{Solver, StopFlag};
use plumb::table::Table;
use plumb_arena::openings::RandomPosition;

use super::class::Class;
use super::plain;
use crate::exit::Failure;

/// Maximum number of empty cells for the plain search.
const PLAIN_LIMIT: u32 = 16;
/// Maximum number of move sequences for the plain search. Wider boards have more, which would take hours.
const MOST_SEQUENCES: u64 = 7_u64.pow(PLAIN_LIMIT);

/// The score of `position` if it belongs to `class`. Most other positions are rejected before their score is known.
pub(super) fn score_within(class: Class, position: &Position<Board>, table: &Table) -> Option<Score> {
    let (board, plies) = (position.geometry(), position.plies());
    let signals = StopFlag::new();
    let mut solver = Solver::new(table).stop_flag(&signals);
    solver.on_bounds(Box::new(|lower, upper| {
        if !(lower..=upper).any(|score| class.holds(board, plies, score)) {
            signals.stop();
        }
    }));
    solver.score(position).ok().filter(|&score| class.holds(board, plies, score))
}

/// Confirms a score: the best of the separately solved moves must have the same score. Near the end of the game, the plain
/// search must find it, too.
///
/// # Errors
/// [`Failure`] if a search finds another score.
pub(super) fn confirm(candidate: &RandomPosition<Board>, score: Score, table: &mut Table) -> Result<()> {
    let RandomPosition { moves, position } = candidate;
    table.clear();
    let after = position.legal_columns().filter_map(|column| position.play(column));
    let scores = after.map(|next| Ok(-Solver::new(table).score(&next)?));
    let best = scores.collect::<Result<Vec<_>>>()?.into_iter().max().unwrap_or(0);
    let said = format!("{moves} has score {score}, but the best of its moves {best}");
    ensure!(best == score, Failure(said));
    if is_near_end(position) {
        let plain = plain::score(position.geometry().size(), moves);
        let said = format!("{moves} has score {score}, but {plain} in a plain search");
        ensure!(plain == score, Failure(said));
    }
    Ok(())
}

fn is_near_end(position: &Position<Board>) -> bool {
    let (columns, empty) = (position.legal_columns().count() as u64, position.empty_cells());
    empty <= PLAIN_LIMIT && columns.checked_pow(empty).is_some_and(|sequences| sequences <= MOST_SEQUENCES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::class::candidates;

    fn table(board: Board) -> Table {
        Table::new_on(board, 1).expect("one megabyte")
    }

    fn candidate(moves: &str) -> RandomPosition<Board> {
        let position = Position::from_digits_on(Board::default(), moves).expect("legal");
        RandomPosition { moves: moves.to_owned(), position }
    }

    #[test]
    fn only_the_right_score_is_confirmed() {
        let mut table = table(Board::default());
        for (moves, score) in
            [("2252576253462244111563365343671351441", -1), ("5554224333234511764415115", 4)]
        {
            let candidate = candidate(moves);
            for claimed in -18..=18 {
                let confirmed = confirm(&candidate, claimed, &mut table);
                assert_eq!(confirmed.is_ok(), claimed == score, "{moves} {claimed}");
            }
        }
    }

    #[test]
    fn the_plain_search_finds_what_the_solver_finds() {
        for (size, count) in
            [("7x6", 300), ("4x4", 100), ("5x5", 100), ("10x4", 100), ("4x11", 100), ("12x4", 100)]
        {
            let board: Board = size.parse().expect("a size");
            let table = table(board);
            for class in [Class::EndEasy, Class::MiddleEasy] {
                let near = |candidate: &RandomPosition<_>| is_near_end(&candidate.position);
                let drawn = candidates(class, board, 3).filter(near);
                for RandomPosition { moves, position } in drawn.take(count) {
                    let plain = plain::score(board.size(), &moves);
                    assert_eq!(Ok(plain), Solver::new(&table).score(&position), "{size} {moves}");
                }
            }
        }
    }

    #[test]
    fn a_position_of_another_class_has_no_score() {
        let table = table(Board::default());
        let score_within = |class, position: &_| super::score_within(class, position, &table);
        let position = candidate("274552224131661").position;
        assert_eq!(score_within(Class::MiddleMedium, &position), Some(0));
        assert_eq!(score_within(Class::MiddleEasy, &position), None);
        let position = candidate("5554224333234511764415115").position;
        assert_eq!(score_within(Class::MiddleMedium, &position), None);
        assert_eq!(score_within(Class::MiddleEasy, &position), Some(4));
    }
}
