//! The `go` command and its limits.

use std::fmt;
use std::time::Duration;

use crate::position::display_words;
use crate::{Dialect, Move, Token};

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

/// Prints a blank, the name and the value, or nothing.
pub(crate) fn display_field(
    name: &str,
    value: Option<impl fmt::Display>,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(out, " {name} {value}"))
}
