//! The `go` command and its limits.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use nom::{Offset, Parser};

use crate::lexeme::{
    Parse, ParseFailure, display_field, display_words, expect, milliseconds, number, set, word,
};
use crate::moves::push_moves;
use crate::{Command, Expected, LineError, MAX_WARNINGS, Move, Parsed, Reason, Token, most_similar};

/// The protocol, which the first handshake word, `uci` or `ugi`, decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Universal Chess Interface, as arenas for chess variants speak it.
    #[default]
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

/// Prints the handshake word: `uci` or `ugi`.
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

    /// Reads the handshake word.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = [Self::Uci, Self::Ugi].into_iter().find(|dialect| dialect.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is neither uci nor ugi"))
    }
}

/// The moves to search, and the limits. The first limit that is reached ends the search.
///
/// Times are whole milliseconds from 0 to `i64::MAX`; parts of a millisecond are not printed. A negative time, which
/// arenas send after a clock has run out, is read as 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// `searchmoves`: the moves to consider; empty for all.
    pub search_moves: Vec<Token<'a, Move>>,
    /// `ponder`: search on the opponent's time, and answer only after `ponderhit` or `stop`.
    pub ponder: bool,
    /// `infinite`: answer only after `stop`.
    pub infinite: bool,
    /// The remaining times: `wtime` or `p1time` (index 0, the player who moves first), `btime` or `p2time`.
    pub time: [Option<Duration>; 2],
    /// The increments of each move: `winc` or `p1inc` (index 0, the player who moves first), `binc` or `p2inc`.
    pub increment: [Option<Duration>; 2],
    /// `movestogo`: number of moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// `depth`, in plies.
    pub depth: Option<u32>,
    /// `nodes`: number of positions to visit.
    pub nodes: Option<u64>,
    /// `mate`: look for a win within this many moves.
    pub mate: Option<u32>,
    /// `movetime`: time for this move.
    pub move_time: Option<Duration>,
}

/// Prints the whole command, with the clock words of UCI: `go wtime 1000 btime 1000`.
impl fmt::Display for Go<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Dialect::Uci, f)
    }
}

impl Go<'_> {
    /// Writes the whole command, with the clock words of a dialect.
    pub(crate) fn write(&self, dialect: Dialect, out: &mut dyn fmt::Write) -> fmt::Result {
        let clock = match dialect {
            Dialect::Uci => ["wtime", "btime", "winc", "binc"],
            Dialect::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
        };
        out.write_str("go")?;
        if !self.search_moves.is_empty() {
            out.write_str(" searchmoves")?;
            display_words(&self.search_moves, out)?;
        }
        if self.ponder {
            out.write_str(" ponder")?;
        }
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis());
        for (word, time) in clock.into_iter().zip(self.time.iter().chain(&self.increment)) {
            display_field(word, milliseconds(*time), out)?;
        }
        display_field("movestogo", self.moves_to_go, out)?;
        display_field("depth", self.depth, out)?;
        display_field("nodes", self.nodes, out)?;
        display_field("mate", self.mate, out)?;
        display_field("movetime", milliseconds(self.move_time), out)?;
        if self.infinite { out.write_str(" infinite") } else { Ok(()) }
    }
}

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
pub(crate) fn go<'a>(line: &'a str, mut input: &'a str) -> Parse<'a, Parsed<'a>> {
    let mut clauses =
        Clauses { line, go: Go::default(), perft: None, warnings: Vec::new(), words: Words::Unknown };
    while !input.is_empty() {
        (input, ()) = clauses.clause(input)?;
    }
    let command = clauses.perft.map_or_else(|| Command::Go(clauses.go), Command::Perft);
    Ok((input, Parsed { command, warnings: clauses.warnings }))
}

pub(crate) const COUNT: Expected = Expected::Number { min: 0, max: u32::MAX as u64 };
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
