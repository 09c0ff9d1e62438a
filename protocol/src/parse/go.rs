//! The clauses of `go`, in any order.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::multi::fold_many0;
use nom::sequence::preceded;

use super::lexeme::{Fault, Parse, expect, keyword, milliseconds, number, word};
use super::moves::push_moves;
use super::{MAX_WARNINGS, Parsed};
use crate::{Command, Expected, Go, SyntaxError};

/// One step through the line.
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
    /// A limit whose value is none. That value is read again as the next clause, since it may be a keyword: in
    /// `go depth movetime 100` the time still holds.
    Malformed(Fault<'a>),
    /// No keyword: a move after `searchmoves`, otherwise something to skip.
    Word(&'a str),
}

/// What follows the word `go`, to the end of the line.
pub(super) fn go<'a>(line: &'a str, input: &'a str) -> Parse<'a, Parsed> {
    fold_many0(clause, || Clauses::new(line), Clauses::with).map(Clauses::finish).parse(input)
}

fn clause(input: &str) -> Parse<'_, Clause<'_>> {
    alt((
        keyword("searchmoves").map(|_| Clause::SearchMoves),
        keyword("ponder").map(|_| Clause::Ponder),
        keyword("infinite").map(|_| Clause::Infinite),
        time("wtime", |time| Clause::Time(0, time)),
        time("p1time", |time| Clause::Time(0, time)),
        time("btime", |time| Clause::Time(1, time)),
        time("p2time", |time| Clause::Time(1, time)),
        time("winc", |time| Clause::Increment(0, time)),
        time("p1inc", |time| Clause::Increment(0, time)),
        time("binc", |time| Clause::Increment(1, time)),
        time("p2inc", |time| Clause::Increment(1, time)),
        time("movetime", Clause::MoveTime),
        count("movestogo", Clause::MovesToGo),
        count("depth", Clause::Depth),
        count("mate", Clause::Mate),
        limit("nodes", number, NODES, Clause::Nodes),
        // Not a limit: a search instead of the count that was asked for would help nobody.
        preceded(keyword("perft"), expect(COUNT, number)).map(Clause::Perft),
        word.map(Clause::Word),
    ))
    .parse(input)
}

pub(super) const COUNT: Expected = Expected::Number { min: 0, max: u32::MAX as u64 };
const NODES: Expected = Expected::Number { min: 0, max: u64::MAX };

fn time<'a>(
    name: &'static str,
    clause: impl Fn(Duration) -> Clause<'a>,
) -> impl Parser<&'a str, Output = Clause<'a>, Error = Fault<'a>> {
    limit(name, milliseconds, Expected::Milliseconds, clause)
}

fn count<'a>(
    name: &'static str,
    clause: impl Fn(u32) -> Clause<'a>,
) -> impl Parser<&'a str, Output = Clause<'a>, Error = Fault<'a>> {
    limit(name, number, COUNT, clause)
}

/// A keyword and its value, or the keyword alone and the fault of what follows.
fn limit<'a, T>(
    name: &'static str,
    value: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
    expected: Expected,
    clause: impl Fn(T) -> Clause<'a>,
) -> impl Parser<&'a str, Output = Clause<'a>, Error = Fault<'a>> {
    let malformed = move |at: &'a str| Ok((at, Clause::Malformed(Fault::new(at, expected))));
    preceded(keyword(name), alt((value.map(clause), malformed)))
}

/// The clauses read so far.
struct Clauses<'a> {
    line: &'a str,
    go: Go,
    perft: Option<u32>,
    warnings: Vec<SyntaxError>,
    /// Whether the last keyword was `searchmoves`.
    reading_moves: bool,
}

impl<'a> Clauses<'a> {
    fn new(line: &'a str) -> Self {
        Self { line, go: Go::default(), perft: None, warnings: Vec::new(), reading_moves: false }
    }

    /// Takes one clause in; of two alike, the later one holds.
    fn with(mut self, clause: Clause<'a>) -> Self {
        if let Clause::Word(word) = clause {
            if self.reading_moves
                && let Err(fault) = push_moves(self.line, word, &mut self.go.search_moves)
            {
                self.warn(fault);
            }
            return self;
        }
        self.reading_moves = false;
        match clause {
            Clause::SearchMoves => {
                self.go.search_moves.clear();
                self.reading_moves = true;
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
            Clause::Malformed(fault) => self.warn(fault),
            Clause::Word(_) => {}
        }
        self
    }

    fn warn(&mut self, fault: Fault<'a>) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(fault.in_line(self.line));
        }
    }

    fn finish(self) -> Parsed {
        let command = self.perft.map_or_else(|| Command::Go(self.go), Command::Perft);
        Parsed { command, warnings: self.warnings }
    }
}
