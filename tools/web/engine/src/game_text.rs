//! Games in any notation, for the page.

use std::fmt::Display;

use plumb::board::{
    Board, BoardSize, Geometry, Move, ParsePositionError, Position, PositionReader, column_names,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

struct Fault {
    /// Number of words before the wrong word.
    before: usize,
    word: String,
    reason: String,
}

impl Fault {
    fn new(before: usize, word: &str, reason: impl Display) -> Self {
        Self { before, word: word.to_owned(), reason: reason.to_string() }
    }

    fn of(error: &ParsePositionError, text: &str) -> Self {
        Self::new(words(text.get(..error.offset).unwrap_or_default()).count(), &error.token, &error.fault)
    }
}

/// Reads a game in any form of [`PositionReader`], or a FEN followed by `moves` and a list of moves.
///
/// `board` is the size of the board, such as `7x6`. A FEN names its own size.
///
/// Returns two lines: the FEN of the start, and the column letters of the moves.
///
/// # Errors
/// Three lines: the number of words before the wrong word, the wrong word, and the reason.
#[wasm_bindgen(js_name = readGame)]
pub fn read_game(text: &str, board: &str) -> Result<String, JsValue> {
    let (start, columns) = read(text, board)
        .map_err(|fault| JsValue::from_str(&format!("{}\n{}\n{}", fault.before, fault.word, fault.reason)))?;
    Ok(format!("{start}\n{}", column_names(u32::MAX, columns)))
}

fn read(text: &str, board: &str) -> Result<(Position<Board>, Vec<u32>), Fault> {
    let is_fen = text.contains('/');
    let (first, moves) = match text.split_once(" moves") {
        Some((fen, moves)) if is_fen => (fen, moves),
        _ => (text, ""),
    };
    let rows = words(first).find(|word| word.contains('/'));
    let size = rows.and_then(BoardSize::of_fen).map(|size| size.to_string());
    let board = size.as_deref().unwrap_or(board);
    let board: Board = board.parse().map_err(|error| Fault::new(0, board, error))?;
    let read = PositionReader::new(board).read(first).map_err(|error| Fault::of(&error, first))?;
    if let Some(columns) = read.columns {
        return Ok((Position::empty(board), columns));
    }
    Ok((read.position, play(read.position, moves, words(first).count() + 1)?))
}

/// The columns of moves. `before`: number of words before the moves.
fn play(mut position: Position<Board>, moves: &str, before: usize) -> Result<Vec<u32>, Fault> {
    let mut columns = Vec::new();
    for (index, word) in split_moves(moves, position.geometry().width()).into_iter().enumerate() {
        let next: Move = word.parse().map_err(|error| Fault::new(before + index, word, error))?;
        position = position.try_play(next).map_err(|error| Fault::new(before + index, word, error))?;
        columns.push(next.column);
    }
    Ok(columns)
}

/// The words of a list, or the characters of a single word.
fn split_moves(moves: &str, width: u32) -> Vec<&str> {
    let list: Vec<&str> = words(moves).collect();
    let &[only] = list.as_slice() else { return list };
    let are_digits = width < 10 && only.bytes().all(|byte| byte.is_ascii_digit());
    if only.is_ascii() && (are_digits || only.parse::<Move>().is_err()) {
        return (0..only.len()).map(|at| &only[at..=at]).collect();
    }
    list
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '\n', '\r', ',']).filter(|word| !word.is_empty())
}
