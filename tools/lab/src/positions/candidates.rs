//! Positions drawn at random.

use std::collections::HashSet;

use plumb::board::{Board, BoardSize, Geometry};
use plumb_tools_common::playout::{RandomPosition, random_position, random_position_on};
use plumb_tools_common::random::Random;

use super::class::Class;

/// Successive draws that are no new position, after which none is expected any more: a small board has few.
const MAX_MISSES: u32 = 100_000;

/// The sequence of positions that a seed stands for: as many stones as a class may have, the game not over and not won by
/// the next stone, and none that is, or mirrors, one before. It ends only where a board has few such positions.
pub(super) struct Candidates {
    class: Class,
    board: Board,
    random: Random,
    seen: HashSet<u128>,
}

impl Candidates {
    /// The sequence of `seed` for `class` on `board`.
    pub(super) fn new(class: Class, board: Board, seed: u64) -> Self {
        Self { class, board, random: Random::new(seed, class.number()), seen: HashSet::new() }
    }

    /// Whether they are of 7x6.
    pub(super) fn is_standard(&self) -> bool {
        self.board.size() == BoardSize::STANDARD
    }
}

impl Iterator for Candidates {
    type Item = RandomPosition<Board>;

    fn next(&mut self) -> Option<RandomPosition<Board>> {
        for _ in 0..MAX_MISSES {
            let (first, last) = self.class.stones(self.board).into_inner();
            let stones = first + self.random.below(last - first + 1);
            // Most games end early, so each number of stones gets as many tries as it needs: else few would be late.
            let candidate = drawn(self.board, &mut self.random, stones);
            let position = &candidate.position;
            let key = position.key().min(position.mirrored().key());
            if !position.can_win_now() && self.seen.insert(key) {
                return Some(candidate);
            }
        }
        None
    }
}

/// A random position with so many stones.
fn drawn(board: Board, random: &mut Random, stones: u32) -> RandomPosition<Board> {
    if board.size() == BoardSize::STANDARD {
        // With the size as constants the same position is drawn faster; near the end of the game that is most of the work.
        let RandomPosition { moves, position } = random_position(random, stones);
        if let Some(position) = position.with_geometry(board) {
            return RandomPosition { moves, position };
        }
    }
    random_position_on(board, random, stones)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use plumb::board::PositionReader;

    fn all() -> impl Iterator<Item = &'static Class> {
        Class::value_variants().iter()
    }

    #[test]
    fn candidates_are_what_they_should_be() {
        let boards = ["7x6", "5x5", "10x4"].map(|size| size.parse::<Board>().expect("a size"));
        for (board, &class) in boards.into_iter().flat_map(|board| all().map(move |class| (board, class))) {
            let mut keys = HashSet::new();
            let mut counts = HashSet::new();
            for RandomPosition { moves, position } in Candidates::new(class, board, 7).take(400) {
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
    fn a_seed_makes_the_same_positions_for_ever() {
        let first =
            |class, seed| Candidates::new(class, Board::default(), seed).next().expect("endless").moves;
        assert_eq!(first(Class::BeginHard, 1), first(Class::BeginHard, 1));
        assert_ne!(first(Class::BeginHard, 1), first(Class::BeginHard, 2));
        let three: Vec<_> = Candidates::new(Class::BeginEasy, Board::default(), 1)
            .take(3)
            .map(|candidate| candidate.moves)
            .collect();
        assert_eq!(
            three,
            ["627636", "171141172", "7125712644163"],
            "the files of old seeds could not be made again"
        );
    }

    #[test]
    fn the_code_for_all_boards_draws_the_positions_of_the_standard_one() {
        let (mut one, mut other) = (Random::new(1, 2), Random::new(1, 2));
        for stones in 4..38 {
            let fast = drawn(Board::default(), &mut one, stones);
            let RandomPosition { moves, position } = random_position_on(Board::default(), &mut other, stones);
            assert_eq!((fast.moves, fast.position), (moves, position));
        }
    }

    #[test]
    fn a_small_board_runs_out_of_positions() {
        let board = "4x4".parse::<Board>().expect("a size");
        // Four or five stones.
        let count = Candidates::new(Class::BeginHard, board, 1).count();
        assert!((100..10_000).contains(&count), "{count}");
        assert_eq!(Candidates::new(Class::BeginHard, board, 2).count(), count, "all of them");
    }
}
