//! Books of small boards against the solver, and files that are no books.

use std::collections::HashMap;

use super::*;
use crate::board::{Narrow, Wide, each_cell};
use crate::search::Solver;
use crate::table::Table;

type Small = Narrow<5, 4>;

/// The canonical keys of all positions with so many stones in which the mover cannot win at once, with their scores.
fn layer<G: Geometry>(plies: u32) -> Vec<(u64, Score)> {
    let table = Table::new(1, 1).expect("one megabyte");
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
    let mut layer: Vec<_> = layer.iter().map(|(&key, position)| (key, solver.score(position))).collect();
    layer.sort_unstable();
    layer
}

fn small_book() -> Vec<u8> {
    let layers = [7, 0, 4].map(|plies| (plies, layer::<Small>(plies)).into());
    write::<Small>(layers.into(), None).expect("a book")
}

fn open(file: &[u8]) -> Result<Book<Small>, BookError> {
    Book::open(Cow::Owned(file.to_vec()))
}

/// Writes the right checksum and length, as whoever makes an absurd file on purpose would.
fn signed(mut file: Vec<u8>) -> Vec<u8> {
    let end = file.len() - 8;
    let length = file.len() as u32;
    file[16..20].copy_from_slice(&length.to_le_bytes());
    let sum = checksum::checksum(&file[..end]);
    file[end..].copy_from_slice(&sum.to_le_bytes());
    file
}

#[test]
fn every_position_has_its_score_and_so_has_its_mirror_image() {
    let book = open(&small_book()).expect("a book");
    assert_eq!(book.layer_plies().collect::<Vec<_>>(), [0, 4, 7]);
    for plies in [0, 4, 7] {
        let entries = layer::<Small>(plies);
        let found = book.layers().iter().find(|layer| layer.plies() == plies).expect("it is there");
        assert_eq!(found.positions() as usize, entries.len());
        for (key, score) in entries {
            let position = Position::from_key(key).expect("it is one");
            assert_eq!(book.score(&position), Some(score));
            assert_eq!(book.score(&position.mirrored()), Some(score));
            assert!(found.scores().any(|known| known == score));
        }
    }
}

/// The entries of a layer with a move for each position that has a choice.
fn layer_with_moves(plies: u32) -> Entries {
    let table = Table::new(1, 1).expect("one megabyte");
    let mut solver = Solver::<Small>::new(&table);
    let mut layer: Entries = (plies, layer::<Small>(plies)).into();
    for &(key, score) in &layer.scores {
        let position = Position::from_key(key).expect("it is one");
        let mut choices = choices(&position);
        if choices.len() > 1 {
            let mut keeps =
                |column: &u32| position.play(*column).is_some_and(|next| -solver.score(&next) == score);
            layer.moves.push((key, choices.find(&mut keeps).expect("some move keeps the score")));
        }
    }
    layer
}

#[test]
fn every_position_with_a_choice_has_a_move_that_keeps_its_score() {
    let layers = [layer_with_moves(7), layer_with_moves(4), layer_with_moves(0)];
    let book = open(&write::<Small>(layers.to_vec(), None).expect("a book")).expect("whole");
    let table = Table::new(1, 1).expect("one megabyte");
    let mut solver = Solver::new(&table);
    for entries in layers {
        assert!(!entries.moves.is_empty());
        for (key, score) in entries.scores {
            for position in [Position::from_key(key).expect("it is one")].map(|p| [p, p.mirrored()]).concat()
            {
                let found = book.best_move(&position);
                assert_eq!(found.is_none(), position.non_losing_moves().is_empty(), "\n{position}");
                if let Some(next) = found.and_then(|column| position.play(column)) {
                    assert_eq!(-solver.score(&next), score, "\n{position}");
                }
            }
        }
    }
    let position = |moves| Position::<Small>::from_digits(moves).expect("legal");
    for moves in ["1", "1232325", "1212121"] {
        assert_eq!(book.best_move(&position(moves)), None, "no layer, won at once, over");
    }
    let book = open(&small_book()).expect("a book");
    assert_eq!(book.best_move(&Position::new()), None, "it has no moves");
    assert_eq!(book.layers()[0].move_bytes(), None);
}

/// A book that ends with 4 stones, and of every other position of 5 and 6 stones a move that keeps the score.
fn book_with_lines() -> (Vec<u8>, LineEntries) {
    let table = Table::new(1, 1).expect("one megabyte");
    let mut solver = Solver::<Small>::new(&table);
    let mut moves = Vec::new();
    for (key, score) in [5, 6].into_iter().flat_map(layer::<Small>).step_by(2) {
        let position = Position::from_key(key).expect("it is one");
        let mut keeps =
            |column: &u32| position.play(*column).is_some_and(|next| -solver.score(&next) == score);
        if choices(&position).len() > 1 {
            moves.push((key, choices(&position).find(&mut keeps).expect("some move keeps the score")));
        }
    }
    let lines = LineEntries { from: 2, moves };
    (write::<Small>(vec![layer_with_moves(4)], Some(&lines)).expect("a book"), lines)
}

#[test]
fn lines_have_their_moves_and_few_other_positions_have_any() {
    let (file, entries) = book_with_lines();
    let book = open(&file).expect("whole");
    let lines = book.lines().expect("there are lines");
    assert_eq!((lines.from(), lines.positions() as usize), (2, entries.moves.len()));
    for &(key, column) in &entries.moves {
        let position = Position::from_key(key).expect("it is one");
        assert_eq!(book.line_move(&position), Some(column), "\n{position}");
        let mirrored = book.line_move(&position.mirrored()).map(|column| 4 - column);
        // Either column will do where the position is its own image.
        assert!(mirrored == Some(column) || position == position.mirrored(), "\n{position}");
    }
    let mut others: Vec<_> = [5, 6, 7].into_iter().flat_map(layer::<Small>).map(|(key, _)| key).collect();
    others.retain(|key| !entries.moves.iter().any(|(known, _)| known == key));
    let found = others.iter().filter_map(|&key| book.line_move(&Position::from_key(key)?)).count();
    assert!(found * 100 < others.len(), "{found} of {}", others.len());
    for plies in [3, 4] {
        let mut within = layer::<Small>(plies).into_iter().filter_map(|(key, _)| Position::from_key(key));
        assert!(within.all(|position| book.line_move(&position).is_none()), "that is not past the book");
    }
    let position = |moves| Position::<Small>::from_digits(moves).expect("legal");
    assert_eq!(book.line_move(&position("121212")), None, "won at once");
    assert_eq!(book.line_move(&position("1212121")), None, "over");
    let plain = open(&small_book()).expect("whole");
    assert!(plain.lines().is_none() && plain.line_move(&position("12345123")).is_none());
}

#[test]
fn lines_that_cannot_be_are_not_written() {
    let (_, lines) = book_with_lines();
    let written = |moves: &[(u64, u32)]| {
        let lines = LineEntries { from: 2, moves: moves.to_vec() };
        write::<Small>(vec![layer_with_moves(4)], Some(&lines)).is_some()
    };
    let (key, column) = lines.moves[0];
    assert!(written(&[]) && written(&[(key, column)]));
    assert!(!written(&[(key, column), (key, column)]), "twice");
    assert!(!written(&[(key, 9)]), "no such column");
    assert!(!written(&[(u64::MAX, 0)]), "no position");
    for (from, fits) in [(4, true), (5, false), (u32::MAX, false)] {
        let lines = LineEntries { from, moves: vec![(key, column)] };
        let file = write::<Small>(vec![layer_with_moves(4)], Some(&lines));
        assert_eq!(file.is_some(), fits, "lines from {from} stones");
    }
    let (within, column) = layer_with_moves(4).moves[0];
    assert!(!written(&[(within, column)]), "the layer has that");
    let mut forced = layer::<Small>(5).into_iter().filter_map(|(key, _)| {
        let choices: Vec<_> = choices(&Position::<Small>::from_key(key)?).collect();
        (choices.len() == 1).then(|| (key, choices[0]))
    });
    let (key, column) = forced.next().expect("there are some");
    assert!(!written(&[(key, column)]), "no choice");
}

#[test]
fn other_positions_have_none_or_are_won_at_once() {
    let book = open(&small_book()).expect("a book");
    let position = |moves| Position::<Small>::from_digits(moves).expect("legal");
    assert_eq!(book.score(&position("1")), None, "no layer has one stone");
    assert_eq!(book.score(&position("1232325")), Some(win_with_stone::<Small>(8)));
    assert_eq!(book.score(&position("1212121")), None, "the game is over");
}

#[test]
fn a_file_that_is_not_whole_is_refused() {
    let file = small_book();
    assert_eq!(open(&[]).expect_err("empty"), BookError::Foreign);
    assert_eq!(open(b"plumbool, and then some").expect_err("foreign"), BookError::Foreign);
    for length in 8..file.len() {
        let error = open(&file[..length]).expect_err("too short");
        assert!(matches!(error, BookError::Truncated { found, .. } if found == length), "{error}");
    }
    let longer = [&file[..], &[0]].concat();
    assert_eq!(open(&longer).expect_err("too long"), BookError::Damaged);
    for bit in (8 * 12..8 * file.len()).filter(|bit| !(16..20).contains(&(bit / 8))) {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(open(&changed).expect_err("damaged"), BookError::Damaged, "bit {bit}");
    }
}

#[test]
fn another_version_or_board_is_refused_by_name() {
    let mut file = small_book();
    let error = Book::<Standard>::open(file.clone().into()).expect_err("another board");
    assert_eq!(error.to_string(), "the book is for a board of 5x4, not of 7x6");
    assert_eq!(board_of(&file), Ok((5, 4)));
    file[8] = 1;
    let error = open(&signed(file)).expect_err("another version");
    assert_eq!(error.to_string(), "the book has version 1 of the format, only 3 is known");
}

/// Whatever its headers say, opening a file and looking something up in it does not panic.
#[test]
fn absurd_headers_do_no_harm() {
    let layers = [layer_with_moves(7), layer_with_moves(4), layer_with_moves(0)];
    let moves = write::<Small>(layers.to_vec(), None).expect("a book");
    let lines = book_with_lines().0;
    let [position, past] =
        ["1234", "12345"].map(|moves| Position::<Small>::from_digits(moves).expect("legal"));
    for (file, layers, lines) in [(&moves, 3, 1), (&lines, 1, 14)] {
        let headers = 24 + layers * (17 + 32 + 4 * 9) + lines;
        for at in (12..16).chain(24..headers.min(file.len() - 8)) {
            for value in [0, 1, 2, 7, 8, 9, 18, 19, 63, 64, 127, 128, 254, 255] {
                let mut changed = file.clone();
                changed[at] = value;
                if let Ok(book) = open(&signed(changed)) {
                    let _some = (book.score(&position), book.best_move(&position), book.line_move(&past));
                }
            }
        }
    }
    let file = moves;
    let no_layers = signed([&file[..12], &[0; 20]].concat());
    assert_eq!(open(&no_layers).expect_err("no layers"), BookError::Absurd);
}

#[test]
fn what_is_no_book_is_not_written() {
    assert_eq!(write::<Small>(vec![], None), None, "no layer");
    assert_eq!(
        write::<Small>(vec![(0, vec![(0, 1)]).into(), (0, vec![(0, 1)]).into()], None),
        None,
        "a layer twice"
    );
    assert_eq!(write::<Small>(vec![(0, vec![(0, 1), (0, 1)]).into()], None), None, "a key twice");
    assert_eq!(write::<Small>(vec![(0, vec![(0, 1000)]).into()], None), None, "no score");
    let whole = layer_with_moves(4);
    assert!(write::<Small>(vec![whole.clone()], None).is_some());
    assert_eq!(
        write::<Small>(vec![Entries { moves: whole.moves[1..].to_vec(), ..whole.clone() }], None),
        None
    );
    let with = |column| whole.moves.iter().map(|&(key, _)| (key, column)).collect();
    assert_eq!(
        write::<Small>(vec![Entries { moves: with(9), ..whole.clone() }], None),
        None,
        "no such column"
    );
    assert_eq!(
        write::<Small>(vec![Entries { moves: [&whole.moves[..], &whole.moves].concat(), ..whole }], None),
        None
    );
    assert_eq!(write::<Small>(vec![(21, vec![(0, 1)]).into()], None), None, "more stones than cells");
    assert_eq!(write::<Wide<9, 7>>(vec![(0, vec![(0, 1)]).into()], None), None, "too large a board");
}

#[test]
fn a_layer_may_have_one_score_or_no_position() {
    let file = write::<Small>(vec![(0, vec![(0, -3)]).into(), (1, vec![]).into()], None).expect("a book");
    assert_eq!(open(&file).expect("a book").score(&Position::new()), Some(-3));
}
