//! The clauses of `go`, in any order.

use std::time::Duration;

use nom::{Offset, Parser};

use super::lexeme::{Parse, ParseFailure, expect, milliseconds, number, set, word};
use super::moves::push_moves;
use super::parsed::{MAX_WARNINGS, Parsed};
use crate::{Command, Expected, Go, LineError, Reason, most_similar};

/// The words that begin a clause.
const KEYWORDS: [&str; 17] = [
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "p1time",
    "p2time",
    "winc",
    "binc",
    "p1inc",
    "p2inc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];

/// The clauses after the word `go`; of two with the same keyword, the later one holds.
pub(super) fn go<'a>(line: &'a str, mut input: &'a str) -> Parse<'a, Parsed<'a>> {
    let mut clauses =
        Clauses { line, go: Go::default(), perft: None, warnings: Vec::new(), words: Words::Unknown };
    while !input.is_empty() {
        (input, ()) = clauses.clause(input)?;
    }
    let command = clauses.perft.map_or_else(|| Command::Go(clauses.go), Command::Perft);
    Ok((input, Parsed { command, warnings: clauses.warnings }))
}

pub(super) const COUNT: Expected = Expected::Number { min: 0, max: u32::MAX as u64 };
const NODES: Expected = Expected::Number { min: 0, max: u64::MAX };

/// The treatment of the next word that is not a keyword; it depends on the word before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// It is a move to search.
    Moves,
    /// It is reported as unknown.
    Unknown,
    /// It is the malformed value of a limit, which has been reported.
    Malformed,
    /// It follows an unknown word, to which it belongs if it is a number.
    AfterUnknown,
}

/// The clauses read so far.
struct Clauses<'a> {
    line: &'a str,
    go: Go<'a>,
    perft: Option<u32>,
    warnings: Vec<LineError>,
    words: Words,
}

impl<'a> Clauses<'a> {
    /// Reads one clause. A malformed value of a limit is left for the next clause, since it may be a keyword: in
    /// `go depth movetime 100` the time holds.
    fn clause(&mut self, input: &'a str) -> Parse<'a, ()> {
        let (input, name) = word(input)?;
        let (go, mut rest) = (&mut self.go, input);
        let (mut malformed, mut warning) = (None, None);
        let mut limit = |value: Parse<'a, ()>, expected| match value {
            Ok((after, ())) => rest = after,
            Err(_) => malformed = Some(ParseFailure::new(input, expected)),
        };
        let mut time = |time: &mut Option<Duration>| {
            let value = milliseconds.map(|(time, about)| {
                warning = about;
                time
            });
            limit(set(time, value, input), Expected::Milliseconds);
        };
        let mut words = Words::Unknown;
        match name {
            "wtime" | "p1time" => time(&mut go.time[0]),
            "btime" | "p2time" => time(&mut go.time[1]),
            "winc" | "p1inc" => time(&mut go.increment[0]),
            "binc" | "p2inc" => time(&mut go.increment[1]),
            "movetime" => time(&mut go.move_time),
            "movestogo" => limit(set(&mut go.moves_to_go, number, input), COUNT),
            "depth" => limit(set(&mut go.depth, number, input), COUNT),
            "mate" => limit(set(&mut go.mate, number, input), COUNT),
            "nodes" => limit(set(&mut go.nodes, number, input), NODES),
            // Not a limit: with a malformed number, a count must not turn into a search.
            "perft" => (rest, ()) = set(&mut self.perft, expect(COUNT, number), input)?,
            "searchmoves" => {
                go.search_moves.clear();
                words = Words::Moves;
            }
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            _ => {
                self.take_word(name);
                return Ok((input, ()));
            }
        }
        self.words = words;
        if let Some((word, reason)) = warning {
            self.warn(LineError::new(word, self.line.offset(word), reason));
        }
        match malformed {
            // The line has no blanks at its end, so the keyword is its last word.
            Some(fault) if fault.is_at_end() => {
                self.warn(LineError::new(name, self.line.len() - name.len(), Reason::MissingNumber));
            }
            Some(fault) => {
                self.warn(fault.in_line(self.line));
                self.words = Words::Malformed;
            }
            None => {}
        }
        Ok((rest, ()))
    }

    /// Adds a word that is not a keyword.
    fn take_word(&mut self, word: &'a str) {
        match self.words {
            Words::Moves => {
                if let Err(fault) = push_moves(self.line, word, &mut self.go.search_moves) {
                    self.warn(fault.in_line(self.line));
                }
            }
            Words::Malformed => self.words = Words::Unknown,
            Words::AfterUnknown if word.parse::<f64>().is_ok() => self.words = Words::Unknown,
            Words::AfterUnknown | Words::Unknown => {
                // The search for a similar word takes time, and a line may hold a million unknown words.
                if self.warnings.len() < MAX_WARNINGS {
                    let reason = Reason::UnknownLimit { similar: most_similar(word, KEYWORDS) };
                    self.warn(LineError::new(word, self.line.offset(word), reason));
                }
                self.words = Words::AfterUnknown;
            }
        }
    }

    fn warn(&mut self, warning: LineError) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }
}
