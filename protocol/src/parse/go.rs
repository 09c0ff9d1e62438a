//! The clauses of `go`, in any order.

use std::time::Duration;

use nom::branch::alt;
use nom::multi::fold_many0;
use nom::sequence::preceded;
use nom::{Offset, Parser};

use super::lexeme::{Parse, ParseFailure, expect, keyword, milliseconds, number, word};
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

/// One clause.
#[derive(Clone, Copy)]
enum Clause<'a> {
    SearchMoves,
    Ponder,
    Infinite,
    Time(usize, Duration),
    Increment(usize, Duration),
    MovesToGo(u32),
    Depth(u32),
    Nodes(u64),
    Mate(u32),
    MoveTime(Duration),
    Perft(u32),
    /// A limit with a malformed value, which is read again as the next clause, since it may be a keyword: in
    /// `go depth movetime 100` the time holds.
    Malformed(&'static str, ParseFailure<'a>),
    /// A word that is not a keyword: a move after `searchmoves`, else an unknown word.
    Word(&'a str),
}

/// A clause, and the text of its time if that is negative.
type Step<'a> = (Clause<'a>, Option<&'a str>);

/// The clauses after the word `go`.
pub(super) fn go<'a>(line: &'a str, input: &'a str) -> Parse<'a, Parsed<'a>> {
    fold_many0(clause, || Clauses::new(line), Clauses::with).map(Clauses::finish).parse(input)
}

fn clause(input: &str) -> Parse<'_, Step<'_>> {
    let plain = alt((
        keyword("searchmoves").map(|_| Clause::SearchMoves),
        keyword("ponder").map(|_| Clause::Ponder),
        keyword("infinite").map(|_| Clause::Infinite),
        count("movestogo", Clause::MovesToGo),
        count("depth", Clause::Depth),
        count("mate", Clause::Mate),
        limit("nodes", number, NODES, Clause::Nodes, Clause::Malformed),
        // Not a limit: with a malformed number, a count must not turn into a search.
        preceded(keyword("perft"), expect(COUNT, number)).map(Clause::Perft),
    ));
    alt((
        time("wtime", |time| Clause::Time(0, time)),
        time("p1time", |time| Clause::Time(0, time)),
        time("btime", |time| Clause::Time(1, time)),
        time("p2time", |time| Clause::Time(1, time)),
        time("winc", |time| Clause::Increment(0, time)),
        time("p1inc", |time| Clause::Increment(0, time)),
        time("binc", |time| Clause::Increment(1, time)),
        time("p2inc", |time| Clause::Increment(1, time)),
        time("movetime", Clause::MoveTime),
        plain.map(|clause| (clause, None)),
        word.map(|word| (Clause::Word(word), None)),
    ))
    .parse(input)
}

pub(super) const COUNT: Expected = Expected::Number { min: 0, max: u32::MAX as u64 };
const NODES: Expected = Expected::Number { min: 0, max: u64::MAX };

fn time<'a>(
    name: &'static str,
    clause: impl Fn(Duration) -> Clause<'a>,
) -> impl Parser<&'a str, Output = Step<'a>, Error = ParseFailure<'a>> {
    let step = move |(time, negative)| (clause(time), negative);
    let malformed = |name, fault| (Clause::Malformed(name, fault), None);
    limit(name, milliseconds, Expected::Milliseconds, step, malformed)
}

fn count<'a>(
    name: &'static str,
    clause: impl Fn(u32) -> Clause<'a>,
) -> impl Parser<&'a str, Output = Clause<'a>, Error = ParseFailure<'a>> {
    limit(name, number, COUNT, clause, Clause::Malformed)
}

/// A keyword and its value, or the keyword and the error of its value.
fn limit<'a, T, C>(
    name: &'static str,
    value: impl Parser<&'a str, Output = T, Error = ParseFailure<'a>>,
    expected: Expected,
    clause: impl Fn(T) -> C,
    malformed: impl Fn(&'static str, ParseFailure<'a>) -> C,
) -> impl Parser<&'a str, Output = C, Error = ParseFailure<'a>> {
    let malformed = move |at: &'a str| Ok((at, malformed(name, ParseFailure::new(at, expected))));
    preceded(keyword(name), alt((value.map(clause), malformed)))
}

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
    fn new(line: &'a str) -> Self {
        Self { line, go: Go::default(), perft: None, warnings: Vec::new(), words: Words::Unknown }
    }

    /// Adds a clause; of two with the same keyword, the later one holds.
    fn with(mut self, (clause, negative): Step<'a>) -> Self {
        if let Clause::Word(word) = clause {
            self.take_word(word);
            return self;
        }
        self.words = Words::Unknown;
        if let Some(word) = negative {
            self.warn(LineError::new(word, self.line.offset(word), Reason::NegativeTime));
        }
        match clause {
            Clause::SearchMoves => {
                self.go.search_moves.clear();
                self.words = Words::Moves;
            }
            Clause::Ponder => self.go.ponder = true,
            Clause::Infinite => self.go.infinite = true,
            Clause::Time(player, time) => self.go.time[player] = Some(time),
            Clause::Increment(player, time) => self.go.increment[player] = Some(time),
            Clause::MovesToGo(moves) => self.go.moves_to_go = Some(moves),
            Clause::Depth(plies) => self.go.depth = Some(plies),
            Clause::Nodes(nodes) => self.go.nodes = Some(nodes),
            Clause::Mate(moves) => self.go.mate = Some(moves),
            Clause::MoveTime(time) => self.go.move_time = Some(time),
            Clause::Perft(plies) => self.perft = Some(plies),
            Clause::Malformed(keyword, fault) if fault.is_at_end() => {
                // The line has no blanks at its end, so the keyword is its last word.
                let offset = self.line.len() - keyword.len();
                self.warn(LineError::new(keyword, offset, Reason::MissingNumber));
            }
            Clause::Malformed(_, fault) => {
                self.warn(fault.in_line(self.line));
                self.words = Words::Malformed;
            }
            Clause::Word(_) => {}
        }
        self
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

    fn finish(self) -> Parsed<'a> {
        let command = self.perft.map_or_else(|| Command::Go(self.go), Command::Perft);
        Parsed { command, warnings: self.warnings }
    }
}
