//! What bounds a search, as the session hands it over: plain data without any protocol in it.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

/// The limits of one search. With none set the search runs until the position is solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The root columns (from 0) to consider; empty for all legal ones.
    pub search_moves: Vec<u32>,
    /// Depth in plies of a depth-limited search.
    pub depth: Option<u32>,
    /// Number of nodes to visit at most. With one thread and an empty table the result is the same every time; more
    /// threads count their nodes together, and may visit a few hundred too many each.
    pub nodes: Option<u64>,
    /// Look only for a win within this many plies, then stop.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// A playing clock to manage.
    pub clock: Option<Clock>,
    /// Whether to hold the answer back until told to stop.
    pub infinite: bool,
    /// Whether the clock stands still, and the answer is held back, until the opponent plays the expected move.
    pub ponder: bool,
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left for the rest of the game, or up to the next time control.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves up to the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What a search needs to know beside its limits, fixed when it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Number of best moves to report, at least 1.
    pub multi_pv: usize,
    /// How well to play.
    pub strength: Strength,
    /// Number of threads that prove scores; estimates are made on one.
    pub threads: NonZeroUsize,
    /// Whether to play from the opening book, if there is one.
    pub own_book: bool,
    /// The seed of the random choices below full strength, which depend on the position too; `None` if they are to differ
    /// each time.
    pub seed: Option<NonZeroU32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { multi_pv: 1, strength: Strength::Full, threads: NonZeroUsize::MIN, own_book: true, seed: None }
    }
}

/// How well to play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Strength {
    /// As well as possible.
    #[default]
    Full,
    /// Weakened: 0.0 the weakest, towards 20.0 almost full strength.
    Level(f64),
}
