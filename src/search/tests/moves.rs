use std::num::NonZeroU32;
use std::time::Duration;

use super::minimax::Oracle;
use super::reports::{Engine, Report};
use super::samples;
use crate::board::{Narrow, Position, Standard, StaticGeometry, Wide};
use crate::score::{Score, Value, plies_to_end};
use crate::search::driver::Driver;
use crate::search::{
    Bound, Clock, Limits, Search, SearchInfo, SearchMemory, SearchResult, Settings, StopFlag, Strength,
};
use crate::table::Table;

struct Rig<G: StaticGeometry> {
    engine: Engine<G>,
    oracle: Oracle<G>,
}

impl<G: StaticGeometry> Rig<G> {
    fn new(empty_cells: u32) -> Self {
        let oracle = if empty_cells >= 16 { Oracle::of_whole_board() } else { Oracle::new() };
        Self { engine: Engine::new(), oracle }
    }

    fn search(&mut self, position: &Position<G>, limits: &Limits, multi_pv: usize) -> Report {
        self.engine.checked_search(&mut self.oracle, position, limits, multi_pv)
    }
}

type Check<G> = fn(&mut Rig<G>, &Position<G>, u32);

fn check_samples<G: StaticGeometry>(seed: u64, empty_cells: u32, count: usize, check: Check<G>) {
    let mut rig = Rig::new(empty_cells);
    for (position, number) in samples::positions::<G>(seed, 1..=empty_cells).take(count).zip(0..) {
        check(&mut rig, &position, number);
    }
}

fn samples_of_small_boards(count: usize) {
    check_samples::<Narrow<5, 4>>(10, 20, count / 4, check_solved);
    check_samples::<Narrow<4, 5>>(11, 20, count / 4, check_solved);
    check_samples::<Narrow<5, 5>>(12, 11, count / 4, check_solved);
    check_samples::<Narrow<4, 6>>(13, 12, count / 8, check_solved);
    check_samples::<Narrow<6, 4>>(14, 12, count / 8, check_solved);
}

fn check_solved<G: StaticGeometry>(rig: &mut Rig<G>, position: &Position<G>, _: u32) {
    let score = rig.oracle.score(position);
    let report = rig.search(position, &Limits::default(), 1);
    assert_eq!(-rig.oracle.score(&report.next(position)), score, "the move loses something:\n{position}");
    let last = report.final_lines(1)[0];
    assert_eq!(last.bound, Bound::Exact, "{last:?}\n{position}");
    assert_eq!(last.value, crate::score::to_value(G::default(), score, position.plies()), "\n{position}");
}

fn check_all_lines<G: StaticGeometry>(rig: &mut Rig<G>, position: &Position<G>, _: u32) {
    let report = rig.search(position, &Limits::default(), G::WIDTH as usize);
    let scores = rig.oracle.move_scores(position);
    let mut last = None;
    for (info, rank) in report.final_lines(scores.len()).iter().zip(1..) {
        let score: Score =
            scores.iter().find(|&&(column, _)| column == info.pv[0]).expect("checked already").1;
        assert_eq!((info.multi_pv, info.bound), (Some(rank), Bound::Exact), "{info:?}\n{position}");
        assert_eq!(info.value, crate::score::to_value(G::default(), score, position.plies()), "\n{position}");
        assert!(last.is_none_or(|last| last >= score), "line {rank} is too late:\n{position}");
        last = Some(score);
    }
}

fn check_every_position<G: StaticGeometry>(check: Check<G>) {
    let mut rig = Rig::new(G::CELLS);
    let positions: Vec<_> = rig.oracle.positions().map(|(position, _)| position).collect();
    for position in &positions {
        check(&mut rig, position, 0);
    }
}

#[test]
fn the_chosen_move_keeps_the_score_of_every_small_position() {
    check_every_position::<Narrow<4, 4>>(check_solved);
}

#[test]
fn the_chosen_move_keeps_the_score_of_samples() {
    samples_of_small_boards(20_000);
}

#[test]
#[ignore = "takes minutes"]
fn the_chosen_move_keeps_the_score_of_many_samples() {
    samples_of_small_boards(100_000);
}

#[test]
fn a_search_after_the_reply_builds_on_the_one_before() {
    type Small = Narrow<5, 4>;
    let mut rig = Rig::new(Small::CELLS);
    let [all, some] = [None, Some(50)].map(|nodes| Limits { nodes, ..Limits::default() });
    let (mut kept, mut lost) = (0, 0);
    for position in samples::positions::<Small>(15, 6..=16).take(500) {
        for (reply, limits) in (0..Small::WIDTH).flat_map(|reply| [(reply, &some), (reply, &all)]) {
            let after = rig.search(&position, &all, 1).next(&position).play(reply);
            let Some(after) = after.filter(|after| after.outcome().is_none()) else { continue };
            let expected =
                rig.engine.memory.on(rig.engine.table.board()).expected_next.expect("the score is exact");
            let (expected_score, is_proven) = expected.in_position(&after).expect("it is one reply away");
            assert!(is_proven);
            let score = rig.oracle.score(&after);
            assert!(expected_score <= score, "\n{after}");
            *if expected_score == score { &mut kept } else { &mut lost } += 1;
            if limits.nodes.is_none() {
                check_solved(&mut rig, &after, 0);
            } else {
                rig.search(&after, limits, 1);
            }
        }
    }
    assert!(kept > 0 && lost > 0, "replies that keep the score, and others");
}

#[test]
fn every_line_has_its_own_score() {
    check_samples::<Narrow<4, 4>>(20, 16, 2_000, check_all_lines);
    check_samples::<Wide<4, 4>>(20, 16, 500, check_all_lines);
    check_samples::<Narrow<5, 4>>(20, 13, 1_000, check_all_lines);
    check_samples::<Narrow<5, 5>>(20, 11, 1_000, check_all_lines);
    check_samples::<Narrow<6, 4>>(20, 12, 500, check_all_lines);
    check_samples::<Standard>(20, 10, 200, check_all_lines);
}

#[test]
#[ignore = "takes half a minute"]
fn every_line_of_every_small_position_has_its_own_score() {
    check_every_position::<Narrow<4, 4>>(check_all_lines);
}

fn early_ends(width: u32, seed: u32) -> Vec<Limits> {
    let depths = (1..=8).map(|depth| Limits { depth: Some(depth), ..Limits::default() });
    let nodes = [1, 2, 5, 10, 30, 100, 300, 1_000, 3_000]
        .map(|nodes| Limits { nodes: Some(nodes), ..Limits::default() });
    let mates = [1, 3, 4, 7].map(|mate| Limits { mate: Some(mate), ..Limits::default() });
    let chosen = [vec![seed % width], vec![seed % width, (seed + 2) % width]]
        .map(|search_moves| Limits { search_moves, ..Limits::default() });
    let both = [Limits { depth: Some(4), nodes: Some(50), ..Limits::default() }];
    depths.chain(nodes).chain(mates).chain(chosen).chain(both).collect()
}

fn check_reports<G: StaticGeometry>(rig: &mut Rig<G>, position: &Position<G>, number: u32) {
    let within =
        |score: Score, mate| score > 0 && plies_to_end(G::default(), score, position.plies()) <= mate;
    for limits in early_ends(G::WIDTH, number) {
        for multi_pv in [1, G::WIDTH as usize] {
            // With a full table, later searches would find everything immediately.
            rig.engine.table.clear();
            rig.search(position, &limits, multi_pv);
        }
        if let Some(mate) = limits.mate
            && within(rig.oracle.score(position), mate)
        {
            let next = rig.search(position, &limits, 1).next(position);
            assert!(within(-rig.oracle.score(&next), mate), "mate {mate} missed:\n{position}");
        }
    }
}

#[test]
fn reports_of_limited_searches_are_true() {
    check_samples::<Narrow<4, 4>>(30, 16, 200, check_reports);
    check_samples::<Narrow<5, 4>>(30, 13, 200, check_reports);
    check_samples::<Narrow<5, 5>>(30, 11, 200, check_reports);
    check_samples::<Narrow<6, 4>>(30, 12, 100, check_reports);
    check_samples::<Standard>(30, 10, 50, check_reports);
}

fn check_bounds<G: StaticGeometry>(rig: &mut Rig<G>, position: &Position<G>, number: u32) {
    let Rig { engine, oracle } = rig;
    for limits in early_ends(G::WIDTH, number) {
        engine.table.clear();
        let (search, stop) = (Search::new(position).limits(limits.clone()), StopFlag::new());
        let (mut report, memory) = (|_| (), engine.memory.on(engine.table.board()));
        let mut driver = Driver::new(engine.geometry, &search, &engine.table, memory, &stop, &mut report);
        let _ended = driver.search();
        for m in &driver.root.moves {
            let score = -oracle.score(&m.next);
            assert!((m.lower..=m.upper).contains(&score), "{score} by {m:?}, {limits:?}\n{position}");
        }
    }
}

#[test]
fn bounds_at_the_root_are_true() {
    check_samples::<Narrow<4, 4>>(40, 16, 500, check_bounds);
    check_samples::<Narrow<5, 4>>(40, 13, 500, check_bounds);
    check_samples::<Narrow<5, 5>>(40, 11, 500, check_bounds);
    check_samples::<Narrow<6, 4>>(40, 12, 300, check_bounds);
    check_samples::<Standard>(40, 11, 100, check_bounds);
}

#[test]
fn a_pondering_search_has_no_deadline_before_the_hit() {
    let position: Position<Standard> = "444444".parse().expect("valid");
    let (mut engine, stop) = (Engine::<Standard>::new(), StopFlag::new());
    for ponder in [false, true] {
        let limits = Limits { ponder, move_time: Some(Duration::from_secs(60)), ..Limits::default() };
        let (search, mut report) = (Search::new(&position).limits(limits), |_| ());
        let memory = engine.memory.on(engine.table.board());
        let driver = Driver::new(engine.geometry, &search, &engine.table, memory, &stop, &mut report);
        let control = &driver.exact.control;
        assert_eq!((control.deadline.is_none(), control.time_after_ponder_hit.is_some()), (ponder, ponder));
    }
}

#[test]
fn limited_searches_are_the_same_every_time() {
    fn each<G: StaticGeometry>(empty_cells: u32, count: usize) {
        for (position, seed) in samples::positions::<G>(50, 2..=empty_cells).take(count).zip(0..) {
            for limits in early_ends(G::WIDTH, seed).iter().step_by(3) {
                for multi_pv in [1, 3] {
                    let [one, other] = [(); 2].map(|()| Engine::new().search(&position, limits, multi_pv));
                    assert_eq!(one.result, other.result, "{limits:?}\n{position}");
                    assert_eq!(one.infos, other.infos, "{limits:?}\n{position}");
                }
            }
        }
    }
    each::<Narrow<5, 4>>(20, 10);
    each::<Standard>(24, 20);
}

#[test]
fn a_lost_position_on_a_clock_is_solved() {
    let clock = Clock { remaining: Duration::from_secs(600), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let mut lost = 0;
    for position in samples::positions::<Standard>(60, 12..=22).take(80) {
        let info = Engine::new().search(&position, &limits, 1).result.info;
        if matches!(info.value, Value::Loss { .. }) && position.non_losing_moves().count_ones() > 1 {
            assert_eq!(info.bound, Bound::Exact, "{position}");
            lost += 1;
        }
    }
    assert!(lost > 5, "{lost} lost positions");
}

#[test]
fn a_level_plays_the_same_move_after_any_search() {
    let mut memory = SearchMemory::default();
    for position in samples::positions::<Standard>(61, 20..=38).take(20) {
        let mut settings = Settings::default();
        (settings.strength, settings.seed) = (Strength::Level(16.0), NonZeroU32::new(1));
        let table = Table::new(1).expect("one megabyte");
        let limits = Limits::default().with_nodes(200_000);
        let fresh = Search::new(&position).limits(limits.clone()).settings(settings.clone()).run(&table);
        let _ = Search::new(&position).limits(limits.clone()).memory(&mut memory).run(&table);
        let after = Search::new(&position).limits(limits).settings(settings).memory(&mut memory).run(&table);
        let best = |result: Result<SearchResult, _>| result.map(|result| result.best);
        assert_eq!(best(after), best(fresh), "{position}");
    }
}

#[test]
fn the_best_line_is_estimated_where_every_other_one_loses() {
    let position: Position = "41414".parse().expect("a legal position, in which d blocks a win");
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    for lines in [1, 2] {
        let infos = Engine::new().search(&position, &limits, lines).infos;
        let is_estimate = |info: &&SearchInfo| matches!(info.value, Value::Estimate(_)) && info.pv[0] == 3;
        let depth = infos.iter().filter(is_estimate).map(|info| info.depth).max();
        assert!(depth >= Some(2), "{lines}: {infos:#?}");
    }
}

#[test]
fn a_board_that_cannot_be_solved_is_searched_deeper() {
    let mut engine = Engine::<Wide<16, 7>>::new();
    let position = Position::from_digits("5433655244").expect("legal");
    let depth = |engine: &mut Engine<_>, nodes| {
        engine.memory.clear();
        engine.table.clear();
        engine.search(&position, &Limits { nodes: Some(nodes), ..Limits::default() }, 1).result.info.depth
    };
    let (shallow, deep) = (depth(&mut engine, 50_000), depth(&mut engine, 1_500_000));
    assert!(deep >= 9 && deep > shallow, "depth {shallow}, then {deep}");
}
