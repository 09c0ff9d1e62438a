//! The `info` line and its scores.

use std::fmt;
use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, value};
use nom::sequence::preceded;

use crate::Move;
use crate::lexeme::{Parse, Value, is_blank, keyword, number, printed, trim_start, word};
use crate::moves::push_moves;

/// Declares the fields of [`Info`]: doc comment, name, type and keyword. Expands to struct, printer and parser.
macro_rules! fields_of_info {
    ($($(#[$doc:meta])+ $field:ident: $type:ty = $name:literal;)+) => {
        /// A report about a search. Absent fields are not printed.
        ///
        /// ```
        /// use plumb_protocol::{Info, Reply, Score};
        ///
        /// let info = Info { depth: Some(8), score: Some(Score::Mate(3).into()), ..Info::default() };
        /// assert_eq!(Reply::Info(info).to_string(), "info depth 8 score mate 3");
        /// assert_eq!(Reply::message("hello").to_string(), "info string hello");
        /// ```
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Info {
            $($(#[$doc])+ pub $field: $type,)+
        }

        impl Info {
            /// The names of the fields in printing order.
            pub const FIELDS: &'static [&'static str] = &[$($name),+];

            /// Parses the value of field `name`. Returns the remaining input, or `None` if the value is
            /// malformed or the name unknown.
            fn parse_field<'a>(&mut self, name: &str, input: &'a str) -> Option<&'a str> {
                match name {
                    $($name => self.$field.parse(input),)+
                    _ => None,
                }
            }
        }

        impl fmt::Display for Info {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&["info".to_owned() $(, printed(&self.$field, $name))+].concat())
            }
        }
    };
}

fields_of_info! {
    /// The depth searched, in plies.
    depth: Option<u32> = "depth";
    /// The greatest depth reached (selective depth), in plies.
    sel_depth: Option<u32> = "seldepth";
    /// The rank of this principal variation among several, from 1.
    multi_pv: Option<u32> = "multipv";
    /// The value of the position for the side to move.
    score: Option<ScoreReport> = "score";
    /// The chances to win, to draw and to lose for the side to move, in thousandths.
    wdl: Option<[u16; 3]> = "wdl";
    /// Number of positions visited.
    nodes: Option<u64> = "nodes";
    /// Number of positions visited per second.
    nps: Option<u64> = "nps";
    /// Occupancy of the transposition table, in thousandths.
    hash_full: Option<u32> = "hashfull";
    /// Number of positions found in a book or tablebase.
    tb_hits: Option<u64> = "tbhits";
    /// Time since the search began; printed in whole milliseconds.
    time: Option<Duration> = "time";
    /// The principal variation; empty if absent.
    pv: Vec<Move> = "pv";
    /// Any text to the end of the line, without a line end.
    string: Option<String> = "string";
}

/// Parses the fields after `info`. Skips unknown words and malformed values.
pub(crate) fn info(mut input: &str) -> (&str, Info) {
    let mut info = Info::default();
    while let Ok((rest, name)) = word(input) {
        input = info.parse_field(name, &input[name.len()..]).unwrap_or(rest);
    }
    (input, info)
}

trait ParseField {
    fn parse<'a>(&mut self, input: &'a str) -> Option<&'a str>;
}

impl<T: Value> ParseField for Option<T> {
    fn parse<'a>(&mut self, input: &'a str) -> Option<&'a str> {
        let (rest, value) = T::parse(input).ok()?;
        *self = Some(value);
        Some(rest)
    }
}

/// Parses moves up to the first word that is not a move.
impl ParseField for Vec<Move> {
    fn parse<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let (mut input, mut moves) = (trim_start(line), Vec::new());
        while let Ok((rest, text)) = word(input)
            && push_moves(line, text, &mut moves).is_ok()
        {
            input = rest;
        }
        *self = moves.into_iter().map(|m| m.value).collect();
        Some(input)
    }
}

impl Value for String {
    fn parse(input: &str) -> Parse<'_, Self> {
        Ok(("", input.strip_prefix(is_blank).unwrap_or(input).to_owned()))
    }

    fn text(&self) -> String {
        self.clone()
    }
}

impl Value for [u16; 3] {
    fn parse(input: &str) -> Parse<'_, Self> {
        (number, number, number).map(Self::from).parse(trim_start(input))
    }

    fn text(&self) -> String {
        let [win, draw, loss] = self;
        format!("{win} {draw} {loss}")
    }
}

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// An estimate in hundredths of the engine's unit; 0 is even. A proven draw is 0 too.
    Cp(i32),
    /// A proven end of the game: positive if the side to move wins, negative if it loses, 0 if it has lost. The
    /// distance counts the winner's moves in UCI, and plies in UGI.
    Mate(i32),
}

/// Whether a score is a lower or an upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `lowerbound`: the true value is this or better.
    Lower,
    /// `upperbound`: the true value is this or worse.
    Upper,
}

/// A score that is exact or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreReport {
    /// The score.
    pub score: Score,
    /// `None` if the score is exact.
    pub bound: Option<Bound>,
}

impl From<Score> for ScoreReport {
    fn from(score: Score) -> Self {
        Self { score, bound: None }
    }
}

/// Prints the text after `score`, such as `cp 12` or `mate -3 upperbound`.
impl fmt::Display for ScoreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Score::Cp(value) => write!(f, "cp {value}")?,
            Score::Mate(distance) => write!(f, "mate {distance}")?,
        }
        f.write_str(match self.bound {
            None => "",
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
        })
    }
}

impl Value for ScoreReport {
    fn parse(input: &str) -> Parse<'_, Self> {
        let bound =
            || alt((value(Bound::Lower, keyword("lowerbound")), value(Bound::Upper, keyword("upperbound"))));
        let score = alt((
            preceded(keyword("cp"), number).map(Score::Cp),
            preceded(keyword("mate"), number).map(Score::Mate),
        ));
        (opt(bound()), score, opt(bound()))
            .map(|(before, score, after)| Self { score, bound: after.or(before) })
            .parse(trim_start(input))
    }

    fn text(&self) -> String {
        self.to_string()
    }
}
