use super::minimax::Oracle;
use super::samples;
use crate::board::{Bits, Kind, Narrow, Position, Standard, StaticGeometry, Wide};
use crate::score::{Score, max_score};
use crate::search::Solver;
use crate::search::control::Control;
use crate::search::exact::ExactSearch;
use crate::table::Table;

fn table<G: StaticGeometry>(megabytes: usize) -> Table {
    Table::new_on(G::default(), megabytes).expect("there is memory for a table")
}

fn solver_for<G: StaticGeometry>(table: &Table) -> Solver<'_> {
    let board = table.board();
    if G::Bits::BITS == u128::BITS {
        Solver::of_kind(Kind::Words128(board), table)
    } else {
        Solver::new(table)
    }
}

fn check_every_position<G: StaticGeometry>() {
    let oracle = Oracle::<G>::of_whole_board();
    let shared = table::<G>(8);
    let mut solver = solver_for::<G>(&shared);
    for (position, score) in oracle.positions() {
        assert_eq!(solver.score(&position), Ok(score), "\n{position}");
        assert_eq!(solver.weak_score(&position), Ok(score.signum()), "\n{position}");
    }
    let mut fresh = table::<G>(1);
    for (position, score) in oracle.positions().step_by(997) {
        fresh.clear();
        assert_eq!(solver_for::<G>(&fresh).score(&position), Ok(score), "\n{position}");
    }
}

fn check_samples<G: StaticGeometry>(count: usize, most_empty_cells: u32) {
    let mut oracle = Oracle::<G>::new();
    let shared = table::<G>(1);
    let mut solver = solver_for::<G>(&shared);
    for position in samples::positions::<G>(2, 1..=most_empty_cells).take(count) {
        assert_eq!(solver.score(&position), Ok(oracle.score(&position)), "\n{position}");
    }
}

#[test]
fn the_solver_equals_minimax_on_every_small_position() {
    check_every_position::<Narrow<4, 4>>();
    check_every_position::<Wide<4, 4>>();
    check_every_position::<Narrow<5, 4>>();
    check_every_position::<Narrow<4, 5>>();
}

#[test]
fn the_solver_equals_minimax_on_samples_of_larger_boards() {
    check_samples::<Narrow<5, 5>>(100_000, 10);
    check_samples::<Narrow<4, 6>>(30_000, 11);
    check_samples::<Narrow<6, 4>>(30_000, 11);
    check_samples::<Standard>(5_000, 11);
    check_samples::<Narrow<8, 6>>(1_000, 12);
    check_samples::<Narrow<11, 4>>(300, 11);
    check_samples::<Narrow<8, 7>>(1_000, 12);
    check_samples::<Wide<8, 8>>(1_000, 10);
}

#[test]
#[ignore = "takes minutes"]
fn the_solver_equals_minimax_on_many_samples() {
    check_samples::<Narrow<5, 5>>(300_000, 11);
    check_samples::<Narrow<4, 6>>(100_000, 13);
    check_samples::<Narrow<6, 4>>(100_000, 13);
    check_samples::<Standard>(60_000, 12);
    check_samples::<Narrow<8, 6>>(20_000, 13);
    check_samples::<Narrow<8, 7>>(20_000, 13);
}

#[test]
fn a_finished_game_has_the_score_of_its_end() {
    let table = table::<Narrow<4, 4>>(1);
    let mut solver = Solver::new(&table);
    let lost = Position::<Narrow<4, 4>>::from_digits("1122334").expect("legal");
    assert_eq!(solver.score(&lost), Ok(-max_score(Narrow::<4, 4>)));
    let drawn = Position::<Narrow<4, 4>>::from_digits("1112221333244434").expect("legal");
    assert_eq!(drawn.outcome(), Some(crate::board::Outcome::Draw));
    assert_eq!(solver.score(&drawn), Ok(0));
    assert_eq!((solver.weak_score(&drawn), solver.weak_score(&lost)), (Ok(0), Ok(-1)));
    assert_eq!((solver.move_scores(&lost), solver.best_line(&lost)), (Ok(vec![]), Ok(vec![])));
}

fn check_null_window<G: StaticGeometry>(
    search: &mut ExactSearch<'_, G>,
    position: &Position<G>,
    score: Score,
) {
    let limit = max_score(G::default());
    for beta in -limit..=limit + 1 {
        let value = search.null_window(position, beta).expect("nothing stops it");
        assert_eq!(value >= beta, score >= beta, "score {score}, probe at {beta} says {value}:\n{position}");
        let is_bound = if value >= beta { score >= value } else { score <= value };
        assert!(is_bound, "score {score}, probe at {beta} says {value}:\n{position}");
    }
}

#[test]
fn a_probe_answers_for_every_window() {
    fn check<G: StaticGeometry>(positions: impl Iterator<Item = Position<G>>) {
        let mut oracle = Oracle::new();
        let mut cold = table::<G>(1);
        let warm = table::<G>(1);
        let mut with_warm = ExactSearch::new(G::default(), &warm, Control::unlimited());
        for (index, position) in positions.enumerate() {
            let score = oracle.score(&position);
            check_null_window(&mut with_warm, &position, score);
            if index % 20 == 0 {
                cold.clear();
                check_null_window(
                    &mut ExactSearch::new(G::default(), &cold, Control::unlimited()),
                    &position,
                    score,
                );
            }
        }
    }
    check::<Narrow<4, 4>>(samples::positions(3, 1..=16).take(10_000));
    check::<Narrow<5, 4>>(samples::positions(3, 1..=12).take(5_000));
    check::<Narrow<5, 5>>(samples::positions(3, 1..=11).take(4_000));
    check::<Narrow<6, 4>>(samples::positions(3, 1..=12).take(3_000));
    check::<Standard>(samples::positions(3, 1..=11).take(1_000));
}

#[test]
fn aborted_probes_leave_only_true_bounds_in_the_table() {
    fn check<G: StaticGeometry>(empty_cells: u32) {
        let mut oracle = Oracle::<G>::new();
        let table = table::<G>(1);
        let mut search = ExactSearch::new(G::default(), &table, Control::unlimited());
        for position in samples::positions::<G>(4, empty_cells - 4..=empty_cells).take(2_000) {
            let score = oracle.score(&position);
            for budget in [3, 10, 30, 100] {
                for beta in [1, -2, 0, 3] {
                    search.control.set_budget(Some(budget));
                    if let Ok(value) = search.null_window(&position, beta) {
                        assert_eq!(value >= beta, score >= beta, "\n{position}");
                    }
                }
            }
            assert_eq!(Solver::new(&table).score(&position), Ok(score), "\n{position}");
        }
    }
    check::<Narrow<5, 4>>(13);
    check::<Narrow<5, 5>>(11);
    check::<Narrow<6, 4>>(12);
}
