//! Empty boards: who wins, and with which stone a perfect game ends.
//!
//! Results: John Tromp, "John's Connect Four Playground"; lengths: Christophe Steininger. The first moves of 7x6:
//! James Allen and Victor Allis (1988), with the scores of Pascal Pons.

use crate::board::{Narrow, Position, Standard, StaticGeometry};
use crate::search::Solver;
use crate::table::Table;

/// Solves the empty board. `winner` is 1 or 2, or 0 for a draw; the game ends with stone `last`.
fn check<G: StaticGeometry>(winner: i32, last: u32) {
    let table = Table::new(16).expect("there is memory for a table");
    let mut solver = Solver::<G>::new(&table);
    let start = Position::new();
    let name = format!("{}x{}", G::WIDTH, G::HEIGHT);
    let outcome = [0, 1, -1][winner as usize];
    assert_eq!(solver.weak_score(&start), Ok(outcome), "{name}");
    let score = solver.score(&start).expect("not stopped");
    assert_eq!(score.signum(), outcome, "{name}");
    let line = solver.best_line(&start).expect("not stopped");
    assert_eq!(line.len() as u32, last, "{name}: {line:?}");
    let end = line.iter().try_fold(start, |position, &column| position.play(column));
    assert!(end.expect("the line is legal").outcome().is_some(), "{name}: {line:?}");
}

#[test]
fn small_empty_boards_have_their_known_values() {
    check::<Narrow<4, 4>>(0, 16);
    check::<Narrow<5, 4>>(0, 20);
    check::<Narrow<6, 4>>(2, 24);
    check::<Narrow<4, 5>>(0, 20);
    check::<Narrow<5, 5>>(0, 25);
    check::<Narrow<4, 6>>(0, 24);
}

#[test]
#[ignore = "takes a minute"]
fn larger_empty_boards_have_their_known_values() {
    check::<Narrow<7, 4>>(0, 28);
    check::<Narrow<6, 5>>(0, 30);
    check::<Narrow<5, 6>>(0, 30);
    check::<Narrow<4, 7>>(0, 28);
    check::<Narrow<8, 4>>(2, 32);
    check::<Narrow<6, 6>>(2, 36);
    check::<Narrow<4, 8>>(0, 32);
    check::<Narrow<7, 5>>(0, 35);
    check::<Narrow<5, 7>>(0, 35);
    check::<Narrow<9, 4>>(2, 36);
    check::<Narrow<8, 5>>(1, 39);
    check::<Narrow<5, 8>>(0, 40);
}

#[test]
#[ignore = "takes half a minute"]
fn the_first_moves_have_their_known_scores() {
    let table = Table::new(64).expect("there is memory for a table");
    let mut solver = Solver::<Standard>::new(&table);
    let start = Position::new();
    let scores = solver.move_scores(&start).expect("not stopped");
    let scores: Vec<_> = scores.into_iter().map(|(_, score)| score).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    assert_eq!(solver.best_line(&start).map(|line| line.len()), Ok(41));
}
