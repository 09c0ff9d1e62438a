//! Events of a running search. A search never prints; it emits these.

use std::time::Duration;

use crate::score::Value;

/// The state of a search: after an iteration, a probe, an answer of the book, a line that is complete and a choice of
/// `Swindle`, and at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchInfo {
    /// Depth in plies: that of the iteration, or the distance to the end that is proven (1 for a draw
    /// by the book in an answer without a search); at least 1 unless the game is over.
    pub depth: u32,
    /// Greatest depth of any node of the calling thread, in plies; at least `depth`.
    pub sel_depth: u32,
    /// Rank of this line among the best, from 1; `None` if only one line was asked for, the game is over, or
    /// there was no search.
    pub multi_pv: Option<usize>,
    /// The value for the side to move.
    pub value: Value,
    /// Whether the value is exact or a proven bound.
    pub bound: Bound,
    /// Nodes visited in this search.
    pub nodes: u64,
    /// Time since the search was asked for ([`Search::started_at`](super::Search::started_at)).
    pub time: Duration,
    /// Occupancy of the transposition table in permille, 0 to 1000; 0 in an answer that is given without a search.
    pub hash_full: u16,
    /// Hits in the opening book since the search began: scores and moves read from its layers and its extension.
    pub tb_hits: u64,
    /// Principal variation as columns (from 0). Legal, and empty only if the game is over.
    pub pv: Vec<u32>,
}

impl SearchInfo {
    /// The report of a line, before any node is counted.
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

/// The relation of a value to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// They are equal. For an estimate: it is no bound.
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
    /// The column to play, from 0; `None` only if the game is over.
    pub best: Option<u32>,
    /// The column of the expected reply, from 0.
    pub ponder: Option<u32>,
    /// The value and principal variation of the best move, and the counters at the end.
    pub info: SearchInfo,
    /// Why the best move was chosen among moves that keep the theoretical result, if it was
    /// ([`Settings::swindle`](super::Settings::swindle)).
    pub swindle: Option<SwindleInfo>,
}

/// A choice among moves that keep the theoretical result, by the points expected against a fallible opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwindleInfo {
    /// The column of the chosen move, from 0.
    pub column: u32,
    /// Expected points of the chosen move in permille: 1000 for a win, 500 for a draw.
    pub expected: u16,
    /// The column that the exact search preferred, from 0.
    pub preferred: u32,
    /// Expected points of the preferred move in permille, by the same tree.
    pub expected_of_preferred: u16,
    /// Depth of the deepest finished tree, in replies of the opponent.
    pub depth: u32,
}
