//! Published counts of positions against the board's moves and keys.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use plumb::board::{Position, Standard, each_cell};
use plumb::search::Solver;
use plumb::table::Table;

/// The distinct positions of 7x6 after each number of stones from 0, games ending at a win. OEIS A212693.
const DISTINCT: [usize; 13] =
    [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275, 558_186, 1_662_623, 4_568_683, 12_236_101];

/// The positions with one stone more than `positions`, each once.
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

/// Number of positions up to mirror image, and of those among them that are open and not won with the next stone.
fn up_to_mirror_image(positions: &[Position<Standard>]) -> (usize, usize) {
    let canonical = |position: &&Position<Standard>| position.key() <= position.mirrored().key();
    positions.iter().filter(canonical).fold((0, 0), |(all, quiet), position| {
        let is_quiet = position.outcome().is_none() && !position.can_win_now();
        (all + 1, quiet + usize::from(is_quiet))
    })
}

/// Counts up to `last` stones; `mirrored` holds numbers of stones with the counts of [`up_to_mirror_image`].
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
fn positions_are_as_many_as_published() {
    count(10, &[(8, (92_244, 77_715))]);
}

#[test]
#[ignore = "takes a gigabyte"]
fn later_positions_are_as_many_as_published() {
    count(12, &[(8, (92_244, 77_715)), (10, (831_581, 634_338)), (12, (6_118_941, 4_200_899))]);
}

/// From Pascal Pons's sets: most take long enough for helpers to be called.
const SCORES: [(&str, i32); 6] = [
    ("32751571231557", -3),
    ("527726753", 4),
    ("74467777", 4),
    ("2127156434625", 5),
    ("4331657566613372", 4),
    ("2252576253462244111563365343671351441", -1),
];

#[test]
fn scores_are_those_published_whatever_the_number_of_threads() {
    let mut table = Table::new(4, 1).expect("there is memory for a table");
    for threads in [1, 2, 4].map(|threads| NonZeroUsize::new(threads).expect("not zero")) {
        for (digits, score) in SCORES {
            let position = Position::<Standard>::from_digits(digits).expect("legal");
            table.clear(1);
            assert_eq!(
                Solver::new(&table).threads(threads).score(&position),
                score,
                "{digits}, {threads} threads"
            );
        }
    }
}
