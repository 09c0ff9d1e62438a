//! What a user or an arena got wrong, in one form for all kinds of mistakes.

use std::fmt;

use plumb_protocol::{Located, Move, MoveForm, SyntaxError};

use crate::board::FenError;

/// A part of a line that cannot be used, its place, and why.
///
/// Displays as "`token` at byte 15: reason".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    token: String,
    offset: usize,
    reason: String,
}

impl Fault {
    /// A fault of the part of a line that begins at byte `offset`; an empty token stands for the line's end.
    pub(crate) fn new(token: &str, offset: usize, reason: impl Into<String>) -> Self {
        Self { token: shortened(token, SyntaxError::TOKEN_LENGTH), offset, reason: reason.into() }
    }

    /// A fault of a move that was read from `line`.
    pub(crate) fn of_move(line: &str, found: Located<Move>, reason: impl fmt::Display) -> Self {
        let rest = line.get(found.offset..).unwrap_or_default();
        let token = match found.value.form {
            // One digit of a glued list.
            MoveForm::Digit => rest.get(..1).unwrap_or_default(),
            _ => rest.split_ascii_whitespace().next().unwrap_or_default(),
        };
        Self::new(token, found.offset, reason.to_string())
    }

    /// A fault of a FEN that begins at byte `offset` of its line.
    pub(crate) fn of_fen(error: FenError, offset: usize) -> Self {
        Self { token: error.token, offset: error.offset + offset, reason: error.reason }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { token, offset, reason } = self;
        if token.is_empty() {
            write!(f, "end of line at byte {offset}: {reason}")
        } else {
            write!(f, "`{token}` at byte {offset}: {reason}")
        }
    }
}

/// The text itself, or its beginning and `…`, in at most `length` characters.
pub(crate) fn shortened(text: &str, length: usize) -> String {
    if text.chars().nth(length).is_none() {
        return text.to_owned();
    }
    text.chars().take(length.saturating_sub(1)).chain(['…']).collect()
}

/// The text with its control characters escaped: what came in as one goes out again on the protocol's own stream,
/// where it must not act as a line end or worse.
pub(crate) fn printable(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { result.extend(c.escape_default()) } else { result.push(c) }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_protocol::{Command, parse_command};

    #[test]
    fn moves_are_named_as_they_were_spelled() {
        let line = "moves 445 p@D9";
        let Command::Moves(moves) = parse_command(line).expect("valid").expect("not blank").command else {
            panic!("these are moves");
        };
        let texts: Vec<_> = moves.iter().map(|&m| Fault::of_move(line, m, "no").to_string()).collect();
        assert_eq!(texts[1], "`4` at byte 7: no");
        assert_eq!(texts[3], "`p@D9` at byte 10: no");
    }

    #[test]
    fn long_tokens_are_cut_and_control_characters_escaped() {
        let fault = Fault::new(&"ä".repeat(100), 3, "no").to_string();
        assert_eq!(fault, format!("`{}…` at byte 3: no", "ä".repeat(39)));
        assert_eq!(printable("a\u{1b}[2J\0ä"), "a\\u{1b}[2J\\u{0}ä");
    }
}
