//! The benchmark: fixed positions, solved on one thread with a table of fixed size.
//!
//! The node count is the signature of the search: it is the same on every machine, and changes only with the search.

use crate::clock::Instant;

use crate::board::{Position, Standard};
use crate::search::{Solver, StopFlag};
use crate::table::{Table, TableError};

/// Size of the table in megabytes.
const HASH: usize = 16;

/// The positions as column digits: random openings, middle games and endings, won, drawn and lost.
const POSITIONS: [&str; 24] = [
    "11511332",
    "753265471",
    "143136561",
    "4676363565",
    "2113374466",
    "23464415165",
    "512677221112",
    "563215117411",
    "554273354663",
    "7557662742435",
    "2133253576644",
    "76764147446343",
    "14611773231175",
    "23525145763574",
    "566326623536335",
    "1612445177256227",
    "15746177773633472",
    "337772372261276527",
    "22642764114116716557",
    "2377231633556655761155",
    "134267647227267644657272",
    "13372631437214516256557422",
    "2237232373311514645252166163",
    "32657144133351264511646124773736",
];

/// Runs the benchmark and hands its output to `line`, line by line. Returns the node count, or `None` if stopped.
///
/// # Errors
/// If there is no memory for the table.
pub(crate) fn run(stop_flag: &StopFlag, line: &mut dyn FnMut(String)) -> Result<Option<u64>, TableError> {
    let mut table = Table::new(HASH)?;
    let start = Instant::now();
    let mut nodes = 0;
    for digits in POSITIONS {
        let Ok(position) = Position::<Standard>::from_digits(digits) else { continue };
        table.clear(1);
        let mut solver = Solver::new(&table).stop_flag(stop_flag);
        let Ok(score) = solver.score(&position) else {
            line("bench: stopped".into());
            return Ok(None);
        };
        nodes += solver.nodes();
        line(format!("{digits:<20} score {score:>3}  nodes {}", solver.nodes()));
    }
    let elapsed = start.elapsed();
    line(String::new());
    line(format!("Total time (ms) : {}", elapsed.as_millis()));
    line(format!("Nodes searched  : {nodes}"));
    line(format!("Nodes/second    : {:.0}", nodes as f64 / elapsed.as_secs_f64()));
    Ok(Some(nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal_and_open() {
        for digits in POSITIONS {
            let position = Position::<Standard>::from_digits(digits).expect(digits);
            assert_eq!(position.outcome(), None, "{digits}");
        }
    }

    #[test]
    fn the_node_count_is_the_signature_of_the_search() {
        let nodes = run(&StopFlag::new(), &mut |_| ()).expect("there is memory for the table");
        assert_eq!(nodes, Some(2_809_982), "if the search was changed on purpose, this is the new count");
    }
}
