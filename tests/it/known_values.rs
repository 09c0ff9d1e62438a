//! Published numbers of positions and exact scores.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use plumb::board::{Board, BoardSize, Geometry, Position, Standard, each_cell};
use plumb::score::plies_to_end;
use plumb::search::Solver;
use plumb::table::Table;

/// Number of distinct positions of 7x6 by stones; games end at a win. Source: OEIS A212693.
const DISTINCT: [usize; 13] =
    [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275, 558_186, 1_662_623, 4_568_683, 12_236_101];

fn next_ply(positions: &[Position<Standard>]) -> Vec<Position<Standard>> {
    let mut next: Vec<_> = positions
        .iter()
        .filter(|position| position.outcome().is_none())
        .flat_map(|position| each_cell(position.playable()).map(|cell| position.after(cell)))
        .collect();
    next.sort_unstable_by_key(Position::key);
    next.dedup();
    next
}

/// Number of positions up to mirror image, and how many of them are unfinished and lack an immediate win.
fn up_to_mirror_image(positions: &[Position<Standard>]) -> (usize, usize) {
    let canonical = |position: &&Position<Standard>| position.key() <= position.mirrored().key();
    positions.iter().filter(canonical).fold((0, 0), |(all, quiet), position| {
        let is_quiet = position.outcome().is_none() && !position.can_win_now();
        (all + 1, quiet + usize::from(is_quiet))
    })
}

fn count(last: usize, mirrored: &[(usize, (usize, usize))]) {
    let mut positions = vec![Position::new()];
    for (plies, &distinct) in DISTINCT.iter().enumerate().take(last + 1) {
        assert_eq!(positions.len(), distinct, "{plies} stones");
        let keys: HashSet<_> = positions.iter().map(Position::key).collect();
        assert_eq!(keys.len(), distinct, "two positions of {plies} stones share a key");
        if let Some(&(_, expected)) = mirrored.iter().find(|&&(at, _)| at == plies) {
            assert_eq!(up_to_mirror_image(&positions), expected, "{plies} stones");
        }
        positions = if plies < last { next_ply(&positions) } else { Vec::new() };
    }
}

#[test]
fn numbers_of_positions_are_those_published() {
    count(10, &[(8, (92_244, 77_715))]);
}

#[test]
#[ignore = "takes a gigabyte"]
fn numbers_of_later_positions_are_those_published() {
    count(12, &[(8, (92_244, 77_715)), (10, (831_581, 634_338)), (12, (6_118_941, 4_200_899))]);
}

/// Positions with scores from Pascal Pons's test sets. Most searches take long enough for all threads to start.
const SCORES: [(&str, i32); 6] = [
    ("32751571231557", -3),
    ("527726753", 4),
    ("74467777", 4),
    ("2127156434625", 5),
    ("4331657566613372", 4),
    ("2252576253462244111563365343671351441", -1),
];

#[test]
fn scores_are_those_published_on_any_number_of_threads() {
    let mut table = Table::new(4).expect("there is memory for a table");
    for threads in [1, 2, 4].map(|threads| NonZeroUsize::new(threads).expect("not zero")) {
        for (digits, score) in SCORES {
            let position = Position::<Standard>::from_digits(digits).expect("legal");
            table.clear();
            let found = Solver::new(&table).threads(threads).score(&position);
            assert_eq!(found, Ok(score), "{digits}, {threads} threads");
        }
    }
}

/// Sources: the scores are Pascal Pons's, and the length of a perfect game is Christophe Steininger's.
#[test]
#[ignore = "takes half a minute"]
fn the_first_moves_have_their_known_scores() {
    let table = Table::new(64).expect("there is memory for a table");
    let mut solver = Solver::new(&table);
    let scores = solver.move_scores(&Position::<Standard>::new()).expect("not stopped");
    assert!(scores.into_iter().map(|(_, score)| score).eq([-2, -1, 0, 1, 0, -1, -2]));
    assert_eq!(solver.best_line(&Position::<Standard>::new()).map(|line| line.len()), Ok(41));
}

/// Results of empty boards, a row for each height. For each width from 4: a draw (`=`) or the winner, and the length
/// of a perfect game, if published.
///
/// Sources: John Tromp, "John's Connect Four Playground", <https://tromp.github.io/c4/c4.html>, and Christophe
/// Steininger's solver, <https://github.com/ChristopheSteininger/c4>. Most boards of more than 48 cells take hours.
const EMPTY_BOARDS: [(u32, &str, &[u32]); 8] = [
    (4, "==2=22222", &[16, 20, 24, 28, 32, 36, 40, 44, 48]),
    (5, "====1111", &[20, 25, 30, 35, 39, 41, 47, 51]),
    (6, "==21221", &[24, 30, 36, 41, 48, 52, 59]),
    (7, "==1=11", &[28, 35, 41, 49, 53, 55]),
    (8, "==212", &[32, 40, 48, 55, 62]),
    (9, "==1=1", &[]),
    (10, "==21", &[]),
    (11, "==1", &[]),
];

fn solve_empty_boards(cells: std::ops::RangeInclusive<u32>) {
    for (height, winners, stones) in EMPTY_BOARDS {
        for (index, winner) in winners.bytes().enumerate() {
            let size = BoardSize { width: 4 + index as u32, height };
            if !cells.contains(&(size.width * size.height)) {
                continue;
            }
            let board = Board::new(size).expect("a board");
            let table = Table::new_on(board, 64).expect("there is memory for a table");
            let score = Solver::new(&table).score(&Position::empty(board)).expect("not stopped");
            let expected = match winner {
                b'1' => 1,
                b'2' => -1,
                _ => 0,
            };
            assert_eq!(score.signum(), expected, "{board}");
            if let Some(&stone) = stones.get(index) {
                let last = if score == 0 { board.cells() } else { plies_to_end(board, score, 0) };
                assert_eq!(last, stone, "{board}");
            }
        }
    }
}

#[test]
fn small_empty_boards_are_won_as_published() {
    solve_empty_boards(16..=30);
}

#[test]
#[ignore = "takes half a minute"]
fn empty_boards_are_won_as_published() {
    solve_empty_boards(31..=36);
}
