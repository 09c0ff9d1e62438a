//! Scores: found one way, and confirmed another.

use anyhow::{Result, bail};
use plumb::board::{Board, Geometry, Outcome, Position};
use plumb::score::{Score, win_with_stone};
use plumb::search::StopFlag;
use plumb_tools_common::playout::RandomPosition;

use super::class::Class;
use super::plain;
use crate::exact_solver::{ExactSolver, How};
use crate::failure::Failure;

/// The most empty cells with which a position is also searched by the rules alone.
const PLAIN_LIMIT: u32 = 16;

/// The score of `position` if that puts it in `class`. Most positions that are of another one are found out before
/// their score is known.
pub(super) fn score_within(
    class: Class,
    position: &Position<Board>,
    solver: &dyn ExactSolver,
) -> Option<Score> {
    let holds = |score| class.holds(position.geometry(), position.plies(), score);
    let signals = StopFlag::new();
    let mut observer = |lower, upper| {
        if !(lower..=upper).any(holds) {
            signals.stop();
        }
    };
    let how = How { stop: Some(&signals), observer: Some(&mut observer), ..How::default() };
    solver.solve(position, how).ok().map(|solved| solved.score).filter(|&score| holds(score))
}

/// Confirms a score in ways that share little with how it was found: the best of the moves must have it, each solved
/// for itself with nothing known at first but what the others leave in the table of `solver`; and where few cells are
/// empty, so must a plain search that shares no code with the engine.
///
/// # Errors
/// [`Failure`] if one of them comes to another score.
pub(super) fn confirm(
    candidate: &RandomPosition<Board>,
    score: Score,
    solver: &mut dyn ExactSolver,
) -> Result<()> {
    let RandomPosition { moves, position } = candidate;
    solver.clear();
    let best =
        position.legal_columns().filter_map(|column| position.play(column)).map(|next| value(&next, solver));
    let best = best.max().unwrap_or(0);
    if best != score {
        bail!(Failure(format!("{moves} has score {score}, but the best of its moves {best}")));
    }
    if position.empty_cells() <= PLAIN_LIMIT {
        let plain = plain::score(position.geometry().size(), moves);
        if plain != score {
            bail!(Failure(format!("{moves} has score {score}, but {plain} in a plain search")));
        }
    }
    Ok(())
}

/// The score of a move for the side that made it, `next` being the position after it.
fn value(next: &Position<Board>, solver: &dyn ExactSolver) -> Score {
    match next.outcome() {
        Some(Outcome::Win(_)) => win_with_stone(next.geometry(), next.plies()),
        Some(Outcome::Draw) => 0,
        None => -solver.solve(next, How::default()).expect("nothing stops this solver").score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_size::Size;
    use crate::exact_solver::exact_solver_on;
    use crate::positions::candidates::Candidates;
    use plumb::board::{Narrow, Standard};

    fn candidate(moves: &str) -> RandomPosition<Board> {
        let position = Position::from_digits_on(Board::default(), moves).expect("legal");
        RandomPosition { moves: moves.to_owned(), position }
    }

    #[test]
    fn only_the_right_score_is_confirmed() {
        let mut solver = exact_solver_on::<Standard>();
        for (moves, score) in
            [("2252576253462244111563365343671351441", -1), ("5554224333234511764415115", 4)]
        {
            let candidate = candidate(moves);
            for claimed in -18..=18 {
                let confirmed = confirm(&candidate, claimed, &mut *solver);
                assert_eq!(confirmed.is_ok(), claimed == score, "{moves} {claimed}");
            }
        }
    }

    #[test]
    fn the_plain_search_finds_what_the_solver_finds() {
        for (size, solver, count) in [
            ("7x6", exact_solver_on::<Standard>(), 300),
            ("4x4", exact_solver_on::<Narrow<4, 4>>(), 100),
            ("5x5", exact_solver_on::<Narrow<5, 5>>(), 100),
            ("10x4", exact_solver_on::<Narrow<10, 4>>(), 100),
            ("4x11", exact_solver_on::<Narrow<4, 11>>(), 100),
        ] {
            let size: Size = size.parse().expect("a size");
            for class in [Class::EndEasy, Class::MiddleEasy] {
                let near = |candidate: &RandomPosition<_>| candidate.position.empty_cells() <= PLAIN_LIMIT;
                let candidates = Candidates::new(class, size.board(), 3).filter(near);
                for RandomPosition { moves, position } in candidates.take(count) {
                    let plain = plain::score(size.size(), &moves);
                    assert_eq!(
                        plain,
                        solver.solve(&position, How::default()).expect("not stopped").score,
                        "{size} {moves}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_position_of_another_class_has_no_score() {
        let solver = exact_solver_on::<Standard>();
        let score_within = |class, position: &_| super::score_within(class, position, &*solver);
        let position = candidate("274552224131661").position;
        assert_eq!(score_within(Class::MiddleMedium, &position), Some(0));
        assert_eq!(score_within(Class::MiddleEasy, &position), None);
        let position = candidate("5554224333234511764415115").position;
        assert_eq!(score_within(Class::MiddleMedium, &position), None);
        assert_eq!(score_within(Class::MiddleEasy, &position), Some(4));
    }
}
