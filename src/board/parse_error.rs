//! The tokens of a text with their offsets, and the error for text that is not a position.

use std::error::Error;
use std::fmt::{self, Display, Formatter, Write};

use super::moves::{ColumnNotation, MoveError};
use super::size::BoardSize;

pub(super) type Token<'a> = (usize, &'a str);

pub(super) fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

pub(super) fn words(text: &str, is_separator: fn(char) -> bool) -> impl Iterator<Item = Token<'_>> {
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    words.map(move |word| (offset(text, word), word))
}

pub(super) fn characters((at, token): Token<'_>) -> impl Iterator<Item = Token<'_>> {
    token.char_indices().map(move |(index, c)| (at + index, &token[index..index + c.len_utf8()]))
}

/// The error for text that is not a [`Position`](super::Position): the token, its offset and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsePositionError {
    /// The token, shortened to 40 characters and `…` if it is longer.
    pub token: String,
    /// The offset of the token in the text, in bytes.
    pub offset: usize,
    /// Number of the move, from 1, in a list of moves.
    pub move_number: Option<usize>,
    /// The reason.
    pub fault: PositionFault,
    /// A hint from [`Remedies`](super::Remedies), about a setting of the reader that accepts the text. May be
    /// empty.
    pub remedy: String,
}

/// Why a token is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionFault {
    /// An illegal move.
    Illegal(MoveError, ColumnNotation),
    /// A column 0 where columns count from 1. Contains the number of columns.
    CountsFromOne(u32),
    /// A FEN of another board size.
    OtherBoard {
        /// The board size of the FEN.
        found: BoardSize,
        /// The board size that the reader expects.
        expected: BoardSize,
    },
    /// Any other reason, as text for the user.
    Malformed(String),
}

pub(super) fn malformed(token: &str, offset: usize, reason: impl Into<String>) -> ParsePositionError {
    ParsePositionError::new(token, offset, PositionFault::Malformed(reason.into()))
}

impl ParsePositionError {
    pub(super) fn new(token: &str, offset: usize, fault: PositionFault) -> Self {
        let cut = token.char_indices().nth(40).map(|(end, _)| format!("{}…", &token[..end]));
        let token = cut.unwrap_or_else(|| token.to_owned());
        Self { token, offset, move_number: None, fault, remedy: String::new() }
    }

    pub(super) fn of_move(index: usize, (offset, token): Token<'_>, fault: PositionFault) -> Self {
        Self { move_number: Some(index + 1), ..Self::new(token, offset, fault) }
    }

    pub(super) fn shifted(self, offset: usize) -> Self {
        Self { offset: self.offset + offset, ..self }
    }
}

impl Display for PositionFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal(error, notation) => f.write_str(&error.describe(*notation)),
            Self::CountsFromOne(width) => {
                write!(f, "columns count from 1 ({})", ColumnNotation::Numbers { first: 1 }.range(*width))
            }
            Self::OtherBoard { found, expected } => write!(f, "a FEN of {found}, expected one of {expected}"),
            Self::Malformed(reason) => f.write_str(reason),
        }
    }
}

impl Display for ParsePositionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.move_number {
            write!(f, "move {number}, ")?;
        }
        f.write_char('`')?;
        // Control characters could garble a terminal or a protocol.
        self.token.chars().try_for_each(|c| {
            if c.is_control() { write!(f, "{}", c.escape_default()) } else { f.write_char(c) }
        })?;
        write!(f, "`: {}", self.fault)?;
        if self.remedy.is_empty() { Ok(()) } else { write!(f, "; {}", self.remedy) }
    }
}

impl Error for ParsePositionError {}
