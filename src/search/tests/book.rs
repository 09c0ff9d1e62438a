use std::time::Duration;

use super::minimax::Oracle;
use super::reports::Engine;
use crate::board::{Position, StaticGeometry};
use crate::book::tests::{Small, layer, layer_with_moves};
use crate::book::{self, Book, BookProbe, ExtensionEntries, LayerEntries};
use crate::score::max_score;
use crate::search::{Clock, Limits, Solver};

fn book_of(layers: &[u32]) -> Book {
    open(layers.iter().map(|&plies| (plies, layer::<Small>(plies)).into()).collect(), None)
}

fn book_with_moves(layers: &[u32]) -> Book {
    open(layers.iter().map(|&plies| layer_with_moves(plies, true)).collect(), None)
}

fn book_with_extension(good: bool) -> Book {
    let moves = (5..=8).flat_map(|plies| layer_with_moves(plies, good).moves).collect();
    open(vec![layer_with_moves(4, true)], Some(&ExtensionEntries { from: 0, moves }))
}

fn open(layers: Vec<LayerEntries>, extension: Option<&ExtensionEntries>) -> Book {
    let file = book::write_on(Small::default(), layers, extension).expect("a book");
    Book::open(file.into()).expect("a whole book")
}

fn some(oracle: &Oracle<Small>, plies: u32) -> Vec<Position<Small>> {
    let positions = oracle.positions().map(|(position, _)| position).filter(|p| p.plies() == plies);
    let mut positions: Vec<_> = positions.collect();
    positions.sort_unstable_by_key(Position::key);
    let step = (positions.len() / 40).max(1);
    positions.into_iter().step_by(step).collect()
}

#[test]
fn a_look_up_has_every_score_up_to_a_layer_and_a_move_that_keeps_it() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    let positions: Vec<_> = oracle.positions().filter(|(p, _)| p.plies() <= 8).collect();
    for (book, last_with_move) in [(book_of(&[1, 8]), 7), (book_with_moves(&[1, 8]), 8)] {
        for (position, score) in &positions {
            let hit = book.look_up(position).expect("within the book");
            assert_eq!(hit.score, *score, "\n{position}");
            let next = hit.best.and_then(|column| position.play(column));
            assert!(next.is_some() || position.plies() > last_with_move, "\n{position}");
            assert!(next.is_none_or(|next| -oracle.score(&next) == *score), "\n{position}");
        }
        assert_eq!(book.look_up(&some(&oracle, 9)[0]), None);
        let over = book
            .look_up(&Position::<Small>::from_digits("1212121").expect("legal"))
            .expect("within the book");
        assert_eq!((over.best, over.score < 0), (None, true));
    }
    assert_eq!(book_of(&[8]).look_up(&Position::<Small>::new()), None);
}

fn on_clock() -> Limits {
    let clock = Clock { remaining: Duration::from_secs(600), increment: Duration::ZERO, moves_to_go: None };
    Limits { clock: Some(clock), ..Limits::default() }
}

#[test]
fn bounds_past_the_last_layer_are_true() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    for (book, has_moves) in [(book_of(&[6]), false), (book_with_moves(&[6]), true)] {
        let (mut tight, mut exact, mut refuted) = (0, 0, 0);
        let table = crate::table::Table::new_on(Small::default(), 1).expect("one megabyte");
        for (position, score) in oracle.positions() {
            let bounds = book.bounds_past_last_layer(&position);
            assert_eq!(bounds.is_some(), position.plies() == 7, "\n{position}");
            let Some((lower, upper)) = bounds else { continue };
            assert!(lower <= score && score <= upper, "\n{position}");
            assert_eq!(Solver::new(&table).book(&book).score(&position), Ok(score), "\n{position}");
            tight += u32::from(lower == score);
            exact += u32::from(lower == upper);
        }
        assert!(tight > exact, "some lower bound is the score and does not prove it");
        assert_eq!(exact > 0, has_moves, "exact bounds need the book's moves");
        let past: Vec<_> = oracle.positions().map(|(position, _)| position).collect();
        for position in past.iter().filter(|p| p.plies() == 7 && p.outcome().is_none()) {
            for next in position.legal_columns().filter_map(|column| position.play(column)) {
                let Some(bound) = book.upper_bound_of_move(position, &next) else { continue };
                assert!(-oracle.score(&next) <= bound, "\n{position}\n{next}");
                refuted += u32::from(bound < max_score(Small::default()));
            }
        }
        assert_eq!(refuted > 0, has_moves, "bounds of moves need positions with exact scores");
    }
}

#[test]
fn searches_with_a_book_are_right_and_need_no_nodes_within_it() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    check_answers(&mut oracle, book_of(&[0, 4, 8]), 8);
    check_answers(&mut oracle, book_with_moves(&[0, 4, 8]), 9);
}

fn check_answers(oracle: &mut Oracle<Small>, book: Book, first_search: u32) {
    let mut engine = Engine { book: Some(book), ..Engine::new() };
    for plies in 0..=9 {
        for position in some(oracle, plies) {
            for multi_pv in [1, Small::WIDTH as usize] {
                for limits in [on_clock(), Limits::default()] {
                    let report = engine.checked_search(oracle, &position, &limits, multi_pv);
                    let last = &report.infos[report.infos.len() - 1];
                    // The book has the scores of all moves below 8 stones. Without a clock the principal
                    // variation is searched to its end.
                    let in_book = plies < if multi_pv == 1 { first_search } else { 8 };
                    let searches = !in_book || limits.clock.is_none();
                    assert!(searches || last.nodes == 0, "the book suffices:\n{position}");
                    assert!(plies != 9 || last.tb_hits == 0, "no book past the last layer");
                    let next = report.next(&position);
                    assert_eq!(-oracle.score(&next), oracle.score(&position), "\n{position}");
                }
            }
        }
    }
}

/// Counts mistakes in games from 4 to 9 stones with one node for each move.
fn mistakes_in_games(oracle: &mut Oracle<Small>, book: &Book) -> u32 {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let mut mistakes = 0;
    for mut position in some(oracle, 4) {
        let mut engines = [(); 2].map(|()| Engine { book: Some(book.clone()), ..Engine::new() });
        while position.plies() < 9 && position.outcome().is_none() {
            let engine = &mut engines[position.plies() as usize % 2];
            let next = engine.checked_search(oracle, &position, &limits, 1).next(&position);
            // The book stores no move if there is only one candidate.
            let has_choice = book::candidate_columns(&position).len() > 1;
            mistakes += u32::from(has_choice && -oracle.score(&next) != oracle.score(&position));
            position = next;
        }
    }
    mistakes
}

#[test]
fn the_extension_is_followed_without_a_search() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    let with_extension = book_with_extension(true);
    assert_eq!(mistakes_in_games(&mut oracle, &with_extension), 0);
    let without = book_with_moves(&[4]);
    assert!(mistakes_in_games(&mut oracle, &without) > 0, "the games need the extension");
}

#[test]
fn bad_moves_of_the_extension_are_refuted() {
    let mut oracle = Oracle::<Small>::of_whole_board();
    let book = book_with_extension(false);
    assert!(mistakes_in_games(&mut oracle, &book) > 0, "without time such moves are played");
    let mut engine = Engine { book: Some(book), ..Engine::new() };
    let mut hits = 0;
    for plies in 4..=8 {
        for position in some(&oracle, plies) {
            for limits in [on_clock(), Limits::default()] {
                let report = engine.checked_search(&mut oracle, &position, &limits, 1);
                hits += report.infos.iter().map(|info| info.tb_hits).max().unwrap_or(0);
                assert_eq!(-oracle.score(&report.next(&position)), oracle.score(&position), "\n{position}");
            }
        }
    }
    assert!(hits > 0);
}

#[test]
fn unreachable_positions_are_not_looked_up() {
    let book = book_of(&[8]);
    // Unreachable: all stones of the bottom row belong to the second player.
    let position = Position::<Small>::from_fen("5/5/PPP1P/ppp1p w").expect("a position");
    assert!(!position.is_reachable());
    assert!(BookProbe::new(&book, &position).is_none());
}

#[test]
fn known_lines_are_not_repeated() {
    let oracle = Oracle::<Small>::of_whole_board();
    let mut engine = Engine { book: Some(book_of(&[1, 2, 3])), ..Engine::new() };
    for position in some(&oracle, 2) {
        let report = engine.search(&position, &Limits::default(), 7);
        let lines = position.legal_columns().count();
        // Each line is reported at most twice: from the book, then to its end.
        assert!(report.infos.len() <= 2 * lines + 1, "{}\n{position}", report.infos.len());
        assert_eq!(report.final_lines(lines).len(), lines);
    }
}
