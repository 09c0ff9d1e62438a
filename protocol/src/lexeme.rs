//! Lexemes: words, keywords and numbers.
//!
//! Each lexeme consumes the blanks after it, so the remaining input begins with a word or is empty.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag};
use nom::character::complete::{multispace0, multispace1};
use nom::combinator::{eof, map_opt, not};
use nom::error::{ErrorKind, ParseError};
use nom::multi::fold_many0;
use nom::sequence::{preceded, terminated};
use nom::{Err, IResult, Offset, Parser};

use crate::{Expected, LineError, Reason};

/// The separators of words. Line ends are among them, as a line may have its end.
pub(crate) const BLANKS: &str = " \t\r\n";

/// The result of all parsers of this module.
pub(crate) type Parse<'a, T> = IResult<&'a str, T, ParseFailure<'a>>;

/// A parse error before its offset is computed, which keeps failed alternatives cheap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParseFailure<'a> {
    at: &'a str,
    expected: Expected,
}

impl<'a> ParseFailure<'a> {
    /// An error at the first word of `at`, a part of the line.
    pub(crate) const fn new(at: &'a str, expected: Expected) -> Self {
        Self { at, expected }
    }

    /// The error to report, given the whole line.
    pub(crate) fn in_line(self, line: &'a str) -> LineError {
        LineError::new(first_word(self.at), line.offset(self.at), Reason::Expected(self.expected))
    }

    /// Whether the error is at the end of the line.
    pub(crate) fn is_at_end(self) -> bool {
        self.at.is_empty()
    }
}

impl<'a> ParseError<&'a str> for ParseFailure<'a> {
    /// The error of a failed alternative, which is never reported: only those of [`expect`] are.
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Self::new(at, Expected::Command)
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// The text without blanks at its ends.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// Whether this is one of [`BLANKS`].
pub(crate) const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// The text up to the first blank.
fn first_word(text: &str) -> &str {
    text.split(is_blank).next().unwrap_or_default()
}

/// Any word.
pub(crate) fn word(input: &str) -> Parse<'_, &str> {
    terminated(is_not(BLANKS), multispace0).parse(input)
}

/// Exactly this word.
pub(crate) fn keyword<'a>(
    text: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = ParseFailure<'a>> {
    terminated(tag(text), alt((multispace1, eof)))
}

/// The words before the stop or the end of the line, joined by one blank each; empty if there are none.
pub(crate) fn words_until<'a, T>(
    stop: impl Parser<&'a str, Output = T, Error = ParseFailure<'a>>,
) -> impl Parser<&'a str, Output = String, Error = ParseFailure<'a>> {
    fold_many0(preceded(not(stop), word), String::new, |mut joined, word| {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
        joined
    })
}

/// A word that is a number of this type.
pub(crate) fn number<T: FromStr>(input: &str) -> Parse<'_, T> {
    map_opt(word, |word| word.parse().ok()).parse(input)
}

/// A word that is a number of milliseconds, and a warning about it: a negative time counts as 0, and a fraction is left out.
pub(crate) fn milliseconds(input: &str) -> Parse<'_, (Duration, Option<(&str, Reason)>)> {
    map_opt(word, |word| {
        let is_fraction = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
        let time: i64 = whole.parse().ok().filter(|_| is_fraction(fraction))?;
        let reason = match time < 0 {
            true => Some(Reason::NegativeTime),
            false if whole.len() < word.len() => Some(Reason::FractionalTime),
            false => None,
        };
        Some((Duration::from_millis(time.max(0).unsigned_abs()), reason.map(|reason| (word, reason))))
    })
    .parse(input)
}

/// Sets a field to what `value` reads; if the value is malformed, the field stays as it is.
pub(crate) fn set<'a, T>(
    field: &mut Option<T>,
    value: impl Parser<&'a str, Output = T, Error = ParseFailure<'a>>,
    input: &'a str,
) -> Parse<'a, ()> {
    value.map(|value| *field = Some(value)).parse(input)
}

/// Turns an error of `parser` into a failure that says what is expected: no other alternative is tried.
pub(crate) fn expect<'a, T>(
    expected: Expected,
    mut parser: impl Parser<&'a str, Output = T, Error = ParseFailure<'a>>,
) -> impl Parser<&'a str, Output = T, Error = ParseFailure<'a>> {
    move |input| {
        parser.parse(input).map_err(|error| match error {
            Err::Error(_) => Err::Failure(ParseFailure::new(input, expected)),
            other => other,
        })
    }
}

/// Prints a blank, the name and the value, or nothing.
pub(crate) fn display_field(
    name: &str,
    value: Option<impl fmt::Display>,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(out, " {name} {value}"))
}

/// Prints each word or move with a blank before it.
pub(crate) fn display_words(words: &[impl fmt::Display], out: &mut dyn fmt::Write) -> fmt::Result {
    words.iter().try_for_each(|word| write!(out, " {word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_is_a_whole_word() {
        assert_eq!(keyword("go").parse("go \t depth 3").ok(), Some(("depth 3", "go")));
        assert_eq!(keyword("go").parse("go").ok(), Some(("", "go")));
        for other in ["gone", "Go", "g", "", " go"] {
            assert!(keyword("go").parse(other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn words_are_joined_up_to_the_stop() {
        let mut words = words_until(keyword("value"));
        assert_eq!(words.parse("a \t bc  value x").ok(), Some(("value x", "a bc".to_owned())));
        assert_eq!(words.parse("value x").ok(), Some(("value x", String::new())));
        assert_eq!(words.parse("values").ok(), Some(("", "values".to_owned())));
    }

    #[test]
    fn times_saturate_at_zero_only() {
        assert_eq!(
            milliseconds("-5 x").ok(),
            Some(("x", (Duration::ZERO, Some(("-5", Reason::NegativeTime)))))
        );
        assert_eq!(milliseconds("250").ok(), Some(("", (Duration::from_millis(250), None))));
        assert!(milliseconds("9223372036854775808").is_err());
        assert!(milliseconds("1.x").is_err());
    }

    #[test]
    fn an_error_names_its_word() {
        let line = "go depth x y";
        let fault = |at| ParseFailure::new(&line[at..], Expected::Move).in_line(line);
        assert_eq!(fault(9), LineError::expected("x", 9, Expected::Move));
        assert_eq!(fault(12), LineError::expected("", 12, Expected::Move));
    }

    #[test]
    fn blanks_are_blank() {
        assert!(BLANKS.chars().all(is_blank));
        assert_eq!(trim("\t a b \r\n"), "a b");
    }
}
