//! Classes of positions, and random positions of a class.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use clap::ValueEnum;
use plumb::board::{Board, BoardSize, Geometry};
use plumb::mix::Random;
use plumb::score::{Score, plies_to_end, win_with_stone};
use plumb_arena::openings::{RandomPosition, random_position, random_position_on};

use crate::progress::say;

/// Class of positions.
///
/// Source: Pascal Pons, "Solving Connect 4", part 2. He divides the stones on the board, and the stones to come under
/// perfect play, at 14 and 28. On other boards the limits are a third and two thirds of the cells, rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Class {
    /// 7x6: more than 28 stones; at most 14 more with perfect play.
    EndEasy,
    /// 7x6: 15 to 28 stones; at most 14 more with perfect play.
    MiddleEasy,
    /// 7x6: 15 to 28 stones; 15 to 28 more with perfect play.
    MiddleMedium,
    /// 7x6: at most 14 stones; at most 14 more with perfect play.
    BeginEasy,
    /// 7x6: at most 14 stones; 15 to 28 more with perfect play.
    BeginMedium,
    /// 7x6: at most 14 stones; more than 28 more with perfect play.
    BeginHard,
}

/// Minimum number of stones. Positions with fewer stones are few and take long to solve.
const FEWEST_STONES: u32 = 4;

fn thirds(board: Board) -> (u32, u32) {
    (board.cells() / 3, 2 * board.cells() / 3)
}

impl Class {
    pub(super) fn stones(self, board: Board) -> RangeInclusive<u32> {
        let (third, two_thirds) = thirds(board);
        let last = board.cells() - self.to_come(board).start();
        match self {
            Self::EndEasy => two_thirds + 1..=last,
            Self::MiddleEasy | Self::MiddleMedium => third + 1..=last.min(two_thirds),
            Self::BeginEasy | Self::BeginMedium | Self::BeginHard => FEWEST_STONES..=last.min(third),
        }
    }

    /// Numbers of stones to come, including the last stone.
    fn to_come(self, board: Board) -> RangeInclusive<u32> {
        let (third, two_thirds) = thirds(board);
        match self {
            Self::EndEasy | Self::MiddleEasy | Self::BeginEasy => 1..=third,
            Self::MiddleMedium | Self::BeginMedium => third + 1..=two_thirds,
            Self::BeginHard => two_thirds + 1..=board.cells(),
        }
    }

    /// Whether a candidate with `stones` and `score` belongs to this class. False for an impossible score.
    pub(super) fn holds(self, board: Board, stones: u32, score: Score) -> bool {
        let soonest = win_with_stone(board, stones + 1);
        let to_come = match score {
            0 => board.cells() - stones,
            _ if score.unsigned_abs() > soonest.unsigned_abs() => return false,
            _ => plies_to_end(board, score, stones),
        };
        self.to_come(board).contains(&to_come)
    }
}

crate::display_by_value_name!(Class);

/// Maximum number of consecutive random positions without a new position. Small boards have few positions.
const MAX_MISSES: u32 = 100_000;

/// Candidates for a class and a seed: different positions without an immediate win. On small boards they may run out.
pub(super) fn candidates(
    class: Class,
    board: Board,
    seed: u64,
) -> impl Iterator<Item = RandomPosition<Board>> {
    let mut random = Random::new(seed, class as u32);
    let mut reached = class.stones(board);
    let mut known = HashSet::new();
    std::iter::from_fn(move || {
        for _ in 0..MAX_MISSES {
            let (first, last) = reached.clone().into_inner();
            let stones = first + random.below(last - first + 1);
            // Most random games end early, so each number of stones is tried until a game reaches it.
            let Some(candidate) = drawn(board, &mut random, stones) else {
                say(format_args!("{class}: random moves do not come to {stones} stones, nor to more"));
                reached = first..=stones.checked_sub(1).filter(|&last| last >= first)?;
                continue;
            };
            let position = &candidate.position;
            if !position.can_win_now() && known.insert(position.canonical_key()) {
                return Some(candidate);
            }
        }
        None
    })
}

fn drawn(board: Board, random: &mut Random, stones: u32) -> Option<RandomPosition<Board>> {
    if board.size() == BoardSize::STANDARD {
        // A board size known at compile time is faster. Near the end of the game, most time goes into random games.
        let RandomPosition { moves, position } = random_position(random, stones);
        if let Some(position) = position.with_geometry(board) {
            return Some(RandomPosition { moves, position });
        }
    }
    random_position_on(board, random, stones)
}

#[cfg(test)]
mod tests {
    use Class::{BeginEasy, BeginHard, BeginMedium, EndEasy, MiddleEasy, MiddleMedium};
    use clap::ValueEnum;
    use plumb::board::{BoardSize, PositionReader};

    use super::*;

    fn fitting(board: Board, stones: u32, score: Score) -> Vec<&'static Class> {
        let is_of =
            |class: &&Class| class.stones(board).contains(&stones) && class.holds(board, stones, score);
        Class::value_variants().iter().filter(is_of).collect()
    }

    #[test]
    fn published_positions_are_of_the_class_whose_file_they_stand_in() {
        let board = Board::default();
        // Stones and scores at the boundaries, from Pons's files.
        for (class, positions) in [
            (EndEasy, &[(37, -1), (29, 0), (41, 0)][..]),
            (MiddleEasy, &[(28, -1), (28, 0), (25, 4)]),
            (MiddleMedium, &[(15, 0), (16, -1), (27, 0)]),
            (BeginEasy, &[(8, 11), (4, 18), (14, -8)]),
            (BeginMedium, &[(14, -3), (12, -2), (14, 0)]),
            (BeginHard, &[(5, 3), (7, -2), (13, 0)]),
        ] {
            for &(stones, score) in positions {
                assert_eq!(fitting(board, stones, score), [&class], "{stones} stones, score {score}");
            }
        }
    }

    #[test]
    fn a_score_that_cannot_be_is_of_no_class() {
        for &class in Class::value_variants() {
            let board = Board::default();
            for stones in class.stones(board) {
                let fits = |score: &Score| class.holds(board, stones, *score);
                assert!(![Score::MIN, -100, 22, 100, Score::MAX].iter().any(fits), "{class} {stones}");
                // Random candidates never have an immediate win, but such positions have a class.
                let soonest = win_with_stone(board, stones + 1);
                assert_eq!(fits(&soonest), class.to_come(board).contains(&1), "{class} {stones}");
                assert!(!fits(&(soonest + 1)), "{class} {stones}");
            }
        }
    }

    #[test]
    fn on_every_board_a_position_is_of_one_class() {
        for size in BoardSize::all() {
            let board = Board::new(size).expect("a board");
            for stones in FEWEST_STONES..board.cells() {
                // All scores that a position with this many stones can have.
                let soonest = win_with_stone(board, stones + 1);
                for score in -win_with_stone(board, stones + 2)..=soonest {
                    let count = fitting(board, stones, score).len();
                    assert_eq!(count, 1, "{size}, {stones} stones, score {score}");
                }
            }
        }
    }

    #[test]
    fn candidates_are_what_they_should_be() {
        let boards = ["7x6", "5x5", "10x4"].map(|size| size.parse::<Board>().expect("a size"));
        let all = |board| Class::value_variants().iter().map(move |class| (board, class));
        for (board, &class) in boards.into_iter().flat_map(all) {
            let mut keys = HashSet::new();
            let mut counts = HashSet::new();
            for RandomPosition { moves, position } in candidates(class, board, 7).take(400) {
                let replayed = PositionReader::new(board).read(&moves);
                assert_eq!(replayed.map(|read| read.position), Ok(position));
                assert!(position.outcome().is_none() && !position.can_win_now(), "{moves}");
                assert!(class.stones(board).contains(&position.plies()), "{moves}");
                assert!(keys.insert(position.key()), "{moves} came twice");
                let mirror = position.mirrored().key();
                assert!(mirror == position.key() || !keys.contains(&mirror), "{moves} came mirrored");
                counts.insert(position.plies());
            }
            assert_eq!(counts.len(), class.stones(board).count(), "{class}");
        }
    }

    #[test]
    fn the_code_for_all_boards_draws_the_positions_of_the_standard_one() {
        let (mut one, mut other) = (Random::new(1, 2), Random::new(1, 2));
        for stones in 4..38 {
            let fast = drawn(Board::default(), &mut one, stones);
            let slow = random_position_on(Board::default(), &mut other, stones);
            let parts = |found: Option<RandomPosition<_>>| found.map(|found| (found.moves, found.position));
            assert_eq!(parts(fast), parts(slow));
        }
    }
}
