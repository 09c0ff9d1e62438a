use super::samples;
use crate::board::{Narrow, Standard, StaticGeometry, Wide};
use crate::search::Solver;
use crate::table::Table;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::super::samples;
    use crate::board::{AnyBoard, Narrow, Standard, StaticGeometry, Wide};
    use crate::search::simd::{Avx2, Backend, Portable};

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
        check_lines::<_, Wide<6, 19>>(avx2);
        check_lines::<_, Wide<6, 20>>(avx2);
    }
}

fn check_trees<G: StaticGeometry>(count: usize, empty_cells: u32) {
    let mut tables = [(); 2].map(|()| Table::new_on(G::default(), 1).expect("small"));
    for position in samples::positions::<G>(5, empty_cells..=empty_cells).take(count) {
        for table in &mut tables {
            table.clear();
        }
        let [fast, portable] = tables.each_ref().map(Solver::new);
        let [fast, portable] = [fast, portable.portable()].map(|mut solver| {
            let score = solver.score(&position);
            (score, solver.nodes())
        });
        assert_eq!(portable, fast, "\n{position}");
    }
}

#[test]
fn every_backend_searches_the_same_tree() {
    check_trees::<Standard>(50, 22);
    check_trees::<Narrow<5, 5>>(50, 20);
    check_trees::<Narrow<6, 5>>(20, 20);
    check_trees::<Wide<9, 8>>(20, 16);
}
