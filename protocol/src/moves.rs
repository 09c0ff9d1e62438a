//! Columns and moves in every notation, single or in lists.

use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::character::complete::{anychar, char, digit1, one_of};
use nom::combinator::{all_consuming, map_opt, opt, verify};
use nom::sequence::preceded;
use nom::{Err, Offset, Parser};

use crate::lexeme::{Parse, ParseFailure, word};
use crate::{Expected, LineError, Token};

/// A column of the board, index 0 to 25 from the left, like the letters `a` to `z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

impl Column {
    /// The index of column `z`.
    pub const MAX_INDEX: u8 = 25;

    /// The column with this index. `None` above [`Column::MAX_INDEX`].
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index <= Self::MAX_INDEX { Some(Self(index)) } else { None }
    }

    /// The column of a letter of either case: `a` is index 0.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='z' => Some(Self(letter as u8 - b'a')),
            'A'..='Z' => Some(Self(letter as u8 - b'A')),
            _ => None,
        }
    }

    /// The column of a digit: `1` is index 0. `None` for `0`, which is ambiguous.
    #[must_use]
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='9' => Some(Self(digit as u8 - b'1')),
            _ => None,
        }
    }

    /// The index, 0 to 25, counted from the left.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The letter of the column, `a` to `z`.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }

    /// The digit of the column, `1` to `9`. `None` from the tenth column on.
    #[must_use]
    pub const fn digit(self) -> Option<char> {
        if self.0 < 9 { Some((b'1' + self.0) as char) } else { None }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A move with the notation in which it is written.
///
/// ```
/// use plumb_protocol::{Column, Move, MoveForm};
///
/// let m: Move = "p@d1".parse()?;
/// assert_eq!((m.column.index(), m.form), (3, MoveForm::Drop(1)));
/// assert_eq!(m.to_string(), "P@d1");
/// assert_eq!("4".parse::<Move>()?.column, m.column);
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The column that the stone is dropped into.
    pub column: Column,
    /// The notation, with the rank if the notation has one.
    pub form: MoveForm,
}

/// The notation of a move, with examples for column `d`. Ranks are 1 to 255 from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveForm {
    /// `P@d1`: a drop as in UCI. Also parsed from `p@d1` and `@d1`.
    Drop(u8),
    /// `d1`: the square where the stone lands.
    Cell(u8),
    /// `d`. Also parsed from `D`.
    Letter,
    /// `4`: the number of the column from 1. Columns from the tenth on display as their letter.
    Digit,
}

impl Move {
    /// A move into `column`, written in the notation `form`.
    #[must_use]
    pub const fn new(column: Column, form: MoveForm) -> Self {
        Self { column, form }
    }

    /// The rank where the stone lands, 1 to 255 from the bottom. `None` if the notation has no rank.
    #[must_use]
    pub const fn rank(self) -> Option<u8> {
        match self.form {
            MoveForm::Drop(rank) | MoveForm::Cell(rank) => Some(rank),
            MoveForm::Letter | MoveForm::Digit => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column;
        match self.form {
            MoveForm::Drop(rank) => write!(f, "P@{column}{rank}"),
            MoveForm::Cell(rank) => write!(f, "{column}{rank}"),
            MoveForm::Letter => write!(f, "{column}"),
            MoveForm::Digit => write!(f, "{}", column.digit().unwrap_or(column.letter())),
        }
    }
}

pub(crate) fn single_move(input: &str) -> Parse<'_, Move> {
    let (rest, text) = word(input)?;
    let (_, m) = whole_move(text)?;
    Ok((rest, m))
}

pub(crate) fn whole_move(text: &str) -> Parse<'_, Move> {
    all_consuming(alt((
        (preceded((opt(one_of("Pp")), char('@')), letter), rank)
            .map(|(column, rank)| (column, MoveForm::Drop(rank))),
        (letter, rank).map(|(column, rank)| (column, MoveForm::Cell(rank))),
        letter.map(|column| (column, MoveForm::Letter)),
        map_opt(anychar, Column::from_digit).map(|column| (column, MoveForm::Digit)),
    )))
    .map(|(column, form)| Move::new(column, form))
    .parse(text)
}

fn letter(input: &str) -> Parse<'_, Column> {
    map_opt(anychar, Column::from_letter).parse(input)
}

/// Parses a rank, 1 to 255 without leading zeros.
fn rank(input: &str) -> Parse<'_, u8> {
    map_opt(verify(digit1, |digits: &str| !digits.starts_with('0')), |digits: &str| digits.parse().ok())
        .parse(input)
}

pub(crate) fn move_list<'a>(line: &'a str, mut input: &'a str) -> Parse<'a, Vec<Token<'a, Move>>> {
    let mut moves = Vec::new();
    while !input.is_empty() {
        let (rest, text) = word(input)?;
        push_moves(line, text, &mut moves).map_err(|fault| {
            let move_number = Some(moves.len() + text.offset(fault.at) + 1);
            Err::Failure(ParseFailure { move_number, ..fault })
        })?;
        input = rest;
    }
    Ok((input, moves))
}

pub(crate) fn push_moves<'a>(
    line: &'a str,
    word: &'a str,
    moves: &mut Vec<Token<'a, Move>>,
) -> Result<(), ParseFailure<'a>> {
    if !word.bytes().all(|byte| byte.is_ascii_digit()) {
        let (_, m) = whole_move(word).map_err(|_| ParseFailure::new(word, Expected::Move))?;
        moves.push(Token::new(m, word, line.offset(word)));
        return Ok(());
    }
    let length = moves.len();
    for (i, digit) in word.char_indices() {
        let text = &word[i..=i];
        let Some(column) = Column::from_digit(digit) else {
            moves.truncate(length);
            return Err(ParseFailure::new(text, Expected::ColumnDigit));
        };
        moves.push(Token::new(Move::new(column, MoveForm::Digit), text, line.offset(text)));
    }
    Ok(())
}

impl FromStr for Move {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        whole_move(text).map(|(_, m)| m).map_err(|_| LineError::expected(text, 0, Expected::Move))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read_and_displays_as_its_form() {
        let d = Column::from_letter('d').expect("d is a column");
        for (texts, form, rank) in [
            (&["P@d12", "p@d12", "@d12", "P@D12"][..], MoveForm::Drop(12), Some(12)),
            (&["d255", "D255"], MoveForm::Cell(255), Some(255)),
            (&["d", "D"], MoveForm::Letter, None),
            (&["4"], MoveForm::Digit, None),
        ] {
            let m = Move::new(d, form);
            assert_eq!((m.to_string().as_str(), m.rank()), (texts[0], rank));
            assert!(texts.iter().all(|text| text.parse() == Ok(m)), "{texts:?}");
        }
        assert_eq!(Move::new(Column(9), MoveForm::Digit).to_string(), "j");
        assert_eq!(Column::new(26), None);
    }

    #[test]
    fn nothing_else_is_a_move() {
        for text in [
            "", "0", "44", "d0", "d01", "d256", "d1 ", " d", "e2e4", "dd", "d-1", "d+1", "1d", "P@", "P@d",
            "P@d0", "@", "@d", "@4", "PP@d1", "X@d1", "P@d1x", "(none)", "0000", "ä", "ä1", "٣", "P@1d",
        ] {
            assert_eq!(text.parse::<Move>(), Err(LineError::expected(text, 0, Expected::Move)), "{text:?}");
        }
    }
}
