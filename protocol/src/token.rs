//! Tokens with their offset in the line, errors about tokens, and text helpers: suggestions, shortening, escaping.

use std::fmt;

/// A parsed value, with its text and its offset in the line.
///
/// A program that rejects the value can report the text:
///
/// ```
/// use plumb_protocol::{Command, parse_command};
///
/// let parsed = parse_command("moves d D7")?.expect("the line is not blank");
/// let Command::Moves(moves) = parsed.command else { panic!("not moves") };
/// assert_eq!((moves[1].text, moves[1].offset), ("D7", 8));
/// assert_eq!(moves[1].error("the column is full").to_string(), "`D7`: the column is full");
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
///
/// Tokens are equal if their values are equal. Texts and offsets do not matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Token<'a, T> {
    /// The value.
    pub value: T,
    /// The text in the line. Empty for a value that was not parsed.
    pub text: &'a str,
    /// The offset of the text in the line, in bytes. 0 for a value that was not parsed.
    pub offset: usize,
}

impl<'a, T> Token<'a, T> {
    /// A value read from `text` at byte `offset` of the line.
    pub const fn new(value: T, text: &'a str, offset: usize) -> Self {
        Self { value, text, offset }
    }

    /// The offset in the line just after the text, in bytes.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.offset + self.text.len()
    }

    /// An error for a value that parses but is invalid, such as a move into a full column.
    #[must_use]
    pub fn error(&self, reason: impl fmt::Display) -> LineError {
        LineError::new(self.text, self.offset, Reason::Invalid(reason.to_string()))
    }
}

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

impl<T: fmt::Display> fmt::Display for Token<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// An error in a line: the token, its offset and the reason.
///
/// Displays as one line without control characters, for `info string`:
///
/// ```
/// use plumb_protocol::{Expected, Reason, parse_command};
///
/// let error = parse_command("position startpos moves P@d1 d0").unwrap_err();
/// assert_eq!((error.token.as_str(), error.offset), ("d0", 29));
/// assert_eq!(error.reason, Reason::Expected(Expected::Move));
/// assert_eq!(error.to_string(), "move 2, `d0`: expected a move such as P@d1, d or 4");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The offending text, at most [`LineError::TOKEN_LENGTH`] characters.
    pub token: String,
    /// The offset of the token in the line, in bytes.
    pub offset: usize,
    /// Number of the move, from 1, if the token is in a list of moves.
    pub move_number: Option<usize>,
    /// The reason.
    pub reason: Reason,
}

/// Why a token is rejected, or read with a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The token is not what the grammar expects.
    Expected(Expected),
    /// The line ends after the token, but the grammar expects more.
    Missing(Expected),
    /// The line ends after this limit of `go`, but it needs a number.
    MissingNumber,
    /// The time is negative. It counts as 0.
    NegativeTime,
    /// The time has a fraction of a millisecond, which is dropped.
    FractionalTime,
    /// The word is not a limit of `go`.
    UnknownLimit {
        /// The most similar limit of `go`, to suggest it.
        similar: Option<&'static str>,
    },
    /// The token parses, but the program rejects it, for example an illegal move. The parsers of this crate never
    /// return this reason.
    Invalid(String),
}

impl LineError {
    /// Maximum length of [`LineError::token`] in characters.
    pub const TOKEN_LENGTH: usize = 40;

    /// An error about `token`, which is shortened to [`LineError::TOKEN_LENGTH`].
    #[must_use]
    pub fn new(token: &str, offset: usize, reason: Reason) -> Self {
        Self { token: shortened(token, Self::TOKEN_LENGTH), offset, move_number: None, reason }
    }

    /// A syntax error: the grammar expects something else.
    #[must_use]
    pub fn expected(token: &str, offset: usize, expected: Expected) -> Self {
        Self::new(token, offset, Reason::Expected(expected))
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { token, move_number, reason, .. } = self;
        let token = escaped(token);
        if let Some(number) = move_number {
            write!(f, "move {number}, ")?;
        }
        match reason {
            _ if token.is_empty() => reason.fmt(f),
            Reason::Missing(_) | Reason::MissingNumber => write!(f, "`{token}` {reason}"),
            Reason::UnknownLimit { similar: None } if token.parse::<u32>().is_ok() => {
                write!(f, "`{token}`: {reason}; did you mean `depth {token}` or `movetime {token}`?")
            }
            _ => write!(f, "`{token}`: {reason}"),
        }
    }
}

impl std::error::Error for LineError {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(expected) => write!(f, "expected {expected}"),
            Self::Missing(expected) => write!(f, "needs {expected}"),
            Self::MissingNumber => f.write_str("needs a number"),
            Self::NegativeTime => f.write_str("a negative time counts as 0"),
            Self::FractionalTime => {
                f.write_str("a time is a whole number of milliseconds: the fraction is left out")
            }
            Self::UnknownLimit { similar } => {
                f.write_str("no such limit")?;
                if let Some(similar) = similar {
                    write!(f, "; did you mean `{similar}`?")?;
                }
                Ok(())
            }
            Self::Invalid(reason) => f.write_str(reason),
        }
    }
}

/// What the grammar expects. Displays as a noun phrase, to follow "expected".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// A command, but the line has none.
    Command,
    /// A move in any notation.
    Move,
    /// A column digit `1` to `9`, in a word of joined moves such as `4455`.
    ColumnDigit,
    /// `startpos`, `fen`, `moves` or a move.
    Position,
    /// The words of a FEN.
    Fen,
    /// The name of an option.
    OptionName,
    /// A whole number of milliseconds that fits in 64 bits. A negative number is read as 0.
    Milliseconds,
    /// A whole number in this range, both ends included.
    Number {
        /// The least number.
        min: i64,
        /// The greatest number.
        max: u64,
    },
    /// A keyword from this list.
    OneOf(&'static [&'static str]),
    /// The keyword `word`, as in the line `example`.
    Word {
        /// The keyword.
        word: &'static str,
        /// A whole line with the keyword.
        example: &'static str,
    },
    /// The depth of `perft`.
    PerftDepth,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command => f.write_str("a command such as uci, position or go"),
            Self::Move => f.write_str("a move such as P@d1, d or 4"),
            Self::ColumnDigit => f.write_str("a column from 1 to 9"),
            Self::Position => f.write_str("startpos, fen, or moves such as P@d1, d or 4"),
            Self::Fen => f.write_str("a FEN"),
            Self::OptionName => f.write_str("the name of an option"),
            Self::Milliseconds => write!(f, "a whole number of milliseconds, at most {}", i64::MAX),
            Self::Number { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::OneOf([words @ .., last]) if !words.is_empty() => {
                write!(f, "{} or {last}", words.join(", "))
            }
            Self::OneOf(words) => f.write_str(&words.concat()),
            Self::Word { word, example } => write!(f, "the word `{word}`, as in {example}"),
            Self::PerftDepth => f.write_str("a depth, e.g. perft 6"),
        }
    }
}

const LONGEST: usize = 40;

/// The word of `known` with the least edit distance from `word`, ignoring case (optimal string alignment). `None` if
/// the distance is more than a third of the length and more than 1, or `word` has more than 40 characters.
///
/// ```
/// use plumb_protocol::most_similar;
///
/// let known = ["Hash", "Clear Hash", "Threads"];
/// assert_eq!(most_similar("hsah", known), Some("Hash"));
/// assert_eq!(most_similar("Contempt", known), None);
/// ```
#[must_use]
pub fn most_similar<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let (mut closest, mut least) = (None, length.max(3) / 3 + 1);
    for other in known {
        let distance = strsim::osa_distance(&word, &other.to_lowercase());
        if distance < least {
            (closest, least) = (Some(other), distance);
        }
    }
    closest
}

/// Shortens a text to at most `length` characters (at least 1), with `…` at the end.
///
/// ```
/// assert_eq!(plumb_protocol::shortened("searchmoves", 6), "searc…");
/// ```
#[must_use]
pub fn shortened(text: &str, length: usize) -> String {
    if text.chars().nth(length).is_none() {
        return text.to_owned();
    }
    text.chars().take(length.saturating_sub(1)).chain(['…']).collect()
}

/// Escapes control characters, so that a line of output can quote the text.
///
/// ```
/// assert_eq!(plumb_protocol::escaped("a\u{1b}[2J\n"), "a\\u{1b}[2J\\n");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { result.extend(c.escape_default()) } else { result.push(c) }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_token_place_and_expectation() {
        let error = LineError::new("debug", 0, Reason::Missing(Expected::OneOf(&["on", "off"])));
        assert_eq!(error.to_string(), "`debug` needs on or off");
        assert_eq!(Expected::OneOf(&["a", "b", "c"]).to_string(), "a, b or c");
    }

    #[test]
    fn long_tokens_are_cut_between_characters() {
        let long = "ä".repeat(1000);
        let token = LineError::expected(&long, 0, Expected::Command).token;
        assert_eq!(token.chars().count(), LineError::TOKEN_LENGTH);
        assert!(token.ends_with("ä…"));
        let fits = "ä".repeat(LineError::TOKEN_LENGTH);
        assert_eq!(LineError::expected(&fits, 0, Expected::Command).token, fits);
    }

    #[test]
    fn control_characters_do_not_reach_the_output() {
        let text = LineError::expected("a\u{1b}[2J\nb\0", 0, Expected::Command).to_string();
        assert!(!text.contains(char::is_control), "{text:?}");
        assert!(text.starts_with(r"`a\u{1b}[2J\nb\u{0}`"));
    }

    #[test]
    fn what_resembles_nothing_finds_nothing() {
        let known = ["movetime", "depth", "nodes"];
        for word in ["fast", "xyzzy", "", "x", &"depth".repeat(1000)] {
            assert_eq!(most_similar(word, known), None, "{word:.20}");
        }
        assert_eq!(most_similar("node", known), Some("nodes"));
        assert_eq!(most_similar("dapth", known), Some("depth"));
        assert_eq!(most_similar("MOVETIMES", known), Some("movetime"));
    }
}
