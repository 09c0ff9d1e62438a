//! SIMD back ends against each other: they give the same answers and search the same trees.

use super::samples;
use crate::board::{Narrow, Standard, StaticGeometry, Wide};
use crate::search::{Solver, TableStatistics};
use crate::table::Table;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::super::samples;
    use crate::board::{AnyBoard, Narrow, Standard, StaticGeometry, Wide};
    use crate::search::simd::{Avx2, Backend, Portable};

    /// Fours and winning cells of `backend`, on positions of every kind, with the board's size in its type and without.
    fn check_lines<B: Backend, G: StaticGeometry>(backend: B) {
        let sized = G::default();
        let any = AnyBoard::<G::Bits>::new(sized.size()).expect("it has a type of its own");
        for position in samples::positions::<G>(4, 0..=G::CELLS - 1).take(20_000) {
            for stones in [position.own(), position.opponent(), sized.board() ^ position.own()] {
                let expected = Portable.has_four(sized, stones);
                assert_eq!(backend.has_four(sized, stones), expected, "\n{position}");
                assert_eq!(backend.has_four(any, stones), expected, "\n{position}");
            }
            let (own, mask) = (position.own(), position.mask());
            let expected = Portable.winning_cells(sized, own, mask);
            assert_eq!(backend.winning_cells(sized, own, mask), expected, "\n{position}");
            assert_eq!(backend.winning_cells(any, own, mask), expected, "\n{position}");
        }
    }

    #[test]
    fn the_same_lines_are_found() {
        let Some(avx2) = Avx2::detect() else { return };
        check_lines::<_, Standard>(avx2);
        check_lines::<_, Narrow<4, 4>>(avx2);
        check_lines::<_, Narrow<8, 7>>(avx2);
        check_lines::<_, Narrow<5, 11>>(avx2);
        check_lines::<_, Wide<9, 7>>(avx2);
        check_lines::<_, Wide<9, 8>>(avx2);
        check_lines::<_, Wide<25, 4>>(avx2);
        // The highest board in two registers, and one past it.
        check_lines::<_, Wide<6, 19>>(avx2);
        check_lines::<_, Wide<6, 20>>(avx2);
    }
}

fn check_trees<G: StaticGeometry>(count: usize, empty_cells: u32) {
    let (mut fast_table, mut portable_table) = (Table::new(1).expect("small"), Table::new(1).expect("small"));
    for position in samples::positions::<G>(5, empty_cells..=empty_cells).take(count) {
        fast_table.clear(1);
        portable_table.clear(1);
        let (mut fast, mut portable) = (Solver::new(&fast_table), Solver::new(&portable_table).portable());
        assert_eq!(fast.score(&position), portable.score(&position), "\n{position}");
        assert_eq!(fast.nodes(), portable.nodes(), "\n{position}");
    }
}

#[test]
fn counting_does_not_change_the_search() {
    let (mut table, mut counted) = (Table::new(1).expect("small"), Table::new(1).expect("small"));
    let mut sum = TableStatistics::default();
    for position in samples::positions::<Standard>(6, 24..=26).take(30) {
        table.clear(1);
        counted.clear(1);
        let (mut solver, mut counting) = (Solver::new(&table), Solver::new(&counted).counting());
        assert_eq!(solver.score(&position), counting.score(&position), "\n{position}");
        assert_eq!(solver.nodes(), counting.nodes(), "\n{position}");
        assert_eq!(solver.statistics(), TableStatistics::default(), "nothing is counted unless asked for");
        let TableStatistics { probes, hits, stores, overwrites } = counting.statistics();
        assert!(hits <= probes && overwrites <= stores && stores <= counting.nodes(), "\n{position}");
        sum.probes += probes;
        sum.hits += hits;
        sum.stores += stores;
    }
    assert!(sum.hits > 0 && sum.probes > sum.hits && sum.stores > 0, "{sum:?}");
}

#[test]
fn every_backend_searches_the_same_tree() {
    check_trees::<Standard>(50, 22);
    check_trees::<Narrow<5, 5>>(50, 20);
    check_trees::<Narrow<6, 5>>(20, 20);
    check_trees::<Wide<9, 8>>(20, 16);
}
