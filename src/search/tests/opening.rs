//! Searches with an opening book.

use std::time::Duration;

use super::minimax::Oracle;
use super::reports::Worker;
use crate::board::{Bits, Geometry, Narrow, Position};
use crate::book::{self, Book, Entries, LineEntries, Opening};
use crate::score::{Score, max_score};
use crate::search::{Clock, Limits};

type Small = Narrow<5, 4>;

/// A book of these layers by the oracle's word.
fn book_of(oracle: &Oracle<Small>, layers: &[u32]) -> Book<Small> {
    write(layers.iter().map(|&plies| layer(oracle, plies)).collect())
}

/// The same with moves in all layers.
fn book_with_moves(oracle: &mut Oracle<Small>, layers: &[u32]) -> Book<Small> {
    write(layers.iter().map(|&plies| layer_with_moves(oracle, plies, true)).collect())
}

/// A layer with moves; if these are not `good`, they give something away wherever that can be.
fn layer_with_moves(oracle: &mut Oracle<Small>, plies: u32, good: bool) -> Entries {
    let mut layer = layer(oracle, plies);
    for &(key, score) in &layer.scores {
        let position = Position::<Small>::from_key(key).expect("it is one");
        let choices: Vec<_> = book::choices(&position).collect();
        let mut is_wanted = |&&column: &&u32| {
            position.play(column).is_some_and(|next| (oracle.score(&next) == -score) == good)
        };
        if choices.len() > 1 {
            layer.moves.push((key, *choices.iter().find(&mut is_wanted).unwrap_or(&choices[0])));
        }
    }
    layer
}

/// A book that ends with 4 stones, and past that has moves for all positions of up to 8 stones.
fn book_with_lines(oracle: &mut Oracle<Small>, good: bool) -> Book<Small> {
    let moves = (5..=8).flat_map(|plies| layer_with_moves(oracle, plies, good).moves).collect();
    let layers = vec![layer_with_moves(oracle, 4, true)];
    open(&book::write::<Small>(layers, Some(&LineEntries { from: 0, moves })).expect("a book"))
}

fn layer(oracle: &Oracle<Small>, plies: u32) -> Entries {
    let positions = oracle.positions().filter(|(p, _)| p.plies() == plies && !p.can_win_now());
    let mut scores: Vec<(u64, Score)> =
        positions.map(|(p, score)| (p.canonical_key().to_wide() as u64, score)).collect();
    scores.sort_unstable();
    scores.dedup();
    (plies, scores).into()
}

fn write(layers: Vec<Entries>) -> Book<Small> {
    open(&book::write::<Small>(layers, None).expect("a book"))
}

fn open(file: &[u8]) -> Book<Small> {
    Book::open(file.to_vec().into()).expect("it is whole")
}

/// Some of the positions with so many stones.
fn some(oracle: &Oracle<Small>, plies: u32) -> Vec<Position<Small>> {
    let positions = oracle.positions().map(|(position, _)| *position).filter(|p| p.plies() == plies);
    let mut positions: Vec<_> = positions.collect();
    positions.sort_unstable_by_key(Position::key);
    let step = (positions.len() / 40).max(1);
    positions.into_iter().step_by(step).collect()
}

#[test]
fn a_small_search_finds_every_score_above_a_layer() {
    let oracle = Oracle::<Small>::of_whole_board();
    let book = book_of(&oracle, &[1, 8]);
    for (position, score) in oracle.positions().filter(|(p, _)| p.plies() <= 8) {
        let mut opening = Opening::new(&book, position).expect("the book goes as far as that");
        assert_eq!(opening.score(position), Some(score), "\n{position}");
    }
    let late = some(&oracle, 9)[0];
    assert!(Opening::new(&book, &late).is_none());
    // Nothing is searched for over more than six plies.
    let distant = book_of(&oracle, &[8]);
    let start = Position::new();
    assert_eq!(Opening::new(&distant, &start).expect("there is a layer below").score(&start), None);
}

/// A clock with time for everything.
fn on_clock() -> Limits {
    let clock = Clock { remaining: Duration::from_secs(600), increment: Duration::ZERO, moves_to_go: None };
    Limits { clock: Some(clock), ..Limits::default() }
}

/// One stone past the last layer, where what was before is all that the book has to say.
#[test]
fn past_the_book_its_bounds_are_true() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    for (book, has_moves) in [(book_of(&oracle, &[6]), false), (book_with_moves(&mut oracle, &[6]), true)] {
        let (mut reached, mut met) = (0, 0);
        for (position, score) in oracle.positions() {
            let bounds = Opening::bounds_past(&book, position);
            assert_eq!(bounds.is_some(), position.plies() == 7, "\n{position}");
            let Some((lower, upper)) = bounds else { continue };
            assert!(lower <= score && score <= upper, "\n{position}");
            reached += u32::from(lower == score);
            met += u32::from(lower == upper);
        }
        assert!(reached > met, "the lower bound is the score itself now and then");
        assert_eq!(met > 0, has_moves, "which is known with moves only");
        let mut refuted = 0;
        let past: Vec<_> = oracle.positions().map(|(position, _)| *position).collect();
        for position in past.iter().filter(|p| p.plies() == 7 && p.outcome().is_none()) {
            for next in position.legal_columns().filter_map(|column| position.play(column)) {
                let Some(bound) = Opening::bound_of_move(&book, position, &next) else { continue };
                assert!(-oracle.score(&next) <= bound, "\n{position}\n{next}");
                refuted += u32::from(bound < max_score::<Small>());
            }
        }
        assert_eq!(refuted > 0, has_moves, "it takes a position whose score is known");
    }
}

#[test]
fn the_book_answers_at_once_and_what_is_said_is_true() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    let books = [(book_of(&oracle, &[0, 4, 8]), 8), (book_with_moves(&mut oracle, &[0, 4, 8]), 9)];
    for (book, first_search) in books {
        check_answers(&mut oracle, book, first_search);
    }
}

/// Whether all answers with `book` are right, and none of fewer than `first_search` stones takes a search.
fn check_answers(oracle: &mut Oracle<Small>, book: Book<Small>, first_search: u32) {
    let mut worker = Worker { book: Some(book), ..Worker::new() };
    for plies in 0..=9 {
        for position in some(oracle, plies) {
            for multi_pv in [1, Small::WIDTH as usize] {
                for limits in [on_clock(), Limits::default()] {
                    let report = worker.search(&position, &limits, multi_pv);
                    report.check(&position, oracle, &limits);
                    let last = &report.infos[report.infos.len() - 1];
                    // Before the last layer the book knows every move, and there it may know one; the rest of the line is
                    // for those who have time.
                    let knows = plies < if multi_pv == 1 { first_search } else { 8 };
                    let searches = !knows || limits.clock.is_none();
                    assert!(searches || last.nodes == 0, "nothing is searched:\n{position}");
                    assert!(plies != 9 || last.tb_hits == 0, "past the last layer there is no book");
                    let best = report.answer.best.and_then(|column| position.play(column)).expect("checked");
                    assert_eq!(-oracle.score(&best), oracle.score(&position), "\n{position}");
                }
            }
        }
    }
}

/// How many moves give something away, where there is a choice, in games of two players with `book` from the positions of 4 stones up to 9, each with
/// a node for a move.
fn mistakes_in_games(oracle: &mut Oracle<Small>, book: &Book<Small>) -> u32 {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let mut mistakes = 0;
    for mut position in some(oracle, 4) {
        let mut workers = [(); 2].map(|()| Worker { book: Some(book.clone()), ..Worker::new() });
        while position.plies() < 9 && position.outcome().is_none() {
            let report = workers[position.plies() as usize % 2].search(&position, &limits, 1);
            report.check(&position, oracle, &limits);
            let next = report.answer.best.and_then(|column| position.play(column)).expect("checked");
            // Where there is no choice the book has no move.
            let has_choice = book::choices(&position).len() > 1;
            mistakes += u32::from(has_choice && -oracle.score(&next) != oracle.score(&position));
            position = next;
        }
    }
    mistakes
}

#[test]
fn lines_past_the_book_are_followed_where_there_is_no_time() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    let with_lines = book_with_lines(&mut oracle, true);
    assert_eq!(mistakes_in_games(&mut oracle, &with_lines), 0);
    let without = book_with_moves(&mut oracle, &[4]);
    assert!(mistakes_in_games(&mut oracle, &without) > 0, "there is something to be lost");
}

/// A position may pass for one that is on a line, whose move is then any.
#[test]
fn a_line_that_gives_something_away_is_found_out() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    let book = book_with_lines(&mut oracle, false);
    assert!(mistakes_in_games(&mut oracle, &book) > 0, "where there is no time it is followed");
    let mut worker = Worker { book: Some(book), ..Worker::new() };
    let mut hits = 0;
    for plies in 4..=8 {
        for position in some(&oracle, plies) {
            for limits in [on_clock(), Limits::default()] {
                let report = worker.search(&position, &limits, 1);
                report.check(&position, &mut oracle, &limits);
                hits += report.infos.iter().map(|info| info.tb_hits).max().unwrap_or(0);
                let best = report.answer.best.and_then(|column| position.play(column)).expect("checked");
                assert_eq!(-oracle.score(&best), oracle.score(&position), "\n{position}");
            }
        }
    }
    assert!(hits > 0);
}

#[test]
fn a_position_that_cannot_come_up_is_searched() {
    let oracle = Oracle::<Small>::of_whole_board();
    let book = book_of(&oracle, &[8]);
    // All of the second player's stones at the bottom, and the first player's on top of them.
    let (first, second) = ((0..4).map(|c| Small::cell(c, 1)), (0..4).map(|c| Small::cell(c, 0)));
    let set = |cells: &mut dyn Iterator<Item = u64>| cells.fold(0, |set, cell| set | cell);
    let (first, second) = (
        set(&mut first.take(3).chain([Small::cell(4, 1)])),
        set(&mut second.take(3).chain([Small::cell(4, 0)])),
    );
    let position = Position::<Small>::from_sets(first, first | second, 8);
    assert!(!position.is_reachable());
    assert!(Opening::new(&book, &position).is_none());
}
