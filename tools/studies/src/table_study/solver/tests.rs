//! Every table design finds the scores of Plumb's solver. The published designs also search the published nodes.

use clap::ValueEnum;
use plumb::mix::Random;
use plumb::search::Solver;
use plumb::table::Table;
use plumb_arena::openings::random_position;

use super::super::record::Record;
use super::*;
use plumb_lab::arguments::Size;

fn solver(setup: &Record) -> TableSolver {
    TableSolver::new(setup.search, setup.design, setup.entries).expect("there is memory")
}

/// Solvers with tables so small that entries are replaced.
fn solvers() -> Vec<(Design, TableSolver)> {
    Design::value_variants()
        .iter()
        .map(|&design| {
            let entries = match design {
                Design::CrtUpper | Design::CrtBounds => 1 << 17,
                Design::TwoTables => 1 << 18,
                _ => 1000,
            };
            let setup =
                Record::new(Search::Plain, design, Some(Size::Entries(entries))).expect("a small table");
            (design, solver(&setup))
        })
        .collect()
}

#[test]
fn every_design_finds_the_scores_of_plumbs_own_solver() {
    let mut random = Random::new(1, 0);
    let table = Table::new(1).expect("one megabyte");
    let mut solvers = solvers();
    for number in 0..400 {
        let position = random_position(&mut random, 26 + number % 16).position;
        let expected = Solver::new(&table).score(&position).expect("not stopped");
        for (design, solver) in &mut solvers {
            // Clears the table only before every third position.
            if number % 3 == 0 {
                solver.forget();
            }
            assert_eq!(solver.solve(&position, Mode::Strong).0, expected, "{design}: {position}");
            let (weak, _) = solver.solve(&position, Mode::Weak);
            assert_eq!(weak.signum(), expected.signum(), "{design}: {position}");
        }
    }
}

#[test]
fn nodes_are_those_of_the_published_programs() {
    for &(moves, mode, upper, bounds) in PUBLISHED {
        let position = Position::from_digits(moves).expect("legal");
        let score = score_of(&position, mode);
        for (design, expected) in [(Design::CrtUpper, upper), (Design::CrtBounds, bounds)] {
            let setup = Record::new(Search::Plain, design, None).expect("its own size");
            let found = solver(&setup).solve(&position, mode);
            assert_eq!(found, (score, expected), "{design}, {mode}: {moves}");
        }
    }
}

fn score_of(position: &Position, mode: Mode) -> Score {
    let table = Table::new(1).expect("one megabyte");
    let score = Solver::new(&table).score(position).expect("not stopped");
    if mode == Mode::Weak { score.signum() } else { score }
}

#[test]
fn an_early_position_has_its_score_in_every_design() {
    let position = Position::from_digits("32164625").expect("legal");
    for (design, mut solver) in solvers().into_iter().filter(|(design, _)| *design != Design::None) {
        assert_eq!(solver.solve(&position, Mode::Strong).0, score_of(&position, Mode::Strong), "{design}");
    }
}

/// Moves, mode, and nodes of Pascal Pons's programs `part11` and `part12`.
const PUBLISHED: &[(&str, Mode, u64, u64)] = &[
    ("2252576253462244111563365343671351441", Mode::Weak, 6, 5),
    ("7422341735647741166133573473242566", Mode::Strong, 24, 24),
    ("5554224333234511764415115", Mode::Strong, 198, 168),
    ("5554224333234511764415115", Mode::Weak, 30, 30),
    ("52753311433677442422121", Mode::Strong, 48, 44),
    ("274552224131661", Mode::Strong, 333_051, 286_781),
    ("274552224131661", Mode::Weak, 217_397, 192_232),
    ("5455174361263362", Mode::Strong, 203_425, 182_112),
    ("5455174361263362", Mode::Weak, 149_499, 135_144),
    ("32164625", Mode::Strong, 18_288, 17_197),
    ("32164625", Mode::Weak, 57_604, 53_089),
];

#[test]
fn positions_that_are_over_or_won_at_once_need_no_nodes() {
    let mut solver = TableSolver::new(Search::Plain, Design::None, 0).expect("no table needs no memory");
    for (moves, expected) in [("1212121", -18), ("121212", 18)] {
        let position = Position::from_digits(moves).expect("legal");
        assert_eq!(solver.solve(&position, Mode::Strong), (expected, 0), "{moves}");
    }
}

#[test]
fn sizes_come_to_entries_and_bytes() {
    let setup =
        |design, size| Record::new(Search::Plain, design, size).map(|setup| (setup.entries, setup.bytes));
    let megabytes = Some(Size::Megabytes(16));
    assert_eq!(setup(Design::None, megabytes).expect("any"), (0, 0));
    assert_eq!(setup(Design::FullKey, None).expect("its own"), (1 << 23, 128 << 20));
    assert_eq!(setup(Design::FullKey, megabytes).expect("any"), (1 << 20, 16 << 20));
    assert_eq!(setup(Design::PackedKey, None).expect("its own"), (8_388_593, 8 * 8_388_593));
    assert_eq!(setup(Design::TwoTables, None).expect("its own"), (8_388_638, 5 * 8_388_638));
    assert_eq!(setup(Design::CrtUpper, None).expect("its own"), (8_388_617, 41_943_085));
    assert_eq!(setup(Design::Lru, None).expect("its own"), (50_000, 50_000 * 28));
    assert_eq!(setup(Design::Bucketed, megabytes).expect("any"), (1 << 21, 16 << 20));
    let one = Some(Size::Entries(1));
    assert_eq!(setup(Design::Bucketed, one).expect("whole megabytes"), (1 << 17, 1 << 20));
}
