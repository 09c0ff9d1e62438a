//! The words of a line, and the values that they stand for.

use std::fmt;
use std::time::Duration;

use crate::{Expected, LineError, Reason, Token};

/// Whether this separates words. Line ends do, as a line may have its end.
pub(crate) const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// The words of a line, from some place on.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    line: &'a str,
    /// The end of the last word that was taken. The blanks after it are skipped later, as the text of `info string` keeps them.
    at: usize,
}

impl<'a> Words<'a> {
    /// All words of a line.
    pub(crate) const fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    /// The next word, which is not taken; empty at the end of the line.
    pub(crate) fn peek(&self) -> Token<'a, ()> {
        let rest = self.line[self.at..].trim_start_matches(is_blank);
        let word = rest.split(is_blank).next().unwrap_or_default();
        Token::new((), word, self.line.len() - rest.len())
    }

    /// Takes the next word, if there is one that is wanted.
    pub(crate) fn next_if(&mut self, is_wanted: impl FnOnce(&str) -> bool) -> Option<Token<'a, ()>> {
        let word = Some(self.peek()).filter(|word| !word.text.is_empty() && is_wanted(word.text))?;
        self.at = word.end();
        Some(word)
    }

    /// Takes the next word if it is `keyword`; returns whether it was.
    pub(crate) fn keyword(&mut self, keyword: &str) -> bool {
        self.next_if(|word| word == keyword).is_some()
    }

    /// Takes the next word if `read` makes a value of it.
    ///
    /// # Errors
    /// For any other word, and at the end of the line: the place, and what is expected there.
    pub(crate) fn read<T>(
        &mut self,
        expected: Expected,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, LineError> {
        let word = self.peek();
        let value = read(word.text).ok_or_else(|| word.fault(Reason::Expected(expected)))?;
        self.at = word.end();
        Ok(value)
    }

    /// Takes the next word, which must be one of the keywords.
    pub(crate) fn one_of(&mut self, keywords: &'static [&'static str]) -> Result<&'static str, LineError> {
        self.read(Expected::OneOf(keywords), |word| keywords.iter().copied().find(|&keyword| keyword == word))
    }

    /// Takes the words before any of `stops`, or up to the end of the line. Value of the token: the words joined by single
    /// blanks, as names of options may be written with several; empty if there are none.
    pub(crate) fn until(&mut self, stops: &[&str]) -> Token<'a, String> {
        let start = self.peek().offset;
        let mut joined = String::new();
        while let Some(word) = self.next_if(|word| !stops.contains(&word)) {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(word.text);
        }
        Token::new(joined, self.line.get(start..self.at).unwrap_or_default(), start)
    }

    /// [`until`](Self::until) a stop, but at least one word.
    pub(crate) fn some_until(
        &mut self,
        stop: &str,
        expected: Expected,
    ) -> Result<Token<'a, String>, LineError> {
        let words = self.until(&[stop]);
        if words.value.is_empty() { Err(self.peek().fault(Reason::Expected(expected))) } else { Ok(words) }
    }

    /// The rest of the line, without blanks at its ends.
    pub(crate) fn rest(&self) -> Token<'a, String> {
        let offset = self.peek().offset;
        let text = self.line[offset..].trim_end_matches(is_blank);
        Token::new(text.to_owned(), text, offset)
    }
}

/// Takes word by word.
impl<'a> Iterator for Words<'a> {
    type Item = Token<'a, ()>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_if(|_| true)
    }
}

/// A number of milliseconds, and the reason if it is read as another one: a negative time counts as 0, and a fraction is left
/// out.
fn milliseconds(word: &str) -> Option<(Duration, Option<Reason>)> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let time: i64 = whole.parse().ok().filter(|_| fraction.bytes().all(|byte| byte.is_ascii_digit()))?;
    let reason = match time < 0 {
        true => Some(Reason::NegativeTime),
        false if whole.len() < word.len() => Some(Reason::FractionalTime),
        false => None,
    };
    Some((Duration::from_millis(time.max(0).unsigned_abs()), reason))
}

/// A value after a word of `go` or after the name of a field of `info`.
pub(crate) trait Value: Sized {
    /// Takes the words of the value.
    fn parse(words: &mut Words<'_>) -> Result<Self, LineError>;

    /// The text that is parsed.
    fn text(&self) -> String;

    /// The reason to warn about this well-formed text; only times have one.
    fn warning(_text: &str) -> Option<Reason> {
        None
    }
}

/// Counts, numbers of nodes, and parts of scores.
macro_rules! number_values {
    ($($number:ty),+) => {
        $(impl Value for $number {
            fn parse(words: &mut Words<'_>) -> Result<Self, LineError> {
                const EXPECTED: Expected =
                    Expected::Number { min: <$number>::MIN as i64, max: <$number>::MAX as u64 };
                words.read(EXPECTED, |word| word.parse().ok())
            }

            fn text(&self) -> String {
                self.to_string()
            }
        })+
    };
}

number_values!(i32, u16, u32, u64);

/// Whole milliseconds.
impl Value for Duration {
    fn parse(words: &mut Words<'_>) -> Result<Self, LineError> {
        words.read(Expected::Milliseconds, |word| milliseconds(word).map(|(time, _)| time))
    }

    fn text(&self) -> String {
        self.as_millis().to_string()
    }

    fn warning(text: &str) -> Option<Reason> {
        milliseconds(text).and_then(|(_, reason)| reason)
    }
}

/// The rest of the line after one blank, verbatim.
impl Value for String {
    fn parse(words: &mut Words<'_>) -> Result<Self, LineError> {
        let rest = &words.line[words.at..];
        words.at = words.line.len();
        Ok(rest.strip_prefix(is_blank).unwrap_or(rest).to_owned())
    }

    fn text(&self) -> String {
        self.clone()
    }
}

/// A field of `go` or `info`.
pub(crate) trait Field {
    /// The text after the field's name, which may be empty; `None` if the field is not printed.
    fn text(&self) -> Option<String>;
}

impl Field for bool {
    fn text(&self) -> Option<String> {
        self.then(String::new)
    }
}

impl<T: Value> Field for Option<T> {
    fn text(&self) -> Option<String> {
        self.as_ref().map(Value::text)
    }
}

impl<T: fmt::Display> Field for Vec<T> {
    fn text(&self) -> Option<String> {
        (!self.is_empty()).then(|| spaced(self).split_off(1))
    }
}

/// Name and text of a field, each with a blank before it; empty if the field is not printed.
pub(crate) fn printed(field: &impl Field, name: &str) -> String {
    match field.text() {
        None => String::new(),
        Some(text) if text.is_empty() => format!(" {name}"),
        Some(text) => format!(" {name} {text}"),
    }
}

/// The word for a value in this table.
pub(crate) fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

/// The value of a word in this table.
pub(crate) fn value_of<T: Clone>(words: &[(&str, T)], word: &str) -> Option<T> {
    words.iter().find(|(known, _)| *known == word).map(|(_, value)| value.clone())
}

/// The words or moves, each with a blank before it.
pub(crate) fn spaced(words: &[impl fmt::Display]) -> String {
    words.iter().fold(String::new(), |text, word| text + " " + &word.to_string())
}
