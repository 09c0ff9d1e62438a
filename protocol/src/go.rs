//! The `go` command and its limits.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use nom::{Err, Offset, Parser};

use crate::lexeme::{Parse, Value, expect, first_word, number, printed, word};
use crate::moves::push_moves;
use crate::{Expected, LineError, Move, Reason, Token, most_similar};

/// The greatest number of warnings about one line. Further errors are not reported.
pub const MAX_WARNINGS: usize = 32;

const PERFT: &str = "perft";

/// The protocol of the engine, chosen by the last command `uci` or `ugi`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Universal Chess Interface, as arenas for chess variants speak it.
    #[default]
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uci => "uci",
            Self::Ugi => "ugi",
        })
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = [Self::Uci, Self::Ugi].into_iter().find(|dialect| dialect.to_string() == text);
        found.ok_or_else(|| format!("`{text}`: expected uci or ugi"))
    }
}

/// Declares the fields of [`Go`]: doc comment, name, type and keyword, and after `or` the keyword of UGI. A
/// keyword with `[0]` sets element 0 of an array. Expands to struct, printer and parser.
macro_rules! words_of_go {
    ($($(#[$doc:meta])+ $field:ident: $type:ty = $($([$index:literal])? $uci:literal $(or $ugi:literal)?),+;)+) => {
        /// The moves to search, and the limits. The first limit that is reached ends the search.
        ///
        /// Times are whole milliseconds from 0 to `i64::MAX`. Arenas send a negative time after a clock has run
        /// out. The parser reads it as 0.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Go<'a> {
            $($(#[$doc])+ pub $field: $type,)+
        }

        impl<'a> Go<'a> {
            /// The keywords of `go` in printing order, each in UCI, and then in UGI if it differs.
            pub const WORDS: &'static [&'static [&'static str]] = &[$($(&[$uci $(, $ugi)?]),+),+];

            pub(crate) fn line(&self, dialect: Dialect) -> String {
                ["go".to_owned() $($(, printed(&self.$field $([$index])?, spelled(&[$uci $(, $ugi)?], dialect)))+)+].concat()
            }

            /// Parses the clause of the keyword `name`. Returns the remaining input, or `None` if `name` is
            /// not a keyword.
            fn parse_clause(&mut self, name: &'a str, input: &'a str, warnings: &mut Warnings<'a>) -> Option<&'a str> {
                match name {
                    $($($uci $(| $ugi)? => Some(self.$field $([$index])?.parse(name, input, warnings)),)+)+
                    _ => None,
                }
            }
        }
    };
}

words_of_go! {
    /// `searchmoves`: the moves to consider; empty for all.
    search_moves: Vec<Token<'a, Move>> = "searchmoves";
    /// `ponder`: search on the opponent's time, and answer after `ponderhit` or `stop`.
    ponder: bool = "ponder";
    /// Remaining times: `wtime` or `p1time` (index 0, the first player), `btime` or `p2time`.
    time: [Option<Duration>; 2] = [0] "wtime" or "p1time", [1] "btime" or "p2time";
    /// Increments: `winc` or `p1inc` (index 0, the first player), `binc` or `p2inc`.
    increment: [Option<Duration>; 2] = [0] "winc" or "p1inc", [1] "binc" or "p2inc";
    /// `movestogo`: moves until the next time control.
    moves_to_go: Option<u32> = "movestogo";
    /// `depth`, in plies.
    depth: Option<u32> = "depth";
    /// `nodes`: number of positions to visit.
    nodes: Option<u64> = "nodes";
    /// `mate`: look for a win within this many moves (UGI: plies).
    mate: Option<u32> = "mate";
    /// `movetime`: time for this move.
    move_time: Option<Duration> = "movetime";
    /// `infinite`: answer only after `stop`.
    infinite: bool = "infinite";
}

/// Prints the whole command with the keywords of UCI.
impl fmt::Display for Go<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(Dialect::Uci))
    }
}

/// Parses the clauses after `go`, with the depth of `perft` and warnings about ignored or changed parts. If a
/// keyword occurs twice, the last well-formed clause counts.
pub(crate) fn go<'a>(line: &'a str, mut input: &'a str) -> Parse<'a, (Go<'a>, Option<u32>, Vec<LineError>)> {
    let (mut go, mut perft) = (Go::default(), None);
    let mut warnings = Warnings { line, list: Vec::new() };
    while let Ok((rest, name)) = word(input) {
        input = if name == PERFT {
            // A malformed `perft` must not turn into a search.
            let (rest, depth) = perft_depth(rest)?;
            perft = Some(depth);
            rest
        } else if let Some(rest) = go.parse_clause(name, rest, &mut warnings) {
            rest
        } else {
            warnings.add_unknown(name);
            after_number(rest)
        };
    }
    Ok((input, (go, perft, warnings.list)))
}

pub(crate) fn perft_depth(input: &str) -> Parse<'_, u32> {
    expect(Expected::PerftDepth, number).parse(input)
}

struct Warnings<'a> {
    line: &'a str,
    list: Vec<LineError>,
}

impl<'a> Warnings<'a> {
    fn push(&mut self, warning: LineError) {
        if self.list.len() < MAX_WARNINGS {
            self.list.push(warning);
        }
    }

    fn add(&mut self, token: &'a str, reason: Reason) {
        self.push(LineError::new(token, self.line.offset(token), reason));
    }

    fn add_number(&mut self, name: &'a str, number: &'a str, reason: Reason) {
        let end = self.line.offset(number) + number.len();
        self.add(&self.line[self.line.offset(name)..end], reason);
    }

    fn add_unknown(&mut self, name: &'a str) {
        // Past the maximum, the slow search for a similar word would be useless.
        if self.list.len() < MAX_WARNINGS {
            self.add(name, Reason::UnknownLimit { similar: most_similar(name, words()) });
        }
    }
}

fn words() -> impl Iterator<Item = &'static str> {
    Go::WORDS.iter().copied().flatten().copied().chain([PERFT])
}

fn spelled(spellings: &[&'static str], dialect: Dialect) -> &'static str {
    spellings[if dialect == Dialect::Uci { 0 } else { spellings.len() - 1 }]
}

/// Skips the number after an unknown word.
fn after_number(input: &str) -> &str {
    if first_word(input).parse().is_ok_and(f64::is_finite) { after_word(input) } else { input }
}

fn after_word(input: &str) -> &str {
    word(input).map_or(input, |(rest, _)| rest)
}

trait ParseClause<'a> {
    /// Parses the value after the keyword `name`. Returns the remaining input.
    fn parse(&mut self, name: &'a str, input: &'a str, warnings: &mut Warnings<'a>) -> &'a str;
}

impl<'a> ParseClause<'a> for bool {
    fn parse(&mut self, _: &'a str, input: &'a str, _: &mut Warnings<'a>) -> &'a str {
        *self = true;
        input
    }
}

/// Parses moves up to the next keyword of `go`.
impl<'a> ParseClause<'a> for Vec<Token<'a, Move>> {
    fn parse(&mut self, _: &'a str, mut input: &'a str, warnings: &mut Warnings<'a>) -> &'a str {
        let mut moves = Vec::new();
        while let Ok((rest, text)) = word(input)
            && words().all(|word| word != text)
        {
            input = rest;
            let Err(fault) = push_moves(warnings.line, text, &mut moves) else { continue };
            // Skips a misspelled keyword of `go` and its number.
            if warnings.list.len() < MAX_WARNINGS && most_similar(text, words()).is_some() {
                warnings.add_unknown(text);
                input = after_number(rest);
            } else {
                warnings.push(fault.in_line(warnings.line));
            }
        }
        if !moves.is_empty() {
            *self = moves;
        }
        input
    }
}

/// Parses a number. A malformed number causes a warning. A keyword in its place is not skipped:
/// `go depth movetime 100` sets the time.
impl<'a, T: Value> ParseClause<'a> for Option<T> {
    fn parse(&mut self, name: &'a str, input: &'a str, warnings: &mut Warnings<'a>) -> &'a str {
        let text = first_word(input);
        match T::parse(input) {
            Ok((rest, value)) => {
                *self = Some(value);
                if let Some(reason) = T::warning(text) {
                    warnings.add_number(name, text, reason);
                }
                return rest;
            }
            Err(Err::Failure(fault)) if !text.is_empty() => {
                warnings.add_number(name, text, Reason::Expected(fault.expected));
            }
            Err(_) => warnings.add(name, Reason::MissingNumber),
        }
        if words().any(|word| word == text) { input } else { after_word(input) }
    }
}
