//! Searches on several threads: the same scores, the same manners.
//!
//! In tests a probe gets helpers after a few nodes already, see `parallel.rs`.

use std::num::NonZeroUsize;

use super::minimax::Oracle;
use super::reports::Worker;
use super::samples;
use crate::board::{Geometry, Narrow, Position, Standard};
use crate::search::{Limits, Signals, Solver};
use crate::table::Table;

fn four() -> NonZeroUsize {
    NonZeroUsize::new(4).expect("not zero")
}

fn table() -> Table {
    Table::new(1, 1).expect("there is memory for a table")
}

/// Samples, each with an empty table, because a full one leaves nothing to do for four threads.
fn check_samples<G: Geometry>(count: usize, empty_cells: std::ops::RangeInclusive<u32>) {
    let mut oracle = Oracle::<G>::new();
    let mut table = table();
    for position in samples::positions::<G>(5, empty_cells).take(count) {
        table.clear(1);
        let mut solver = Solver::new(&table).threads(four());
        assert_eq!(solver.score(&position), oracle.score(&position), "\n{position}");
    }
}

#[test]
fn four_threads_equal_minimax() {
    check_samples::<Narrow<4, 4>>(100, 14..=16);
    check_samples::<Narrow<5, 4>>(100, 14..=20);
    check_samples::<Narrow<5, 5>>(100, 11..=13);
    check_samples::<Standard>(100, 11..=12);
}

#[test]
fn reports_of_four_threads_are_true() {
    let mut oracle = Oracle::<Narrow<5, 4>>::new();
    for position in samples::positions(6, 12..=20).take(12) {
        for multi_pv in [1, 3] {
            let mut worker = Worker { threads: four(), ..Worker::new() };
            let limits = Limits::default();
            worker.search(&position, &limits, multi_pv).check(&position, &mut oracle, &limits);
        }
    }
}

#[test]
fn a_node_limit_is_one_for_all_threads() {
    let start = Position::<Standard>::new();
    for nodes in [5_000, 100_000, 150_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let report = Worker { threads: four(), ..Worker::new() }.search(&start, &limits, 1);
        let visited = report.final_lines(1)[0].nodes;
        // Each helper looks up every 256 nodes, and towards the end more often.
        assert!((nodes..nodes + 3 * 256).contains(&visited), "{visited} of {nodes}");
    }
}

#[test]
fn a_stop_ends_all_threads() {
    let table = table();
    let signals = Signals::new();
    let score = std::thread::scope(|scope| {
        scope.spawn(|| {
            while signals.nodes() < 50_000 {
                std::thread::yield_now();
            }
            signals.stop();
        });
        Solver::with_signals(&table, &signals).threads(four()).try_score(&Position::<Standard>::new())
    });
    assert_eq!(score, None);
}
