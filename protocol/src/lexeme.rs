//! Parsers of lexemes: words, keywords and numbers.
//!
//! Each parser also consumes the blanks after its lexeme, so the remaining input is empty or begins with a
//! word.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::{multispace0, multispace1};
use nom::combinator::{eof, map_opt, not};
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0;
use nom::sequence::{preceded, terminated};
use nom::{Err, IResult, Offset, Parser};

use crate::{Expected, LineError, Reason};

pub(crate) type Parse<'a, T> = IResult<&'a str, T, ParseFailure<'a>>;

/// A parse error. Its offset in the line is computed only if it is reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParseFailure<'a> {
    pub(crate) at: &'a str,
    pub(crate) move_number: Option<usize>,
    pub(crate) expected: Expected,
}

impl<'a> ParseFailure<'a> {
    pub(crate) const fn new(at: &'a str, expected: Expected) -> Self {
        Self { at, move_number: None, expected }
    }

    pub(crate) fn in_line(self, line: &'a str) -> LineError {
        if trim(self.at).is_empty() {
            return LineError::new(trim(line), 0, Reason::Missing(self.expected));
        }
        LineError {
            move_number: self.move_number,
            ..LineError::expected(first_word(self.at), line.offset(self.at), self.expected)
        }
    }
}

impl<'a> ParseError<&'a str> for ParseFailure<'a> {
    /// An error of a nom parser. It is never reported, so `expected` does not matter.
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Self::new(at, Expected::Command)
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

pub(crate) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

pub(crate) fn from_first_word(line: &str) -> &str {
    trim_start(line.strip_prefix('\u{feff}').unwrap_or(line))
}

/// Line ends count as blanks, because a line may include its line end.
pub(crate) const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

pub(crate) fn first_word(text: &str) -> &str {
    text.split(is_blank).next().unwrap_or_default()
}

pub(crate) fn word(input: &str) -> Parse<'_, &str> {
    terminated(take_till1(is_blank), multispace0).parse(input)
}

pub(crate) fn keyword<'a>(
    text: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = ParseFailure<'a>> {
    terminated(tag(text), alt((multispace1, eof)))
}

/// Parses words up to `stop` or the end of the line, and joins them by single blanks.
pub(crate) fn words_until<'a, T>(
    stop: impl Parser<&'a str, Output = T, Error = ParseFailure<'a>>,
) -> impl Parser<&'a str, Output = String, Error = ParseFailure<'a>> {
    many0(preceded(not(stop), word)).map(|words: Vec<_>| words.join(" "))
}

pub(crate) fn number<T: FromStr>(input: &str) -> Parse<'_, T> {
    map_opt(word, |word| word.parse().ok()).parse(input)
}

/// Parses a time. A negative time becomes 0 and a fraction is dropped, with a reason to warn about it.
pub(crate) fn milliseconds(word: &str) -> Option<(Duration, Option<Reason>)> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let time: i64 = whole.parse().ok()?;
    let reason = match time < 0 {
        true => Some(Reason::NegativeTime),
        false if whole.len() < word.len() => Some(Reason::FractionalTime),
        false => None,
    };
    Some((Duration::from_millis(time.max(0).unsigned_abs()), reason))
}

pub(crate) trait Value: Sized {
    fn parse(input: &str) -> Parse<'_, Self>;

    fn text(&self) -> String;

    fn warning(_text: &str) -> Option<Reason> {
        None
    }
}

macro_rules! number_values {
    ($($number:ty),+) => {
        $(impl Value for $number {
            fn parse(input: &str) -> Parse<'_, Self> {
                const EXPECTED: Expected = Expected::Number { min: 0, max: <$number>::MAX as u64 };
                expect(EXPECTED, number).parse(trim_start(input))
            }

            fn text(&self) -> String {
                self.to_string()
            }
        })+
    };
}

number_values!(u32, u64);

impl Value for Duration {
    fn parse(input: &str) -> Parse<'_, Self> {
        let time = map_opt(word, |word| milliseconds(word).map(|(time, _)| time));
        expect(Expected::Milliseconds, time).parse(trim_start(input))
    }

    fn text(&self) -> String {
        self.as_millis().to_string()
    }

    fn warning(text: &str) -> Option<Reason> {
        milliseconds(text).and_then(|(_, reason)| reason)
    }
}

pub(crate) trait PrintField {
    /// The field's value as text. `None` if the field is not printed.
    fn text(&self) -> Option<String>;
}

impl PrintField for bool {
    fn text(&self) -> Option<String> {
        if *self { Some(String::new()) } else { None }
    }
}

impl<T: Value> PrintField for Option<T> {
    fn text(&self) -> Option<String> {
        self.as_ref().map(Value::text)
    }
}

impl<T: fmt::Display> PrintField for Vec<T> {
    fn text(&self) -> Option<String> {
        if self.is_empty() { None } else { Some(spaced(self).split_off(1)) }
    }
}

/// Name and value of a field, each after a blank. Empty if the field is not printed.
pub(crate) fn printed(field: &impl PrintField, name: &str) -> String {
    match field.text() {
        None => String::new(),
        Some(text) if text.is_empty() => format!(" {name}"),
        Some(text) => format!(" {name} {text}"),
    }
}

pub(crate) fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

pub(crate) fn one_of_words<'a, T: Clone>(
    words: &'a [(&'static str, T)],
) -> impl Parser<&'a str, Output = T, Error = ParseFailure<'a>> {
    map_opt(word, |word| words.iter().find(|(known, _)| *known == word).map(|(_, value)| value.clone()))
}

/// Turns a recoverable error of `parser` into a failure with `expected`, after which no other alternative is
/// tried.
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

pub(crate) fn spaced(words: &[impl fmt::Display]) -> String {
    words.iter().fold(String::new(), |text, word| text + " " + &word.to_string())
}
