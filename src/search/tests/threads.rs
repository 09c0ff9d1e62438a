//! In tests, helper threads start after a few nodes (`SINGLE_THREAD_NODES`).

use std::num::NonZeroUsize;

use super::minimax::Oracle;
use super::reports::Engine;
use super::samples;
use crate::board::{Narrow, Position, Standard, StaticGeometry};
use crate::search::{Limits, Solver, StopFlag, Stopped};
use crate::table::Table;

fn four() -> NonZeroUsize {
    NonZeroUsize::new(4).expect("not zero")
}

fn table<G: StaticGeometry>() -> Table {
    Table::new_on(G::default(), 1).expect("there is memory for a table")
}

fn check_samples<G: StaticGeometry>(count: usize, empty_cells: std::ops::RangeInclusive<u32>) {
    let mut oracle = Oracle::<G>::new();
    let mut table = table::<G>();
    for position in samples::positions::<G>(5, empty_cells).take(count) {
        table.clear();
        let mut solver = Solver::new(&table).threads(four());
        assert_eq!(solver.score(&position), Ok(oracle.score(&position)), "\n{position}");
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
            let mut engine = Engine { threads: four(), ..Engine::new() };
            engine.checked_search(&mut oracle, &position, &Limits::default(), multi_pv);
        }
    }
}

#[test]
fn a_node_limit_is_one_for_all_threads() {
    let start = Position::<Standard>::new();
    for nodes in [5_000, 100_000, 150_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let report = Engine { threads: four(), ..Engine::new() }.search(&start, &limits, 1);
        let visited = report.final_lines(1)[0].nodes;
        // Each of three helper threads polls every 256 nodes.
        assert!((nodes..nodes + 3 * 256).contains(&visited), "{visited} of {nodes}");
    }
}

#[test]
fn a_stop_ends_all_threads() {
    let table = table::<Standard>();
    let stop = StopFlag::new();
    let score = std::thread::scope(|scope| {
        scope.spawn(|| {
            while stop.nodes() < 50_000 {
                std::thread::yield_now();
            }
            stop.stop();
        });
        Solver::new(&table).stop_flag(&stop).threads(four()).score(&Position::<Standard>::new())
    });
    assert_eq!(score, Err(Stopped));
}
