use std::collections::HashMap;

use std::borrow::Cow;

use super::*;
use crate::board::{Bits, Narrow, Position, StaticGeometry, Wide, each_cell};
use crate::score::{Score, win_with_stone};
use crate::search::Solver;
use crate::table::Table;

pub(crate) type Small = Narrow<5, 4>;

pub(crate) fn layer<G: StaticGeometry>(plies: u32) -> Vec<(u64, Score)> {
    let table = Table::new_on(G::default(), 1).expect("one megabyte");
    let mut layer = HashMap::from([(0, Position::<G>::new())]);
    for _ in 0..plies {
        let moves = |position: Position<G>| {
            each_cell(position.playable() & !position.own_winning_cells())
                .map(move |cell| position.after(cell))
        };
        let next = layer.values().copied().flat_map(moves);
        layer = next.map(|next| (next.canonical_key().to_wide() as u64, next)).collect();
    }
    layer.retain(|_, position| !position.can_win_now());
    let mut solver = Solver::new(&table);
    let mut layer: Vec<_> =
        layer.iter().map(|(&key, position)| (key, solver.score(position).expect("not stopped"))).collect();
    layer.sort_unstable();
    layer
}

fn small_book() -> Vec<u8> {
    let layers = [7, 0, 4].map(|plies| (plies, layer::<Small>(plies)).into());
    write_on(Small::default(), layers.into(), None).expect("a book")
}

fn open(file: &[u8]) -> Result<Book, BookError> {
    Book::open(Cow::Owned(file.to_vec()))
}

fn position(moves: &str) -> Position<Small> {
    Position::from_digits(moves).expect("legal")
}

fn fault_of(file: &[u8]) -> String {
    open(file).expect_err("no book").to_string()
}

const INVALID: &str = "the book has an invalid layer table";

fn signed(mut file: Vec<u8>) -> Vec<u8> {
    let end = file.len() - 8;
    let length = file.len() as u32;
    file[16..20].copy_from_slice(&length.to_le_bytes());
    let sum = format::checksum(&file[..end]);
    file[end..].copy_from_slice(&sum.to_le_bytes());
    file
}

#[test]
fn a_file_that_is_shorter_than_header_and_checksum_is_refused() {
    for length in 28..32 {
        let file = signed(small_book()[..length].to_vec());
        assert_eq!(fault_of(&file), INVALID, "{length} bytes");
    }
}

#[test]
fn every_position_and_its_mirror_image_have_the_score() {
    let book = open(&small_book()).expect("a book");
    assert_eq!(book.layer_plies().collect::<Vec<_>>(), [0, 4, 7]);
    for plies in [0, 4, 7] {
        let entries = layer::<Small>(plies);
        let found = book.layers().iter().find(|layer| layer.plies == plies).expect("it is there");
        assert_eq!(found.positions as usize, entries.len());
        for (key, score) in entries {
            let position = Position::<Small>::from_key(key).expect("it is one");
            assert_eq!(book.layer_score(&position), Some(score));
            assert_eq!(book.layer_score(&position.mirrored()), Some(score));
            assert!(found.scores().any(|known| known == score));
        }
    }
}

pub(crate) fn layer_with_moves(plies: u32, good: bool) -> LayerEntries {
    let table = Table::new_on(Small::default(), 1).expect("one megabyte");
    let mut solver = Solver::new(&table);
    let mut layer: LayerEntries = (plies, layer::<Small>(plies)).into();
    for &(key, score) in &layer.scores {
        let position = Position::<Small>::from_key(key).expect("it is one");
        let candidates = candidate_columns(&position);
        let mut is_wanted = |&&column: &&u32| {
            position.play(column).is_some_and(|next| (solver.score(&next) == Ok(-score)) == good)
        };
        if candidates.len() > 1 {
            layer.moves.push((key, *candidates.iter().find(&mut is_wanted).unwrap_or(&candidates[0])));
        }
    }
    layer
}

#[test]
fn every_position_with_a_choice_has_a_move_that_keeps_its_score() {
    let layers = [layer_with_moves(7, true), layer_with_moves(4, true), layer_with_moves(0, true)];
    let book = open(&write_on(Small::default(), layers.to_vec(), None).expect("a book")).expect("whole");
    let table = Table::new_on(Small::default(), 1).expect("one megabyte");
    let mut solver = Solver::new(&table);
    for entries in layers {
        assert!(!entries.moves.is_empty());
        for (key, score) in entries.scores {
            for position in
                [Position::<Small>::from_key(key).expect("it is one")].map(|p| [p, p.mirrored()]).concat()
            {
                let found = book.best_move(&position);
                assert_eq!(found.is_none(), position.non_losing_moves().is_empty(), "\n{position}");
                if let Some(next) = found.and_then(|column| position.play(column)) {
                    assert_eq!(solver.score(&next), Ok(-score), "\n{position}");
                }
            }
        }
    }
    for moves in ["1", "1232325", "1212121"] {
        assert_eq!(book.best_move(&position(moves)), None, "no layer, won at once, over");
    }
    let book = open(&small_book()).expect("a book");
    assert_eq!(book.best_move(&position("")), None, "it has no moves");
    assert_eq!(book.layers()[0].move_bytes(), None);
}

fn book_with_extension() -> (Vec<u8>, ExtensionEntries) {
    let moves = [5, 6].into_iter().flat_map(|plies| layer_with_moves(plies, true).moves).step_by(2).collect();
    let lines = ExtensionEntries { from: 2, moves };
    (write_on(Small::default(), vec![layer_with_moves(4, true)], Some(&lines)).expect("a book"), lines)
}

#[test]
fn an_extension_has_its_moves_and_few_other_positions_have_any() {
    let (file, entries) = book_with_extension();
    let book = open(&file).expect("whole");
    let lines = book.extension().expect("there is one");
    assert_eq!((lines.from, lines.positions as usize), (2, entries.moves.len()));
    for &(key, column) in &entries.moves {
        let position = Position::<Small>::from_key(key).expect("it is one");
        assert_eq!(book.extension_move(&position), Some(column), "\n{position}");
        let mirrored = book.extension_move(&position.mirrored()).map(|column| 4 - column);
        // In a symmetric position both the column and its mirror image are right.
        assert!(mirrored == Some(column) || position == position.mirrored(), "\n{position}");
    }
    let mut others: Vec<_> = [5, 6, 7].into_iter().flat_map(layer::<Small>).map(|(key, _)| key).collect();
    others.retain(|key| !entries.moves.iter().any(|(known, _)| known == key));
    let found =
        others.iter().filter_map(|&key| book.extension_move(&Position::<Small>::from_key(key)?)).count();
    assert!(found * 100 < others.len(), "{found} of {}", others.len());
    for plies in [3, 4] {
        let mut within =
            layer::<Small>(plies).into_iter().filter_map(|(key, _)| Position::<Small>::from_key(key));
        assert!(within.all(|position| book.extension_move(&position).is_none()), "within the layers");
    }
    assert_eq!(book.extension_move(&position("121212")), None, "won at once");
    assert_eq!(book.extension_move(&position("1212121")), None, "over");
    let plain = open(&small_book()).expect("whole");
    assert!(plain.extension().is_none() && plain.extension_move(&position("12345123")).is_none());
}

#[test]
fn an_extension_that_does_not_fit_is_not_written() {
    let (_, lines) = book_with_extension();
    let written = |moves: &[(u64, u32)]| {
        let lines = ExtensionEntries { from: 2, moves: moves.to_vec() };
        write_on(Small::default(), vec![layer_with_moves(4, true)], Some(&lines)).is_ok()
    };
    let (key, column) = lines.moves[0];
    assert!(written(&[]) && written(&[(key, column)]));
    assert!(!written(&[(key, column), (key, column)]), "twice");
    assert!(!written(&[(key, 9)]), "no such column");
    assert!(!written(&[(u64::MAX, 0)]), "no position");
    for (from, fits) in [(4, true), (5, false), (u32::MAX, false)] {
        let lines = ExtensionEntries { from, moves: vec![(key, column)] };
        let file = write_on(Small::default(), vec![layer_with_moves(4, true)], Some(&lines));
        assert_eq!(file.is_ok(), fits, "lines from {from} stones");
    }
    let (within, column) = layer_with_moves(4, true).moves[0];
    assert!(!written(&[(within, column)]), "the layer has that");
    let mut forced = layer::<Small>(5).into_iter().filter_map(|(key, _)| {
        let candidates = candidate_columns(&Position::<Small>::from_key(key)?);
        (candidates.len() == 1).then(|| (key, candidates[0]))
    });
    let (key, column) = forced.next().expect("there are some");
    assert!(!written(&[(key, column)]), "no choice");
}

#[test]
fn other_positions_have_none_or_are_won_at_once() {
    let book = open(&small_book()).expect("a book");
    assert_eq!(book.layer_score(&position("1")), None, "no layer has one stone");
    assert_eq!(book.layer_score(&position("1232325")), Some(win_with_stone(Small::default(), 8)));
    assert_eq!(book.layer_score(&position("1212121")), None, "the game is over");
}

#[test]
fn an_incomplete_or_damaged_file_is_refused() {
    let file = small_book();
    for foreign in [&[][..], b"plumbool, and then some"] {
        assert_eq!(fault_of(foreign), "not an opening book, which starts with `plumbook`");
    }
    for length in 8..file.len() {
        let whole = if length < 24 { 24 } else { file.len() };
        assert_eq!(
            fault_of(&file[..length]),
            format!("the file is cut off after {length} of {whole} bytes; copy or build it again")
        );
    }
    let damaged = "the book is damaged: its checksum is wrong";
    assert_eq!(fault_of(&[&file[..], &[0]].concat()), damaged, "too long");
    for bit in (8 * 12..8 * file.len()).filter(|bit| !(16..20).contains(&(bit / 8))) {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(fault_of(&changed), damaged, "bit {bit}");
    }
}

#[test]
fn another_version_is_refused_by_name() {
    let mut file = small_book();
    file[8] = 1;
    assert_eq!(fault_of(&signed(file)), "the book has version 1 of the format, only 3 is known");
}

#[test]
fn invalid_headers_do_not_panic() {
    let layers = [layer_with_moves(7, true), layer_with_moves(4, true), layer_with_moves(0, true)];
    let moves = write_on(Small::default(), layers.to_vec(), None).expect("a book");
    let lines = book_with_extension().0;
    let [position, past] = ["1234", "12345"].map(position);
    for (file, layers, lines) in [(&moves, 3, 1), (&lines, 1, 14)] {
        let headers = 24 + layers * (17 + 32 + 4 * 9) + lines;
        for at in (12..16).chain(24..headers.min(file.len() - 8)) {
            for value in [0, 1, 2, 7, 8, 9, 18, 19, 63, 64, 127, 128, 254, 255] {
                let mut changed = file.clone();
                changed[at] = value;
                if let Ok(book) = open(&signed(changed)) {
                    let _some =
                        (book.layer_score(&position), book.best_move(&position), book.extension_move(&past));
                }
            }
        }
    }
    let no_layers = signed([&moves[..12], &[0; 20]].concat());
    assert_eq!(fault_of(&no_layers), INVALID);
    let mut impossible = moves;
    impossible[40] = 99;
    assert_eq!(fault_of(&signed(impossible)), INVALID);
}

#[test]
fn contents_that_form_no_book_are_not_written() {
    let check = |layers: Vec<LayerEntries>, fault: &str, why: &str| {
        let error = write_on(Small::default(), layers, None).expect_err(why);
        assert_eq!(error.to_string(), fault, "{why}");
    };
    let of = |plies: u32, scores: &[(u64, Score)]| LayerEntries::from((plies, scores.to_vec()));
    let layers = "a book needs 1 to 255 layers of different numbers of stones";
    check(vec![], layers, "no layer");
    check(vec![of(0, &[(0, 1)]), of(0, &[(0, 1)])], layers, "a layer twice");
    check(vec![of(21, &[(0, 1)])], layers, "more stones than cells");
    let keys = "the layer of 0 stones has a key twice, or too many keys";
    check(vec![of(0, &[(0, 1), (0, 1)])], keys, "a key twice");
    for score in [10, 1000] {
        let fault = format!("the score {score} for key 0: with 0 stones, -10 to 9 is possible");
        check(vec![of(0, &[(0, score)])], &fault, "an impossible score");
    }
    let whole = layer_with_moves(4, true);
    let with = |moves: Vec<_>| vec![LayerEntries { moves, ..whole.clone() }];
    assert!(write_on(Small::default(), with(whole.moves.clone()), None).is_ok());
    let moves = "the layer of 4 stones needs one candidate move for each position with a choice";
    check(with(whole.moves[1..].to_vec()), moves, "a position without its move");
    check(with(whole.moves.iter().map(|&(key, _)| (key, 9)).collect()), moves, "no such column");
    check(with([&whole.moves[..], &whole.moves].concat()), moves, "each move twice");
    let error = write_on(Wide::<9, 7>, vec![of(0, &[(0, 1)])], None).expect_err("long keys");
    assert_eq!(error.to_string(), "a board of 9x7 has keys of more than 64 bits");
}

#[test]
fn a_layer_may_have_one_score_or_no_position() {
    let file = write_on(Small::default(), vec![(0, vec![(0, -3)]).into(), (1, vec![]).into()], None)
        .expect("a book");
    assert_eq!(open(&file).expect("a book").score(&Position::<Small>::new()), Some(-3));
}
