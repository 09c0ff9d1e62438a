//! The `info` line and its scores.

use std::fmt;
use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, value};
use nom::sequence::preceded;

use crate::Move;
use crate::lexeme::{
    Parse, display_field, display_words, is_blank, keyword, milliseconds, number, set, word,
};
use crate::moves::{push_moves, single_move};

/// A report about a search. Every field is optional; absent ones are not printed.
///
/// ```
/// use plumb_protocol::{Info, Reply, Score};
///
/// let info = Info { depth: Some(8), score: Some(Score::Mate(3).into()), ..Info::default() };
/// assert_eq!(Reply::Info(info).to_string(), "info depth 8 score mate 3");
/// assert_eq!(Info::message("hello").to_string(), "info string hello");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The depth searched, in plies.
    pub depth: Option<u32>,
    /// The greatest depth reached, in plies.
    pub sel_depth: Option<u32>,
    /// The rank of this line among several best ones, from 1.
    pub multi_pv: Option<u32>,
    /// The value of the position for the side to move.
    pub score: Option<ScoreReport>,
    /// The chances to win, to draw and to lose for the side to move, in thousandths.
    pub wdl: Option<[u16; 3]>,
    /// Number of positions visited.
    pub nodes: Option<u64>,
    /// Number of positions visited per second.
    pub nps: Option<u64>,
    /// Occupancy of the transposition table, in thousandths.
    pub hash_full: Option<u32>,
    /// Number of positions found in a book or tablebase.
    pub tb_hits: Option<u64>,
    /// Time since the search began; printed in whole milliseconds.
    pub time: Option<Duration>,
    /// The root move being searched.
    pub cur_move: Option<Move>,
    /// The rank of that move in the order of search, from 1.
    pub cur_move_number: Option<u32>,
    /// The principal variation; empty if absent.
    pub pv: Vec<Move>,
    /// `string`: any text to the end of the line, without a line end.
    pub string: Option<String>,
}

impl Info {
    /// The line `info string …`. The text must hold no line end.
    #[must_use]
    pub fn message(text: impl Into<String>) -> Self {
        Self { string: Some(text.into()), ..Self::default() }
    }
}

/// Prints the whole line, the fields in the order in which they stand in [`Info`].
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        display_field("depth", self.depth, f)?;
        display_field("seldepth", self.sel_depth, f)?;
        display_field("multipv", self.multi_pv, f)?;
        display_field("score", self.score, f)?;
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        display_field("nodes", self.nodes, f)?;
        display_field("nps", self.nps, f)?;
        display_field("hashfull", self.hash_full, f)?;
        display_field("tbhits", self.tb_hits, f)?;
        display_field("time", self.time.map(|time| time.as_millis()), f)?;
        display_field("currmove", self.cur_move, f)?;
        display_field("currmovenumber", self.cur_move_number, f)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            display_words(&self.pv, f)?;
        }
        match self.string.as_deref() {
            None => Ok(()),
            Some("") => f.write_str(" string"),
            Some(text) => write!(f, " string {text}"),
        }
    }
}

/// A value from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// An estimate in hundredths of the engine's unit; 0 is even. A proven draw is 0 too.
    Cp(i32),
    /// A proven end of the game. Positive: the side to move wins; negative: it loses; 0: it has lost already. The
    /// distance counts the winner's moves in UCI, and plies in UGI.
    Mate(i32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(value) => write!(f, "cp {value}"),
            Self::Mate(distance) => write!(f, "mate {distance}"),
        }
    }
}

/// The kind of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `lowerbound`: the true value is this or better.
    Lower,
    /// `upperbound`: the true value is this or worse.
    Upper,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lower => "lowerbound",
            Self::Upper => "upperbound",
        })
    }
}

/// A score that is exact or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreReport {
    /// The value.
    pub score: Score,
    /// `None` if the value is exact.
    pub bound: Option<Bound>,
}

/// An exact score.
impl From<Score> for ScoreReport {
    fn from(score: Score) -> Self {
        Self { score, bound: None }
    }
}

/// Prints the text after the word `score`, such as `cp 12` or `mate -3 upperbound`.
impl fmt::Display for ScoreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(f)?;
        self.bound.map_or(Ok(()), |bound| write!(f, " {bound}"))
    }
}

/// The fields after the word `info`. An unknown word is skipped, and so is the name of a field whose value is malformed.
pub(crate) fn info(mut input: &str) -> (&str, Info) {
    let mut info = Info::default();
    while let Ok((rest, name)) = word(input) {
        if let Some(text) = input.strip_prefix("string").filter(|_| name == "string") {
            // The rest of the line after one blank, verbatim.
            info.string = Some(text.strip_prefix(is_blank).unwrap_or(text).to_owned());
            return ("", info);
        }
        input = field(&mut info, name, rest).map_or(rest, |(rest, ())| rest);
    }
    (input, info)
}

fn field<'a>(info: &mut Info, name: &str, input: &'a str) -> Parse<'a, ()> {
    match name {
        "depth" => set(&mut info.depth, number, input),
        "seldepth" => set(&mut info.sel_depth, number, input),
        "multipv" => set(&mut info.multi_pv, number, input),
        "score" => set(&mut info.score, score, input),
        "wdl" => set(&mut info.wdl, (number, number, number).map(<[u16; 3]>::from), input),
        "nodes" => set(&mut info.nodes, number, input),
        "nps" => set(&mut info.nps, number, input),
        "hashfull" => set(&mut info.hash_full, number, input),
        "tbhits" => set(&mut info.tb_hits, number, input),
        "time" => set(&mut info.time, milliseconds.map(|(time, _)| time), input),
        "currmove" => set(&mut info.cur_move, single_move, input),
        "currmovenumber" => set(&mut info.cur_move_number, number, input),
        "pv" => {
            let (rest, moves) = pv(input);
            info.pv = moves;
            Ok((rest, ()))
        }
        _ => Ok((input, ())),
    }
}

/// Some engines put the bound before the value.
fn score(input: &str) -> Parse<'_, ScoreReport> {
    let value = alt((
        preceded(keyword("cp"), number).map(Score::Cp),
        preceded(keyword("mate"), number).map(Score::Mate),
    ));
    (opt(bound), value, opt(bound))
        .map(|(before, score, after)| ScoreReport { score, bound: after.or(before) })
        .parse(input)
}

fn bound(input: &str) -> Parse<'_, Bound> {
    alt((value(Bound::Lower, keyword("lowerbound")), value(Bound::Upper, keyword("upperbound")))).parse(input)
}

/// Moves up to the first word that is not a move, and the rest of the line.
fn pv(mut input: &str) -> (&str, Vec<Move>) {
    let line = input;
    let mut moves = Vec::new();
    while let Ok((rest, text)) = word(input) {
        if push_moves(line, text, &mut moves).is_err() {
            break;
        }
        input = rest;
    }
    (input, moves.into_iter().map(|m| m.value).collect())
}
