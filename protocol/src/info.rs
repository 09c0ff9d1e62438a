//! The `info` line.

use std::fmt;
use std::time::Duration;

use crate::go::display_field;
use crate::position::display_words;
use crate::{Move, ScoreReport};

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
