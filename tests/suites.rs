//! The solver's scores against those in the project's own suites, whose origin is in `suites/README.md`.

use std::path::Path;

use plumb::board::{Position, Standard};
use plumb::search::Solver;
use plumb::table::Table;

/// Number of positions in each file.
const SIZE: usize = 200;

/// Checks the scores of the positions with these indices in a suite, each solved with an empty table.
fn solve(class: &str, positions: impl Iterator<Item = usize>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/suites/{class}.txt"));
    let text = std::fs::read_to_string(&path).expect("the suite is there");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), SIZE, "{class}");
    let mut table = Table::new(16).expect("there is memory");
    for line in positions.map(|index| lines[index]) {
        let (moves, score) = line.split_once(' ').expect("moves and score");
        let position = Position::<Standard>::from_digits(moves).expect("legal moves");
        table.clear(1);
        let found = Solver::new(&table).score(&position).expect("not stopped");
        assert_eq!(found.to_string(), score, "{class}: {moves}");
    }
}

#[test]
fn the_first_positions_have_their_scores() {
    for (class, count) in [
        ("end-easy", 20),
        ("middle-easy", 20),
        ("middle-medium", 20),
        ("begin-easy", 20),
        ("begin-medium", 5),
        ("begin-hard", 1),
    ] {
        solve(class, 0..count);
    }
}

#[test]
#[ignore = "takes up to a minute"]
fn more_positions_have_their_scores() {
    for (class, every) in [
        ("end-easy", 1),
        ("middle-easy", 1),
        ("middle-medium", 1),
        ("begin-easy", 1),
        ("begin-medium", 1),
        ("begin-hard", 10),
    ] {
        solve(class, (0..SIZE).step_by(every));
    }
}
