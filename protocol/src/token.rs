//! A value together with the part of the line that it was read from.

use std::fmt;

use crate::{LineError, Reason};

/// A value, with the text of the line that it was read from and the place of that text.
///
/// A program that finds fault with the value reports the text and its offset, without reading the line again:
///
/// ```
/// use plumb_protocol::{Command, parse_command};
///
/// let parsed = parse_command("moves d D7")?.expect("the line is not blank");
/// let Command::Moves(moves) = parsed.command else { panic!("not moves") };
/// assert_eq!((moves[1].text, moves[1].offset), ("D7", 8));
/// assert_eq!(moves[1].error("the column is full").to_string(), "`D7` at byte 8: the column is full");
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
///
/// Two tokens are equal if their values are: `go depth 3` and `go  depth 3` are the same command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Token<'a, T> {
    /// The value.
    pub value: T,
    /// The part of the line that the value was read from, as it stands there; empty if it was read from no line.
    pub text: &'a str,
    /// The first byte of the text, counted from 0 at the beginning of the line; 0 if it was read from no line.
    pub offset: usize,
}

impl<'a, T> Token<'a, T> {
    /// A value that was read from `text`, which begins at byte `offset` of the line.
    pub const fn new(value: T, text: &'a str, offset: usize) -> Self {
        Self { value, text, offset }
    }

    /// The first byte of the line after the text.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.offset + self.text.len()
    }

    /// The error of a value that is well-formed but means nothing here, such as a move into a full column.
    #[must_use]
    pub fn error(&self, reason: impl fmt::Display) -> LineError {
        LineError::new(self.text, self.offset, Reason::Invalid(reason.to_string()))
    }
}

/// A token of a command that is made by a program instead of read from a line.
impl<T> From<T> for Token<'_, T> {
    fn from(value: T) -> Self {
        Self::new(value, "", 0)
    }
}

impl<T: PartialEq> PartialEq for Token<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Token<'_, T> {}

/// Prints the value alone.
impl<T: fmt::Display> fmt::Display for Token<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_compare_by_value() {
        assert_eq!(Token::new('d', "d", 3), Token::new('d', "D", 9));
        assert_ne!(Token::new('d', "d", 3), Token::new('e', "d", 3));
        assert_eq!(Token::from("d").to_string(), "d");
    }
}
