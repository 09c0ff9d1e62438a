use std::time::Duration;

use super::minimax::Oracle;
use super::samples::positions;
use crate::board::{Board, Narrow, Position, Standard, StaticGeometry};
use crate::clock::Instant;
use crate::search::driver::Driver;
use crate::search::{Bound, Limits, Search, SearchMemory, SearchResult, Settings, StopFlag, Value};
use crate::table::Table;

fn search<G: StaticGeometry>(position: &Position<G>, nodes: u64, swindle: bool) -> SearchResult {
    let table = Table::new_on(position.geometry(), 1).expect("one megabyte");
    let settings = Settings { swindle, ..Settings::default() };
    let search = Search::new(position).limits(Limits::default().with_nodes(nodes)).settings(settings);
    search.run(&table).expect("nothing is wrong with it")
}

fn check_results_are_kept<G: StaticGeometry>(seed: u64, count: usize, empty_cells: u32) {
    let mut oracle = Oracle::new();
    let mut chosen = 0;
    for position in positions::<G>(seed, 4..=empty_cells).take(count) {
        let result = search(&position, 30_000, true);
        let next = result.best.and_then(|column| position.play(column)).expect("a legal move");
        let score = oracle.score(&position);
        assert_eq!(-oracle.score(&next).signum(), score.signum(), "{position:?}");
        if score > 0 {
            assert_eq!(-oracle.score(&next), score, "{position:?}");
            assert_eq!(result.swindle, None);
        }
        chosen += usize::from(result.swindle.is_some_and(|choice| choice.column != choice.preferred));
    }
    assert!(chosen > 0, "no choice differs from that of the exact search");
}

#[test]
fn no_choice_gives_the_result_away() {
    check_results_are_kept::<Narrow<4, 4>>(1, 150, 12);
    check_results_are_kept::<Narrow<5, 4>>(2, 150, 13);
    check_results_are_kept::<Standard>(3, 150, 12);
}

#[test]
fn no_win_is_hung_and_no_loss_shortened_for_nothing() {
    let mut oracle = Oracle::new();
    let is_hung = |position: &Position<Standard>, column| {
        position.play(column).is_some_and(|next| next.outcome().is_none() && next.can_win_now())
    };
    let is_wanted = |position: &Position<Standard>| {
        let hung = position.legal_columns().filter(|&column| is_hung(position, column)).count();
        hung > 0 && hung < position.legal_columns().count() && oracle.score(position) < 0
    };
    let lost: Vec<_> = positions(7, 6..=16).filter(is_wanted).take(1_000).collect();
    for position in lost {
        for nodes in [50, 1_000, 30_000] {
            let result = search(&position, nodes, true);
            let best = result.best.expect("a move");
            assert!(!is_hung(&position, best), "{position:?}, {nodes} nodes: {best}");
            let Some(choice) = result.swindle else { continue };
            let [chosen, preferred] = [choice.column, choice.preferred]
                .map(|column| -oracle.score(&position.play(column).expect("legal")));
            // Both expected values are rounded to thousandths.
            let is_gain = choice.expected + 1 >= choice.expected_of_preferred + 50;
            assert!(chosen >= preferred || is_gain, "{position:?}: {choice:?}");
        }
    }
}

#[test]
fn a_choice_depends_on_position_and_nodes_alone() {
    for position in positions::<Standard>(4, 14..=24).take(20) {
        let (mut one, mut other) = (search(&position, 50_000, true), search(&position, 50_000, true));
        for result in [&mut one, &mut other] {
            result.info.time = std::time::Duration::ZERO;
        }
        assert_eq!(one, other);
        assert!(one.info.nodes <= 50_000);
    }
}

#[test]
fn expected_points_are_no_less_than_those_of_the_preferred_move() {
    let (mut same, mut other) = (0, 0);
    for position in positions::<Standard>(5, 12..=26).take(1_200) {
        let Some(choice) = search(&position, 40_000, true).swindle else { continue };
        assert!(choice.expected <= 1000 && choice.depth >= 1, "{choice:?}");
        if choice.column == choice.preferred {
            assert_eq!(choice.expected, choice.expected_of_preferred, "{choice:?}");
            same += 1;
        } else {
            assert!(choice.expected >= choice.expected_of_preferred, "{choice:?}");
            other += 1;
        }
    }
    assert!(same > 5 && other > 5, "too few choices of a kind: {same}, {other}");
}

#[test]
fn after_a_ponder_hit_the_choice_has_its_share_of_the_time() {
    let (table, time) = (Table::new(1).expect("one megabyte"), Duration::from_secs(60));
    let lost = |position: &Position| matches!(search(position, 200_000, true).info.value, Value::Loss { .. });
    let position = positions::<Standard>(6, 14..=18).find(lost).expect("a lost position");
    for is_hit in [false, true] {
        let (stop, mut memory, mut report) = (StopFlag::new(), SearchMemory::default(), |_| ());
        if is_hit {
            stop.ponder_hit();
        }
        let limits = Limits { ponder: true, move_time: Some(time), ..Limits::default() };
        let settings = Settings { swindle: true, ..Settings::default() };
        let search = Search::new(&position).limits(limits).settings(settings);
        let memory = memory.on(table.board());
        let mut driver = Driver::new(Standard::default(), &search, &table, memory, &stop, &mut report);
        driver.search().and_then(|()| driver.swindle()).expect("there is time");
        let (control, share) = (&driver.exact.control, time.mul_f64(0.75));
        if is_hit {
            assert!(control.deadline.is_some_and(|deadline| deadline <= Instant::now() + share));
        } else {
            assert_eq!(control.time_after_ponder_hit, Some(share));
        }
    }
}

#[test]
fn replies_of_a_game_change_the_estimate_of_the_opponent() {
    let table = Table::new(1).expect("one megabyte");
    let mut memory = SearchMemory::default();
    let shares = |memory: &mut SearchMemory| memory.on(Board::default()).opponent.shares;
    let before = shares(&mut memory);
    let settings = Settings { swindle: true, ..Settings::default() };
    let mut position = positions::<Standard>(6, 14..=18)
        .find(|position| {
            let result = search(position, 200_000, true);
            result.swindle.is_some() && matches!(result.info.value, Value::Loss { .. })
        })
        .expect("a lost position");
    for _ in 0..2 {
        let limits = Limits::default().with_nodes(200_000);
        let search = Search::new(&position).limits(limits).settings(settings.clone()).memory(&mut memory);
        let best = search.run(&table).expect("nothing is wrong with it").best.expect("not over");
        position = position.play(best).expect("legal");
        let Some(reply) = position.legal_columns().next() else { break };
        position = position.play(reply).expect("legal");
        if position.outcome().is_some() {
            break;
        }
    }
    let after = shares(&mut memory);
    assert_ne!(before.map(f64::to_bits), after.map(f64::to_bits));
    assert!((after.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{after:?}");
    memory.clear();
    assert_eq!(shares(&mut memory).map(f64::to_bits), before.map(f64::to_bits));
}

#[test]
fn the_last_report_of_a_known_score_is_exact() {
    let mut oracle = Oracle::<Standard>::new();
    let mut lost = 0;
    for position in positions::<Standard>(8, 6..=16).take(600) {
        let SearchResult { info, swindle: Some(choice), .. } = search(&position, 40_000, true) else {
            continue;
        };
        let end =
            info.pv.iter().try_fold(position, |position, &column| position.play(column)).expect("legal");
        let next = position.play(choice.column).expect("legal");
        let is_best = oracle.score(&next) == -oracle.score(&position);
        if oracle.score(&position) < 0 && is_best && end.outcome().is_some() {
            assert_eq!(info.bound, Bound::Exact, "{position:?}: {info:?}");
            lost += 1;
        }
    }
    assert!(lost > 5, "{lost} lost positions");
}
