//! Scores: found one way, and confirmed another.

use anyhow::{Result, bail};
use plumb::board::{Outcome, Position, Standard};
use plumb::score::{Score, win_with_stone};
use plumb::search::{Solver, StopFlag};
use plumb::table::Table;
use plumb_tools_common::playout::RandomPosition;

use super::class::Class;
use super::plain;
use crate::failure::Failure;

/// The most empty cells with which a position is also searched by the rules alone.
const PLAIN_LIMIT: u32 = 16;

/// The score of `position` if that puts it in `class`. Most positions that are of another one are found out before
/// their score is known.
pub(super) fn score_within(class: Class, position: &Position, table: &Table) -> Option<Score> {
    let stones = position.plies();
    let signals = StopFlag::new();
    let mut solver = Solver::new(table).stop_flag(&signals);
    solver.on_probe(|lower, upper| {
        if !(lower..=upper).any(|score| class.holds(stones, score)) {
            signals.stop();
        }
    });
    solver.score(position).ok().filter(|&score| class.holds(stones, score))
}

/// Confirms a score in ways that share little with how it was found: the best of the moves must have it, each solved
/// for itself with nothing known at first but what the others leave in `table`; and where few cells are empty, so must
/// a plain search that shares no code with the engine.
///
/// # Errors
/// [`Failure`] if one of them comes to another score.
pub(super) fn confirm(candidate: &RandomPosition, score: Score, table: &mut Table) -> Result<()> {
    let RandomPosition { moves, position } = candidate;
    table.clear(1);
    let best =
        position.legal_columns().filter_map(|column| position.play(column)).map(|next| value(&next, table));
    let best = best.max().unwrap_or(0);
    if best != score {
        bail!(Failure(format!("{moves} has score {score}, but the best of its moves {best}")));
    }
    if position.empty_cells() <= PLAIN_LIMIT {
        let plain = plain::score(moves);
        if plain != score {
            bail!(Failure(format!("{moves} has score {score}, but {plain} in a plain search")));
        }
    }
    Ok(())
}

/// The score of a move for the side that made it, `next` being the position after it.
fn value(next: &Position<Standard>, table: &Table) -> Score {
    match next.outcome() {
        Some(Outcome::Win(_)) => win_with_stone(Standard::default(), next.plies()),
        Some(Outcome::Draw) => 0,
        None => -Solver::new(table).score(next).expect("nothing stops this solver"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::candidates::Candidates;

    fn candidate(moves: &str) -> RandomPosition {
        RandomPosition { moves: moves.to_owned(), position: Position::from_digits(moves).expect("legal") }
    }

    #[test]
    fn only_the_right_score_is_confirmed() {
        let mut table = Table::new(1).expect("one megabyte");
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
        let table = Table::new(1).expect("one megabyte");
        for class in [Class::EndEasy, Class::MiddleEasy] {
            let near = |candidate: &RandomPosition| candidate.position.empty_cells() <= PLAIN_LIMIT;
            for RandomPosition { moves, position } in Candidates::new(class, 3).filter(near).take(300) {
                assert_eq!(Ok(plain::score(&moves)), Solver::new(&table).score(&position), "{moves}");
            }
        }
    }

    #[test]
    fn a_position_of_another_class_has_no_score() {
        let table = Table::new(1).expect("one megabyte");
        let position = candidate("274552224131661").position;
        assert_eq!(score_within(Class::MiddleMedium, &position, &table), Some(0));
        assert_eq!(score_within(Class::MiddleEasy, &position, &table), None);
        let position = candidate("5554224333234511764415115").position;
        assert_eq!(score_within(Class::MiddleMedium, &position, &table), None);
        assert_eq!(score_within(Class::MiddleEasy, &position, &table), Some(4));
    }
}
