//! Matches from lost or drawn positions.

pub mod table;

use anyhow::Result;
use plumb::board::Board;

use crate::exact::ExactSolver;
use crate::openings::{self, OpeningLine};

/// Perfect result of the engines under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TheoreticalResult {
    /// A loss.
    Lost,
    /// A draw.
    Drawn,
}

/// `count` different openings of `stones` random moves without an immediate win, each with the side under test, 0 for
/// the first player. In lost openings this is the losing side, in drawn openings each side in turn. There may be fewer.
pub fn openings(
    result: TheoreticalResult,
    stones: u32,
    seed: u64,
    count: usize,
) -> Result<Vec<(OpeningLine, usize)>> {
    let exact = ExactSolver::new(Board::default())?;
    let mut found = Vec::with_capacity(count);
    let mut solved = 0;
    // Few positions are drawn, so more candidates than openings are needed.
    let mut candidates = 2 * count + 50;
    loop {
        let lines = openings::random(Board::default(), stones, seed, candidates);
        let is_all = lines.len() < candidates;
        // A longer list begins with the shorter list, which is already solved.
        for line in lines.into_iter().skip(solved) {
            let position = line.position(Board::default());
            let Some(position) = position.filter(|position| !position.can_win_now()) else { continue };
            let Some(score) = exact.score(&position) else { continue };
            let mover = position.plies() as usize % 2;
            let side = match result {
                TheoreticalResult::Lost if score > 0 => 1 - mover,
                TheoreticalResult::Lost if score < 0 => mover,
                TheoreticalResult::Drawn if score == 0 => found.len() % 2,
                _ => continue,
            };
            found.push((line, side));
            if found.len() == count {
                return Ok(found);
            }
        }
        if is_all {
            return Ok(found);
        }
        solved = candidates;
        candidates *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_lost_or_drawn_for_the_engines_under_test() {
        let exact = ExactSolver::new(Board::default()).expect("a megabyte or two");
        for result in [TheoreticalResult::Lost, TheoreticalResult::Drawn] {
            let found = openings(result, 8, 5, 12).expect("a megabyte or two");
            assert_eq!(found.len(), 12);
            assert_eq!(found[..5], openings(result, 8, 5, 5).expect("a megabyte or two"));
            for (line, side) in &found {
                let position = line.position(Board::default()).expect("legal");
                let score = exact.score(&position).expect("a position on 7x6");
                let own = if position.plies() as usize % 2 == *side { score } else { -score };
                let expected = if result == TheoreticalResult::Lost { -1 } else { 0 };
                assert_eq!(own.signum(), expected, "{line:?}");
            }
            let first = found.iter().filter(|(_, side)| *side == 0).count();
            assert!(first > 0 && first < 12, "each side has some");
        }
    }

    #[test]
    fn openings_that_do_not_exist_are_not_found() {
        // The first player wins the empty board.
        assert_eq!(openings(TheoreticalResult::Lost, 0, 1, 3).expect("a megabyte or two").len(), 1);
        assert_eq!(openings(TheoreticalResult::Drawn, 0, 1, 3).expect("a megabyte or two").len(), 0);
    }
}
