//! The error of reading a position from text.

use std::error::Error;
use std::fmt::{self, Display, Formatter, Write};

use super::moves::ColumnNotation;
use super::moves::MoveError;
use super::size::BoardSize;

/// The error of reading a [`Position`](super::Position) from text: the token at fault, its place and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsePositionError {
    /// The token, cut to 40 characters.
    pub token: String,
    /// Its offset in the text, in bytes.
    pub offset: usize,
    /// The reason.
    pub fault: PositionFault,
    /// The setting of the reader that accepts the text, in the words of [`Remedies`](super::Remedies); may be empty.
    pub remedy: String,
}

/// The fault of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionFault {
    /// An illegal move.
    Illegal(MoveError, ColumnNotation),
    /// A column 0 where columns count from 1, on a board of so many columns.
    CountsFromOne(u32),
    /// A FEN of another board.
    OtherBoard {
        /// The board of the FEN.
        found: BoardSize,
        /// The board of the reader.
        expected: BoardSize,
    },
    /// Anything else, in words.
    Malformed(String),
}

impl ParsePositionError {
    /// The error of a token.
    pub(super) fn new(token: &str, offset: usize, fault: PositionFault) -> Self {
        let mut token: String = token.chars().take(41).collect();
        if token.chars().count() > 40 {
            token.pop();
            token.push('…');
        }
        Self { token, offset, fault, remedy: String::new() }
    }

    /// The error of a token that is no part of a position.
    pub(super) fn malformed(token: &str, offset: usize, reason: impl Into<String>) -> Self {
        Self::new(token, offset, PositionFault::Malformed(reason.into()))
    }

    /// The error in a text that contains the one that was read at `offset`.
    #[must_use]
    pub fn shifted(self, offset: usize) -> Self {
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
        f.write_char('`')?;
        // Control characters could garble a terminal or end a line of a protocol.
        self.token.chars().try_for_each(|c| {
            if c.is_control() { write!(f, "{}", c.escape_default()) } else { f.write_char(c) }
        })?;
        write!(f, "` at byte {}: {}", self.offset, self.fault)?;
        if self.remedy.is_empty() { Ok(()) } else { write!(f, "; {}", self.remedy) }
    }
}

impl Error for ParsePositionError {}
