//! What a search tells while it runs. A search never prints: it emits these.

use std::time::Duration;

/// The number of a search, different for each; events carry it so that those of an earlier search can be told apart.
pub type SearchId = u64;

/// Something that a search has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEvent {
    /// A finished iteration or probe.
    Info(SearchInfo),
    /// The answer; exactly one a search, and the last thing it says.
    Done {
        /// The column to play (from 0); `None` only where the game is over.
        best: Option<u32>,
        /// The column of the expected reply (from 0).
        ponder: Option<u32>,
    },
}

/// What is known after an iteration or probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Depth in plies: the horizon of the search, or of the proof.
    pub depth: u32,
    /// Greatest depth reached, in plies.
    pub sel_depth: u32,
    /// Rank of this line among the best ones, from 1; `None` where only one line was asked for.
    pub multi_pv: Option<usize>,
    /// The value for the side to move.
    pub value: Value,
    /// Whether the value is exact or a proven bound.
    pub bound: Bound,
    /// Nodes visited since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Occupancy of the transposition table in permille.
    pub hash_full: u16,
    /// Hits in the opening book since the search began.
    pub tb_hits: u64,
    /// Principal variation as columns (from 0); legal, and not empty unless the game is over.
    pub pv: Vec<u32>,
}

/// A value from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A win, the four completed with the `plies`-th stone from here (odd, from 1).
    Win {
        /// Plies to the end.
        plies: u32,
    },
    /// A loss, the opponent's four completed with the `plies`-th stone from here (even; 0 when it stands already).
    Loss {
        /// Plies to the end.
        plies: u32,
    },
    /// A draw, proven.
    Draw,
    /// An estimate in centipawn-like units; 100 is a large advantage.
    Estimate(i32),
}

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}
