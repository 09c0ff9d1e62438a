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
    write::<Small>(vec![(7, layer::<Small>(7)), (0, layer::<Small>(0)), (4, layer::<Small>(4))])
        .expect("a book")
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
    file[8] = 2;
    let error = open(&signed(file)).expect_err("another version");
    assert_eq!(error.to_string(), "the book has version 2 of the format, only 1 is known");
}

/// Whatever its headers say, opening a file and looking something up in it does not panic.
#[test]
fn absurd_headers_do_no_harm() {
    let file = small_book();
    let position = Position::<Small>::from_digits("1234").expect("legal");
    let headers = 24 + 3 * (16 + 32);
    for at in (12..16).chain(24..headers.min(file.len() - 8)) {
        for value in [0, 1, 2, 7, 8, 9, 18, 19, 63, 64, 127, 128, 254, 255] {
            let mut changed = file.clone();
            changed[at] = value;
            if let Ok(book) = open(&signed(changed)) {
                let _some = book.score(&position);
            }
        }
    }
    let no_layers = signed([&file[..12], &[0; 20]].concat());
    assert_eq!(open(&no_layers).expect_err("no layers"), BookError::Absurd);
}

#[test]
fn what_is_no_book_is_not_written() {
    assert_eq!(write::<Small>(vec![]), None, "no layer");
    assert_eq!(write::<Small>(vec![(0, vec![(0, 1)]), (0, vec![(0, 1)])]), None, "a layer twice");
    assert_eq!(write::<Small>(vec![(0, vec![(0, 1), (0, 1)])]), None, "a key twice");
    assert_eq!(write::<Small>(vec![(0, vec![(0, 1000)])]), None, "no score");
    assert_eq!(write::<Small>(vec![(21, vec![(0, 1)])]), None, "more stones than cells");
    assert_eq!(write::<Wide<9, 7>>(vec![(0, vec![(0, 1)])]), None, "too large a board");
}

#[test]
fn a_layer_may_have_one_score_or_no_position() {
    let file = write::<Small>(vec![(0, vec![(0, -3)]), (1, vec![])]).expect("a book");
    assert_eq!(open(&file).expect("a book").score(&Position::new()), Some(-3));
}
