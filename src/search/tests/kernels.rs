//! The instruction sets against each other: the same answers, so the same trees.

use super::samples;
use crate::board::{Geometry, Narrow, Standard, Wide};
use crate::search::kernel::{Choice, Kernel, Portable};
use crate::search::{Solver, Traffic};
use crate::table::Table;

/// Lines and winning cells as a kernel has them, on positions of every kind.
fn check_lines<K: Kernel, G: Geometry>() {
    for position in samples::positions::<G>(4, 0..=G::CELLS - 1).take(20_000) {
        for stones in [position.own(), position.opponent(), G::board() ^ position.own()] {
            assert_eq!(K::has_four::<G>(stones), Portable::has_four::<G>(stones), "\n{position}");
        }
        let (own, mask) = (position.own(), position.mask());
        let cells = K::winning_cells::<G>(own, mask);
        assert_eq!(cells, Portable::winning_cells::<G>(own, mask), "\n{position}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn avx2_finds_the_same_lines() {
    use crate::search::kernel::x86::Avx2;
    if Choice::best() == Choice::Portable {
        return;
    }
    check_lines::<Avx2, Standard>();
    check_lines::<Avx2, Narrow<4, 4>>();
    check_lines::<Avx2, Narrow<8, 7>>();
    check_lines::<Avx2, Narrow<5, 11>>();
    check_lines::<Avx2, Wide<9, 8>>();
}

fn check_trees<G: Geometry>(count: usize, empty_cells: u32) {
    let (mut ours, mut theirs) = (Table::new(1, 1).expect("small"), Table::new(1, 1).expect("small"));
    for position in samples::positions::<G>(5, empty_cells..=empty_cells).take(count) {
        ours.clear(1);
        theirs.clear(1);
        let (mut fast, mut portable) = (Solver::new(&ours), Solver::new(&theirs).portable());
        assert_eq!(fast.score(&position), portable.score(&position), "\n{position}");
        assert_eq!(fast.nodes(), portable.nodes(), "\n{position}");
    }
}

#[test]
fn counting_changes_nothing_and_adds_up() {
    let (mut table, mut counted) = (Table::new(1, 1).expect("small"), Table::new(1, 1).expect("small"));
    let mut sum = Traffic::default();
    for position in samples::positions::<Standard>(6, 24..=26).take(30) {
        table.clear(1);
        counted.clear(1);
        let (mut solver, mut counting) = (Solver::new(&table), Solver::new(&counted).counting());
        assert_eq!(solver.score(&position), counting.score(&position), "\n{position}");
        assert_eq!(solver.nodes(), counting.nodes(), "\n{position}");
        assert_eq!(solver.traffic(), Traffic::default(), "nothing is counted unless asked for");
        let Traffic { probes, hits, stores, overwrites } = counting.traffic();
        assert!(hits <= probes && overwrites <= stores && stores <= counting.nodes(), "\n{position}");
        sum.probes += probes;
        sum.hits += hits;
        sum.stores += stores;
    }
    assert!(sum.hits > 0 && sum.probes > sum.hits && sum.stores > 0, "{sum:?}");
}

#[test]
fn every_kernel_searches_the_same_tree() {
    check_trees::<Standard>(50, 22);
    check_trees::<Narrow<5, 5>>(50, 20);
    check_trees::<Narrow<6, 5>>(20, 20);
    check_trees::<Wide<9, 8>>(20, 16);
}
