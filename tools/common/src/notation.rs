//! Moves as text, a character for each: column digits from 1 on boards of up to nine columns, on wider ones column letters
//! from `a`.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use plumb::board::{Geometry, Position};

/// The most columns that have digits.
const MAX_DIGITS: u32 = 9;
/// The number of column letters, more than any board has columns.
const LETTERS: u8 = b'z' - b'a' + 1;

/// The character of a column, counted from 0, on a board of `width` columns.
#[must_use]
pub fn column_name(width: u32, column: u32) -> char {
    let first = if width <= MAX_DIGITS { b'1' } else { b'a' };
    char::from(first + column as u8)
}

/// The column, counted from 0, that a character names on a board of `width` columns; `None` if it names none.
#[must_use]
pub fn column_named(width: u32, name: char) -> Option<u32> {
    let column = u32::from(name).checked_sub(u32::from(column_name(width, 0)))?;
    (column < width).then_some(column)
}

/// The columns, counted from 0, of a list of moves that [`position_after`] has read on a board of `width` columns.
pub fn columns(width: u32, moves: &str) -> impl Iterator<Item = u32> + '_ {
    moves.chars().filter_map(move |name| column_named(width, name))
}

/// The error of reading a list of moves: the first character that is no legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesError {
    /// The number of the move, from 1.
    pub number: usize,
    /// Its fault, such as `column d is full`.
    pub fault: String,
    /// The character, its place in the list and its fault.
    sentence: String,
}

impl Display for MovesError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl Error for MovesError {}

/// The position after a list of moves from the empty board.
///
/// # Errors
/// [`MovesError`] with the first character that names no column, or is no legal move.
///
/// ```
/// use plumb::board::{Board, Standard};
/// use plumb_tools_common::notation::position_after;
///
/// assert_eq!(position_after(Standard::default(), "4455")?.plies(), 4);
/// let wide = "10x4".parse::<Board>()?;
/// assert_eq!(position_after(wide, "jjaa")?.plies(), 4);
/// let error = position_after(wide, "jk").unwrap_err();
/// assert_eq!(error.to_string(), "`k` at byte 1: there is no column k (columns a to j)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn position_after<G: Geometry>(geometry: G, moves: &str) -> Result<Position<G>, MovesError> {
    let width = geometry.width();
    if width <= MAX_DIGITS {
        return Position::from_digits_on(geometry, moves).map_err(|error| MovesError {
            number: error.offset + 1,
            fault: error.fault.to_string(),
            sentence: error.to_string(),
        });
    }
    let mut position = Position::empty(geometry);
    for ((offset, name), number) in moves.char_indices().zip(1..) {
        let token = name.escape_debug();
        // Any letter is read as a column; `try_play` refuses one past the last column, and names the columns there are.
        let Some(column) = column_named(u32::from(LETTERS), name) else {
            let expected = format!("not a column letter from a to {}", column_name(width, width - 1));
            let sentence = format!("`{token}` at byte {offset}: {expected}");
            return Err(MovesError { number, fault: format!("`{token}` is {expected}"), sentence });
        };
        position = position.try_play(column).map_err(|error| MovesError {
            number,
            fault: error.to_string(),
            sentence: format!("`{token}` at byte {offset}: {error}"),
        })?;
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::board::{Board, Standard, Wide};

    #[test]
    fn columns_are_read_as_they_are_written() {
        for width in 4..=25 {
            let text: String = (0..width).map(|column| column_name(width, column)).collect();
            assert!(columns(width, &text).eq(0..width), "{text}");
            assert!(text.starts_with(if width <= 9 { '1' } else { 'a' }));
            for other in ['0', ' ', 'z', 'ä', '\0', column_name(width, width)] {
                assert_eq!(column_named(width, other), None, "{other:?} of {width}");
            }
        }
    }

    #[test]
    fn lists_of_moves_are_those_of_the_library_where_columns_have_digits() {
        for moves in ["", "4455", "444444", "1122334"] {
            assert_eq!(position_after(Standard::default(), moves).ok(), Position::from_digits(moves).ok());
        }
        for moves in ["4444444", "48", "40", "44x", "44\u{7}", "11223344"] {
            let error = position_after(Standard::default(), moves).expect_err(moves);
            let expected = Position::<Standard>::from_digits(moves).expect_err(moves);
            assert_eq!((error.number, error.to_string()), (expected.offset + 1, expected.to_string()));
            assert_eq!(error.fault, expected.fault.to_string());
        }
    }

    #[test]
    fn letters_say_what_is_wrong_with_them() {
        let board = "10x4".parse::<Board>().expect("a board");
        let fault = |moves: &str| {
            let error = position_after(board, moves).expect_err(moves);
            (error.number, error.fault.clone(), error.to_string())
        };
        let illegal = "column j is full";
        assert_eq!(fault("jjjjj"), (5, illegal.to_owned(), format!("`j` at byte 4: {illegal}")));
        let illegal = "there is no column k (columns a to j)";
        assert_eq!(fault("ak"), (2, illegal.to_owned(), format!("`k` at byte 1: {illegal}")));
        for (moves, token) in [("a1", "1"), ("aA", "A"), ("a\u{7}", "\\u{7}")] {
            let expected = "not a column letter from a to j";
            let said = (2, format!("`{token}` is {expected}"), format!("`{token}` at byte 1: {expected}"));
            assert_eq!(fault(moves), said);
        }
        assert_eq!(position_after(Wide::<10, 4>, "jjaa").map(|position| position.plies()), Ok(4));
    }
}
