//! Places in a line, and what went wrong there.

use std::fmt;

/// A value together with its place in the line it was read from.
///
/// Two located values are equal when their values are: the same command reads the same from `go  depth 3` as from
/// `go depth 3`. Compare [`offset`](Self::offset) itself where the place matters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Located<T> {
    /// What was read.
    pub value: T,
    /// Where it begins, in bytes from the beginning of the line.
    pub offset: usize,
}

impl<T> Located<T> {
    /// A value read at this byte of the line.
    pub const fn new(value: T, offset: usize) -> Self {
        Self { value, offset }
    }
}

/// A value that was read from no line, such as one that a program is about to print; its offset is 0.
impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Self::new(value, 0)
    }
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Located<T> {}

/// Prints the value alone.
impl<T: fmt::Display> fmt::Display for Located<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// A word that does not fit where it stands.
///
/// ```
/// use plumb_protocol::parse_command;
///
/// let error = parse_command("position startpos moves P@d1 d0").unwrap_err();
/// assert_eq!((error.token.as_str(), error.offset), ("d0", 29));
/// assert_eq!(error.to_string(), "`d0` at byte 29: expected a move such as P@d1, d or 4");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The offending word, cut to [`SyntaxError::TOKEN_LENGTH`] characters; empty if the line ended too early.
    pub token: String,
    /// Where the word begins, in bytes from the beginning of the line.
    pub offset: usize,
    /// What would have fitted.
    pub expected: Expected,
}

impl SyntaxError {
    /// How many characters of a word an error keeps, the `…` that marks a cut included.
    pub const TOKEN_LENGTH: usize = 40;

    /// An error about this word, which is cut if it is long.
    #[must_use]
    pub fn new(token: &str, offset: usize, expected: Expected) -> Self {
        Self { token: shortened(token), offset, expected }
    }
}

/// The text itself, or its beginning and `…`, in at most [`SyntaxError::TOKEN_LENGTH`] characters.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().nth(SyntaxError::TOKEN_LENGTH).is_none() {
        return text.to_owned();
    }
    text.chars().take(SyntaxError::TOKEN_LENGTH - 1).chain(['…']).collect()
}

/// The token between back quotes, its control characters escaped: what came in goes out again on the protocol's own stream,
/// where it must not act as a line end.
pub(crate) fn quoted(token: &str) -> impl fmt::Display {
    let mut text = String::from("`");
    for c in token.chars() {
        if c.is_control() { text.extend(c.escape_default()) } else { text.push(c) }
    }
    text.push('`');
    text
}

/// Prints one line without control characters: the word, its place and what was expected.
impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.token.is_empty() {
            f.write_str("end of line")?;
        } else {
            quoted(&self.token).fmt(f)?;
        }
        write!(f, " at byte {}: expected {}", self.offset, self.expected)
    }
}

impl std::error::Error for SyntaxError {}

/// What would have fitted where an error occurred. Prints as a noun, to follow "expected".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// A command; the line holds none.
    Command,
    /// A move in any of its spellings.
    Move,
    /// A digit of a glued move list; `0` is none.
    ColumnDigit,
    /// `startpos`, `fen`, `moves` or a move.
    Position,
    /// The words of a FEN.
    Fen,
    /// The name of an option.
    OptionName,
    /// A whole number of milliseconds that fits in 64 bits; a negative one is read as 0.
    Milliseconds,
    /// A whole number in this range, both ends included.
    Number {
        /// The least that fits.
        min: i64,
        /// The greatest that fits.
        max: u64,
    },
    /// One of these words.
    OneOf(&'static [&'static str]),
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
            Self::Milliseconds => write!(f, "milliseconds, at most {}", i64::MAX),
            Self::Number { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::OneOf(words) => {
                for (i, word) in words.iter().enumerate() {
                    let before = match i {
                        0 => "",
                        _ if i + 1 == words.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{before}{word}")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn located_values_compare_by_value() {
        assert_eq!(Located::new('d', 3), Located::new('d', 9));
        assert_ne!(Located::new('d', 3), Located::new('e', 3));
        assert_eq!(Located::from("d").to_string(), "d");
    }

    #[test]
    fn errors_name_token_place_and_expectation() {
        let error = SyntaxError::new("d0", 31, Expected::Move);
        assert_eq!(error.to_string(), "`d0` at byte 31: expected a move such as P@d1, d or 4");
        let error = SyntaxError::new("", 5, Expected::OneOf(&["on", "off"]));
        assert_eq!(error.to_string(), "end of line at byte 5: expected on or off");
        let error = SyntaxError::new("9e9", 0, Expected::Number { min: 0, max: 255 });
        assert_eq!(error.to_string(), "`9e9` at byte 0: expected a whole number from 0 to 255");
        assert_eq!(Expected::OneOf(&["a", "b", "c"]).to_string(), "a, b or c");
    }

    #[test]
    fn long_tokens_are_cut_between_characters() {
        let long = "ä".repeat(1000);
        let token = SyntaxError::new(&long, 0, Expected::Command).token;
        assert_eq!(token.chars().count(), SyntaxError::TOKEN_LENGTH);
        assert!(token.ends_with("ä…"));
        let fits = "ä".repeat(SyntaxError::TOKEN_LENGTH);
        assert_eq!(SyntaxError::new(&fits, 0, Expected::Command).token, fits);
    }

    #[test]
    fn control_characters_do_not_reach_the_output() {
        let text = SyntaxError::new("a\u{1b}[2J\nb\0", 0, Expected::Command).to_string();
        assert!(!text.contains(char::is_control), "{text:?}");
        assert!(text.starts_with(r"`a\u{1b}[2J\nb\u{0}`"));
    }
}
