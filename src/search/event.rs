//! Reports and results of a search. The search itself never prints.

use std::time::Duration;

use crate::score::Value;

/// The state of a search. Reported after each new result and at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchInfo {
    /// Depth of the iteration, or the proven distance to the end of the game, in plies. At least 1 unless the
    /// game is over.
    pub depth: u32,
    /// Greatest depth in plies that the calling thread reached.
    pub sel_depth: u32,
    /// `MultiPV` rank of this line, from 1. `None` with one line or without a search.
    pub multi_pv: Option<usize>,
    /// The value for the side to move.
    pub value: Value,
    /// Whether the value is exact, a lower bound or an upper bound.
    pub bound: Bound,
    /// Nodes visited in this search.
    pub nodes: u64,
    /// Time since [`Search::started_at`](super::Search::started_at).
    pub time: Duration,
    /// Occupancy of the transposition table in permille; 0 without a search.
    pub hash_full: u16,
    /// Scores and moves read from the opening book.
    pub tb_hits: u64,
    /// Principal variation as columns from 0. Empty only if the game is over.
    pub pv: Vec<u32>,
}

impl SearchInfo {
    pub(crate) fn new(depth: u32, (value, bound, pv): (Value, Bound, Vec<u32>)) -> Self {
        Self {
            depth,
            sel_depth: depth,
            multi_pv: None,
            value,
            bound,
            nodes: 0,
            time: Duration::ZERO,
            hash_full: 0,
            tb_hits: 0,
            pv,
        }
    }
}

/// How a reported value bounds the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is exact or an estimate.
    Exact,
    /// The value is a lower bound.
    Lower,
    /// The value is an upper bound.
    Upper,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchResult {
    /// The column to play, from 0. `None` only if the game is over.
    pub best: Option<u32>,
    /// The column of the expected reply, from 0.
    pub ponder: Option<u32>,
    /// Value, principal variation and final counters.
    pub info: SearchInfo,
    /// The choice that [`Settings::swindle`](super::Settings::swindle) made, if any.
    pub swindle: Option<SwindleInfo>,
}

/// A choice among moves that keep the theoretical result, by expected points against a fallible opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwindleInfo {
    /// The column of the chosen move, from 0.
    pub column: u32,
    /// Expected points of the chosen move in permille: 1000 for a win, 500 for a draw.
    pub expected: u16,
    /// The column that the exact search preferred, from 0.
    pub preferred: u32,
    /// Expected points of the preferred move in permille.
    pub expected_of_preferred: u16,
    /// Depth of the deepest finished reply tree, in replies of the opponent.
    pub depth: u32,
}
